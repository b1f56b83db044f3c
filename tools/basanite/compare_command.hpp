// SPDX-License-Identifier: Apache-2.0
// `basanite compare`: tells whether passes became slower from one recording to another.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace basanite::tool {

struct CompareOptions {
  std::string before, after;
  std::string threshold = "5%";
  bool json = false;
};

// Adds the subcommand; `options` is filled when the command line is parsed and must outlive it.
CLI::App* addCompareCommand(CLI::App& app, CompareOptions& options);

// 0: nothing became slower past the threshold; 1: something did; 2: a file is no recording, or has no
// measured pass.
int runCompare(const CompareOptions& options);

} // namespace basanite::tool
