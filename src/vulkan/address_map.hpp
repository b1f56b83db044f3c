// SPDX-License-Identifier: Apache-2.0
// GPU address to buffer: an ordered map of the address ranges of all live buffers of a device.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>

#include "src/vulkan/vulkan_api.hpp"

namespace basanite::vulkan {

class Buffer;

// Where an address points. Valid while the buffer lives: keeping it alive during encoding is the app's duty
// (residency).
struct BufferLocation {
  VkBuffer vkBuffer = VK_NULL_HANDLE;
  uint64_t offset = 0;      // bytes from the buffer's start
  uint64_t remaining = 0;   // bytes from the address to the buffer's end; at least 1
  Buffer* buffer = nullptr; // null for ranges inserted without one (an allocator's upload memory)
};

// Thread-safe: many readers, one writer. O(log n).
class AddressMap {
 public:
  // Ranges never overlap (they come from the driver); a length of 0 is an invariant violation.
  void insert(uint64_t address, uint64_t length, VkBuffer vkBuffer, Buffer* buffer);
  void erase(uint64_t address);

  // Nothing when no live range contains the address.
  std::optional<BufferLocation> find(uint64_t address) const;

  // Grows with every erase: as long as it stays, what find() said holds.
  uint64_t eraseCount() const { return m_eraseCount.load(std::memory_order_acquire); }

  size_t size() const;

 private:
  struct Range {
    uint64_t length;
    VkBuffer vkBuffer;
    Buffer* buffer;
  };
  mutable std::shared_mutex m_mutex;
  std::map<uint64_t, Range> m_ranges; // by first address
  std::atomic<uint64_t> m_eraseCount{0};
};

// find() for someone who asks at every draw: the ranges of the last answers are kept until a buffer goes. One
// thread at a time; the map outlives it.
class AddressCache {
 public:
  explicit AddressCache(const AddressMap& map) : m_map(map) {}
  // As the map's, but for BufferLocation::buffer, which is null.
  std::optional<BufferLocation> find(uint64_t address);
  // Whether find() has an answer. A few instructions when the last one was about the same buffer.
  bool contains(uint64_t address) {
    const Range& last = m_ranges[m_last];
    if (address - last.first < last.length && m_map.eraseCount() == m_eraseCount) [[likely]]
      return true;
    return find(address).has_value();
  }
  // Of the map, when find() was last called: as long as it stays, a VkBuffer means the same buffer.
  uint64_t eraseCount() const { return m_eraseCount; }

 private:
  struct Range {
    uint64_t first = 0;
    uint64_t length = 0;
    VkBuffer vkBuffer = VK_NULL_HANDLE;
  };
  const AddressMap& m_map;
  uint64_t m_eraseCount = 0;
  std::array<Range, 8> m_ranges{};
  size_t m_last = 0; // of the last answer
  size_t m_next = 0; // to be replaced
};

} // namespace basanite::vulkan
