// SPDX-License-Identifier: Apache-2.0
// metal_stdlib: which intrinsic each function becomes, and values where the compiler folds them.
#include "tests/shader/frontend/frontend_fixture.hpp"

namespace basanite::shader::frontend {
namespace {

// A kernel that stores `expression` of type `type`; `a`, `b`, `c` are of type `argument`.
std::string expressionAir(const std::string& argument, const std::string& type, const std::string& expression) {
  return compileToAir("kernel void k(device " + type + "* o [[buffer(0)]], device const " + argument + "* in [[buffer(1)]]) {\n  " + argument +
                      " a = in[0], b = in[1], c = in[2];\n  o[0] = " + expression + ";\n}");
}

struct IntrinsicCase {
  const char* argument;
  const char* type;
  const char* expression;
  const char* intrinsic;
};

// Names a case by its text: the default prints the bytes, pointers included, which differ from run to run.
void PrintTo(const IntrinsicCase& value, std::ostream* stream) {
  *stream << value.type << " " << value.expression << " of " << value.argument;
}

class Intrinsic : public testing::TestWithParam<IntrinsicCase> {};

TEST_P(Intrinsic, IsCalled) {
  const IntrinsicCase& p = GetParam();
  EXPECT_HAS(expressionAir(p.argument, p.type, p.expression), std::string("@") + p.intrinsic + "(");
}

INSTANTIATE_TEST_SUITE_P(
    Math, Intrinsic,
    testing::Values(IntrinsicCase{"float", "float", "sin(a)", "air.fast_sin.f32"}, IntrinsicCase{"float3", "float3", "cos(a)", "air.fast_cos.v3f32"},
                    IntrinsicCase{"half2", "half2", "exp2(a)", "air.fast_exp2.v2f16"}, IntrinsicCase{"float", "float", "precise::tan(a)", "air.tan.f32"},
                    IntrinsicCase{"float4", "float4", "pow(a, b)", "air.fast_pow.v4f32"}, IntrinsicCase{"float", "float", "atan2(a, b)", "air.fast_atan2.f32"},
                    IntrinsicCase{"float4", "float4", "max(a, 0.0)", "air.fast_fmax.v4f32"}, IntrinsicCase{"half", "half", "min(a, b)", "air.fast_fmin.f16"},
                    IntrinsicCase{"float3", "float3", "clamp(a, 0.0, 1.0)", "air.fast_clamp.v3f32"},
                    IntrinsicCase{"float3", "float3", "mix(a, b, 0.5)", "air.fast_mix.v3f32"},
                    IntrinsicCase{"float2", "float2", "smoothstep(0.0, 1.0, a)", "air.fast_smoothstep.v2f32"},
                    IntrinsicCase{"float2", "float2", "saturate(a)", "air.fast_saturate.v2f32"}, IntrinsicCase{"float", "float", "fma(a, b, c)", "air.fma.f32"},
                    IntrinsicCase{"float", "float", "abs(a)", "air.fast_fabs.f32"}, IntrinsicCase{"float", "float", "rsqrt(a)", "air.fast_rsqrt.f32"},
                    IntrinsicCase{"float4", "float", "dot(a, b)", "air.dot.v4f32"}, IntrinsicCase{"float3", "float3", "normalize(a)", "air.fast_rsqrt.f32"},
                    IntrinsicCase{"float3", "float", "length(a)", "air.fast_sqrt.f32"}, IntrinsicCase{"float", "float", "fract(a)", "air.fast_fract.f32"},
                    IntrinsicCase{"float", "float", "dfdx(a)", "air.dfdx.f32"}, IntrinsicCase{"float2", "float2", "fwidth(a)", "air.fwidth.v2f32"}));

INSTANTIATE_TEST_SUITE_P(
    Integer, Intrinsic,
    testing::Values(IntrinsicCase{"int", "int", "max(a, b)", "air.max.s.i32"}, IntrinsicCase{"uint3", "uint3", "min(a, b)", "air.min.u.v3i32"},
                    IntrinsicCase{"int", "int", "clamp(a, 1, 5)", "air.clamp.s.i32"}, IntrinsicCase{"int", "int", "abs(a)", "air.abs.s.i32"},
                    IntrinsicCase{"uint", "uint", "popcount(a)", "air.popcount.i32"}, IntrinsicCase{"ushort", "ushort", "clz(a)", "air.clz.i16"},
                    IntrinsicCase{"uint", "uint", "ctz(a)", "air.ctz.i32"}, IntrinsicCase{"uint", "uint", "rotate(a, b)", "air.rotate.i32"},
                    IntrinsicCase{"uint", "uint", "reverse_bits(a)", "air.reverse_bits.i32"}, IntrinsicCase{"uint", "uint", "mulhi(a, b)", "air.mul_hi.u.i32"},
                    IntrinsicCase{"uchar", "uchar", "addsat(a, b)", "air.add_sat.u.i8"},
                    IntrinsicCase{"uint", "uint", "extract_bits(a, 3, 4)", "air.extract_bits.u.i32"},
                    IntrinsicCase{"uint", "float4", "unpack_unorm4x8_to_float(a)", "air.unpack.unorm4x8.v4f32"},
                    IntrinsicCase{"float2", "uint", "pack_float_to_unorm2x16(a)", "air.pack.unorm2x16.v2f32"}));

struct FoldCase {
  const char* type;
  const char* expression;
  const char* stored;
};

void PrintTo(const FoldCase& value, std::ostream* stream) { *stream << value.type << " " << value.expression; }

class Fold : public testing::TestWithParam<FoldCase> {};

TEST_P(Fold, HasTheRightValue) {
  const FoldCase& p = GetParam();
  EXPECT_HAS(functionText(expressionAir("float", p.type, p.expression), "k"), std::string("store ") + p.stored);
}

INSTANTIATE_TEST_SUITE_P(
    Values, Fold,
    testing::Values(FoldCase{"uint", "as_type<uint>(1.0f)", "i32 1065353216"}, FoldCase{"float", "as_type<float>(0x40490fdbu)", "float 0x400921FB60000000"},
                    FoldCase{"float", "cross(float3(1,0,0), float3(0,1,0)).z", "float 1.000000e+00"},
                    FoldCase{"float4", "float4(float2(1, 2), 3, 4)", "<4 x float> <float 1.000000e+00, float 2.000000e+00, float 3.000000e+00, float 4.000000e+00>"},
                    FoldCase{"float4", "float4(1, float3(2, 3, 4)).wzyx", "<4 x float> <float 4.000000e+00, float 3.000000e+00, float 2.000000e+00, float 1.000000e+00>"},
                    FoldCase{"int4", "int4(1, 2, 3, 4) << 2", "<4 x i32> <i32 4, i32 8, i32 12, i32 16>"},
                    FoldCase{"int3", "int3(float3(1.9, -1.9, 3))", "<3 x i32> <i32 1, i32 -1, i32 3>"},
                    FoldCase{"uint", "uint(all(int3(1, 2, 3) < int3(2, 3, 4)))", "i32 1"}, FoldCase{"uint", "uint(any(int2(1, 2) > 2))", "i32 0"},
                    FoldCase{"float2", "select(float2(1, 2), float2(3, 4), bool2(true, false))", "<2 x float> <float 3.000000e+00, float 2.000000e+00>"},
                    FoldCase{"uint", "uint(isnan(NAN)) + 2 * uint(isinf(INFINITY)) + 4 * uint(isfinite(1.0f))", "i32 7"},
                    FoldCase{"float", "determinant(float2x2(1, 2, 3, 4))", "float -2.000000e+00"},
                    FoldCase{"float", "(float3x3(2.0) * float3(1, 2, 3)).y", "float 4.000000e+00"},
                    FoldCase{"float", "transpose(float2x3(1, 2, 3, 4, 5, 6))[2][1]", "float 6.000000e+00"},
                    FoldCase{"float", "ldexp(1.5f, 3)", "float 1.200000e+01"}, FoldCase{"uint", "absdiff(-3, 4)", "i32 7"},
                    FoldCase{"bool", "(bool4(true, false, true, false) && bool4(true)).z", "i8 1"},
                    FoldCase{"half", "half(1.5) + 1.0h", "half 0xH4100"}, FoldCase{"float", "numeric_limits<float>::max()", "float 0x47EFFFFFE0000000"},
                    FoldCase{"ulong", "sizeof(float3) + sizeof(packed_float3) * 100 + sizeof(float3x3) * 10000", "i64 481216"},
                    FoldCase{"float", "copysign(3.0f, -0.0f)", "float -3.000000e+00"}));

TEST(Library, ConstexprSamplersBecomeStates) {
  std::string air = compileToAir(R"(
constexpr sampler shared(filter::linear, address::repeat, mip_filter::linear, max_anisotropy(4), lod_clamp(0.0h, 4.0h));
fragment float4 f(texture2d<float> t [[texture(0)]], depth2d<float> d [[texture(1)]], float4 p [[position]]) {
  constexpr sampler all_defaults;
  constexpr sampler linear(mag_filter::linear, min_filter::linear);
  constexpr sampler compare(compare_func::less_equal, s_address::clamp_to_zero, coord::pixel);
  return t.sample(shared, p.xy) + t.sample(all_defaults, p.xy) + t.sample(linear, p.xy) + d.sample_compare(compare, p.xy, p.z) + t.sample(linear, p.yx);
})");
  auto state = [](uint64_t word) { return "[2 x i64] [i64 " + std::to_string(word) + ", i64 0]"; };
  EXPECT_HAS(air, state(0x007bff0000080049)); // all defaults
  EXPECT_HAS(air, state(0x007bff0000080a49)); // linear min and mag
  EXPECT_HAS(air, state(0x007bff0000028048)); // s clamp to zero, pixel coordinates, compare less_equal
  EXPECT_HAS(air, state(0x0044000000384a92)); // repeat, linear, linear mips, anisotropy 4, levels 0 to 4
  EXPECT_HAS(air, "!air.sampler_states = !{");
  EXPECT_HAS(air, "!{!\"air.sampler_state\", ptr addrspace(2) @sampler.state");
  EXPECT_HAS_NOT(air, "inttoptr");
}

// The words of a constexpr sampler are no handle, wherever they are read from.
TEST(Library, ConstexprSamplersChosenAtRunTimeAreRefused) {
  for (const char* body : {
           "return t.sample(table[i], p);",
           "sampler local[2] = {sampler(filter::linear), sampler(filter::nearest)}; return t.sample(local[i & 1], p);",
           "sampler local[2] = {given, sampler(filter::nearest)}; return t.sample(local[i & 1], p);",
           "sampler local[2]; local[0] = table[1]; local[i & 1] = given; return t.sample(local[i >> 1], p);",
           "Pair pair = {{table[0], given}}; return t.sample(pair.s[i & 1], p);",
           "return t.sample(i > 3 ? sampler(filter::linear) : given, p);",
           "return t.gather(table[i], p);",
       }) {
    SCOPED_TRACE(body);
    std::string text = diagnosticsOf(R"(
constexpr sampler table[2] = {sampler(filter::linear), sampler(filter::nearest)};
struct Pair { sampler s[2]; };
fragment float4 f(texture2d<float> t [[texture(0)]], sampler given [[sampler(0)]], constant float2& p [[buffer(0)]], uint i [[primitive_id]]) { )" +
                                     std::string(body) + " }");
    EXPECT_HAS(text, ":6:17: error: a texture look-up chooses among constexpr samplers while it runs");
  }
}

TEST(Library, SamplerArgumentsMayBeChosenAtRunTime) {
  std::string air = compileToAir(R"(
struct Args { sampler s[4]; texture2d<float> t; };
constexpr sampler table[2] = {sampler(filter::linear), sampler(filter::nearest)};
fragment float4 f(texture2d<float> t [[texture(0)]], array<sampler, 3> many [[sampler(0)]], sampler a [[sampler(3)]], sampler b [[sampler(4)]],
                  constant Args& args [[buffer(0)]], constant float2& p [[buffer(1)]], uint i [[primitive_id]]) {
  sampler local[2] = {a, args.s[1]};
  Args copy = args;
  return t.sample(many[i], p) + t.sample(i > 3 ? a : b, p) + t.sample(args.s[i], p) + t.sample(local[i & 1], p) + copy.t.sample(copy.s[i & 3], p) +
         t.sample(table[1], p);
})");
  EXPECT_HAS(air, "sampler.state");
}

TEST(Library, SampleForms) {
  std::string air = compileToAir(R"(
fragment half4 f(texture2d<half> t [[texture(0)]], sampler s [[sampler(0)]], float4 p [[position]]) {
  return t.sample(s, p.xy) + t.sample(s, p.xy, level(2)) + t.sample(s, p.xy, bias(0.5), int2(1, -1)) + t.sample(s, p.xy, gradient2d(p.xy, p.zw)) +
         t.gather(s, p.xy, int2(0), component::w);
})");
  EXPECT_HAS(air, "call { <4 x half>, i8 } @air.sample_texture_2d.v4f16(ptr addrspace(1) %t, ptr addrspace(2) %s, <2 x float> ");
  EXPECT_HAS(air, "i1 true, <2 x i32> zeroinitializer, i1 true, float 2.000000e+00, float 0.000000e+00, i32 0)");
  EXPECT_HAS(air, "i1 true, <2 x i32> <i32 1, i32 -1>, i1 false, float 5.000000e-01, float 0.000000e+00, i32 0)");
  EXPECT_HAS(air, "@air.sample_texture_2d_grad.v4f16(");
  EXPECT_HAS(air, "@air.gather_texture_2d.v4f16(");
}

TEST(Library, ReadWriteAndSizes) {
  std::string air = compileToAir(R"(
kernel void k(texture2d<uint, access::read_write> t [[texture(0)]], depth2d<float, access::read> d [[texture(1)]], uint2 p [[thread_position_in_grid]]) {
  uint4 v = t.read(p) + t.get_width() + t.get_height(1);
  t.write(v + uint(d.read(p)), p);
})");
  EXPECT_HAS(air, "call { <4 x i32>, i8 } @air.read_texture_2d.u.v4i32(ptr addrspace(1) %t, ptr addrspace(2) ");
  EXPECT_HAS(air, "call { float, i8 } @air.read_depth_2d.f32(ptr addrspace(1) %d, ptr addrspace(2) ");
  EXPECT_HAS(air, "call void @air.write_texture_2d.u.v4i32(ptr addrspace(1) %t, <2 x i32> %p, <4 x i32> ");
  EXPECT_HAS(air, "@air.get_width_texture_2d(ptr addrspace(1) %t, i32 0)");
  EXPECT_HAS(air, "@air.get_height_texture_2d(ptr addrspace(1) %t, i32 1)");
}

TEST(Library, Atomics) {
  std::string air = compileToAir(R"(
kernel void k(device atomic_uint* a [[buffer(0)]], device atomic_int* b [[buffer(1)]], threadgroup atomic_uint* c [[threadgroup(0)]], device uint* o [[buffer(2)]]) {
  uint old = atomic_fetch_add_explicit(a, 3u, memory_order_relaxed);
  atomic_fetch_max_explicit(b, -1, memory_order_relaxed);
  atomic_fetch_or_explicit(c, 8u, memory_order_relaxed);
  atomic_store_explicit(&a[1], old, memory_order_relaxed);
  uint expected = 5;
  bool swapped = atomic_compare_exchange_weak_explicit(a, &expected, 6u, memory_order_relaxed, memory_order_relaxed);
  o[0] = atomic_load_explicit(c, memory_order_relaxed) + uint(swapped) + expected;
})");
  EXPECT_HAS(air, "call noundef i32 @air.atomic.global.add.i32(ptr addrspace(1) %a, i32 3, i32 0, i32 2, i1 true)");
  EXPECT_HAS(air, "@air.atomic.global.max.s.i32(ptr addrspace(1) %b, i32 -1, i32 0, i32 2, i1 true)");
  EXPECT_HAS(air, "@air.atomic.local.or.i32(ptr addrspace(3) %c, i32 8, i32 0, i32 1, i1 true)");
  EXPECT_HAS(air, "@air.atomic.global.store.i32(");
  EXPECT_HAS(air, "@air.atomic.global.cmpxchg.weak.i32(ptr addrspace(1) %a, ptr ");
  EXPECT_HAS(air, "@air.atomic.local.load.i32(ptr addrspace(3) %c, i32 0, i32 1, i1 true)");
}

TEST(Library, SimdTypesHeader) {
  std::string air = compileToAir(R"(
#include <simd/simd.h>
struct S { vector_float3 a; matrix_float4x4 m; simd::float2 b; simd_float4 c; };
kernel void k(device S* s [[buffer(0)]]) { s[0].c = s[1].m * s[0].c; })");
  EXPECT_HAS(air, "!\"float4x4\"");
}

} // namespace
} // namespace basanite::shader::frontend
