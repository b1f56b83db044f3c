// SPDX-License-Identifier: Apache-2.0
// The basanite program: picks the subcommand.
#include "tools/basanite/compile_command.hpp"

#include <CLI/CLI.hpp>

int main(int count, char** arguments) {
  CLI::App app{"Basanite: Metal 4 on Vulkan."};
  app.require_subcommand(1);
  basanite::tool::CompileOptions compile;
  CLI::App* compileCommand = basanite::tool::addCompileCommand(app, compile);
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    int code = app.exit(error);
    return code == 0 ? 0 : basanite::tool::kExitUsage;
  }
  if (compileCommand->parsed()) return basanite::tool::runCompile(compile);
  return basanite::tool::kExitUsage;
}
