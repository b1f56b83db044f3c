// SPDX-License-Identifier: Apache-2.0
// Writes the files and prints the tables.
#include "examples/01_stage_timings/report.hpp"

#include "examples/support/output.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "src/timing/table.hpp"
#include "src/timing/timeline_svg.hpp"
#include "src/timing/trace_file.hpp"

namespace examples::stage_timings {
namespace {

using basanite::timing::Granularity;
using basanite::timing::Span;

struct MedianFrame {
  uint32_t frame;
  Granularity granularity;
  std::vector<Span> spans;
};

// The median of the frames whose passes were stamped with this granularity.
std::optional<MedianFrame> medianFrameOf(std::span<const Span> spans, Granularity granularity) {
  std::vector<Span> candidates;
  for (const Span& span : spans)
    if (span.granularity == granularity) candidates.push_back(span);
  const std::optional<uint32_t> frame = medianFrame(candidates);
  if (!frame) return std::nullopt;
  return MedianFrame{*frame, granularity, spansOfFrame(spans, *frame)};
}

std::string describe(const MedianFrame& median) {
  return fmt::format("Frame {}, {} timestamps, {:.3f} ms", median.frame, granularityName(median.granularity),
                     static_cast<double>(extentOf(median.spans).lengthNs()) / 1e6);
}

} // namespace

void writeTimings(const std::filesystem::path& folder, std::span<const Span> spans,
                  const std::string& deviceName) {
  writeText(folder / "timings.json",
            traceJson(spans, {.processName = "stage_timings", .deviceName = deviceName}));
  std::optional<MedianFrame> median = medianFrameOf(spans, Granularity::precise);
  if (!median) median = medianFrameOf(spans, Granularity::relaxed);
  if (!median) return;
  writeText(folder / "timings.svg",
            timelineSvg(median->spans, {.title = describe(*median), .subtitle = deviceName}));
}

void printTables(std::span<const Span> spans) {
  for (const Granularity granularity : {Granularity::precise, Granularity::relaxed})
    if (const std::optional<MedianFrame> median = medianFrameOf(spans, granularity))
      fmt::print("\n{} (the median {} frame)\n{}", describe(*median), granularityName(granularity),
                 table(median->spans));
}

} // namespace examples::stage_timings
