// SPDX-License-Identifier: Apache-2.0
// Handles that die once the submissions that were in flight when they were released have completed.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>

namespace basanite::vulkan {

// Keyed by the device-wide submission serial (src/vulkan/submitter.hpp), which is also every queue's timeline
// value. Thread-safe. Deleters run on the thread that collects, outside the lock, and must not touch the
// object they came from.
class DeferredDelete {
 public:
  using Deleter = std::function<void()>;

  // Runs `deleter` when every submission up to `lastSerial` has completed: at once when that is so already.
  // `lastSerial` is Submitter::lastSerial() at the time of release; `completedSerial` is
  // Submitter::completedThrough().
  void push(uint64_t lastSerial, uint64_t completedSerial, Deleter deleter);

  // Runs all deleters whose serial is <= completedSerial. Returns how many ran.
  size_t collect(uint64_t completedSerial);

  size_t pendingCount() const;

 private:
  struct Entry {
    uint64_t serial;
    Deleter deleter;
  };
  mutable std::mutex m_mutex;
  std::deque<Entry> m_entries; // ascending serial
};

} // namespace basanite::vulkan
