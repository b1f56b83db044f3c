// SPDX-License-Identifier: Apache-2.0
// Order statistics and the rank test.
#include "src/timing/sample_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace basanite::timing {
namespace {

// Both samples in one order: twice the mean rank of each distinct measurement (an integer), how often it
// occurs in each.
struct Tie {
  size_t doubledRank = 0;
  size_t countInA = 0;
  size_t countInB = 0;
};

std::vector<Tie> ranked(const Sample& a, const Sample& b) {
  std::vector<Tie> ties;
  size_t i = 0, j = 0;
  const std::vector<double>&x = a.sorted(), &y = b.sorted();
  while (i < x.size() || j < y.size()) {
    const double value = j == y.size() || (i < x.size() && x[i] <= y[j]) ? x[i] : y[j];
    const size_t firstRank = i + j + 1;
    Tie tie;
    for (; i < x.size() && x[i] == value; ++i) ++tie.countInA;
    for (; j < y.size() && y[j] == value; ++j) ++tie.countInB;
    tie.doubledRank = firstRank + i + j;
    ties.push_back(tie);
  }
  return ties;
}

size_t doubledRankSum(const std::vector<Tie>& ties) {
  size_t sum = 0;
  for (const Tie& tie : ties) sum += tie.doubledRank * tie.countInA;
  return sum;
}

} // namespace

Sample::Sample(std::vector<double> values) : m_values(std::move(values)) {
  std::sort(m_values.begin(), m_values.end());
}

double Sample::median() const {
  if (empty()) return 0;
  const size_t middle = m_values.size() / 2;
  return m_values.size() % 2 ? m_values[middle] : (m_values[middle - 1] + m_values[middle]) / 2;
}

double Sample::percentile(double percent) const {
  if (empty()) return 0;
  const double rank = std::ceil(percent / 100 * static_cast<double>(m_values.size()));
  const double index = std::clamp(rank - 1, 0.0, static_cast<double>(m_values.size() - 1));
  return m_values[static_cast<size_t>(index)];
}

double Sample::sum() const { return std::accumulate(m_values.begin(), m_values.end(), 0.0); }

double mannWhitneyExact(const Sample& a, const Sample& b) {
  if (a.empty() || b.empty()) return 1;
  const std::vector<Tie> ties = ranked(a, b);
  std::vector<size_t> ranks;
  for (const Tie& tie : ties) ranks.insert(ranks.end(), tie.countInA + tie.countInB, tie.doubledRank);
  const size_t total = std::accumulate(ranks.begin(), ranks.end(), size_t{0});

  // ways[k][s]: in how many ways k of the ranks seen so far sum to s. Doubles hold the counts of 40 ranks
  // exactly.
  std::vector<std::vector<double>> ways(a.size() + 1, std::vector<double>(total + 1, 0));
  ways[0][0] = 1;
  for (size_t rank : ranks)
    for (size_t k = a.size(); k > 0; --k)
      for (size_t sum = total; sum >= rank; --sum) ways[k][sum] += ways[k - 1][sum - rank];

  const double mean = static_cast<double>(total * a.size()) / static_cast<double>(ranks.size());
  const double distance = std::abs(static_cast<double>(doubledRankSum(ties)) - mean);
  double asFar = 0, all = 0;
  for (size_t sum = 0; sum <= total; ++sum) {
    all += ways[a.size()][sum];
    if (std::abs(static_cast<double>(sum) - mean) >= distance - 1e-9) asFar += ways[a.size()][sum];
  }
  return asFar / all;
}

double mannWhitneyNormal(const Sample& a, const Sample& b) {
  if (a.empty() || b.empty()) return 1;
  const std::vector<Tie> ties = ranked(a, b);
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  const double u = static_cast<double>(doubledRankSum(ties)) / 2 - n * (n + 1) / 2;
  double tieTerm = 0;
  for (const Tie& tie : ties) {
    const auto count = static_cast<double>(tie.countInA + tie.countInB);
    tieTerm += count * count * count - count;
  }
  const double variance = n * m / 12 * (n + m + 1 - tieTerm / ((n + m) * (n + m - 1)));
  if (!(variance > 0)) return 1;
  const double distance = std::max(0.0, std::abs(u - n * m / 2) - 0.5);
  return std::min(1.0, std::erfc(distance / std::sqrt(2 * variance)));
}

double mannWhitney(const Sample& a, const Sample& b) {
  return a.size() + b.size() <= kMostExactMeasurements ? mannWhitneyExact(a, b) : mannWhitneyNormal(a, b);
}

std::vector<double> holmAdjusted(const std::vector<double>& probabilities) {
  std::vector<size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return probabilities[a] < probabilities[b]; });
  std::vector<double> adjusted(probabilities.size());
  double atLeast = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const double corrected = probabilities[order[i]] * static_cast<double>(order.size() - i);
    atLeast = std::min(1.0, std::max(atLeast, corrected));
    adjusted[order[i]] = atLeast;
  }
  return adjusted;
}

} // namespace basanite::timing
