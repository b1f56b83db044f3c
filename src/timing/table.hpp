// SPDX-License-Identifier: Apache-2.0
// Spans as a table for the terminal.
#pragma once

#include "src/timing/span.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace basanite::timing {

struct TableOptions {
  size_t maxColumns =
      80; // names of passes are shortened to keep every line within this, as far as the figures allow
};

// One line per span, ordered by frame, start and lane, below a heading: pass, stage, granularity, start us,
// duration us, share of the frame. A column "frame" stands in front when there are spans of several frames.
// Start counts from the frame's earliest span; the share is of the frame's extent. The figures of a span that
// was not measured read "not written". Every line ends with a newline; "no spans\n" when there are none.
std::string table(std::span<const Span> spans, const TableOptions& options = {});

} // namespace basanite::timing
