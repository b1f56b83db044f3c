// SPDX-License-Identifier: Apache-2.0
// MSL's library by kinds, source to SPIR-V: textures of every dimension, texel atomics, group functions,
// interpolants, ordered access, arrays of handles, and the names that devices may lack.
#include "tests/shader/lower/shader_case.hpp"

namespace basanite::shader::test {
namespace {

DeviceTraits everything() {
  DeviceTraits traits = allTraits();
  traits.pixelInterlock = traits.texelBuffers = traits.int64Atomics = traits.stencilExport = traits.minLod =
      traits.kernelStageIn = true;
  return traits;
}

std::string lowered(const std::string& source, const std::string& name = "f",
                    const DeviceTraits& traits = everything()) {
  Program program = mslProgram("#include <metal_stdlib>\nusing namespace metal;\n" + source);
  if (program.air.empty()) return {};
  auto binary = basanite_compiler_instance()->lowerFunction({&program, name}, traits);
  if (binary.ok()) return assembly(*binary);
  ADD_FAILURE() << binary.error().message;
  return {};
}

std::string refusal(const std::string& source, const DeviceTraits& traits) {
  Program program = mslProgram("#include <metal_stdlib>\nusing namespace metal;\n" + source);
  auto binary = basanite_compiler_instance()->lowerFunction({&program, "f"}, traits);
  return binary.ok() ? "it lowered" : binary.error().message;
}

struct TextureCase {
  const char* declaration;
  const char* expression; // of a float4 or float
  std::vector<std::string> fragments;
};

TEST(LibraryKinds, TexturesAreSampledReadAndGathered) {
  const TextureCase cases[] = {
      {"texture1d<float> t",
       "t.sample(s, 0.5)",
       {"OpTypeImage %float 1D 0 0 0 1 Unknown", "OpImageSampleImplicitLod"}},
      {"texture1d_array<float> t",
       "t.read(3u, 2u)",
       {"OpTypeImage %float 1D 0 1 0 1 Unknown", "OpImageFetch"}},
      {"texture2d_array<float> t",
       "t.sample(s, float2(0.5), 3, level(2))",
       {"OpTypeImage %float 2D 0 1 0 1 Unknown", "Lod"}},
      {"texture2d_array<half> t",
       "float4(t.gather(s, float2(0.5), 3, int2(1), component::z))",
       {"OpImageGather", "%uint_2 ConstOffset"}},
      {"texture3d<float> t",
       "t.sample(s, float3(0.5), gradient3d(float3(1), float3(2)))",
       {"OpTypeImage %float 3D 0 0 0 1 Unknown", "Grad"}},
      {"texture3d<int> t", "float4(t.read(uint3(1, 2, 3), 1))", {"OpTypeImage %int 3D", "OpImageFetch"}},
      {"texturecube<float> t",
       "t.sample(s, float3(1), bias(1))",
       {"OpTypeImage %float Cube 0 0 0 1 Unknown", "Bias"}},
      {"texturecube_array<float> t",
       "t.sample(s, float3(1), 2)",
       {"OpCapability SampledCubeArray", "OpTypeImage %float Cube 0 1 0 1 Unknown"}},
      {"texture2d_ms<float> t", "t.read(uint2(1), 2)", {"OpTypeImage %float 2D 0 0 1 1 Unknown", "Sample"}},
      {"texture2d_ms_array<uint> t",
       "float4(t.read(uint2(1), 2, 3))",
       {"OpTypeImage %uint 2D 0 1 1 1 Unknown", "Sample"}},
      {"texture_buffer<float> t",
       "t.read(7u)",
       {"OpTypeImage %float Buffer 0 0 0 1 Unknown", "OpImageFetch"}},
      {"depth2d_array<float> t",
       "t.sample_compare(s, float2(0.5), 1, 0.25)",
       {"OpTypeImage %float 2D 1 1 0 1 Unknown", "OpImageSampleDrefImplicitLod"}},
      {"depthcube<float> t",
       "t.sample(s, float3(1), level(1))",
       {"OpTypeImage %float Cube 1 0 0 1 Unknown", "OpImageSampleExplicitLod"}},
      {"depthcube_array<float> t",
       "t.gather_compare(s, float3(1), 2, 0.5)",
       {"OpTypeImage %float Cube 1 1 0 1 Unknown", "OpImageDrefGather"}},
      {"depth2d_ms<float> t",
       "t.read(uint2(1), 2)",
       {"OpTypeImage %float 2D 1 0 1 1 Unknown", "OpImageFetch"}},
      {"depth2d_ms_array<float> t",
       "t.read(uint2(1), 2, 3)",
       {"OpTypeImage %float 2D 1 1 1 1 Unknown", "OpImageFetch"}},
      {"texture1d<float> t",
       "float(t.get_width() + t.get_num_mip_levels())",
       {"OpImageQuerySizeLod", "OpImageQueryLevels"}},
      {"texture2d_ms<float> t", "float(t.get_num_samples())", {"OpImageQuerySamples"}},
      {"texturecube_array<float> t", "float(t.get_array_size())", {"OpImageQuerySizeLod"}},
  };
  for (const TextureCase& each : cases) {
    SCOPED_TRACE(std::string(each.declaration) + ": " + each.expression);
    std::string text =
        lowered(std::string("fragment float4 f(") + each.declaration +
                " [[texture(0)]], sampler s [[sampler(0)]]) { return float4(" + each.expression + "); }");
    for (const std::string& fragment : each.fragments) expectContains(text, fragment);
  }
}

TEST(LibraryKinds, TexturesAreWritten) {
  const TextureCase cases[] = {
      {"texture1d<float, access::write> t",
       "t.write(float4(1), 3u)",
       {"OpTypeImage %float 1D 0 0 0 2 Unknown"}},
      {"texture2d_array<half, access::write> t",
       "t.write(half4(1), uint2(3), 2)",
       {"OpTypeImage %float 2D 0 1 0 2 Unknown"}},
      {"texture3d<uint, access::write> t",
       "t.write(uint4(1), ushort3(3))",
       {"OpTypeImage %uint 3D 0 0 0 2 Unknown"}},
      {"texturecube<float, access::write> t",
       "t.write(float4(1), uint2(3), 5)",
       {"OpTypeImage %float 2D 0 1 0 2 Unknown"}},
      {"texture_buffer<float, access::write> t",
       "t.write(float4(1), 3u)",
       {"OpTypeImage %float Buffer 0 0 0 2 Unknown"}},
  };
  for (const TextureCase& each : cases) {
    SCOPED_TRACE(each.declaration);
    std::string text = lowered(std::string("kernel void f(") + each.declaration + " [[texture(0)]]) { " +
                               each.expression + "; }");
    expectContains(text, "OpImageWrite");
    for (const std::string& fragment : each.fragments) expectContains(text, fragment);
  }
}

// A texture that may be written is seen through a view of its first level.
TEST(LibraryKinds, OtherLevelsOfWrittenTexturesAreRefused) {
  auto kernel = [](const char* access, const char* body) {
    return std::string("kernel void f(texture2d<float, access::") + access +
           "> t [[texture(0)]], device float4* o [[buffer(0)]], constant uint& n [[buffer(1)]]) { " + body +
           " }";
  };
  expectContains(lowered(kernel("write", "t.write(float4(1), uint2(0), 0);")), "OpImageWrite");
  expectContains(lowered(kernel("read_write", "o[0] = t.read(uint2(0), 0);")), "OpImageRead");
  expectContains(lowered(kernel("read", "o[0] = t.read(uint2(0), n);")), "OpImageFetch");
  constexpr const char* kWhere = " of a texture that may be written; Basanite supports level 0 only";
  expectContains(refusal(kernel("write", "t.write(float4(1), uint2(0), 1);"), everything()),
                 std::string("it writes level 1") + kWhere);
  expectContains(refusal(kernel("write", "t.write(float4(1), uint2(0), n);"), everything()),
                 std::string("it writes a level that is not constant") + kWhere);
  expectContains(refusal(kernel("read_write", "o[0] = t.read(uint2(0), 2);"), everything()),
                 std::string("it reads level 2") + kWhere);
  expectContains(refusal(kernel("read_write", "o[0] = t.read(uint2(0), n);"), everything()),
                 std::string("it reads a level that is not constant") + kWhere);
  expectContains(lowered(kernel("write", "o[0] = t.get_num_mip_levels();")), "OpImageQueryLevels");
}

TEST(LibraryKinds, SizesOfLevelsOfWrittenTextures) {
  auto kernel = [](const std::string& expression) {
    return lowered("kernel void f(texture2d_array<float, access::read_write> t [[texture(0)]], device uint* "
                   "o [[buffer(0)]], constant uint& n "
                   "[[buffer(1)]]) { o[0] = " +
                   expression + "; }");
  };
  expectInOrder(kernel("t.get_width(n)"), {"OpImageQuerySize", "OpShiftRightLogical", "OpSelect"});
  expectInOrder(kernel("t.get_height(2)"),
                {"OpImageQuerySize", "OpShiftRightLogical %uint", "%uint_2", "OpSelect"});
  expectLacks(kernel("t.get_width()"), "OpShiftRightLogical");
  expectLacks(kernel("t.get_array_size()"), "OpShiftRightLogical");
  expectContains(kernel("t.get_num_mip_levels()"), "OpImageQueryLevels");
}

TEST(LibraryKinds, TheLeastLevelIsClamped) {
  auto source = [](const char* stage, const char* look) {
    return std::string(stage) +
           " f(texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float4* o [[buffer(0)]], "
           "constant float& m "
           "[[buffer(1)]]) { o[0] = t.sample(s, float2(0.5), " +
           look + "); }";
  };
  std::string text = lowered(source("fragment void", "min_lod_clamp(2)"));
  expectContains(text, "OpCapability MinLod");
  expectInOrder(text, {"OpImageSampleImplicitLod", "MinLod %float_2"});
  expectInOrder(lowered(source("fragment void", "bias(1), min_lod_clamp(m)")),
                {"OpImageSampleImplicitLod", "Bias|MinLod"});
  expectInOrder(lowered(source("kernel void", "gradient2d(float2(1), float2(2)), min_lod_clamp(2)")),
                {"OpImageSampleExplicitLod", "Grad|MinLod"});
  expectContains(
      refusal(source("fragment void", "min_lod_clamp(2)"), allTraits()),
      "it samples a texture with min_lod_clamp, for which the device lacks the feature shaderResourceMinLod");
  // Without derivatives the level is known, and no feature is needed.
  text = lowered(source("kernel void", "min_lod_clamp(2)"), "f", allTraits());
  expectLacks(text, "MinLod");
  expectInOrder(text, {"FMax %float_0 %float_2", "OpImageSampleExplicitLod"});
  expectInOrder(lowered(source("kernel void", "bias(3)"), "f", allTraits()),
                {"OpImageSampleExplicitLod", "Lod %float_3"});
  expectInOrder(lowered(source("kernel void", "bias(3), min_lod_clamp(5)"), "f", allTraits()),
                {"FMax %float_3 %float_5", "OpImageSampleExplicitLod"});
}

TEST(LibraryKinds, ArraysOfTexelBuffersAskForTheirOwnIndexing) {
  std::string text = lowered(
      R"(kernel void f(array<texture_buffer<float>, 3> t [[texture(0)]], array<texture_buffer<float, access::write>, 3> w [[texture(3)]],
      constant uint& n [[buffer(0)]]) { w[n].write(t[n].read(1u), 2u); })");
  expectContains(text, "OpCapability UniformTexelBufferArrayNonUniformIndexing");
  expectContains(text, "OpCapability StorageTexelBufferArrayNonUniformIndexing");
  expectLacks(text, "OpCapability SampledImageArrayNonUniformIndexing");
  expectLacks(text, "OpCapability StorageImageArrayNonUniformIndexing");
}

TEST(LibraryKinds, SamplersChosenAtRunTimeAreNonUniform) {
  std::string text = lowered(
      R"(fragment float4 f(texture2d<float> t [[texture(0)]], sampler a [[sampler(0)]], sampler b [[sampler(1)]], uint i [[primitive_id]]) {
      return t.sample(i > 3 ? a : b, float2(0.5)); })");
  expectInOrder(text, {"OpSelect %ulong", "OpSampledImage"});
  expectContains(text, "NonUniform");
}

TEST(LibraryKinds, LookUpsAreChosenBetween) {
  constexpr const char* kArguments =
      "texture2d<float> a [[texture(0)]], texture2d<float> b [[texture(1)]], "
      "sampler s [[sampler(0)]], device float4* o [[buffer(0)]], constant uint& n "
      "[[buffer(1)]]) { float2 p = o[1].xy; ";
  for (const char* body : {
           "o[0] = n < 3 ? a.sample(s, p, level(p.x)) : b.sample(s, p.yx, level(1));",
           "o[0] = n < 3 ? n < 2 ? a.sample(s, p) : b.sample(s, p * 2) : b.gather(s, p);",
           "float4 v = a.sample(s, p); for (uint i = 0; i < n; ++i) v = i % 3 ? v : b.read(uint2(i)); o[0] = "
           "v;",
           "float4 v = a.sample(s, p), w = b.sample(s, p); for (uint i = 0; i < n; ++i) { float4 t = v; v = "
           "w; w = t; } o[0] = v;",
           "switch (n) { case 0: case 1: o[0] = a.sample(s, p); break; case 2: o[0] = b.sample(s, p); break; "
           "default: o[0] = b.read(uint2(2)); }",
       }) {
    SCOPED_TRACE(body);
    expectContains(lowered(std::string("kernel void f(") + kArguments + body + " }"),
                   "OpImageSampleExplicitLod");
    expectContains(lowered(std::string("fragment void f(") + kArguments + body + " }"), "OpImageSample");
  }
}

TEST(LibraryKinds, TexelsHaveAtomics) {
  std::string text = lowered(
      R"(kernel void f(texture2d<uint, access::read_write> t [[texture(0)]], texture2d_array<int, access::read_write> a [[texture(1)]],
      device uint4* o [[buffer(0)]]) {
    o[0] = t.atomic_fetch_add(uint2(1), uint4(2));
    int4 expected = 4;
    o[1] = a.atomic_compare_exchange_weak(uint2(1), 2, &expected, int4(3)) ? 1 : uint4(a.atomic_fetch_min(uint2(2), 1, int4(-1))); })");
  expectContains(text, "OpTypeImage %uint 2D 0 0 0 2 R32ui");
  expectContains(text, "OpTypeImage %int 2D 0 1 0 2 R32i");
  expectContains(text, "OpImageTexelPointer");
  expectContains(text, "OpAtomicIAdd");
  expectContains(text, "OpAtomicCompareExchange");
  expectContains(text, "OpAtomicSMin");
}

TEST(LibraryKinds, FloatAtomicsAreLoopsOnBits) {
  std::string text = lowered(
      R"(kernel void f(device atomic_float* o [[buffer(0)]]) { atomic_fetch_add_explicit(o, 1.5f, memory_order_relaxed); })");
  expectInOrder(text,
                {"OpAtomicLoad %uint", "OpLoopMerge", "OpFAdd %float", "OpAtomicCompareExchange %uint"});
}

TEST(LibraryKinds, FloatAtomicsKeepTheirOrder) {
  // Acquire and release of buffers, made available and visible.
  expectContains(lowered("kernel void f(device atomic_float* o [[buffer(0)]]) { atomic_fetch_add_explicit(o, "
                         "1.5f, memory_order_acq_rel); }"),
                 "%uint_24648");
}

TEST(LibraryKinds, LongAtomics) {
  constexpr const char* kSource = "kernel void f(device atomic_ulong* o [[buffer(0)]]) { "
                                  "atomic_max_explicit(o, 5ul, memory_order_relaxed); }";
  expectContains(lowered(kSource), "OpAtomicUMax %ulong");
  expectContains(refusal(kSource, allTraits()), "64-bit value, which the device does not have");
}

TEST(LibraryKinds, GroupFunctions) {
  std::string text =
      lowered(R"(kernel void f(device float4* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    float4 v = o[i];
    o[i] = simd_sum(v) + simd_shuffle_xor(v, 1) + simd_prefix_exclusive_product(v) + float4(simd_max(int(i))) + float4(simd_ballot(v.x > 0).any()); })");
  for (const char* op : {"OpGroupNonUniformFAdd %v4float", "OpGroupNonUniformShuffleXor %v4float",
                         "OpGroupNonUniformFMul %v4float", "ExclusiveScan", "OpGroupNonUniformSMax",
                         "OpGroupNonUniformBallot"})
    expectContains(text, op);
}

TEST(LibraryKinds, SimdgroupMatrices) {
  constexpr const char* kSource =
      R"(kernel void f(device float* o [[buffer(0)]], const device half* a [[buffer(1)]]) {
    simdgroup_half8x8 left; simdgroup_float8x8 sum = make_filled_simdgroup_matrix<float, 8, 8>(0);
    simdgroup_load(left, a, 8);
    simdgroup_multiply_accumulate(sum, left, left, sum);
    simdgroup_store(sum, o, 8); })";
  std::string text = lowered(kSource);
  EXPECT_EQ(countOf(text, "OpGroupNonUniformShuffle "), 12u);
}

TEST(LibraryKinds, InterpolantsTakeTheirPlace) {
  std::string text = lowered(
      R"(struct In { interpolant<float2, interpolation::perspective> uv; interpolant<half3, interpolation::no_perspective> c [[user(x)]]; };
    fragment float4 f(In in [[stage_in]], uint id [[sample_id]]) {
      return float4(in.uv.interpolate_at_sample(id) + in.uv.interpolate_at_centroid(), float2(in.c.interpolate_at_offset(float2(0.75)).xy)); })");
  for (const char* fragment :
       {"OpCapability InterpolationFunction", "InterpolateAtSample", "InterpolateAtCentroid",
        "InterpolateAtOffset", "NoPerspective", "%v2float %float_0_25 %float_0_25"})
    expectContains(text, fragment);
}

TEST(LibraryKinds, SamplePositionsFollowTheSampleCount) {
  std::string text = lowered("fragment float4 f(uint id [[sample_id]]) { return "
                             "float4(get_sample_position(id), get_num_samples(), 0); }");
  expectContains(text, "SpecId 3");
}

TEST(LibraryKinds, RasterOrderIsAnInterlock) {
  constexpr const char* kSource =
      R"(fragment float4 f(float4 p [[position]], texture2d<float, access::read_write> t [[texture(0), raster_order_group(0)]],
      device uint* counts [[buffer(0), raster_order_group(0)]]) {
    uint2 at = uint2(p.xy); float4 old = t.read(at); t.write(old + 1, at); counts[at.x] += 1; return old; })";
  expectInOrder(lowered(kSource), {"OpExecutionMode %f PixelInterlockOrderedEXT",
                                   "OpBeginInvocationInterlockEXT", "OpEndInvocationInterlockEXT"});
  expectContains(refusal(kSource, allTraits()), "the device lacks fragment shader interlock");
}

TEST(LibraryKinds, StencilResults) {
  constexpr const char* kSource =
      "struct O { float4 c [[color(0)]]; uint s [[stencil]]; }; fragment O f() { return O{float4(1), 7}; }";
  expectContains(lowered(kSource), "BuiltIn FragStencilRefEXT");
  expectContains(refusal(kSource, allTraits()), "[[stencil]]");
}

TEST(LibraryKinds, ArraysOfHandlesTakeAWordEach) {
  Program program = mslProgram(R"(#include <metal_stdlib>
    using namespace metal;
    fragment float4 f(array<texture2d<float>, 3> t [[texture(2)]], array<sampler, 2> s [[sampler(1)]], uint i [[primitive_id]]) {
      return t[i].sample(s[1], float2(0.5)); })");
  auto binary = basanite_compiler_instance()->lowerFunction({&program, "f"}, everything());
  ASSERT_TRUE(binary.ok()) << binary.error().message;
  std::vector<std::pair<BindingKind, uint32_t>> found;
  for (const Binding& binding : binary->bindings) found.emplace_back(binding.kind, binding.index);
  std::vector<std::pair<BindingKind, uint32_t>> wanted = {{BindingKind::texture, 2},
                                                          {BindingKind::texture, 3},
                                                          {BindingKind::texture, 4},
                                                          {BindingKind::sampler, 1},
                                                          {BindingKind::sampler, 2}};
  EXPECT_EQ(found, wanted);
  expectContains(assembly(*binary), "NonUniform");
}

TEST(LibraryKinds, KernelsReadStageInputsByThread) {
  expectContains(lowered(R"(struct In { float4 p [[attribute(0)]]; };
    kernel void f(In in [[stage_in]], device float4* o [[buffer(0)]], uint i [[thread_position_in_grid]]) { o[i] = in.p; })"),
                 "BuiltIn LocalInvocationId");
}

TEST(LibraryKinds, TextureBuffersNeedARuntime) {
  expectContains(refusal("kernel void f(texture_buffer<float> t [[texture(0)]], device float4* o "
                         "[[buffer(0)]]) { o[0] = t.read(1u); }",
                         allTraits()),
                 "texture_buffer, which Basanite does not support yet");
}

TEST(LibraryKinds, SwitchesToOneBlockNameItOnce) {
  lowered(R"(enum class pick : uint { zero, one, red, green };
    inline float get(float4 c, pick p) { switch (p) { case pick::zero: return 0; case pick::one: return 1; case pick::red: return c.r; case pick::green: return c.g; default: return c.b; } }
    kernel void f(device float4* o [[buffer(0)]], constant uint& s [[buffer(1)]]) { o[0] = float4(get(o[1], pick(s & 255)), get(o[1], pick(s >> 8)), 0, 1); })");
}

} // namespace
} // namespace basanite::shader::test
