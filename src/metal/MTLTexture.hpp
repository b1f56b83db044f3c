// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLTexture.hpp: descriptors, and textures with their views.
#pragma once

#include "src/metal/MTLResource.hpp"
#include "src/vulkan/image.hpp"

#include <Metal/MTLTexture.hpp>

namespace basanite::metal {

struct TextureDescriptorFields {
  MTL::TextureType textureType = MTL::TextureType2D;
  MTL::PixelFormat pixelFormat = MTL::PixelFormatRGBA8Unorm;
  NS::UInteger width = 1;
  NS::UInteger height = 1;
  NS::UInteger depth = 1;
  NS::UInteger mipmapLevelCount = 1;
  NS::UInteger sampleCount = 1;
  NS::UInteger arrayLength = 1;
  MTL::CPUCacheMode cpuCacheMode = MTL::CPUCacheModeDefaultCache;
  MTL::StorageMode storageMode = MTL::StorageModeShared;
  MTL::HazardTrackingMode hazardTrackingMode = MTL::HazardTrackingModeDefault;
  MTL::TextureUsage usage = MTL::TextureUsageShaderRead;
  bool allowGPUOptimizedContents = true; // a permission
  MTL::TextureCompressionType compressionType =
      MTL::TextureCompressionTypeLossless; // Lossy is a permission too
  MTL::TextureSwizzleChannels swizzle = MTL::TextureSwizzleChannels::Default();
};
class TextureDescriptor final : public PropertyBag<TextureDescriptor, TextureDescriptorFields> {
 public:
  const char* className() const override { return "MTLTextureDescriptor"; }
};

struct TextureViewDescriptorFields {
  MTL::PixelFormat pixelFormat = MTL::PixelFormatInvalid; // Invalid: the texture's
  MTL::TextureType textureType = MTL::TextureType2D;
  NS::Range levelRange = NS::Range::Make(0, 0);
  NS::Range sliceRange = NS::Range::Make(0, 0);
  MTL::TextureSwizzleChannels swizzle = MTL::TextureSwizzleChannels::Default();
};
class TextureViewDescriptor final : public PropertyBag<TextureViewDescriptor, TextureViewDescriptorFields> {
 public:
  const char* className() const override { return "MTLTextureViewDescriptor"; }
};

// A texture or a view of one. Immutable but for its label and contents; any thread.
class Texture final : public Resource {
 public:
  // Error: what is wrong with the descriptor, with value and limit.
  static base::Result<foundation::Retained<Texture>> create(Device* device,
                                                            const TextureDescriptorFields& descriptor);
  base::Result<foundation::Retained<Texture>> createView(const TextureViewDescriptorFields& descriptor);

  const char* className() const override { return "MTLTexture"; }
  uint64_t allocatedSize() const override { return parent ? 0 : image->allocatedSize(); }
  void labelChanged(std::string_view text) override;

  // Size of a level of this texture, in texels.
  NS::UInteger levelWidth(NS::UInteger level) const;
  NS::UInteger levelHeight(NS::UInteger level) const;
  NS::UInteger levelDepth(NS::UInteger level) const;
  // Array layers as Vulkan counts them: 6 a cube.
  uint32_t layerCount() const;
  // The one aspect that CPU and blit transfers move: stencil for stencil formats, depth for depth formats,
  // else color.
  VkImageAspectFlags transferAspect() const;
  // Bytes of one texel or block in that aspect.
  uint32_t transferBlockBytes() const;
  const char* formatName() const;

  TextureDescriptorFields fields; // as created; for a view, what the view shows
  VkFormat vkFormat = VK_FORMAT_UNDEFINED;
  base::Ref<vulkan::Image> image;
  base::Ref<vulkan::ImageView> view;
  foundation::Retained<Texture> parent; // of a view
  NS::UInteger baseLevel = 0;           // in the image; a view of a view counts from the image too
  NS::UInteger baseSlice = 0;
  NS::UInteger parentLevel = 0; // relative to the parent
  NS::UInteger parentSlice = 0;

 private:
  Texture(Device* owner, const TextureDescriptorFields& descriptor);
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::TextureDescriptor, basanite::metal::TextureDescriptor)
BASANITE_BRIDGE(MTL::TextureViewDescriptor, basanite::metal::TextureViewDescriptor)
BASANITE_BRIDGE(MTL::Texture, basanite::metal::Texture)
