// SPDX-License-Identifier: Apache-2.0
// Reads the test hooks of the timestamp counter.
#include "src/vulkan/simulated_clock.hpp"

#include "src/base/env.hpp"
#include "src/base/host_clock.hpp"

#include <cstdlib>
#include <fmt/format.h>

namespace basanite::vulkan {

namespace {

constexpr const char* kPeriodVariable = "BASANITE_TEST_TIMESTAMP_PERIOD";
constexpr const char* kBitsVariable = "BASANITE_TEST_TIMESTAMP_BITS";
constexpr double kMinPeriodNs = 1, kMaxPeriodNs = 1000;
constexpr uint64_t kFirstWrapNs = 500'000'000;
constexpr double kMinBits = 24, kMaxBits = 64;

base::Result<std::optional<double>> numberWithin(const char* variable, double low, double high,
                                                 const char* unit) {
  const std::optional<std::string> text = base::envText(variable);
  if (!text) return std::optional<double>();
  char* end = nullptr;
  const double number = std::strtod(text->c_str(), &end);
  if (*end || !(number >= low && number <= high))
    return base::Error{
        fmt::format("{}={} is not a number of {} from {} to {}.", variable, *text, unit, low, high)};
  return std::optional<double>(number);
}

} // namespace

base::Result<std::optional<SimulatedClock>> SimulatedClock::fromEnvironment() {
  BASANITE_TRY(auto periodNs, numberWithin(kPeriodVariable, kMinPeriodNs, kMaxPeriodNs, "nanoseconds"));
  BASANITE_TRY(auto bits, numberWithin(kBitsVariable, kMinBits, kMaxBits, "bits"));
  if (!periodNs && !bits) return std::optional<SimulatedClock>();
  SimulatedClock clock;
  clock.periodNs = static_cast<float>(periodNs.value_or(1));
  clock.validBits = static_cast<uint32_t>(bits.value_or(64));
  clock.ticksPerNs = TickScale::ticksPerNs(clock.periodNs);
  if (clock.validBits < 64) clock.firstTick = -clock.ticksPerNs.apply(base::hostNowNs() + kFirstWrapNs);
  return std::optional<SimulatedClock>(clock);
}

bool calibratedTimestampsHidden() { return base::envFlag("BASANITE_TEST_NO_CALIBRATED_TIMESTAMPS"); }

} // namespace basanite::vulkan
