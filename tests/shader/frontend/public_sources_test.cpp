// SPDX-License-Identifier: Apache-2.0
// What public shaders write that clang's language mode refuses or takes for something else: macros, templates
// and literals.
#include "tests/shader/frontend/frontend_fixture.hpp"

namespace basanite::shader::frontend {
namespace {

// A literal without a suffix is a float, in the instances of a template too.
TEST(PublicSources, LiteralsInTemplatesAreFloats) {
  std::string air = compileToAir(R"(
template <typename T> T scaled(T x) { return fmin(1, x / 6 + 0.5) * powr(x + 1e-1, 0x1p-1); }
kernel void k(device float* o [[buffer(0)]]) { o[0] = scaled(o[1]); })");
  std::string k = functionText(air, "k");
  EXPECT_HAS(k, "float 5.000000e-01");
  EXPECT_HAS_NOT(k, "double");
}

TEST(PublicSources, SuffixesMayBePastedToLiterals) {
  std::string air = compileToAir(R"(
#define HALF(x) x##h
#define FLOAT(x) x##f
kernel void k(device float* o [[buffer(0)]]) { o[0] = FLOAT(0.25) + HALF(2.5); })");
  EXPECT_HAS(functionText(air, "k"), "store float 2.750000e+00");
}

// A backslash at the end of a line belongs to no word.
TEST(PublicSources, FunctionsInMacros) {
  std::string air = compileToAir(R"(
#define DOUBLED(T, NAME) \
kernel void NAME(\
constant uint& n, \
device T* o, \
uint i [[thread_position_in_grid]]) { \
  threadgroup T shared[32]; \
  shared[i] = o[i]; \
  if (i < n) o[i] = shared[i] * 2; \
}
DOUBLED(float, double_f32)
DOUBLED(int, double_i32))");
  EXPECT_HAS(functionText(air, "double_f32"), "addrspace(3)");
  EXPECT_HAS(functionText(air, "double_i32"), "shl");
}

TEST(PublicSources, ConstantThroughMacros) {
  std::string air = compileToAir(R"(
#define CONST static constant constexpr const
#define SPACE constant
#define TABLE(type, name, size) static const constant type name[size] = {
#define END };
CONST int kTwo = 2;
TABLE(float, table, 4) 10, 20, 30, 40 END
template <int N> struct Tile { CONST int size = N * kTwo; };
float read(SPACE float* p, SPACE float& q) { return p[1] + q; }
kernel void k(device float* o [[buffer(0)]], SPACE float& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  o[i] = read(&c, c) + table[2] + Tile<8>::size; })");
  std::string k = functionText(air, "k");
  EXPECT_HAS(k, "ptr addrspace(2)");
  EXPECT_HAS(k, "4.600000e+01"); // 30 + 16
}

TEST(PublicSources, InstantiationsWithTwoAttributeLists) {
  base::Result<Program> program = compile(R"(
template <typename T> [[kernel]] void fill(device T* o [[buffer(0)]], uint i [[thread_position_in_grid]]) { o[i] = T(7); }
#define INSTANCE(name, T) template [[host_name(name)]] [[kernel]] decltype(fill<T>) fill<T>;
INSTANCE("fill_f32", float)
INSTANCE("fill_i8", char))");
  ASSERT_TRUE(program.ok()) << program.error().message;
  ASSERT_EQ(program->functions.size(), 2u);
  EXPECT_EQ(program->functions[0].name, "fill_f32");
  EXPECT_EQ(program->functions[1].name, "fill_i8");
}

TEST(PublicSources, AttributesOfTemplatesDependOnTheirParameters) {
  base::Result<Program> program = compile(R"(
template <int M, int N> [[kernel, max_total_threads_per_threadgroup(M * N * 32)]]
void gemm(device float* o [[buffer(0)]]) { o[0] = M; }
template <short Threads> [[kernel, max_total_threads_per_threadgroup(Threads)]] void sort(device float* o [[buffer(0)]]) { o[0] = Threads; }
template [[host_name("gemm_2_4")]] [[kernel]] decltype(gemm<2, 4>) gemm<2, 4>;
template [[host_name("sort_128")]] [[kernel]] decltype(sort<128>) sort<128>;)");
  ASSERT_TRUE(program.ok()) << program.error().message;
  ASSERT_EQ(program->functions.size(), 2u);
  EXPECT_EQ(program->functions[0].maxTotalThreadsPerThreadgroup, 256u);
  EXPECT_EQ(program->functions[1].maxTotalThreadsPerThreadgroup, 128u);
  EXPECT_HAS_NOT(airText(*program), "llvm.global.annotations");
}

TEST(PublicSources, FunctionsAsTemplateArguments) {
  std::string air = compileToAir(R"(
struct Block { float d; };
void plain(device const Block* x, thread float4& to) { to = x->d * 2; }
template <typename V> void generic(device const Block* x, thread V& to) { to = x->d * 3; }
template <typename B, void (*F)(device const B*, thread float4&)> kernel void read(device float4* o [[buffer(0)]], device const B* x [[buffer(1)]]) {
  float4 v; F(x, v); o[0] = v; }
typedef decltype(read<Block, plain>) read_t;
template [[host_name("read2")]] kernel read_t read<Block, plain>;
template [[host_name("read3")]] kernel read_t read<Block, generic>;)");
  EXPECT_HAS(functionText(air, "read2"), "2.000000e+00");
  EXPECT_HAS(functionText(air, "read3"), "3.000000e+00");
}

// Every thread stores it.
TEST(PublicSources, ThreadgroupVariablesWithValues) {
  std::string air = compileToAir(R"(
kernel void k(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float sums[4] = {5, 6}, last = 9;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  o[i] = sums[i & 3] + last; })");
  std::string k = functionText(air, "k");
  EXPECT_HAS(k, "store float 5.000000e+00, ptr addrspace(3)");
  EXPECT_HAS(k, "store float 6.000000e+00, ptr addrspace(3)");
  EXPECT_HAS(k, "store float 9.000000e+00, ptr addrspace(3)");
}

TEST(PublicSources, SwizzlesInTemplatesTakeOperators) {
  std::string air = compileToAir(R"(
template <typename T> T work(T x) {
  vec<T, 4> v = vec<T, 4>(1, 2, 3, 4);
  v.xyz *= x;
  v.w -= v.x;
  vec<T, 2> u = v.xy * x + -v.zw;
  v.yz = x * v.yz * u;
  if (v.x < x) v.x /= 2;
  return v.x + v.y + v.w;
}
kernel void k(device float* o [[buffer(0)]]) { o[0] = work(o[1]); o[2] = work(2.0); })");
  // v = (2, 4, 6, 2); u = (4 - 6, 8 - 2) = (-2, 6); v.y = 2 * 4 * -2 = -16; 2 - 16 + 2
  EXPECT_HAS(functionText(air, "k"), "store float -1.200000e+01");
}

TEST(PublicSources, ConstructorsForEveryAddressSpace) {
  std::string air = compileToAir(R"(
template <typename T> struct Complex {
  T real, imag;
  constexpr Complex(T r, T i) thread : real(r), imag(i) {}
  constexpr Complex(T r, T i) constant : real(r), imag{i} {}
  constexpr Complex() thread : real(0), imag(0) {}
  constexpr Complex() threadgroup : real(0), imag(0) {}
};
template <typename T> constexpr Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}
static_assert((Complex<half>{1.0h, 2.0h} * Complex<half>{3.0h, 4.0h}).real == -5.0h);
constant Complex<float> kOne = {8, 0};
kernel void k(device float* o [[buffer(0)]]) { o[0] = (Complex<float>(3, 1) * Complex<float>(2, 5)).imag + kOne.real; })");
  EXPECT_HAS(functionText(air, "k"), "store float 2.500000e+01"); // 15 + 2 + 8
}

// Metal's member functions are those of thread objects unless they say otherwise.
TEST(PublicSources, MemberFunctionsReturnThreadReferences) {
  std::string air = compileToAir(R"(
template <typename T, int N> struct Tile {
  T parts[N];
  thread T& at(short i) { return parts[i]; }
  const thread T& at(short i) const { return parts[i]; }
  void fill(thread const T& x) { for (short i = 0; i < N; ++i) at(i) = x + T(i); }
};
struct Pair {
  Tile<float, 3> a, b;
  Pair(float x) : a(), b() { a.parts[0] = x; }
  void run(int x) { a.fill(x); b = a; b.at(1) += 10; }
  float sum() const { return a.at(2) + b.at(1); }
};
kernel void k(device float* o [[buffer(0)]]) { Pair p(1); p.run(5); o[0] = p.sum(); })");
  EXPECT_HAS(functionText(air, "k"), "store float 2.300000e+01"); // 7 + 16
}

// Payloads are threadgroup memory to clang: of two members that differ in nothing else one is enough.
TEST(PublicSources, MembersForPayloadsBesideThoseForThreadgroupMemory) {
  std::string air = compileToAir(R"(
template <typename T> struct Stored {
  T parts[2];
  Stored() thread = default;
  Stored(const threadgroup T& x) thread { parts[0] = x; parts[1] = x + 1; }
  #ifdef __HAVE_MESH__
  Stored(const object_data T& x) thread { parts[0] = x; parts[1] = x + 1; }
  thread Stored& operator=(const object_data T& x) thread { parts[1] = x; return *this; }
  #endif
  thread Stored& operator=(const threadgroup T& x) thread { parts[1] = x; return *this; }
};
kernel void k(device float* o [[buffer(0)]], threadgroup float& t [[threadgroup(0)]]) {
  t = o[1];
  Stored<float> s(t);
  o[0] = s.parts[1];
  s = t; })");
  EXPECT_HAS(functionText(air, "k"), "fadd");
}

TEST(PublicSources, CoherentAndItsScope) {
  std::string air = compileToAir(R"(
kernel void k(volatile coherent(system) device uint* o [[buffer(0)]], uint i [[thread_position_in_grid]]) { o[i] = o[i] + 1; })");
  EXPECT_HAS(functionText(air, "k"), "load volatile i32");
}

TEST(PublicSources, AssertionsDoNothingAndLogsAskForTheirBuffer) {
  std::string air = compileToAir(R"(
constant os_log logger("subsystem", "category");
kernel void k(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  assert(i < 4);
  os_log_default.log("thread %u: %f", i, o[i]);
  logger.log_debug("done");
  o[i] = 3; })");
  EXPECT_HAS(functionText(air, "k"), "store float 3.000000e+00");
  EXPECT_HAS(functionText(air, "k"), "@air.basanite.log_buffer");
}

TEST(PublicSources, BfloatWithIntegersAndLimits) {
  std::string air = compileToAir(R"(
static_assert(numeric_limits<bfloat>::max() == 0x1.fep+127f);
static_assert(numeric_limits<const half>::max() == 65504.0h);
static_assert(is_same_v<decltype(2u * bfloat(3)), bfloat>);
static_assert(is_same_v<decltype(bfloat(3) + 1.0h), float>);
static_assert(vec_elements<float3>::value == 3 && vec_elements<int>::value == 1);
struct Mine {};
static_assert(!numeric_limits<Mine>::is_specialized);
kernel void k(device bfloat* o [[buffer(0)]], constant bfloat& step [[buffer(1)]], uint i [[thread_position_in_grid]]) { o[i] = i * step; })");
  EXPECT_HAS(functionText(air, "k"), "fmul");
}

// The names behind Metal's own functions, as public libraries of kernels call them.
TEST(PublicSources, NamesBehindTheLibrary) {
  std::string air = compileToAir(R"(
float exponential(float x) { return __metal_exp(x, __METAL_PRECISE_MATH__) + __metal_exp(x, __METAL_FAST_MATH__); }
kernel void k(device float* o [[buffer(0)]], device bfloat* b [[buffer(1)]], ushort lane [[thread_index_in_simdgroup]]) {
  o[0] = exponential(o[0]) + __metal_simd_sum(o[1]) + __metal_get_thread_index_in_simdgroup(ushort());
  b[0] = simd_shuffle_down(b[1], 4) + simd_sum(b[2]); })");
  std::string k = functionText(air, "k");
  EXPECT_HAS(k, "@air.exp.f32");
  EXPECT_HAS(k, "@air.fast_exp.f32");
  EXPECT_HAS(k, "@air.simd_sum.f32");
  EXPECT_HAS(k, "@air.simd_shuffle_down.i16");
}

TEST(PublicSources, ShortListsFillVectorsWithZeroes) {
  std::string air = compileToAir(R"(
kernel void k(device uint4* o [[buffer(0)]], device float3* f [[buffer(1)]]) {
  uint4 a = {1, 2, 3};
  uint4 b = {a.x, a.y};
  o[0] = a * 10 + b;
  float3 c = {5, 6};
  f[0] = c; })");
  std::string k = functionText(air, "k");
  EXPECT_HAS(k, "<4 x i32> <i32 11, i32 22, i32 30, i32 0>");
  EXPECT_HAS(air, "float 5.000000e+00, float 6.000000e+00, float 0.000000e+00");
}

TEST(PublicSources, UniformValues) {
  std::string air = compileToAir(R"(
kernel void k(device int* o [[buffer(0)]], constant int& n [[buffer(1)]]) {
  constexpr const uniform<int> step = make_uniform(8);
  const uniform<int> all = make_uniform(n), rounds = all / step;
  for (int i = 0; i < rounds; ++i) o[i] = all - step * rounds; })");
  EXPECT_HAS(functionText(air, "k"), "sdiv i32");
}

// A program with a trait of its own inside Metal's namespace.
TEST(PublicSources, TraitsThatMetalHasNot) {
  std::string air = compileToAir(R"(
namespace metal {
template <typename T> struct is_empty : bool_constant<__is_empty(T)> {};
template <typename... T> struct make_void { typedef void type; };
template <typename... T> using void_t = typename make_void<T...>::type;
}
struct Nothing {};
constant constexpr bool kEither = _disjunction<is_same<int, float>, is_empty<Nothing>>::value;
kernel void k(device int8_t* o [[buffer(0)]]) { o[0] = kEither ? simd_max(o[1]) : 0; })");
  EXPECT_HAS(functionText(air, "k"), "@air.simd_max.s.i8");
}

TEST(PublicSources, FunctionConstantsThroughMacros) {
  std::string air = compileToAir(R"(
#define CONST static constant constexpr const
CONST bool inverse [[function_constant(3)]];
kernel void k(device float* o [[buffer(0)]]) { o[0] = inverse ? 1 : 2; })");
  EXPECT_HAS(air, "air.function_constants");
}

TEST(PublicSources, AttributesBeforeConstants) {
  std::string air = compileToAir(R"(
__attribute__((unused))
constant float kPi = 3.25;
kernel void k(device float* o [[buffer(0)]]) { o[0] = kPi; })");
  EXPECT_HAS(functionText(air, "k"), "3.250000e+00");
}

TEST(PublicSources, PragmasForSafeMath) {
  const std::string kernel = "kernel void k(device float* o [[buffer(0)]]) { o[0] = exp(o[1]) * o[2]; }";
  EXPECT_HAS(compileToAir(kernel), "fmul fast float");
  std::string air = compileToAir("#pragma METAL fp math_mode(safe)\n" + kernel);
  EXPECT_HAS_NOT(air, "fmul fast");
  EXPECT_HAS(air, "@air.exp.f32");
  EXPECT_HAS(air, "air.compile.fast_math_disable");
  EXPECT_HAS_NOT(compileToAir("#pragma METAL fp math_mode(relaxed)\n" + kernel), "fmul fast float");
  EXPECT_HAS(compileToAir("#pragma METAL fp math_mode(relaxed)\n" + kernel), "fmul reassoc");
  const std::string sum = "kernel void k(device float* o [[buffer(0)]]) { o[0] = o[1] * o[2] + o[3]; }";
  EXPECT_HAS(compileToAir(sum), "llvm.fmuladd");
  std::string apart = compileToAir("#pragma METAL fp contract(off)\n" + sum);
  EXPECT_HAS_NOT(functionText(apart, "k"), "fmuladd");
  EXPECT_HAS(apart, "fmul float");
  EXPECT_HAS(apart, "fadd float");
}

TEST(PublicSources, SmallNames) {
  std::string air = compileToAir(R"(
#include <TargetConditionals.h>
#if !defined(TARGET_OS_SIMULATOR) || TARGET_OS_SIMULATOR || !TARGET_OS_MAC
#error what is it then?
#endif
static_assert(is_same_v<remove_addrspace_t<device float>, float>);
static_assert(is_same_v<remove_addrspace_t<threadgroup const int>, const int>);
static_assert(is_same_v<remove_addrspace_t<half>, half>);
float half_of(float x) { return x / 2; }
float2 map(float2 v, thread float (*f)(float)) { return float2(f(v.x), f(v.y)); }
kernel void k(device float2* o [[buffer(0)]]) { o[0] = map(float2(6, 8), half_of); })");
  // The call through the pointer is one of the function, and no undefined one.
  EXPECT_HAS_NOT(functionText(air, "k"), "unreachable");
  EXPECT_HAS(functionText(air, "k"), "<2 x float> <float 3.000000e+00, float 4.000000e+00>");
}

// A class vector that met a native one in ?: is converted like any other.
TEST(PublicSources, ConditionalVectorsAreConverted) {
  std::string air = compileToAir(R"(
kernel void k(device half4* o [[buffer(0)]], device float4* f [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float4 x = f[i];
  o[i] = half4(i > 2 ? x : x * 2.0); })");
  EXPECT_HAS(functionText(air, "k"), "fptrunc");
}

} // namespace
} // namespace basanite::shader::frontend
