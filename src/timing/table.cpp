// SPDX-License-Identifier: Apache-2.0
// Lays spans out in aligned columns.
#include "src/timing/table.hpp"

#include "src/timing/text.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <vector>

#include <fmt/format.h>

namespace basanite::timing {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kNarrowestPass = 8; // columns a shortened name keeps at least

enum Column : size_t { frame, pass, stage, granularity, start, duration, share, columnCount };
using Row = std::array<std::string, columnCount>;

Row heading() { return {"frame", "pass", "stage", "granularity", "start us", "duration us", "share"}; }
bool isRightAligned(size_t column) { return column == frame || column >= start; }

std::string microseconds(double ns) { return fmt::format("{:.3f}", ns / 1000.0); }

Row rowOf(const Span& span, const Extent& extent) {
  Row row;
  row[frame] = fmt::format("{}", span.frame);
  row[pass] = printable(span.pass);
  row[stage] = laneName(span.lane);
  row[granularity] = granularityName(span.granularity);
  if (!isMeasured(span)) {
    row[start] = "-";
    row[duration] = "not written";
    row[share] = "-";
    return row;
  }
  const auto durationInNs = static_cast<double>(durationNs(span));
  const auto frameNs = static_cast<double>(extent.lengthNs());
  row[start] = microseconds(static_cast<double>(span.startNs - extent.startNs));
  row[duration] = microseconds(durationInNs);
  row[share] = frameNs > 0 ? fmt::format("{:.1f} %", 100.0 * durationInNs / frameNs) : "-";
  return row;
}

std::string lineOf(const Row& row, const std::array<size_t, columnCount>& widths, size_t firstColumn) {
  std::string line;
  for (size_t column = firstColumn; column < columnCount; ++column) {
    const std::string padding(widths[column] - columnsOf(row[column]), ' ');
    if (column > firstColumn) line.append(kGap, ' ');
    line += isRightAligned(column) ? padding + row[column] : row[column] + padding;
  }
  return line + "\n";
}

} // namespace

std::string table(std::span<const Span> spans, const TableOptions& options) {
  if (spans.empty()) return "no spans\n";

  std::vector<Span> sorted(spans.begin(), spans.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const Span& a, const Span& b) {
    return std::tuple(a.frame, !isMeasured(a), a.startNs, a.lane) <
           std::tuple(b.frame, !isMeasured(b), b.startNs, b.lane);
  });
  std::map<uint32_t, Extent> extents;
  for (const Span& span : sorted)
    if (!extents.count(span.frame)) extents[span.frame] = extentOf(spansOfFrame(sorted, span.frame));

  std::vector<Row> rows = {heading()};
  for (const Span& span : sorted) rows.push_back(rowOf(span, extents[span.frame]));

  const size_t firstColumn = extents.size() > 1 ? Column::frame : Column::pass;
  std::array<size_t, columnCount> widths{};
  for (const Row& row : rows)
    for (size_t column = firstColumn; column < columnCount; ++column)
      widths[column] = std::max(widths[column], columnsOf(row[column]));

  size_t others = kGap * (columnCount - 1 - firstColumn);
  for (size_t column = firstColumn; column < columnCount; ++column)
    if (column != pass) others += widths[column];
  const size_t room = options.maxColumns > others ? options.maxColumns - others : 0;
  widths[pass] = std::min(widths[pass], std::max(room, kNarrowestPass));

  std::string text;
  for (Row& row : rows) {
    row[pass] = shortened(row[pass], widths[pass]);
    text += lineOf(row, widths, firstColumn);
  }
  return text;
}

} // namespace basanite::timing
