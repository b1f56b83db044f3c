// SPDX-License-Identifier: Apache-2.0
// Linking of visible functions and dynamic libraries, and calls through tables: SPIR-V has no function
// pointers, so each becomes a choice among what is linked.
#include "tests/shader/lower/shader_case.hpp"

#include <cstring>
#include <regex>

namespace basanite::shader::test {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
constant float kScale [[function_constant(0)]];
[[visible]] float twice(float x) { return 2 * x; }
[[visible]] float scaled(float x) { return kScale * x; }
[[visible]] float sine(float x) { return precise::sin(x); }
[[visible]] int count(int x) { return x + 11; }
[[visible]] float4 mixed(float4 a, float4 b) { return a * b + 3; }
[[visible]] float sampled(texture2d<float> t, sampler s, float2 uv) { return t.sample(s, uv).x; }
using Op = float(float);
kernel void call(visible_function_table<Op> t [[buffer(0)]], device float* o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  o[i] = t[i](o[i]); }
kernel void vectors(visible_function_table<float4(float4, float4)> t [[buffer(0)]], device float4* o [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) { o[i] = t[i](o[i], o[i + 1]); }
kernel void kept(visible_function_table<Op> t [[buffer(0)]], device float* o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  Op* f = nullptr;
  for (uint n = 0; n < i; ++n) { f = t[n]; if (f == nullptr) break; o[n] = f(o[n]); }
  Op* two[2] = {t[0], t[1]};
  o[i] = two[i & 1](3); }
float plus(float x) { return x + 17; }
float minus(float x) { return x - 19; }
kernel void local(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Op* f = i > 3 ? plus : minus;
  o[i] = f(o[i]); }
[[visible]] float elsewhere(float x);
kernel void named(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) { o[i] = elsewhere(o[i]); }
fragment float4 shade(float4 position [[position]], texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]],
                      visible_function_table<float(texture2d<float>, sampler, float2)> f [[buffer(0)]]) {
  return f[uint(position.x)](t, s, position.yy); }
vertex float4 place(uint v [[vertex_id]], visible_function_table<Op> t [[buffer(0)]]) { return float4(t[v](v)); }
)";

const Program& program() {
  static Program compiled = mslProgram(kSource);
  return compiled;
}

// Linked with those of the program's own functions.
StageBinary lowered(const std::string& kernel, const std::vector<FunctionRef>& functions,
                    std::string* error = nullptr) {
  LinkedFunctions linked;
  linked.functions = functions;
  FunctionRef reference{&program(), kernel, {}, &linked};
  auto binary = basanite_compiler_instance()->lowerKernel({reference, allTraits()});
  if (error)
    *error = binary ? "" : binary.error().message;
  else
    EXPECT_TRUE(binary) << binary.error().message;
  return binary ? std::move(binary).value() : StageBinary();
}

FunctionRef ref(const std::string& name) { return {&program(), name}; }

TEST(FunctionTables, CallsChooseAmongLinkedFunctionsOfTheType) {
  StageBinary binary = lowered("call", {ref("twice"), ref("count"), ref("sine")});
  std::string text = assembly(binary);
  // Numbers 1 and 3: the second is of another type.
  EXPECT_TRUE(std::regex_search(text, std::regex("OpSwitch %\\S+ %\\S+ 1 %\\S+ 3 %\\S+\n"))) << text;
  expectLacks(text, "OpConstant %int 11");
  ASSERT_EQ(binary.bindings.size(), 2u);
  EXPECT_EQ(binary.bindings[0].kind, BindingKind::buffer);
  EXPECT_EQ(binary.bindings[1].kind, BindingKind::functionTable);
  EXPECT_EQ(binary.bindings[1].signature, "float(float)");
  EXPECT_EQ(binary.bindings[1].index, 0u);
  ASSERT_EQ(binary.arguments.size(), 2u);
  EXPECT_EQ(binary.arguments[0].kind, ArgumentKind::functionTable);
}

TEST(FunctionTables, WithoutLinkedFunctionsACallIsZero) {
  StageBinary binary = lowered("call", {});
  expectLacks(assembly(binary), "OpSwitch");
}

TEST(FunctionTables, VectorsTravelLikeScalars) {
  std::string text = assembly(lowered("vectors", {ref("mixed"), ref("twice")}));
  expectContains(text, "OpFMul %v4float");
}

TEST(FunctionTables, PointersAreKeptAndCompared) { lowered("kept", {ref("twice"), ref("sine")}); }

TEST(FunctionTables, LocalFunctionsCanBeChosenToo) {
  std::string text = assembly(lowered("local", {}));
  expectContains(text, "%float_17");
  expectContains(text, "19");
}

TEST(FunctionTables, FunctionConstantsHaveValuesOfTheirOwn) {
  std::string error;
  lowered("call", {ref("scaled")}, &error);
  EXPECT_EQ(error, "Visible function \"scaled\": the function constant \"kScale\" ([[function_constant(0)]], "
                   "float) has no value.");
  FunctionRef scaled = ref("scaled");
  const float value = 37;
  scaled.constants.push_back({"", 0, 3, std::vector<uint8_t>(sizeof(value))});
  std::memcpy(scaled.constants[0].bytes.data(), &value, sizeof(value));
  expectContains(assembly(lowered("call", {scaled, ref("twice")})), "%float_37");
}

TEST(FunctionTables, FunctionsAreCalledByName) {
  Program other =
      mslProgram("#include <metal_stdlib>\n[[visible]] float elsewhere(float x) { return x * 41; }");
  LinkedFunctions linked;
  FunctionRef kernel{&program(), "named", {}, &linked};
  auto binary = basanite_compiler_instance()->lowerKernel({kernel, allTraits()});
  ASSERT_FALSE(binary);
  EXPECT_EQ(binary.error().message, "Kernel function \"named\": it calls the visible function \"elsewhere\", "
                                    "which is not among the functions "
                                    "that the pipeline is linked with.");
  linked.privateFunctions.push_back({&other, "elsewhere"});
  binary = basanite_compiler_instance()->lowerKernel({kernel, allTraits()});
  ASSERT_TRUE(binary) << binary.error().message;
  expectContains(assembly(*binary), "%float_41");
  Program wrong = mslProgram("#include <metal_stdlib>\n[[visible]] float elsewhere(int x) { return x; }");
  linked.privateFunctions[0].program = &wrong;
  binary = basanite_compiler_instance()->lowerKernel({kernel, allTraits()});
  ASSERT_FALSE(binary);
  EXPECT_EQ(binary.error().message, "Kernel function \"named\": it calls \"elsewhere\" with other parameters "
                                    "or another result than the function has.");
}

TEST(FunctionTables, WorkInVertexAndFragmentFunctions) {
  LinkedFunctions vertexLinked, fragmentLinked;
  vertexLinked.functions = {ref("twice"), ref("sine")};
  fragmentLinked.functions = {ref("sampled")};
  RenderRequest request;
  request.vertex = {&program(), "place", {}, &vertexLinked};
  request.fragment = FunctionRef{&program(), "shade", {}, &fragmentLinked};
  request.traits = allTraits();
  RenderBinaries binaries = lowerRender(request);
  expectContains(assembly(binaries.vertex), "OpSwitch");
  expectContains(assembly(*binaries.fragment), "OpImageSampleImplicitLod");
}

TEST(FunctionTables, RecursionIsAnErrorThatSaysSo) {
  Program recursive = mslProgram(R"(
#include <metal_stdlib>
using namespace metal;
struct Data { visible_function_table<float(float, device void*)> t; };
[[visible]] float down(float x, device void* d) { return x < 1 ? x : ((device Data*)d)->t[0](x - 1, d); }
kernel void k(device Data& d [[buffer(0)]], device float* o [[buffer(1)]]) { o[0] = d.t[0](o[0], &d); }
)");
  LinkedFunctions linked;
  linked.functions = {{&recursive, "down"}};
  auto binary = basanite_compiler_instance()->lowerKernel({{&recursive, "k", {}, &linked}, allTraits()});
  ASSERT_FALSE(binary);
  EXPECT_EQ(binary.error().message, "Kernel function \"k\": the visible function \"down\" can come to call "
                                    "itself: it calls functions of its own "
                                    "type through a table, or by name. Recursion is not possible on Vulkan.");
}

TEST(FunctionTables, LibraryFilesKeepVisibleFunctions) {
  Compiler* compiler = basanite_compiler_instance();
  auto bytes = compiler->writeLibrary({ref("twice"), ref("call"), ref("sine")});
  ASSERT_TRUE(bytes) << bytes.error().message;
  auto read = compiler->readLibrary(*bytes);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->functions.size(), 3u);
  EXPECT_EQ(read->functions[0].stage, Stage::visible);
  LinkedFunctions linked;
  linked.functions = {{&*read, "twice"}, {&*read, "sine"}};
  auto binary = compiler->lowerKernel({{&*read, "call", {}, &linked}, allTraits()});
  ASSERT_TRUE(binary) << binary.error().message;
  expectContains(assembly(*binary), "OpSwitch");
}

TEST(FunctionTables, ALinkedFunctionMustBeAVisibleOne) {
  std::string error;
  lowered("call", {ref("named")}, &error);
  EXPECT_EQ(error, "Function \"named\" is a kernel function, but a visible function is needed here.");
  lowered("call", {ref("nobody")}, &error);
  EXPECT_NE(error.find("There is no function named \"nobody\" in the library"), std::string::npos) << error;
}

} // namespace
} // namespace basanite::shader::test
