// SPDX-License-Identifier: Apache-2.0
// Lays spans out in aligned columns.
#include "src/timing/table.hpp"

#include "src/timing/columns.hpp"
#include "src/timing/text.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include <fmt/format.h>

namespace basanite::timing {
namespace {

constexpr size_t kNarrowestPass = 8; // columns a shortened name keeps at least

enum Column : size_t { frame, pass, stage, granularity, start, duration, share, columnCount };
using Row = std::vector<std::string>; // columnCount cells

Row heading() { return {"frame", "pass", "stage", "granularity", "start us", "duration us", "share"}; }
bool isRightAligned(size_t column) { return column == frame || column >= start; }

std::string microseconds(double ns) { return fmt::format("{:.3f}", ns / 1000.0); }

Row rowOf(const Span& span, const Extent& extent) {
  Row row(columnCount);
  row[frame] = fmt::format("{}", span.frame);
  row[pass] = printable(span.pass);
  row[stage] = laneName(span.lane);
  row[granularity] = granularityName(span.granularity);
  if (!isMeasured(span)) {
    // Strings of their own: GCC 12 warns of impossible copies where it inlines the assignment of a literal.
    row[start] = std::string("-");
    row[duration] = std::string("not written");
    row[share] = std::string("-");
    return row;
  }
  const auto durationInNs = static_cast<double>(durationNs(span));
  const auto frameNs = static_cast<double>(extent.lengthNs());
  row[start] = microseconds(static_cast<double>(span.startNs - extent.startNs));
  row[duration] = microseconds(durationInNs);
  row[share] = frameNs > 0 ? fmt::format("{:.1f} %", 100.0 * durationInNs / frameNs) : "-";
  return row;
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
  size_t others = kColumnGap * (columnCount - 1 - firstColumn);
  for (size_t column = firstColumn; column < columnCount; ++column)
    if (column != pass) others += columnWidth(rows, column);
  const size_t room = options.maxColumns > others ? options.maxColumns - others : 0;
  const size_t passWidth = std::max(room, kNarrowestPass);
  for (Row& row : rows) {
    row[pass] = shortened(row[pass], passWidth);
    row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(firstColumn));
  }
  return alignedRows(rows, [&](size_t column) { return isRightAligned(column + firstColumn); });
}

} // namespace basanite::timing
