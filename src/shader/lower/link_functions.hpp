// SPDX-License-Identifier: Apache-2.0
// Links the functions that a stage may call into its module, before the passes run.
#pragma once

#include "src/shader/air/module.hpp"

#include <vector>

namespace basanite::shader::lower {

// Everything of `linked` (may be null) that the entry function can reach: all that tables may lead to, and
// what is called by name. Function constants must have their values already; those of the linked functions
// get theirs here. Returns what the numbers in tables stand for: element i for i + 1. Error: what a linked
// function lacks; a call of something that nothing defines, by name.
base::Result<std::vector<llvm::Function*>> linkFunctions(llvm::Module& module, const air::EntryPoint& entry,
                                                         const LinkedFunctions* linked);

} // namespace basanite::shader::lower
