// SPDX-License-Identifier: Apache-2.0
// Implementation of compile_job.hpp.
#include "tools/basanite/compile_job.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>

namespace basanite::tool {

namespace {

// Of a device that can do everything: what a real one lacks is its pipeline's business.
shader::DeviceTraits bestDevice() {
  shader::DeviceTraits traits;
  traits.float16 = traits.int8 = traits.int16 = traits.storage8 = traits.storage16 = true;
  traits.workgroupExplicitLayout = traits.demote = traits.fragmentBarycentric = traits.minLod =
      traits.int64Atomics = traits.texelBuffers = traits.pixelInterlock = traits.stencilExport =
          traits.colorInputs = true;
  return traits;
}

// With what the compiler can do and pipelines cannot use yet.
shader::DeviceTraits beyondTheRuntime() {
  shader::DeviceTraits traits = bestDevice();
  traits.kernelStageIn = true;
  return traits;
}

void lower(shader::Compiler& compiler, const shader::Program& program, FunctionResult& function) {
  auto binary = compiler.lowerFunction({&program, function.name}, bestDevice());
  if (!binary) {
    std::string refusal = std::move(binary).error().message;
    binary = compiler.lowerFunction({&program, function.name}, beyondTheRuntime());
    if (binary)
      function.runtimeError = std::move(refusal);
    else
      function.error = std::move(binary).error().message;
  }
  if (binary) function.binary = std::move(binary).value();
}

std::string withoutColor(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    plain += text[i];
  }
  return plain;
}

base::Result<uint32_t> languageVersion(const std::string& standard) {
  if (standard.empty()) return 0u;
  std::string_view text = standard;
  for (std::string_view prefix : {"macos-metal", "ios-metal", "metal"})
    if (text.starts_with(prefix)) {
      text.remove_prefix(prefix.size());
      break;
    }
  uint32_t major = 0, minor = 0;
  auto [dot, failure] = std::from_chars(text.data(), text.data() + text.size(), major);
  bool valid = failure == std::errc() && dot != text.data() + text.size() && *dot == '.';
  if (valid) {
    auto [end, minorFailure] = std::from_chars(dot + 1, text.data() + text.size(), minor);
    valid = minorFailure == std::errc() && end == text.data() + text.size();
  }
  if (!valid || major < 1 || major > 4 || minor > 9)
    return base::Error{
        fmt::format("--std={} is no version of Metal; it reads metal1.0 to metal4.0.", standard)};
  return major << 16 | minor;
}

// A .metallib file, or a universal file with one in it: neither begins as text does.
bool isLibraryFile(std::string_view content) {
  return content.starts_with("MTLB") || content.starts_with("\xCA\xFE\xBA\xBE");
}

base::Result<shader::Program> readLibrary(shader::Compiler& compiler, std::string_view content,
                                          const std::string& path) {
  auto program = compiler.readLibrary({reinterpret_cast<const uint8_t*>(content.data()), content.size()});
  if (!program) return base::Error{fmt::format("{}: error: {}\n", path, program.error().message)};
  for (const shader::UnusableFunction& function : program->unusable)
    program->warnings += fmt::format("{}: warning: '{}' is {}, which no pipeline can use\n", path,
                                     function.name, function.kind);
  return program;
}

} // namespace

bool FileResult::ok() const {
  return parsed && std::all_of(functions.begin(), functions.end(),
                               [](const FunctionResult& f) { return f.error.empty(); });
}

std::string FileResult::firstMessage() const {
  if (!parsed) {
    std::string plain = withoutColor(diagnostics);
    size_t at = plain.find("error: ");
    size_t begin = at == std::string::npos ? 0 : at + 7;
    return plain.substr(begin, plain.find('\n', begin) - begin);
  }
  for (const FunctionResult& function : functions) {
    if (function.error.empty()) continue;
    // `Kernel function "f": what` is about what.
    std::string marker = fmt::format("\"{}\": ", function.name);
    size_t at = function.error.find(marker);
    return function.error.substr(at == std::string::npos ? 0 : at + marker.size());
  }
  return {};
}

base::Result<shader::SourceOptions> sourceOptions(const CompileOptions& options) {
  shader::SourceOptions source;
  for (const std::string& define : options.defines) {
    size_t equals = define.find('=');
    std::string name = define.substr(0, equals);
    if (name.empty()) return base::Error{fmt::format("-D {} names no macro.", define)};
    source.macros.emplace_back(name, equals == std::string::npos ? "1" : define.substr(equals + 1));
  }
  source.includeDirectories = options.includes;
  source.mathMode = options.safeMath ? shader::MathMode::safe : shader::MathMode::fast;
  source.fastFunctions = !options.safeMath;
  source.warningsAsErrors = options.warningsAsErrors;
  source.optimizationLevel = options.optimization;
  BASANITE_TRY(source.languageVersion, languageVersion(options.standard));
  return source;
}

FileResult compileFile(shader::Compiler& compiler, const SourceFile& file, shader::SourceOptions options,
                       const std::vector<std::string>& entries) {
  FileResult result;
  result.path = file.path;
  result.name = file.name;
  auto begin = std::chrono::steady_clock::now();
  auto text = readSource(file);
  if (!text) {
    result.unreadable = true;
    result.diagnostics = "error: " + text.error().message + "\n";
    return result;
  }
  options.name = file.path == "-" ? "<stdin>" : file.path;
  auto program = isLibraryFile(*text) ? readLibrary(compiler, *text, options.name)
                                      : compiler.compileSource(*text, options);
  if (program) {
    result.parsed = true;
    result.program = std::move(program).value();
    result.diagnostics = result.program.warnings;
    for (const shader::FunctionInfo& info : result.program.functions) {
      if (!entries.empty() && std::find(entries.begin(), entries.end(), info.name) == entries.end()) continue;
      FunctionResult& function = result.functions.emplace_back();
      function.name = info.name;
      function.stage = info.stage;
      // A visible function is lowered with those that call it.
      if (info.stage != shader::Stage::visible) lower(compiler, result.program, function);
    }
    for (const std::string& entry : entries) {
      bool known = std::any_of(result.functions.begin(), result.functions.end(),
                               [&](const FunctionResult& f) { return f.name == entry; });
      if (known) continue;
      result.parsed = false;
      std::string names;
      for (const shader::FunctionInfo& info : result.program.functions)
        names += (names.empty() ? "" : ", ") + info.name;
      result.diagnostics += fmt::format("{}: error: there is no function named '{}'; the source has: {}\n",
                                        options.name, entry, names.empty() ? "no functions" : names);
    }
  } else {
    result.diagnostics = std::move(program).error().message;
  }
  result.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

} // namespace basanite::tool
