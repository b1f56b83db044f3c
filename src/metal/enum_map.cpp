// SPDX-License-Identifier: Apache-2.0
// Tables and switches from Metal's numbers to Vulkan's.
#include "src/metal/enum_map.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace basanite::metal {

namespace {

// Ordered as the API declares them. BGR10_XR, PVRTC and the 4:2:2 formats have no Vulkan counterpart.
constexpr PixelFormatInfo kPixelFormats[] = {
    {MTL::PixelFormatA8Unorm, VK_FORMAT_R8_UNORM, "A8Unorm"},
    {MTL::PixelFormatR8Unorm, VK_FORMAT_R8_UNORM, "R8Unorm"},
    {MTL::PixelFormatR8Unorm_sRGB, VK_FORMAT_R8_SRGB, "R8Unorm_sRGB"},
    {MTL::PixelFormatR8Snorm, VK_FORMAT_R8_SNORM, "R8Snorm"},
    {MTL::PixelFormatR8Uint, VK_FORMAT_R8_UINT, "R8Uint"},
    {MTL::PixelFormatR8Sint, VK_FORMAT_R8_SINT, "R8Sint"},
    {MTL::PixelFormatR16Unorm, VK_FORMAT_R16_UNORM, "R16Unorm"},
    {MTL::PixelFormatR16Snorm, VK_FORMAT_R16_SNORM, "R16Snorm"},
    {MTL::PixelFormatR16Uint, VK_FORMAT_R16_UINT, "R16Uint"},
    {MTL::PixelFormatR16Sint, VK_FORMAT_R16_SINT, "R16Sint"},
    {MTL::PixelFormatR16Float, VK_FORMAT_R16_SFLOAT, "R16Float"},
    {MTL::PixelFormatRG8Unorm, VK_FORMAT_R8G8_UNORM, "RG8Unorm"},
    {MTL::PixelFormatRG8Unorm_sRGB, VK_FORMAT_R8G8_SRGB, "RG8Unorm_sRGB"},
    {MTL::PixelFormatRG8Snorm, VK_FORMAT_R8G8_SNORM, "RG8Snorm"},
    {MTL::PixelFormatRG8Uint, VK_FORMAT_R8G8_UINT, "RG8Uint"},
    {MTL::PixelFormatRG8Sint, VK_FORMAT_R8G8_SINT, "RG8Sint"},
    {MTL::PixelFormatB5G6R5Unorm, VK_FORMAT_R5G6B5_UNORM_PACK16, "B5G6R5Unorm"},
    {MTL::PixelFormatA1BGR5Unorm, VK_FORMAT_R5G5B5A1_UNORM_PACK16, "A1BGR5Unorm"},
    {MTL::PixelFormatABGR4Unorm, VK_FORMAT_R4G4B4A4_UNORM_PACK16, "ABGR4Unorm"},
    {MTL::PixelFormatBGR5A1Unorm, VK_FORMAT_A1R5G5B5_UNORM_PACK16, "BGR5A1Unorm"},
    {MTL::PixelFormatR32Uint, VK_FORMAT_R32_UINT, "R32Uint"},
    {MTL::PixelFormatR32Sint, VK_FORMAT_R32_SINT, "R32Sint"},
    {MTL::PixelFormatR32Float, VK_FORMAT_R32_SFLOAT, "R32Float"},
    {MTL::PixelFormatRG16Unorm, VK_FORMAT_R16G16_UNORM, "RG16Unorm"},
    {MTL::PixelFormatRG16Snorm, VK_FORMAT_R16G16_SNORM, "RG16Snorm"},
    {MTL::PixelFormatRG16Uint, VK_FORMAT_R16G16_UINT, "RG16Uint"},
    {MTL::PixelFormatRG16Sint, VK_FORMAT_R16G16_SINT, "RG16Sint"},
    {MTL::PixelFormatRG16Float, VK_FORMAT_R16G16_SFLOAT, "RG16Float"},
    {MTL::PixelFormatRGBA8Unorm, VK_FORMAT_R8G8B8A8_UNORM, "RGBA8Unorm"},
    {MTL::PixelFormatRGBA8Unorm_sRGB, VK_FORMAT_R8G8B8A8_SRGB, "RGBA8Unorm_sRGB"},
    {MTL::PixelFormatRGBA8Snorm, VK_FORMAT_R8G8B8A8_SNORM, "RGBA8Snorm"},
    {MTL::PixelFormatRGBA8Uint, VK_FORMAT_R8G8B8A8_UINT, "RGBA8Uint"},
    {MTL::PixelFormatRGBA8Sint, VK_FORMAT_R8G8B8A8_SINT, "RGBA8Sint"},
    {MTL::PixelFormatBGRA8Unorm, VK_FORMAT_B8G8R8A8_UNORM, "BGRA8Unorm"},
    {MTL::PixelFormatBGRA8Unorm_sRGB, VK_FORMAT_B8G8R8A8_SRGB, "BGRA8Unorm_sRGB"},
    {MTL::PixelFormatRGB10A2Unorm, VK_FORMAT_A2B10G10R10_UNORM_PACK32, "RGB10A2Unorm"},
    {MTL::PixelFormatRGB10A2Uint, VK_FORMAT_A2B10G10R10_UINT_PACK32, "RGB10A2Uint"},
    {MTL::PixelFormatRG11B10Float, VK_FORMAT_B10G11R11_UFLOAT_PACK32, "RG11B10Float"},
    {MTL::PixelFormatRGB9E5Float, VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, "RGB9E5Float"},
    {MTL::PixelFormatBGR10A2Unorm, VK_FORMAT_A2R10G10B10_UNORM_PACK32, "BGR10A2Unorm"},
    {MTL::PixelFormatBGR10_XR, VK_FORMAT_UNDEFINED, "BGR10_XR"},
    {MTL::PixelFormatBGR10_XR_sRGB, VK_FORMAT_UNDEFINED, "BGR10_XR_sRGB"},
    {MTL::PixelFormatRG32Uint, VK_FORMAT_R32G32_UINT, "RG32Uint"},
    {MTL::PixelFormatRG32Sint, VK_FORMAT_R32G32_SINT, "RG32Sint"},
    {MTL::PixelFormatRG32Float, VK_FORMAT_R32G32_SFLOAT, "RG32Float"},
    {MTL::PixelFormatRGBA16Unorm, VK_FORMAT_R16G16B16A16_UNORM, "RGBA16Unorm"},
    {MTL::PixelFormatRGBA16Snorm, VK_FORMAT_R16G16B16A16_SNORM, "RGBA16Snorm"},
    {MTL::PixelFormatRGBA16Uint, VK_FORMAT_R16G16B16A16_UINT, "RGBA16Uint"},
    {MTL::PixelFormatRGBA16Sint, VK_FORMAT_R16G16B16A16_SINT, "RGBA16Sint"},
    {MTL::PixelFormatRGBA16Float, VK_FORMAT_R16G16B16A16_SFLOAT, "RGBA16Float"},
    {MTL::PixelFormatBGRA10_XR, VK_FORMAT_UNDEFINED, "BGRA10_XR"},
    {MTL::PixelFormatBGRA10_XR_sRGB, VK_FORMAT_UNDEFINED, "BGRA10_XR_sRGB"},
    {MTL::PixelFormatRGBA32Uint, VK_FORMAT_R32G32B32A32_UINT, "RGBA32Uint"},
    {MTL::PixelFormatRGBA32Sint, VK_FORMAT_R32G32B32A32_SINT, "RGBA32Sint"},
    {MTL::PixelFormatRGBA32Float, VK_FORMAT_R32G32B32A32_SFLOAT, "RGBA32Float"},
    {MTL::PixelFormatBC1_RGBA, VK_FORMAT_BC1_RGBA_UNORM_BLOCK, "BC1_RGBA"},
    {MTL::PixelFormatBC1_RGBA_sRGB, VK_FORMAT_BC1_RGBA_SRGB_BLOCK, "BC1_RGBA_sRGB"},
    {MTL::PixelFormatBC2_RGBA, VK_FORMAT_BC2_UNORM_BLOCK, "BC2_RGBA"},
    {MTL::PixelFormatBC2_RGBA_sRGB, VK_FORMAT_BC2_SRGB_BLOCK, "BC2_RGBA_sRGB"},
    {MTL::PixelFormatBC3_RGBA, VK_FORMAT_BC3_UNORM_BLOCK, "BC3_RGBA"},
    {MTL::PixelFormatBC3_RGBA_sRGB, VK_FORMAT_BC3_SRGB_BLOCK, "BC3_RGBA_sRGB"},
    {MTL::PixelFormatBC4_RUnorm, VK_FORMAT_BC4_UNORM_BLOCK, "BC4_RUnorm"},
    {MTL::PixelFormatBC4_RSnorm, VK_FORMAT_BC4_SNORM_BLOCK, "BC4_RSnorm"},
    {MTL::PixelFormatBC5_RGUnorm, VK_FORMAT_BC5_UNORM_BLOCK, "BC5_RGUnorm"},
    {MTL::PixelFormatBC5_RGSnorm, VK_FORMAT_BC5_SNORM_BLOCK, "BC5_RGSnorm"},
    {MTL::PixelFormatBC6H_RGBFloat, VK_FORMAT_BC6H_SFLOAT_BLOCK, "BC6H_RGBFloat"},
    {MTL::PixelFormatBC6H_RGBUfloat, VK_FORMAT_BC6H_UFLOAT_BLOCK, "BC6H_RGBUfloat"},
    {MTL::PixelFormatBC7_RGBAUnorm, VK_FORMAT_BC7_UNORM_BLOCK, "BC7_RGBAUnorm"},
    {MTL::PixelFormatBC7_RGBAUnorm_sRGB, VK_FORMAT_BC7_SRGB_BLOCK, "BC7_RGBAUnorm_sRGB"},
    {MTL::PixelFormatPVRTC_RGB_2BPP, VK_FORMAT_UNDEFINED, "PVRTC_RGB_2BPP"},
    {MTL::PixelFormatPVRTC_RGB_2BPP_sRGB, VK_FORMAT_UNDEFINED, "PVRTC_RGB_2BPP_sRGB"},
    {MTL::PixelFormatPVRTC_RGB_4BPP, VK_FORMAT_UNDEFINED, "PVRTC_RGB_4BPP"},
    {MTL::PixelFormatPVRTC_RGB_4BPP_sRGB, VK_FORMAT_UNDEFINED, "PVRTC_RGB_4BPP_sRGB"},
    {MTL::PixelFormatPVRTC_RGBA_2BPP, VK_FORMAT_UNDEFINED, "PVRTC_RGBA_2BPP"},
    {MTL::PixelFormatPVRTC_RGBA_2BPP_sRGB, VK_FORMAT_UNDEFINED, "PVRTC_RGBA_2BPP_sRGB"},
    {MTL::PixelFormatPVRTC_RGBA_4BPP, VK_FORMAT_UNDEFINED, "PVRTC_RGBA_4BPP"},
    {MTL::PixelFormatPVRTC_RGBA_4BPP_sRGB, VK_FORMAT_UNDEFINED, "PVRTC_RGBA_4BPP_sRGB"},
    {MTL::PixelFormatEAC_R11Unorm, VK_FORMAT_EAC_R11_UNORM_BLOCK, "EAC_R11Unorm"},
    {MTL::PixelFormatEAC_R11Snorm, VK_FORMAT_EAC_R11_SNORM_BLOCK, "EAC_R11Snorm"},
    {MTL::PixelFormatEAC_RG11Unorm, VK_FORMAT_EAC_R11G11_UNORM_BLOCK, "EAC_RG11Unorm"},
    {MTL::PixelFormatEAC_RG11Snorm, VK_FORMAT_EAC_R11G11_SNORM_BLOCK, "EAC_RG11Snorm"},
    {MTL::PixelFormatEAC_RGBA8, VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, "EAC_RGBA8"},
    {MTL::PixelFormatEAC_RGBA8_sRGB, VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK, "EAC_RGBA8_sRGB"},
    {MTL::PixelFormatETC2_RGB8, VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, "ETC2_RGB8"},
    {MTL::PixelFormatETC2_RGB8_sRGB, VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK, "ETC2_RGB8_sRGB"},
    {MTL::PixelFormatETC2_RGB8A1, VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK, "ETC2_RGB8A1"},
    {MTL::PixelFormatETC2_RGB8A1_sRGB, VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK, "ETC2_RGB8A1_sRGB"},
    {MTL::PixelFormatASTC_4x4_sRGB, VK_FORMAT_ASTC_4x4_SRGB_BLOCK, "ASTC_4x4_sRGB"},
    {MTL::PixelFormatASTC_5x4_sRGB, VK_FORMAT_ASTC_5x4_SRGB_BLOCK, "ASTC_5x4_sRGB"},
    {MTL::PixelFormatASTC_5x5_sRGB, VK_FORMAT_ASTC_5x5_SRGB_BLOCK, "ASTC_5x5_sRGB"},
    {MTL::PixelFormatASTC_6x5_sRGB, VK_FORMAT_ASTC_6x5_SRGB_BLOCK, "ASTC_6x5_sRGB"},
    {MTL::PixelFormatASTC_6x6_sRGB, VK_FORMAT_ASTC_6x6_SRGB_BLOCK, "ASTC_6x6_sRGB"},
    {MTL::PixelFormatASTC_8x5_sRGB, VK_FORMAT_ASTC_8x5_SRGB_BLOCK, "ASTC_8x5_sRGB"},
    {MTL::PixelFormatASTC_8x6_sRGB, VK_FORMAT_ASTC_8x6_SRGB_BLOCK, "ASTC_8x6_sRGB"},
    {MTL::PixelFormatASTC_8x8_sRGB, VK_FORMAT_ASTC_8x8_SRGB_BLOCK, "ASTC_8x8_sRGB"},
    {MTL::PixelFormatASTC_10x5_sRGB, VK_FORMAT_ASTC_10x5_SRGB_BLOCK, "ASTC_10x5_sRGB"},
    {MTL::PixelFormatASTC_10x6_sRGB, VK_FORMAT_ASTC_10x6_SRGB_BLOCK, "ASTC_10x6_sRGB"},
    {MTL::PixelFormatASTC_10x8_sRGB, VK_FORMAT_ASTC_10x8_SRGB_BLOCK, "ASTC_10x8_sRGB"},
    {MTL::PixelFormatASTC_10x10_sRGB, VK_FORMAT_ASTC_10x10_SRGB_BLOCK, "ASTC_10x10_sRGB"},
    {MTL::PixelFormatASTC_12x10_sRGB, VK_FORMAT_ASTC_12x10_SRGB_BLOCK, "ASTC_12x10_sRGB"},
    {MTL::PixelFormatASTC_12x12_sRGB, VK_FORMAT_ASTC_12x12_SRGB_BLOCK, "ASTC_12x12_sRGB"},
    {MTL::PixelFormatASTC_4x4_LDR, VK_FORMAT_ASTC_4x4_UNORM_BLOCK, "ASTC_4x4_LDR"},
    {MTL::PixelFormatASTC_5x4_LDR, VK_FORMAT_ASTC_5x4_UNORM_BLOCK, "ASTC_5x4_LDR"},
    {MTL::PixelFormatASTC_5x5_LDR, VK_FORMAT_ASTC_5x5_UNORM_BLOCK, "ASTC_5x5_LDR"},
    {MTL::PixelFormatASTC_6x5_LDR, VK_FORMAT_ASTC_6x5_UNORM_BLOCK, "ASTC_6x5_LDR"},
    {MTL::PixelFormatASTC_6x6_LDR, VK_FORMAT_ASTC_6x6_UNORM_BLOCK, "ASTC_6x6_LDR"},
    {MTL::PixelFormatASTC_8x5_LDR, VK_FORMAT_ASTC_8x5_UNORM_BLOCK, "ASTC_8x5_LDR"},
    {MTL::PixelFormatASTC_8x6_LDR, VK_FORMAT_ASTC_8x6_UNORM_BLOCK, "ASTC_8x6_LDR"},
    {MTL::PixelFormatASTC_8x8_LDR, VK_FORMAT_ASTC_8x8_UNORM_BLOCK, "ASTC_8x8_LDR"},
    {MTL::PixelFormatASTC_10x5_LDR, VK_FORMAT_ASTC_10x5_UNORM_BLOCK, "ASTC_10x5_LDR"},
    {MTL::PixelFormatASTC_10x6_LDR, VK_FORMAT_ASTC_10x6_UNORM_BLOCK, "ASTC_10x6_LDR"},
    {MTL::PixelFormatASTC_10x8_LDR, VK_FORMAT_ASTC_10x8_UNORM_BLOCK, "ASTC_10x8_LDR"},
    {MTL::PixelFormatASTC_10x10_LDR, VK_FORMAT_ASTC_10x10_UNORM_BLOCK, "ASTC_10x10_LDR"},
    {MTL::PixelFormatASTC_12x10_LDR, VK_FORMAT_ASTC_12x10_UNORM_BLOCK, "ASTC_12x10_LDR"},
    {MTL::PixelFormatASTC_12x12_LDR, VK_FORMAT_ASTC_12x12_UNORM_BLOCK, "ASTC_12x12_LDR"},
    {MTL::PixelFormatASTC_4x4_HDR, VK_FORMAT_ASTC_4x4_SFLOAT_BLOCK, "ASTC_4x4_HDR"},
    {MTL::PixelFormatASTC_5x4_HDR, VK_FORMAT_ASTC_5x4_SFLOAT_BLOCK, "ASTC_5x4_HDR"},
    {MTL::PixelFormatASTC_5x5_HDR, VK_FORMAT_ASTC_5x5_SFLOAT_BLOCK, "ASTC_5x5_HDR"},
    {MTL::PixelFormatASTC_6x5_HDR, VK_FORMAT_ASTC_6x5_SFLOAT_BLOCK, "ASTC_6x5_HDR"},
    {MTL::PixelFormatASTC_6x6_HDR, VK_FORMAT_ASTC_6x6_SFLOAT_BLOCK, "ASTC_6x6_HDR"},
    {MTL::PixelFormatASTC_8x5_HDR, VK_FORMAT_ASTC_8x5_SFLOAT_BLOCK, "ASTC_8x5_HDR"},
    {MTL::PixelFormatASTC_8x6_HDR, VK_FORMAT_ASTC_8x6_SFLOAT_BLOCK, "ASTC_8x6_HDR"},
    {MTL::PixelFormatASTC_8x8_HDR, VK_FORMAT_ASTC_8x8_SFLOAT_BLOCK, "ASTC_8x8_HDR"},
    {MTL::PixelFormatASTC_10x5_HDR, VK_FORMAT_ASTC_10x5_SFLOAT_BLOCK, "ASTC_10x5_HDR"},
    {MTL::PixelFormatASTC_10x6_HDR, VK_FORMAT_ASTC_10x6_SFLOAT_BLOCK, "ASTC_10x6_HDR"},
    {MTL::PixelFormatASTC_10x8_HDR, VK_FORMAT_ASTC_10x8_SFLOAT_BLOCK, "ASTC_10x8_HDR"},
    {MTL::PixelFormatASTC_10x10_HDR, VK_FORMAT_ASTC_10x10_SFLOAT_BLOCK, "ASTC_10x10_HDR"},
    {MTL::PixelFormatASTC_12x10_HDR, VK_FORMAT_ASTC_12x10_SFLOAT_BLOCK, "ASTC_12x10_HDR"},
    {MTL::PixelFormatASTC_12x12_HDR, VK_FORMAT_ASTC_12x12_SFLOAT_BLOCK, "ASTC_12x12_HDR"},
    {MTL::PixelFormatGBGR422, VK_FORMAT_UNDEFINED, "GBGR422"},
    {MTL::PixelFormatBGRG422, VK_FORMAT_UNDEFINED, "BGRG422"},
    {MTL::PixelFormatDepth16Unorm, VK_FORMAT_D16_UNORM, "Depth16Unorm"},
    {MTL::PixelFormatDepth32Float, VK_FORMAT_D32_SFLOAT, "Depth32Float"},
    {MTL::PixelFormatStencil8, VK_FORMAT_S8_UINT, "Stencil8"},
    {MTL::PixelFormatDepth24Unorm_Stencil8, VK_FORMAT_D24_UNORM_S8_UINT, "Depth24Unorm_Stencil8"},
    {MTL::PixelFormatDepth32Float_Stencil8, VK_FORMAT_D32_SFLOAT_S8_UINT, "Depth32Float_Stencil8"},
    {MTL::PixelFormatX32_Stencil8, VK_FORMAT_D32_SFLOAT_S8_UINT, "X32_Stencil8"},
    {MTL::PixelFormatX24_Stencil8, VK_FORMAT_D24_UNORM_S8_UINT, "X24_Stencil8"},
};

bool hasAny(MTL::Stages mask, MTL::Stages bits) { return (mask & bits) != 0; }

} // namespace

std::span<const PixelFormatInfo> allPixelFormats() { return kPixelFormats; }

const PixelFormatInfo* pixelFormatInfo(MTL::PixelFormat format) {
  auto found = std::find_if(std::begin(kPixelFormats), std::end(kPixelFormats),
                            [&](const PixelFormatInfo& info) { return info.format == format; });
  return found == std::end(kPixelFormats) ? nullptr : found;
}

VkFormat toVkFormat(MTL::PixelFormat format) {
  const PixelFormatInfo* info = pixelFormatInfo(format);
  return info ? info->vkFormat : VK_FORMAT_UNDEFINED;
}

const char* pixelFormatName(MTL::PixelFormat format) {
  if (format == MTL::PixelFormatInvalid) return "Invalid";
  if (format == MTL::PixelFormatUnspecialized) return "Unspecialized";
  const PixelFormatInfo* info = pixelFormatInfo(format);
  return info ? info->name : "unknown";
}

std::string pixelFormatText(MTL::PixelFormat format) {
  const char* name = pixelFormatName(format);
  if (pixelFormatInfo(format) || format == MTL::PixelFormatInvalid || format == MTL::PixelFormatUnspecialized)
    return name;
  return fmt::format("{} (which is no PixelFormat)", static_cast<uint64_t>(format));
}

bool isAlphaOnly(MTL::PixelFormat format) { return format == MTL::PixelFormatA8Unorm; }
bool isStencilView(MTL::PixelFormat format) {
  return format == MTL::PixelFormatX32_Stencil8 || format == MTL::PixelFormatX24_Stencil8;
}

uint32_t vertexFormatBytes(MTL::VertexFormat format) {
  switch (format) {
  case MTL::VertexFormatUChar:
  case MTL::VertexFormatChar:
  case MTL::VertexFormatUCharNormalized:
  case MTL::VertexFormatCharNormalized:
    return 1;
  case MTL::VertexFormatUChar2:
  case MTL::VertexFormatChar2:
  case MTL::VertexFormatUChar2Normalized:
  case MTL::VertexFormatChar2Normalized:
  case MTL::VertexFormatUShort:
  case MTL::VertexFormatShort:
  case MTL::VertexFormatUShortNormalized:
  case MTL::VertexFormatShortNormalized:
  case MTL::VertexFormatHalf:
    return 2;
  case MTL::VertexFormatUChar3:
  case MTL::VertexFormatChar3:
  case MTL::VertexFormatUChar3Normalized:
  case MTL::VertexFormatChar3Normalized:
    return 3;
  case MTL::VertexFormatUChar4:
  case MTL::VertexFormatChar4:
  case MTL::VertexFormatUChar4Normalized:
  case MTL::VertexFormatChar4Normalized:
  case MTL::VertexFormatUChar4Normalized_BGRA:
  case MTL::VertexFormatUShort2:
  case MTL::VertexFormatShort2:
  case MTL::VertexFormatUShort2Normalized:
  case MTL::VertexFormatShort2Normalized:
  case MTL::VertexFormatHalf2:
  case MTL::VertexFormatFloat:
  case MTL::VertexFormatInt:
  case MTL::VertexFormatUInt:
  case MTL::VertexFormatInt1010102Normalized:
  case MTL::VertexFormatUInt1010102Normalized:
  case MTL::VertexFormatFloatRG11B10:
  case MTL::VertexFormatFloatRGB9E5:
    return 4;
  case MTL::VertexFormatUShort3:
  case MTL::VertexFormatShort3:
  case MTL::VertexFormatUShort3Normalized:
  case MTL::VertexFormatShort3Normalized:
  case MTL::VertexFormatHalf3:
    return 6;
  case MTL::VertexFormatUShort4:
  case MTL::VertexFormatShort4:
  case MTL::VertexFormatUShort4Normalized:
  case MTL::VertexFormatShort4Normalized:
  case MTL::VertexFormatHalf4:
  case MTL::VertexFormatFloat2:
  case MTL::VertexFormatInt2:
  case MTL::VertexFormatUInt2:
    return 8;
  case MTL::VertexFormatFloat3:
  case MTL::VertexFormatInt3:
  case MTL::VertexFormatUInt3:
    return 12;
  case MTL::VertexFormatFloat4:
  case MTL::VertexFormatInt4:
  case MTL::VertexFormatUInt4:
    return 16;
  case MTL::VertexFormatInvalid:
    return 0;
  }
  return 0;
}

VkCompareOp toVkCompareOp(MTL::CompareFunction function) {
  switch (function) {
  case MTL::CompareFunctionNever:
    return VK_COMPARE_OP_NEVER;
  case MTL::CompareFunctionLess:
    return VK_COMPARE_OP_LESS;
  case MTL::CompareFunctionEqual:
    return VK_COMPARE_OP_EQUAL;
  case MTL::CompareFunctionLessEqual:
    return VK_COMPARE_OP_LESS_OR_EQUAL;
  case MTL::CompareFunctionGreater:
    return VK_COMPARE_OP_GREATER;
  case MTL::CompareFunctionNotEqual:
    return VK_COMPARE_OP_NOT_EQUAL;
  case MTL::CompareFunctionGreaterEqual:
    return VK_COMPARE_OP_GREATER_OR_EQUAL;
  case MTL::CompareFunctionAlways:
    return VK_COMPARE_OP_ALWAYS;
  }
  return VK_COMPARE_OP_ALWAYS;
}

VkStencilOp toVkStencilOp(MTL::StencilOperation operation) {
  switch (operation) {
  case MTL::StencilOperationKeep:
    return VK_STENCIL_OP_KEEP;
  case MTL::StencilOperationZero:
    return VK_STENCIL_OP_ZERO;
  case MTL::StencilOperationReplace:
    return VK_STENCIL_OP_REPLACE;
  case MTL::StencilOperationIncrementClamp:
    return VK_STENCIL_OP_INCREMENT_AND_CLAMP;
  case MTL::StencilOperationDecrementClamp:
    return VK_STENCIL_OP_DECREMENT_AND_CLAMP;
  case MTL::StencilOperationInvert:
    return VK_STENCIL_OP_INVERT;
  case MTL::StencilOperationIncrementWrap:
    return VK_STENCIL_OP_INCREMENT_AND_WRAP;
  case MTL::StencilOperationDecrementWrap:
    return VK_STENCIL_OP_DECREMENT_AND_WRAP;
  }
  return VK_STENCIL_OP_KEEP;
}

VkBlendFactor toVkBlendFactor(MTL::BlendFactor factor) {
  switch (factor) {
  case MTL::BlendFactorZero:
    return VK_BLEND_FACTOR_ZERO;
  case MTL::BlendFactorOne:
    return VK_BLEND_FACTOR_ONE;
  case MTL::BlendFactorSourceColor:
    return VK_BLEND_FACTOR_SRC_COLOR;
  case MTL::BlendFactorOneMinusSourceColor:
    return VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR;
  case MTL::BlendFactorSourceAlpha:
    return VK_BLEND_FACTOR_SRC_ALPHA;
  case MTL::BlendFactorOneMinusSourceAlpha:
    return VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  case MTL::BlendFactorDestinationColor:
    return VK_BLEND_FACTOR_DST_COLOR;
  case MTL::BlendFactorOneMinusDestinationColor:
    return VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR;
  case MTL::BlendFactorDestinationAlpha:
    return VK_BLEND_FACTOR_DST_ALPHA;
  case MTL::BlendFactorOneMinusDestinationAlpha:
    return VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA;
  case MTL::BlendFactorSourceAlphaSaturated:
    return VK_BLEND_FACTOR_SRC_ALPHA_SATURATE;
  case MTL::BlendFactorBlendColor:
    return VK_BLEND_FACTOR_CONSTANT_COLOR;
  case MTL::BlendFactorOneMinusBlendColor:
    return VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR;
  case MTL::BlendFactorBlendAlpha:
    return VK_BLEND_FACTOR_CONSTANT_ALPHA;
  case MTL::BlendFactorOneMinusBlendAlpha:
    return VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
  case MTL::BlendFactorSource1Color:
    return VK_BLEND_FACTOR_SRC1_COLOR;
  case MTL::BlendFactorOneMinusSource1Color:
    return VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR;
  case MTL::BlendFactorSource1Alpha:
    return VK_BLEND_FACTOR_SRC1_ALPHA;
  case MTL::BlendFactorOneMinusSource1Alpha:
    return VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
  case MTL::BlendFactorUnspecialized:
    return VK_BLEND_FACTOR_ONE;
  }
  return VK_BLEND_FACTOR_ONE;
}

VkBlendOp toVkBlendOp(MTL::BlendOperation operation) {
  switch (operation) {
  case MTL::BlendOperationAdd:
    return VK_BLEND_OP_ADD;
  case MTL::BlendOperationSubtract:
    return VK_BLEND_OP_SUBTRACT;
  case MTL::BlendOperationReverseSubtract:
    return VK_BLEND_OP_REVERSE_SUBTRACT;
  case MTL::BlendOperationMin:
    return VK_BLEND_OP_MIN;
  case MTL::BlendOperationMax:
    return VK_BLEND_OP_MAX;
  case MTL::BlendOperationUnspecialized:
    return VK_BLEND_OP_ADD;
  }
  return VK_BLEND_OP_ADD;
}

VkColorComponentFlags toVkColorWriteMask(MTL::ColorWriteMask mask) {
  VkColorComponentFlags flags = 0;
  if (mask & MTL::ColorWriteMaskUnspecialized) mask = MTL::ColorWriteMaskAll;
  if (mask & MTL::ColorWriteMaskRed) flags |= VK_COLOR_COMPONENT_R_BIT;
  if (mask & MTL::ColorWriteMaskGreen) flags |= VK_COLOR_COMPONENT_G_BIT;
  if (mask & MTL::ColorWriteMaskBlue) flags |= VK_COLOR_COMPONENT_B_BIT;
  if (mask & MTL::ColorWriteMaskAlpha) flags |= VK_COLOR_COMPONENT_A_BIT;
  return flags;
}

VkFilter toVkFilter(MTL::SamplerMinMagFilter filter) {
  return filter == MTL::SamplerMinMagFilterLinear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
}

VkSamplerMipmapMode toVkMipmapMode(MTL::SamplerMipFilter filter) {
  return filter == MTL::SamplerMipFilterLinear ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                                               : VK_SAMPLER_MIPMAP_MODE_NEAREST;
}

VkSamplerAddressMode toVkAddressMode(MTL::SamplerAddressMode mode) {
  switch (mode) {
  case MTL::SamplerAddressModeClampToEdge:
    return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  case MTL::SamplerAddressModeMirrorClampToEdge:
    return VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
  case MTL::SamplerAddressModeRepeat:
    return VK_SAMPLER_ADDRESS_MODE_REPEAT;
  case MTL::SamplerAddressModeMirrorRepeat:
    return VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
  case MTL::SamplerAddressModeClampToZero:
  case MTL::SamplerAddressModeClampToBorderColor:
    return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  }
  return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
}

VkBorderColor toVkBorderColor(MTL::SamplerBorderColor color) {
  switch (color) {
  case MTL::SamplerBorderColorTransparentBlack:
    return VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
  case MTL::SamplerBorderColorOpaqueBlack:
    return VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
  case MTL::SamplerBorderColorOpaqueWhite:
    return VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
  }
  return VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
}

VkAttachmentLoadOp toVkLoadOp(MTL::LoadAction action) {
  switch (action) {
  case MTL::LoadActionDontCare:
    return VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  case MTL::LoadActionLoad:
    return VK_ATTACHMENT_LOAD_OP_LOAD;
  case MTL::LoadActionClear:
    return VK_ATTACHMENT_LOAD_OP_CLEAR;
  }
  return VK_ATTACHMENT_LOAD_OP_LOAD;
}

VkAttachmentStoreOp toVkStoreOp(MTL::StoreAction action) {
  switch (action) {
  case MTL::StoreActionDontCare:
  case MTL::StoreActionMultisampleResolve:
    return VK_ATTACHMENT_STORE_OP_DONT_CARE;
  case MTL::StoreActionStore:
  case MTL::StoreActionStoreAndMultisampleResolve:
  case MTL::StoreActionUnknown:
  case MTL::StoreActionCustomSampleDepthStore:
    return VK_ATTACHMENT_STORE_OP_STORE;
  }
  return VK_ATTACHMENT_STORE_OP_STORE;
}

bool storeActionResolves(MTL::StoreAction action) {
  return action == MTL::StoreActionMultisampleResolve || action == MTL::StoreActionStoreAndMultisampleResolve;
}

VkPrimitiveTopology toVkTopology(MTL::PrimitiveType type) {
  switch (type) {
  case MTL::PrimitiveTypePoint:
    return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  case MTL::PrimitiveTypeLine:
    return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  case MTL::PrimitiveTypeLineStrip:
    return VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
  case MTL::PrimitiveTypeTriangle:
    return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  case MTL::PrimitiveTypeTriangleStrip:
    return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  }
  return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
}

VkCullModeFlags toVkCullMode(MTL::CullMode mode) {
  switch (mode) {
  case MTL::CullModeNone:
    return VK_CULL_MODE_NONE;
  case MTL::CullModeFront:
    return VK_CULL_MODE_FRONT_BIT;
  case MTL::CullModeBack:
    return VK_CULL_MODE_BACK_BIT;
  }
  return VK_CULL_MODE_NONE;
}

VkFrontFace toVkFrontFace(MTL::Winding winding) {
  return winding == MTL::WindingCounterClockwise ? VK_FRONT_FACE_COUNTER_CLOCKWISE : VK_FRONT_FACE_CLOCKWISE;
}

VkPolygonMode toVkPolygonMode(MTL::TriangleFillMode mode) {
  return mode == MTL::TriangleFillModeLines ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_FILL;
}

VkIndexType toVkIndexType(MTL::IndexType type) {
  return type == MTL::IndexTypeUInt32 ? VK_INDEX_TYPE_UINT32 : VK_INDEX_TYPE_UINT16;
}
uint32_t indexBytes(MTL::IndexType type) { return type == MTL::IndexTypeUInt32 ? 4 : 2; }

VkImageType toVkImageType(MTL::TextureType type) {
  switch (type) {
  case MTL::TextureType1D:
  case MTL::TextureType1DArray:
    return VK_IMAGE_TYPE_1D;
  case MTL::TextureType3D:
    return VK_IMAGE_TYPE_3D;
  default:
    return VK_IMAGE_TYPE_2D;
  }
}

VkImageViewType toVkImageViewType(MTL::TextureType type) {
  switch (type) {
  case MTL::TextureType1D:
    return VK_IMAGE_VIEW_TYPE_1D;
  case MTL::TextureType1DArray:
    return VK_IMAGE_VIEW_TYPE_1D_ARRAY;
  case MTL::TextureType2DArray:
  case MTL::TextureType2DMultisampleArray:
    return VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  case MTL::TextureTypeCube:
    return VK_IMAGE_VIEW_TYPE_CUBE;
  case MTL::TextureTypeCubeArray:
    return VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
  case MTL::TextureType3D:
    return VK_IMAGE_VIEW_TYPE_3D;
  default:
    return VK_IMAGE_VIEW_TYPE_2D;
  }
}

MTL::TextureType toTextureType(VkImageViewType type, bool multisampled) {
  switch (type) {
  case VK_IMAGE_VIEW_TYPE_1D:
    return MTL::TextureType1D;
  case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
    return MTL::TextureType1DArray;
  case VK_IMAGE_VIEW_TYPE_2D_ARRAY:
    return multisampled ? MTL::TextureType2DMultisampleArray : MTL::TextureType2DArray;
  case VK_IMAGE_VIEW_TYPE_CUBE:
    return MTL::TextureTypeCube;
  case VK_IMAGE_VIEW_TYPE_CUBE_ARRAY:
    return MTL::TextureTypeCubeArray;
  case VK_IMAGE_VIEW_TYPE_3D:
    return MTL::TextureType3D;
  default:
    return multisampled ? MTL::TextureType2DMultisample : MTL::TextureType2D;
  }
}

const char* textureTypeName(MTL::TextureType type) {
  constexpr const char* kNames[] = {"1D texture",
                                    "1D texture array",
                                    "2D texture",
                                    "2D texture array",
                                    "2D multisample texture",
                                    "cube texture",
                                    "cube texture array",
                                    "3D texture",
                                    "2D multisample texture array",
                                    "texture buffer"};
  return type < std::size(kNames) ? kNames[type] : "texture of unknown type";
}

VkComponentSwizzle toVkSwizzle(MTL::TextureSwizzle swizzle) {
  switch (swizzle) {
  case MTL::TextureSwizzleZero:
    return VK_COMPONENT_SWIZZLE_ZERO;
  case MTL::TextureSwizzleOne:
    return VK_COMPONENT_SWIZZLE_ONE;
  case MTL::TextureSwizzleRed:
    return VK_COMPONENT_SWIZZLE_R;
  case MTL::TextureSwizzleGreen:
    return VK_COMPONENT_SWIZZLE_G;
  case MTL::TextureSwizzleBlue:
    return VK_COMPONENT_SWIZZLE_B;
  case MTL::TextureSwizzleAlpha:
    return VK_COMPONENT_SWIZZLE_A;
  }
  return VK_COMPONENT_SWIZZLE_IDENTITY;
}

bool isArrayTexture(MTL::TextureType type) {
  return type == MTL::TextureType1DArray || type == MTL::TextureType2DArray ||
         type == MTL::TextureTypeCubeArray || type == MTL::TextureType2DMultisampleArray;
}
bool isCubeTexture(MTL::TextureType type) {
  return type == MTL::TextureTypeCube || type == MTL::TextureTypeCubeArray;
}
bool isMultisampleTexture(MTL::TextureType type) {
  return type == MTL::TextureType2DMultisample || type == MTL::TextureType2DMultisampleArray;
}

VkPipelineStageFlags2 toVkStages(MTL::Stages stages) {
  if ((stages & MTL::StageAll) == MTL::StageAll) return VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  VkPipelineStageFlags2 flags = 0;
  // Metal's vertex stage is all geometry work that feeds the rasteriser, index and indirect fetch included.
  if (hasAny(stages, MTL::StageVertex))
    flags |= VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT |
             VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
  if (hasAny(stages, MTL::StageObject | MTL::StageMesh))
    flags |= VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT;
  if (hasAny(stages, MTL::StageFragment | MTL::StageTile))
    flags |= VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
             VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
  if (hasAny(stages, MTL::StageDispatch))
    flags |= VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  // Blits that Vulkan has no command for run as small kernels.
  if (hasAny(stages, MTL::StageBlit))
    flags |= VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  if (hasAny(stages, MTL::StageResourceState | MTL::StageAccelerationStructure | MTL::StageMachineLearning))
    flags |= VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  return flags;
}

} // namespace basanite::metal
