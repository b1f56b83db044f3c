// SPDX-License-Identifier: Apache-2.0
// The same intervals measured in several ways beside their true lengths: as a picture, a table and JSON.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace basanite::timing {

// A plain value; lengths are in nanoseconds. Names are UTF-8; what cannot be shown is replaced.
struct Comparison {
  struct Row {
    std::string name;
    std::string kind;   // what dominates it, in a word; may be empty
    double leastNs = 0; // how long it takes in truth: between these two, which may be equal
    double mostNs = 0;
    std::vector<double> valueNs; // as measured in each way; as many as there are ways
  };
  std::string truth; // how the true lengths were found, in a word or two: the heading of their column
  std::vector<std::string> ways; // the headings of the others; one or more
  std::vector<Row> rows;
};

// How far a value lies outside what is true, in ns, negative when too short, 0 inside.
double outsideNs(const Comparison::Row& row, size_t way);
// The same in percent of the bound that it passed; 0 where that is 0.
double errorPercent(const Comparison::Row& row, size_t way);
// Time that a way puts on rows where it was not spent or takes from rows where it was: half of all that lies
// outside what is true, in percent of the sum of the true lengths (at most). 0 without rows.
double misplacedPercent(const Comparison& comparison, size_t way);

struct ComparisonOptions {
  std::string title;     // first line of the picture; none when empty
  std::string subtitle;  // smaller, below it
  unsigned width = 1100; // pixels; at least 400 are used
};

// A stand-alone SVG document: a row of bars along an axis in microseconds for each row, a bar a way, in front
// of a pale one that is the true length and ends in a mark; figures stand at the right where there is room,
// those that are off by more than kNoticeablePercent and kNoticeableNs emphasized. A value below 0 has no
// bar. The exact figures are in the tooltips.
std::string comparisonSvg(const Comparison& comparison, const ComparisonOptions& options = {});
constexpr double kNoticeablePercent = 10;
constexpr double kNoticeableNs = 10'000;

// One line a row below a heading, then the sums and the misplaced shares: lengths in microseconds, each way
// with its error. Every line ends with a newline.
std::string comparisonTable(const Comparison& comparison);

// {"device": ..., "truth": ..., "ways": [...], "rows": [{"name", "kind", "least_ns", "most_ns", "<way>_ns",
// "<way>_error_percent"}...], "misplaced_percent": {"<way>": ...}}, indented, with a newline at the end.
std::string comparisonJson(const Comparison& comparison, const std::string& deviceName);

} // namespace basanite::timing
