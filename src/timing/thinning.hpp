// SPDX-License-Identifier: Apache-2.0
// Fits tracks into a budget of spans: chosen frames keep every span, elsewhere short neighbours become one.
#pragma once

#include "src/timing/frame_statistics.hpp"
#include "src/timing/tracks.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace basanite::timing {

// A span, or a block that stands for `count` of them; then name and pass are those of the longest.
struct ThinnedSpan {
  uint64_t beginNs = 0, endNs = 0;
  uint32_t name = 0;
  int32_t pass = -1;
  int32_t frame = -1;
  uint32_t count = 1;
};

// One row of a track: its spans do not overlap and ascend.
struct ThinnedLane {
  uint32_t track = 0;
  uint32_t row = 0;
  std::vector<ThinnedSpan> spans;
};

struct Thinned {
  std::vector<ThinnedLane> lanes;
  size_t spanCount = 0;        // of all lanes
  size_t mergedCount = 0;      // spans of the recording that stand in blocks
  size_t blockCount = 0;       // blocks of two or more
  size_t wholeFrames = 0;      // that keep every span, when anything is merged
  uint64_t shortestNs = 0;     // outside of them, every span at least this long stands alone
  std::vector<Interval> whole; // when those frames were, from the beginning of the recording; in order
  bool isWhole() const { return mergedCount == 0; }
};

// Whole are the slowest frames, those of median length, and others spread evenly, as many as half of the
// budget holds; tracks of kind `frames` are left out. Every lane keeps at least a block, so many lanes may
// exceed the budget.
Thinned thinned(const Tracks& tracks, const FrameStatistics& frames, size_t budget);

} // namespace basanite::timing
