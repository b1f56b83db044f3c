// SPDX-License-Identifier: Apache-2.0
// Spans as a picture: one lane per stage along a time axis in microseconds.
#pragma once

#include "src/timing/span.hpp"

#include <span>
#include <string>

namespace basanite::timing {

struct TimelineOptions {
  std::string title;     // first line of the picture; none when empty
  std::string subtitle;  // smaller, below it
  unsigned width = 1100; // pixels; at least 400 are used
};

// A stand-alone SVG document, for light and dark surroundings. Each pass has a colour of its own in all
// lanes. A bar carries its pass's name where it has room, and the legend names every pass either way; the
// exact figures are in the bar's tooltip. Work that overlaps within a lane is stacked. A span of no length is
// a thin line, one that ends before it starts is drawn hatched from end to start. Spans that were not
// measured are counted in a note.
std::string timelineSvg(std::span<const Span> spans, const TimelineOptions& options = {});

} // namespace basanite::timing
