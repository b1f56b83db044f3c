// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLTexture.hpp: descriptors, and textures with their views.
#pragma once

#include "src/metal/MTLBuffer.hpp"
#include "src/metal/MTLResource.hpp"
#include "src/vulkan/image.hpp"
#include "src/vulkan/texel_buffer.hpp"

#include <Metal/MTLTexture.hpp>
#include <functional>

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
  MTL::SparsePageSize placementSparsePageSize{}; // 0: not sparse
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
  using ImageMaker = std::function<base::Result<base::Ref<vulkan::Image>>(const vulkan::ImageInfo&)>;
  using BufferMaker = std::function<base::Result<base::Ref<vulkan::Buffer>>(NS::UInteger lengthBytes)>;

  // Whether a view has a slot of its own in the bindless set, or is for one of a pool's.
  enum class Slot : uint8_t { own, ofAPool };

  // Error: what is wrong with the descriptor, with value and limit.
  static base::Result<foundation::Retained<Texture>> create(Device* device,
                                                            const TextureDescriptorFields& descriptor);
  // In memory of the caller's choice: an image for most types, a buffer for a texture buffer.
  static base::Result<foundation::Retained<Texture>> create(Device* device,
                                                            const TextureDescriptorFields& descriptor,
                                                            const ImageMaker& makeImage,
                                                            const BufferMaker& makeBuffer);
  // Over a buffer's bytes, which both then show: a texture buffer, or a 2D texture of one level.
  static base::Result<foundation::Retained<Texture>> createOver(Buffer* buffer,
                                                                const TextureDescriptorFields& descriptor,
                                                                NS::UInteger offset, NS::UInteger bytesPerRow,
                                                                Slot slot = Slot::own);
  base::Result<foundation::Retained<Texture>> createView(const TextureViewDescriptorFields& descriptor,
                                                         Slot slot = Slot::own);
  // The image that the descriptor asks for; not of a texture buffer. Error: as create()'s.
  static base::Result<vulkan::ImageInfo> imageInfo(Device* device, const TextureDescriptorFields& descriptor);
  // Bytes of the texels of a texture buffer. Error: as create()'s.
  static base::Result<NS::UInteger> texelBufferBytes(const TextureDescriptorFields& descriptor);

  const char* className() const override { return "MTLTexture"; }
  uint64_t allocatedSize() const override {
    if (parent || buffer) return 0;
    return image ? image->allocatedSize() : texels->buffer()->allocatedSize();
  }
  void labelChanged(std::string_view text) override;
  HeapPlace& home() override { return parent ? parent->home() : buffer ? buffer->home() : place; }

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
  // Its number in the bindless set: gpuResourceID.
  uint32_t slot() const { return view ? view->slot() : texels->slot(); }
  // The first byte of a row of a texture over a buffer or of a texture buffer; null where the CPU does not
  // see them.
  uint8_t* hostRow(NS::UInteger y) const;

  TextureDescriptorFields fields; // as created; for a view, what the view shows
  VkFormat vkFormat = VK_FORMAT_UNDEFINED;
  base::Ref<vulkan::Image> image;        // null for a texture buffer
  base::Ref<vulkan::ImageView> view;     // likewise
  base::Ref<vulkan::TexelBuffer> texels; // of a texture buffer only
  foundation::Retained<Buffer> buffer;   // whose bytes it shows
  NS::UInteger bufferOffset = 0, bufferBytesPerRow = 0;
  foundation::Retained<Texture> parent; // of a view
  NS::UInteger baseLevel = 0;           // in the image; a view of a view counts from the image too
  NS::UInteger baseSlice = 0;
  NS::UInteger parentLevel = 0; // relative to the parent
  NS::UInteger parentSlice = 0;

 private:
  Texture(Device* owner, const TextureDescriptorFields& descriptor);
  base::Result<void> openView(Slot slot);
  base::Result<void> openTexels(const base::Ref<vulkan::Buffer>& bytes, NS::UInteger offset, Slot slot);
  base::Result<foundation::Retained<Texture>> createTexelView(const TextureViewDescriptorFields& descriptor,
                                                              Slot slot);
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::TextureDescriptor, basanite::metal::TextureDescriptor)
BASANITE_BRIDGE(MTL::TextureViewDescriptor, basanite::metal::TextureViewDescriptor)
BASANITE_BRIDGE(MTL::Texture, basanite::metal::Texture)
