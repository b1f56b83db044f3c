// SPDX-License-Identifier: Apache-2.0
// Spans as a Chrome trace-event file, which Perfetto (ui.perfetto.dev) and chrome://tracing open.
#pragma once

#include "src/timing/span.hpp"

#include <span>
#include <string>

namespace basanite::timing {

struct TraceOptions {
  std::string processName = "GPU"; // the heading over the tracks
  std::string deviceName;          // kept as a property of the trace
};

// The JSON text. One track per lane, and further ones ("vertex 2") for work of a lane that overlaps in time,
// because the format only knows nested events. `ts` and `dur` are microseconds with three decimals from the
// earliest span; the raw nanoseconds, frame and granularity are arguments of each event. A span that ends
// before it starts has `dur` 0 and its true length in the arguments; a span that was not measured is left
// out.
std::string traceJson(std::span<const Span> spans, const TraceOptions& options = {});

} // namespace basanite::timing
