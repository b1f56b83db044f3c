// SPDX-License-Identifier: Apache-2.0
// Turns clang's output for spir64 into what AIR readers expect: intrinsic signatures, address spaces,
// inlining, light optimisation.
#pragma once

#include "src/shader/frontend/entry.hpp"

#include <functional>
#include <optional>
#include <string>

namespace llvm {
class Module;
}

namespace basanite::shader::frontend {

struct AirPassOptions {
  MathMode mathMode = MathMode::fast;
  bool fastFunctions = true;
  bool preserveInvariance = false;
  unsigned optimizationLevel = 2;
  const std::vector<Entry>* entries = nullptr; // of the module; not owned
  // Whether the function of a symbol may be called without a body here, because what defines it is linked later. Empty: none.
  std::function<bool(const std::string& symbol)> definedElsewhere;
};

// What the dialect cannot express, and the IR name of the function it is in (empty: unknown).
struct AirProblem {
  std::string function;
  std::string message;
};

// Runs after addEntryWrappers.
std::optional<AirProblem> runAirPasses(llvm::Module& module, const AirPassOptions& options);

} // namespace basanite::shader::frontend
