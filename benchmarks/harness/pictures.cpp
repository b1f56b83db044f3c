// SPDX-License-Identifier: Apache-2.0
// Compares two pictures; see the header.
#include "benchmarks/harness/pictures.hpp"

#include "benchmarks/harness/options.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace basanite::benchmarks {

double comparePictures(const std::string& what, const std::vector<uint8_t>& ours,
                       const std::vector<uint8_t>& twin, double limit) {
  if (ours.size() != twin.size())
    fail(fmt::format("{}: our picture has {} bytes and the twin's {}.", what, ours.size(), twin.size()));
  auto blank = [](const std::vector<uint8_t>& picture) {
    return std::all_of(picture.begin(), picture.end(), [](uint8_t byte) { return byte == 0; });
  };
  if (blank(ours) || blank(twin))
    fail(fmt::format("{}: {} picture is blank.", what, blank(ours) ? "our" : "the twin's"));
  double sum = 0;
  for (size_t i = 0; i < ours.size(); ++i) sum += std::abs(int(ours[i]) - int(twin[i]));
  const double mean = sum / double(ours.size());
  if (mean > limit)
    fail(fmt::format(
        "{}: the two sides' pictures differ by {:.2f} of 255 in the mean, more than {:.2f}, so they did "
        "not do the same work.",
        what, mean, limit));
  return mean;
}

} // namespace basanite::benchmarks
