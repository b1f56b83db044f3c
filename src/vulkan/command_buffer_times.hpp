// SPDX-License-Identifier: Apache-2.0
// GPU start and end of recordings, in slots of one small host-readable buffer that are used again and again.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/buffer.hpp"

#include <atomic>
#include <cstdint>

namespace basanite::vulkan {

class CommandBufferTimes;

// As many slots as a 64-bit mask has bits. One thread takes; any thread gives back.
class TimeSlots final : public base::RefCounted {
 public:
  // Error: out of memory.
  static base::Result<base::Ref<TimeSlots>> create(const base::Ref<Device>& device);

  // A slot whose two entries are 0; null when all are in use.
  base::Ref<CommandBufferTimes> take();
  Buffer& buffer() const { return *m_buffer; }

 private:
  friend class CommandBufferTimes;
  explicit TimeSlots(base::Ref<Buffer> buffer) : m_buffer(std::move(buffer)) {}
  void giveBack(uint32_t slot) { m_used.fetch_and(~(uint64_t(1) << slot), std::memory_order_release); }

  base::Ref<Buffer> m_buffer;
  std::atomic<uint64_t> m_used{0}; // bit n: slot n is in use
};

// GPU start and end of one recorded command buffer, readable once it has completed. Any thread. The slot is
// used again when the last reference goes, so whoever submits the recording keeps one until it has completed.
class CommandBufferTimes final : public base::RefCounted {
 public:
  // Nanoseconds of the heaps' clock; 0 before completion.
  uint64_t startNs() const { return m_entries[0]; }
  uint64_t endNs() const { return m_entries[1]; }

  // Where the GPU writes them: two 64-bit words.
  Buffer& buffer() const { return m_slots->buffer(); }
  uint64_t offset() const { return m_slot * kSlotBytes; }

 private:
  friend class TimeSlots;
  static constexpr uint64_t kSlotBytes = 2 * sizeof(uint64_t);
  CommandBufferTimes(base::Ref<TimeSlots> slots, uint32_t slot);
  ~CommandBufferTimes() override { m_slots->giveBack(m_slot); }

  base::Ref<TimeSlots> m_slots;
  uint32_t m_slot;
  volatile uint64_t* m_entries;
};

} // namespace basanite::vulkan
