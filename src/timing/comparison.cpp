// SPDX-License-Identifier: Apache-2.0
// Errors, the table and the JSON of a comparison; its picture is in comparison_svg.cpp.
#include "src/timing/comparison.hpp"

#include "src/timing/columns.hpp"
#include "src/timing/text.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace basanite::timing {
namespace {

std::string microseconds(double ns) { return fmt::format("{:.1f}", ns / 1000.0); }

std::string truth(const Comparison::Row& row) {
  const std::string least = microseconds(row.leastNs), most = microseconds(row.mostNs);
  return least == most ? most : least + "-" + most;
}

} // namespace

double outsideNs(const Comparison::Row& row, size_t way) {
  const double value = row.valueNs[way];
  return value < row.leastNs ? value - row.leastNs : value > row.mostNs ? value - row.mostNs : 0;
}

double errorPercent(const Comparison::Row& row, size_t way) {
  const double outside = outsideNs(row, way);
  const double bound = outside < 0 ? row.leastNs : row.mostNs;
  return bound > 0 ? 100 * outside / bound : 0;
}

double misplacedPercent(const Comparison& comparison, size_t way) {
  double sumOutsideNs = 0, sumNs = 0;
  for (const Comparison::Row& row : comparison.rows) {
    sumOutsideNs += std::abs(outsideNs(row, way));
    sumNs += row.mostNs;
  }
  return sumNs > 0 ? 100 * sumOutsideNs / 2 / sumNs : 0;
}

std::string comparisonTable(const Comparison& comparison) {
  const size_t ways = comparison.ways.size();
  std::vector<std::vector<std::string>> lines(1, {"", "", printable(comparison.truth) + " us"});
  for (const std::string& way : comparison.ways) {
    lines[0].push_back(printable(way) + " us");
    lines[0].push_back("error");
  }
  Comparison::Row sum;
  sum.valueNs.resize(ways);
  for (const Comparison::Row& row : comparison.rows) {
    lines.push_back({printable(row.name), printable(row.kind), truth(row)});
    sum.leastNs += row.leastNs;
    sum.mostNs += row.mostNs;
    for (size_t way = 0; way < ways; ++way) {
      lines.back().push_back(microseconds(row.valueNs[way]));
      lines.back().push_back(fmt::format("{:+.0f} %", errorPercent(row, way)));
      sum.valueNs[way] += row.valueNs[way];
    }
  }
  lines.push_back({"sum", "", truth(sum)});
  for (size_t way = 0; way < ways; ++way) {
    lines.back().push_back(microseconds(sum.valueNs[way]));
    lines.back().push_back(fmt::format("{:+.0f} %", errorPercent(sum, way)));
  }
  lines.push_back({"misplaced", "", ""});
  for (size_t way = 0; way < ways; ++way) {
    lines.back().push_back("");
    lines.back().push_back(fmt::format("{:.1f} %", misplacedPercent(comparison, way)));
  }
  return alignedRows(lines, [](size_t column) { return column >= 2; });
}

std::string comparisonJson(const Comparison& comparison, const std::string& deviceName) {
  nlohmann::ordered_json root;
  root["device"] = printable(deviceName);
  root["truth"] = printable(comparison.truth);
  root["ways"] = nlohmann::ordered_json::array();
  for (const std::string& way : comparison.ways) root["ways"].push_back(printable(way));
  root["rows"] = nlohmann::ordered_json::array();
  for (const Comparison::Row& row : comparison.rows) {
    nlohmann::ordered_json entry{{"name", printable(row.name)},
                                 {"kind", printable(row.kind)},
                                 {"least_ns", row.leastNs},
                                 {"most_ns", row.mostNs}};
    for (size_t way = 0; way < comparison.ways.size(); ++way) {
      entry[printable(comparison.ways[way]) + "_ns"] = row.valueNs[way];
      entry[printable(comparison.ways[way]) + "_error_percent"] = errorPercent(row, way);
    }
    root["rows"].push_back(std::move(entry));
  }
  for (size_t way = 0; way < comparison.ways.size(); ++way)
    root["misplaced_percent"][printable(comparison.ways[way])] = misplacedPercent(comparison, way);
  return root.dump(2) + "\n";
}

} // namespace basanite::timing
