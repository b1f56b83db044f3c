// SPDX-License-Identifier: Apache-2.0
// `basanite compile`: MSL to SPIR-V, AIR text or reflection; a folder is checked as a whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace basanite::tool {

constexpr int kExitDone = 0;
constexpr int kExitFailures = 1; // a source or a function did not compile
constexpr int kExitUsage = 2;    // the command line, or a file that cannot be read or written
constexpr int kExitNoCompiler = 3;

enum class Emit : uint8_t { nothing, spirv, spirvAssembly, air, reflection, metallib };

struct CompileOptions {
  std::vector<std::string> inputs; // files, folders, "-"
  std::string output;              // "" or "-": standard output
  std::string dependencies;        // file for a rule of make; "": none
  std::vector<std::string> includes;
  std::vector<std::string> defines;              // NAME or NAME=VALUE
  std::string standard;                          // "metal3.2"; empty: the newest
  std::vector<std::string> entries;              // empty: all
  std::vector<std::string> extensions{".metal"}; // of the files taken from a folder; "*" takes all
  std::vector<std::string> ignored;              // parts of paths left out when a folder is searched
  Emit emit = Emit::nothing;
  unsigned optimization = 2;
  unsigned jobs = 0; // 0: one a processor
  bool warningsAsErrors = false;
  bool safeMath = false;
  bool json = false;
  std::string color = "auto";
};

// Adds the subcommand; `options` is filled when the command line is parsed and must outlive it.
CLI::App* addCompileCommand(CLI::App& app, CompileOptions& options);

// Does the work; the exit code.
int runCompile(const CompileOptions& options);

} // namespace basanite::tool
