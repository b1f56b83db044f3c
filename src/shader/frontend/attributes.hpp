// SPDX-License-Identifier: Apache-2.0
// Metal's attributes in clang.
#pragma once

#include <string>

namespace clang {
class Decl;
class VarDecl;
}

namespace basanite::shader::frontend {

constexpr const char* kAttributeTagPrefix = "msl:";

// Adds them to clang's attribute registry once per process. Thread-safe; call before any compile.
void registerMetalAttributes();

// Makes tags of the annotations that carried attributes into a template's instance. Before code is generated for it.
void settleAnnotations(clang::Decl& decl);

// The name that a program-scope variable has in the module.
std::string mangledName(const clang::VarDecl& variable);

} // namespace basanite::shader::frontend
