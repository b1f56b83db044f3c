// SPDX-License-Identifier: Apache-2.0
// What the API tells of an entry function's arguments: names, indices and the types of what they hold.
#pragma once

#include "src/shader/air/module.hpp"
#include "src/shader/compiler.hpp"

#include <string_view>
#include <vector>

namespace basanite::shader::air {

// In the order of the source. `entry`'s module is alive during the call.
std::vector<ArgumentReflection> argumentsOf(const EntryPoint& entry);

// A type by its name in MSL, for tests: scalars, vectors, matrices, arrays, textures. dataType 0: not known.
TypeReflection typeNamed(std::string_view name);

} // namespace basanite::shader::air
