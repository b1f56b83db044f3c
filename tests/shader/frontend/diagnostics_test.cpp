// SPDX-License-Identifier: Apache-2.0
// What a user is told: exact places, source lines, carets, Metal's words; and input that is no program at all.
#include "tests/shader/frontend/frontend_fixture.hpp"

#include <thread>

namespace basanite::shader::frontend {
namespace {

TEST(Diagnostics, PlaceLineAndCaret) {
  EXPECT_HAS(diagnosticsOf("kernel void k(device float* o [[buffer(0)]]) {\n  o[0] = undefinedName + 1;\n}"),
             "program_source:4:10: error: use of undeclared identifier 'undefinedName'\n"
             "  o[0] = undefinedName + 1;\n"
             "         ^\n");
}

TEST(Diagnostics, ColumnsHoldBehindRespelledWords) {
  std::string text = diagnosticsOf("constant float a = 1; constant int b = wrong1;\nkernel void k(device int* o [[buffer(0)]], threadgroup int* t [[threadgroup(0)]]) { threadgroup int x[4]; x[0] = wrong2; }");
  EXPECT_HAS(text, "program_source:3:40: error: use of undeclared identifier 'wrong1'");
  EXPECT_HAS(text, "program_source:4:114: error: use of undeclared identifier 'wrong2'");
  EXPECT_HAS(text, "constant float a = 1; constant int b = wrong1;\n                                       ^");
}

TEST(Diagnostics, FileNameIsTheOptionsName) {
  SourceOptions options;
  options.name = "lighting.metal";
  EXPECT_HAS(diagnosticsOf("int x = ;", options), "lighting.metal:3:9: error: expected expression");
}

TEST(Diagnostics, MacrosPointToUseAndDefinition) {
  std::string text = diagnosticsOf("#define SCALE(x) ((x) * undefined_thing)\nkernel void k(device float* o [[buffer(0)]]) {\n  o[0] = SCALE(2);\n}");
  EXPECT_HAS(text, "program_source:5:10: error: use of undeclared identifier 'undefined_thing'");
  EXPECT_HAS(text, "program_source:3:25: note: expanded from macro 'SCALE'");
}

TEST(Diagnostics, MetalsOwnWords) {
  std::string text = diagnosticsOf("void f(device float* p);\nkernel void k(threadgroup float* t [[threadgroup(0)]], device float* o [[buffer(0)]]) { f(t); o[0] = 1; }");
  EXPECT_HAS(text, "threadgroup");
  EXPECT_HAS(text, "device");
  EXPECT_HAS_NOT(text, "__");
  EXPECT_HAS_NOT(text, "OpenCL");
}

TEST(Diagnostics, WarningsComeWithAProgram) {
  auto program = compile("kernel void k(device float* o [[buffer(0)]]) {\n  int i = 0;\n  if (i = 1) o[0] = 1;\n}");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_HAS(program->warnings, "program_source:5:9: warning: using the result of an assignment as a condition without parentheses");
  SourceOptions options;
  options.warningsAsErrors = true;
  EXPECT_HAS(diagnosticsOf("kernel void k(device float* o [[buffer(0)]]) {\n  int i = 0;\n  if (i = 1) o[0] = 1;\n}", options), "error: using the result");
}

TEST(Diagnostics, CleanSourceHasNoWarnings) {
  auto program = compile("kernel void k(device float* o [[buffer(0)]]) { threadgroup float x[4]; x[0] = o[1]; o[0] = x[0]; }");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->warnings, "");
}

TEST(Diagnostics, UnknownAttributeIsNamed) {
  auto program = compile("kernel void k(device float* o [[buffer(0)]], uint i [[thread_position_in_gird]]) { o[i] = 1; }");
  ASSERT_FALSE(program);
  EXPECT_HAS(program.error().message, "unknown attribute 'thread_position_in_gird' ignored");
  EXPECT_HAS(program.error().message, "error: parameter 'i' of kernel function 'k' needs an attribute");
}

TEST(Diagnostics, MissingAttributeNamesTheParameter) {
  EXPECT_HAS(diagnosticsOf("kernel void k(device float* o [[buffer(0)]], uint index) { o[index] = 1; }"),
             "program_source:3:51: error: parameter 'index' of kernel function 'k' needs an attribute that says where its value of type 'uint' comes from");
  EXPECT_HAS(diagnosticsOf("struct V { float4 p; };\nvertex float4 v(V in) { return in.p; }"), "parameter 'in' of vertex function 'v' needs an attribute");
}

TEST(Diagnostics, VariablesThatOutliveACallMustBeConstant) {
  const char* message = "is neither local to a call nor in the constant address space";
  EXPECT_HAS(diagnosticsOf("float g;\nkernel void k(device float* o [[buffer(0)]]) { g = 1; o[0] = g; }"), "program_source:3:7: error: variable 'g' ");
  EXPECT_HAS(diagnosticsOf("kernel void k(device int* o [[buffer(0)]]) { static int n = 0; o[0] = n++; }"), message);
  EXPECT_HAS(diagnosticsOf("namespace a { static int n = 2; }\nkernel void k(device int* o [[buffer(0)]]) { o[0] = a::n; }"), message);
  EXPECT_TRUE(compile("constant float a = 1; constant float b[2] = {1, 2}; constexpr sampler s(filter::linear); struct S { static constexpr constant int n = 3; };\n"
                      "kernel void k(device float* o [[buffer(0)]]) { static constant float c[2] = {3, 4}; constexpr int d = 2; threadgroup float t; t = 1; o[0] = a + b[d - 1] + c[0] + S::n + t; }"));
}

TEST(Diagnostics, WrongUseOfAttributes) {
  EXPECT_HAS(diagnosticsOf("kernel void k(uint i [[vertex_id]]) {}"), "attribute 'vertex_id' is not an input of a kernel function (parameter 'i')");
  EXPECT_HAS(diagnosticsOf("kernel void k(float i [[thread_position_in_grid]]) {}"), "parameter 'i' with attribute 'thread_position_in_grid' cannot have type 'float': use uint");
  EXPECT_HAS(diagnosticsOf("kernel void k(device float* a [[buffer(31)]]) {}"), "buffer index 31 of parameter 'a' is out of range: indices are 0 to 30");
  EXPECT_HAS(diagnosticsOf("kernel void k(device float* a [[buffer(-1)]]) {}"), "buffer index -1 of parameter 'a' is out of range");
  EXPECT_HAS(diagnosticsOf("kernel void k(device float* a [[buffer(4294967296)]]) {}"), "buffer index 4294967296 of parameter 'a' is out of range");
  EXPECT_HAS(diagnosticsOf("kernel void k(device float* a [[buffer(\"one\")]]) {}"), "the argument of attribute 'buffer' must be an integer constant");
  EXPECT_HAS(diagnosticsOf("kernel void k(device float* a [[buffer(1)]], device float* b [[buffer(1)]]) {}"), "parameter 'b' uses buffer index 1, which another parameter has");
  EXPECT_HAS(diagnosticsOf("kernel void k(device float* a [[texture(1)]]) {}"), "attribute 'texture' does not apply to parameter 'a'");
  EXPECT_HAS(diagnosticsOf("kernel int k() { return 1; }"), "kernel function 'k' must return void");
  EXPECT_HAS(diagnosticsOf("struct O { float2 uv; };\nvertex O v() { O o; o.uv = 1; return o; }"), "returns 'O', which has no member with attribute [[position]]");
  EXPECT_HAS(diagnosticsOf("struct O { float4 a; };\nfragment O f() { O o; o.a = 1; return o; }"), "program_source:3:19: error: member 'a' of a fragment function's result needs an attribute");
  EXPECT_HAS(diagnosticsOf("struct I { float4 a; };\nvertex float4 v(I i [[stage_in]]) { return i.a; }"), "member 'a' of a vertex function's [[stage_in]] structure needs [[attribute(n)]]");
  EXPECT_HAS(diagnosticsOf("kernel void k(device float* o [[buffer(N)]]) {}"), "error: use of undeclared identifier 'N'");
  EXPECT_HAS(diagnosticsOf("kernel void k(thread float* o [[buffer(0)]]) {}"), "must point to device, constant or threadgroup memory");
  EXPECT_HAS(diagnosticsOf("kernel void k() {}\nkernel void k(device int* a [[buffer(0)]]) {}"), "another entry function is named 'k' already");
}

TEST(Diagnostics, WhatIsNotSupportedSaysSo) {
  EXPECT_HAS(diagnosticsOf("kernel void k(device float* o [[buffer(0)]]) { raytracing::intersector<raytracing::instancing> i; }"), "intersector is not supported yet");
  EXPECT_HAS(diagnosticsOf("kernel void k(device float* o [[buffer(0)]]) { raytracing::ray r; }"), "ray is not supported yet");
  EXPECT_HAS(diagnosticsOf("[[patch(quad, 4)]] vertex float4 f(uint id [[patch_id]]) { return float4(id); }"), "post-tessellation vertex functions such as 'f' are not supported");
  EXPECT_HAS(diagnosticsOf("kernel void k(device bool* o [[buffer(0)]]) { o[0] = simd_sum(o[1]); }"), "functions of simdgroups and quads take");
}

TEST(Diagnostics, FunctionConstantsAndInitialValuesAreChecked) {
  EXPECT_HAS(diagnosticsOf("constant bool flag [[function_constant]];\nkernel void k(device float* o [[buffer(0)]]) { o[0] = flag; }"),
             "takes one argument");
  EXPECT_HAS(diagnosticsOf("constant int a [[function_constant(70000)]];\nkernel void k(device int* o [[buffer(0)]]) { o[0] = a; }"),
             "index 70000 of function constant 'a' is out of range");
  EXPECT_HAS(diagnosticsOf("kernel void k(device int* o [[buffer(0)]]) { int a = 1; o[0] = is_function_constant_defined(a); }"),
             "takes the name of a function constant");
  // Not zero, but refused.
  EXPECT_HAS(diagnosticsOf("constant float x = sin(1.5f);\nkernel void k(device float* o [[buffer(0)]]) { o[0] = x; }"),
             "initial value that is not a constant expression");
}

TEST(Diagnostics, TypesAreWrittenOut) {
  EXPECT_HAS(diagnosticsOf("float3 f() {\n  float3 a = float2(1);\n  return a;\n}"), "program_source:4:10: error: no viable conversion from 'vec<float, 2>' to 'thread vec<float, 3>'");
}

TEST(Diagnostics, DoubleIsRefused) {
  EXPECT_HAS(diagnosticsOf("kernel void k(device float* o [[buffer(0)]]) { double x = o[1]; o[0] = x; }"), "program_source:3:48: error: use of type 'double'");
}

TEST(Diagnostics, ErrorsInsideTheLibraryPointToTheUser) {
  std::string text = diagnosticsOf("kernel void k(texture2d<float, access::read> t [[texture(0)]]) {\n  t.write(float4(1), uint2(0));\n}");
  EXPECT_HAS(text, "program_source:4:5: error: ");
  EXPECT_HAS(text, "this texture is not declared with access::write or access::read_write: it cannot be written");
}

TEST(Diagnostics, RecursionAndUndefinedFunctions) {
  EXPECT_HAS(diagnosticsOf("int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\nkernel void k(device int* o [[buffer(0)]]) { o[0] = fib(o[1]); }"),
             "program_source:3:5: error: function 'fib(int)' is recursive; Metal has no recursion");
  EXPECT_HAS(diagnosticsOf("int other(int n);\nkernel void k(device int* o [[buffer(0)]]) { o[0] = other(o[1]); }"), "program_source:3:5: error: function 'other(int)' is declared and used but has no body");
}

TEST(BadInput, EmptyAndCommentOnlySourcesAreEmptyPrograms) {
  for (const char* source : {"", "\n\n", "// nothing", "/* nothing */"}) {
    auto program = compileSource(source, {});
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_TRUE(program->functions.empty());
  }
}

TEST(BadInput, UnterminatedThings) {
  EXPECT_HAS(diagnosticsOf("/* never closed"), "program_source:3:1: error: unterminated /* comment");
  EXPECT_HAS(diagnosticsOf("kernel void k() {"), "error: expected '}'");
  EXPECT_HAS(diagnosticsOf("#if 1\n"), "error: unterminated conditional directive");
  EXPECT_HAS(diagnosticsOf("kernel void k(device float* o [[buffer(0)"), "error:");
}

TEST(BadInput, GarbageGivesErrors) {
  std::string garbage;
  uint32_t state = 12345;
  for (int i = 0; i < 20000; ++i) {
    state = state * 1664525u + 1013904223u;
    garbage.push_back(static_cast<char>(state >> 24));
  }
  auto program = compileSource(garbage, {});
  ASSERT_FALSE(program);
  EXPECT_HAS(program.error().message, "error:");
  std::string nested(100000, '(');
  EXPECT_HAS(diagnosticsOf("int x = " + nested), "error:");
  EXPECT_HAS(diagnosticsOf("#include \"no_such_file.h\""), "'no_such_file.h' file not found");
}

TEST(BadInput, AHundredThousandLines) {
  std::string source = "kernel void k(device int* o [[buffer(0)]]) {\n";
  for (int i = 0; i < 100000; ++i) source += "  // line\n";
  source += "  o[0] = wrong;\n}\n";
  EXPECT_HAS(diagnosticsOf(source), "program_source:100004:10: error: use of undeclared identifier 'wrong'");
}

TEST(Threads, CompileAtOnce) {
  std::string messages[4];
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &messages] {
      for (int i = 0; i < 3; ++i) {
        std::string name = "k" + std::to_string(t) + std::to_string(i);
        auto program = compile("kernel void " + name + "(device float* o [[buffer(0)]]) { threadgroup float x[4]; x[0] = sin(o[0]); o[1] = x[0]; }");
        if (!program) messages[t] += program.error().message;
        else if (program->functions.size() != 1 || program->functions[0].name != name) messages[t] += "wrong function";
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& message : messages) EXPECT_EQ(message, "");
}

} // namespace
} // namespace basanite::shader::frontend
