// SPDX-License-Identifier: Apache-2.0
// What a recording says, as a table for a terminal and as JSON for programs.
#pragma once

#include "src/timing/analysis.hpp"
#include "src/timing/recording.hpp"

#include <cstddef>
#include <string>

namespace basanite::timing {

struct PassReportOptions {
  size_t maxColumns = 120; // names are shortened so that lines stay within this many
};

// Notes, a line a pass (GPU time per frame: median, p95, max; share; runs, draws, vertices), then frames,
// overlap, overhead and clock error, and the warnings. Every line ends with a newline.
std::string passReport(const Recording& recording, const Analysis& analysis,
                       const PassReportOptions& options = {});

// The same figures, times in nanoseconds; docs/timing-tool.md says what each is. Indented, a newline at the
// end.
std::string passReportJson(const Recording& recording, const Analysis& analysis);

} // namespace basanite::timing
