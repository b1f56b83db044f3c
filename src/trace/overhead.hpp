// SPDX-License-Identifier: Apache-2.0
// What stamps cost the program: some frames go without, in blocks that take turns with blocks that have them.
#pragma once

#include "src/trace/format.hpp"
#include "src/trace/options.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace basanite::trace {

// Which frames have stamps, and what that costs. Thread-safe.
class OverheadMeter {
 public:
  static constexpr uint64_t kBlockFrames = 4;
  static constexpr uint64_t kBlocks = 13; // the odd ones go without; the first one warms up
  static constexpr uint64_t kFrames = kBlockFrames * kBlocks;

  // Ahead of the frames that are recorded where there are enough of them; else at the beginning of those,
  // unless they are so few that it would cost too many.
  explicit OverheadMeter(const Options& options);

  // Whether a frame is to have stamps. Recordings begin a little ahead of their commit, so some frames before
  // the first one asked for have them too.
  bool stamps(uint64_t frame) const;

  // A frame that has run: from its first work to its last, and when it was committed.
  void add(uint64_t frame, bool stamped, uint64_t gpuNs, uint64_t commitHostNs);

  // The medians over the blocks that have run; nothing while none can be compared.
  std::optional<OverheadRecord> result() const;

 private:
  struct Sample {
    bool there = false, stamped = false;
    uint64_t gpuNs = 0, commitHostNs = 0;
  };
  std::optional<uint64_t> m_firstFrame; // of the measurement
  uint64_t m_firstWanted, m_lastWanted;
  mutable std::mutex m_mutex;
  std::vector<Sample> m_samples; // guarded by m_mutex; by frame from m_firstFrame on
};

} // namespace basanite::trace
