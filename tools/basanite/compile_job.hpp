// SPDX-License-Identifier: Apache-2.0
// One source compiled and each of its functions lowered.
#pragma once

#include "src/shader/compiler.hpp"
#include "tools/basanite/compile_command.hpp"
#include "tools/basanite/source_files.hpp"

namespace basanite::tool {

struct FunctionResult {
  std::string name;
  shader::Stage stage = shader::Stage::kernel;
  std::string error;        // empty: lowered
  std::string runtimeError; // lowered, but this version's runtime makes no pipeline of it on any device: why
  shader::StageBinary binary;
};

struct FileResult {
  std::string path, name;
  bool unreadable = false;
  bool parsed = false;
  std::string diagnostics; // errors, or the warnings of a source that compiled
  shader::Program program;
  std::vector<FunctionResult> functions;
  double milliseconds = 0;

  bool ok() const;
  // The first error as one line, without the place it stands at. Empty when there is none.
  std::string firstMessage() const;
};

// Error: a --std that is no Metal version, a -D without a name.
base::Result<shader::SourceOptions> sourceOptions(const CompileOptions& options);

FileResult compileFile(shader::Compiler& compiler, const SourceFile& file, shader::SourceOptions options,
                       const std::vector<std::string>& entries);

} // namespace basanite::tool
