// SPDX-License-Identifier: Apache-2.0
// The language: address spaces, structures, methods, templates, control flow, swizzles, matrices, constants.
#include "tests/shader/frontend/frontend_fixture.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace basanite::shader::frontend {
namespace {

TEST(Language, ConstantReferencesAndCopiesStayInConstantMemory) {
  std::string air = compileToAir(R"(
struct Inner { float4 v[2]; float scale; float scaled(uint i) const { return v[i].x * scale; } };
struct U { Inner inner; float4x4 m; };
float read(constant Inner& i, uint n) { return i.scaled(n); }
kernel void k(device float4* o [[buffer(0)]], constant U& u [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  U copy = u;
  constant Inner& alias = u.inner;
  constant float4* p = &alias.v[0];
  o[i] = copy.m * p[1] + read(u.inner, i & 1);
})");
  std::string k = functionText(air, "k");
  EXPECT_HAS(k, "load <4 x float>, ptr addrspace(2)");
  EXPECT_HAS_NOT(k, "addrspace(4)");
  EXPECT_HAS_NOT(k, "addrspacecast");
  EXPECT_HAS_NOT(k, "alloca");
}

TEST(Language, PointersToConstantMemoryInStructures) {
  std::string air = compileToAir(R"(
struct Args { constant float* table; device float* out; };
kernel void k(constant Args& a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a.out[i] = a.table[i]; })");
  std::string k = functionText(air, "k");
  EXPECT_HAS(k, "load ptr addrspace(2), ptr addrspace(2)");
  EXPECT_HAS(k, "load ptr addrspace(1), ptr addrspace(2)");
  EXPECT_HAS_NOT(k, "addrspace(4)");
}

TEST(Language, ConstructorsByAddressSpace) {
  std::string air = compileToAir(R"(
template <typename T> struct Box {
  T value;
  Box() thread = default;
  Box() constant = default;
  Box(thread const T& v) thread : value(v) {}
  Box(thread const T& v) constant : value(v) {}
  T get() const constant { return value; }
  T get() const device { return value + 1; }
};
kernel void k(device Box<float>* d [[buffer(0)]], constant Box<float>& c [[buffer(1)]]) { d[0].value = c.get() + d[1].get(); })");
  EXPECT_HAS(functionText(air, "k"), "fadd");
}

TEST(Language, LaneCountsOfAnyIntegerTypeAreDeduced) {
  std::string air = compileToAir(R"(
template <typename T> T twice(T x) { return x * 2; }
template <uint N> vec<bool, N> twice(vec<bool, N> x) { return !x; }
template <typename T, uint A, uint V> void copy(thread T (&to)[A], device const vec<T, V> (&from)[A]) { for (uint i = 0; i < A; ++i) to[i] = from[i].x; }
struct S { float4 v[3]; };
kernel void k(device float* o [[buffer(0)]], device const S& s [[buffer(1)]]) {
  float x[3]; copy(x, s.v);
  o[0] = twice(bool3(o[1] > 0)).y ? twice(x[1]) : x[2]; })");
  EXPECT_HAS(functionText(air, "k"), "load");
}

TEST(Language, ConditionalsOfObjectsAndVariables) {
  std::string air = compileToAir(R"(
struct Pair { float a, b; };
Pair make(float x) { Pair p; p.a = x; p.b = 1; return p; }
kernel void k(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Pair mine = make(o[0]);
  Pair p = i > 3 ? mine : make(o[1]);
  float3 v = float3(o[2]);
  float3 w = i == 0 ? v.yzx : (i == 1 ? v.zxy : v);
  o[i] = p.a + w.x; })");
  EXPECT_HAS(functionText(air, "k"), "select");
}

// What the sources below do besides what clang refuses at first (`mine` and `*device`), so that they are respelled thoroughly.
std::string thorough(const std::string& statements) {
  return R"(
struct S { float4 v; float a; };
struct Row {
  float e[4];
  float4 operator[](uint i) const thread { return float4(e[i]); }
  float4 operator[](uint i) const device { return float4(e[i]); }
  thread float4& operator[](uint i) thread { return *(thread float4*)&e[0]; }
};
Row make(float x) { Row r; for (int i = 0; i < 4; ++i) r.e[i] = x + i; return r; }
device float4* vectors(device float4* p) { return p; }
device S* objects(device S* p) { return p; }
device float* numbers(device float* p) { return p; }
thread float4& vectorOf(thread S& s) { return s.v; }
constant float table[3] = {20, 21, 22};
kernel void k(device float4* o [[buffer(0)]], device S* q [[buffer(1)]], device float* f [[buffer(2)]], uint n [[thread_position_in_grid]]) {
  S s, t; s.v = 1; s.a = 2; t = s;
  S either = n > 3 ? s : *q;
  )" + statements + "\n  o[0] = either.v + s.v + t.v; }";
}

TEST(Language, ThoroughlyRespelledStoresReachTheirPlace) {
  std::string k = functionText(compileToAir(thorough(R"(
  vectors(o)[1] = float4(7);
  vectors(o)[2].x = 8;
  objects(q)[1].a = 9;
  objects(q)[1].v.y = 10;
  numbers(f)[1] = 11;
  vectorOf(s)[1] = 12;
  *(n > 5 ? &s : &t) = *q;
  o[3] = s.v;)")), "k");
  EXPECT_HAS(k, "store <4 x float> <float 7.000000e+00, float 7.000000e+00, float 7.000000e+00, float 7.000000e+00>, ptr addrspace(1)");
  EXPECT_HAS(k, "float 8.000000e+00, i64 0");
  EXPECT_HAS(k, "store float 9.000000e+00, ptr addrspace(1)");
  EXPECT_HAS(k, "float 1.000000e+01, i64 1");
  EXPECT_HAS(k, "store float 1.100000e+01, ptr addrspace(1)");
  EXPECT_HAS(k, "float 1.200000e+01");
}

TEST(Language, ThoroughlyRespelledReads) {
  std::string k = functionText(compileToAir(thorough(R"(
  o[1] = make(3)[2];
  o[2].x = n > 3 ? 1.0f : vectors(o)[n].y;
  o[3].x = n > 3 ? numbers(f)[n] : make(n)[numbers(f)[n] > 2 ? 1 : 2].x;
  o[4].x = n > 4 ? n > 5 ? table[1] : table[n % 3] : 40.0f;
  if (n > 7) [[likely]] { o[5] = make(5)[1]; })")), "k");
  EXPECT_HAS(k, "<float 3.000000e+00, float 4.000000e+00, float 5.000000e+00, float 6.000000e+00>"); // of make(3)
  EXPECT_HAS(k, "2.100000e+01");
  EXPECT_HAS(k, "4.000000e+01");
}

TEST(Language, ThoroughlyRespelledParenthesesBehindKeywords) {
  std::string k = functionText(compileToAir(R"(
float first(float4 a, float4 b) { return (a + b)[0]; }
float second(thread float (*p)[4], int i) { if (i > 2) return (*p)[i]; else return (*p)[1]; }
)" + thorough(R"(
  float x[4] = {1, 2, 3, f[9]};
  o[1] = float4(first(o[2], o[3]), second(&x, int(n)), sizeof (x)[0], alignof(float4));
  int count = 3;
  do (x)[count] = 2; while (--count > 1);
  switch (n) { case (3): (x)[0] = 7; break; default: (x)[0] = 8; }
  if (n > 7) [[likely]] (x)[1] = 6; else (x)[1] = 5;
  for (int i = 0; i < 2; ++i) (x)[i] += not (x)[2] ? 1 : 0;
  if (n == 9) f[5] = 1; else numbers(f)[5] = 13;
  o[2] = float4(x[0], x[1], x[2], x[3]);)")),
                               "k");
  EXPECT_HAS(k, "float 4.000000e+00, float 1.600000e+01"); // sizeof and alignof
  EXPECT_HAS(k, "1.300000e+01");
}

// Nothing is made of their sides, which may be void.
TEST(Language, ThoroughlyRespelledConditionalsThatAreStatements) {
  std::string k = functionText(compileToAir(R"(
void doA(device float* p) { p[0] = 31; }
void doB(device float* p) { p[0] = 32; }
template <class F> void call(F f) { f(); }
)" + thorough(R"(
  n > 3 ? doA(f) : doB(f);
  { n > 4 ? doA(f + 1) : n > 5 ? doB(f + 2) : doA(f + 3); }
  n > 6 ? doA(f + 4) : doB(f + 5), doA(f + 6);
  if (n > 7) n > 8 ? doA(f + 7) : doB(f + 8); else n > 9 ? doB(f + 9) : doA(f + 10);
  switch (n) { case 2: n > 10 ? doA(f + 11) : doB(f + 12); }
  for (uint i = n; i > 4 ? true : false; --i) (n > 11) ? doA(f + i) : doB(f + i);
  auto inner = [&] { n > 12 ? doA(f + 14) : doB(f + 15); };
  inner();
  call([&] { n > 13 ? doA(f + 16) : doB(f + 17); });
  t = S{float4(3), 1}.a > f[0] ? s : *q;
  t = {n > 13 ? s.v : q->v, n > 13 ? s.a : q->a};)")),
                               "k");
  EXPECT_HAS(k, "3.100000e+01");
  EXPECT_HAS(k, "3.200000e+01");
}

// What only the respelling refuses is not told: the program has no such names.
TEST(Language, AThoroughRespellingIsNotNamed) {
  std::string text =
      diagnosticsOf("void doA() {}\nvoid doB() {}\n" + thorough("(void)(n > 3 ? doA() : doB());"));
  EXPECT_HAS_NOT(text, "$");
  EXPECT_HAS(text, "incompatible operand types");
}

// The copies of a thorough respelling take no stores: each of these would be lost.
TEST(Language, ThoroughlyRespelledStoresIntoCopiesAreRefused) {
  EXPECT_HAS(functionText(compileToAir(thorough("")), "k"), "store");
  for (const char* statement : {"(n > 3 ? s : t) = *q;", "(n > 3 ? s.v : t.v) = 3;", "(n > 3 ? s.v : t.v).x = 3;", "(n > 3 ? s : t).a = 3;",
                                "(n > 3 ? s.v : t.v)[1] = 3;", "(n > 3 ? s.v : t.v) += 3;", "thread S& r = n > 3 ? s : t; r.a = 1;",
                                "make(1)[2] = float4(3);", "make(1)[2].x = 3;", "make(1)[2] += 3;", "(n > 3 ? s.a : t.a) = 3;"}) {
    SCOPED_TRACE(statement);
    std::string text = diagnosticsOf(thorough(statement));
    EXPECT_HAS(text, statement); // the line that is wrong
    EXPECT_HAS_NOT(text, "incompatible operand types");
  }
}

TEST(Language, ElementsOfProgramConstantsMatchConstantParameters) {
  std::string air = compileToAir(R"(
struct Table { float elements[4]; };
constant Table table = {{1, 2, 3, 4}};
template <typename T, uint N> void copy(thread T (&to)[N], constant T (&from)[N]) { for (uint i = 0; i < N; ++i) to[i] = from[i]; }
kernel void k(device float* o [[buffer(0)]]) { float x[4]; copy(x, table.elements); o[0] = x[2]; })");
  EXPECT_HAS(functionText(air, "k"), "3.000000e+00");
}

TEST(Language, AConstantBehindAMacro) {
  std::string air = compileToAir("#define twice(x) ((x) + (x))\nconstant uint size = 3u;\nkernel void k(device uint* o [[buffer(0)]]) { o[0] = twice(size); }");
  EXPECT_HAS(functionText(air, "k"), "store i32 6");
}

TEST(Language, VolatileAndCoherentObjects) {
  std::string air = compileToAir(R"(
struct S { float4 v; uint n; };
kernel void k(volatile device S& s [[buffer(0)]], coherent device uint* c [[buffer(1)]]) {
  s.v = float4(2.0); float4 back = s.v; s.n = c[0] + uint(back.x); })");
  std::string k = functionText(air, "k");
  EXPECT_HAS(k, "store volatile <4 x float>");
  EXPECT_HAS(k, "load volatile i32");
}

TEST(Language, AttributesWithoutCommas) {
  std::string air = compileToAir(R"(
struct O { float4 a [[color(0) index(0)]]; float4 b [[color(0) index(1)]]; };
fragment O f() { O o; o.a = 1; o.b = 2; return o; })");
  EXPECT_HAS(air, "!{!\"air.render_target\", i32 0, i32 1,");
}

TEST(Language, AUserAttributeOfAResourceIsAWarning) {
  auto program = compile("kernel void k(device float* o [[user(fake0)]]) { o[0] = 1; }");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_HAS(program->warnings, "attribute 'user' means nothing on parameter 'o'");
}

TEST(Language, OverloadsByAddressSpace) {
  std::string air = compileToAir(R"(
float pick(constant float* p) { return p[0] + 10; }
float pick(device const float* p) { return p[0] + 20; }
float pick(thread const float* p) { return p[0] + 30; }
float pick(threadgroup const float* p) { return p[0] + 40; }
kernel void c(device float* o [[buffer(0)]], constant float* p [[buffer(1)]]) { o[0] = pick(p); }
kernel void d(device float* o [[buffer(0)]], device const float* p [[buffer(1)]]) { o[0] = pick(p); }
kernel void t(device float* o [[buffer(0)]]) { float x = o[1]; o[0] = pick(&x); }
kernel void g(device float* o [[buffer(0)]], threadgroup float* p [[threadgroup(0)]]) { o[0] = pick(p); })");
  EXPECT_HAS(functionText(air, "c"), "1.000000e+01");
  EXPECT_HAS(functionText(air, "d"), "2.000000e+01");
  EXPECT_HAS(functionText(air, "t"), "3.000000e+01");
  EXPECT_HAS(functionText(air, "g"), "4.000000e+01");
}

TEST(Language, ProgramScopeConstants) {
  std::string air = compileToAir(R"(
constant float table[4] = {1.5, 2.5, 3.5, 4.5};
constant float3 kUp = float3(0, 1, 0);
struct Kernel { float2 offset; float weight; };
constant Kernel kernels[2] = {{float2(1, 2), 3}, {float2(4, 5), 6}};
constexpr constant uint kCount = 7;
struct Constants { static constexpr constant float scale = 2.0; };
kernel void k(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Kernel copy = kernels[i & 1];
  o[i] = table[i & 3] + kUp.y + copy.weight + kernels[1].offset.x + kCount + Constants::scale;
})");
  EXPECT_HAS(air, "@_ZL5table = internal addrspace(2) constant [4 x float] [float 1.500000e+00");
  std::string k = functionText(air, "k");
  EXPECT_HAS(k, "getelementptr inbounds [4 x float], ptr addrspace(2) @_ZL5table");
  EXPECT_HAS_NOT(air, "addrspace(4)");
  EXPECT_HAS_NOT(air, "global_ctors");
}

TEST(Language, LocalConstantTables) {
  std::string air = compileToAir(R"(
kernel void k(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  const float2 offsets[3] = {float2(1, 2), float2(3, 4), float2(5, 6)};
  o[i] = offsets[i % 3].y;
})");
  EXPECT_HAS(air, "addrspace(2) constant");
  EXPECT_HAS_NOT(functionText(air, "k"), "alloca");
}

TEST(Language, SwizzlesReadAndWrite) {
  std::string air = compileToAir(R"(
kernel void k(device float4* o [[buffer(0)]], device packed_float3* p [[buffer(1)]]) {
  float4 a = o[0];
  a.xy = a.zw;
  a.bgr = a.rgb;
  a.w *= 2;
  a.x++;
  o[1] = a.wzyx;
  o[2].yz = a.xx;
  o[3].x = 1;
  p[0].y = a.x;
  p[1] = a.xyz * 2;
})");
  std::string k = functionText(air, "k");
  EXPECT_HAS(k, "shufflevector");
  EXPECT_HAS_NOT(k, "alloca");
  EXPECT_HAS_NOT(k, "call");
}

TEST(Language, DynamicComponentsNeedNoMemory) {
  std::string k = functionText(compileToAir(R"(
kernel void k(device float* o [[buffer(0)]], constant float4& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float4 v = c;
  v[i & 3] = 7;
  o[i] = v[(i + 1) & 3];
})"), "k");
  EXPECT_HAS(k, "insertelement <4 x float>");
  EXPECT_HAS(k, "extractelement <4 x float>");
  EXPECT_HAS_NOT(k, "alloca");
}

TEST(Language, MatrixProducts) {
  std::string k = functionText(compileToAir(R"(
kernel void k(device float4* o [[buffer(0)]], constant float4x4& m [[buffer(1)]], constant float3x3& n [[buffer(2)]]) {
  float4x4 mm = m * m;
  o[0] = mm * o[1];
  o[1] = o[2] * m;
  float3x3 t = transpose(n) * 2.0;
  o[2] = float4(t[1], determinant(n));
  o[3] = float4((float2x2(1, 2, 3, 4) * float2(5, 6)).xy, m[1][2], m[3].x);
})"), "k");
  EXPECT_HAS(k, "llvm.fmuladd.v4f32");
  EXPECT_HAS_NOT(k, "alloca");
  // 1*5 + 3*6 = 23, 2*5 + 4*6 = 34
  EXPECT_HAS(k, "float 2.300000e+01, float 3.400000e+01");
}

TEST(Language, ControlFlowSurvives) {
  std::string k = functionText(compileToAir(R"(
kernel void k(device int* o [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  int acc = 0;
  for (uint j = 0; j < n; ++j) {
    if (o[j] == 3) continue;
    if (o[j] == 4) break;
    switch (o[j]) { case 0: acc += 1; break; case 1: acc *= 3; case 2: acc -= 7; break; default: o[j] = acc; }
  }
  do { acc >>= 1; } while (acc > 10);
  o[i] = acc;
})"), "k");
  EXPECT_HAS(k, "switch i32");
  EXPECT_HAS(k, "ret void");
}

TEST(Language, MethodsTemplatesLambdasEnums) {
  std::string air = compileToAir(R"(
enum class Mode : uint { add, mul };
template <typename T, int N> struct Stack {
  T items[N]; int count;
  void push(T x) { items[count++] = x; }
  T pop() { return items[--count]; }
  template <typename F> T each(F f) const { T r = T(0); for (int i = 0; i < count; ++i) r += f(items[i]); return r; }
};
template <typename T> T combine(Mode m, T a, T b) { if (m == Mode::add) return a + b; return a * b; }
template <typename T, typename... R> T sum(T a, R... rest) { if constexpr (sizeof...(rest) > 0) return a + sum(rest...); else return a; }
namespace tools { static inline float half_of(float x) { return x * 0.5; } void bump(thread float& x) { x += 1; } }
kernel void k(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Stack<float, 4> s; s.count = 0;
  s.push(1); s.push(2); s.push(3);
  float scale = 2;
  float r = s.each([&](float x) { return x * scale; });
  tools::bump(r);
  auto [a, b] = Stack<float, 2>{{4, 5}, 0}.items;
  o[i] = r + combine(Mode::mul, s.pop(), 10.0f) + sum(1.0f, 2.0f, 3.0f) + tools::half_of(8) + a + b;
})");
  // (1+2+3)*2+1 + 3*10 + 6 + 4 + 9 = 62
  EXPECT_HAS(functionText(air, "k"), "store float 6.200000e+01");
}

TEST(Language, ThreadgroupVariablesInBodies) {
  std::string air = compileToAir(R"(
struct Cell { float value; uint count; };
template <typename T> void helper(device T* o, uint i) { threadgroup T tile[8]; tile[i & 7] = o[i]; threadgroup_barrier(mem_flags::mem_threadgroup); o[i] = tile[7 - (i & 7)]; }
kernel void k(device float* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float a[64], b;
  threadgroup Cell cells[2][3];
  threadgroup float* p = a;
  p[i] = o[i];
  cells[1][2].count = i;
  if (i == 0) { threadgroup float b2[4]; b2[0] = 1; b = b2[0]; }
  helper(o, i);
  threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
  o[i] = a[63 - i] + b + cells[1][2].count;
})");
  EXPECT_HAS(air, "addrspace(3) global [65 x i32]");
  EXPECT_HAS(air, "addrspace(3) global [8 x i32]");
  EXPECT_HAS(air, "addrspace(3) global [12 x i32]");
  EXPECT_HAS(air, "call void @air.wg.barrier(i32 3, i32 1)");
  EXPECT_HAS_NOT(air, "threadgroup_variable");
}

TEST(Language, TernaryOfVariableAndTemporary) {
  std::string k = functionText(compileToAir(R"(
kernel void k(device float3* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3 n = o[i];
  float3 m = n.x < 0 ? -n : n;
  o[i] = i > 3 ? m : float3(0.0);
})"), "k");
  EXPECT_HAS(k, "select");
}

TEST(Language, TernaryOfObjectsInDifferentMemories) {
  std::string k = functionText(compileToAir(R"(
struct S { float3 a; float b; };
kernel void k(device float3* o [[buffer(0)]], constant S* u [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  S local = { o[i], 2 };
  float3 m = i > 3 ? u[i].a : local.a;
  S s = i > 4 ? u[1] : local;
  o[i] = m + s.b;
})"), "k");
  EXPECT_HAS(k, "load <3 x float>, ptr addrspace(2)");
  EXPECT_HAS_NOT(k, "addrspace(4)");
  EXPECT_HAS_NOT(k, "alloca");
}

TEST(Language, ChainedAssignmentToComponents) {
  std::string k = functionText(compileToAir(R"(
kernel void k(device float4* o [[buffer(0)]]) { float4 w = 0; w.x = w.y = 3; w.zw = w.xy += 1; o[0] = w; })"), "k");
  EXPECT_HAS(k, "store <4 x float> <float 4.000000e+00, float 4.000000e+00, float 4.000000e+00, float 4.000000e+00>");
}

TEST(Language, DefaultLiteralIsFloat) {
  std::string air = compileToAir("kernel void k(device float* o [[buffer(0)]]) { o[0] = o[1] * 0.1; }");
  EXPECT_HAS_NOT(air, "double ");
}

TEST(Language, MacrosAndVersion) {
  SourceOptions options;
  options.macros = {{"SCALE", "4.0"}, {"TYPE", "float"}};
  options.languageVersion = 3u << 16 | 1;
  std::string air = compileToAir(R"(
#if __METAL_VERSION__ == 310 && defined(__METAL__)
kernel void k(device TYPE* o [[buffer(0)]]) { o[0] = SCALE; }
#endif)", options);
  EXPECT_HAS(functionText(air, "k"), "store float 4.000000e+00");
  EXPECT_HAS(air, "!{!\"Metal\", i32 3, i32 1, i32 0}");
}

TEST(Language, IncludesFromDirectoriesAndBesideTheSource) {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / ("basanite_frontend_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder / "inc");
  std::ofstream(folder / "beside.h") << "constant float kBeside = 3;\n";
  std::ofstream(folder / "inc" / "shared.h") << "#pragma once\nstruct Shared { float x; };\nfloat wrong() { return constant_that_is_missing; }\n";
  SourceOptions options;
  options.name = (folder / "main.metal").string();
  options.includeDirectories = {(folder / "inc").string()};
  std::string air = compileToAir("#include \"beside.h\"\nkernel void k(device float* o [[buffer(0)]]) { o[0] = kBeside; }", options);
  EXPECT_HAS(functionText(air, "k"), "store float 3.000000e+00");
  std::string text = diagnosticsOf("#include <shared.h>\nkernel void k(device float* o [[buffer(0)]]) { o[0] = 1; }", options);
  EXPECT_HAS(text, "shared.h:3:");
  EXPECT_HAS(text, "24: error: use of undeclared identifier 'constant_that_is_missing'");
  std::filesystem::remove_all(folder);
}

TEST(Language, SafeMathHasNoFastFlags) {
  SourceOptions options;
  options.mathMode = MathMode::safe;
  options.fastFunctions = false;
  std::string air = compileToAir("kernel void k(device float* o [[buffer(0)]]) { o[0] = sin(o[1]) * o[2] + fast::cos(o[3]); }", options);
  EXPECT_HAS(air, "@air.sin.f32");
  EXPECT_HAS(air, "@air.fast_cos.f32");
  EXPECT_HAS_NOT(air, "fmul fast");
  EXPECT_HAS(air, "air.compile.fast_math_disable");
}

TEST(Language, RelaxedMathKeepsInfinitiesAndNan) {
  SourceOptions options;
  options.mathMode = MathMode::relaxed;
  std::string air = compileToAir("kernel void k(device float* o [[buffer(0)]]) { o[0] = metal::sin(o[1]) * metal::fmin(o[2], o[3]); }", options);
  std::string k = functionText(air, "k");
  EXPECT_HAS(k, "fmul reassoc nsz arcp contract afn float");
  EXPECT_HAS(k, "@air.fast_sin.f32");
  EXPECT_HAS(k, "@air.fmin.f32");
  EXPECT_HAS(air, "air.compile.fast_math_enable");
}

TEST(Language, PreciseFunctionsInFastMath) {
  SourceOptions options;
  options.fastFunctions = false;
  std::string k = functionText(
      compileToAir("kernel void k(device float* o [[buffer(0)]]) { o[0] = metal::sin(o[1]) * metal::fast::cos(o[2]); }", options), "k");
  EXPECT_HAS(k, "fmul fast float");
  EXPECT_HAS(k, "@air.sin.f32");
  EXPECT_HAS(k, "@air.fast_cos.f32");
}

TEST(Language, PreservedInvarianceLeavesVertexFunctionsAsWritten) {
  constexpr const char* source = R"(
float4 place(float4 p) { return p * 2.0f + p.y; }
vertex float4 v(const device float4* in [[buffer(0)]], uint i [[vertex_id]]) { return place(in[i]); }
fragment float4 f(float4 p [[position]]) { return p * 3.0f; })";
  SourceOptions options;
  EXPECT_HAS_NOT(compileToAir(source, options), "air.invariant");
  options.preserveInvariance = true;
  std::string air = compileToAir(source, options);
  EXPECT_HAS(air, "!\"air.position\", !\"air.invariant\"");
  std::string v = functionText(air, "v");
  EXPECT_HAS(v, "fmul <4 x float>");
  EXPECT_HAS(functionText(air, "f"), "fmul fast <4 x float>");
}

TEST(Language, OpenClWordsAreFree) {
  std::string air = compileToAir(R"(
struct generic { float local; float global; };
kernel void k(device float* global [[buffer(0)]]) { generic pipe; pipe.local = 1; pipe.global = 2; float local = pipe.local; global[0] = local + pipe.global; })");
  EXPECT_HAS(functionText(air, "k"), "store float 3.000000e+00");
}

TEST(Language, DeviceObjectsWithMethodsAndOperators) {
  std::string air = compileToAir(R"(
struct Node { device float* p; device Node* next; float sum(uint i) const { return p[i]; } void set(float x) device { p[0] = x; } };
kernel void k(device Node* head [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float acc = 0;
  for (device Node* n = head; n; n = n->next) acc += n->sum(i);
  head->set(acc);
})");
  std::string k = functionText(air, "k");
  EXPECT_HAS(k, "phi ptr addrspace(1)");
  EXPECT_HAS_NOT(k, "addrspace(4)");
}

} // namespace
} // namespace basanite::shader::frontend
