// SPDX-License-Identifier: Apache-2.0
// Arithmetic of spans: durations at the limits, extents, the median frame, rows of overlapping work.
#include "src/timing/span.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace basanite::timing {
namespace {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

Span spanOf(Lane lane, uint64_t startNs, uint64_t endNs, uint32_t frame = 0) {
  return {"pass", lane, Granularity::precise, frame, startNs, endNs};
}

TEST(Span, DurationIsSignedAndLimited) {
  EXPECT_EQ(durationNs(spanOf(Lane::vertex, 100, 350)), 250);
  EXPECT_EQ(durationNs(spanOf(Lane::vertex, 350, 100)), -250);
  EXPECT_EQ(durationNs(spanOf(Lane::vertex, 7, 7)), 0);
  EXPECT_EQ(durationNs(spanOf(Lane::vertex, 1, kMax)), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(durationNs(spanOf(Lane::vertex, kMax, 1)), -std::numeric_limits<int64_t>::max());
}

TEST(Span, ZeroIsNotMeasured) {
  EXPECT_TRUE(isMeasured(spanOf(Lane::vertex, 1, 1)));
  EXPECT_FALSE(isMeasured(spanOf(Lane::vertex, 0, 1)));
  EXPECT_FALSE(isMeasured(spanOf(Lane::vertex, 1, 0)));
}

TEST(Span, ExtentCoversBothEndsAndSkipsTheUnmeasured) {
  const std::vector<Span> spans = {spanOf(Lane::vertex, 500, 300), spanOf(Lane::fragment, 0, 9000),
                                   spanOf(Lane::compute, 400, 800)};
  const Extent extent = extentOf(spans);
  EXPECT_EQ(extent.startNs, 300u);
  EXPECT_EQ(extent.endNs, 800u);
  EXPECT_EQ(extent.lengthNs(), 500u);
  EXPECT_EQ(extentOf({}).lengthNs(), 0u);
  EXPECT_EQ(extentOf({}).startNs, 0u);
}

TEST(Span, MedianFrame) {
  std::vector<Span> spans;
  EXPECT_FALSE(medianFrame(spans).has_value());
  const uint64_t lengths[] = {900, 100, 500, 300, 700};
  for (uint32_t frame = 0; frame < 5; ++frame)
    spans.push_back(spanOf(Lane::vertex, 1000, 1000 + lengths[frame], frame));
  EXPECT_EQ(medianFrame(spans), 2u);
  spans.push_back(spanOf(Lane::vertex, 1000, 1400, 5)); // an even count: the shorter of 400 and 500
  EXPECT_EQ(medianFrame(spans), 5u);
}

TEST(Span, SpansOfFrameKeepTheirOrder) {
  const std::vector<Span> spans = {spanOf(Lane::vertex, 9, 10, 1), spanOf(Lane::vertex, 1, 2, 0),
                                   spanOf(Lane::compute, 3, 4, 1)};
  const std::vector<Span> frame = spansOfFrame(spans, 1);
  ASSERT_EQ(frame.size(), 2u);
  EXPECT_EQ(frame[0].startNs, 9u);
  EXPECT_EQ(frame[1].startNs, 3u);
  EXPECT_TRUE(spansOfFrame(spans, 7).empty());
}

TEST(Span, RowsSeparateOverlapsOfALaneOnly) {
  const std::vector<Span> spans = {
      spanOf(Lane::vertex, 100, 200),   // row 0
      spanOf(Lane::vertex, 150, 250),   // overlaps it
      spanOf(Lane::vertex, 200, 300),   // begins where the first ends
      spanOf(Lane::fragment, 100, 300), // another lane
      spanOf(Lane::vertex, 260, 240),   // reversed: covers 240..260, which both rows cover
      spanOf(Lane::vertex, 0, 500),     // not measured
  };
  EXPECT_EQ(assignRows(spans), (std::vector<size_t>{0, 1, 0, 0, 2, 0}));
}

} // namespace
} // namespace basanite::timing
