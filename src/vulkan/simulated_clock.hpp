// SPDX-License-Identifier: Apache-2.0
// Test hooks that make a device act as if its timestamp counter had longer ticks or fewer bits, or no
// calibrated timestamps (docs/testing.md lists them).
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/tick_scale.hpp"

#include <cstdint>
#include <optional>

namespace basanite::vulkan {

// BASANITE_TEST_TIMESTAMP_PERIOD and BASANITE_TEST_TIMESTAMP_BITS: the counter of a device that really counts
// 64-bit nanoseconds, seen as another device's. What the driver hands out is turned into such ticks wherever
// it comes in. With fewer than 64 bits, and where the device's clock is the host's (lavapipe), the counter
// wraps half a second after the device was looked at.
struct SimulatedClock {
  float periodNs = 1;
  uint32_t validBits = 64;
  TickScale ticksPerNs;
  uint64_t firstTick = 0; // the count, before it wraps, at 0 ns

  uint64_t ticks(uint64_t ns) const { return (ticksPerNs.apply(ns) + firstTick) & tickMask(validBits); }

  // Nothing when neither variable is set. Error: a value that makes no sense, with the values that do.
  static base::Result<std::optional<SimulatedClock>> fromEnvironment();
};

// BASANITE_TEST_NO_CALIBRATED_TIMESTAMPS: leave the extension alone.
bool calibratedTimestampsHidden();

} // namespace basanite::vulkan
