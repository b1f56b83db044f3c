// SPDX-License-Identifier: Apache-2.0
// Turns clang's output for spir64 into what AIR readers expect: intrinsic signatures, address spaces, inlining, light optimisation.
#pragma once

#include "src/base/result.hpp"

namespace llvm {
class Module;
}

namespace basanite::shader::frontend {

struct AirPassOptions {
  bool fastMath = true;
  unsigned optimizationLevel = 2;
};

// Runs after addEntryWrappers. Error: a sentence about what the dialect cannot express, naming the function.
base::Result<void> runAirPasses(llvm::Module& module, const AirPassOptions& options);

} // namespace basanite::shader::frontend
