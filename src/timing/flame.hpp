// SPDX-License-Identifier: Apache-2.0
// GPU time by nested debug groups and passes, added up over all frames.
#pragma once

#include "src/timing/pass_statistics.hpp"
#include "src/timing/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace basanite::timing {

struct FlameNode {
  std::string name;
  int64_t parent = -1; // index; the root's is -1
  int64_t pass =
      -1; // index in PassTable::passes of a pass and of the groups in it; -1: a group around passes
  double totalNs = 0; // with its children
  size_t count = 0;   // runs
};

// The root, "all passes", comes first and every parent before its children; of siblings the longest first.
// Nodes below a `kLeastFlameShare` of the root, or deeper than `kDeepestFlame`, are left out.
constexpr double kLeastFlameShare = 0.0005;
constexpr size_t kDeepestFlame = 24;
std::vector<FlameNode> flameOf(const Recording& recording, const PassTable& passes);

} // namespace basanite::timing
