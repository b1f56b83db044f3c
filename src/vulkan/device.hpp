// SPDX-License-Identifier: Apache-2.0
// A VkDevice and what belongs to it once: function table, allocator, descriptor heap, address map, submitter.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/physical_device.hpp"
#include "src/vulkan/vulkan_api.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

typedef struct VmaAllocator_T* VmaAllocator;

namespace basanite::vulkan {

class AddressMap;
class DeferredDelete;
class DescriptorHeap;
class FormatTable;
class HostTransfer;
class PipelineCache;
class Submitter;

// What is alive of one kind of object, for recordings. Thread-safe.
struct MemoryUse {
  std::atomic<uint64_t> bytes{0};
  std::atomic<uint32_t> count{0};
};
// One object's part of it, until it is destroyed. The use outlives it.
class MemoryShare {
 public:
  MemoryShare() = default;
  MemoryShare(const MemoryShare&) = delete;
  MemoryShare& operator=(const MemoryShare&) = delete;
  ~MemoryShare() {
    if (!m_use) return;
    m_use->bytes.fetch_sub(m_bytes, std::memory_order_relaxed);
    m_use->count.fetch_sub(1, std::memory_order_relaxed);
  }
  // Once.
  void take(MemoryUse& use, uint64_t bytes) {
    m_use = &use;
    m_bytes = bytes;
    use.bytes.fetch_add(bytes, std::memory_order_relaxed);
    use.count.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  MemoryUse* m_use = nullptr;
  uint64_t m_bytes = 0;
};

// Of VK_KHR_dynamic_rendering_local_read, newer than the oldest volk; null without the extension.
struct LocalReadFunctions {
  PFN_vkCmdSetRenderingAttachmentLocationsKHR setLocations = nullptr;
  PFN_vkCmdSetRenderingInputAttachmentIndicesKHR setInputIndices = nullptr;
};

// Every object of this module keeps its device alive; the device waits for its queues before it goes.
// Thread-safe.
class Device final : public base::RefCounted {
 public:
  static base::Result<base::Ref<Device>> create(const PhysicalDevice& physicalDevice);

  VkDevice vkDevice() const { return m_vkDevice; }
  // The device functions: fn().vkCmdDraw(...).
  const VolkDeviceTable& fn() const { return m_fn; }
  const LocalReadFunctions& localRead() const { return m_localRead; }
  VmaAllocator allocator() const { return m_allocator; }
  const PhysicalDevice& physical() const { return m_physical; }
  const DeviceFeatures& features() const { return m_physical.features(); }
  const DeviceLimits& limits() const { return m_physical.limits(); }
  uint32_t queueFamily() const { return m_physical.universalFamily(); }

  AddressMap& addressMap() const { return *m_addressMap; }
  DeferredDelete& deferredDelete() const { return *m_deferredDelete; }
  DescriptorHeap& descriptorHeap() const { return *m_descriptorHeap; }
  const FormatTable& formats() const { return *m_formats; }
  HostTransfer& hostTransfer() const { return *m_hostTransfer; }
  PipelineCache& pipelineCache() const { return *m_pipelineCache; }
  Submitter& submitter() const { return *m_submitter; }

  // Names a handle for debuggers and validation messages; nothing happens without VK_EXT_debug_utils.
  template <class Handle> void setName(VkObjectType type, Handle handle, std::string_view name) const {
    setNameRaw(type, reinterpret_cast<uint64_t>(handle), name);
  }
  bool debugUtils() const { return m_debugUtils; }

  // Once a call returned VK_ERROR_DEVICE_LOST everything later fails with one sentence.
  bool lost() const { return m_lost.load(std::memory_order_acquire); }
  void markLost() { m_lost.store(true, std::memory_order_release); }

  // Runs `deleter` once the submissions in flight now have completed (src/vulkan/deferred_delete.hpp). It may
  // use the device, but no object that keeps it alive.
  void retire(std::function<void()> deleter);
  // The same, but one submission later: for semaphores. Mesa 25.0's queue thread (lavapipe) lets go of the
  // semaphores that a batch waited for only after it has signalled the batch's own, so a batch that is
  // complete is not enough.
  void retireAfterNextSubmission(std::function<void()> deleter);

  // Waits until every submission has completed. Error: device lost.
  base::Result<void> waitIdle();

  // Bytes allocated from the driver now.
  uint64_t allocatedBytes() const;
  // Of Buffer and Image, Basanite's own included.
  MemoryUse& bufferUse() const { return m_bufferUse; }
  MemoryUse& imageUse() const { return m_imageUse; }

 private:
  explicit Device(const PhysicalDevice& physicalDevice);
  ~Device() override;
  base::Result<void> open();
  void setNameRaw(VkObjectType type, uint64_t handle, std::string_view name) const;

  PhysicalDevice m_physical;
  VkDevice m_vkDevice = VK_NULL_HANDLE;
  VolkDeviceTable m_fn{};
  LocalReadFunctions m_localRead;
  VmaAllocator m_allocator = nullptr;
  bool m_debugUtils = false;
  std::atomic<bool> m_lost{false};
  mutable MemoryUse m_bufferUse, m_imageUse;
  std::unique_ptr<AddressMap> m_addressMap;
  std::unique_ptr<DeferredDelete> m_deferredDelete;
  std::unique_ptr<FormatTable> m_formats;
  std::unique_ptr<DescriptorHeap> m_descriptorHeap;
  std::unique_ptr<PipelineCache> m_pipelineCache;
  std::unique_ptr<Submitter> m_submitter;
  std::unique_ptr<HostTransfer> m_hostTransfer;
};

} // namespace basanite::vulkan
