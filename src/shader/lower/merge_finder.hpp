// SPDX-License-Identifier: Apache-2.0
// Finds the merge block of every selection and loop of a function, splitting shared ones.
#pragma once

#include "src/shader/lower/lowering.hpp"

namespace basanite::shader::lower {

// Empty when the function is structured: `flow` is complete. Else what is in the way. The function may be changed
// (blocks split) either way, never its meaning. Loops must be in LoopSimplify form.
std::string findMerges(llvm::Function& function, ControlFlow& flow);

} // namespace basanite::shader::lower
