// SPDX-License-Identifier: Apache-2.0
// Works with differences, since an uptime in nanoseconds is more than a double holds exactly.
#include "src/timing/clock_line.hpp"

#include <algorithm>
#include <cmath>

namespace basanite::timing {

namespace {

double difference(uint64_t a, uint64_t b) { return static_cast<double>(static_cast<int64_t>(a - b)); }

} // namespace

// The host's time less that of `a`.
double ClockLine::between(const ClockPair& a, const ClockPair& b, uint64_t gpuNs) {
  return difference(gpuNs, a.gpuNs) * difference(b.hostNs, a.hostNs) / difference(b.gpuNs, a.gpuNs);
}

void ClockLine::finish() {
  std::stable_sort(m_pairs.begin(), m_pairs.end(),
                   [](const ClockPair& a, const ClockPair& b) { return a.gpuNs < b.gpuNs; });
  std::vector<ClockPair> pairs;
  for (const ClockPair& pair : m_pairs)
    if (pair.hostNs != 0 && pair.gpuNs != 0 &&
        (pairs.empty() || (pair.gpuNs > pairs.back().gpuNs && pair.hostNs > pairs.back().hostNs)))
      pairs.push_back(pair);
  m_pairs = std::move(pairs);
  uint64_t pairError = 0;
  double offLine = 0;
  for (size_t i = 0; i < m_pairs.size(); ++i) {
    pairError = std::max(pairError, m_pairs[i].errorNs);
    if (i == 0 || i + 1 == m_pairs.size()) continue;
    const double expected = between(m_pairs[i - 1], m_pairs[i + 1], m_pairs[i].gpuNs);
    offLine = std::max(offLine, std::abs(expected - difference(m_pairs[i].hostNs, m_pairs[i - 1].hostNs)));
  }
  constexpr double kMostNs = 1e18; // of a damaged file
  m_errorNs = pairError + static_cast<uint64_t>(std::llround(std::min(offLine, kMostNs)));
}

uint64_t ClockLine::hostNs(uint64_t gpuNs) const {
  if (gpuNs == 0 || m_pairs.empty()) return gpuNs;
  double offset = 0;
  const ClockPair* base = &m_pairs.front();
  if (m_pairs.size() == 1) {
    offset = difference(gpuNs, base->gpuNs);
  } else {
    auto after = std::upper_bound(m_pairs.begin(), m_pairs.end(), gpuNs,
                                  [](uint64_t ns, const ClockPair& pair) { return ns < pair.gpuNs; });
    after = std::clamp(after, m_pairs.begin() + 1, m_pairs.end() - 1);
    base = &*(after - 1);
    offset = between(*base, *after, gpuNs);
  }
  constexpr double kMost = 9e18; // within 63 bits, whatever a damaged file says
  const auto rounded = std::llround(std::clamp(offset, -kMost, kMost));
  // 0 is the mark of a time that was not measured.
  return std::max<uint64_t>(base->hostNs + static_cast<uint64_t>(rounded), 1);
}

double ClockLine::driftPpm() const {
  if (m_pairs.size() < 2) return 0;
  const double host = difference(m_pairs.back().hostNs, m_pairs.front().hostNs);
  const double gpu = difference(m_pairs.back().gpuNs, m_pairs.front().gpuNs);
  return (gpu / host - 1) * 1e6;
}

} // namespace basanite::timing
