// SPDX-License-Identifier: Apache-2.0
// `basanite report`: shows a recording that was made before.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace basanite::tool {

struct ReportCommandOptions {
  std::string recording;
  std::string folder; // empty: where the recording lies
  bool json = false;
  bool html = true;
  bool trace = false;
};

// Adds the subcommand; `options` is filled when the command line is parsed and must outlive it.
CLI::App* addReportCommand(CLI::App& app, ReportCommandOptions& options);

// 0, or 2 for what is no recording and a folder that cannot be written, after a sentence on standard error.
int runReport(const ReportCommandOptions& options);

} // namespace basanite::tool
