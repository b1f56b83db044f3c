// SPDX-License-Identifier: Apache-2.0
// What is said of a number of measurements: median, percentiles, and whether two sets of them differ.
#pragma once

#include <cstddef>
#include <vector>

namespace basanite::timing {

// Measurements in ascending order. A plain value; an empty one answers 0 to everything.
class Sample {
 public:
  Sample() = default;
  explicit Sample(std::vector<double> values);

  size_t size() const { return m_values.size(); }
  bool empty() const { return m_values.empty(); }
  const std::vector<double>& sorted() const { return m_values; }

  // The middle one, or the mean of the two in the middle.
  double median() const;
  // The smallest measurement that at least `percent` % of all do not exceed (nearest rank).
  double percentile(double percent) const;
  double least() const { return empty() ? 0 : m_values.front(); }
  double most() const { return empty() ? 0 : m_values.back(); }
  double sum() const;

 private:
  std::vector<double> m_values;
};

// The two-sided probability that two samples drawn from one distribution differ in rank as much as these do
// (Mann-Whitney U). 1 where one is empty. Equal measurements share their mean rank.
//   exact:  counts all ways to share the ranks out; takes time and memory of the order of the cube of the
//   size normal: the normal approximation with corrections for ties and continuity, good from 20 measurements
//   on
double mannWhitneyExact(const Sample& a, const Sample& b);
double mannWhitneyNormal(const Sample& a, const Sample& b);
// The exact one up to kMostExactMeasurements in both samples together, then the approximation.
double mannWhitney(const Sample& a, const Sample& b);
constexpr size_t kMostExactMeasurements = 40;

// The probabilities corrected for having asked so many questions at once (Holm's step-down method), in their
// order: the chance of one false alarm among all of them stays below the level that each is compared with.
std::vector<double> holmAdjusted(const std::vector<double>& probabilities);

} // namespace basanite::timing
