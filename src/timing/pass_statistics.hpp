// SPDX-License-Identifier: Apache-2.0
// What a recording says about each pass: encoders of one name and kind, over all frames.
#pragma once

#include "src/timing/recording.hpp"
#include "src/timing/sample_statistics.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace basanite::timing {

// "vertex", "object", "mesh", "fragment", "compute".
std::string_view stageName(trace::Stage stage);
// "render", "compute".
std::string_view encoderKindName(trace::EncoderKind kind);

// A pass in one frame: the sum over its encoders there.
struct PassFrame {
  size_t frame = 0; // index in Recording::frames
  double gpuNs = 0;
};

// A plain value. Frames whose encoders have no stamps count for nothing but the work.
struct PassStatistics {
  std::string name; // valid UTF-8
  trace::EncoderKind kind{};
  std::vector<PassFrame> frames; // in which it was measured, in order
  Sample gpuNs;                  // of those frames
  std::array<double, trace::kStageCount>
      stageMedianNs{}; // a frame, by trace::Stage; 0: not one of its stages
  double totalNs = 0;
  double share = 0;          // of the total of all passes, 0 to 1
  double encodeMedianNs = 0; // of the host, a frame
  // Per frame in which it ran, measured or not.
  double runs = 0, draws = 0, vertices = 0, dispatches = 0, copies = 0;
};

class PassTable {
 public:
  explicit PassTable(const Recording& recording);

  // Those that take most come first.
  const std::vector<PassStatistics>& passes() const { return m_passes; }
  // The index of an encoder's pass. The recording must be the one the table was made of.
  size_t indexOf(const Recording& recording, const RecordedEncoder& encoder) const;

 private:
  using Key = std::pair<std::string_view, trace::EncoderKind>;
  std::vector<PassStatistics> m_passes;
  std::map<Key, size_t> m_indices; // into m_passes; the names live in the recording
};

} // namespace basanite::timing
