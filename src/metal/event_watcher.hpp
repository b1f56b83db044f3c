// SPDX-License-Identifier: Apache-2.0
// Waits for values of shared events on behalf of listeners: one thread a device.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/semaphore.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace basanite::metal {

// Thread-safe. Started by the first watch; ended, with what still waits dropped, when the process ends.
class EventWatcher {
 public:
  // The watcher of the semaphore's device.
  static EventWatcher& of(const base::Ref<vulkan::Device>& device);
  explicit EventWatcher(base::Ref<vulkan::Device> device) : m_device(std::move(device)) {}
  ~EventWatcher();

  // Calls `reached` on the watcher's thread once the semaphore has the value or more; it is to hand the work
  // on. Error: what the backend says.
  base::Result<void> watch(base::Ref<vulkan::Semaphore> semaphore, uint64_t value,
                           std::function<void()> reached);

 private:
  struct Watch {
    base::Ref<vulkan::Semaphore> semaphore;
    uint64_t value;
    std::function<void()> reached;
  };
  void run();

  base::Ref<vulkan::Device> m_device;
  std::mutex m_mutex;
  base::Ref<vulkan::Semaphore> m_wake; // signalled when there is something new
  uint64_t m_wakeValue = 0;            // guarded by m_mutex
  std::vector<Watch> m_watches;        // guarded by m_mutex
  bool m_stopping = false;             // guarded by m_mutex
  std::thread m_thread;
};

} // namespace basanite::metal
