// SPDX-License-Identifier: Apache-2.0
// Numbers of library functions: simdgroups and quads, atomics on floats and texels, floating-point parts,
// packing, and textures of every kind by the texel.
#include "tests/support/metal_fixture.hpp"

#include <bit>
#include <cmath>
#include <numeric>

namespace basanite::tests {
namespace {

constexpr const char* kHeader = "#include <metal_stdlib>\nusing namespace metal;\n";

class Library : public MetalFixture {
 protected:
  // out[0 .. words) of one dispatch of `threads` threads in one threadgroup.
  template <class T>
  std::vector<T> run(const std::string& source, const char* kernel, size_t count, NS::UInteger threads) {
    auto pipeline = computePipeline(kHeader + source, kernel);
    if (!pipeline) return std::vector<T>(count);
    auto output = sharedBuffer(std::vector<T>(count));
    auto table = argumentTable(1);
    table->setAddress(output->gpuAddress(), 0);
    dispatch(pipeline.get(), table.get(), MTL::Size::Make(threads, 1, 1), MTL::Size::Make(threads, 1, 1));
    return contents<T>(output.get());
  }

  NS::SharedPtr<MTL::Texture> texture(MTL::TextureType type, MTL::PixelFormat format, NS::UInteger size,
                                      NS::UInteger depth, NS::UInteger layers, MTL::TextureUsage usage) {
    auto descriptor = NS::TransferPtr(MTL::TextureDescriptor::alloc()->init());
    descriptor->setTextureType(type);
    descriptor->setPixelFormat(format);
    descriptor->setWidth(size);
    if (type != MTL::TextureType1D && type != MTL::TextureType1DArray) descriptor->setHeight(size);
    descriptor->setDepth(depth);
    descriptor->setArrayLength(layers);
    descriptor->setUsage(usage);
    descriptor->setStorageMode(MTL::StorageModeShared);
    auto made = NS::TransferPtr(m_device->newTexture(descriptor.get()));
    EXPECT_TRUE(made);
    m_residency->addAllocation(made.get());
    m_residency->commit();
    return made;
  }

  // out[i] of a kernel that reads texture 0.
  std::vector<float> readBack(const std::string& source, MTL::Texture* texture, size_t count) {
    auto pipeline = computePipeline(kHeader + source, "f");
    if (!pipeline) return std::vector<float>(count);
    auto output = sharedBuffer(std::vector<float>(count));
    auto table = argumentTable(1, 1);
    table->setAddress(output->gpuAddress(), 0);
    table->setTexture(texture->gpuResourceID(), 0);
    dispatch(pipeline.get(), table.get(), MTL::Size::Make(count, 1, 1), MTL::Size::Make(count, 1, 1));
    return contents<float>(output.get());
  }
};

constexpr NS::UInteger kThreads = 64;

TEST_F(Library, SimdgroupReductionsAndScans) {
  auto out =
      run<uint32_t>(R"(kernel void f(device uint* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]],
      uint lane [[thread_index_in_simdgroup]], uint width [[threads_per_simdgroup]]) {
    uint x = i * 7 + 3;
    device uint* at = o + i * 8;
    at[0] = simd_sum(x); at[1] = simd_max(int(x) - 200) + 200; at[2] = simd_xor(x);
    at[3] = simd_prefix_inclusive_sum(x); at[4] = simd_prefix_exclusive_sum(x);
    at[5] = uint(simd_sum(float(x))); at[6] = simd_min(uint2(x, 1000 - x)).y; at[7] = width;
  })",
                    "f", kThreads * 8, kThreads);
  const uint32_t width = out[7];
  ASSERT_GE(width, 1u);
  for (uint32_t i = 0; i < kThreads; ++i) {
    uint32_t first = i / width * width, sum = 0, parity = 0, before = 0, last = 0;
    for (uint32_t k = first; k < std::min<uint32_t>(first + width, kThreads); ++k) {
      uint32_t x = k * 7 + 3;
      if (k < i) before += x;
      sum += x, parity ^= x, last = x;
    }
    const uint32_t* at = &out[i * 8];
    EXPECT_EQ(at[0], sum);
    EXPECT_EQ(at[1], last);
    EXPECT_EQ(at[2], parity);
    EXPECT_EQ(at[3], before + i * 7 + 3);
    EXPECT_EQ(at[4], before);
    EXPECT_EQ(at[5], sum);
    EXPECT_EQ(at[6], 1000 - last);
  }
}

TEST_F(Library, SimdgroupShufflesAndVotes) {
  auto out =
      run<uint32_t>(R"(kernel void f(device uint* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]],
      uint lane [[thread_index_in_simdgroup]], uint width [[threads_per_simdgroup]]) {
    device uint* at = o + i * 10;
    at[0] = simd_shuffle(i, ushort(width - 1 - lane)); at[1] = simd_shuffle_xor(i, 1); at[2] = simd_broadcast(i, 2);
    at[3] = simd_shuffle_rotate_down(i, 3); at[4] = simd_shuffle_and_fill_up(i, i + 1000, 2);
    at[5] = uint(ulong(simd_ballot(lane % 3 == 0))); at[6] = simd_all(i < 64) + 2 * simd_any(lane == 1) + 4 * simd_all(lane != 0);
    at[7] = simd_broadcast_first(i); at[8] = simd_active_threads_mask().all(); at[9] = width;
  })",
                    "f", kThreads * 10, kThreads);
  const uint32_t width = out[9];
  for (uint32_t i = 0; i < kThreads; ++i) {
    uint32_t first = i / width * width, lane = i - first, mask = 0;
    for (uint32_t k = 0; k < std::min(width, 32u); k += 3) mask |= 1u << k;
    const uint32_t* at = &out[i * 10];
    EXPECT_EQ(at[0], first + width - 1 - lane);
    EXPECT_EQ(at[1], i ^ 1);
    EXPECT_EQ(at[2], first + 2);
    EXPECT_EQ(at[3], first + (lane + 3) % width);
    EXPECT_EQ(at[4], lane >= 2 ? i - 2 : first + 1000 + width + lane - 2) << i;
    EXPECT_EQ(at[5], mask);
    EXPECT_EQ(at[6], 3u);
    EXPECT_EQ(at[7], first);
    EXPECT_EQ(at[8], 1u);
  }
}

TEST_F(Library, QuadFunctions) {
  auto out =
      run<uint32_t>(R"(kernel void f(device uint* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
    device uint* at = o + i * 10;
    at[0] = quad_sum(i); at[1] = quad_broadcast(i, 1); at[2] = quad_shuffle_xor(i, 2); at[3] = quad_prefix_inclusive_sum(i);
    at[4] = quad_prefix_exclusive_product(i + 1); at[5] = ushort(quad_ballot(i % 4 > 1)); at[6] = quad_max(i) - quad_min(i);
    at[7] = quad_shuffle_rotate_down(i, 1); at[8] = quad_all(i < 60) + 2 * quad_any(i == 5); at[9] = quad_is_first();
  })",
                    "f", kThreads * 10, kThreads);
  for (uint32_t i = 0; i < kThreads; ++i) {
    uint32_t q = i & ~3u, lane = i & 3, before = 0, product = 1;
    for (uint32_t k = 0; k < lane; ++k) before += q + k, product *= q + k + 1;
    const uint32_t* at = &out[i * 10];
    EXPECT_EQ(at[0], 4 * q + 6);
    EXPECT_EQ(at[1], q + 1);
    EXPECT_EQ(at[2], i ^ 2);
    EXPECT_EQ(at[3], before + i);
    EXPECT_EQ(at[4], product);
    EXPECT_EQ(at[5], 12u);
    EXPECT_EQ(at[6], 3u);
    EXPECT_EQ(at[7], q + (lane + 1) % 4);
    EXPECT_EQ(at[8], (q < 60 ? 1u : 0u) + (q == 4 ? 2u : 0u));
    EXPECT_EQ(at[9], lane == 0);
  }
}

TEST_F(Library, AtomicsOnFloats) {
  auto out = run<float>(
      R"(kernel void f(device atomic_float* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
    threadgroup atomic_float shared;
    if (i == 0) atomic_store_explicit(&shared, 1.0f, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    atomic_fetch_add_explicit(o, 0.5f, memory_order_relaxed);
    atomic_fetch_sub_explicit(o + 1, float(i), memory_order_relaxed);
    atomic_fetch_add_explicit(&shared, 0.25f, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i != 0) return;
    atomic_store_explicit(o + 2, atomic_load_explicit(&shared, memory_order_relaxed), memory_order_relaxed);
    float old = atomic_exchange_explicit(o + 2, 7.0f, memory_order_relaxed), expected = 7.0f;
    bool swapped = atomic_compare_exchange_weak_explicit(o + 2, &expected, old + 1, memory_order_relaxed, memory_order_relaxed);
    expected = 3.0f;
    bool kept = !atomic_compare_exchange_weak_explicit(o + 2, &expected, 0.0f, memory_order_relaxed, memory_order_relaxed);
    atomic_store_explicit(o + 3, float(swapped) + 2 * float(kept) + 100 * expected, memory_order_relaxed);
  })",
      "f", 4, kThreads);
  EXPECT_EQ(out, (std::vector<float>{32.0f, -2016.0f, 18.0f, 1803.0f}));
}

TEST_F(Library, AtomicsOnTexels) {
  auto pipeline = computePipeline(std::string(kHeader) + R"(
    kernel void f(texture2d<uint, access::read_write> t [[texture(0)]], uint i [[thread_index_in_threadgroup]]) {
      t.atomic_fetch_add(uint2(0, 0), uint4(i));
      t.atomic_fetch_max(uint2(1, 0), uint4(i * 3));
      t.atomic_fetch_or(uint2(0, 1), uint4(1u << (i & 31)));
      if (i == 5) t.atomic_store(uint4(77), uint2(1, 1));
    })",
                                  "f");
  ASSERT_TRUE(pipeline);
  auto target =
      texture(MTL::TextureType2D, MTL::PixelFormatR32Uint, 2, 1, 1,
              MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite | MTL::TextureUsageShaderAtomic);
  std::vector<uint32_t> zeros(4);
  target->replaceRegion(MTL::Region::Make2D(0, 0, 2, 2), 0, zeros.data(), 8);
  auto table = argumentTable(0, 1);
  table->setTexture(target->gpuResourceID(), 0);
  dispatch(pipeline.get(), table.get(), kThreads);
  EXPECT_EQ(texels<uint32_t>(target.get()), (std::vector<uint32_t>{2016, 189, 0xffffffffu, 77}));
}

TEST_F(Library, PartsOfFloats) {
  auto out = run<float>(R"(kernel void f(device float* o [[buffer(0)]]) {
    volatile float eight = 8.5f, tiny = 1e-3f;
    int e; int3 e3;
    o[0] = frexp(float(eight), e); o[1] = float(e);
    float3 m = frexp(float3(float(tiny), -3.0f, 0.0f), e3);
    o[2] = m.x; o[3] = float(e3.x); o[4] = m.y; o[5] = float(e3.y); o[6] = m.z; o[7] = float(e3.z);
    float2 l = ldexp(float2(float(eight), -1.0f), int2(3, -2)); o[8] = l.x; o[9] = l.y;
    o[10] = nextafter(1.0f, 2.0f); o[11] = nextafter(0.0f, -1.0f); o[12] = float(ilogb(float(eight)));
    float whole; o[13] = modf(-float(eight), whole); o[14] = whole;
    o[15] = float(nextafter(half(1), half(0)));
  })",
                        "f", 16, 1);
  int exponent = 0;
  float tiny = std::frexp(1e-3f, &exponent);
  EXPECT_EQ(out, (std::vector<float>{0.53125f, 4, tiny, float(exponent), -0.75f, 2, 0, 0, 68, -0.25f,
                                     std::nextafter(1.0f, 2.0f), std::nextafter(0.0f, -1.0f), 3, -0.5f, -8,
                                     1.0f - 1.0f / 2048}));
}

TEST_F(Library, PackedColours) {
  auto out = run<uint32_t>(R"(kernel void f(device uint* o [[buffer(0)]]) {
    o[0] = pack_float_to_unorm10a2(float4(1, 0.5, 0, 1)); o[1] = pack_float_to_unorm565(float3(1, 0.5, 0));
    o[2] = as_type<uint>(unpack_unorm10a2_to_float(o[0]).x); o[3] = uint(unpack_unorm565_to_float(ushort(o[1])).y * 63);
    o[4] = pack_float_to_srgb_unorm4x8(float4(1, 0.21586f, 0, 0.5)); o[5] = uint(unpack_unorm4x8_srgb_to_float(0xff00bc80).x * 10000);
    o[6] = pack_half_to_snorm4x8(half4(1, -1, 0, 0.5));
  })",
                           "f", 7, 1);
  EXPECT_EQ(out[0], 1023u | 512u << 10 | 3u << 30);
  EXPECT_EQ(out[1], 31u << 11 | 32u << 5);
  EXPECT_EQ(std::bit_cast<float>(out[2]), 1.0f);
  EXPECT_EQ(out[3], 32u);
  EXPECT_EQ(out[4], 255u | 128u << 8 | 128u << 24);
  EXPECT_EQ(out[5], 2158u);
  EXPECT_EQ(out[6], 0x7fu | 0x81u << 8 | 0x40u << 24);
}

// Each texel holds its own number, slice after slice.
std::vector<float> counted(size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

TEST_F(Library, VolumeTexels) {
  auto volume = texture(MTL::TextureType3D, MTL::PixelFormatR32Float, 2, 3, 1, MTL::TextureUsageShaderRead);
  auto values = counted(12);
  volume->replaceRegion(MTL::Region::Make3D(0, 0, 0, 2, 2, 3), 0, 0, values.data(), 8, 16);
  auto out = readBack(
      R"(kernel void f(texture3d<float> t [[texture(0)]], device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    constexpr sampler s(filter::nearest);
    uint3 at = uint3(i & 1, i >> 1 & 1, i >> 2);
    o[i] = i < 12 ? t.read(at).x : i < 24 ? t.sample(s, (float3(float2(at.xy), float((i - 12) >> 2)) + 0.5f) / float3(2, 2, 3)).x
                                          : t.get_width() + 10 * t.get_depth(); })",
      volume.get(), 25);
  for (size_t i = 0; i < 12; ++i) EXPECT_EQ(out[i], values[i]) << i;
  for (size_t i = 0; i < 12; ++i) EXPECT_EQ(out[12 + i], values[i]) << i;
  EXPECT_EQ(out[24], 32.0f);
}

TEST_F(Library, LayersOfArrays) {
  auto array =
      texture(MTL::TextureType2DArray, MTL::PixelFormatR32Float, 2, 1, 3, MTL::TextureUsageShaderRead);
  auto values = counted(12);
  for (NS::UInteger layer = 0; layer < 3; ++layer)
    array->replaceRegion(MTL::Region::Make2D(0, 0, 2, 2), 0, layer, values.data() + layer * 4, 8, 16);
  auto out = readBack(
      R"(kernel void f(texture2d_array<float> t [[texture(0)]], device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    constexpr sampler s(filter::nearest);
    uint k = i % 12;
    uint2 at = uint2(k & 1, k >> 1 & 1);
    if (i < 12) o[i] = t.read(at, k >> 2).x;
    else if (i < 24) o[i] = t.sample(s, (float2(at) + 0.5f) / 2, k >> 2, level(0)).x;
    else if (i == 24) o[i] = t.get_array_size();
    else o[i] = dot(t.gather(s, float2(0.5f), 2), float4(1, 10, 100, 1000)); })",
      array.get(), 26);
  for (size_t i = 0; i < 24; ++i) EXPECT_EQ(out[i], values[i % 12]) << i;
  EXPECT_EQ(out[24], 3.0f);
  EXPECT_EQ(out[25], 11.0f + 120.0f + 1000.0f + 9000.0f); // counter-clockwise from the lower left
}

TEST_F(Library, FacesOfCubes) {
  auto cube = texture(MTL::TextureTypeCube, MTL::PixelFormatR32Float, 1, 1, 1, MTL::TextureUsageShaderRead);
  auto values = counted(6);
  for (NS::UInteger face = 0; face < 6; ++face)
    cube->replaceRegion(MTL::Region::Make2D(0, 0, 1, 1), 0, face, &values[face], 4, 4);
  auto out = readBack(
      R"(kernel void f(texturecube<float> t [[texture(0)]], device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    constexpr sampler s(filter::nearest);
    float3 d = 0; d[i / 2] = i % 2 ? -1 : 1;
    o[i] = t.sample(s, d).x; })",
      cube.get(), 6);
  EXPECT_EQ(out, values);
}

TEST_F(Library, TextureInAnArrayByIndex) {
  auto pipeline = computePipeline(std::string(kHeader) + R"(
    kernel void f(array<texture2d<float>, 3> t [[texture(1)]], device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
      o[i] = t[(i + 1) % 3].read(uint2(0)).x; })",
                                  "f");
  ASSERT_TRUE(pipeline);
  auto output = sharedBuffer(std::vector<float>(64));
  auto table = argumentTable(1, 4);
  std::vector<NS::SharedPtr<MTL::Texture>> textures;
  for (uint32_t i = 0; i < 3; ++i) {
    float value = 10.0f + float(i);
    auto& each = textures.emplace_back(
        texture(MTL::TextureType2D, MTL::PixelFormatR32Float, 1, 1, 1, MTL::TextureUsageShaderRead));
    each->replaceRegion(MTL::Region::Make2D(0, 0, 1, 1), 0, &value, 4);
    table->setTexture(each->gpuResourceID(), 1 + i);
  }
  table->setAddress(output->gpuAddress(), 0);
  dispatch(pipeline.get(), table.get(), 64);
  auto out = contents<float>(output.get());
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], 10.0f + float((i + 1) % 3)) << i;
}

TEST_F(Library, ConditionalsOfClasses) {
  auto out = run<float>(R"(struct Pair { float a, b; };
    Pair make(float x) { Pair p; p.a = x; p.b = 2 * x; return p; }
    kernel void f(device float* o [[buffer(0)]], constant uint* unused [[buffer(1)]], uint i [[thread_position_in_grid]]) {
      Pair mine = make(10);
      Pair chosen = i < 2 ? mine : make(float(i));
      float3 p = float3(1, 2, 3);
      float3 q = i == 0 ? p.yzx : (i == 1 ? p.zxy : p);
      float2x2 m = float2x2(1), n = i == 3 ? m * 3.0f : m;
      o[i] = chosen.b * 1000 + q.x * 100 + n[1].y; })",
                        "f", 4, 4);
  EXPECT_EQ(out, (std::vector<float>{20201, 20301, 4101, 6103}));
}

} // namespace
} // namespace basanite::tests
