// SPDX-License-Identifier: Apache-2.0
// Repeated measurements of several contenders, taken turn by turn so that a change of the machine's load
// meets all of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

namespace basanite::benchmarks {

struct Summary {
  double median = 0;
  double low = 0;  // first quartile
  double high = 0; // third quartile
};
// `values` must not be empty.
Summary summarize(std::vector<double> values);

// One measurement; it may give several values (a GPU span and an encode time, say), always the same number of
// them.
using Contender = std::function<std::vector<double>()>;

// result[contender][value]. One round before the `repeats` is thrown away unless there is but one; each round
// starts with another contender. Long measurements say on standard error how far they are.
std::vector<std::vector<Summary>> interleave(unsigned repeats, const std::vector<Contender>& contenders);

// A value that may be below the noise (a difference of two spans, say) gives no ratio: 0 then.
double ratio(const Summary& ours, const Summary& twin);

// The line through (x, y) that misses least, each point weighed by 1 / y^2 so that all decades count alike.
struct Line {
  double base = 0, slope = 0;
  double worstPercent = 0; // the largest distance of a point from the line, in percent of its y
};
// At least two different x; y above 0.
Line fitLine(const std::vector<double>& x, const std::vector<double>& y);

class Stopwatch {
 public:
  double ns() const { return std::chrono::duration<double, std::nano>(Clock::now() - m_start).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point m_start = Clock::now();
};

} // namespace basanite::benchmarks
