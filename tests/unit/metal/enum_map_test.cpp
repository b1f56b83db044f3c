// SPDX-License-Identifier: Apache-2.0
// Metal's numbers in Vulkan's vocabulary.
#include "src/metal/enum_map.hpp"

#include "src/vulkan/format_table.hpp"

#include <gtest/gtest.h>
#include <set>

namespace basanite::metal {
namespace {

TEST(PixelFormats, MapToTheFormatOfTheSameBits) {
  EXPECT_EQ(toVkFormat(MTL::PixelFormatR8Unorm), VK_FORMAT_R8_UNORM);
  EXPECT_EQ(toVkFormat(MTL::PixelFormatRGBA8Unorm_sRGB), VK_FORMAT_R8G8B8A8_SRGB);
  EXPECT_EQ(toVkFormat(MTL::PixelFormatBGRA8Unorm), VK_FORMAT_B8G8R8A8_UNORM);
  EXPECT_EQ(toVkFormat(MTL::PixelFormatRG16Sint), VK_FORMAT_R16G16_SINT);
  EXPECT_EQ(toVkFormat(MTL::PixelFormatRGBA32Float), VK_FORMAT_R32G32B32A32_SFLOAT);
  EXPECT_EQ(toVkFormat(MTL::PixelFormatRGB10A2Unorm), VK_FORMAT_A2B10G10R10_UNORM_PACK32);
  EXPECT_EQ(toVkFormat(MTL::PixelFormatRG11B10Float), VK_FORMAT_B10G11R11_UFLOAT_PACK32);
  EXPECT_EQ(toVkFormat(MTL::PixelFormatBC7_RGBAUnorm_sRGB), VK_FORMAT_BC7_SRGB_BLOCK);
  EXPECT_EQ(toVkFormat(MTL::PixelFormatASTC_8x5_LDR), VK_FORMAT_ASTC_8x5_UNORM_BLOCK);
  EXPECT_EQ(toVkFormat(MTL::PixelFormatASTC_12x12_HDR), VK_FORMAT_ASTC_12x12_SFLOAT_BLOCK);
  EXPECT_EQ(toVkFormat(MTL::PixelFormatDepth32Float_Stencil8), VK_FORMAT_D32_SFLOAT_S8_UINT);
  EXPECT_EQ(toVkFormat(MTL::PixelFormatX32_Stencil8), VK_FORMAT_D32_SFLOAT_S8_UINT);
}

TEST(PixelFormats, WithoutCounterpartKeepTheirName) {
  EXPECT_EQ(toVkFormat(MTL::PixelFormatPVRTC_RGBA_4BPP), VK_FORMAT_UNDEFINED);
  EXPECT_STREQ(pixelFormatName(MTL::PixelFormatPVRTC_RGBA_4BPP), "PVRTC_RGBA_4BPP");
  EXPECT_EQ(pixelFormatInfo(MTL::PixelFormatInvalid), nullptr);
  EXPECT_STREQ(pixelFormatName(MTL::PixelFormatInvalid), "Invalid");
  EXPECT_EQ(toVkFormat(static_cast<MTL::PixelFormat>(9999)), VK_FORMAT_UNDEFINED);
  EXPECT_STREQ(pixelFormatName(static_cast<MTL::PixelFormat>(9999)), "unknown");
}

TEST(PixelFormats, AreAllKnownToTheBackend) {
  std::set<MTL::PixelFormat> seen;
  size_t mapped = 0;
  for (const PixelFormatInfo& info : allPixelFormats()) {
    EXPECT_TRUE(seen.insert(info.format).second) << info.name;
    if (info.vkFormat == VK_FORMAT_UNDEFINED) continue;
    ++mapped;
    EXPECT_NE(vulkan::formatInfo(info.vkFormat).blockBytes, 0u) << info.name;
  }
  EXPECT_EQ(seen.size(), 138u);
  EXPECT_EQ(mapped, 124u); // all but 4 extended-range, 8 PVRTC and 2 4:2:2 formats
}

TEST(VertexFormats, HaveTheirSize) {
  EXPECT_EQ(vertexFormatBytes(MTL::VertexFormatFloat3), 12u);
  EXPECT_EQ(vertexFormatBytes(MTL::VertexFormatHalf3), 6u);
  EXPECT_EQ(vertexFormatBytes(MTL::VertexFormatUChar3Normalized), 3u);
  EXPECT_EQ(vertexFormatBytes(MTL::VertexFormatUInt1010102Normalized), 4u);
  EXPECT_EQ(vertexFormatBytes(MTL::VertexFormatChar), 1u);
  EXPECT_EQ(vertexFormatBytes(MTL::VertexFormatInvalid), 0u);
  EXPECT_EQ(vertexFormatBytes(static_cast<MTL::VertexFormat>(44)), 0u);
}

TEST(ColorWriteMask, ReversesTheBits) {
  EXPECT_EQ(toVkColorWriteMask(MTL::ColorWriteMaskRed), VkColorComponentFlags(VK_COLOR_COMPONENT_R_BIT));
  EXPECT_EQ(toVkColorWriteMask(MTL::ColorWriteMaskAlpha), VkColorComponentFlags(VK_COLOR_COMPONENT_A_BIT));
  EXPECT_EQ(toVkColorWriteMask(MTL::ColorWriteMaskAll), 0xfu);
  EXPECT_EQ(toVkColorWriteMask(MTL::ColorWriteMaskNone), 0u);
  EXPECT_EQ(toVkColorWriteMask(MTL::ColorWriteMaskUnspecialized), 0xfu);
}

TEST(Compare, KeepsItsOrder) {
  for (uint32_t i = 0; i < 8; ++i)
    EXPECT_EQ(toVkCompareOp(static_cast<MTL::CompareFunction>(i)), static_cast<VkCompareOp>(i));
}

TEST(Blend, FactorsOfTheSecondSource) {
  EXPECT_EQ(toVkBlendFactor(MTL::BlendFactorOneMinusSource1Alpha), VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA);
  EXPECT_EQ(toVkBlendFactor(MTL::BlendFactorBlendColor), VK_BLEND_FACTOR_CONSTANT_COLOR);
  EXPECT_EQ(toVkBlendOp(MTL::BlendOperationReverseSubtract), VK_BLEND_OP_REVERSE_SUBTRACT);
}

TEST(Attachments, UnknownStoresAndResolveAloneDoesNot) {
  EXPECT_EQ(toVkStoreOp(MTL::StoreActionUnknown), VK_ATTACHMENT_STORE_OP_STORE);
  EXPECT_EQ(toVkStoreOp(MTL::StoreActionMultisampleResolve), VK_ATTACHMENT_STORE_OP_DONT_CARE);
  EXPECT_TRUE(storeActionResolves(MTL::StoreActionMultisampleResolve));
  EXPECT_TRUE(storeActionResolves(MTL::StoreActionStoreAndMultisampleResolve));
  EXPECT_FALSE(storeActionResolves(MTL::StoreActionStore));
  EXPECT_EQ(toVkLoadOp(MTL::LoadActionClear), VK_ATTACHMENT_LOAD_OP_CLEAR);
}

TEST(Stages, NameTheNarrowestPipelineStages) {
  EXPECT_EQ(toVkStages(0), 0u);
  EXPECT_EQ(toVkStages(MTL::StageAll), VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  VkPipelineStageFlags2 vertex = toVkStages(MTL::StageVertex);
  EXPECT_TRUE(vertex & VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT);
  EXPECT_TRUE(vertex & VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT);
  EXPECT_FALSE(vertex & VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
  VkPipelineStageFlags2 fragment = toVkStages(MTL::StageFragment);
  EXPECT_TRUE(fragment & VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT);
  EXPECT_TRUE(fragment & VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT);
  EXPECT_FALSE(fragment & VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT);
  EXPECT_FALSE(fragment & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  VkPipelineStageFlags2 dispatch = toVkStages(MTL::StageDispatch);
  EXPECT_TRUE(dispatch & VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
  EXPECT_FALSE(dispatch & VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT);
  EXPECT_TRUE(toVkStages(MTL::StageBlit) & VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT);
}

TEST(Textures, TypesAndViews) {
  EXPECT_EQ(toVkImageType(MTL::TextureTypeCubeArray), VK_IMAGE_TYPE_2D);
  EXPECT_EQ(toVkImageViewType(MTL::TextureTypeCubeArray), VK_IMAGE_VIEW_TYPE_CUBE_ARRAY);
  EXPECT_EQ(toVkImageViewType(MTL::TextureType2DMultisample), VK_IMAGE_VIEW_TYPE_2D);
  EXPECT_EQ(toVkImageType(MTL::TextureType3D), VK_IMAGE_TYPE_3D);
  EXPECT_EQ(toVkSwizzle(MTL::TextureSwizzleOne), VK_COMPONENT_SWIZZLE_ONE);
  EXPECT_TRUE(isArrayTexture(MTL::TextureType2DArray));
  EXPECT_FALSE(isArrayTexture(MTL::TextureTypeCube));
}

TEST(Drawing, WindingTopologyAndIndices) {
  EXPECT_EQ(toVkFrontFace(MTL::WindingClockwise), VK_FRONT_FACE_CLOCKWISE);
  EXPECT_EQ(toVkTopology(MTL::PrimitiveTypeTriangleStrip), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
  EXPECT_EQ(toVkTopology(MTL::PrimitiveTypePoint), VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
  EXPECT_EQ(indexBytes(MTL::IndexTypeUInt16), 2u);
  EXPECT_EQ(indexBytes(MTL::IndexTypeUInt32), 4u);
  EXPECT_EQ(toVkCullMode(MTL::CullModeBack), VkCullModeFlags(VK_CULL_MODE_BACK_BIT));
}

} // namespace
} // namespace basanite::metal
