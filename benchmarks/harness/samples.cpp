// SPDX-License-Identifier: Apache-2.0
// Turn-taking and order statistics; see the header.
#include "benchmarks/harness/samples.hpp"

#include <algorithm>

namespace basanite::benchmarks {

Summary summarize(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t count = values.size();
  return {values[count / 2], values[count / 4], values[count * 3 / 4]};
}

std::vector<std::vector<Summary>> interleave(unsigned repeats, const std::vector<Contender>& contenders) {
  std::vector<std::vector<std::vector<double>>> samples(contenders.size());
  for (size_t i = 0; i < contenders.size(); ++i) samples[i].resize(contenders[i]().size());
  for (unsigned round = 0; round < repeats; ++round) {
    for (size_t turn = 0; turn < contenders.size(); ++turn) {
      const size_t i = (round + turn) % contenders.size();
      const std::vector<double> values = contenders[i]();
      for (size_t value = 0; value < values.size(); ++value) samples[i][value].push_back(values[value]);
    }
  }
  std::vector<std::vector<Summary>> result(contenders.size());
  for (size_t i = 0; i < contenders.size(); ++i)
    for (auto& values : samples[i]) result[i].push_back(summarize(std::move(values)));
  return result;
}

double ratio(const Summary& ours, const Summary& twin) {
  return ours.median > 0 && twin.median > 0 ? ours.median / twin.median : 0;
}

} // namespace basanite::benchmarks
