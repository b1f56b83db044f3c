// SPDX-License-Identifier: Apache-2.0
// Static facts of formats.
#include "src/vulkan/format_table.hpp"

#include <gtest/gtest.h>

namespace basanite::vulkan {
namespace {

TEST(FormatInfo, KnowsSizesAndClasses) {
  EXPECT_EQ(formatInfo(VK_FORMAT_R8_UNORM).blockBytes, 1u);
  EXPECT_EQ(formatInfo(VK_FORMAT_B10G11R11_UFLOAT_PACK32).blockBytes, 4u);
  EXPECT_EQ(formatInfo(VK_FORMAT_R32G32B32A32_SINT).blockBytes, 16u);
  EXPECT_EQ(formatInfo(VK_FORMAT_R32G32B32A32_SINT).formatClass, FormatClass::signedInteger);
  EXPECT_EQ(formatInfo(VK_FORMAT_R16G16_UINT).formatClass, FormatClass::unsignedInteger);
  EXPECT_EQ(formatInfo(VK_FORMAT_UNDEFINED).blockBytes, 0u);
  EXPECT_EQ(formatInfo(VK_FORMAT_R8G8B8_UNORM).blockBytes, 0u)
      << "Metal has no three-component texture formats";
}

TEST(FormatInfo, KnowsBlocks) {
  FormatInfo bc7 = formatInfo(VK_FORMAT_BC7_SRGB_BLOCK);
  EXPECT_TRUE(bc7.compressed());
  EXPECT_EQ(bc7.blockBytes, 16u);
  EXPECT_EQ(formatInfo(VK_FORMAT_BC1_RGBA_UNORM_BLOCK).blockBytes, 8u);
  FormatInfo astc = formatInfo(VK_FORMAT_ASTC_12x10_UNORM_BLOCK);
  EXPECT_EQ(astc.blockWidth, 12u);
  EXPECT_EQ(astc.blockHeight, 10u);
  EXPECT_FALSE(formatInfo(VK_FORMAT_R8_UNORM).compressed());
}

TEST(FormatInfo, KnowsAspects) {
  FormatInfo both = formatInfo(VK_FORMAT_D32_SFLOAT_S8_UINT);
  EXPECT_TRUE(both.isDepth());
  EXPECT_TRUE(both.isStencil());
  EXPECT_EQ(aspectBytes(VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT), 4u);
  EXPECT_EQ(aspectBytes(VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT), 1u);
  EXPECT_EQ(aspectBytes(VK_FORMAT_D16_UNORM, VK_IMAGE_ASPECT_DEPTH_BIT), 2u);
  EXPECT_FALSE(formatInfo(VK_FORMAT_S8_UINT).isDepth());
}

} // namespace
} // namespace basanite::vulkan
