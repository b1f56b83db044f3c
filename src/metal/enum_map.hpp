// SPDX-License-Identifier: Apache-2.0
// Metal's enumerations to Vulkan's: the only place where the two vocabularies meet. Pure functions; any
// thread.
#pragma once

#include "src/vulkan/vulkan_api.hpp"

#include <Metal/MTL4RenderPipeline.hpp>
#include <Metal/MTLCommandEncoder.hpp>
#include <Metal/MTLDepthStencil.hpp>
#include <Metal/MTLPixelFormat.hpp>
#include <Metal/MTLRenderCommandEncoder.hpp>
#include <Metal/MTLRenderPass.hpp>
#include <Metal/MTLRenderPipeline.hpp>
#include <Metal/MTLSampler.hpp>
#include <Metal/MTLTexture.hpp>
#include <Metal/MTLVertexDescriptor.hpp>
#include <cstdint>
#include <span>
#include <string>

namespace basanite::metal {

struct PixelFormatInfo {
  MTL::PixelFormat format = MTL::PixelFormatInvalid;
  VkFormat vkFormat = VK_FORMAT_UNDEFINED; // undefined: Vulkan has no such format
  const char* name = "Invalid";            // Metal's name without the prefix
};

// Null for PixelFormatInvalid, PixelFormatUnspecialized and numbers that are no pixel format.
const PixelFormatInfo* pixelFormatInfo(MTL::PixelFormat format);
std::span<const PixelFormatInfo> allPixelFormats();
// VK_FORMAT_UNDEFINED when there is none.
VkFormat toVkFormat(MTL::PixelFormat format);
const char* pixelFormatName(MTL::PixelFormat format);
// The name, or the number and that it is none.
std::string pixelFormatText(MTL::PixelFormat format);
// A8Unorm lives in a red-only image and is read through a swizzle; it cannot be rendered to.
bool isAlphaOnly(MTL::PixelFormat format);
// X32_Stencil8 and X24_Stencil8: the stencil aspect of a combined format.
bool isStencilView(MTL::PixelFormat format);

// Bytes of one vertex attribute; 0 for VertexFormatInvalid and unknown numbers.
uint32_t vertexFormatBytes(MTL::VertexFormat format);

VkCompareOp toVkCompareOp(MTL::CompareFunction function);
VkStencilOp toVkStencilOp(MTL::StencilOperation operation);
// Unspecialized acts as One (source) or Zero (destination) and Add: the callers resolve it first.
VkBlendFactor toVkBlendFactor(MTL::BlendFactor factor);
VkBlendOp toVkBlendOp(MTL::BlendOperation operation);
VkColorComponentFlags toVkColorWriteMask(MTL::ColorWriteMask mask);

VkFilter toVkFilter(MTL::SamplerMinMagFilter filter);
VkSamplerMipmapMode toVkMipmapMode(MTL::SamplerMipFilter filter);
VkSamplerAddressMode toVkAddressMode(MTL::SamplerAddressMode mode);
// ClampToZero is a border of transparent black, whatever the descriptor's border colour.
VkBorderColor toVkBorderColor(MTL::SamplerBorderColor color);

VkAttachmentLoadOp toVkLoadOp(MTL::LoadAction action);
// StoreActionUnknown counts as Store: it must not lose what a later call may want to keep.
VkAttachmentStoreOp toVkStoreOp(MTL::StoreAction action);
bool storeActionResolves(MTL::StoreAction action);

VkPrimitiveTopology toVkTopology(MTL::PrimitiveType type);
VkCullModeFlags toVkCullMode(MTL::CullMode mode);
VkFrontFace toVkFrontFace(MTL::Winding winding);
VkPolygonMode toVkPolygonMode(MTL::TriangleFillMode mode);
VkIndexType toVkIndexType(MTL::IndexType type);
uint32_t indexBytes(MTL::IndexType type);

VkImageType toVkImageType(MTL::TextureType type);
VkImageViewType toVkImageViewType(MTL::TextureType type);
// The texture type that such a view shows.
MTL::TextureType toTextureType(VkImageViewType type, bool multisampled);
const char* textureTypeName(MTL::TextureType type); // for messages: "2D texture array"
VkComponentSwizzle toVkSwizzle(MTL::TextureSwizzle swizzle);
bool isArrayTexture(MTL::TextureType type);
bool isCubeTexture(MTL::TextureType type);
bool isMultisampleTexture(MTL::TextureType type);

// The pipeline stages that a Metal stage mask names; src/vulkan/barrier.hpp knows the accesses that go with
// them.
VkPipelineStageFlags2 toVkStages(MTL::Stages stages);

} // namespace basanite::metal
