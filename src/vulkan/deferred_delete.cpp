// SPDX-License-Identifier: Apache-2.0
// Runs deleters when the GPU has caught up.
#include "src/vulkan/deferred_delete.hpp"

#include <iterator>
#include <vector>

namespace basanite::vulkan {

void DeferredDelete::push(uint64_t lastSerial, uint64_t completedSerial, Deleter deleter) {
  if (lastSerial <= completedSerial) {
    deleter();
    return;
  }
  std::lock_guard lock(m_mutex);
  // Mostly the newest; two threads may also read the serial in one order and arrive here in the other.
  auto at = m_entries.end();
  while (at != m_entries.begin() && std::prev(at)->serial > lastSerial) --at;
  m_entries.insert(at, {lastSerial, std::move(deleter)});
}

size_t DeferredDelete::collect(uint64_t completedSerial) {
  std::vector<Deleter> ripe;
  {
    std::lock_guard lock(m_mutex);
    while (!m_entries.empty() && m_entries.front().serial <= completedSerial) {
      ripe.push_back(std::move(m_entries.front().deleter));
      m_entries.pop_front();
    }
  }
  for (Deleter& deleter : ripe) deleter();
  return ripe.size();
}

size_t DeferredDelete::pendingCount() const {
  std::lock_guard lock(m_mutex);
  return m_entries.size();
}

} // namespace basanite::vulkan
