// SPDX-License-Identifier: Apache-2.0
// From GPU to host time: offset, drift, extrapolation, stated error.
#include "src/timing/clock_line.hpp"

#include <gtest/gtest.h>

namespace basanite::timing {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
// An uptime of a year: more than a double holds to the nanosecond.
constexpr uint64_t kYear = 365 * 24 * 3600 * kSecond;

TEST(ClockLine, WithoutPairsTimesStayAsTheyAre) {
  ClockLine line;
  line.finish();
  EXPECT_EQ(line.hostNs(5), 5u);
  EXPECT_EQ(line.errorNs(), 0u);
  EXPECT_EQ(line.driftPpm(), 0);
}

TEST(ClockLine, OnePairIsAnOffset) {
  ClockLine line;
  line.add({kYear + 1'000, 500, 20});
  line.finish();
  EXPECT_EQ(line.hostNs(501), kYear + 1'001);
  EXPECT_EQ(line.hostNs(1), kYear + 501);
  EXPECT_EQ(line.errorNs(), 20u);
}

TEST(ClockLine, AnUnmeasuredTimeStaysUnmeasured) {
  ClockLine line;
  line.add({kYear, 1, 0});
  line.finish();
  EXPECT_EQ(line.hostNs(0), 0u);
}

TEST(ClockLine, DriftIsSharedOutBetweenPairs) {
  // The GPU's clock gains 100 us in a second, then nothing.
  ClockLine line;
  line.add({kYear, kYear / 2, 0});
  line.add({kYear + 1 * kSecond, kYear / 2 + 1 * kSecond + 100'000, 0});
  line.add({kYear + 2 * kSecond, kYear / 2 + 2 * kSecond + 100'000, 0});
  line.finish();
  EXPECT_EQ(line.hostNs(kYear / 2 + kSecond / 2 + 50'000), kYear + kSecond / 2);
  EXPECT_EQ(line.hostNs(kYear / 2 + kSecond + kSecond / 2 + 100'000), kYear + kSecond + kSecond / 2);
  EXPECT_EQ(line.hostNs(kYear / 2 + 3 * kSecond + 100'000), kYear + 3 * kSecond);
  EXPECT_NEAR(line.driftPpm(), 50, 0.001);
  // The middle pair lies 50 us off the line between its neighbours.
  EXPECT_NEAR(double(line.errorNs()), 50'000, 100);
}

TEST(ClockLine, PairsComeInAnyOrderAndContradictionsAreDropped) {
  ClockLine line;
  line.add({3'000, 300, 7});
  line.add({1'000, 100, 5});
  line.add({500, 200, 9}); // the host's clock cannot have gone back
  line.finish();
  EXPECT_EQ(line.hostNs(200), 2'000u);
  EXPECT_EQ(line.errorNs(), 7u);
}

} // namespace
} // namespace basanite::timing
