// SPDX-License-Identifier: Apache-2.0
// What is left after the run: the picture, the trace, the timeline, and the tables on the terminal.
#pragma once

#include "examples/01_stage_timings/options.hpp"

#include <span>
#include <string>
#include <vector>

#include "src/timing/span.hpp"

namespace stage_timings {

// Each fails with a sentence when a file cannot be written.

// An opaque PNG of RGBA bytes, rows without gaps.
void writePicture(const std::filesystem::path& file, const void* pixels, uint32_t width, uint32_t height);

// timings.json with every frame, timings.svg with the median one.
void writeTimings(const std::filesystem::path& folder, std::span<const basanite::timing::Span> spans,
                  const std::string& deviceName);

// A table of the median frame for each granularity that was used.
void printTables(std::span<const basanite::timing::Span> spans);

// "frame n of m" on one line of a terminal, or every tenth frame on a line of its own elsewhere.
void showProgress(uint32_t frame, uint32_t frames);

} // namespace stage_timings
