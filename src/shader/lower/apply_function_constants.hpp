// SPDX-License-Identifier: Apache-2.0
// Gives function constants their values, before anything else looks at the module.
#pragma once

#include "src/base/result.hpp"
#include "src/shader/air/module.hpp"
#include "src/shader/compiler.hpp"

#include <vector>

namespace basanite::shader::lower {

// Substitutes the values of the function constants that `entry` reaches, computes the program-scope constants that depend on
// them, takes arguments, members and outputs whose condition is false out of the entry, drops what the entry does not reach, and
// folds what has become constant.
// Values of other constants are ignored. Error: a constant without a value whose absence the program does not ask about, a
// value of another type, an initial value that cannot be computed.
base::Result<void> applyFunctionConstants(llvm::Module& module, air::EntryPoint& entry, const std::vector<FunctionConstantValue>& values);

// Those that a function with this entry reaches, in the module's order.
base::Result<std::vector<FunctionConstantInfo>> reachedFunctionConstants(llvm::Module& module, const air::EntryPoint& entry);

} // namespace basanite::shader::lower
