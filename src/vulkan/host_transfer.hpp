// SPDX-License-Identifier: Apache-2.0
// What the CPU does to resources outside any command buffer of the app: first layouts, zero fill, uploads,
// readbacks.
//
// Uploads copy the bytes at once into staging memory and are queued; everything queued goes to the GPU, in
// order, ahead of the next submission of any queue (or the next readback), which waits for it. So nothing
// here stalls but a readback. A CPU write to a resource that the GPU is using is a race of the app's, as it
// is on Metal.
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/device.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

typedef struct VmaAllocation_T* VmaAllocation;

namespace basanite::vulkan {

class Buffer;
class Image;

// One level and one layer (or a range of depth slices) of an image, and how its bytes lie in host memory.
struct ImageTransfer {
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT; // exactly one
  uint32_t level = 0;
  uint32_t layer = 0;
  VkOffset3D offset{};        // texels
  VkExtent3D extent{1, 1, 1}; // texels
  uint64_t bytesPerRow = 0;   // host pitch of a row of texels or blocks; at least the row's own bytes
  uint64_t bytesPerImage = 0; // host pitch of a depth slice; used when extent.depth > 1
};

// Thread-safe.
class HostTransfer {
 public:
  static base::Result<std::unique_ptr<HostTransfer>> create(Device& device);
  ~HostTransfer();

  // Queues the transition of all of the image to GENERAL; what lies in it stays only where `from` says so.
  void initializeImage(VkImage vkImage, VkImageAspectFlags aspects,
                       VkImageLayout from = VK_IMAGE_LAYOUT_UNDEFINED);
  // Queues a clear of the whole image (color 0, depth 0) after its transition; used for the null texture.
  void clearColorImage(VkImage vkImage);
  // Queues zeroes for a whole buffer.
  void zeroBuffer(VkBuffer vkBuffer);
  // Queues a write of host bytes; `bytes` may go when the call returns. The region must lie inside the
  // resource.
  base::Result<void> uploadBuffer(Buffer& buffer, uint64_t offset, const void* bytes, uint64_t lengthBytes);
  base::Result<void> uploadImage(Image& image, const ImageTransfer& transfer, const void* bytes);
  // Reads what the GPU has written by submissions that completed before the call. Blocks for the copy.
  base::Result<void> readBuffer(Buffer& buffer, uint64_t offset, void* bytes, uint64_t lengthBytes);
  base::Result<void> readImage(Image& image, const ImageTransfer& transfer, void* bytes);

  // Drops queued work on a resource that is being destroyed.
  void forget(VkBuffer vkBuffer);
  void forget(VkImage vkImage);

  // Called by the submitter, under its lock, ahead of each batch: submits what is queued to `vkQueue` and
  // returns the timeline point that the batch must wait for; {null, 0} when everything submitted is known to
  // be complete.
  struct Point {
    VkSemaphore vkSemaphore = VK_NULL_HANDLE;
    uint64_t value = 0;
  };
  base::Result<Point> flush(VkQueue vkQueue);

  // Work queued and not yet submitted.
  size_t pendingCount() const;

 private:
  struct Staging {
    VkBuffer vkBuffer = VK_NULL_HANDLE;
    VmaAllocation allocation = nullptr;
    uint8_t* contents = nullptr;
    uint64_t size = 0;
    uint64_t used = 0;      // bytes of queued work
    uint64_t busyUntil = 0; // the timeline value after which it is free; 0: not submitted
  };
  struct StagingSpan {
    VkBuffer vkBuffer = VK_NULL_HANDLE;
    uint64_t offset = 0;
    uint8_t* contents = nullptr;
  };
  struct Operation {
    uint64_t resource = 0; // the VkBuffer's or VkImage's handle, for ordering and forget()
    std::function<void(VkCommandBuffer)> record;
  };
  struct Transition {
    VkImage vkImage;
    VkImageAspectFlags aspects;
    VkImageLayout from;
  };
  struct Commands {
    VkCommandBuffer vkCommandBuffer;
    uint64_t busyUntil;
  };
  explicit HostTransfer(Device& device) : m_device(device) {}
  base::Result<void> open();
  void queue(Operation operation);
  void forget(uint64_t resource);
  base::Result<StagingSpan> stage(uint64_t lengthBytes);
  base::Result<Staging> createStaging(uint64_t lengthBytes, bool readback);
  base::Result<void> copyToHost(uint64_t lengthBytes,
                                const std::function<void(VkCommandBuffer, VkBuffer)>& record,
                                const std::function<void(const uint8_t*)>& take);
  base::Result<void> drainWhenLarge();
  base::Result<VkCommandBuffer> begin();
  base::Result<void> endAndSubmit(VkCommandBuffer vkCommandBuffer, VkQueue vkQueue);
  base::Result<void> submitPending(VkQueue vkQueue);
  base::Result<void> waitFor(uint64_t value);
  void recycle();

  Device& m_device;
  mutable std::mutex m_mutex;
  std::vector<Transition> m_transitions;
  std::vector<Operation> m_operations;
  std::vector<Staging> m_staging;
  uint64_t m_queuedBytes = 0;
  VkCommandPool m_vkCommandPool = VK_NULL_HANDLE;
  std::vector<Commands> m_commands;
  VkSemaphore m_vkTimeline = VK_NULL_HANDLE;
  uint64_t m_submittedValue = 0;
  uint64_t m_completedValue = 0;
};

} // namespace basanite::vulkan
