// SPDX-License-Identifier: Apache-2.0
// Implementation of compile_output.hpp.
#include "tools/basanite/compile_output.hpp"

#include "tools/basanite/compile_report.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <unistd.h>

namespace basanite::tool {

namespace {

base::Result<void> writeFile(const std::string& path, std::string_view bytes, bool binary) {
  if (path.empty() || path == "-") {
    if (binary && isatty(STDOUT_FILENO))
      return base::Error{"Binary output is not written to a terminal; name a file with --output."};
    std::cout.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    std::cout.flush();
    if (!std::cout) return base::Error{"Standard output could not be written."};
    return {};
  }
  std::error_code failure;
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, failure);
  std::ofstream stream(path, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) return base::Error{fmt::format("File {} could not be written.", path)};
  return {};
}

std::string fileName(const std::string& function, const char* ending) {
  std::string name;
  for (char c : function) name += c == '/' || c == '\0' ? '_' : c;
  return name + ending;
}

// One library of the functions of all sources.
base::Result<void> writeLibrary(shader::Compiler& compiler, const std::vector<FileResult>& results,
                                const std::string& path) {
  std::vector<shader::FunctionRef> functions;
  for (const FileResult& result : results)
    for (const FunctionResult& function : result.functions)
      functions.push_back({&result.program, function.name, {}});
  BASANITE_TRY(std::vector<uint8_t> library, compiler.writeLibrary(functions));
  return writeFile(path, {reinterpret_cast<const char*>(library.data()), library.size()}, true);
}

// A path as make and Ninja read it.
std::string escaped(const std::string& path) {
  std::string text;
  for (char c : path) {
    if (c == '$') text += '$';
    if (c == ' ' || c == '#' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

base::Result<void> writeDependencies(const std::vector<FileResult>& results, const CompileOptions& options) {
  std::string rule = escaped(options.output) + ":";
  for (const FileResult& result : results) {
    if (result.path != "-") rule += " \\\n  " + escaped(result.path);
    for (const std::string& file : result.program.includedFiles) rule += " \\\n  " + escaped(file);
  }
  return writeFile(options.dependencies, rule + "\n", false);
}

} // namespace

base::Result<void> writeOutputs(shader::Compiler& compiler, const std::vector<FileResult>& results,
                                const CompileOptions& options) {
  if (options.emit == Emit::nothing) return {};
  if (!options.dependencies.empty()) BASANITE_TRY_VOID(writeDependencies(results, options));
  if (options.emit == Emit::metallib) return writeLibrary(compiler, results, options.output);
  bool toStandardOutput = options.output.empty() || options.output == "-";
  bool several = results.size() > 1;
  for (const FileResult& result : results) {
    std::string folder = several ? options.output + "/" + result.name : options.output;
    if (options.emit == Emit::air) {
      BASANITE_TRY(std::string text, compiler.disassembleAir(result.program));
      BASANITE_TRY_VOID(
          writeFile(several && !toStandardOutput ? folder + ".ll" : options.output, text, false));
      continue;
    }
    if (options.emit == Emit::reflection) {
      BASANITE_TRY_VOID(writeFile(several && !toStandardOutput ? folder + ".json" : options.output,
                                  reflectionJson(result) + "\n", false));
      continue;
    }
    bool assembly = options.emit == Emit::spirvAssembly;
    const auto lowered = [](const FunctionResult& function) { return !function.binary.spirv.empty(); };
    bool oneFile = !several && std::count_if(result.functions.begin(), result.functions.end(), lowered) == 1;
    if (!oneFile && toStandardOutput && !assembly)
      return base::Error{
          fmt::format("{} has {} functions: name a folder with --output, or one function with --entry.",
                      result.name, result.functions.size())};
    for (const FunctionResult& function : result.functions) {
      if (!lowered(function)) continue;
      std::string bytes(reinterpret_cast<const char*>(function.binary.spirv.data()),
                        function.binary.spirv.size() * 4);
      if (assembly) {
        BASANITE_TRY(bytes, compiler.disassembleSpirv(function.binary.spirv));
        if (!oneFile && toStandardOutput)
          bytes =
              fmt::format("; {} function {}\n{}", shader::stageName(function.stage), function.name, bytes);
      }
      std::string path = oneFile || toStandardOutput
                             ? options.output
                             : folder + "/" + fileName(function.name, assembly ? ".spvasm" : ".spv");
      BASANITE_TRY_VOID(writeFile(path, bytes, !assembly));
    }
  }
  return {};
}

} // namespace basanite::tool
