// SPDX-License-Identifier: Apache-2.0
// Rows of text in aligned columns, for the terminal.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace basanite::timing {

constexpr size_t kColumnGap = 2;

// One line a row, each ended by a newline. All rows are of the same length, printable (text.hpp), and columns
// are as wide as their widest cell. `isRightAligned` is asked by the index of a column.
std::string alignedRows(const std::vector<std::vector<std::string>>& rows,
                        const std::function<bool(size_t)>& isRightAligned);

// The width of the widest cell of a column.
size_t columnWidth(const std::vector<std::vector<std::string>>& rows, size_t column);

} // namespace basanite::timing
