// SPDX-License-Identifier: Apache-2.0
// From the GPU's clock to the host's, in proportion between pairs of both, so that drift does no harm.
#pragma once

#include <cstdint>
#include <vector>

namespace basanite::timing {

// A moment on both clocks, right to within `errorNs`.
struct ClockPair {
  uint64_t hostNs = 0, gpuNs = 0, errorNs = 0;
};

class ClockLine {
 public:
  void add(const ClockPair& pair) { m_pairs.push_back(pair); }
  // Once, after the last pair; before the questions below. Pairs that contradict the order of time are
  // dropped.
  void finish();

  // The host's time; outside the pairs by the nearest two. 0 for 0, and the GPU's time itself without any
  // pair.
  uint64_t hostNs(uint64_t gpuNs) const;
  // How far hostNs() may be off: the largest error of a pair, and how far one lies off the line between its
  // neighbours. 0 without pairs.
  uint64_t errorNs() const { return m_errorNs; }
  // How much faster the GPU's clock runs than the host's, in parts per million, from the first pair to the
  // last.
  double driftPpm() const;

 private:
  static double between(const ClockPair& a, const ClockPair& b, uint64_t gpuNs);

  std::vector<ClockPair> m_pairs; // by gpuNs
  uint64_t m_errorNs = 0;
};

} // namespace basanite::timing
