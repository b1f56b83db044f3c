// SPDX-License-Identifier: Apache-2.0
// The facts of every VkFormat that a Metal pixel format maps to.
#include "src/vulkan/format_table.hpp"

namespace basanite::vulkan {
namespace {

FormatInfo plain(uint32_t bytes, FormatClass formatClass = FormatClass::floating) {
  FormatInfo info;
  info.blockBytes = bytes;
  info.formatClass = formatClass;
  return info;
}

FormatInfo block(uint32_t bytes, uint32_t width = 4, uint32_t height = 4) {
  FormatInfo info;
  info.blockBytes = bytes;
  info.blockWidth = width;
  info.blockHeight = height;
  return info;
}

FormatInfo depthStencil(uint32_t bytes, VkImageAspectFlags aspects) {
  FormatInfo info;
  info.blockBytes = bytes;
  info.aspects = aspects;
  info.formatClass = FormatClass::depthStencil;
  return info;
}

} // namespace

FormatInfo formatInfo(VkFormat format) {
  switch (format) {
  case VK_FORMAT_R8_UNORM:
  case VK_FORMAT_R8_SNORM:
  case VK_FORMAT_R8_SRGB:
    return plain(1);
  case VK_FORMAT_R8_UINT:
    return plain(1, FormatClass::unsignedInteger);
  case VK_FORMAT_R8_SINT:
    return plain(1, FormatClass::signedInteger);

  case VK_FORMAT_R16_UNORM:
  case VK_FORMAT_R16_SNORM:
  case VK_FORMAT_R16_SFLOAT:
  case VK_FORMAT_R8G8_UNORM:
  case VK_FORMAT_R8G8_SNORM:
  case VK_FORMAT_R8G8_SRGB:
  case VK_FORMAT_R5G6B5_UNORM_PACK16:
  case VK_FORMAT_B5G6R5_UNORM_PACK16:
  case VK_FORMAT_R5G5B5A1_UNORM_PACK16:
  case VK_FORMAT_B5G5R5A1_UNORM_PACK16:
  case VK_FORMAT_A1R5G5B5_UNORM_PACK16:
  case VK_FORMAT_R4G4B4A4_UNORM_PACK16:
  case VK_FORMAT_B4G4R4A4_UNORM_PACK16:
  case VK_FORMAT_A4R4G4B4_UNORM_PACK16:
  case VK_FORMAT_A4B4G4R4_UNORM_PACK16:
    return plain(2);
  case VK_FORMAT_R16_UINT:
  case VK_FORMAT_R8G8_UINT:
    return plain(2, FormatClass::unsignedInteger);
  case VK_FORMAT_R16_SINT:
  case VK_FORMAT_R8G8_SINT:
    return plain(2, FormatClass::signedInteger);

  case VK_FORMAT_R32_SFLOAT:
  case VK_FORMAT_R16G16_UNORM:
  case VK_FORMAT_R16G16_SNORM:
  case VK_FORMAT_R16G16_SFLOAT:
  case VK_FORMAT_R8G8B8A8_UNORM:
  case VK_FORMAT_R8G8B8A8_SNORM:
  case VK_FORMAT_R8G8B8A8_SRGB:
  case VK_FORMAT_B8G8R8A8_UNORM:
  case VK_FORMAT_B8G8R8A8_SRGB:
  case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
  case VK_FORMAT_A2R10G10B10_UNORM_PACK32:
  case VK_FORMAT_B10G11R11_UFLOAT_PACK32:
  case VK_FORMAT_E5B9G9R9_UFLOAT_PACK32:
    return plain(4);
  case VK_FORMAT_R32_UINT:
  case VK_FORMAT_R16G16_UINT:
  case VK_FORMAT_R8G8B8A8_UINT:
  case VK_FORMAT_A2B10G10R10_UINT_PACK32:
  case VK_FORMAT_A2R10G10B10_UINT_PACK32:
    return plain(4, FormatClass::unsignedInteger);
  case VK_FORMAT_R32_SINT:
  case VK_FORMAT_R16G16_SINT:
  case VK_FORMAT_R8G8B8A8_SINT:
    return plain(4, FormatClass::signedInteger);

  case VK_FORMAT_R32G32_SFLOAT:
  case VK_FORMAT_R16G16B16A16_UNORM:
  case VK_FORMAT_R16G16B16A16_SNORM:
  case VK_FORMAT_R16G16B16A16_SFLOAT:
    return plain(8);
  case VK_FORMAT_R32G32_UINT:
  case VK_FORMAT_R16G16B16A16_UINT:
  case VK_FORMAT_R64_UINT:
    return plain(8, FormatClass::unsignedInteger);
  case VK_FORMAT_R32G32_SINT:
  case VK_FORMAT_R16G16B16A16_SINT:
    return plain(8, FormatClass::signedInteger);

  case VK_FORMAT_R32G32B32A32_SFLOAT:
    return plain(16);
  case VK_FORMAT_R32G32B32A32_UINT:
    return plain(16, FormatClass::unsignedInteger);
  case VK_FORMAT_R32G32B32A32_SINT:
    return plain(16, FormatClass::signedInteger);

  case VK_FORMAT_G8B8G8R8_422_UNORM:
  case VK_FORMAT_B8G8R8G8_422_UNORM:
    return block(4, 2, 1);

  case VK_FORMAT_D16_UNORM:
    return depthStencil(2, VK_IMAGE_ASPECT_DEPTH_BIT);
  case VK_FORMAT_X8_D24_UNORM_PACK32:
  case VK_FORMAT_D32_SFLOAT:
    return depthStencil(4, VK_IMAGE_ASPECT_DEPTH_BIT);
  case VK_FORMAT_S8_UINT:
    return depthStencil(1, VK_IMAGE_ASPECT_STENCIL_BIT);
  case VK_FORMAT_D24_UNORM_S8_UINT:
  case VK_FORMAT_D32_SFLOAT_S8_UINT:
    return depthStencil(4, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);

  case VK_FORMAT_BC1_RGB_UNORM_BLOCK:
  case VK_FORMAT_BC1_RGB_SRGB_BLOCK:
  case VK_FORMAT_BC1_RGBA_UNORM_BLOCK:
  case VK_FORMAT_BC1_RGBA_SRGB_BLOCK:
  case VK_FORMAT_BC4_UNORM_BLOCK:
  case VK_FORMAT_BC4_SNORM_BLOCK:
  case VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK:
  case VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK:
  case VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK:
  case VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK:
  case VK_FORMAT_EAC_R11_UNORM_BLOCK:
  case VK_FORMAT_EAC_R11_SNORM_BLOCK:
    return block(8);
  case VK_FORMAT_BC2_UNORM_BLOCK:
  case VK_FORMAT_BC2_SRGB_BLOCK:
  case VK_FORMAT_BC3_UNORM_BLOCK:
  case VK_FORMAT_BC3_SRGB_BLOCK:
  case VK_FORMAT_BC5_UNORM_BLOCK:
  case VK_FORMAT_BC5_SNORM_BLOCK:
  case VK_FORMAT_BC6H_UFLOAT_BLOCK:
  case VK_FORMAT_BC6H_SFLOAT_BLOCK:
  case VK_FORMAT_BC7_UNORM_BLOCK:
  case VK_FORMAT_BC7_SRGB_BLOCK:
  case VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK:
  case VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK:
  case VK_FORMAT_EAC_R11G11_UNORM_BLOCK:
  case VK_FORMAT_EAC_R11G11_SNORM_BLOCK:
    return block(16);

  case VK_FORMAT_ASTC_4x4_UNORM_BLOCK:
  case VK_FORMAT_ASTC_4x4_SRGB_BLOCK:
  case VK_FORMAT_ASTC_4x4_SFLOAT_BLOCK:
    return block(16, 4, 4);
  case VK_FORMAT_ASTC_5x4_UNORM_BLOCK:
  case VK_FORMAT_ASTC_5x4_SRGB_BLOCK:
  case VK_FORMAT_ASTC_5x4_SFLOAT_BLOCK:
    return block(16, 5, 4);
  case VK_FORMAT_ASTC_5x5_UNORM_BLOCK:
  case VK_FORMAT_ASTC_5x5_SRGB_BLOCK:
  case VK_FORMAT_ASTC_5x5_SFLOAT_BLOCK:
    return block(16, 5, 5);
  case VK_FORMAT_ASTC_6x5_UNORM_BLOCK:
  case VK_FORMAT_ASTC_6x5_SRGB_BLOCK:
  case VK_FORMAT_ASTC_6x5_SFLOAT_BLOCK:
    return block(16, 6, 5);
  case VK_FORMAT_ASTC_6x6_UNORM_BLOCK:
  case VK_FORMAT_ASTC_6x6_SRGB_BLOCK:
  case VK_FORMAT_ASTC_6x6_SFLOAT_BLOCK:
    return block(16, 6, 6);
  case VK_FORMAT_ASTC_8x5_UNORM_BLOCK:
  case VK_FORMAT_ASTC_8x5_SRGB_BLOCK:
  case VK_FORMAT_ASTC_8x5_SFLOAT_BLOCK:
    return block(16, 8, 5);
  case VK_FORMAT_ASTC_8x6_UNORM_BLOCK:
  case VK_FORMAT_ASTC_8x6_SRGB_BLOCK:
  case VK_FORMAT_ASTC_8x6_SFLOAT_BLOCK:
    return block(16, 8, 6);
  case VK_FORMAT_ASTC_8x8_UNORM_BLOCK:
  case VK_FORMAT_ASTC_8x8_SRGB_BLOCK:
  case VK_FORMAT_ASTC_8x8_SFLOAT_BLOCK:
    return block(16, 8, 8);
  case VK_FORMAT_ASTC_10x5_UNORM_BLOCK:
  case VK_FORMAT_ASTC_10x5_SRGB_BLOCK:
  case VK_FORMAT_ASTC_10x5_SFLOAT_BLOCK:
    return block(16, 10, 5);
  case VK_FORMAT_ASTC_10x6_UNORM_BLOCK:
  case VK_FORMAT_ASTC_10x6_SRGB_BLOCK:
  case VK_FORMAT_ASTC_10x6_SFLOAT_BLOCK:
    return block(16, 10, 6);
  case VK_FORMAT_ASTC_10x8_UNORM_BLOCK:
  case VK_FORMAT_ASTC_10x8_SRGB_BLOCK:
  case VK_FORMAT_ASTC_10x8_SFLOAT_BLOCK:
    return block(16, 10, 8);
  case VK_FORMAT_ASTC_10x10_UNORM_BLOCK:
  case VK_FORMAT_ASTC_10x10_SRGB_BLOCK:
  case VK_FORMAT_ASTC_10x10_SFLOAT_BLOCK:
    return block(16, 10, 10);
  case VK_FORMAT_ASTC_12x10_UNORM_BLOCK:
  case VK_FORMAT_ASTC_12x10_SRGB_BLOCK:
  case VK_FORMAT_ASTC_12x10_SFLOAT_BLOCK:
    return block(16, 12, 10);
  case VK_FORMAT_ASTC_12x12_UNORM_BLOCK:
  case VK_FORMAT_ASTC_12x12_SRGB_BLOCK:
  case VK_FORMAT_ASTC_12x12_SFLOAT_BLOCK:
    return block(16, 12, 12);

  default:
    return FormatInfo{};
  }
}

uint32_t aspectBytes(VkFormat format, VkImageAspectFlags aspect) {
  if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT) return 1;
  return formatInfo(format).blockBytes;
}

VkFormatProperties3 FormatTable::properties(VkFormat format) const {
  std::lock_guard lock(m_mutex);
  auto found = m_properties.find(format);
  if (found != m_properties.end()) return found->second;
  VkFormatProperties3 properties3{VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
  VkFormatProperties2 properties{VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, &properties3};
  vkGetPhysicalDeviceFormatProperties2(m_vkPhysicalDevice, format, &properties);
  properties3.pNext = nullptr;
  return m_properties[format] = properties3;
}

} // namespace basanite::vulkan
