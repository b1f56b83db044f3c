// SPDX-License-Identifier: Apache-2.0
// What the page of a report draws, as JSON.
#pragma once

#include "src/timing/analysis.hpp"
#include "src/timing/recording.hpp"

#include <cstddef>
#include <string>

namespace basanite::timing {

struct ReportOptions {
  size_t mostSpans = 400'000; // in the timeline
  size_t mostFrames = 20'000; // in the plot of frames; where there are more, the slowest of each few is kept
  size_t mostPasses = 1'000;  // in the table; those that take least are left out
};

// Read by src/timing/report/model.js. What was thinned is said in its notes.
std::string reportData(const Recording& recording, const Analysis& analysis, const ReportOptions& options);

} // namespace basanite::timing
