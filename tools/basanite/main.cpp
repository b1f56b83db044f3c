// SPDX-License-Identifier: Apache-2.0
// The basanite program: picks the subcommand.
#include "tools/basanite/compare_command.hpp"
#include "tools/basanite/compile_command.hpp"
#include "tools/basanite/devices_command.hpp"
#include "tools/basanite/report_command.hpp"
#include "tools/basanite/time_command.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <string>
#include <vector>

namespace {

struct Command {
  CLI::App* app;
  std::function<int()> run;
};

const Command* parsedOf(const std::vector<Command>& commands) {
  for (const Command& command : commands)
    if (command.app->parsed()) return &command;
  return nullptr;
}

// One sentence that names the command, the option and the value.
int refuse(const CLI::App& app, const std::vector<Command>& commands, const CLI::ParseError& error) {
  std::string sentence = error.what();
  const Command* parsed = parsedOf(commands);
  if (!parsed) {
    std::vector<std::string> names;
    for (const Command& command : commands) names.push_back(command.app->get_name());
    const std::string known = fmt::format("{}", fmt::join(names, ", "));
    const std::vector<std::string> rest = app.remaining();
    sentence = rest.empty() ? "a command is needed: " + known
                            : fmt::format("there is no command '{}'; there are: {}", rest[0], known);
  }
  fmt::print(stderr, "basanite{}: {} (see --help).\n", parsed ? " " + parsed->app->get_name() : "", sentence);
  return basanite::tool::kExitUsage;
}

} // namespace

int main(int count, char** arguments) {
  namespace tool = basanite::tool;
  CLI::App app{"Basanite: Metal 4 on Vulkan.", "basanite"};
  app.set_version_flag("--version", "basanite " BASANITE_VERSION, "Print the version and exit");
  app.require_subcommand(1);
  tool::CompileOptions compile;
  tool::DevicesOptions devices;
  tool::TimeOptions time;
  tool::ReportCommandOptions report;
  tool::CompareOptions compare;
  const std::vector<Command> commands = {
      {tool::addCompileCommand(app, compile), [&] { return tool::runCompile(compile); }},
      {tool::addDevicesCommand(app, devices), [&] { return tool::runDevices(devices); }},
      {tool::addTimeCommand(app, time), [&] { return tool::runTime(time); }},
      {tool::addReportCommand(app, report), [&] { return tool::runReport(report); }},
      {tool::addCompareCommand(app, compare), [&] { return tool::runCompare(compare); }}};
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    // --help and --version come here as well.
    if (error.get_exit_code() == 0) return app.exit(error);
    return refuse(app, commands, error);
  }
  const Command* parsed = parsedOf(commands);
  return parsed ? parsed->run() : tool::kExitUsage;
}
