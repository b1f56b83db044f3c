// SPDX-License-Identifier: Apache-2.0
// The basanite program: picks the subcommand.
#include "tools/basanite/compile_command.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

// One sentence that names the command, the option and the value.
int refuse(const CLI::App& app, const CLI::App& command, const CLI::ParseError& error) {
  std::string sentence = error.what();
  if (!command.parsed()) {
    const std::vector<std::string> rest = app.remaining();
    sentence = rest.empty() ? "a command is needed: compile"
                            : fmt::format("there is no command '{}'; there is: compile", rest[0]);
  }
  fmt::print(stderr, "basanite{}: {} (see --help).\n", command.parsed() ? " compile" : "", sentence);
  return basanite::tool::kExitUsage;
}

} // namespace

int main(int count, char** arguments) {
  CLI::App app{"Basanite: Metal 4 on Vulkan.", "basanite"};
  app.set_version_flag("--version", "basanite " BASANITE_VERSION, "Print the version and exit");
  app.require_subcommand(1);
  basanite::tool::CompileOptions compile;
  CLI::App* compileCommand = basanite::tool::addCompileCommand(app, compile);
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    // --help and --version come here as well.
    if (error.get_exit_code() == 0) return app.exit(error);
    return refuse(app, *compileCommand, error);
  }
  if (compileCommand->parsed()) return basanite::tool::runCompile(compile);
  return basanite::tool::kExitUsage;
}
