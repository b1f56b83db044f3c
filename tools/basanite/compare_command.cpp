// SPDX-License-Identifier: Apache-2.0
// Reads two recordings and prints what changed.
#include "tools/basanite/compare_command.hpp"

#include "src/timing/recording.hpp"
#include "src/timing/recording_comparison.hpp"
#include "tools/basanite/compile_command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>

namespace basanite::tool {

namespace {

constexpr int kExitSlower = 1;
constexpr double kMostPercent = 1000;
constexpr const char* kFooter =
    "A pass is slower or faster when its median GPU time a frame changed by more than the threshold and the "
    "change is "
    "more than\n"
    "scatter: a Mann-Whitney test over frames, corrected for the number of passes, at 1 %.\n"
    "Exit codes: 0 nothing is slower; 1 something is; 2 a wrong command line, or a file that is no recording "
    "or has no "
    "measured pass.";

int complain(const std::string& sentence) {
  fmt::print(stderr, "basanite compare: {}\n", sentence);
  return kExitUsage;
}

std::optional<double> percent(std::string text) {
  if (!text.empty() && text.back() == '%') text.pop_back();
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end != '\0' || value > kMostPercent) return std::nullopt;
  return value;
}

} // namespace

CLI::App* addCompareCommand(CLI::App& app, CompareOptions& options) {
  CLI::App* command = app.add_subcommand("compare", "Compare two recordings: which passes became slower");
  command->footer(kFooter);
  command->add_option("before", options.before, "The recording to compare with")
      ->type_name("BEFORE")
      ->required();
  command->add_option("after", options.after, "The recording in question")->type_name("AFTER")->required();
  command->add_option("--threshold", options.threshold, "Changes up to this are none (default 5%)")
      ->type_name("PERCENT")
      ->check(CLI::Validator(
          [](const std::string& text) -> std::string {
            return percent(text) ? ""
                                 : fmt::format("takes a percentage from 0 to 1000 like 5%, not '{}'", text);
          },
          ""));
  command->add_flag("--json", options.json, "Print the comparison as JSON");
  return command;
}

int runCompare(const CompareOptions& options) {
  const auto before = timing::readRecording(options.before);
  if (!before.ok()) return complain(before.error().message);
  const auto after = timing::readRecording(options.after);
  if (!after.ok()) return complain(after.error().message);
  const auto comparison =
      timing::compareRecordings(before.value(), after.value(), percent(options.threshold).value_or(0) / 100);
  for (const bool isAfter : {false, true}) {
    const auto& recording = isAfter ? after.value() : before.value();
    const bool isMeasured =
        std::any_of(comparison.passes.begin(), comparison.passes.end(), [&](const timing::PassChange& pass) {
          return (isAfter ? pass.framesAfter : pass.framesBefore) > 0;
        });
    if (!isMeasured)
      return complain(fmt::format("The recording {} has no measured pass to compare.",
                                  isAfter ? options.after : options.before));
    if (!recording.fault.empty())
      fmt::print(stderr, "basanite compare: {} What comes before is compared.\n", recording.fault);
  }
  fmt::print("{}", options.json ? timing::recordingComparisonJson(comparison)
                                : timing::recordingComparisonTable(comparison));
  return comparison.isSlower() ? kExitSlower : 0;
}

} // namespace basanite::tool
