// SPDX-License-Identifier: Apache-2.0
// Taking slots for the times of recordings.
#include "src/vulkan/command_buffer_times.hpp"

#include <bit>

namespace basanite::vulkan {

namespace {
constexpr uint32_t kSlots = 64;
} // namespace

base::Result<base::Ref<TimeSlots>> TimeSlots::create(const base::Ref<Device>& device) {
  constexpr uint64_t kLengthBytes = kSlots * CommandBufferTimes::kSlotBytes;
  BASANITE_TRY(auto buffer,
               Buffer::create(device, kLengthBytes, MemoryKind::readback, "command buffer times"));
  return base::Ref<TimeSlots>::adopt(new TimeSlots(std::move(buffer)));
}

base::Ref<CommandBufferTimes> TimeSlots::take() {
  uint64_t used = m_used.load(std::memory_order_acquire);
  if (used == UINT64_MAX) return nullptr;
  uint32_t slot = std::countr_one(used);
  m_used.fetch_or(uint64_t(1) << slot, std::memory_order_relaxed);
  return base::Ref<CommandBufferTimes>::adopt(new CommandBufferTimes(base::Ref<TimeSlots>(this), slot));
}

CommandBufferTimes::CommandBufferTimes(base::Ref<TimeSlots> slots, uint32_t slot)
    : m_slots(std::move(slots)), m_slot(slot),
      m_entries(static_cast<volatile uint64_t*>(m_slots->buffer().contents()) + slot * 2) {
  m_entries[0] = 0; // of the recording that had the slot before
  m_entries[1] = 0;
}

} // namespace basanite::vulkan
