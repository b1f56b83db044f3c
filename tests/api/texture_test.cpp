// SPDX-License-Identifier: Apache-2.0
// Textures from every side: host copies, reads, writes and samples in shaders, mip levels, comparison, views.
#include "tests/support/metal_fixture.hpp"

#include <array>
#include <cmath>
#include <set>

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;

kernel void readFloats(texture2d<float, access::read> in [[texture(0)]], device float4* out [[buffer(0)]],
                       uint2 at [[thread_position_in_grid]], uint2 size [[threads_per_grid]]) {
  out[at.y * size.x + at.x] = in.read(at);
}
kernel void readUints(texture2d<uint, access::read> in [[texture(0)]], device uint4* out [[buffer(0)]],
                      uint2 at [[thread_position_in_grid]], uint2 size [[threads_per_grid]]) {
  out[at.y * size.x + at.x] = in.read(at);
}
kernel void readLevel(texture2d<float, access::read> in [[texture(0)]], device float4* out [[buffer(0)]],
                      constant uint& level [[buffer(1)]], uint2 at [[thread_position_in_grid]],
                      uint2 size [[threads_per_grid]]) {
  out[at.y * size.x + at.x] = in.read(at, level);
}
kernel void writeFloats(texture2d<float, access::write> out [[texture(0)]], const device float4* in [[buffer(0)]],
                        uint2 at [[thread_position_in_grid]], uint2 size [[threads_per_grid]]) {
  out.write(in[at.y * size.x + at.x], at);
}
kernel void writeUints(texture2d<uint, access::write> out [[texture(0)]], const device uint4* in [[buffer(0)]],
                       uint2 at [[thread_position_in_grid]], uint2 size [[threads_per_grid]]) {
  out.write(in[at.y * size.x + at.x], at);
}
kernel void increment(texture2d<float, access::read_write> both [[texture(0)]],
                      uint2 at [[thread_position_in_grid]]) {
  both.write(both.read(at) + 1.0f, at);
}
kernel void describe(texture2d<float> in [[texture(0)]], device uint* out [[buffer(0)]]) {
  out[0] = in.get_width();
  out[1] = in.get_height();
  out[2] = in.get_num_mip_levels();
  out[3] = in.get_width(1);
  out[4] = in.get_height(1);
}

kernel void describeWritten(texture2d<float, access::read_write> in [[texture(0)]], device uint* out [[buffer(0)]], constant uint& one [[buffer(1)]]) {
  out[0] = in.get_width();
  out[1] = in.get_height();
  out[2] = in.get_num_mip_levels();
  out[3] = in.get_width(one);
  out[4] = in.get_height(4);
}
kernel void levelsOfWritten(texture2d<float, access::write> in [[texture(0)]], device uint* out [[buffer(0)]]) { out[0] = in.get_num_mip_levels(); }

kernel void sampleAt(texture2d<float> in [[texture(0)]], sampler s [[sampler(0)]], const device float2* uv [[buffer(0)]],
                     device float4* out [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  out[id] = in.sample(s, uv[id]);
}
kernel void sampleLevel(texture2d<float> in [[texture(0)]], sampler s [[sampler(0)]], const device float* lod [[buffer(0)]],
                        device float4* out [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  out[id] = in.sample(s, float2(0.5f), level(lod[id]));
}
kernel void sampleClamped(texture2d<float> in [[texture(0)]], sampler s [[sampler(0)]], const device float* lod [[buffer(0)]],
                          device float4* out [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  out[id] = id < 3 ? in.sample(s, float2(0.5f), min_lod_clamp(lod[id])) : in.sample(s, float2(0.5f), bias(lod[id]), min_lod_clamp(1));
}
fragment float4 clampedLevels(float4 at [[position]], texture2d<float> levels [[texture(0)]], sampler s [[sampler(0)]]) {
  float2 uv = at.xy / 64.0f;
  if (at.y < 16) return levels.sample(s, uv, min_lod_clamp(3));
  if (at.y < 32) return levels.sample(s, uv * 4.0f, min_lod_clamp(1)); // four texels a pixel: level 2
  if (at.y < 48) return levels.sample(s, uv, bias(1), min_lod_clamp(2));
  return levels.sample(s, uv, gradient2d(float2(2.0f / 64, 0), float2(0, 2.0f / 64)), min_lod_clamp(4));
}
kernel void sampleOffset(texture2d<float> in [[texture(0)]], device float4* out [[buffer(0)]],
                         uint id [[thread_position_in_grid]]) {
  constexpr sampler s(filter::nearest, address::clamp_to_edge);
  constexpr sampler pixels(coord::pixel, filter::nearest);
  constexpr sampler smooth(filter::linear, address::repeat);
  switch (id) {
  case 0: out[id] = in.sample(s, float2(0.375f, 0.125f)); break;
  case 1: out[id] = in.sample(s, float2(0.375f, 0.125f), int2(1, 2)); break;
  case 2: out[id] = in.sample(pixels, float2(2.5f, 3.5f)); break;
  case 3: out[id] = in.sample(smooth, float2(0.0f, 0.125f)); break;
  case 4: out[id] = in.sample(s, float2(0.375f, 0.125f), level(0)); break;
  }
}
kernel void compareAt(depth2d<float> in [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]],
                      uint id [[thread_position_in_grid]]) {
  constexpr sampler less(compare_func::less, filter::nearest);
  constexpr sampler smooth(compare_func::less_equal, filter::linear);
  constexpr sampler plain(filter::nearest);
  // Level 0 is half 0.25, half 0.75; the border runs through x = 0.5.
  switch (id) {
  case 0: out[id] = in.sample_compare(less, float2(0.25f, 0.5f), 0.5f); break;
  case 1: out[id] = in.sample_compare(less, float2(0.75f, 0.5f), 0.5f); break;
  case 2: out[id] = in.sample_compare(s, float2(0.25f, 0.5f), 0.5f); break;
  case 3: out[id] = in.sample_compare(s, float2(0.75f, 0.5f), 0.5f); break;
  case 4: out[id] = in.sample_compare(smooth, float2(0.5f, 0.5f), 0.5f); break;
  case 5: out[id] = in.sample(plain, float2(0.75f, 0.5f)); break;
  case 6: out[id] = in.sample_compare(less, float2(0.75f, 0.5f), 0.5f, level(0)); break;
  case 7: out[id] = in.read(uint2(0, 0)); break;
  }
}

struct Varyings {
  float4 position [[position]];
  float4 fetched;
};
vertex Varyings fetchInVertex(uint id [[vertex_id]], texture2d<float> in [[texture(0)]], sampler s [[sampler(0)]]) {
  Varyings out;
  out.position = float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0, 1);
  out.fetched = in.sample(s, float2(0.5f), level(0));
  return out;
}
fragment float4 derivativeLevels(Varyings in [[stage_in]], texture2d<float> levels [[texture(0)]],
                                 sampler s [[sampler(0)]]) {
  float2 pixel = in.position.xy;
  float2 uv = pixel / 64.0f;
  if (pixel.y < 8) return in.fetched;
  if (pixel.y < 16) return levels.sample(s, uv);                            // one texel a pixel: level 0
  if (pixel.y < 24) return levels.sample(s, uv * 4.0f);                     // four texels a pixel: level 2
  if (pixel.y < 32) return levels.sample(s, uv, bias(3.0f));                // level 3
  if (pixel.y < 40) return levels.sample(s, uv, gradient2d(float2(2.0f / 64, 0), float2(0, 2.0f / 64))); // level 1
  if (pixel.y < 48) return levels.sample(s, uv, level(4));
  if (pixel.y < 56) return levels.sample(s, uv, level(2.2f));
  return levels.read(uint2(0, 0), 5);
}
)";

struct Sample {
  float x = 0, y = 0, z = 0, w = 0;
  bool operator==(const Sample&) const = default;
};
std::ostream& operator<<(std::ostream& stream, const Sample& s) {
  return stream << "(" << s.x << ", " << s.y << ", " << s.z << ", " << s.w << ")";
}

class Textures : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    ASSERT_TRUE(m_library);
  }

  NS::SharedPtr<MTL::Texture> sharedTexture(NS::UInteger width, NS::UInteger height, MTL::PixelFormat format,
                                            MTL::TextureUsage usage = MTL::TextureUsageShaderRead,
                                            NS::UInteger levels = 1) {
    auto* descriptor = MTL::TextureDescriptor::texture2DDescriptor(format, width, height, false);
    descriptor->setMipmapLevelCount(levels);
    descriptor->setUsage(usage);
    descriptor->setStorageMode(MTL::StorageModeShared);
    auto result = NS::TransferPtr(m_device->newTexture(descriptor));
    EXPECT_TRUE(result);
    m_residency->addAllocation(result.get());
    m_residency->commit();
    return result;
  }
  // One float a texel, from left to right and top to bottom.
  NS::SharedPtr<MTL::Texture> floatTexture(NS::UInteger width, NS::UInteger height, const std::vector<float>& values) {
    auto result = sharedTexture(width, height, MTL::PixelFormatR32Float);
    result->replaceRegion(MTL::Region::Make2D(0, 0, width, height), 0, values.data(), width * 4);
    return result;
  }

  // 64 x 64 texels, seven levels, each holding ten times its number.
  NS::SharedPtr<MTL::Texture> tensByLevel() {
    auto texture = sharedTexture(64, 64, MTL::PixelFormatR32Float, MTL::TextureUsageShaderRead, 7);
    for (NS::UInteger level = 0; level < 7; ++level) {
      const NS::UInteger size = 64 >> level;
      const std::vector<float> values(size * size, float(level) * 10);
      texture->replaceRegion(MTL::Region::Make2D(0, 0, size, size), level, values.data(), size * 4);
    }
    return texture;
  }

  // A triangle over a target of 64 x 64 floats; texture 0 and a repeating sampler that takes the nearest level are there for both stages.
  std::vector<float> draw(MTL::RenderPipelineState* pipeline, MTL::Texture* texture) {
    auto target = colorTarget(64, 64, MTL::PixelFormatR32Float);
    auto state = sampler([](MTL::SamplerDescriptor* d) {
      d->setMipFilter(MTL::SamplerMipFilterNearest);
      d->setSAddressMode(MTL::SamplerAddressModeRepeat);
      d->setTAddressMode(MTL::SamplerAddressModeRepeat);
    });
    auto table = argumentTable(0, 1, 1);
    table->setTexture(texture->gpuResourceID(), 0);
    table->setSamplerState(state->gpuResourceID(), 0);
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(target.get()));
                encoder->setRenderPipelineState(pipeline);
                encoder->setArgumentTable(table.get(), MTL::RenderStageVertex | MTL::RenderStageFragment);
                encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
                encoder->endEncoding();
              }),
              "");
    return texels<float>(target.get());
  }

  // Runs a kernel of the library with texture 0 (and sampler 0) over width x height threads.
  void run(const char* kernel, MTL::Texture* texture, const std::vector<MTL::Buffer*>& buffers, NS::UInteger width,
           NS::UInteger height = 1, MTL::SamplerState* sampler = nullptr) {
    auto pipeline = computePipeline(m_library.get(), kernel);
    ASSERT_TRUE(pipeline);
    auto table = argumentTable(buffers.size(), 1, sampler ? 1 : 0);
    for (size_t i = 0; i < buffers.size(); ++i) table->setAddress(buffers[i]->gpuAddress(), i);
    table->setTexture(texture->gpuResourceID(), 0);
    if (sampler) table->setSamplerState(sampler->gpuResourceID(), 0);
    dispatch(pipeline.get(), table.get(), MTL::Size::Make(width, height, 1), MTL::Size::Make(8, height > 1 ? 8 : 1, 1));
  }
  std::vector<Sample> readAll(MTL::Texture* texture, NS::UInteger width, NS::UInteger height) {
    auto out = sharedBuffer(width * height * sizeof(Sample));
    run("readFloats", texture, {out.get()}, width, height);
    return contents<Sample>(out.get());
  }
  std::vector<Sample> sampled(MTL::Texture* texture, MTL::SamplerState* state, const std::vector<float>& uv) {
    auto in = sharedBuffer(uv);
    auto out = sharedBuffer(uv.size() / 2 * sizeof(Sample));
    run("sampleAt", texture, {in.get(), out.get()}, uv.size() / 2, 1, state);
    return contents<Sample>(out.get());
  }

  NS::SharedPtr<MTL::Library> m_library;
};

TEST_F(Textures, ReplaceRegionAndGetBytesRoundTripWithPitchRegionsAndLevels) {
  auto texture = sharedTexture(13, 7, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageShaderRead, 3);
  std::vector<uint32_t> whole(13 * 7);
  for (size_t i = 0; i < whole.size(); ++i) whole[i] = 0x01020304u * uint32_t(i + 1);
  texture->replaceRegion(MTL::Region::Make2D(0, 0, 13, 7), 0, whole.data(), 13 * 4);
  std::vector<uint32_t> part(10 * 3); // 5 x 3 texels in rows of 10
  for (size_t i = 0; i < part.size(); ++i) part[i] = 0xabcd0000u + uint32_t(i);
  texture->replaceRegion(MTL::Region::Make2D(4, 2, 5, 3), 0, part.data(), 10 * 4);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) whole[(y + 2) * 13 + x + 4] = part[y * 10 + x];
  const std::vector<uint32_t> small{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
  texture->replaceRegion(MTL::Region::Make2D(0, 0, 6, 3), 1, small.data(), 6 * 4);

  std::vector<uint32_t> got(13 * 7);
  texture->getBytes(got.data(), 13 * 4, MTL::Region::Make2D(0, 0, 13, 7), 0);
  EXPECT_EQ(got, whole);
  std::vector<uint32_t> piece(4 * 2, 77); // 3 x 2 in rows of 4: the fourth stays
  texture->getBytes(piece.data(), 16, MTL::Region::Make2D(3, 1, 3, 2), 0);
  EXPECT_EQ(piece, (std::vector<uint32_t>{whole[16], whole[17], whole[18], 77, whole[29], whole[30], whole[31], 77}));
  std::vector<uint32_t> level(18);
  texture->getBytes(level.data(), 24, MTL::Region::Make2D(0, 0, 6, 3), 1);
  EXPECT_EQ(level, small);
  EXPECT_EQ(texels<uint32_t>(texture.get()), whole) << "as the GPU sees it";
  EXPECT_EQ(texels<uint32_t>(texture.get(), 1), small);
}

TEST_F(Textures, EveryFormatReadsAndWritesAsNamed) {
  const std::vector<Sample> values{{0, 0.2f, 0.4f, 0.6f}, {1, 0.8f, 0.6f, 0.4f}, {0.2f, 1, 0, 0}, {0.4f, 0, 1, 1}};
  struct Case {
    const char* name;
    MTL::PixelFormat format;
    NS::UInteger texelBytes;
    int channels;
    double step; // distance of neighbouring values
  };
  const Case cases[] = {{"RGBA8Unorm", MTL::PixelFormatRGBA8Unorm, 4, 4, 1.0 / 255},
                        {"BGRA8Unorm", MTL::PixelFormatBGRA8Unorm, 4, 4, 1.0 / 255},
                        {"R32Float", MTL::PixelFormatR32Float, 4, 1, 0},
                        {"RGBA16Float", MTL::PixelFormatRGBA16Float, 8, 4, 1.0 / 1024},
                        {"RGBA32Float", MTL::PixelFormatRGBA32Float, 16, 4, 0},
                        {"R8Unorm", MTL::PixelFormatR8Unorm, 1, 1, 1.0 / 255},
                        {"RG16Unorm", MTL::PixelFormatRG16Unorm, 4, 2, 1.0 / 65535}};
  auto in = sharedBuffer(values);
  for (const Case& c : cases) {
    auto texture = sharedTexture(2, 2, c.format, MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite);
    run("writeFloats", texture.get(), {in.get()}, 2, 2);
    auto got = readAll(texture.get(), 2, 2);
    for (size_t i = 0; i < values.size(); ++i) {
      const double tolerance = c.step / 2 + 1e-6;
      EXPECT_NEAR(got[i].x, values[i].x, tolerance) << c.name;
      EXPECT_NEAR(got[i].y, c.channels > 1 ? values[i].y : 0, tolerance) << c.name;
      EXPECT_NEAR(got[i].z, c.channels > 2 ? values[i].z : 0, tolerance) << c.name;
      EXPECT_NEAR(got[i].w, c.channels > 3 ? values[i].w : 1, tolerance) << c.name;
    }
    // And the bytes: the second texel is (1, 0.8, 0.6, 0.4).
    std::vector<uint8_t> bytes(c.texelBytes * 4);
    texture->getBytes(bytes.data(), c.texelBytes * 2, MTL::Region::Make2D(0, 0, 2, 2), 0);
    const uint8_t* second = bytes.data() + c.texelBytes;
    const auto starts = [&](std::initializer_list<int> wanted) {
      size_t i = 0;
      for (int byte : wanted) EXPECT_EQ(int(second[i++]), byte) << c.name << ", byte " << i - 1;
    };
    switch (c.format) {
    case MTL::PixelFormatRGBA8Unorm: starts({255, 204, 153, 102}); break;
    case MTL::PixelFormatBGRA8Unorm: starts({153, 204, 255, 102}); break;
    case MTL::PixelFormatR32Float: starts({0, 0, 0x80, 0x3f}); break;
    // 0.6 lies between 0x38cc and 0x38cd, and drivers may round either way: the read above checked it.
    case MTL::PixelFormatRGBA16Float: starts({0, 0x3c, 0x66, 0x3a}); break;
    case MTL::PixelFormatRGBA32Float: starts({0, 0, 0x80, 0x3f}); break;
    case MTL::PixelFormatR8Unorm: starts({255}); break;
    case MTL::PixelFormatRG16Unorm: starts({255, 255, 204, 204}); break;
    default: break;
    }
  }

  using Four = std::array<uint32_t, 4>;
  const std::vector<Four> numbers{{0, 1, 2, 3}, {4294967295u, 4000000000u, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 2147483648u}};
  auto uintsIn = sharedBuffer(numbers);
  auto uints = sharedTexture(2, 2, MTL::PixelFormatRGBA32Uint, MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite);
  run("writeUints", uints.get(), {uintsIn.get()}, 2, 2);
  std::vector<Four> bytes(4);
  uints->getBytes(bytes.data(), 32, MTL::Region::Make2D(0, 0, 2, 2), 0);
  EXPECT_EQ(bytes, numbers);
  auto uintsOut = sharedBuffer(64);
  run("readUints", uints.get(), {uintsOut.get()}, 2, 2);
  EXPECT_EQ(contents<Four>(uintsOut.get()), numbers);
}

TEST_F(Textures, ReadsOutsideAreZeroAndWritesOutsideAreDropped) {
  auto texture = sharedTexture(3, 3, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite);
  const std::vector<uint32_t> ones(9, 0xffffffff);
  texture->replaceRegion(MTL::Region::Make2D(0, 0, 3, 3), 0, ones.data(), 12);
  auto got = readAll(texture.get(), 6, 6);
  for (int i = 0; i < 36; ++i) {
    if (i % 6 < 3 && i / 6 < 3)
      EXPECT_EQ(got[i], (Sample{1, 1, 1, 1}));
    else
      EXPECT_EQ((Sample{got[i].x, got[i].y, got[i].z, 0}), Sample{}) << i % 6 << ", " << i / 6;
  }
  std::vector<Sample> half(36, Sample{0.2f, 0.2f, 0.2f, 0.2f});
  auto in = sharedBuffer(half);
  run("writeFloats", texture.get(), {in.get()}, 6, 6);
  std::vector<uint32_t> bytes(9);
  texture->getBytes(bytes.data(), 12, MTL::Region::Make2D(0, 0, 3, 3), 0);
  EXPECT_EQ(bytes, std::vector<uint32_t>(9, 0x33333333));
}

TEST_F(Textures, ReadWriteTexturesAndSizesInShaders) {
  auto texture = sharedTexture(8, 8, MTL::PixelFormatR32Float, MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite);
  std::vector<float> values(64);
  for (int i = 0; i < 64; ++i) values[i] = float(i) * 3;
  texture->replaceRegion(MTL::Region::Make2D(0, 0, 8, 8), 0, values.data(), 32);
  run("increment", texture.get(), {}, 8, 8);
  std::vector<float> got(64);
  texture->getBytes(got.data(), 32, MTL::Region::Make2D(0, 0, 8, 8), 0);
  for (auto& value : values) value += 1;
  EXPECT_EQ(got, values);

  auto levels = sharedTexture(20, 12, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageShaderRead, 5);
  auto out = sharedBuffer(20);
  run("describe", levels.get(), {out.get()}, 1);
  EXPECT_EQ(contents<uint32_t>(out.get()), (std::vector<uint32_t>{20, 12, 5, 10, 6}));

  auto written = sharedTexture(20, 12, MTL::PixelFormatR32Float, MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite, 5);
  auto one = sharedBuffer(std::vector<uint32_t>{1});
  run("describeWritten", written.get(), {out.get(), one.get()}, 1);
  EXPECT_EQ(contents<uint32_t>(out.get()), (std::vector<uint32_t>{20, 12, 5, 10, 1}));
  auto onlyWritten = sharedTexture(20, 12, MTL::PixelFormatR32Float, MTL::TextureUsageShaderWrite, 3);
  run("levelsOfWritten", onlyWritten.get(), {out.get()}, 1);
  EXPECT_EQ(contents<uint32_t>(out.get())[0], 3u);
}

// A sampler on the CPU, for a 4 x 4 texture of one channel.
float wrapped(int i, MTL::SamplerAddressMode mode, bool& outside) {
  outside = false;
  switch (mode) {
  case MTL::SamplerAddressModeRepeat: return float(((i % 4) + 4) % 4);
  case MTL::SamplerAddressModeMirrorRepeat: {
    const int m = ((i % 8) + 8) % 8;
    return float(m < 4 ? m : 7 - m);
  }
  case MTL::SamplerAddressModeMirrorClampToEdge: return float(std::min(i < 0 ? -1 - i : i, 3));
  case MTL::SamplerAddressModeClampToZero:
  case MTL::SamplerAddressModeClampToBorderColor: outside = i < 0 || i > 3; return float(std::clamp(i, 0, 3));
  default: return float(std::clamp(i, 0, 3));
  }
}
float fetched(const std::vector<float>& texels, int x, int y, MTL::SamplerAddressMode mode, float border) {
  bool outsideX = false, outsideY = false;
  const int wx = int(wrapped(x, mode, outsideX)), wy = int(wrapped(y, mode, outsideY));
  return outsideX || outsideY ? border : texels[wy * 4 + wx];
}

TEST_F(Textures, NearestAndLinearFollowEveryAddressMode) {
  std::vector<float> values(16);
  for (int i = 0; i < 16; ++i) values[i] = float((i * 7) % 16) * 16;
  auto texture = floatTexture(4, 4, values);
  std::vector<float> uv;
  for (float v : {-1.3f, -0.4f, 0.07f, 0.125f, 0.61f, 1.2f, 2.35f})
    for (float u : {-1.55f, -0.2f, 0.05f, 0.375f, 0.66f, 0.99f, 1.4f, 2.8f}) uv.insert(uv.end(), {u, v});
  const std::pair<MTL::SamplerAddressMode, float> modes[] = {{MTL::SamplerAddressModeClampToEdge, 0},
                                                             {MTL::SamplerAddressModeRepeat, 0},
                                                             {MTL::SamplerAddressModeMirrorRepeat, 0},
                                                             {MTL::SamplerAddressModeMirrorClampToEdge, 0},
                                                             {MTL::SamplerAddressModeClampToZero, 0},
                                                             {MTL::SamplerAddressModeClampToBorderColor, 1}};
  for (auto [mode, border] : modes)
    for (bool isLinear : {false, true}) {
      auto state = sampler([&, mode = mode](MTL::SamplerDescriptor* d) {
        d->setSAddressMode(mode);
        d->setTAddressMode(mode);
        d->setMagFilter(isLinear ? MTL::SamplerMinMagFilterLinear : MTL::SamplerMinMagFilterNearest);
        d->setMinFilter(isLinear ? MTL::SamplerMinMagFilterLinear : MTL::SamplerMinMagFilterNearest);
        d->setBorderColor(MTL::SamplerBorderColorOpaqueWhite);
      });
      auto got = sampled(texture.get(), state.get(), uv);
      for (size_t i = 0; i < got.size(); ++i) {
        const float u = uv[i * 2] * 4, v = uv[i * 2 + 1] * 4;
        float wanted = 0;
        if (isLinear) {
          const float fx = u - 0.5f, fy = v - 0.5f;
          const int x = int(std::floor(fx)), y = int(std::floor(fy));
          const float a = fx - float(x), b = fy - float(y);
          wanted = (fetched(values, x, y, mode, border) * (1 - a) + fetched(values, x + 1, y, mode, border) * a) * (1 - b) +
                   (fetched(values, x, y + 1, mode, border) * (1 - a) + fetched(values, x + 1, y + 1, mode, border) * a) * b;
        } else {
          wanted = fetched(values, int(std::floor(u)), int(std::floor(v)), mode, border);
        }
        // Weights have 8 bits on GPUs: two roundings of neighbours up to 240 apart.
        EXPECT_NEAR(got[i].x, wanted, isLinear ? 2.0 : 0.0)
            << "mode " << int(mode) << (isLinear ? " linear" : " nearest") << " at " << uv[i * 2] << ", " << uv[i * 2 + 1];
        EXPECT_EQ(got[i].w, 1.0f);
      }
    }
}

TEST_F(Textures, ConstexprSamplersOffsetsAndPixelCoordinates) {
  std::vector<float> values(16);
  for (int i = 0; i < 16; ++i) values[i] = float(i);
  auto texture = floatTexture(4, 4, values);
  auto out = sharedBuffer(5 * sizeof(Sample));
  run("sampleOffset", texture.get(), {out.get()}, 5);
  auto got = contents<Sample>(out.get());
  EXPECT_EQ(got[0].x, 1);  // (1, 0)
  EXPECT_EQ(got[1].x, 10); // (2, 2)
  EXPECT_EQ(got[2].x, 14); // (2, 3)
  EXPECT_NEAR(got[3].x, 1.5f, 0.02); // between (3, 0) and (0, 0)
  EXPECT_EQ(got[4].x, 1);
}

TEST_F(Textures, LevelsAreChosenFilteredAndClamped) {
  auto texture = tensByLevel();
  const std::vector<float> lods{0, 0.4f, 0.6f, 1.7f, 3, 6, 9};
  auto in = sharedBuffer(lods);
  auto out = sharedBuffer(lods.size() * sizeof(Sample));
  const auto levelsOf = [&](MTL::SamplerMipFilter filter, float low, float high) {
    auto state = sampler([&](MTL::SamplerDescriptor* d) {
      d->setMipFilter(filter);
      d->setLodMinClamp(low);
      d->setLodMaxClamp(high);
    });
    run("sampleLevel", texture.get(), {in.get(), out.get()}, lods.size(), 1, state.get());
    std::vector<float> got;
    for (const Sample& s : contents<Sample>(out.get())) got.push_back(s.x);
    return got;
  };
  EXPECT_EQ(levelsOf(MTL::SamplerMipFilterNearest, 0, 1000), (std::vector<float>{0, 0, 10, 20, 30, 60, 60}));
  EXPECT_EQ(levelsOf(MTL::SamplerMipFilterNotMipmapped, 0, 1000), std::vector<float>(7, 0));
  EXPECT_EQ(levelsOf(MTL::SamplerMipFilterNearest, 2, 4), (std::vector<float>{20, 20, 20, 20, 30, 40, 40}));
  auto smooth = levelsOf(MTL::SamplerMipFilterLinear, 0, 1000);
  const float wanted[] = {0, 4, 6, 17, 30, 60, 60};
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(smooth[i], wanted[i], 0.1) << lods[i];

  // Implicit levels, bias, gradients and explicit levels in a fragment function; a sample in the vertex function.
  auto pipeline = renderPipeline(m_library.get(), "fetchInVertex", "derivativeLevels", [](auto* descriptor) {
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatR32Float);
  });
  ASSERT_TRUE(pipeline);
  auto got = draw(pipeline.get(), texture.get());
  const float rows[] = {0, 0, 20, 30, 10, 40, 20, 50};
  for (int row = 0; row < 8; ++row)
    for (int x : {3, 32, 60}) EXPECT_EQ(got[(row * 8 + 4) * 64 + x], rows[row]) << "row " << row << ", column " << x;
}

TEST_F(Textures, LookUpsMayClampTheLeastLevel) {
  auto texture = tensByLevel();
  auto nearest = sampler([](MTL::SamplerDescriptor* d) { d->setMipFilter(MTL::SamplerMipFilterNearest); });
  // Kernels have no derivatives: level 0, then two with a bias and a clamp of 1.
  auto lods = sharedBuffer(std::vector<float>{0, 1, 3, 2, 0});
  auto out = sharedBuffer(5 * sizeof(Sample));
  run("sampleClamped", texture.get(), {lods.get(), out.get()}, 5, 1, nearest.get());
  const float wanted[] = {0, 10, 30, 20, 10};
  auto samples = contents<Sample>(out.get());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(samples[i].x, wanted[i]) << i;

  auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
  auto vertex = function(m_library.get(), "fetchInVertex"), fragment = function(m_library.get(), "clampedLevels");
  descriptor->setVertexFunctionDescriptor(vertex.get());
  descriptor->setFragmentFunctionDescriptor(fragment.get());
  descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatR32Float);
  NS::Error* error = nullptr;
  auto pipeline = NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error));
  if (!pipeline) {
    EXPECT_NE(text(error).find("min_lod_clamp, for which the device lacks the feature shaderResourceMinLod"), std::string::npos) << text(error);
    return;
  }
  auto got = draw(pipeline.get(), texture.get());
  const float rows[] = {30, 20, 20, 40};
  for (int row = 0; row < 4; ++row)
    for (int x : {3, 32, 60}) EXPECT_EQ(got[(row * 16 + 8) * 64 + x], rows[row]) << "row " << row << ", column " << x;
}

TEST_F(Textures, GenerateMipmapsAveragesBlocks) {
  auto* descriptor = MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRGBA8Unorm, 8, 8, true);
  descriptor->setUsage(MTL::TextureUsageShaderRead | MTL::TextureUsageRenderTarget);
  descriptor->setStorageMode(MTL::StorageModeShared);
  auto texture = NS::TransferPtr(m_device->newTexture(descriptor));
  ASSERT_TRUE(texture);
  ASSERT_EQ(texture->mipmapLevelCount(), 4u);
  m_residency->addAllocation(texture.get());
  m_residency->commit();
  std::vector<Pixel> values(64);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      values[y * 8 + x] = {uint8_t((x / 2) * 60), uint8_t((y / 2) * 40), uint8_t(x < 4 ? 200 : 100), 255};
  texture->replaceRegion(MTL::Region::Make2D(0, 0, 8, 8), 0, values.data(), 32);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
              encoder->generateMipmaps(texture.get());
              encoder->endEncoding();
            }),
            "");
  auto level1 = texels<Pixel>(texture.get(), 1);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x)
      EXPECT_EQ(level1[y * 4 + x], (Pixel{uint8_t(x * 60), uint8_t(y * 40), uint8_t(x < 2 ? 200 : 100), 255}));
  auto level2 = texels<Pixel>(texture.get(), 2);
  EXPECT_EQ(level2[0], (Pixel{30, 20, 200, 255}));
  EXPECT_EQ(level2[3], (Pixel{150, 100, 100, 255}));
  EXPECT_EQ(texels<Pixel>(texture.get(), 3), (std::vector<Pixel>{{90, 60, 150, 255}}));
  EXPECT_EQ(texels<Pixel>(texture.get(), 0), values);
}

TEST_F(Textures, GenerateMipmapsOfAViewFillsWhatTheViewShows) {
  auto descriptor = NS::TransferPtr(MTL::TextureDescriptor::alloc()->init());
  descriptor->setTextureType(MTL::TextureType2DArray);
  descriptor->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  descriptor->setWidth(8);
  descriptor->setHeight(8);
  descriptor->setArrayLength(3);
  descriptor->setMipmapLevelCount(4);
  descriptor->setUsage(MTL::TextureUsageShaderRead | MTL::TextureUsageRenderTarget | MTL::TextureUsagePixelFormatView);
  descriptor->setStorageMode(MTL::StorageModeShared);
  auto texture = NS::TransferPtr(m_device->newTexture(descriptor.get()));
  ASSERT_TRUE(texture);
  m_residency->addAllocation(texture.get());
  m_residency->commit();
  // Each level of each slice of one colour, so that whatever is written shows.
  const auto colour = [](int slice, int level) { return Pixel{uint8_t(slice * 50), uint8_t(level * 60), 7, 255}; };
  for (int slice = 0; slice < 3; ++slice)
    for (int level = 0; level < 4; ++level) {
      const NS::UInteger size = 8 >> level;
      std::vector<Pixel> values(size * size, colour(slice, level));
      texture->replaceRegion(MTL::Region::Make2D(0, 0, size, size), level, slice, values.data(), size * 4, size * size * 4);
    }
  auto view = NS::TransferPtr(texture->newTextureView(MTL::PixelFormatRGBA8Unorm, MTL::TextureType2D, NS::Range::Make(1, 2),
                                                      NS::Range::Make(1, 1)));
  auto otherFormat = NS::TransferPtr(texture->newTextureView(MTL::PixelFormatRGBA8Unorm_sRGB));
  ASSERT_TRUE(view && otherFormat);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
              encoder->generateMipmaps(view.get());
              encoder->endEncoding();
            }),
            "");
  for (int slice = 0; slice < 3; ++slice)
    for (int level = 0; level < 4; ++level) {
      const NS::UInteger size = 8 >> level;
      const Pixel expected = slice == 1 && level == 2 ? colour(1, 1) : colour(slice, level);
      EXPECT_EQ(texels<Pixel>(texture.get(), level, slice), std::vector<Pixel>(size * size, expected))
          << "slice " << slice << ", level " << level;
    }
  const std::string error = runCommands([&](MTL4::CommandBuffer* commands) {
    MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
    encoder->generateMipmaps(otherFormat.get());
    encoder->endEncoding();
  });
  EXPECT_NE(error.find("RGBA8Unorm_sRGB"), std::string::npos) << error;
}

TEST_F(Textures, DepthTexturesCompareAndRead) {
  auto depth = texture(8, 8, MTL::PixelFormatDepth32Float, MTL::TextureUsageShaderRead | MTL::TextureUsageRenderTarget);
  std::vector<float> values(64);
  for (int i = 0; i < 64; ++i) values[i] = i % 8 < 4 ? 0.25f : 0.75f;
  auto staging = sharedBuffer(values);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
              encoder->copyFromBuffer(staging.get(), 0, 32, 256, MTL::Size::Make(8, 8, 1), depth.get(), 0, 0,
                                      MTL::Origin::Make(0, 0, 0));
              encoder->endEncoding();
            }),
            "");
  auto greater = sampler([](MTL::SamplerDescriptor* d) { d->setCompareFunction(MTL::CompareFunctionGreater); });
  auto out = sharedBuffer(8 * 4);
  run("compareAt", depth.get(), {out.get()}, 8, 1, greater.get());
  auto got = contents<float>(out.get());
  EXPECT_EQ(got[0], 0); // 0.5 < 0.25
  EXPECT_EQ(got[1], 1); // 0.5 < 0.75
  EXPECT_EQ(got[2], 1); // 0.5 > 0.25
  EXPECT_EQ(got[3], 0);
  EXPECT_NEAR(got[4], 0.5f, 0.01) << "half of the four neighbours pass";
  EXPECT_EQ(got[5], 0.75f);
  EXPECT_EQ(got[6], 1);
  EXPECT_EQ(got[7], 0.25f);
}

TEST_F(Textures, ViewsShowOtherFormatsLevelsAndSwizzles) {
  auto texture = sharedTexture(4, 4, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageShaderRead, 3);
  const std::vector<Pixel> base(16, Pixel{188, 64, 0, 128}), second(4, Pixel{10, 20, 30, 40});
  texture->replaceRegion(MTL::Region::Make2D(0, 0, 4, 4), 0, base.data(), 16);
  texture->replaceRegion(MTL::Region::Make2D(0, 0, 2, 2), 1, second.data(), 8);
  auto srgb = NS::TransferPtr(texture->newTextureView(MTL::PixelFormatRGBA8Unorm_sRGB));
  auto level = NS::TransferPtr(texture->newTextureView(MTL::PixelFormatRGBA8Unorm, MTL::TextureType2D, NS::Range::Make(1, 1),
                                                       NS::Range::Make(0, 1)));
  auto swizzled = NS::TransferPtr(texture->newTextureView(
      MTL::PixelFormatRGBA8Unorm, MTL::TextureType2D, NS::Range::Make(0, 1), NS::Range::Make(0, 1),
      MTL::TextureSwizzleChannels::Make(MTL::TextureSwizzleAlpha, MTL::TextureSwizzleOne, MTL::TextureSwizzleRed,
                                        MTL::TextureSwizzleZero)));
  ASSERT_TRUE(srgb && level && swizzled);
  EXPECT_EQ(level->width(), 2u);
  EXPECT_EQ(level->parentRelativeLevel(), 1u);
  EXPECT_EQ(level->parentTexture(), texture.get());
  auto linear = readAll(srgb.get(), 4, 4)[5];
  // GPUs decode sRGB by table: right to half a step of the 8-bit code, which is worth 0.5 / 255 times the curve's slope.
  EXPECT_NEAR(linear.x, 0.502886, 0.5 / 255 * 1.6);
  EXPECT_NEAR(linear.y, 0.051269, 0.5 / 255 * 0.5);
  EXPECT_NEAR(linear.w, 128 / 255.0, 1e-6);
  auto small = readAll(level.get(), 2, 2)[3];
  EXPECT_NEAR(small.x, 10 / 255.0, 1e-6);
  EXPECT_NEAR(small.w, 40 / 255.0, 1e-6);
  auto mixed = readAll(swizzled.get(), 4, 4)[0];
  EXPECT_NEAR(mixed.x, 128 / 255.0, 1e-6);
  EXPECT_EQ(mixed.y, 1);
  EXPECT_NEAR(mixed.z, 188 / 255.0, 1e-6);
  EXPECT_EQ(mixed.w, 0);
}

TEST_F(Textures, ViewsThatCannotBeAreNull) {
  auto texture = sharedTexture(4, 4, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageShaderRead | MTL::TextureUsagePixelFormatView, 3);
  constexpr NS::UInteger kHuge = ~NS::UInteger(0);
  auto view = [&](MTL::PixelFormat format, MTL::TextureType type, NS::Range levels, NS::Range slices) {
    return NS::TransferPtr(texture->newTextureView(format, type, levels, slices));
  };
  const NS::Range one = NS::Range::Make(0, 1);
  EXPECT_TRUE(view(MTL::PixelFormatR32Uint, MTL::TextureType2D, one, one));
  EXPECT_FALSE(view(MTL::PixelFormatRGBA16Float, MTL::TextureType2D, one, one)) << "texels of another size";
  EXPECT_FALSE(view(MTL::PixelFormatDepth32Float, MTL::TextureType2D, one, one));
  EXPECT_FALSE(view(MTL::PixelFormatRGBA8Unorm, MTL::TextureType3D, one, one));
  EXPECT_FALSE(view(MTL::PixelFormatRGBA8Unorm, MTL::TextureType2DMultisample, one, one));
  EXPECT_FALSE(view(MTL::PixelFormatRGBA8Unorm, MTL::TextureType2D, NS::Range::Make(2, 2), one));
  EXPECT_FALSE(view(MTL::PixelFormatRGBA8Unorm, MTL::TextureType2D, NS::Range::Make(kHuge, 2), one)) << "the sum wraps to 1";
  EXPECT_FALSE(view(MTL::PixelFormatRGBA8Unorm, MTL::TextureType2D, one, NS::Range::Make(kHuge, 2)));
  EXPECT_FALSE(view(MTL::PixelFormatRGBA8Unorm, MTL::TextureTypeCube, one, one));
}

TEST_F(Textures, ImagesAreNotSeenAsTextureBuffers) {
  auto texture = sharedTexture(4, 4, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageShaderRead | MTL::TextureUsagePixelFormatView);
  const NS::Range one = NS::Range::Make(0, 1);
  testing::internal::CaptureStderr();
  EXPECT_FALSE(NS::TransferPtr(texture->newTextureView(MTL::PixelFormatRGBA8Unorm, MTL::TextureTypeTextureBuffer, one, one)));
  const std::string viewing = testing::internal::GetCapturedStderr();
  EXPECT_NE(viewing.find("cannot be a texture buffer"), std::string::npos) << viewing;
}

TEST_F(Textures, ArraysOfSquaresAreSeenAsCubes) {
  auto* descriptor = MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRGBA8Unorm, 4, 4, false);
  descriptor->setTextureType(MTL::TextureType2DArray);
  descriptor->setArrayLength(12);
  auto array = NS::TransferPtr(m_device->newTexture(descriptor));
  ASSERT_TRUE(array);
  auto cube = NS::TransferPtr(array->newTextureView(MTL::PixelFormatRGBA8Unorm, MTL::TextureTypeCube, NS::Range::Make(0, 1),
                                                    NS::Range::Make(6, 6)));
  ASSERT_TRUE(cube);
  EXPECT_EQ(cube->textureType(), MTL::TextureTypeCube);
  EXPECT_EQ(cube->parentRelativeSlice(), 6u);
  EXPECT_FALSE(NS::TransferPtr(array->newTextureView(MTL::PixelFormatRGBA8Unorm, MTL::TextureTypeCube, NS::Range::Make(0, 1),
                                                     NS::Range::Make(0, 5))));
}

TEST_F(Textures, RegionsWhoseEndsWrapAreRefused) {
  auto texture = sharedTexture(4, 4, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageShaderRead);
  const std::vector<Pixel> before(16, Pixel{1, 2, 3, 4}), wrong(16, Pixel{9, 9, 9, 9});
  texture->replaceRegion(MTL::Region::Make2D(0, 0, 4, 4), 0, before.data(), 16);
  texture->replaceRegion(MTL::Region::Make2D(~NS::UInteger(0), 0, 2, 2), 0, wrong.data(), 16);
  texture->replaceRegion(MTL::Region::Make2D(0, ~NS::UInteger(0), 2, 2), 0, wrong.data(), 16);
  std::vector<Pixel> after(16);
  texture->getBytes(after.data(), 16, MTL::Region::Make2D(0, 0, 4, 4), 0);
  EXPECT_EQ(after, before);
}

TEST_F(Textures, ResourceIdsDifferAndAreReusedSafely) {
  std::vector<NS::SharedPtr<MTL::Texture>> textures;
  std::set<uint64_t> ids;
  for (int i = 0; i < 64; ++i) {
    textures.push_back(floatTexture(1, 1, {float(i)}));
    ids.insert(textures.back()->gpuResourceID()._impl);
    EXPECT_NE(textures.back()->gpuResourceID()._impl, 0u);
  }
  EXPECT_EQ(ids.size(), 64u);
  // Every second one goes and is replaced; each id still names the right texture.
  for (int round = 0; round < 3; ++round) {
    for (int i = round % 2; i < 64; i += 2) {
      m_residency->removeAllocation(textures[i].get());
      textures[i] = floatTexture(1, 1, {float(1000 * (round + 1) + i)});
    }
    std::set<uint64_t> now;
    for (auto& texture : textures) now.insert(texture->gpuResourceID()._impl);
    EXPECT_EQ(now.size(), 64u);
  }
  auto pipeline = computePipeline(m_library.get(), "readFloats");
  ASSERT_TRUE(pipeline);
  auto out = sharedBuffer(64 * sizeof(Sample));
  auto table = argumentTable(1, 1);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
              encoder->setComputePipelineState(pipeline.get());
              encoder->setArgumentTable(table.get());
              for (int i = 0; i < 64; ++i) {
                table->setAddress(out->gpuAddress() + i * sizeof(Sample), 0);
                table->setTexture(textures[i]->gpuResourceID(), 0);
                encoder->dispatchThreads(MTL::Size::Make(1, 1, 1), MTL::Size::Make(1, 1, 1));
              }
              encoder->endEncoding();
            }),
            "");
  auto got = contents<Sample>(out.get());
  for (int i = 0; i < 64; ++i) EXPECT_EQ(got[i].x, float((i % 2 ? 2000 : 3000) + i)) << i;
}

TEST_F(Textures, CopiesMoveRegionsBetweenBuffersAndTextures) {
  auto source = texture(16, 8, MTL::PixelFormatR32Uint, MTL::TextureUsageShaderRead);
  auto destination = texture(16, 8, MTL::PixelFormatR32Uint, MTL::TextureUsageShaderRead);
  std::vector<uint32_t> values(3 + 20 * 8), zeros(16 * 8, 0);
  for (size_t i = 0; i < values.size(); ++i) values[i] = uint32_t(i) * 11;
  auto in = sharedBuffer(values), clear = sharedBuffer(zeros);
  auto out = sharedBuffer(std::vector<uint32_t>(64, 5));
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
              const auto origin = MTL::Origin::Make(0, 0, 0);
              // Rows of 20 words, from word 3 on.
              encoder->copyFromBuffer(in.get(), 12, 80, 640, MTL::Size::Make(16, 8, 1), source.get(), 0, 0, origin);
              encoder->copyFromBuffer(clear.get(), 0, 64, 512, MTL::Size::Make(16, 8, 1), destination.get(), 0, 0, origin);
              encoder->barrierAfterEncoderStages(MTL::StageBlit, MTL::StageBlit, MTL4::VisibilityOptionDevice);
              encoder->copyFromTexture(source.get(), 0, 0, MTL::Origin::Make(3, 1, 0), MTL::Size::Make(5, 4, 1),
                                       destination.get(), 0, 0, MTL::Origin::Make(10, 3, 0));
              encoder->barrierAfterEncoderStages(MTL::StageBlit, MTL::StageBlit, MTL4::VisibilityOptionDevice);
              // 4 x 3 texels into rows of 7 words, from word 2 on.
              encoder->copyFromTexture(destination.get(), 0, 0, MTL::Origin::Make(11, 4, 0), MTL::Size::Make(4, 3, 1),
                                       out.get(), 8, 28, 84);
              encoder->endEncoding();
            }),
            "");
  const auto sourceAt = [&](int x, int y) { return values[3 + y * 20 + x]; };
  auto got = texels<uint32_t>(destination.get());
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 16; ++x) {
      const bool isCopied = x >= 10 && x < 15 && y >= 3 && y < 7;
      ASSERT_EQ(got[y * 16 + x], isCopied ? sourceAt(x - 7, y - 2) : 0) << x << ", " << y;
    }
  auto words = contents<uint32_t>(out.get());
  for (int i = 0; i < 64; ++i) {
    const int x = (i - 2) % 7, y = (i - 2) / 7;
    const bool isCopied = i >= 2 && x < 4 && y < 3;
    ASSERT_EQ(words[i], isCopied ? sourceAt(4 + x, 2 + y) : 5) << i;
  }
}

} // namespace
} // namespace basanite::tests
