// SPDX-License-Identifier: Apache-2.0
// Keeps in a loop what the program writes in it before `break` or `return`.
#pragma once

namespace llvm {
class Module;
}

namespace basanite::shader::frontend {

// A block that ends in `break` or `return` is behind the loop for LLVM, where the threads of all rounds meet;
// a function over the simdgroup in it would see them all. Such blocks go round to the loop's head once more,
// with a flag that leads out from there. The flag is read through air.loop_flag.i32 (its argument comes
// back), which optimisers do not see through and the lowering drops last. On clang's output as it is: blocks
// have clang's names, and hardly a value crosses them.
void keepLoopExits(llvm::Module& module);

} // namespace basanite::shader::frontend
