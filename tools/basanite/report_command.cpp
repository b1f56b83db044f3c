// SPDX-License-Identifier: Apache-2.0
// Reads a recording, prints the table and writes the page.
#include "tools/basanite/report_command.hpp"

#include "src/timing/analysis.hpp"
#include "src/timing/chrome_trace.hpp"
#include "src/timing/output_file.hpp"
#include "src/timing/pass_report.hpp"
#include "src/timing/recording.hpp"
#include "src/timing/report_html.hpp"
#include "tools/basanite/compile_command.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

namespace basanite::tool {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFooter = "Writes report.html, one page for a browser that needs no network, and "
                                "report.json beside the recording or into "
                                "DIR, and\n"
                                "prints a line a pass. Of a recording that was cut off or is damaged further "
                                "on, what comes before is shown.\n"
                                "Exit codes: 0 shown; 2 a wrong command line, a file that is no recording, "
                                "or a folder that cannot be written.";

int complain(const std::string& sentence) {
  fmt::print(stderr, "basanite report: {}\n", sentence);
  return kExitUsage;
}

} // namespace

CLI::App* addReportCommand(CLI::App& app, ReportCommandOptions& options) {
  CLI::App* command = app.add_subcommand("report", "Show a recording: a table, and a page for a browser");
  command->footer(kFooter);
  command->add_option("recording", options.recording, "What `basanite time` or BASANITE_TRACE left")
      ->type_name("RECORDING")
      ->required();
  command->add_option("-o,--output", options.folder, "Folder for the files (default: that of the recording)")
      ->type_name("DIR");
  command->add_flag("--json", options.json, "Print the figures as JSON");
  command->add_flag("!--no-html", options.html, "Write no page");
  command->add_flag("--trace", options.trace, "Write trace.json.gz for ui.perfetto.dev and chrome://tracing too");
  return command;
}

int runReport(const ReportCommandOptions& options) {
  const auto recording = timing::readRecording(options.recording);
  if (!recording.ok()) return complain(recording.error().message);
  const fs::path folder =
      options.folder.empty() ? fs::path(options.recording).parent_path() : fs::path(options.folder);
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error)
    return complain(fmt::format("The folder {} cannot be made: {}.", folder.string(), error.message()));
  const timing::Analysis analysis(recording.value());
  const std::string json = timing::passReportJson(recording.value(), analysis);
  fmt::print("{}", options.json ? json : timing::passReport(recording.value(), analysis));
  const auto write = [&](const char* name, const std::string& text) {
    const fs::path path = folder / name;
    const auto written = timing::writeFile(path.string(), text);
    if (!written.ok()) {
      complain(written.error().message);
      return false;
    }
    if (!options.json) fmt::print("wrote {}\n", path.string());
    return true;
  };
  bool isWritten = write("report.json", json);
  if (options.html) isWritten &= write("report.html", timing::reportHtml(recording.value(), analysis));
  if (options.trace) {
    const fs::path path = folder / "trace.json.gz";
    const auto written = timing::writeChromeTrace(path.string(), recording.value(), analysis);
    if (!written.ok()) return complain(written.error().message);
    if (!options.json) fmt::print("wrote {}\n", path.string());
  }
  return isWritten ? 0 : kExitUsage;
}

} // namespace basanite::tool
