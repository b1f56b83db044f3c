// SPDX-License-Identifier: Apache-2.0
// Two recordings of one program beside each other: which passes became slower, and whether that is more than
// scatter.
#pragma once

#include "src/timing/analysis.hpp"
#include "src/timing/recording.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace basanite::timing {

// A change counts when it is larger than the threshold and chance would show one at least as large among all
// passes less often than this (Mann-Whitney over frames, corrected by Holm's method).
constexpr double kSignificance = 0.01;

enum class Verdict { same, faster, slower, onlyBefore, onlyAfter, tooFew };

struct PassChange {
  std::string name;                         // "all GPU work" for the GPU time of whole frames
  std::string kind;                         // "render", "compute", "frame"
  size_t framesBefore = 0, framesAfter = 0; // in which it was measured
  double beforeNs = 0, afterNs = 0;         // medians over those
  double change = 0;                        // of the median: 0.05 is 5 % slower
  double probability = 1;                   // corrected; 1 where there is nothing to compare
  Verdict verdict = Verdict::same;
};

struct RecordingComparison {
  double threshold = 0;
  std::vector<PassChange>
      passes;            // whole frames first, then passes in the order of the time that they take after
  bool isSlower() const; // any of them
};

// Frames without stamps in all passes are left out, since stamps cost time. `threshold` is a share, 0.05 for
// 5 %.
RecordingComparison compareRecordings(const Recording& before, const Recording& after, double threshold);

// A line a pass under a heading; every line ends with a newline.
std::string recordingComparisonTable(const RecordingComparison& comparison);
// {"threshold", "significance", "slower", "passes": [...]}, times in nanoseconds.
std::string recordingComparisonJson(const RecordingComparison& comparison);

} // namespace basanite::timing
