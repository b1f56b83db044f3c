// SPDX-License-Identifier: Apache-2.0
// The one bindless descriptor set (src/base/shader_abi.hpp), its slots, and the one pipeline layout around
// it.
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/vulkan_api.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

typedef struct VmaAllocation_T* VmaAllocation;

namespace basanite::vulkan {

class Device;

// What can be done through an image slot. A slot that nobody has, or past the end, is not live.
struct ImageSlotState {
  bool live = false;
  bool null = false;    // shows the null texture: any type, reads zero, writes vanish
  bool sampled = false; // may be sampled and read
  bool storage = false; // may be written
  bool multisampled = false;
  bool texelBuffer = false; // a texture buffer: `type` says nothing
  VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D;
};

// What a shader needs of the image in a slot.
class ImageDemand {
 public:
  ImageDemand() = default; // that no image meets
  // `writes`: it is written, else sampled or read.
  ImageDemand(VkImageViewType type, bool multisampled, bool writes);

 private:
  friend class DescriptorHeap;
  uint8_t m_mask = 0, m_bits = 1; // of the state byte
};

// Thread-safe. A slot that is freed may be handed out again at once: its owner frees it through
// DeferredDelete.
class DescriptorHeap {
 public:
  static base::Result<std::unique_ptr<DescriptorHeap>> create(Device& device);
  ~DescriptorHeap();

  // A slot in both image arrays, written with the two views of one type (either may be null). Images are read
  // and written in layout GENERAL. Error: the heap is full, with its size.
  base::Result<uint32_t> allocateImage(VkImageView vkSampledView, VkImageView vkStorageView,
                                       VkImageViewType type, bool multisampled);
  // The same for a texture buffer; the second view may be null. Only with
  // DeviceFeatures::bindlessTexelBuffers().
  base::Result<uint32_t> allocateTexelBuffer(VkBufferView vkReadView, VkBufferView vkWriteView);
  // `count` consecutive slots that show the null texture (for texture view pools). Error: no such run.
  base::Result<uint32_t> allocateImageRange(uint32_t count);
  // Makes a slot of such a range show something else; what it showed before must outlive the GPU's use of it.
  void setImage(uint32_t slot, VkImageView vkSampledView, VkImageView vkStorageView, VkImageViewType type,
                bool multisampled);
  void setTexelBuffer(uint32_t slot, VkBufferView vkReadView, VkBufferView vkWriteView);
  void setNull(uint32_t slot);
  void freeImage(uint32_t slot, uint32_t count = 1);

  base::Result<uint32_t> allocateSampler(VkSampler vkSampler);
  void freeSampler(uint32_t slot);

  // For checks of what an app put into an argument table: any number is a question. Without a lock; an answer
  // about a slot that another thread allocates or frees meanwhile is the app's race.
  ImageSlotState imageState(uint64_t slot) const;
  // True only for an image that meets the demand; the null texture does not, though it serves any.
  bool meets(uint64_t slot, ImageDemand demand) const {
    return slot < m_imageSlots.capacity &&
           (m_imageStates[slot].load(std::memory_order_relaxed) & demand.m_mask) == demand.m_bits;
  }
  bool samplerLive(uint64_t slot) const {
    return slot < m_samplerSlots.capacity && m_samplerStates[slot].load(std::memory_order_relaxed) != 0;
  }

  // Slot 0 of the images is the null texture (reads zero), slot 0 of the samplers a nearest, clamping
  // sampler.
  uint32_t imageCapacity() const { return m_imageSlots.capacity; }
  uint32_t samplerCapacity() const { return m_samplerSlots.capacity; }

  VkDescriptorSet vkSet() const { return m_vkSet; }
  VkDescriptorSetLayout vkSetLayout() const { return m_vkSetLayout; }
  // Of the set through which fragment functions read colour attachments; null where the device cannot.
  VkDescriptorSetLayout vkColorInputLayout() const { return m_vkColorInputLayout; }
  // Set 0, the colour inputs' and base::abi::PushConstants for every stage; the layout of every pipeline.
  VkPipelineLayout vkPipelineLayout() const { return m_vkPipelineLayout; }
  VkShaderStageFlags pushConstantStages() const { return m_pushConstantStages; }

 private:
  struct Slots {
    uint32_t capacity = 0;
    uint32_t next = 1;          // never handed out so far
    std::vector<uint32_t> free; // handed back

    // The first of `count` neighbouring slots.
    std::optional<uint32_t> take(uint32_t count);
  };
  explicit DescriptorHeap(Device& device) : m_device(device) {}
  base::Result<void> open();
  base::Result<void> createColorInputLayout();
  base::Result<void> createNullImage();
  // Under the lock.
  void writeImage(uint32_t slot, VkImageView vkSampledView, VkImageView vkStorageView);
  void writeTexelBuffer(uint32_t slot, VkBufferView vkReadView, VkBufferView vkWriteView);
  void writeNull(uint32_t slot);

  Device& m_device;
  mutable std::mutex m_mutex;
  Slots m_imageSlots, m_samplerSlots;
  std::unique_ptr<std::atomic<uint8_t>[]> m_imageStates;   // of every slot; see pack() in the .cpp
  std::unique_ptr<std::atomic<uint8_t>[]> m_samplerStates; // 1: live
  VkDescriptorSetLayout m_vkSetLayout = VK_NULL_HANDLE;
  VkDescriptorSetLayout m_vkColorInputLayout = VK_NULL_HANDLE;
  VkPipelineLayout m_vkPipelineLayout = VK_NULL_HANDLE;
  VkDescriptorPool m_vkPool = VK_NULL_HANDLE;
  VkDescriptorSet m_vkSet = VK_NULL_HANDLE;
  VkShaderStageFlags m_pushConstantStages = 0;
  VkSampler m_vkNullSampler = VK_NULL_HANDLE;
  // Only where the device has no null descriptors.
  VkImage m_vkNullImage = VK_NULL_HANDLE;
  VmaAllocation m_nullAllocation = nullptr;
  VkImageView m_vkNullView = VK_NULL_HANDLE;
  VkBuffer m_vkNullBuffer = VK_NULL_HANDLE;
  VmaAllocation m_nullBufferAllocation = nullptr;
  VkBufferView m_vkNullBufferView = VK_NULL_HANDLE;
  bool m_texelBuffers = false; // the set has bindings for them
};

} // namespace basanite::vulkan
