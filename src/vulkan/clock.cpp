// SPDX-License-Identifier: Apache-2.0
// Pairs the clocks by vkGetCalibratedTimestamps (KHR and EXT are the same function under two names) or by
// stamps.
#include "src/vulkan/clock.hpp"

#include "src/base/host_clock.hpp"
#include "src/base/log.hpp"
#include "src/vulkan/simulated_clock.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <vector>

namespace basanite::vulkan {

namespace {

constexpr int kTries = 8;
constexpr uint64_t kGoodDeviationNs = 2'000;
constexpr uint64_t kRecentNs = 100'000'000;
// Without calibrated timestamps. Crystals drift apart by 100 parts in a million at most.
constexpr uint64_t kDriftParts = 10'000;
constexpr uint64_t kProbeIntervalNs = 1'000'000'000;
constexpr uint64_t kProbePatienceNs = 2'000'000;
constexpr int kProbeTries = 3;
constexpr int kFirstProbeTries = 16;
constexpr uint64_t kFirstProbePatienceNs = 100'000'000;
constexpr uint64_t kGoodProbeNs = 50'000;
// The reference is written this often in one turn of the counter.
constexpr uint64_t kReferencesPerTurn = 16;

// The GPU may read it at any time.
void store(Buffer& reference, uint64_t ticks) {
  std::atomic_ref<uint64_t>(*static_cast<uint64_t*>(reference.contents()))
      .store(ticks, std::memory_order_release);
}

} // namespace

uint64_t hostNsBetween(const ClockSample& earlier, const ClockSample& later, uint64_t gpuNs) {
  // Unsigned wrap-around makes differences right in both directions.
  if (gpuNs >= later.gpuNs || later.gpuNs <= earlier.gpuNs) return later.hostNs + (gpuNs - later.gpuNs);
  if (gpuNs <= earlier.gpuNs) return earlier.hostNs + (gpuNs - earlier.gpuNs);
  const auto hostSpan = static_cast<unsigned __int128>(later.hostNs - earlier.hostNs);
  return earlier.hostNs +
         static_cast<uint64_t>(hostSpan * (gpuNs - earlier.gpuNs) / (later.gpuNs - earlier.gpuNs));
}

// Most programs never let go of their device, and drivers unmap its memory when the process exits: the NVIDIA
// driver does so under a thread that still writes there. Handlers of exit run in reverse order, so one that
// is registered with a device open comes before the driver's own. Never destroyed, since clocks may go even
// later.
struct Clock::RunningReferences {
  static RunningReferences& all() {
    static auto* s_all = new RunningReferences;
    return *s_all;
  }
  RunningReferences() { std::atexit(stop); }
  static void stop() {
    std::lock_guard lock(all().mutex);
    for (Clock* clock : all().clocks) clock->stopReference();
  }

  std::mutex mutex;
  std::vector<Clock*> clocks;
};

Clock::Clock(base::Ref<Device> device) : m_device(std::move(device)) {
  m_bits = m_device->limits().timestampValidBits;
  const auto periodNs = static_cast<float>(m_device->limits().timestampPeriodNs);
  m_nsPerTick = TickScale::nsPerTick(periodNs);
  m_ticksPerNs = TickScale::ticksPerNs(periodNs);
  if (!m_device->features().calibratedTimestamps) return;
  const char* name = m_device->features().calibratedTimestampsKhr ? "vkGetCalibratedTimestampsKHR"
                                                                  : "vkGetCalibratedTimestampsEXT";
  m_getCalibratedTimestamps =
      reinterpret_cast<PFN_vkGetCalibratedTimestampsEXT>(vkGetDeviceProcAddr(m_device->vkDevice(), name));
}

base::Result<std::unique_ptr<Clock>> Clock::create(const base::Ref<Device>& device) {
  auto clock = std::unique_ptr<Clock>(new Clock(device));
  if (clock->m_bits == 0) return clock;
  if (!clock->m_getCalibratedTimestamps) {
    BASANITE_TRY(clock->m_probe, ClockProbe::create(device));
    clock->probe(kFirstProbeTries, kFirstProbePatienceNs);
    clock->m_lastProbeNs = base::hostNowNs();
  }
  if (device->limits().timestampPeriodNs != 1.0 || clock->m_bits < 64) {
    BASANITE_TRY(clock->m_kernel, TickKernel::create(device));
  }
  if (clock->m_bits < 64) {
    clock->sample();
    BASANITE_TRY(clock->m_reference,
                 Buffer::create(device, sizeof(uint64_t), MemoryKind::shared, "tick reference"));
    // The thread may come to its turn only after the first recording has run.
    store(*clock->m_reference, clock->predictedTicks(base::hostNowNs()));
    clock->startReference();
  }
  return clock;
}

Clock::~Clock() {
  if (!m_reference) return;
  auto& running = RunningReferences::all();
  std::lock_guard lock(running.mutex);
  std::erase(running.clocks, this);
  stopReference();
}

void Clock::startReference() {
  auto& running = RunningReferences::all();
  std::lock_guard lock(running.mutex);
  running.clocks.push_back(this);
  m_referenceThread = std::thread([this] { keepReference(); });
}

void Clock::stopReference() {
  if (!m_referenceThread.joinable()) return;
  {
    std::lock_guard lock(m_mutex);
    m_stop = true;
  }
  m_stopped.notify_all();
  m_referenceThread.join();
}

base::Result<Clock::Reading> Clock::readCalibrated() {
  const VkCalibratedTimestampInfoEXT infos[2] = {
      {VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, nullptr, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT},
      {VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, nullptr, VK_TIME_DOMAIN_DEVICE_EXT}};
  Reading best;
  best.deviationNs = UINT64_MAX;
  for (int attempt = 0; attempt < kTries && best.deviationNs > kGoodDeviationNs; ++attempt) {
    uint64_t values[2] = {};
    uint64_t deviationNs = 0;
    VkResult result = m_getCalibratedTimestamps(m_device->vkDevice(), 2, infos, values, &deviationNs);
    if (result != VK_SUCCESS) return vulkanError("Reading the device's clock", result);
    if (deviationNs < best.deviationNs) best = {values[0], values[1], deviationNs};
  }
  const auto& simulated = m_device->physical().simulatedClock();
  if (simulated) best.ticks = simulated->ticks(best.ticks);
  best.ticks &= tickMask(m_bits);
  return best;
}

void Clock::probe(int tries, uint64_t patienceNs) {
  for (int attempt = 0; attempt < tries; ++attempt) {
    auto reading = m_probe->read(patienceNs);
    // Nothing read: the GPU has other work and will not have less at once.
    if (!reading.ok() || !*reading) return;
    accept(**reading);
    if ((*reading)->hostAfterNs - (*reading)->hostBeforeNs < kGoodProbeNs) return;
  }
}

void Clock::accept(const ClockProbe::Reading& reading) {
  const auto& simulated = m_device->physical().simulatedClock();
  const uint64_t read = (simulated ? simulated->ticks(reading.ticks) : reading.ticks) & tickMask(m_bits);
  std::lock_guard lock(m_mutex);
  const uint64_t ticks = extendedTicks(read, reading.hostBeforeNs);
  const uint64_t gpuNs = std::max<uint64_t>(m_nsPerTick.apply(ticks), 1);
  OffsetRange offset{static_cast<int64_t>(reading.hostBeforeNs - gpuNs),
                     static_cast<int64_t>(reading.hostAfterNs - gpuNs), reading.hostAfterNs};
  if (m_offset.hostNs != 0) {
    const auto drift = static_cast<int64_t>((reading.hostAfterNs - m_offset.hostNs) / kDriftParts);
    const int64_t low = std::max(offset.lowNs, m_offset.lowNs - drift),
                  high = std::min(offset.highNs, m_offset.highNs + drift);
    if (low <= high) offset = {low, high, offset.hostNs};
  }
  m_offset = offset;
  const int64_t half = (offset.highNs - offset.lowNs) / 2;
  m_recent = {gpuNs + static_cast<uint64_t>(offset.lowNs + half), gpuNs, static_cast<uint64_t>(half) + 1};
  m_recentTicks = ticks;
}

uint64_t Clock::predictedTicks(uint64_t hostNs) const {
  if (hostNs >= m_recent.hostNs) return m_recentTicks + m_ticksPerNs.apply(hostNs - m_recent.hostNs);
  return m_recentTicks - m_ticksPerNs.apply(m_recent.hostNs - hostNs);
}

uint64_t Clock::extendedTicks(uint64_t ticks, uint64_t hostNs) const {
  if (m_bits == 64) return ticks;
  // The first count starts one turn up, so that no stamp of before falls below 0.
  if (m_recent.hostNs == 0) return ticks + (uint64_t(1) << m_bits);
  return extendTicks(ticks, predictedTicks(hostNs), m_bits);
}

ClockSample Clock::accept(const Reading& reading) {
  std::lock_guard lock(m_mutex);
  const uint64_t ticks = extendedTicks(reading.ticks, reading.hostNs);
  const ClockSample sample{reading.hostNs, std::max<uint64_t>(m_nsPerTick.apply(ticks), 1),
                           reading.deviationNs + m_nsPerTick.apply(1)};
  if (sample.hostNs > m_recent.hostNs) {
    m_recent = sample;
    m_recentTicks = ticks;
  }
  return sample;
}

ClockSample Clock::sample() {
  if (m_bits == 0)
    return unpaired({fmt::format("The device {} has no timestamps on its universal queue family.",
                                 m_device->physical().name())});
  if (!m_getCalibratedTimestamps) return sampleByProbe();
  auto reading = readCalibrated();
  return reading.ok() ? accept(*reading) : unpaired(reading.error());
}

ClockSample Clock::sampleByProbe() {
  bool complain = false, stale = false;
  {
    std::lock_guard lock(m_mutex);
    complain = !m_complained;
    m_complained = true;
    // Also after a probe in vain: whoever keeps the GPU busy is not to wait for it at every commit.
    stale = base::hostNowNs() - m_lastProbeNs > kProbeIntervalNs;
    if (stale) m_lastProbeNs = base::hostNowNs();
  }
  if (complain)
    base::logWarning("The device {} has no calibrated timestamps; its clock is paired with the host's by "
                     "stamps of their own, right to about half the time that an empty submission takes.",
                     m_device->physical().name());
  if (stale) {
    // One thread asks the GPU; the others go on with the pair there is.
    std::unique_lock probing(m_probeMutex, std::try_to_lock);
    if (probing.owns_lock()) probe(kProbeTries, kProbePatienceNs);
  }
  const uint64_t nowNs = base::hostNowNs();
  std::lock_guard lock(m_mutex);
  if (m_recent.hostNs == 0) return {nowNs, nowNs, ClockSample::kUnknownError};
  m_lastGpuNs = std::max({m_lastGpuNs, m_nsPerTick.apply(predictedTicks(nowNs)), uint64_t(1)});
  return {nowNs, m_lastGpuNs, m_recent.errorNs + (nowNs - m_recent.hostNs) / kDriftParts};
}

ClockSample Clock::unpaired(const base::Error& error) {
  const uint64_t nowNs = base::hostNowNs();
  std::lock_guard lock(m_mutex);
  if (!m_complained) base::logWarning("The GPU's clock cannot be paired with the host's. {}", error.message);
  m_complained = true;
  if (m_recent.hostNs == 0) return {nowNs, nowNs, ClockSample::kUnknownError};
  return {nowNs, m_recent.gpuNs + (nowNs - m_recent.hostNs), ClockSample::kUnknownError};
}

ClockSample Clock::recent() {
  {
    std::lock_guard lock(m_mutex);
    if (m_recent.hostNs != 0 && base::hostNowNs() - m_recent.hostNs <= kRecentNs) return m_recent;
  }
  return sample();
}

uint64_t Clock::hostNsOf(uint64_t gpuNs, const ClockSample& earlier) {
  return hostNsBetween(earlier, recent(), gpuNs);
}

void Clock::keepReference() {
  const uint64_t turnNs = m_nsPerTick.apply(uint64_t(1) << m_bits);
  const std::chrono::nanoseconds interval(
      std::clamp<uint64_t>(turnNs / kReferencesPerTurn, 1'000'000, 60'000'000'000));
  std::unique_lock lock(m_mutex);
  while (!m_stopped.wait_for(lock, interval, [&] { return m_stop; })) {
    // Carried on at the nominal rate alone the count would lose its turn in the end.
    lock.unlock();
    recent();
    lock.lock();
    store(*m_reference, predictedTicks(base::hostNowNs()));
  }
}

} // namespace basanite::vulkan
