// SPDX-License-Identifier: Apache-2.0
// Turn-taking and order statistics; see the header.
#include "benchmarks/harness/samples.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unistd.h>

namespace basanite::benchmarks {

namespace {

// A line on standard error every few seconds, so that short measurements print nothing.
class Progress {
 public:
  explicit Progress(size_t steps) : m_steps(steps) {}
  ~Progress() {
    if (m_shown && kTerminal) fmt::print(stderr, "\r\x1b[K");
  }

  void step() {
    ++m_done;
    if (m_sinceShown.ns() < (kTerminal ? 0.5e9 : 10e9)) return;
    m_sinceShown = {};
    m_shown = true;
    fmt::print(stderr, "{}  {} of {} measurements{}", kTerminal ? "\r" : "", m_done, m_steps,
               kTerminal ? "" : "\n");
    std::fflush(stderr);
  }

 private:
  static inline const bool kTerminal = isatty(STDERR_FILENO) != 0;
  size_t m_steps, m_done = 0;
  bool m_shown = false;
  Stopwatch m_sinceShown;
};

} // namespace

Summary summarize(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t count = values.size();
  return {values[count / 2], values[count / 4], values[count * 3 / 4]};
}

std::vector<std::vector<Summary>> interleave(unsigned repeats, const std::vector<Contender>& contenders) {
  const bool warmUp = repeats > 1;
  Progress progress((repeats + (warmUp ? 1 : 0)) * contenders.size());
  std::vector<std::vector<std::vector<double>>> samples(contenders.size());
  for (size_t i = 0; warmUp && i < contenders.size(); ++i) {
    contenders[i]();
    progress.step();
  }
  for (unsigned round = 0; round < repeats; ++round) {
    for (size_t turn = 0; turn < contenders.size(); ++turn) {
      const size_t i = (round + turn) % contenders.size();
      const std::vector<double> values = contenders[i]();
      samples[i].resize(values.size());
      for (size_t value = 0; value < values.size(); ++value) samples[i][value].push_back(values[value]);
      progress.step();
    }
  }
  std::vector<std::vector<Summary>> result(contenders.size());
  for (size_t i = 0; i < contenders.size(); ++i)
    for (auto& values : samples[i]) result[i].push_back(summarize(std::move(values)));
  return result;
}

Line fitLine(const std::vector<double>& x, const std::vector<double>& y) {
  double weights = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double weight = 1 / (y[i] * y[i]);
    weights += weight;
    wx += weight * x[i];
    wy += weight * y[i];
    wxx += weight * x[i] * x[i];
    wxy += weight * x[i] * y[i];
  }
  Line line;
  line.slope = (weights * wxy - wx * wy) / (weights * wxx - wx * wx);
  line.base = (wy - line.slope * wx) / weights;
  for (size_t i = 0; i < x.size(); ++i)
    line.worstPercent =
        std::max(line.worstPercent, 100 * std::abs(line.base + line.slope * x[i] - y[i]) / y[i]);
  return line;
}

double ratio(const Summary& ours, const Summary& twin) {
  return ours.median > 0 && twin.median > 0 ? ours.median / twin.median : 0;
}

} // namespace basanite::benchmarks
