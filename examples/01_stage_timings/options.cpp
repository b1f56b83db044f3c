// SPDX-License-Identifier: Apache-2.0
// Reads the command line.
#include "examples/01_stage_timings/options.hpp"

#include "examples/support/failure.hpp"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace examples::stage_timings {
namespace {

constexpr uint32_t kMostFrames = 1000;
constexpr uint32_t kSmallestSide = 16;
constexpr uint32_t kLargestSide = 8192;

constexpr std::string_view kUsage = R"(Usage: stage_timings [options]

Draws the Stanford bunny in three passes a frame (shadow map, scene, tone map), takes a GPU timestamp around each
stage of each pass, and writes frame.png, timings.json (opens in Perfetto) and timings.svg.

  --output DIR         folder for the three files (default: out/stage_timings)
  --frames N           number of frames, 1 to 1000 (default: 30)
  --size WxH           size of the picture in pixels, 16 to 8192 a side (default: 960x540)
  --granularity MODE   precise, relaxed, or both in turn (default: both)
  --mesh FILE          the bunny's index.js (default: build/assets/bunny/index.js)
  --shaders DIR        folder of the .metal files (default: beside this program)
  --help               this text
)";

// The whole text as a number within the limits, or nothing.
std::optional<uint32_t> parseNumber(std::string_view text, uint32_t smallest, uint32_t largest) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number < smallest || number > largest) return std::nullopt;
  return number;
}

void parseFrames(std::string_view text, Options& options) {
  const std::optional<uint32_t> frames = parseNumber(text, 1, kMostFrames);
  if (!frames) failUsage(fmt::format("--frames takes a number from 1 to {}, not '{}'", kMostFrames, text));
  options.frames = *frames;
}

void parseSize(std::string_view text, Options& options) {
  const size_t cross = text.find('x');
  const auto side = [](std::string_view part) { return parseNumber(part, kSmallestSide, kLargestSide); };
  const auto width = cross == text.npos ? std::nullopt : side(text.substr(0, cross));
  const auto height = cross == text.npos ? std::nullopt : side(text.substr(cross + 1));
  if (!width || !height)
    failUsage(fmt::format("--size takes WIDTHxHEIGHT with sides of {} to {} pixels, not '{}'", kSmallestSide,
                          kLargestSide, text));
  options.width = *width;
  options.height = *height;
}

void parseGranularity(std::string_view text, Options& options) {
  if (text == "precise")
    options.granularities = {MTL4::TimestampGranularityPrecise};
  else if (text == "relaxed")
    options.granularities = {MTL4::TimestampGranularityRelaxed};
  else if (text != "both")
    failUsage(fmt::format("--granularity takes precise, relaxed or both, not '{}'", text));
}

} // namespace

Options parseOptions(int argumentCount, const char* const* arguments) {
  Options options;
  for (int i = 1; i < argumentCount; ++i) {
    const std::string_view name = arguments[i];
    if (name == "--help" || name == "-h") {
      fmt::print("{}", kUsage);
      std::exit(0);
    }
    const auto value = [&]() -> std::string_view {
      if (i + 1 == argumentCount) failUsage(fmt::format("{} needs a value", name));
      return arguments[++i];
    };
    if (name == "--output")
      options.outputFolder = value();
    else if (name == "--mesh")
      options.meshFile = value();
    else if (name == "--shaders")
      options.shaderFolder = value();
    else if (name == "--frames")
      parseFrames(value(), options);
    else if (name == "--size")
      parseSize(value(), options);
    else if (name == "--granularity")
      parseGranularity(value(), options);
    else
      failUsage(fmt::format("unknown option '{}'", name));
  }
  return options;
}

} // namespace examples::stage_timings
