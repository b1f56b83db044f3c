// SPDX-License-Identifier: Apache-2.0
// Implementation of compile_command.hpp: options, worker threads, and what is printed when.
#include "tools/basanite/compile_command.hpp"

#include "tools/basanite/compile_job.hpp"
#include "tools/basanite/compile_output.hpp"
#include "tools/basanite/compile_report.hpp"
#include "tools/basanite/source_files.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace basanite::tool {

namespace {

constexpr const char* kFooter =
    "Exit codes: 0 everything compiled; 1 a source or a function did not; 2 a wrong command line, or a file "
    "that\n"
    "cannot be read or written; 3 the shader compiler (libbasanite_compiler.so) could not be opened.\n\n"
    "Every function is lowered to SPIR-V and validated, whatever is emitted, for a device that has every "
    "feature. A function\n"
    "that compiles but uses what Basanite's pipelines cannot bind yet (docs/shader-pipeline.md) counts as "
    "compiled; a note\n"
    "says so, and \"runtimeError\" in the JSON report. With --emit=spirv or spirv-asm and more than one "
    "function, or more\n"
    "than one source, --output is a folder: FUNCTION.spv, or SOURCE/FUNCTION.spv. --emit=metallib puts the "
    "functions of all\n"
    "sources into one library file. A .metallib file, Apple's or ours, may stand in the place of a source.";

const std::map<std::string, Emit> kEmits = {{"spirv", Emit::spirv},
                                            {"spirv-asm", Emit::spirvAssembly},
                                            {"air", Emit::air},
                                            {"reflection", Emit::reflection},
                                            {"metallib", Emit::metallib}};

// CLI11 puts the option's name in front of these sentences.
CLI::Validator numberUpTo(unsigned most) {
  return CLI::Validator(
      [most](const std::string& text) -> std::string {
        const bool isNumber =
            !text.empty() && text.size() < 9 && text.find_first_not_of("0123456789") == text.npos;
        if (isNumber && std::stoul(text) <= most) return {};
        return fmt::format("takes a number from 0 to {}, not '{}'", most, text);
      },
      "");
}

CLI::Validator emitName() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        const auto found = kEmits.find(text);
        if (found == kEmits.end())
          return fmt::format("takes spirv, spirv-asm, air, reflection or metallib, not '{}'", text);
        text = std::to_string(static_cast<int>(found->second)); // as CLI11 reads enumerators
        return {};
      },
      "");
}

CLI::Validator colorName() {
  return CLI::Validator(
      [](const std::string& text) -> std::string {
        if (text == "auto" || text == "always" || text == "never") return {};
        return fmt::format("takes auto, always or never, not '{}'", text);
      },
      "");
}

int usageError(const std::string& sentence) {
  fmt::print(stderr, "basanite compile: {}\n", sentence);
  return kExitUsage;
}

bool wantsColor(const CompileOptions& options) {
  if (options.color != "auto") return options.color == "always";
  return !options.json && isatty(STDERR_FILENO) && !std::getenv("NO_COLOR");
}

// One line that is written over while it changes; nothing when standard error is no terminal.
class Progress {
 public:
  explicit Progress(size_t total) : m_total(total), m_visible(total > 1 && isatty(STDERR_FILENO)) {}

  void step(const std::string& name) {
    std::lock_guard lock(m_mutex);
    ++m_done;
    if (!m_visible) return;
    size_t filled = m_done * 30 / m_total;
    std::string shown = name.size() > 40 ? "..." + name.substr(name.size() - 37) : name;
    fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {}/{} {:<40}", "", filled, "", 30 - filled, m_done, m_total,
               shown);
    std::fflush(stderr);
  }
  void finish() {
    if (m_visible) fmt::print(stderr, "\r{:<100}\r", "");
  }

 private:
  std::mutex m_mutex;
  size_t m_total, m_done = 0;
  bool m_visible;
};

} // namespace

CLI::App* addCompileCommand(CLI::App& app, CompileOptions& options) {
  CLI::App* command =
      app.add_subcommand("compile", "Compile Metal shaders and check, print or write what they become");
  command
      ->add_option(
          "FILE", options.inputs,
          "Metal sources or .metallib files; - reads standard input; a folder takes every .metal file "
          "below it")
      ->required();
  command->add_option("-o,--output", options.output, "Where to write; standard output when left out");
  command
      ->add_option("--depfile", options.dependencies,
                   "Where to write what --output depends on, as a rule of make")
      ->type_name("FILE");
  command->add_option("-I", options.includes, "Folder to search for included files")->allow_extra_args(false);
  command->add_option("-D", options.defines, "Macro NAME or NAME=VALUE")->allow_extra_args(false);
  command->add_option("--std", options.standard, "Language version, such as metal3.2 (default: the newest)");
  command->add_option("--entry", options.entries, "Only this function; may be repeated")
      ->allow_extra_args(false);
  command
      ->add_option("--emit", options.emit,
                   "spirv, spirv-asm, air, reflection or metallib; only checks when left out")
      ->transform(emitName())
      ->type_name("FORM");
  command->add_option("-O", options.optimization, "Optimisation, 0 to 3 (default 2)")
      ->check(numberUpTo(3))
      ->type_name("N");
  command->add_flag("--Werror", options.warningsAsErrors, "Warnings are errors");
  command->add_flag("--safe-math", options.safeMath, "No fast math");
  command->add_flag("--json", options.json, "A JSON report on standard output");
  command->add_option("--jobs", options.jobs, "Sources compiled at a time (default, or 0: one a processor)")
      ->check(numberUpTo(1024))
      ->type_name("N");
  command
      ->add_option("--extensions", options.extensions,
                   "Endings of the files taken from a folder (default .metal; * takes all)")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      ->add_option("--ignore", options.ignored,
                   "Leave out files of a folder whose path contains this; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--color", options.color, "auto, always or never")
      ->check(colorName())
      ->type_name("WHEN");
  command->footer(kFooter);
  return command;
}

int runCompile(const CompileOptions& options) {
  const bool toStandardOutput = options.output.empty() || options.output == "-";
  if (!options.dependencies.empty() && (options.emit == Emit::nothing || toStandardOutput))
    return usageError("--depfile goes with --emit and --output: it says what the output depends on.");
  auto source = sourceOptions(options);
  if (!source) return usageError(source.error().message);
  source->color = wantsColor(options);
  auto files = findSources(options.inputs, options.extensions, options.ignored);
  if (!files) return usageError(files.error().message);
  auto compiler = shader::loadCompiler();
  if (!compiler) {
    fmt::print(stderr, "basanite compile: {}\n", compiler.error().message);
    return kExitNoCompiler;
  }

  std::vector<FileResult> results(files->size());
  std::atomic<size_t> next{0};
  Progress progress(results.size());
  auto work = [&] {
    for (size_t i = next++; i < results.size(); i = next++) {
      results[i] = compileFile(**compiler, (*files)[i], *source, options.entries);
      progress.step((*files)[i].name);
    }
  };
  unsigned jobs = options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::min<size_t>(jobs, results.size()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  progress.finish();

  bool unreadable = false, failed = false;
  for (const FileResult& result : results) {
    unreadable |= result.unreadable;
    failed |= !result.ok();
  }
  if (options.json) {
    fmt::print("{}\n", reportJson(results));
  } else {
    // A library is made of its sources together, so none is a row of a table.
    bool summary = files->size() > 1 && options.emit != Emit::metallib;
    for (const FileResult& result : results) printDiagnostics(result, !summary);
    // Not into what is emitted.
    const bool isTaken = options.emit != Emit::nothing && toStandardOutput;
    if (summary) fmt::print(isTaken ? stderr : stdout, "{}", reportTable(results));
  }
  if (unreadable) return kExitUsage;
  if (failed) return kExitFailures;
  auto written = writeOutputs(**compiler, results, options);
  return written ? kExitDone : usageError(written.error().message);
}

} // namespace basanite::tool
