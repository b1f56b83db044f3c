// SPDX-License-Identifier: Apache-2.0
// The ratio that comes out is the one put in, whatever the program's own frames do.
#include "src/trace/overhead.hpp"

#include <gtest/gtest.h>

namespace basanite::trace {
namespace {

constexpr uint64_t kFrames = OverheadMeter::kFrames;

Options frames(uint64_t first, uint64_t last) {
  Options options;
  options.firstFrame = first;
  options.lastFrame = last;
  return options;
}

TEST(OverheadMeter, FindsTheRatio) {
  OverheadMeter meter{Options{}};
  uint64_t hostNs = 1'000;
  for (uint64_t frame = 0; frame < 2 * kFrames; ++frame) {
    const bool stamped = meter.stamps(frame);
    if (frame >= kFrames) {
      EXPECT_TRUE(stamped) << frame;
    }
    // Frames grow by 1 % each, the first ones take long; stamps cost 10 % of GPU time and 20 % of the period.
    const double base = (frame < 4 ? 1e9 : 1e6) * (1 + 0.01 * double(frame));
    hostNs += uint64_t(base * (stamped ? 1.2 : 1));
    meter.add(frame, stamped, uint64_t(base * (stamped ? 1.1 : 1)), hostNs);
  }
  const auto result = meter.result();
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->gpuRatio, 1.1, 0.005);
  EXPECT_NEAR(result->periodRatio, 1.2, 0.01);
  EXPECT_LE(result->gpuRatioLow, result->gpuRatio);
  EXPECT_GE(result->gpuRatioHigh, result->gpuRatio);
  EXPECT_EQ(result->framesWith, 24u);
  EXPECT_EQ(result->framesWithout, 24u);
}

TEST(OverheadMeter, AFrameThatDidNotGoAsPlannedDoesNotCount) {
  OverheadMeter meter{Options{}};
  for (uint64_t frame = 0; frame < kFrames; ++frame) {
    const bool planned = meter.stamps(frame), late = frame % 4 == 0;
    // Encoded ahead, while the block before it lasted.
    const bool stamped = late ? !planned : planned;
    meter.add(frame, stamped, stamped ? 1'500 : 1'000, frame);
  }
  ASSERT_TRUE(meter.result());
  EXPECT_DOUBLE_EQ(meter.result()->gpuRatio, 1.5);
  EXPECT_EQ(meter.result()->framesWithout, 18u);
}

TEST(OverheadMeter, SaysNothingBeforeBothKindsHaveRun) {
  OverheadMeter meter{Options{}};
  EXPECT_FALSE(meter.result());
  for (uint64_t frame = 0; frame < 8; ++frame) meter.add(frame, meter.stamps(frame), 1'000, frame + 1);
  EXPECT_FALSE(meter.result());
  for (uint64_t frame = 8; frame < 12; ++frame) meter.add(frame, meter.stamps(frame), 2'000, frame + 1);
  ASSERT_TRUE(meter.result());
  EXPECT_DOUBLE_EQ(meter.result()->gpuRatio, 2);
}

TEST(OverheadMeter, ARangeIsStampedAndMeasuredAheadOfIt) {
  OverheadMeter meter(frames(100, 110));
  EXPECT_FALSE(meter.stamps(0));
  int without = 0;
  for (uint64_t frame = 100 - kFrames; frame < 100; ++frame) without += !meter.stamps(frame);
  EXPECT_EQ(without, 24);
  for (uint64_t frame = 100; frame <= 110; ++frame) EXPECT_TRUE(meter.stamps(frame)) << frame;
  EXPECT_FALSE(meter.stamps(111));
}

TEST(OverheadMeter, AShortRangeAtTheBeginningIsNotMeasured) {
  OverheadMeter meter(frames(10, 20));
  EXPECT_FALSE(meter.stamps(1));
  for (uint64_t frame = 2; frame <= 20; ++frame) EXPECT_TRUE(meter.stamps(frame)) << frame;
  EXPECT_FALSE(meter.stamps(21));
  meter.add(10, true, 5, 5);
  EXPECT_FALSE(meter.result());
}

} // namespace
} // namespace basanite::trace
