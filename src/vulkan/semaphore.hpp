// SPDX-License-Identifier: Apache-2.0
// A timeline semaphore: what stands behind MTL::Event, MTL::SharedEvent and each queue's own progress.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/device.hpp"

#include <atomic>
#include <vector>

namespace basanite::vulkan {

class Semaphore;
struct SemaphoreValue {
  const Semaphore* semaphore = nullptr;
  uint64_t value = 0;
};

// Values only grow: a signal that is not above what was signalled or promised already does nothing.
// Thread-safe.
class Semaphore final : public base::RefCounted {
 public:
  static base::Result<base::Ref<Semaphore>> create(const base::Ref<Device>& device, uint64_t initialValue = 0,
                                                   std::string_view label = {});

  // The value reached now.
  uint64_t value() const;
  // Host signal; also lets submissions go that were held back for this value.
  base::Result<void> signal(uint64_t value);
  // True when the value is reached within the time, false when the time is over. UINT64_MAX waits for ever.
  base::Result<bool> wait(uint64_t value, uint64_t timeoutNs) const;
  // The same for the first of several, at least one, of one device.
  static base::Result<bool> waitAny(const std::vector<SemaphoreValue>& points, uint64_t timeoutNs);

  VkSemaphore vkSemaphore() const { return m_vkSemaphore; }
  Device& device() const { return *m_device; }

  // For the submitter, under its lock. The highest value that is signalled or will be by work already handed
  // to Vulkan.
  uint64_t promised() const { return m_promised; }
  void promise(uint64_t value) { m_promised = value > m_promised ? value : m_promised; }

 private:
  explicit Semaphore(base::Ref<Device> device) : m_device(std::move(device)) {}
  ~Semaphore() override;

  base::Ref<Device> m_device;
  VkSemaphore m_vkSemaphore = VK_NULL_HANDLE;
  uint64_t m_promised = 0; // guarded by the submitter's lock
  // What a host thread did before its signal is there for a thread whose wait the signal ended. The driver
  // sees to that; it is said here once more in C++'s own terms, the only ones that ThreadSanitizer knows.
  std::atomic<uint32_t> m_hostSignals{0};
};

} // namespace basanite::vulkan
