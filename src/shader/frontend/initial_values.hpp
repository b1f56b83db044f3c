// SPDX-License-Identifier: Apache-2.0
// Program-scope constants whose initial value C++ computes before main(): here it is computed when the source is compiled.
#pragma once

#include "src/shader/frontend/air_passes.hpp"

namespace basanite::shader::frontend {

// clang's functions that compute the initial value of one variable each begin so.
constexpr const char* kInitialiserPrefix = "__cxx_global_var_init";

// Runs those functions and makes the results initial values. What depends on function constants stays: it is computed when a
// pipeline is made. Anything else that cannot be computed is a problem. Before moveConstants(): each variable has one address space.
std::optional<AirProblem> computeInitialValues(llvm::Module& module);

} // namespace basanite::shader::frontend
