// SPDX-License-Identifier: Apache-2.0
// Rasterization rate maps: at rate 1 they change nothing, and other rates are refused.
#include "tests/support/metal_fixture.hpp"

namespace basanite::tests {
namespace {

using RasterizationRates = MetalFixture;

NS::SharedPtr<MTL::RasterizationRateLayerDescriptor> layer(std::vector<float> horizontal,
                                                           std::vector<float> vertical) {
  return NS::TransferPtr(MTL::RasterizationRateLayerDescriptor::alloc()->init(
      MTL::Size::Make(horizontal.size(), vertical.size(), 0), horizontal.data(), vertical.data()));
}

TEST_F(RasterizationRates, LayersHoldTheirRates) {
  auto one = layer({0.5f, 1}, {1, 1, 0.25f});
  EXPECT_EQ(NS::UInteger(one->sampleCount().width), 2u);
  EXPECT_EQ(NS::UInteger(one->maxSampleCount().height), 3u);
  EXPECT_EQ(one->horizontal()->object(0)->floatValue(), 0.5f);
  EXPECT_EQ(one->horizontal()->object(2), nullptr);
  one->verticalSampleStorage()[2] = 0.75f;
  EXPECT_EQ(one->vertical()->object(2)->floatValue(), 0.75f);
  one->vertical()->setObject(NS::Number::number(0.5f), 1);
  EXPECT_EQ(one->verticalSampleStorage()[1], 0.5f);
  auto other = NS::TransferPtr(one->copy());
  one->horizontalSampleStorage()[0] = 1;
  EXPECT_EQ(other->horizontalSampleStorage()[0], 0.5f);
  one->setSampleCount(MTL::Size::Make(1, 2, 0));
  EXPECT_EQ(NS::UInteger(one->sampleCount().height), 2u);
  EXPECT_EQ(one->vertical()->object(2), nullptr);
}

TEST_F(RasterizationRates, AMapOfRateOneChangesNothing) {
  auto full = layer({1, 1, 1}, {1, 1});
  const MTL::Size screen = MTL::Size::Make(16, 8, 0);
  auto* descriptor = MTL::RasterizationRateMapDescriptor::rasterizationRateMapDescriptor(screen, full.get());
  descriptor->setLabel(NS::String::string("even", NS::UTF8StringEncoding));
  EXPECT_EQ(descriptor->layerCount(), 1u);
  EXPECT_EQ(descriptor->layer(0), full.get());
  EXPECT_EQ(descriptor->layers()->object(1), nullptr);
  auto map = NS::TransferPtr(m_device->newRasterizationRateMap(descriptor));
  ASSERT_TRUE(map);
  EXPECT_STREQ(map->label()->utf8String(), "even");
  EXPECT_EQ(map->layerCount(), 1u);
  EXPECT_EQ(NS::UInteger(map->physicalSize(0).width), 16u);
  EXPECT_EQ(NS::UInteger(map->physicalSize(0).height), 8u);
  EXPECT_EQ(NS::UInteger(map->physicalSize(1).width), 0u);
  const auto at = map->mapScreenToPhysicalCoordinates(MTL::Coordinate2D::Make(3.5f, 2), 0);
  EXPECT_EQ(at.x, 3.5f);
  EXPECT_EQ(at.y, 2.0f);

  auto target = colorTarget(16, 8);
  auto* pass = clearPass(target.get(), MTL::ClearColor::Make(0, 1, 0, 1));
  EXPECT_EQ(pass->rasterizationRateMap(), nullptr);
  pass->setRasterizationRateMap(map.get());
  EXPECT_EQ(pass->rasterizationRateMap(), map.get());
  EXPECT_EQ(runCommands(
                [&](MTL4::CommandBuffer* commands) { commands->renderCommandEncoder(pass)->endEncoding(); }),
            "");
  for (const Pixel& pixel : pixels(target.get())) ASSERT_EQ(pixel, (Pixel{0, 255, 0, 255}));
}

TEST_F(RasterizationRates, OtherMapsAreRefused) {
  const MTL::Size screen = MTL::Size::Make(16, 8, 0);
  auto coarse = layer({1, 0.5f}, {1}), full = layer({1}, {1});
  auto refused = [&](MTL::RasterizationRateMapDescriptor* descriptor) {
    ::testing::internal::CaptureStderr();
    EXPECT_FALSE(NS::TransferPtr(m_device->newRasterizationRateMap(descriptor)));
    return ::testing::internal::GetCapturedStderr();
  };
  using Descriptor = MTL::RasterizationRateMapDescriptor;
  auto expect = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(refused(Descriptor::rasterizationRateMapDescriptor(screen, coarse.get())),
         "Layer 0 of the rasterization rate map has the rate 0.5 at horizontal sample 1");
  expect(refused(Descriptor::rasterizationRateMapDescriptor(screen)), "no layer");
  expect(refused(Descriptor::rasterizationRateMapDescriptor(MTL::Size::Make(0, 4, 0), full.get())), "0 x 4");
  expect(refused(nullptr), "null");
  EXPECT_FALSE(m_device->supportsRasterizationRateMap(1)) << "there is nothing that a map could change";
}

} // namespace
} // namespace basanite::tests
