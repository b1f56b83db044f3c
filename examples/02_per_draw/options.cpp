// SPDX-License-Identifier: Apache-2.0
// Reads the command line.
#include "examples/02_per_draw/options.hpp"

#include "examples/support/failure.hpp"

#include <cstdlib>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace examples::per_draw {
namespace {

constexpr uint32_t kMostFrames = 1000;
constexpr uint32_t kSmallestSide = 16;
constexpr uint32_t kLargestSide = 8192;
constexpr uint32_t kMostWork = 256;

constexpr const char* kWhat = "Paints a landscape in one render pass of 20 draws, some heavy in their "
                              "fragments and some in their vertices, and\n"
                              "times it draw by draw: with relaxed timestamps, with precise ones, and each "
                              "draw alone in a pass, which is the truth.\n"
                              "Prints a table and leaves frame.png (the picture), draws.svg (the three times "
                              "of each draw as bars) and draws.json.";

// CLI11 takes a side that is out of range or not a number for the same fault, and says which.
CLI::Validator between(uint32_t smallest, uint32_t largest) {
  return CLI::Validator(
      [=](const std::string& text) -> std::string {
        uint32_t number = 0;
        const bool isNumber =
            !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == text.npos;
        if (isNumber) number = static_cast<uint32_t>(std::stoul(text));
        if (isNumber && number >= smallest && number <= largest) return {};
        return fmt::format("takes a number from {} to {}, not '{}'", smallest, largest, text);
      },
      fmt::format("{}..{}", smallest, largest));
}

} // namespace

Options parseOptions(int argumentCount, char** arguments) {
  Options options;
  CLI::App app{kWhat, kProgramName};
  app.add_option("--output", options.outputFolder, "folder for the three files")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_option("--frames", options.frames,
                 "rounds to measure; the lower quartile is shown on a CPU device, else the median")
      ->check(between(1, kMostFrames))
      ->capture_default_str();
  app.add_option("--width", options.width, "of the picture, in pixels")
      ->check(between(kSmallestSide, kLargestSide))
      ->capture_default_str();
  app.add_option("--height", options.height, "of the picture, in pixels")
      ->check(between(kSmallestSide, kLargestSide))
      ->capture_default_str();
  app.add_option("--work", options.work,
                 "samples of the noise for each pixel and thing (default: 1 on a CPU device, 32 on a GPU)")
      ->check(between(1, kMostWork));
  app.add_option("--shaders", options.shaderFolder,
                 "folder of landscape.metal (default: beside this program)")
      ->type_name("DIR");
  try {
    app.parse(argumentCount, arguments);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    std::exit(0);
  } catch (const CLI::ParseError& error) {
    failUsage(error.what());
  }
  return options;
}

} // namespace examples::per_draw
