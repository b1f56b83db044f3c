// SPDX-License-Identifier: Apache-2.0
// Everything that reports say about a recording, worked out once.
#pragma once

#include "src/timing/frame_statistics.hpp"
#include "src/timing/pass_statistics.hpp"
#include "src/timing/recording.hpp"
#include "src/timing/warnings.hpp"

#include <string>
#include <utility>
#include <vector>

namespace basanite::timing {

struct Analysis {
  explicit Analysis(const Recording& recording)
      : passes(recording), frames(frameStatistics(recording)), overlap(overlapOf(recording)),
        warnings(findWarnings(recording, passes, frames, overlap)) {}

  PassTable passes;
  FrameStatistics frames;
  Overlap overlap;
  std::vector<Warning> warnings;
};

// What a reader must know before believing the figures: cut off, lost records, recorder's warnings, frames
// without stamps. A sentence each; empty when there is nothing.
std::vector<std::string> notesOf(const Recording& recording);

// Name and value of what is known about the run: program, device, driver, how it was recorded, overhead,
// clock error.
std::vector<std::pair<std::string, std::string>> factsOf(const Recording& recording);

// The last part of the program's path, or "recording".
std::string programName(const Recording& recording);

} // namespace basanite::timing
