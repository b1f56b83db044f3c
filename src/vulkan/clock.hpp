// SPDX-License-Identifier: Apache-2.0
// The GPU's clock beside the host's: paired samples, and the way from one to the other.
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/device.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace basanite::vulkan {

// One moment on both clocks, in nanoseconds. Host: CLOCK_MONOTONIC. GPU: the clock of the counter-heap entries.
struct ClockSample {
  uint64_t hostNs = 0;
  uint64_t gpuNs = 0;
  uint64_t deviationNs = 0; // how far apart the two readings may lie
};

// Thread-safe; one a device.
class Clock {
 public:
  explicit Clock(base::Ref<Device> device);

  // A fresh pair, the best of a bounded number of tries. Error: the device has no calibrated timestamps, or is lost.
  base::Result<ClockSample> sample();

  // The host time of a GPU moment, by a pair that is at most 100 ms old. 0 when the clocks cannot be paired.
  uint64_t hostNsOf(uint64_t gpuNs);

  // Device ticks as nanoseconds. Exact where a tick is 1 ns.
  uint64_t ticksToNs(uint64_t ticks) const;

  // A sentence when the device's ticks are not 64-bit nanoseconds; nothing when they are.
  static std::optional<std::string> whyNotNanoseconds(const PhysicalDevice& device);

 private:
  base::Ref<Device> m_device;
  PFN_vkGetCalibratedTimestampsEXT m_getCalibratedTimestamps = nullptr;
  std::mutex m_mutex;
  ClockSample m_recent; // guarded by m_mutex; hostNs 0: none yet
};

} // namespace basanite::vulkan
