// SPDX-License-Identifier: Apache-2.0
// Joins the varyings of a vertex or mesh function and a fragment function by name.
#pragma once

#include "src/shader/lower/lowering.hpp"

namespace basanite::shader::lower {

// A location for every varying that the fragment function reads (none without a fragment function). Error: a varying
// that the vertex or mesh function does not write, or writes with another type; names both functions and the varying.
base::Result<VaryingLocations> linkVaryings(const air::EntryPoint& before, const air::EntryPoint* fragment);

// The IR type of a scalar or vector by its Metal name ("float4"); null for other names.
llvm::Type* typeNamed(llvm::LLVMContext& context, const std::string& name);

} // namespace basanite::shader::lower
