// SPDX-License-Identifier: Apache-2.0
// Places for Basanite's own stamps: internal counter heaps, handed out in blocks that come back when their
// work has run.
#pragma once

#include "src/base/ref.hpp"
#include "src/vulkan/counter_heap.hpp"

#include <cstdint>
#include <mutex>
#include <vector>

namespace basanite::vulkan {

class StampBlock;

// Thread-safe. Grows to what is in flight at most, and never waits.
class StampRing final : public base::RefCounted {
 public:
  static constexpr uint32_t kMaxHeaps = 64;
  static constexpr uint32_t kHeapEntries = 16'384;
  static base::Ref<StampRing> create(const base::Ref<Device>& device);

  // A block whose entries are 0; null when all are in use or there is no memory for more.
  base::Ref<StampBlock> take();

 private:
  friend class StampBlock;
  struct Place {
    base::Ref<CounterHeap> heap;
    uint32_t first;
  };
  explicit StampRing(base::Ref<Device> device) : m_device(std::move(device)) {}
  void giveBack(Place place);

  base::Ref<Device> m_device;
  std::mutex m_mutex;
  uint32_t m_heapCount = 0; // guarded by m_mutex, as m_free
  std::vector<Place> m_free;
};

// Immutable; the last reference gives it back, so whoever submits stamps into it keeps one until they have
// run.
class StampBlock final : public base::RefCounted {
 public:
  static constexpr uint32_t kEntries = 64;

  CounterHeap& heap() const { return *m_place.heap; }
  uint32_t first() const { return m_place.first; }
  // Nanoseconds of the heaps' clock; 0 while nothing is written. index < kEntries.
  uint64_t value(uint32_t index) const;

 private:
  friend class StampRing;
  StampBlock(base::Ref<StampRing> ring, StampRing::Place place)
      : m_ring(std::move(ring)), m_place(std::move(place)) {}
  ~StampBlock() override { m_ring->giveBack(std::move(m_place)); }

  base::Ref<StampRing> m_ring;
  StampRing::Place m_place;
};

} // namespace basanite::vulkan
