// SPDX-License-Identifier: Apache-2.0
// `basanite time`: runs a program with BASANITE_TRACE set and shows where its GPU time goes.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace basanite::tool {

struct TimeOptions {
  std::vector<std::string> command;
  std::string folder;         // empty: basanite-PROGRAM
  std::string frames;         // "A..B"; empty: all
  std::string every = "pass"; // or "draw"
  bool precise = false;
  bool json = false;
  bool noHtml = false;
};

// Adds the subcommand; `options` is filled when the command line is parsed and must outlive it.
CLI::App* addTimeCommand(CLI::App& app, TimeOptions& options);

// Does the work; the program's exit code, or it does not return because the program was ended by a signal.
// Where the program was not run at all: 2, or 126 or 127 as a shell has it.
int runTime(const TimeOptions& options);

} // namespace basanite::tool
