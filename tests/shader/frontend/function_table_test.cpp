// SPDX-License-Identifier: Apache-2.0
// Visible functions and tables of them: what the front end makes of them in AIR.
#include "tests/shader/frontend/frontend_fixture.hpp"

namespace basanite::shader::frontend {
namespace {

TEST(FunctionTables, VisibleFunctionsAreListedUnderTheirNames) {
  auto program = compile(R"(
[[visible]] float twice(float x) { return 2 * x; }
namespace shapes { [[visible]] float4 area(float4 a, device const int* p, constant float& c) { return a * p[0] * c; } }
[[stitchable]] void put(device float* out, thread half2& h, uint i) { out[i] = h.x; }
[[host_name("other")]] [[visible]] bool named(bool b) { return !b; }
)");
  ASSERT_TRUE(program) << program.error().message;
  ASSERT_EQ(program->functions.size(), 4u);
  const char* names[] = {"twice", "area", "put", "other"};
  const char* signatures[] = {"float(float)", "float4(float4, device const int*, constant float&)",
                              "void(device float*, thread half2&, uint)", "bool(bool)"};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(program->functions[i].name, names[i]);
    EXPECT_EQ(program->functions[i].stage, Stage::visible);
    EXPECT_EQ(program->functions[i].signature, signatures[i]);
    EXPECT_EQ(program->functions[i].stitchable, i == 2);
  }
  std::string air = airText(*program);
  EXPECT_HAS(air, "!air.visible = !{");
  EXPECT_HAS(air, " float @twice(float");
  // Constant memory has a space of its own, also in what functions take.
  EXPECT_HAS(air, "ptr addrspace(2)");
  EXPECT_HAS_NOT(air, "addrspace(4)");
}

TEST(FunctionTables, AreArgumentsOfTheirOwnKind) {
  std::string air = compileToAir(R"(
using Op = float(float, device int*);
kernel void k(visible_function_table<Op> t [[buffer(3)]], device float* o [[buffer(0)]], device int* p [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  if (t.empty()) return;
  o[i] = t[i % t.size()](o[i], p);
})");
  EXPECT_HAS(air, "!\"air.visible_function_table\", !\"air.location_index\", i32 3, i32 1, !\"air.read\", "
                  "!\"air.arg_type_name\", "
                  "!\"visible_function_table<float(float, device int*)>\", !\"air.arg_name\", !\"t\"");
  std::string kernel = functionText(air, "k");
  EXPECT_HAS(kernel, "ptr @air.get_function_pointer_visible_function_table(ptr addrspace(1)");
  EXPECT_HAS(kernel, "i32 @air.get_size_visible_function_table(ptr addrspace(1)");
}

TEST(FunctionTables, StandInArgumentBuffersAndArrays) {
  std::string air = compileToAir(R"(
struct Materials { uint count; visible_function_table<half4(half4)> shade; device float* weights; };
kernel void k(constant Materials& m [[buffer(0)]], array<visible_function_table<float(float)>, 2> pair [[buffer(4)]],
              device half4* o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (is_null_visible_function_table(m.shade)) return;
  o[i] = m.shade[i](o[i]) * half(pair[i & 1][0](1));
})");
  EXPECT_HAS(air, "!\"visible_function_table<half4(half4)>\", !\"shade\", !\"air.indirect_argument\"");
  EXPECT_HAS(air, "!\"air.visible_function_table\", !\"air.location_index\", i32 4, i32 2");
}

// The list names what a pipeline has to be linked with.
TEST(FunctionTables, DeclaredVisibleFunctionsAreReferences) {
  std::string air = compileToAir(R"(
[[visible]] float elsewhere(float x);
[[visible]] float never(float x);
[[visible]] float here(float x);
kernel void k(device float* o [[buffer(0)]]) { o[0] = elsewhere(here(o[1])); }
[[visible]] float here(float x) { return x + 1; }
)");
  EXPECT_HAS(air,
             "!{!\"air.visible_function_reference\", ptr @_Z9elsewheref.MTL_VISIBLE_FN_REF, !\"elsewhere\"}");
  EXPECT_HAS_NOT(air, "never");
  EXPECT_HAS_NOT(functionText(air, "k"), "@here");
}

TEST(FunctionTables, MistakesAreToldOf) {
  EXPECT_HAS(diagnosticsOf("[[visible]] float f(device float* p [[buffer(0)]]) { return p[0]; }"),
             "attribute 'buffer' does not apply to parameter 'p': visible functions get their arguments from "
             "those that call them");
  EXPECT_HAS(
      diagnosticsOf(
          "[[visible]] float f(float x) { return x; }\nkernel void f(device float* p [[buffer(0)]]) {}"),
      "another entry function is named 'f' already");
  EXPECT_HAS(
      diagnosticsOf("float g(float x);\nkernel void k(device float* p [[buffer(0)]]) { p[0] = g(1); }"),
      "function 'g(float)' is declared and used but has no body");
  EXPECT_HAS(diagnosticsOf("kernel void k(visible_function_table<float(float)> t [[texture(0)]]) { }"),
             "a parameter of type 'visible_function_table<float(float)>' takes [[buffer(n)]]");
  EXPECT_HAS(diagnosticsOf(
                 "kernel void k(visible_function_table<float(float)> t, device float* o) { o[0] = t[0](); }"),
             "too few arguments to function call");
}

} // namespace
} // namespace basanite::shader::frontend
