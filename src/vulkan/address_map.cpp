// SPDX-License-Identifier: Apache-2.0
// The ordered map from GPU addresses to buffers.
#include "src/vulkan/address_map.hpp"

#include "src/base/check.hpp"

#include <mutex>

namespace basanite::vulkan {

void AddressMap::insert(uint64_t address, uint64_t length, VkBuffer vkBuffer, Buffer* buffer) {
  BASANITE_CHECK(address != 0 && length != 0, "a buffer's address range is not empty");
  std::unique_lock lock(m_mutex);
  bool added = m_ranges.emplace(address, Range{length, vkBuffer, buffer}).second;
  BASANITE_CHECK(added, "two live buffers have the same address");
}

void AddressMap::erase(uint64_t address) {
  std::unique_lock lock(m_mutex);
  m_ranges.erase(address);
  m_eraseCount.fetch_add(1, std::memory_order_release);
}

std::optional<BufferLocation> AddressMap::find(uint64_t address) const {
  std::shared_lock lock(m_mutex);
  auto after = m_ranges.upper_bound(address);
  if (after == m_ranges.begin()) return std::nullopt;
  const auto& [first, range] = *std::prev(after);
  uint64_t offset = address - first;
  if (offset >= range.length) return std::nullopt;
  return BufferLocation{range.vkBuffer, offset, range.length - offset, range.buffer};
}

std::optional<BufferLocation> AddressCache::find(uint64_t address) {
  // Read before the search: an erase in between must be seen by the next question.
  uint64_t eraseCount = m_map.eraseCount();
  if (eraseCount != m_eraseCount) {
    m_ranges = {};
    m_eraseCount = eraseCount;
  }
  for (size_t i = 0; i < m_ranges.size(); ++i) {
    const Range& range = m_ranges[i];
    uint64_t offset = address - range.first;
    if (offset >= range.length) continue;
    m_last = i;
    return BufferLocation{range.vkBuffer, offset, range.length - offset};
  }
  auto location = m_map.find(address);
  if (!location) return std::nullopt;
  m_ranges[m_next] = {address - location->offset, location->offset + location->remaining, location->vkBuffer};
  m_last = m_next;
  m_next = (m_next + 1) % m_ranges.size();
  location->buffer = nullptr;
  return location;
}

size_t AddressMap::size() const {
  std::shared_lock lock(m_mutex);
  return m_ranges.size();
}

} // namespace basanite::vulkan
