// SPDX-License-Identifier: Apache-2.0
// The GPU's clock beside the host's: paired samples, the way from one to the other, and the 64-bit count of a
// counter that wraps.
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/clock_probe.hpp"
#include "src/vulkan/device.hpp"
#include "src/vulkan/tick_kernel.hpp"
#include "src/vulkan/tick_scale.hpp"

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

namespace basanite::vulkan {

// One moment on both clocks, in nanoseconds. Host: CLOCK_MONOTONIC. GPU: the clock of the counter-heap
// entries. Neither is 0.
struct ClockSample {
  static constexpr uint64_t kUnknownError = UINT64_MAX; // the clocks cannot be paired
  uint64_t hostNs = 0;
  uint64_t gpuNs = 0;
  uint64_t errorNs = 0; // the two are this far apart at most
};

// The host time of a GPU moment, by two pairs: between them in proportion, so that clocks that drift apart do
// no harm; outside them by the nearer one alone.
uint64_t hostNsBetween(const ClockSample& earlier, const ClockSample& later, uint64_t gpuNs);

// Thread-safe; one a device. With calibrated timestamps a pair is read from the driver; without, the GPU's
// clock is read by a stamp in a submission of its own, at most once a second, and carried on by the host's in
// between.
class Clock {
 public:
  // Error: out of memory, device lost.
  static base::Result<std::unique_ptr<Clock>> create(const base::Ref<Device>& device);
  ~Clock();

  // A fresh pair, the best of a bounded number of tries. When the clocks cannot be paired (the log says why,
  // once) the GPU's is taken to be the host's.
  ClockSample sample();
  // A pair that is at most 100 ms old.
  ClockSample recent();
  // The host time of a GPU moment, by `earlier` and a recent pair.
  uint64_t hostNsOf(uint64_t gpuNs, const ClockSample& earlier);

  // How queries become entries: null where device ticks are 64-bit nanoseconds and are copied as they are.
  const TickKernel* kernel() const { return m_kernel.get(); }
  // GPU address of the extended tick count of about now, for the kernel. 0 where the counter does not wrap.
  uint64_t referenceAddress() const { return m_reference ? m_reference->gpuAddress() : 0; }

 private:
  // What the device said at a moment.
  struct Reading {
    uint64_t hostNs = 0;
    uint64_t ticks = 0; // of the device's valid bits
    uint64_t deviationNs = 0;
  };
  // Between which bounds the host's time less the GPU's lay at a moment, by probes. Each says that its stamp
  // was written after one host time and before another; a slow machine loosens now the one bound, now the
  // other, and the tight ones stay.
  struct OffsetRange {
    int64_t lowNs = 0, highNs = 0;
    uint64_t hostNs = 0; // 0: nothing known
  };
  explicit Clock(base::Ref<Device> device);
  base::Result<Reading> readCalibrated();
  void probe(int tries, uint64_t patienceNs);
  ClockSample accept(const Reading& reading);
  void accept(const ClockProbe::Reading& reading);
  ClockSample sampleByProbe();
  ClockSample unpaired(const base::Error& error);
  // m_mutex is held.
  uint64_t predictedTicks(uint64_t hostNs) const;
  uint64_t extendedTicks(uint64_t ticks, uint64_t hostNs) const;
  struct RunningReferences;
  void startReference();
  // Also at process exit. Any number of times, one thread at a time.
  void stopReference();
  void keepReference();

  base::Ref<Device> m_device;
  PFN_vkGetCalibratedTimestampsEXT m_getCalibratedTimestamps = nullptr;
  uint32_t m_bits = 64;
  TickScale m_nsPerTick, m_ticksPerNs;
  std::unique_ptr<TickKernel> m_kernel;

  std::mutex m_probeMutex; // guards the probe
  std::unique_ptr<ClockProbe> m_probe;

  mutable std::mutex m_mutex; // guards what follows
  ClockSample m_recent;       // hostNs 0: none yet
  uint64_t m_recentTicks = 0; // of m_recent, extended
  uint64_t m_lastProbeNs = 0; // host time
  OffsetRange m_offset;
  uint64_t m_lastGpuNs = 0; // of a pair carried on by the host's clock: those never go back
  bool m_complained = false;

  base::Ref<Buffer> m_reference; // 8 bytes
  std::condition_variable m_stopped;
  bool m_stop = false;
  std::thread m_referenceThread;
};

} // namespace basanite::vulkan
