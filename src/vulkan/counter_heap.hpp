// SPDX-License-Identifier: Apache-2.0
// A counter heap: a host-visible buffer of 64-bit nanosecond entries that recordings copy their stamps into.
#pragma once

#include "src/vulkan/buffer.hpp"

#include <cstdint>
#include <string_view>

namespace basanite::vulkan {

// Entries start as 0, the only mark of "nothing here". The host may read and invalidate at any time without
// waiting; as in Metal it is the app's duty not to do so while the GPU writes the same entries. Destruction
// is safe while the GPU still writes (deferred).
class CounterHeap final : public base::RefCounted {
 public:
  static constexpr uint32_t kEntryBytes = 8;
  static constexpr uint32_t kMaxCount = 1u << 20;

  // count: 1 .. kMaxCount. Error: out of range (both numbers), out of memory, or a device without timestamps
  // (named).
  static base::Result<base::Ref<CounterHeap>> create(const base::Ref<Device>& device, uint64_t count,
                                                     std::string_view label = {});

  uint32_t count() const { return m_count; }
  Buffer& buffer() const { return *m_buffer; }
  const Device& device() const { return *m_device; }
  void setLabel(std::string_view label) { m_buffer->setLabel(label); }

  // Copies `count` entries from `first` on to `destination`. The range is inside the heap.
  void read(uint32_t first, uint32_t count, void* destination) const;
  // Sets them to 0, at once, touching nothing else. The range is inside the heap.
  void invalidate(uint32_t first, uint32_t count);

 private:
  CounterHeap(base::Ref<Device> device, base::Ref<Buffer> buffer, uint32_t count)
      : m_device(std::move(device)), m_buffer(std::move(buffer)), m_count(count) {}

  base::Ref<Device> m_device;
  base::Ref<Buffer> m_buffer;
  uint32_t m_count;
};

} // namespace basanite::vulkan
