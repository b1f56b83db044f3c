// SPDX-License-Identifier: Apache-2.0
// What is left after the run: the trace, the timeline, and the tables on the terminal.
#pragma once

#include "examples/01_stage_timings/options.hpp"

#include <span>
#include <string>
#include <vector>

#include "src/timing/span.hpp"

namespace examples::stage_timings {

// timings.json with every frame, timings.svg with the median one. Fails with a sentence when one cannot be
// written.
void writeTimings(const std::filesystem::path& folder, std::span<const basanite::timing::Span> spans,
                  const std::string& deviceName);

// A table of the median frame for each granularity that was used.
void printTables(std::span<const basanite::timing::Span> spans);

} // namespace examples::stage_timings
