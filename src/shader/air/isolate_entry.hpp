// SPDX-License-Identifier: Apache-2.0
// Cuts a module of many entry functions down to one of them, as a library file wants it.
#pragma once

#include "src/shader/compiler.hpp"

#include <string>

namespace llvm {
class Module;
}

namespace basanite::shader::air {

// Keeps the entry, what it reaches, the initialisers of program-scope constants and the rows of function
// constants. Error: no such entry.
base::Result<void> isolateEntry(llvm::Module& module, Stage stage, const std::string& name);

} // namespace basanite::shader::air
