// SPDX-License-Identifier: Apache-2.0
// What a recording says about its frames: how long each took, which were slow, and whether CPU and GPU worked
// at the same time.
#pragma once

#include "src/timing/recording.hpp"
#include "src/timing/sample_statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace basanite::timing {

// A frame is slow when it takes longer than this many medians.
constexpr double kSlowFactor = 1.5;

// Times are the host's.
struct FrameTime {
  uint64_t index = 0;    // as the program counts, from 0
  uint64_t beginNs = 0;  // the first work on it, by CPU or GPU
  uint64_t endNs = 0;    // of its last GPU work; never before the end of the frame before it
  uint64_t periodNs = 0; // since the end of the frame before it; for the first one, since its begin
  uint64_t gpuNs = 0;    // that its commits kept a queue busy; those that overlap count once
  bool isSlow = false;
};

struct FrameStatistics {
  std::vector<FrameTime> frames; // as in Recording::frames
  Sample periodNs, gpuNs;
  double slowLimitNs = 0;
  size_t slowCount = 0;
};

FrameStatistics frameStatistics(const Recording& recording);

// How the time from the first to the last work of the recording divides. The CPU works while some thread
// encodes, commits, runs feedback handlers or compiles; the GPU while a commit runs.
struct Overlap {
  uint64_t bothNs = 0, gpuNs = 0, cpuNs = 0, neitherNs = 0; // gpuNs, cpuNs: it alone
  uint64_t wholeNs() const { return bothNs + gpuNs + cpuNs + neitherNs; }
};
Overlap overlapOf(const Recording& recording);

// The intervals in order, those that touch or overlap made one; those not measured or reversed left out.
std::vector<Interval> united(std::vector<Interval> intervals);

} // namespace basanite::timing
