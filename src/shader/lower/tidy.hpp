// SPDX-License-Identifier: Apache-2.0
// Runs LLVM function passes over every function of a module.
#pragma once

#include <llvm/IR/PassManager.h>

namespace basanite::shader::lower {

void runFunctionPasses(llvm::Module& module, llvm::FunctionPassManager& passes);
void runFunctionPasses(llvm::Function& function, llvm::FunctionPassManager& passes);

// After values have become known: propagates them and drops what they make unreachable, in every function.
void foldConstants(llvm::Module& module);

} // namespace basanite::shader::lower
