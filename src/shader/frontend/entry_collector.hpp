// SPDX-License-Identifier: Apache-2.0
// Reads the entry functions of a parsed translation unit: parameters, attributes and results, with errors where they are misused.
#pragma once

#include "src/shader/frontend/entry.hpp"

#include <vector>

namespace clang {
class ASTContext;
class CodeGenerator;
class DiagnosticsEngine;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace basanite::shader::frontend {

// The stage of a function that carries a stage attribute.
std::optional<Stage> stageOf(const clang::FunctionDecl& function);

// Errors go to the context's diagnostics; the entry is then of no use. mangledName is left to the caller.
Entry describeEntry(const clang::FunctionDecl& function, Stage stage);

// Nothing for a variable without [[function_constant(n)]]. Errors as above.
std::optional<FunctionConstant> describeFunctionConstant(const clang::VarDecl& variable);

} // namespace basanite::shader::frontend
