// SPDX-License-Identifier: Apache-2.0
// What in a recording deserves a second look: work that does nothing, waits that are missing or too wide,
// hitches.
#pragma once

#include "src/timing/frame_statistics.hpp"
#include "src/timing/pass_statistics.hpp"
#include "src/timing/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::timing {

enum class WarningKind : uint8_t {
  failedCommit,    // its feedback reports an error
  missingBarrier,  // loads what an earlier pass of the commit stored, and nothing makes it wait
  slowCompile,     // a library or pipeline compiled after the first frame, longer than a tenth of the median
                   // frame
  drainingBarrier, // the vertex, object or mesh stage waits for fragments
  unusedResult,    // the next encoder of the commit clears or drops what was stored
  clearOnly,       // draws nothing; the next encoder of the commit loads what it cleared
  emptyEncoder,    // no draw, dispatch, copy, clear or resolve
  overlappingPasses, // their times include each other's work
  takingTurns,       // CPU and GPU hardly ever work at the same time
};

// "empty encoder" and so on: the word for it in JSON.
std::string_view warningName(WarningKind kind);

struct Warning {
  WarningKind kind{};
  std::string title;           // a few words
  std::string text;            // a sentence or two: what was seen, and what would help
  size_t count = 0;            // how often
  std::optional<size_t> pass;  // index in PassTable::passes
  std::optional<size_t> frame; // the first one, index in Recording::frames
};

// One for each kind and pass, whatever the number of frames; in the order of WarningKind, the most frequent
// first.
std::vector<Warning> findWarnings(const Recording& recording, const PassTable& passes,
                                  const FrameStatistics& frames, const Overlap& overlap);

} // namespace basanite::timing
