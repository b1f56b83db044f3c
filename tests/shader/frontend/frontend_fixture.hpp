// SPDX-License-Identifier: Apache-2.0
// Helpers of the front end's tests: compile a text, look at its AIR or its diagnostics.
#pragma once

#include "src/shader/frontend/frontend.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace basanite::shader::frontend {

// AIR text of a program's bitcode; empty (with a test failure) when it cannot be read.
std::string airText(const Program& program);

// Compiles `source` below "#include <metal_stdlib>" and its using directive: `source` starts at line 3.
base::Result<Program> compile(std::string_view source, SourceOptions options = {});

// The AIR text, or the diagnostics with a test failure.
std::string compileToAir(std::string_view source, SourceOptions options = {});

// The diagnostics of a source that must not compile.
std::string diagnosticsOf(std::string_view source, SourceOptions options = {});

// From "define ... @name(" to the closing brace.
std::string functionText(const std::string& air, const std::string& name);

} // namespace basanite::shader::frontend

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << "missing: " << (part) << "\nin:\n" << (text)
#define EXPECT_HAS_NOT(text, part) EXPECT_EQ((text).find(part), std::string::npos) << "unwanted: " << (part) << "\nin:\n" << (text)
