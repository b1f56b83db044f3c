// SPDX-License-Identifier: Apache-2.0
// Pads cells to their column.
#include "src/timing/columns.hpp"

#include "src/timing/text.hpp"

#include <algorithm>

namespace basanite::timing {

size_t columnWidth(const std::vector<std::vector<std::string>>& rows, size_t column) {
  size_t width = 0;
  for (const auto& row : rows) width = std::max(width, columnsOf(row[column]));
  return width;
}

std::string alignedRows(const std::vector<std::vector<std::string>>& rows,
                        const std::function<bool(size_t)>& isRightAligned) {
  if (rows.empty()) return {};
  std::vector<size_t> widths;
  for (size_t column = 0; column < rows.front().size(); ++column) widths.push_back(columnWidth(rows, column));
  std::string text;
  for (const auto& row : rows) {
    for (size_t column = 0; column < row.size(); ++column) {
      const std::string padding(widths[column] - columnsOf(row[column]), ' ');
      if (column > 0) text.append(kColumnGap, ' ');
      text += isRightAligned(column) ? padding + row[column] : row[column] + padding;
    }
    text += '\n';
  }
  return text;
}

} // namespace basanite::timing
