// SPDX-License-Identifier: Apache-2.0
// The model of every report: one span is what one pass did in one stage of one frame, in nanoseconds of the
// GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::timing {

// Where the work ran. Every report draws one lane for each, in this order.
enum class Lane : uint8_t { commandBuffer, vertex, fragment, compute };
constexpr size_t kLaneCount = 4;

// How the timestamps were taken. Timestamps of a command buffer have no granularity.
enum class Granularity : uint8_t { none, relaxed, precise };

// A plain value. Times are nanoseconds on the GPU's clock; its epoch is of no importance, reports start at
// their earliest span. 0 is never a real time: it marks a timestamp that the GPU did not write.
struct Span {
  std::string pass; // UTF-8; what cannot be shown is replaced
  Lane lane = Lane::commandBuffer;
  Granularity granularity = Granularity::none;
  uint32_t frame = 0;
  uint64_t startNs = 0;
  uint64_t endNs = 0;
};

// "command buffer", "vertex", "fragment", "compute".
std::string_view laneName(Lane lane);
// "-", "relaxed", "precise".
std::string_view granularityName(Granularity granularity);

// Whether both ends were written. Reports list a span that was not, but draw nothing for it.
bool isMeasured(const Span& span);
// End minus start. Negative when the end lies before the start; limited to the range of int64_t.
int64_t durationNs(const Span& span);

// From the earliest to the latest time of the measured spans, either end of a span counting. Both 0 without
// any.
struct Extent {
  uint64_t startNs = 0;
  uint64_t endNs = 0;
  uint64_t lengthNs() const { return endNs - startNs; }
};
Extent extentOf(std::span<const Span> spans);

// The spans of one frame, in their order.
std::vector<Span> spansOfFrame(std::span<const Span> spans, uint32_t frame);

// The frame whose extent is the median of all frames' (the shorter one of two in the middle). None without
// spans.
std::optional<uint32_t> medianFrame(std::span<const Span> spans);

// Rows that keep the spans of a lane from covering each other: result[i] is the row of spans[i], from 0 in
// each lane, and two spans that share a lane and a row do not overlap. Unmeasured spans get row 0.
std::vector<size_t> assignRows(std::span<const Span> spans);

} // namespace basanite::timing
