// SPDX-License-Identifier: Apache-2.0
// What stands behind one MTL4::CommandAllocator: command buffers and linear upload memory, recycled as a
// whole.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/buffer.hpp"
#include "src/vulkan/color_inputs.hpp"
#include "src/vulkan/command_buffer_times.hpp"
#include "src/vulkan/device.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace basanite::vulkan {

// Host-written memory that the GPU reads through its address or as a buffer; valid until the pool's next
// reset.
struct UploadSpan {
  void* contents = nullptr;
  uint64_t gpuAddress = 0;
  VkBuffer vkBuffer = VK_NULL_HANDLE;
  uint64_t offset = 0; // in vkBuffer
};

// Whatever else lives and is recycled with a pool (the transient queries do). It dies when the device retires
// the pool, so it holds a plain reference to the device, none that keeps it alive.
class PoolResident {
 public:
  virtual ~PoolResident() = default;
  virtual void reset() = 0; // the GPU is done with it
  virtual uint64_t allocatedBytes() const = 0;
};

// One thread at a time (as Metal's allocators). Memory is kept over a reset at its high-water mark.
// Destruction is safe while the GPU still runs its command buffers (deferred).
class CommandPool final : public base::RefCounted {
 public:
  static base::Result<base::Ref<CommandPool>> create(const base::Ref<Device>& device,
                                                     std::string_view label = {});

  // A primary command buffer in the initial state. It belongs to the pool.
  base::Result<VkCommandBuffer> takeCommandBuffer();

  // `lengthBytes` of uninitialised upload memory. alignment: a power of two, at most 256. Error: out of
  // memory.
  base::Result<UploadSpan> upload(uint64_t lengthBytes, uint64_t alignment = 16) {
    UploadSpan span;
    if (uploadAtHand(lengthBytes, alignment, span)) return span;
    return uploadFromNewChunk(lengthBytes);
  }
  // The same where it costs a few instructions; false where upload() has to be asked.
  bool uploadAtHand(uint64_t lengthBytes, uint64_t alignment, UploadSpan& span) {
    uint64_t at = (m_used + alignment - 1) & ~(alignment - 1);
    if (!m_current || at + lengthBytes > m_currentSize) return false;
    m_used = at + lengthBytes;
    span = {m_contents + at, m_gpuAddress + at, m_current, at};
    return true;
  }

  // Where a recording of this pool notes its start and end, both 0. Outlives the pool, and is not touched by
  // a reset. Error: out of memory.
  base::Result<base::Ref<CommandBufferTimes>> takeTimes();

  // Everything else taken from the pool may be used again. The GPU must have finished with it: see busy().
  base::Result<void> reset();

  // Bytes of memory behind upload chunks and the resident, and an estimate of the command buffers' own.
  uint64_t allocatedSize() const;

  // The front calls it at commit for every pool whose command buffers it commits.
  void noteSubmitted(uint64_t serial);
  // A submission that uses this pool has not completed.
  bool busy() const;

  // Sets taken from it are recycled at the next reset.
  ColorInputSets& colorInputs() { return *m_colorInputs; }

  // Null until it is set.
  PoolResident* resident() const { return m_resident.get(); }
  void setResident(std::unique_ptr<PoolResident> resident) { m_resident = std::move(resident); }

  Device& device() const { return *m_device; }
  const base::Ref<Device>& deviceRef() const { return m_device; }

 private:
  explicit CommandPool(base::Ref<Device> device)
      : m_device(std::move(device)), m_colorInputs(std::make_unique<ColorInputSets>(*m_device)) {}
  ~CommandPool() override;
  base::Result<UploadSpan> uploadFromNewChunk(uint64_t lengthBytes);
  void useChunk(size_t index);

  base::Ref<Device> m_device;
  VkCommandPool m_vkCommandPool = VK_NULL_HANDLE;
  std::vector<VkCommandBuffer> m_commandBuffers;
  size_t m_commandBuffersTaken = 0;
  std::vector<base::Ref<Buffer>> m_chunks;
  size_t m_chunksUsed = 0; // of m_chunks; the last used one is current
  VkBuffer m_current = VK_NULL_HANDLE;
  uint8_t* m_contents = nullptr;
  uint64_t m_gpuAddress = 0;
  uint64_t m_currentSize = 0;
  uint64_t m_used = 0; // of the current chunk
  std::vector<base::Ref<TimeSlots>> m_timeSlots;
  std::vector<uint64_t> m_submissions; // since the last reset, but for some that have completed
  std::unique_ptr<PoolResident> m_resident;
  std::unique_ptr<ColorInputSets> m_colorInputs;
};

} // namespace basanite::vulkan
