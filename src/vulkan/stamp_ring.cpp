// SPDX-License-Identifier: Apache-2.0
// The block that came back last goes out first, so few heaps are touched.
#include "src/vulkan/stamp_ring.hpp"

#include <utility>

namespace basanite::vulkan {

base::Ref<StampRing> StampRing::create(const base::Ref<Device>& device) {
  return base::Ref<StampRing>::adopt(new StampRing(device));
}

base::Ref<StampBlock> StampRing::take() {
  std::unique_lock lock(m_mutex);
  if (m_free.empty()) {
    if (m_heapCount == kMaxHeaps) return nullptr;
    auto heap = CounterHeap::create(m_device, kHeapEntries, "recording's stamps");
    if (!heap.ok()) return nullptr;
    ++m_heapCount;
    for (uint32_t first = 0; first < kHeapEntries; first += StampBlock::kEntries)
      m_free.push_back({*heap, first});
  }
  Place place = std::move(m_free.back());
  m_free.pop_back();
  lock.unlock();
  place.heap->invalidate(place.first, StampBlock::kEntries);
  return base::Ref<StampBlock>::adopt(new StampBlock(base::Ref<StampRing>(this), std::move(place)));
}

void StampRing::giveBack(Place place) {
  std::lock_guard lock(m_mutex);
  m_free.push_back(std::move(place));
}

uint64_t StampBlock::value(uint32_t index) const {
  uint64_t value = 0;
  m_place.heap->read(m_place.first + index, 1, &value);
  return value;
}

} // namespace basanite::vulkan
