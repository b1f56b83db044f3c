// SPDX-License-Identifier: Apache-2.0
// Counter heaps live in cached host memory: the GPU writes them rarely, the host reads them often.
#include "src/vulkan/counter_heap.hpp"

#include <cstring>
#include <fmt/format.h>

namespace basanite::vulkan {

base::Result<base::Ref<CounterHeap>> CounterHeap::create(const base::Ref<Device>& device, uint64_t count,
                                                         std::string_view label) {
  if (count == 0 || count > kMaxCount)
    return base::Error{fmt::format("A counter heap holds 1 to {} entries, not {}.", kMaxCount, count)};
  if (device->limits().timestampValidBits == 0)
    return base::Error{fmt::format("The device {} has no timestamps on its universal queue family.",
                                   device->physical().name())};
  BASANITE_TRY(auto buffer, Buffer::create(device, count * kEntryBytes, MemoryKind::readback, label));
  return base::Ref<CounterHeap>::adopt(
      new CounterHeap(device, std::move(buffer), static_cast<uint32_t>(count)));
}

void CounterHeap::read(uint32_t first, uint32_t count, void* destination) const {
  if (count == 0) return; // the destination of nothing may be null, which memcpy must not be given
  std::memcpy(destination, static_cast<const uint64_t*>(m_buffer->contents()) + first,
              size_t(count) * kEntryBytes);
}

void CounterHeap::invalidate(uint32_t first, uint32_t count) {
  std::memset(static_cast<uint64_t*>(m_buffer->contents()) + first, 0, size_t(count) * kEntryBytes);
}

} // namespace basanite::vulkan
