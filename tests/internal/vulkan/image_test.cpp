// SPDX-License-Identifier: Apache-2.0
// Images: transfers by the CPU, views, mipmaps, errors.
#include "src/vulkan/descriptor_heap.hpp"
#include "src/vulkan/format_table.hpp"
#include "src/vulkan/host_transfer.hpp"
#include "src/vulkan/image.hpp"
#include "src/vulkan/sampler.hpp"
#include "tests/internal/vulkan/vulkan_fixture.hpp"

#include <cstring>

namespace basanite::vulkan::test {
namespace {

class ImageTest : public VulkanTest {
 protected:
  base::Ref<Image> image2D(VkFormat format, uint32_t width, uint32_t height, VkImageUsageFlags usage = 0,
                           uint32_t levels = 1, uint32_t layers = 1) {
    ImageInfo info;
    info.format = format;
    info.width = width;
    info.height = height;
    info.usage = usage;
    info.mipLevels = levels;
    info.arrayLayers = layers;
    return must(Image::create(m_device, info, "test image"));
  }
  static ImageTransfer region(uint32_t width, uint32_t height, uint64_t bytesPerRow) {
    ImageTransfer transfer;
    transfer.extent = {width, height, 1};
    transfer.bytesPerRow = bytesPerRow;
    return transfer;
  }
};

TEST_F(ImageTest, ARegionComesBackAsItWasWritten) {
  auto image = image2D(VK_FORMAT_R8G8B8A8_UNORM, 8, 4);
  std::vector<uint32_t> zero(32, 0);
  must(m_device->hostTransfer().uploadImage(*image, region(8, 4, 32), zero.data()));
  // A 2x2 region from rows of 5 texels.
  const uint32_t texels[10] = {1, 2, 90, 91, 92, 3, 4, 93, 94, 95};
  ImageTransfer part = region(2, 2, 20);
  part.offset = {3, 1, 0};
  must(m_device->hostTransfer().uploadImage(*image, part, texels));

  std::vector<uint32_t> back(4 * 10, 0xeeeeeeee); // rows of 10 texels
  must(m_device->hostTransfer().readImage(*image, region(8, 4, 40), back.data()));
  for (uint32_t y = 0; y < 4; ++y)
    for (uint32_t x = 0; x < 10; ++x) {
      uint32_t expected = 0;
      if (x >= 8) expected = 0xeeeeeeee;
      if ((x == 3 || x == 4) && (y == 1 || y == 2)) expected = 1 + (x - 3) + 2 * (y - 1);
      EXPECT_EQ(back[y * 10 + x], expected) << x << ", " << y;
    }
}

TEST_F(ImageTest, LayersLevelsAndSlicesAreApart) {
  auto layered = image2D(VK_FORMAT_R32_UINT, 4, 4, 0, 3, 2);
  for (uint32_t layer = 0; layer < 2; ++layer)
    for (uint32_t level = 0; level < 3; ++level) {
      uint32_t size = 4 >> level;
      std::vector<uint32_t> texels(size * size, 10 * layer + level + 1);
      ImageTransfer transfer = region(size, size, size * 4);
      transfer.layer = layer;
      transfer.level = level;
      must(m_device->hostTransfer().uploadImage(*layered, transfer, texels.data()));
    }
  for (uint32_t layer = 0; layer < 2; ++layer)
    for (uint32_t level = 0; level < 3; ++level) {
      ImageTransfer transfer = region(1, 1, 4);
      transfer.layer = layer;
      transfer.level = level;
      uint32_t texel = 0;
      must(m_device->hostTransfer().readImage(*layered, transfer, &texel));
      EXPECT_EQ(texel, 10 * layer + level + 1);
    }

  ImageInfo info;
  info.type = VK_IMAGE_TYPE_3D;
  info.format = VK_FORMAT_R32_UINT;
  info.width = info.height = 2;
  info.depth = 3;
  auto volume = must(Image::create(m_device, info, "volume"));
  uint32_t texels[12], back[12];
  for (uint32_t i = 0; i < 12; ++i) texels[i] = 100 + i;
  ImageTransfer transfer;
  transfer.extent = {2, 2, 3};
  transfer.bytesPerRow = 8;
  transfer.bytesPerImage = 16;
  must(m_device->hostTransfer().uploadImage(*volume, transfer, texels));
  must(m_device->hostTransfer().readImage(*volume, transfer, back));
  EXPECT_EQ(std::memcmp(texels, back, sizeof(back)), 0);
}

TEST_F(ImageTest, DepthComesBack) {
  auto image = image2D(VK_FORMAT_D32_SFLOAT, 4, 4, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
  ImageTransfer transfer = region(4, 4, 16);
  transfer.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  std::vector<float> depth(16), back(16);
  for (int i = 0; i < 16; ++i) depth[i] = i / 16.0f;
  must(m_device->hostTransfer().uploadImage(*image, transfer, depth.data()));
  must(m_device->hostTransfer().readImage(*image, transfer, back.data()));
  EXPECT_EQ(back, depth);
}

TEST_F(ImageTest, MipmapsAverage) {
  auto image = image2D(VK_FORMAT_R32_SFLOAT, 4, 4, 0, 3);
  std::vector<float> texels(16);
  for (int i = 0; i < 16; ++i) texels[i] = static_cast<float>(i);
  must(m_device->hostTransfer().uploadImage(*image, region(4, 4, 16), texels.data()));
  run([&](CommandBuffer& commands) { commands.generateMipmaps(*image, 0, 3, 0, 1); });
  float level1[4], level2 = 0;
  ImageTransfer transfer = region(2, 2, 8);
  transfer.level = 1;
  must(m_device->hostTransfer().readImage(*image, transfer, level1));
  transfer = region(1, 1, 4);
  transfer.level = 2;
  must(m_device->hostTransfer().readImage(*image, transfer, &level2));
  EXPECT_FLOAT_EQ(level1[0], (0 + 1 + 4 + 5) / 4.0f);
  EXPECT_FLOAT_EQ(level1[3], (10 + 11 + 14 + 15) / 4.0f);
  EXPECT_FLOAT_EQ(level2, 7.5f);
}

TEST_F(ImageTest, BadImagesAndRegionsAreSentences) {
  ImageInfo info;
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.width = 1u << 20;
  auto wide = Image::create(m_device, info, "wide");
  ASSERT_FALSE(wide.ok());
  EXPECT_NE(wide.error().message.find("1048576"), std::string::npos) << wide.error().message;

  info.width = 4;
  info.format = VK_FORMAT_D32_SFLOAT;
  info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  auto depthAsColor = Image::create(m_device, info, "depth as color");
  ASSERT_FALSE(depthAsColor.ok());
  EXPECT_NE(depthAsColor.error().message.find("color attachment"), std::string::npos);

  auto image = image2D(VK_FORMAT_R8_UNORM, 4, 4);
  uint8_t bytes[64] = {};
  ImageTransfer outside = region(4, 4, 4);
  outside.offset = {1, 0, 0};
  EXPECT_FALSE(m_device->hostTransfer().uploadImage(*image, outside, bytes).ok());
  outside.offset = {-1, 0, 0};
  EXPECT_FALSE(m_device->hostTransfer().uploadImage(*image, outside, bytes).ok());
  ImageTransfer level = region(1, 1, 1);
  level.level = 1;
  EXPECT_FALSE(m_device->hostTransfer().readImage(*image, level, bytes).ok());
  auto narrow = m_device->hostTransfer().uploadImage(*image, region(4, 4, 3), bytes);
  ASSERT_FALSE(narrow.ok());
  EXPECT_NE(narrow.error().message.find("3 bytes per row"), std::string::npos) << narrow.error().message;
  EXPECT_FALSE(ImageView::create(image, {.baseLevel = 1, .levelCount = 1}).ok());
}

TEST_F(ImageTest, ViewsHaveSlotsOfTheirOwn) {
  auto image = image2D(VK_FORMAT_R8G8B8A8_UNORM, 4, 4,
                       VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
  auto plain = must(ImageView::create(image, {}));
  ImageViewInfo swizzled;
  swizzled.swizzle.r = VK_COMPONENT_SWIZZLE_B;
  auto turned = must(ImageView::create(image, swizzled));
  EXPECT_NE(plain->slot(), 0u);
  EXPECT_NE(turned->slot(), 0u);
  EXPECT_NE(plain->slot(), turned->slot());
  EXPECT_TRUE(plain->hasStorage());
  EXPECT_FALSE(turned->hasStorage()) << "a swizzled view cannot be written";
  VkImageView first = must(image->attachmentView(VK_FORMAT_UNDEFINED, 0, 0, 1));
  EXPECT_EQ(must(image->attachmentView(VK_FORMAT_R8G8B8A8_UNORM, 0, 0, 1)), first);

  uint32_t slot = plain->slot();
  plain = nullptr; // the GPU is idle, so the slot is free at once
  EXPECT_EQ(must(ImageView::create(image, {}))->slot(), slot);
}

TEST_F(ImageTest, SlotRangesAreConsecutiveAndReusable) {
  DescriptorHeap& heap = m_device->descriptorHeap();
  uint32_t first = must(heap.allocateImageRange(16));
  uint32_t next = must(heap.allocateImageRange(16));
  EXPECT_TRUE(next >= first + 16 || next + 16 <= first);
  heap.freeImage(first, 16);
  heap.freeImage(next, 16);
  auto tooMany = heap.allocateImageRange(heap.imageCapacity());
  ASSERT_FALSE(tooMany.ok());
  EXPECT_NE(tooMany.error().message.find(std::to_string(heap.imageCapacity())), std::string::npos);
}

TEST_F(ImageTest, SamplersThatVulkanForbidsAreSentences) {
  SamplerInfo info;
  info.normalizedCoordinates = false;
  info.mipmapped = true;
  EXPECT_FALSE(Sampler::create(m_device, info, "pixels").ok());
  info.mipmapped = false;
  EXPECT_NE(must(Sampler::create(m_device, info, "pixels"))->slot(), 0u);
}

} // namespace
} // namespace basanite::vulkan::test
