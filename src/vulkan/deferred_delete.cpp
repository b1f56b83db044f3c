// SPDX-License-Identifier: Apache-2.0
// Runs deleters when the GPU has caught up.
#include "src/vulkan/deferred_delete.hpp"

#include <vector>

namespace basanite::vulkan {

void DeferredDelete::push(uint64_t lastSerial, uint64_t completedSerial, Deleter deleter) {
  if (lastSerial <= completedSerial) {
    deleter();
    return;
  }
  std::lock_guard lock(m_mutex);
  // Two threads may read the serial in one order and arrive here in the other.
  if (!m_entries.empty() && m_entries.back().serial > lastSerial) lastSerial = m_entries.back().serial;
  m_entries.push_back({lastSerial, std::move(deleter)});
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
