// SPDX-License-Identifier: Apache-2.0
// Names as text: valid UTF-8, columns on a terminal, shortening, XML escapes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace basanite::timing {

// The text with malformed UTF-8 and control characters replaced by U+FFFD, so that it can be printed, put
// into XML and measured. The functions below expect such text.
std::string printable(std::string_view text);

// Columns on a terminal or in a monospaced font: 1 a code point, 2 for East Asian wide ones and emoji, 0 for
// combining marks.
size_t columnsOf(std::string_view text);

// The text itself when it has at most `columns` columns, else its beginning and an ellipsis, `columns` wide
// or less.
std::string shortened(std::string_view text, size_t columns);

// The text with &, <, >, " and ' as entities: right for element content and attribute values.
std::string escapedXml(std::string_view text);

} // namespace basanite::timing
