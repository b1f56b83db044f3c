// SPDX-License-Identifier: Apache-2.0
// MSL source to AIR-dialect bitcode: clang 19 in process behind one function.
#pragma once

#include "src/base/result.hpp"
#include "src/shader/compiler.hpp"

#include <string>
#include <string_view>

namespace basanite::shader::frontend {

// Compiles a Metal source text. Thread-safe; calls share nothing but the precompiled metal_stdlib, which is read-only.
// Failure: the error's message is the whole diagnostics text (file:line:column, source line, caret for each entry).
base::Result<Program> compileSource(std::string_view source, const SourceOptions& options);

// Writes the precompiled metal_stdlib. For the build's own tool (pch_tool.cpp); the library embeds its output.
base::Result<void> writeStandardLibraryPch(const std::string& path);

} // namespace basanite::shader::frontend
