// SPDX-License-Identifier: Apache-2.0
// Writes the files and prints the tables.
#include "examples/01_stage_timings/report.hpp"

#include "examples/01_stage_timings/failure.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>

#include <fmt/format.h>
#include <png.h>
#include <unistd.h>

#include "src/timing/table.hpp"
#include "src/timing/timeline_svg.hpp"
#include "src/timing/trace_file.hpp"

namespace stage_timings {
namespace {

using basanite::timing::Granularity;
using basanite::timing::Span;

void writeText(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush()) fail(fmt::format("cannot write '{}'.", file.string()));
}

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

void writePicture(const std::filesystem::path& file, const void* pixels, uint32_t width, uint32_t height) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGBA;
  if (!png_image_write_to_file(&image, file.c_str(), 0, pixels, 0, nullptr))
    fail(fmt::format("cannot write '{}': {}.", file.string(), image.message));
}

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

void showProgress(uint32_t frame, uint32_t frames) {
  constexpr uint32_t kFramesPerLine = 10;
  static const bool kTerminal = isatty(STDOUT_FILENO) != 0;
  if (kTerminal)
    fmt::print("\rframe {} of {}{}", frame, frames, frame == frames ? "\n" : "");
  else if (frame % kFramesPerLine == 0 || frame == frames)
    fmt::print("frame {} of {}\n", frame, frames);
  std::fflush(stdout);
}

} // namespace stage_timings
