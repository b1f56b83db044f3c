// SPDX-License-Identifier: Apache-2.0
// Textures over buffers: texture buffers read, written and counted in by shaders, and linear 2D textures.
#include "tests/support/metal_fixture.hpp"

#include <array>
#include <cmath>

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;

kernel void readFloats(texture_buffer<float> in [[texture(0)]], device float4* out [[buffer(0)]], uint id [[thread_position_in_grid]]) {
  out[id] = in.read(id);
}
kernel void readUints(texture_buffer<uint> in [[texture(0)]], device uint4* out [[buffer(0)]], uint id [[thread_position_in_grid]]) {
  out[id] = in.read(id);
}
kernel void readInts(texture_buffer<int> in [[texture(0)]], device int4* out [[buffer(0)]], uint id [[thread_position_in_grid]]) {
  out[id] = in.read(id);
}
kernel void writeFloats(texture_buffer<float, access::write> out [[texture(0)]], const device float4* in [[buffer(0)]],
                        uint id [[thread_position_in_grid]]) {
  out.write(in[id], id);
}
kernel void writeOne(texture_buffer<uint, access::write> out [[texture(0)]], uint id [[thread_position_in_grid]]) {
  out.write(uint4(id + 100), id);
}
kernel void triple(texture_buffer<uint, access::read_write> both [[texture(0)]], uint id [[thread_position_in_grid]]) {
  both.write(both.read(id) * 3, id);
}
kernel void count(texture_buffer<uint, access::read_write> counts [[texture(0)]], device uint* olds [[buffer(0)]],
                  uint id [[thread_position_in_grid]]) {
  counts.atomic_fetch_add(id % 4, uint4(id));
  counts.atomic_fetch_max(4, uint4(id));
  olds[id] = counts.atomic_fetch_or(5, uint4(1u << (id % 32))).x & (1u << (id % 32));
}
kernel void width(texture_buffer<float> in [[texture(0)]], texture_buffer<uint, access::write> out [[texture(1)]],
                  device uint* widths [[buffer(0)]]) {
  widths[0] = in.get_width();
  widths[1] = out.get_width();
}
struct Tables {
  array<texture_buffer<uint>, 3> tables;
};
kernel void choose(const device Tables& arguments [[buffer(0)]], device uint* out [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  out[id] = arguments.tables[id % 3].read(id / 3).x;
}
kernel void read2D(texture2d<float, access::read> in [[texture(0)]], device float4* out [[buffer(0)]],
                   uint2 at [[thread_position_in_grid]], uint2 size [[threads_per_grid]]) {
  out[at.y * size.x + at.x] = in.read(at);
}
kernel void sample2D(texture2d<float> in [[texture(0)]], device float4* out [[buffer(0)]],
                     uint2 at [[thread_position_in_grid]], uint2 size [[threads_per_grid]]) {
  constexpr sampler s(filter::nearest);
  out[at.y * size.x + at.x] = in.sample(s, (float2(at) + 0.5f) / float2(size));
}
kernel void write2D(texture2d<float, access::write> out [[texture(0)]], uint2 at [[thread_position_in_grid]]) {
  out.write(float4(at.x / 255.0f, at.y / 255.0f, 1, 0), at);
}
)";

using Four = std::array<float, 4>;
using FourUints = std::array<uint32_t, 4>;

class TextureBuffers : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    m_library = library(kSource);
    ASSERT_TRUE(m_library);
  }
  MTL::TextureDescriptor* descriptor(MTL::PixelFormat format, NS::UInteger width,
                                     MTL::TextureUsage usage = MTL::TextureUsageShaderRead,
                                     MTL::ResourceOptions options = MTL::ResourceStorageModeShared) {
    return MTL::TextureDescriptor::textureBufferDescriptor(format, width, options, usage);
  }
  NS::SharedPtr<MTL::Texture> over(MTL::Buffer* buffer, MTL::PixelFormat format, NS::UInteger width,
                                   MTL::TextureUsage usage = MTL::TextureUsageShaderRead,
                                   NS::UInteger offset = 0) {
    auto texture = NS::TransferPtr(buffer->newTexture(descriptor(format, width, usage), offset, 0));
    EXPECT_TRUE(texture);
    return texture;
  }
  // The texels as a kernel reads them, one a thread.
  template <class T>
  std::vector<T> read(std::string_view kernel, MTL::Texture* texture, NS::UInteger threads) {
    auto out = sharedBuffer(threads * sizeof(T));
    auto table = argumentTable(1, 1);
    table->setTexture(texture->gpuResourceID(), 0);
    table->setAddress(out->gpuAddress(), 0);
    dispatch(computePipeline(m_library.get(), kernel).get(), table.get(), threads);
    return contents<T>(out.get());
  }
  // What making the texture says on standard error; it must be null.
  std::string refusal(MTL::Buffer* buffer, MTL::TextureDescriptor* descriptor, NS::UInteger offset,
                      NS::UInteger bytesPerRow) {
    testing::internal::CaptureStderr();
    auto texture = NS::TransferPtr(buffer->newTexture(descriptor, offset, bytesPerRow));
    std::string said = testing::internal::GetCapturedStderr();
    EXPECT_FALSE(texture);
    return said;
  }
  // What a dispatch with this texture says in its feedback.
  std::string complaint(std::string_view kernel, MTL::Texture* texture) {
    auto out = sharedBuffer(64);
    auto table = argumentTable(1, 1);
    table->setTexture(texture->gpuResourceID(), 0);
    table->setAddress(out->gpuAddress(), 0);
    auto pipeline = computePipeline(m_library.get(), kernel);
    return runCommands([&](MTL4::CommandBuffer* commands) {
      auto* encoder = commands->computeCommandEncoder();
      encoder->setComputePipelineState(pipeline.get());
      encoder->setArgumentTable(table.get());
      encoder->dispatchThreads(MTL::Size::Make(1, 1, 1), MTL::Size::Make(1, 1, 1));
      encoder->endEncoding();
    });
  }
  NS::UInteger pitch(MTL::PixelFormat format, NS::UInteger rowBytes) {
    NS::UInteger alignment = m_device->minimumLinearTextureAlignmentForPixelFormat(format);
    EXPECT_GT(alignment, 0u);
    return (rowBytes + alignment - 1) / alignment * alignment;
  }
  MTL::TextureDescriptor* linear(NS::UInteger width, NS::UInteger height,
                                 MTL::TextureUsage usage = MTL::TextureUsageShaderRead) {
    auto* result =
        MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRGBA8Unorm, width, height, false);
    result->setUsage(usage);
    return result;
  }

  NS::SharedPtr<MTL::Library> m_library;
};

TEST_F(TextureBuffers, AreReadInTheirFormat) {
  auto bytes = sharedBuffer(std::vector<uint8_t>{0, 51, 102, 255, 255, 0, 204, 0});
  auto unorm = over(bytes.get(), MTL::PixelFormatRGBA8Unorm, 2);
  auto floats = read<Four>("readFloats", unorm.get(), 2);
  EXPECT_FLOAT_EQ(floats[0][1], 0.2f);
  EXPECT_FLOAT_EQ(floats[0][2], 0.4f);
  EXPECT_EQ(floats[0][3], 1);
  EXPECT_FLOAT_EQ(floats[1][2], 0.8f);

  auto words = sharedBuffer(std::vector<uint32_t>{7, 0xffffffffu, 3});
  EXPECT_EQ(read<FourUints>("readUints", over(words.get(), MTL::PixelFormatR32Uint, 3).get(), 3)[1],
            (FourUints{0xffffffffu, 0, 0, 1}));
  EXPECT_EQ((read<std::array<int32_t, 4>>("readInts", over(words.get(), MTL::PixelFormatR32Sint, 3).get(),
                                          3)[1][0]),
            -1);

  auto halves = sharedBuffer(std::vector<uint16_t>{0x3c00, 0xc000}); // 1, -2
  auto read16 = read<Four>("readFloats", over(halves.get(), MTL::PixelFormatRG16Float, 1).get(), 1);
  EXPECT_EQ(read16[0], (Four{1, -2, 0, 1}));
}

TEST_F(TextureBuffers, BeginAtTheirOffsetAndEndAtTheirWidth) {
  const NS::UInteger alignment =
      m_device->minimumTextureBufferAlignmentForPixelFormat(MTL::PixelFormatR32Uint);
  ASSERT_GT(alignment, 0u);
  std::vector<uint32_t> words(2 * alignment / 4 + 8);
  for (size_t i = 0; i < words.size(); ++i) words[i] = 1000 + static_cast<uint32_t>(i);
  auto buffer = sharedBuffer(words);
  auto texture = over(buffer.get(), MTL::PixelFormatR32Uint, 4, MTL::TextureUsageShaderRead, alignment);
  auto seen = read<FourUints>("readUints", texture.get(), 6);
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(seen[i][0], 1000 + alignment / 4 + i);
  EXPECT_EQ(seen[4][0], 0u) << "past the end";
  EXPECT_EQ(seen[5][0], 0u);

  EXPECT_EQ(texture->textureType(), MTL::TextureTypeTextureBuffer);
  EXPECT_EQ(texture->buffer(), buffer.get());
  EXPECT_EQ(texture->bufferOffset(), alignment);
  EXPECT_EQ(texture->bufferBytesPerRow(), 16u);
  EXPECT_EQ(texture->rootResource(), buffer.get());
  EXPECT_EQ(texture->width(), 4u);
  EXPECT_EQ(texture->height(), 1u);
  EXPECT_EQ(texture->allocatedSize(), 0u) << "the bytes are the buffer's";
}

TEST_F(TextureBuffers, WritesReachTheBufferAndNothingBehindTheEnd) {
  auto buffer = sharedBuffer(std::vector<uint8_t>(24, 9));
  auto texture = over(buffer.get(), MTL::PixelFormatRGBA8Unorm, 4, MTL::TextureUsageShaderWrite);
  std::vector<Four> values{{0, 1, 0.2f, 0.4f}, {1, 1, 1, 1}, {0, 0, 0, 0},
                           {0.6f, 0.8f, 1, 0}, {1, 1, 1, 1}, {1, 1, 1, 1}};
  auto in = sharedBuffer(values);
  auto table = argumentTable(1, 1);
  table->setTexture(texture->gpuResourceID(), 0);
  table->setAddress(in->gpuAddress(), 0);
  dispatch(computePipeline(m_library.get(), "writeFloats").get(), table.get(), 6);
  EXPECT_EQ(contents<uint8_t>(buffer.get()),
            (std::vector<uint8_t>{0,   255, 51,  102, 255, 255, 255, 255, 0, 0, 0, 0,
                                  153, 204, 255, 0,   9,   9,   9,   9,   9, 9, 9, 9}));
}

TEST_F(TextureBuffers, AreReadAndWrittenByOneKernel) {
  auto buffer = sharedBuffer(std::vector<uint32_t>{1, 2, 3, 4});
  auto texture = over(buffer.get(), MTL::PixelFormatR32Uint, 4,
                      MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite);
  auto table = argumentTable(0, 1);
  table->setTexture(texture->gpuResourceID(), 0);
  dispatch(computePipeline(m_library.get(), "triple").get(), table.get(), 4);
  EXPECT_EQ(contents<uint32_t>(buffer.get()), (std::vector<uint32_t>{3, 6, 9, 12}));
}

TEST_F(TextureBuffers, CountWithAtomics) {
  auto buffer = sharedBuffer(6 * sizeof(uint32_t));
  auto texture = over(buffer.get(), MTL::PixelFormatR32Uint, 6,
                      MTL::TextureUsageShaderRead | MTL::TextureUsageShaderAtomic);
  auto olds = sharedBuffer(256 * sizeof(uint32_t));
  auto table = argumentTable(1, 1);
  table->setTexture(texture->gpuResourceID(), 0);
  table->setAddress(olds->gpuAddress(), 0);
  dispatch(computePipeline(m_library.get(), "count").get(), table.get(), 256);
  auto counts = contents<uint32_t>(buffer.get());
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(counts[i], 64 * i + 4 * (63 * 64 / 2)) << i;
  EXPECT_EQ(counts[4], 255u);
  EXPECT_EQ(counts[5], 0xffffffffu);
  auto seen = contents<uint32_t>(olds.get());
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 0u), 32) << "one thread sets each bit";
}

TEST_F(TextureBuffers, HaveAWidth) {
  auto buffer = sharedBuffer(64);
  auto texture = over(buffer.get(), MTL::PixelFormatR32Float, 11);
  auto written = over(buffer.get(), MTL::PixelFormatR32Uint, 5, MTL::TextureUsageShaderWrite);
  auto out = sharedBuffer(8);
  auto table = argumentTable(1, 2);
  table->setTexture(texture->gpuResourceID(), 0);
  table->setTexture(written->gpuResourceID(), 1);
  table->setAddress(out->gpuAddress(), 0);
  dispatch(computePipeline(m_library.get(), "width").get(), table.get(), 1);
  EXPECT_EQ(contents<uint32_t>(out.get()), (std::vector<uint32_t>{11, 5}));
}

TEST_F(TextureBuffers, AreChosenFromAnArgumentBuffer) {
  std::vector<NS::SharedPtr<MTL::Buffer>> buffers;
  std::vector<NS::SharedPtr<MTL::Texture>> textures;
  std::vector<uint64_t> ids;
  for (uint32_t i = 0; i < 3; ++i) {
    buffers.push_back(sharedBuffer(std::vector<uint32_t>{i * 10, i * 10 + 1, i * 10 + 2, i * 10 + 3}));
    textures.push_back(over(buffers[i].get(), MTL::PixelFormatR32Uint, 4));
    ids.push_back(textures[i]->gpuResourceID()._impl);
  }
  auto arguments = sharedBuffer(ids), out = sharedBuffer(12 * sizeof(uint32_t));
  auto table = argumentTable(2);
  table->setAddress(arguments->gpuAddress(), 0);
  table->setAddress(out->gpuAddress(), 1);
  dispatch(computePipeline(m_library.get(), "choose").get(), table.get(), 12);
  EXPECT_EQ(contents<uint32_t>(out.get()),
            (std::vector<uint32_t>{0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23}));
}

TEST_F(TextureBuffers, HaveMemoryOfTheirOwnWhenADeviceMakesThem) {
  for (MTL::ResourceOptions options : {MTL::ResourceStorageModeShared, MTL::ResourceStorageModePrivate}) {
    auto texture = NS::TransferPtr(m_device->newTexture(descriptor(
        MTL::PixelFormatR32Uint, 8, MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite, options)));
    ASSERT_TRUE(texture);
    EXPECT_FALSE(texture->buffer());
    EXPECT_GE(texture->allocatedSize(), 32u);
    auto table = argumentTable(0, 1);
    table->setTexture(texture->gpuResourceID(), 0);
    dispatch(computePipeline(m_library.get(), "writeOne").get(), table.get(), 8);
    auto seen = read<FourUints>("readUints", texture.get(), 8);
    for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(seen[i][0], i + 100);
  }
}

TEST_F(TextureBuffers, AreFilledAndReadByTheCpu) {
  auto buffer = sharedBuffer(std::vector<uint32_t>{1, 2, 3, 4});
  auto texture = over(buffer.get(), MTL::PixelFormatR32Uint, 4);
  const uint32_t values[2] = {20, 30};
  texture->replaceRegion(MTL::Region::Make1D(1, 2), 0, values, 8);
  EXPECT_EQ(contents<uint32_t>(buffer.get()), (std::vector<uint32_t>{1, 20, 30, 4}));
  uint32_t back[4] = {};
  texture->getBytes(back, 16, MTL::Region::Make1D(0, 4), 0);
  EXPECT_EQ(std::vector<uint32_t>(back, back + 4), (std::vector<uint32_t>{1, 20, 30, 4}));
}

TEST_F(TextureBuffers, AreViewedInAnotherFormat) {
  auto buffer = sharedBuffer(std::vector<uint32_t>{0xff0000ffu});
  auto texture = over(buffer.get(), MTL::PixelFormatR32Uint, 1,
                      MTL::TextureUsageShaderRead | MTL::TextureUsagePixelFormatView);
  auto view = NS::TransferPtr(texture->newTextureView(MTL::PixelFormatRGBA8Unorm));
  ASSERT_TRUE(view);
  EXPECT_EQ(view->parentTexture(), texture.get());
  EXPECT_EQ(read<Four>("readFloats", view.get(), 1)[0], (Four{1, 0, 0, 1}));
  testing::internal::CaptureStderr();
  EXPECT_FALSE(NS::TransferPtr(texture->newTextureView(MTL::PixelFormatRGBA16Float)));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("differ in size"), std::string::npos);
}

TEST_F(TextureBuffers, OutliveTheAppsHoldOnTheBuffer) {
  auto buffer = sharedBuffer(std::vector<uint32_t>{5, 6});
  auto texture = over(buffer.get(), MTL::PixelFormatR32Uint, 2);
  m_residency->removeAllAllocations();
  buffer.reset();
  EXPECT_EQ(read<FourUints>("readUints", texture.get(), 2)[1][0], 6u);
}

TEST_F(TextureBuffers, ThatCannotBeAreNamed) {
  auto buffer = sharedBuffer(64);
  auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  std::string said = refusal(buffer.get(), descriptor(MTL::PixelFormatR32Uint, 17), 0, 0);
  EXPECT_TRUE(has(said, "17 texels of 4 bytes from offset 0 on do not fit the buffer of 64 bytes")) << said;
  said = refusal(buffer.get(), descriptor(MTL::PixelFormatR32Uint, 1), 4, 0);
  EXPECT_TRUE(has(said, "offset 4 of a texture buffer is no multiple of")) << said;
  said = refusal(buffer.get(), descriptor(MTL::PixelFormatR32Uint, 1), ~NS::UInteger(0) / 64 * 64, 0);
  EXPECT_TRUE(has(said, "do not fit")) << said;
  said = refusal(buffer.get(), descriptor(MTL::PixelFormatR32Uint, 1, MTL::TextureUsageRenderTarget), 0, 0);
  EXPECT_TRUE(has(said, "cannot be rendered to")) << said;
  said = refusal(buffer.get(), descriptor(MTL::PixelFormatDepth32Float, 1), 0, 0);
  EXPECT_TRUE(has(said, "cannot have the format Depth32Float")) << said;
  said = refusal(
      buffer.get(),
      descriptor(MTL::PixelFormatR32Uint, 1, MTL::TextureUsageShaderRead, MTL::ResourceStorageModePrivate), 0,
      0);
  EXPECT_TRUE(has(said, "storage mode is 2, but that of the buffer is 0")) << said;
  auto* tall = descriptor(MTL::PixelFormatR32Uint, 1);
  tall->setHeight(2);
  said = refusal(buffer.get(), tall, 0, 0);
  EXPECT_TRUE(has(said, "The height is 2")) << said;
  said = refusal(buffer.get(), nullptr, 0, 0);
  EXPECT_TRUE(has(said, "descriptor is null")) << said;
  auto* cube = MTL::TextureDescriptor::textureCubeDescriptor(MTL::PixelFormatR32Uint, 1, false);
  said = refusal(buffer.get(), cube, 0, 256);
  EXPECT_TRUE(has(said, "not a cube texture")) << said;
}

TEST_F(TextureBuffers, AndOtherTexturesAreNotMixedUp) {
  auto buffer = sharedBuffer(64);
  auto texels = over(buffer.get(), MTL::PixelFormatR32Float, 4);
  auto image = texture(4, 4, MTL::PixelFormatR32Float, MTL::TextureUsageShaderRead);
  std::string said = complaint("read2D", texels.get());
  EXPECT_NE(said.find("as a 2D texture, but the texture in its argument table is a texture buffer"),
            std::string::npos)
      << said;
  said = complaint("readFloats", image.get());
  EXPECT_NE(said.find("as a texture buffer, but the texture in its argument table is a 2D texture"),
            std::string::npos)
      << said;
  said = complaint("writeFloats", texels.get());
  EXPECT_NE(said.find("lacks TextureUsageShaderWrite"), std::string::npos) << said;
  said = runCommands([&](MTL4::CommandBuffer* commands) {
    auto* encoder = commands->computeCommandEncoder();
    encoder->copyFromTexture(texels.get(), image.get());
    encoder->endEncoding();
  });
  EXPECT_NE(said.find("texture buffer, which is copied as a buffer"), std::string::npos) << said;
}

TEST_F(TextureBuffers, LinearTexturesShowTheBuffersRows) {
  constexpr NS::UInteger kWidth = 19, kHeight = 8;
  const NS::UInteger bytesPerRow = pitch(MTL::PixelFormatRGBA8Unorm, kWidth * 4);
  auto buffer = sharedBuffer(bytesPerRow * kHeight);
  auto* bytes = static_cast<uint8_t*>(buffer->contents());
  for (NS::UInteger i = 0; i < bytesPerRow * kHeight; ++i)
    bytes[i] = static_cast<uint8_t>(i * 7 + i / bytesPerRow);
  auto image = NS::TransferPtr(buffer->newTexture(linear(kWidth, kHeight), 0, bytesPerRow));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->buffer(), buffer.get());
  EXPECT_EQ(image->bufferBytesPerRow(), bytesPerRow);
  for (const char* kernel : {"read2D", "sample2D"}) {
    auto out = sharedBuffer(kWidth * kHeight * sizeof(Four));
    auto table = argumentTable(1, 1);
    table->setTexture(image->gpuResourceID(), 0);
    table->setAddress(out->gpuAddress(), 0);
    dispatch(computePipeline(m_library.get(), kernel).get(), table.get(), MTL::Size::Make(kWidth, kHeight, 1),
             MTL::Size::Make(8, 8, 1));
    auto seen = contents<Four>(out.get());
    for (NS::UInteger y = 0; y < kHeight; ++y)
      for (NS::UInteger x = 0; x < kWidth; ++x)
        for (int c = 0; c < 4; ++c)
          ASSERT_EQ(std::lround(seen[y * kWidth + x][c] * 255), bytes[y * bytesPerRow + x * 4 + c])
              << kernel << " " << x << ", " << y;
  }
}

TEST_F(TextureBuffers, WritesToLinearTexturesReachTheBuffer) {
  constexpr NS::UInteger kWidth = 16, kHeight = 4;
  const NS::UInteger bytesPerRow = pitch(MTL::PixelFormatRGBA8Unorm, kWidth * 4);
  const NS::UInteger offset = m_device->heapTextureSizeAndAlign(linear(kWidth, kHeight)).align;
  auto buffer = sharedBuffer(std::vector<uint8_t>(offset + bytesPerRow * kHeight, 77));
  auto image = NS::TransferPtr(
      buffer->newTexture(linear(kWidth, kHeight, MTL::TextureUsageShaderWrite), offset, bytesPerRow));
  ASSERT_TRUE(image);
  auto table = argumentTable(0, 1);
  table->setTexture(image->gpuResourceID(), 0);
  dispatch(computePipeline(m_library.get(), "write2D").get(), table.get(),
           MTL::Size::Make(kWidth, kHeight, 1), MTL::Size::Make(8, 4, 1));
  auto bytes = contents<uint8_t>(buffer.get());
  for (NS::UInteger i = 0; i < offset; ++i) ASSERT_EQ(bytes[i], 77);
  for (NS::UInteger y = 0; y < kHeight; ++y)
    for (NS::UInteger x = 0; x < kWidth; ++x) {
      const uint8_t* texel = &bytes[offset + y * bytesPerRow + x * 4];
      ASSERT_EQ((Pixel{texel[0], texel[1], texel[2], texel[3]}), (Pixel{uint8_t(x), uint8_t(y), 255, 0}));
    }
  Pixel row[2];
  image->getBytes(row, 8, MTL::Region::Make2D(3, 2, 2, 1), 0);
  EXPECT_EQ(row[1], (Pixel{4, 2, 255, 0}));
}

TEST_F(TextureBuffers, LinearTexturesThatCannotBeAreNamed) {
  constexpr NS::UInteger kWidth = 16, kHeight = 4;
  const NS::UInteger bytesPerRow = pitch(MTL::PixelFormatRGBA8Unorm, kWidth * 4);
  auto buffer = sharedBuffer(bytesPerRow * kHeight);
  auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  std::string said = refusal(buffer.get(), linear(kWidth, kHeight), 0, 60);
  EXPECT_TRUE(has(said, "60 bytes a row are too few for 16 texels of RGBA8Unorm, which take 64")) << said;
  said = refusal(buffer.get(), linear(kWidth, kHeight), 0, bytesPerRow + 4);
  EXPECT_TRUE(has(said, "bytes apart on this device, not")) << said;
  said = refusal(buffer.get(), linear(kWidth, kHeight + 1), 0, bytesPerRow);
  EXPECT_TRUE(has(said, "do not fit the buffer")) << said;
  auto* levels = linear(kWidth, kHeight);
  levels->setMipmapLevelCount(2);
  said = refusal(buffer.get(), levels, 0, bytesPerRow);
  EXPECT_TRUE(has(said, "2D texture of one level")) << said;
}

} // namespace
} // namespace basanite::tests
