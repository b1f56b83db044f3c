// SPDX-License-Identifier: Apache-2.0
// Parses the options; see the header.
#include "benchmarks/harness/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>

namespace basanite::benchmarks {

Options parseOptions(int argc, char** argv, const char* program, const char* what, unsigned defaultRepeats) {
  Options options;
  options.repeats = defaultRepeats;
  CLI::App app{
      fmt::format(
          "{}\nEnvironment: BASANITE_DEVICE (index or part of the name) picks the device of both sides.",
          what),
      program};
  CLI::Option* repeats = app.add_option("--repeats", options.repeats,
                                        "interleaved measurements of each contender; the table shows medians")
                             ->check(CLI::Range(1u, 100000u))
                             ->capture_default_str();
  app.add_flag("--quick", options.quick, "fewer measurements, and none of the longest");
  app.add_option("--filter", options.filter, "only rows whose name contains TEXT")->type_name("TEXT");
  app.add_option("--json", options.jsonFile, "write medians, quartiles and ratios to FILE")
      ->type_name("FILE");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    std::exit(0);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}: {} (see --help).\n", program, error.what());
    std::exit(2);
  }
  if (options.quick && repeats->empty())
    options.repeats = std::min(defaultRepeats, std::max(3u, defaultRepeats / 3));
  return options;
}

void fail(std::string_view sentence) {
  std::fflush(stdout);
  fmt::print(stderr, "benchmark: {}\n", sentence);
  std::exit(1);
}

} // namespace basanite::benchmarks
