// SPDX-License-Identifier: Apache-2.0
// Pairs the clocks by vkGetCalibratedTimestamps (KHR and EXT are the same function under two names).
#include "src/vulkan/clock.hpp"

#include "src/vulkan/vulkan_error.hpp"

#include <fmt/format.h>
#include <time.h>

namespace basanite::vulkan {

namespace {

constexpr int kTries = 8;
constexpr uint64_t kGoodDeviationNs = 2'000;
constexpr uint64_t kRecentNs = 100'000'000;

uint64_t hostNowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec);
}

} // namespace

Clock::Clock(base::Ref<Device> device) : m_device(std::move(device)) {
  if (!m_device->features().calibratedTimestamps) return;
  const char* name = m_device->features().calibratedTimestampsKhr ? "vkGetCalibratedTimestampsKHR"
                                                                  : "vkGetCalibratedTimestampsEXT";
  m_getCalibratedTimestamps =
      reinterpret_cast<PFN_vkGetCalibratedTimestampsEXT>(vkGetDeviceProcAddr(m_device->vkDevice(), name));
}

base::Result<ClockSample> Clock::sample() {
  if (!m_getCalibratedTimestamps) {
    return base::Error{fmt::format("The device {} has no calibrated timestamps, so its clock cannot be paired with the host's.",
                                   m_device->physical().name())};
  }
  const VkCalibratedTimestampInfoEXT infos[2] = {
      {VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, nullptr, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT},
      {VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, nullptr, VK_TIME_DOMAIN_DEVICE_EXT}};
  ClockSample best;
  best.deviationNs = UINT64_MAX;
  for (int attempt = 0; attempt < kTries && best.deviationNs > kGoodDeviationNs; ++attempt) {
    uint64_t values[2] = {};
    uint64_t deviationNs = 0;
    VkResult result = m_getCalibratedTimestamps(m_device->vkDevice(), 2, infos, values, &deviationNs);
    if (result != VK_SUCCESS) return vulkanError("Reading the device's clock", result);
    if (deviationNs < best.deviationNs)
      best = {values[0], ticksToNs(values[1]), deviationNs};
  }
  std::lock_guard lock(m_mutex);
  m_recent = best;
  return best;
}

uint64_t Clock::hostNsOf(uint64_t gpuNs) {
  ClockSample pair;
  {
    std::lock_guard lock(m_mutex);
    pair = m_recent;
  }
  if (pair.hostNs == 0 || hostNowNs() - pair.hostNs > kRecentNs) {
    auto fresh = sample();
    if (fresh.ok()) pair = *fresh;
    if (pair.hostNs == 0) return 0;
  }
  // Unsigned wrap-around makes the difference right in both directions.
  return pair.hostNs + (gpuNs - pair.gpuNs);
}

uint64_t Clock::ticksToNs(uint64_t ticks) const {
  const double periodNs = m_device->limits().timestampPeriodNs;
  if (periodNs == 1.0) return ticks;
  // long double: a 64-bit tick count does not fit a double's mantissa.
  return static_cast<uint64_t>(static_cast<long double>(ticks) * periodNs);
}

std::optional<std::string> Clock::whyNotNanoseconds(const PhysicalDevice& device) {
  const DeviceLimits& limits = device.limits();
  if (limits.timestampValidBits == 0)
    return fmt::format("The device {} has no timestamps on its universal queue family.", device.name());
  if (limits.timestampPeriodNs == 1.0 && limits.timestampValidBits == 64) return std::nullopt;
  return fmt::format("The device {} counts timestamps in ticks of {} ns with {} valid bits; Basanite supports only ticks of "
                     "1 ns with 64 bits so far.",
                     device.name(), limits.timestampPeriodNs, limits.timestampValidBits);
}

} // namespace basanite::vulkan
