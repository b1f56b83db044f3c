// SPDX-License-Identifier: Apache-2.0
// A VkImage with its memory, and views of it with their places in the bindless set.
//
// Layouts: every image is in VK_IMAGE_LAYOUT_GENERAL from its first use to its end, attachments included. The
// transition out of UNDEFINED goes ahead of the next submission (src/vulkan/host_transfer.hpp). Metal 4
// tracks no hazards, so its barriers name stages, never resources; with one layout they become global memory
// barriers and nothing else.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/buffer.hpp"
#include "src/vulkan/device.hpp"

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::vulkan {

struct ImageInfo {
  VkImageType type = VK_IMAGE_TYPE_2D;
  VkFormat format = VK_FORMAT_UNDEFINED;
  uint32_t width = 1, height = 1, depth = 1; // texels of level 0
  uint32_t mipLevels = 1;
  uint32_t arrayLayers = 1; // cubes: 6 per cube
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  // Wanted uses. SAMPLED, TRANSFER_SRC and TRANSFER_DST are always added where the format allows. STORAGE and
  // attachment uses that the format cannot have are an error.
  VkImageUsageFlags usage = 0;
  bool cubeCompatible = false;
  bool mutableFormat = false; // views may have another format of the same size
};

struct ImageViewInfo {
  VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D;
  VkFormat format = VK_FORMAT_UNDEFINED; // UNDEFINED: the image's
  VkImageAspectFlags aspect =
      0; // one aspect; 0: depth for depth formats, stencil for stencil-only, else color
  uint32_t baseLevel = 0, levelCount = VK_REMAINING_MIP_LEVELS;
  uint32_t baseLayer = 0, layerCount = VK_REMAINING_ARRAY_LAYERS;
  VkComponentMapping swizzle{}; // identity
  bool ownSlot = true;          // false: slot() is 0, for views that are put into a slot of somebody else's
};

// Destruction is safe while the GPU still uses the image (deferred). Contents start undefined.
class Image final : public base::RefCounted {
 public:
  // Error: format, size or sample count that the device does not support, with value and limit; out of
  // memory.
  static base::Result<base::Ref<Image>> create(const base::Ref<Device>& device, const ImageInfo& info,
                                               std::string_view label = {});

  // In a heap, from `offset` on. Error: as above; it does not fit, is not aligned, or cannot be placed in
  // this kind of memory.
  static base::Result<base::Ref<Image>> createIn(const base::Ref<MemoryHeap>& heap, uint64_t offset,
                                                 const ImageInfo& info);
  // Over a buffer's bytes from `offset` on, row by row (linear tiling): one 2D level and layer. Keeps the
  // buffer alive. Error: as above; a row pitch, an offset or a buffer length other than the device's layout
  // of such an image asks for, with both numbers.
  static base::Result<base::Ref<Image>> createOver(const base::Ref<Buffer>& buffer, uint64_t offset,
                                                   uint64_t bytesPerRow, const ImageInfo& info);
  // What such an image takes in a heap. Error: as create()'s.
  static base::Result<MemoryNeed> memoryNeed(const Device& device, const ImageInfo& info);
  // Bytes that the rows of linear 2D images of the format are multiples of; 0: there are none.
  static uint64_t linearRowAlignment(const Device& device, VkFormat format);

  const ImageInfo& info() const { return m_info; } // usage: the resulting set
  VkImage vkImage() const { return m_vkImage; }
  VkImageAspectFlags aspects() const { return m_aspects; }
  uint64_t allocatedSize() const { return m_allocatedSize; }
  Device& device() const { return *m_device; }
  const base::Ref<Device>& deviceRef() const { return m_device; }
  void setLabel(std::string_view label);

  // A view for use as attachment: all aspects, identity swizzle, one level. `format` UNDEFINED: the image's.
  // For a 3D image the layers are depth slices. Made on first use and cached for the image's life;
  // thread-safe.
  base::Result<VkImageView> attachmentView(VkFormat format, uint32_t level, uint32_t baseLayer,
                                           uint32_t layerCount);

 private:
  struct AttachmentView {
    VkFormat format;
    uint32_t level, baseLayer, layerCount;
    VkImageView vkView;
  };
  explicit Image(base::Ref<Device> device) : m_device(std::move(device)) {}
  ~Image() override;
  base::Result<void> open(const VkImageCreateInfo& vkInfo, const ImageInfo& info);
  base::Result<void> bind(const MemorySpan& memory);

  base::Ref<Device> m_device;
  ImageInfo m_info;
  VkImage m_vkImage = VK_NULL_HANDLE;
  // Who owns the memory: this allocation, the heap or the buffer.
  VmaAllocation m_allocation = nullptr;
  base::Ref<MemoryHeap> m_heap;
  base::Ref<Buffer> m_buffer;
  VkImageAspectFlags m_aspects = 0;
  uint64_t m_allocatedSize = 0;
  MemoryShare m_share;
  std::mutex m_viewMutex;
  std::vector<AttachmentView> m_attachmentViews;
};

// What a shader sees of an image: a sampled view, a storage view where format, usage and swizzle allow it,
// and the bindless slot of both. Destruction is deferred, slot included.
class ImageView final : public base::RefCounted {
 public:
  static base::Result<base::Ref<ImageView>> create(const base::Ref<Image>& image, const ImageViewInfo& info);

  // The index in both bindless image arrays, which is Metal's gpuResourceID of a texture. Never 0 with
  // ownSlot.
  uint32_t slot() const { return m_slot; }
  bool hasStorage() const { return m_vkStorageView != VK_NULL_HANDLE; }
  const base::Ref<Image>& image() const { return m_image; }
  const ImageViewInfo& info() const { return m_info; } // with every default resolved
  VkImageView vkSampledView() const { return m_vkSampledView; }
  VkImageView vkStorageView() const { return m_vkStorageView; }

 private:
  explicit ImageView(base::Ref<Image> image) : m_image(std::move(image)) {}
  ~ImageView() override;

  base::Ref<Image> m_image;
  ImageViewInfo m_info;
  VkImageView m_vkSampledView = VK_NULL_HANDLE;
  VkImageView m_vkStorageView = VK_NULL_HANDLE;
  uint32_t m_slot = 0;
};

} // namespace basanite::vulkan
