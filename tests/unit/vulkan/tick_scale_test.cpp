// SPDX-License-Identifier: Apache-2.0
// Ticks to nanoseconds and back without an error that grows; counters that wrap; pairs of clocks that drift.
#include "src/vulkan/clock.hpp"
#include "src/vulkan/tick_scale.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace basanite::vulkan {
namespace {

constexpr float kPeriods[] = {1.0f,        10.0f,       41.667f,     52.083f, 83.333f,
                              41.6666667f, 52.0833333f, 83.3333333f, 2.5f};

// Nanoseconds of that many ticks in whole numbers: `numerator` ns every `denominator` ticks.
unsigned __int128 exact(uint64_t ticks, uint64_t numerator, uint64_t denominator) {
  return static_cast<unsigned __int128>(ticks) * numerator / denominator;
}

TEST(TickScale, B15TheFactorIsThePeriodAndItsInverseTheFrequency) {
  for (float period : kPeriods) {
    constexpr uint64_t kTicks = 1'000'000'000;
    EXPECT_NEAR(double(TickScale::nsPerTick(period).apply(kTicks)), double(period) * kTicks,
                period * kTicks * 1e-6)
        << period;
    EXPECT_NEAR(double(TickScale::ticksPerNs(period).apply(kTicks)), kTicks / double(period),
                kTicks / period * 1e-6)
        << period;
    EXPECT_GT(TickScale::ticksPerNs(period).apply(kTicks), 0u) << period;
  }
}

TEST(TickScale, NanosecondsAreExactAtAnyUptime) {
  // No known clock's period rounds to the floats 41.667 and 52.083, so those are taken as they are.
  const struct {
    float period;
    uint64_t numerator, denominator;
  } rows[] = {
      {1.0f, 1, 1},
      {10.0f, 10, 1},
      {2.5f, 5, 2},
      {41.667f, 10'922'754, 262'144},
      {52.083f, 13'653'246, 262'144},
      {41.6666667f, 125, 3},  // 24 MHz
      {52.0833333f, 625, 12}, // 19.2 MHz
      {83.3333333f, 250, 3},  // 12 MHz
  };
  std::mt19937_64 random(1);
  for (const auto& row : rows) {
    ASSERT_NEAR(double(row.numerator) / double(row.denominator), double(row.period), 1e-5) << row.period;
    const TickScale scale = TickScale::nsPerTick(row.period);
    for (int bits = 1; bits <= 57; ++bits)
      for (int i = 0; i < 200; ++i) {
        const uint64_t ticks = random() >> (64 - bits);
        const auto right = static_cast<uint64_t>(exact(ticks, row.numerator, row.denominator));
        const uint64_t value = scale.apply(ticks);
        ASSERT_TRUE(value == right || value + 1 == right)
            << row.period << ": " << ticks << " ticks " << value << " " << right;
      }
  }
}

TEST(TickScale, ThereAndBackLosesLessThanATick) {
  std::mt19937_64 random(2);
  for (float period : kPeriods)
    for (int i = 0; i < 10'000; ++i) {
      const uint64_t ns = random() >> 8; // up to two years
      const uint64_t back = TickScale::nsPerTick(period).apply(TickScale::ticksPerNs(period).apply(ns));
      ASSERT_LE(back, ns) << period;
      ASSERT_LT(ns - back, uint64_t(period) + 3) << period << " " << ns;
    }
}

TEST(TickScale, ScalingKeepsOrder) {
  for (float period : kPeriods) {
    const TickScale scale = TickScale::nsPerTick(period);
    for (uint64_t ticks = (uint64_t(1) << 52) - 500; ticks < (uint64_t(1) << 52) + 500; ++ticks)
      ASSERT_LT(scale.apply(ticks), scale.apply(ticks + 1)) << period;
  }
}

TEST(TickExtension, B59TheCountGoesOnOverTheWrap) {
  for (uint32_t bits : {27u, 32u, 36u, 48u, 63u, 64u}) {
    const uint64_t wrap = bits < 64 ? uint64_t(1) << bits : 0;
    const uint64_t half = uint64_t(1) << (bits - 1);
    for (uint64_t turns : {1u, 2u, 1000u}) {
      const uint64_t at = bits < 60 ? wrap * turns : uint64_t(1) << 62;
      for (uint64_t reference : {at - 1, at, at + 1, at + half - 1, at - half + 1})
        for (uint64_t count :
             {reference, reference + 1, reference - 1, reference + half - 1, reference - half})
          ASSERT_EQ(extendTicks(count & tickMask(bits), reference, bits), count)
              << bits << " bits, reference " << reference << ", count " << count;
    }
  }
}

TEST(TickExtension, StepsReachSevenEighthsForwardAndOneEighthBack) {
  for (uint32_t bits : {27u, 32u, 36u, 63u}) {
    const uint64_t eighth = uint64_t(1) << (bits - 3);
    for (uint64_t from : {uint64_t(0), eighth, 7 * eighth, 8 * eighth - 1}) {
      for (int64_t step : {int64_t(0), int64_t(1), int64_t(-1), int64_t(7 * eighth - 1), -int64_t(eighth)})
        ASSERT_EQ(tickStep(from, (from + uint64_t(step)) & tickMask(bits), bits), step)
            << bits << " " << from;
    }
  }
  EXPECT_EQ(tickStep(10, 5, 64), -5);
}

TEST(ClockPairs, DriftBetweenTwoPairsDoesNoHarm) {
  // The GPU's clock is 50 parts in a million fast and has an epoch of its own; ten minutes apart.
  constexpr uint64_t kEpoch = 123'456'789'000, kMinutes10 = 600'000'000'000, kStart = 5'000'000'000'000;
  auto gpuAt = [&](uint64_t hostNs) { return kEpoch + (hostNs - kStart) + (hostNs - kStart) / 20'000; };
  const ClockSample early{kStart, gpuAt(kStart)}, late{kStart + kMinutes10, gpuAt(kStart + kMinutes10)};
  for (uint64_t passed = 0; passed <= kMinutes10; passed += kMinutes10 / 100) {
    const uint64_t host = kStart + passed;
    EXPECT_NEAR(double(hostNsBetween(early, late, gpuAt(host)) - kStart), double(passed), 2.0);
  }
  // Outside, by the nearer pair: 1 ms before and after.
  EXPECT_NEAR(double(hostNsBetween(early, late, early.gpuNs - 1'000'000)), double(kStart - 1'000'000), 1);
  EXPECT_NEAR(double(hostNsBetween(early, late, late.gpuNs + 1'000'000)), double(late.hostNs + 1'000'000), 1);
  // One pair twice.
  EXPECT_EQ(hostNsBetween(late, late, late.gpuNs - 5), late.hostNs - 5);
}

} // namespace
} // namespace basanite::vulkan
