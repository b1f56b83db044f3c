// SPDX-License-Identifier: Apache-2.0
// Texture view pools: neighbouring resource IDs whose textures change.
#include "tests/support/metal_fixture.hpp"

#include <array>

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Four {
  array<texture2d<float, access::read>, 4> textures;
};
kernel void readEach(const device Four& in [[buffer(0)]], device float4* out [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  out[id] = in.textures[id].read(uint2(0, 0));
}
kernel void readOne(texture2d<float, access::read> in [[texture(0)]], device float4* out [[buffer(1)]]) { out[0] = in.read(uint2(0, 0)); }
kernel void readTexels(texture_buffer<uint> in [[texture(0)]], device uint4* out [[buffer(1)]]) { out[0] = in.read(1u); }
)";
using Four = std::array<float, 4>;

class ViewPools : public MetalFixture {
 protected:
  NS::SharedPtr<MTL::TextureViewPool> pool(NS::UInteger count) {
    auto descriptor = NS::TransferPtr(MTL::ResourceViewPoolDescriptor::alloc()->init());
    descriptor->setResourceViewCount(count);
    descriptor->setLabel(NS::String::string("views", NS::UTF8StringEncoding));
    NS::Error* error = nullptr;
    auto made = NS::TransferPtr(m_device->newTextureViewPool(descriptor.get(), &error));
    EXPECT_TRUE(made) << text(error);
    return made;
  }
  NS::SharedPtr<MTL::Texture> oneTexel(Pixel pixel) {
    auto made =
        texture(1, 1, MTL::PixelFormatRGBA8Unorm,
                MTL::TextureUsageShaderRead | MTL::TextureUsagePixelFormatView, MTL::StorageModeShared);
    made->replaceRegion(MTL::Region::Make2D(0, 0, 1, 1), 0, &pixel, 4);
    return made;
  }
  // What four neighbouring IDs from `base` on show.
  std::vector<Four> seen(MTL::ResourceID base) {
    auto ids =
        sharedBuffer(std::vector<uint64_t>{base._impl, base._impl + 1, base._impl + 2, base._impl + 3});
    auto out = sharedBuffer(4 * sizeof(Four));
    auto table = argumentTable(2);
    table->setAddress(ids->gpuAddress(), 0);
    table->setAddress(out->gpuAddress(), 1);
    dispatch(computePipeline(kSource, "readEach").get(), table.get(), 4);
    return contents<Four>(out.get());
  }
  template <class T> T seenOne(std::string_view kernel, MTL::ResourceID id) {
    auto out = sharedBuffer(sizeof(T));
    auto table = argumentTable(2, 1);
    table->setTexture(id, 0);
    table->setAddress(out->gpuAddress(), 1);
    dispatch(computePipeline(kSource, kernel).get(), table.get(), 1);
    return contents<T>(out.get())[0];
  }
};

TEST_F(ViewPools, SlotsHaveNeighbouringIds) {
  auto views = pool(4);
  ASSERT_TRUE(views);
  EXPECT_EQ(views->resourceViewCount(), 4u);
  EXPECT_STREQ(views->label()->utf8String(), "views");
  EXPECT_EQ(views->device(), m_device.get());
  auto red = oneTexel({255, 0, 0, 255}), green = oneTexel({0, 255, 0, 255});
  const uint64_t base = views->baseResourceID()._impl;
  EXPECT_EQ(views->setTextureView(red.get(), 1)._impl, base + 1);
  EXPECT_EQ(views->setTextureView(green.get(), 3)._impl, base + 3);
  EXPECT_EQ(seen(views->baseResourceID()),
            (std::vector<Four>{{0, 0, 0, 0}, {1, 0, 0, 1}, {0, 0, 0, 0}, {0, 1, 0, 1}}))
      << "slots that nobody has set read as zero";
  views->setTextureView(green.get(), 1);
  views->setTextureView(nullptr, 3);
  EXPECT_EQ(seen(views->baseResourceID()),
            (std::vector<Four>{{0, 0, 0, 0}, {0, 1, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}));
}

TEST_F(ViewPools, SlotsGoIntoArgumentTables) {
  auto views = pool(2);
  auto blue = oneTexel({0, 0, 255, 255});
  EXPECT_EQ(seenOne<Four>("readOne", views->setTextureView(blue.get(), 1)), (Four{0, 0, 1, 1}));
  EXPECT_EQ(seenOne<Four>("readOne", views->baseResourceID()), (Four{0, 0, 0, 0}));
}

TEST_F(ViewPools, ViewsAreMadeByDescriptor) {
  auto* descriptor = MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRGBA8Unorm, 1, 1, false);
  descriptor->setTextureType(MTL::TextureType2DArray);
  descriptor->setArrayLength(3);
  auto array = NS::TransferPtr(m_device->newTexture(descriptor));
  for (uint8_t i = 0; i < 3; ++i) {
    const Pixel pixel{uint8_t(i * 51), 0, 255, 255};
    array->replaceRegion(MTL::Region::Make2D(0, 0, 1, 1), 0, i, &pixel, 4, 4);
  }
  auto view = NS::TransferPtr(MTL::TextureViewDescriptor::alloc()->init());
  view->setLevelRange(NS::Range::Make(0, 1));
  view->setSliceRange(NS::Range::Make(2, 1));
  view->setSwizzle(MTL::TextureSwizzleChannels::Make(MTL::TextureSwizzleBlue, MTL::TextureSwizzleRed,
                                                     MTL::TextureSwizzleZero, MTL::TextureSwizzleOne));
  auto views = pool(1);
  const MTL::ResourceID id = views->setTextureView(array.get(), view.get(), 0);
  array.reset();
  const Four seen = seenOne<Four>("readOne", id); // the pool keeps what it shows
  EXPECT_EQ(seen[0], 1);
  EXPECT_FLOAT_EQ(seen[1], 0.4f);
  EXPECT_EQ(seen[2], 0);
  EXPECT_EQ(seen[3], 1);
}

TEST_F(ViewPools, BuffersAreShownAsTextures) {
  auto views = pool(1);
  auto buffer = sharedBuffer(std::vector<uint32_t>{8, 9, 10});
  auto* descriptor = MTL::TextureDescriptor::textureBufferDescriptor(
      MTL::PixelFormatR32Uint, 3, MTL::ResourceStorageModeShared, MTL::TextureUsageShaderRead);
  const MTL::ResourceID id = views->setTextureViewFromBuffer(buffer.get(), descriptor, 0, 0, 0);
  EXPECT_EQ(id._impl, views->baseResourceID()._impl);
  EXPECT_EQ((seenOne<std::array<uint32_t, 4>>("readTexels", id)[0]), 9u);
}

TEST_F(ViewPools, ViewsAreCopied) {
  auto from = pool(3), to = pool(4);
  auto red = oneTexel({255, 0, 0, 255}), green = oneTexel({0, 255, 0, 255});
  from->setTextureView(red.get(), 1);
  from->setTextureView(green.get(), 2);
  EXPECT_EQ(to->copyResourceViewsFromPool(from.get(), NS::Range::Make(1, 2), 2)._impl,
            to->baseResourceID()._impl + 2);
  from.reset();
  EXPECT_EQ(seen(to->baseResourceID()),
            (std::vector<Four>{{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 1}, {0, 1, 0, 1}}));
}

TEST_F(ViewPools, MisuseIsNamedAndChangesNothing) {
  auto views = pool(4);
  auto red = oneTexel({255, 0, 0, 255});
  views->setTextureView(red.get(), 0);
  auto said = [](auto call) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(call()._impl, 0u);
    return testing::internal::GetCapturedStderr();
  };
  std::string text = said([&] { return views->setTextureView(red.get(), 4); });
  EXPECT_NE(text.find("Index 4 is past the 4 views of the pool \"views\""), std::string::npos) << text;
  text = said([&] { return views->copyResourceViewsFromPool(views.get(), NS::Range::Make(2, 3), 0); });
  EXPECT_NE(text.find("do not fit"), std::string::npos) << text;
  text = said(
      [&] { return views->copyResourceViewsFromPool(views.get(), NS::Range::Make(0, ~NS::UInteger(0)), 1); });
  EXPECT_NE(text.find("do not fit"), std::string::npos) << text;
  text = said([&] { return views->copyResourceViewsFromPool(nullptr, NS::Range::Make(0, 1), 0); });
  EXPECT_NE(text.find("source pool is null"), std::string::npos) << text;
  text = said([&] { return views->setTextureView(red.get(), nullptr, 0); });
  EXPECT_NE(text.find("descriptor is null"), std::string::npos) << text;
  auto view = NS::TransferPtr(MTL::TextureViewDescriptor::alloc()->init());
  view->setLevelRange(NS::Range::Make(7, 1));
  text = said([&] { return views->setTextureView(red.get(), view.get(), 0); });
  EXPECT_NE(text.find("levels 7 to 8"), std::string::npos) << text;
  EXPECT_EQ(seen(views->baseResourceID())[0], (Four{1, 0, 0, 1}));

  NS::Error* error = nullptr;
  EXPECT_FALSE(NS::TransferPtr(m_device->newTextureViewPool(nullptr, &error)));
  EXPECT_NE(basanite::tests::text(error).find("null"), std::string::npos);
  auto descriptor = NS::TransferPtr(MTL::ResourceViewPoolDescriptor::alloc()->init());
  EXPECT_FALSE(NS::TransferPtr(m_device->newTextureViewPool(descriptor.get(), &error)));
  EXPECT_NE(basanite::tests::text(error).find("not 0"), std::string::npos);
  descriptor->setResourceViewCount(1u << 30);
  EXPECT_FALSE(NS::TransferPtr(m_device->newTextureViewPool(descriptor.get(), &error)));
  EXPECT_NE(basanite::tests::text(error).find("no run of 1073741824 free texture slots"), std::string::npos)
      << basanite::tests::text(error);
}

TEST_F(ViewPools, SlotsComeBack) {
  for (int i = 0; i < 40; ++i) { // 40,000 slots, of which the device has some 32,000
    auto views = pool(1000);
    ASSERT_TRUE(views) << i;
    views.reset();
    if (i % 8 == 0) runCommands([](MTL4::CommandBuffer*) {});
  }
}

} // namespace
} // namespace basanite::tests
