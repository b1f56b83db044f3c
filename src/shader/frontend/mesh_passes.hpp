// SPDX-License-Identifier: Apache-2.0
// Steps of air_passes.cpp for mesh and object functions: outputs member by member, payloads in their own
// address space.
#pragma once

#include "src/shader/frontend/air_passes.hpp"

namespace basanite::shader::frontend {

constexpr unsigned kObjectData = 6; // AIR's address space of payloads

// Replaces set_vertex() and set_primitive(), which take whole structures, by one intrinsic a member. After
// inlining.
void expandMeshCalls(llvm::Module& module, const std::vector<Entry>& entries);

// Payload pointers are threadgroup pointers inside functions so far; gives them AIR's address space. Problem:
// a payload pointer that goes where it cannot be followed.
std::optional<AirProblem> movePayloads(llvm::Module& module, const std::vector<Entry>& entries);

} // namespace basanite::shader::frontend
