// SPDX-License-Identifier: Apache-2.0
// Joins the varyings of a vertex and a fragment function by name.
#pragma once

#include "src/shader/lower/lowering.hpp"

namespace basanite::shader::lower {

// A location for every varying that the fragment function reads (none without a fragment function). Error: a varying
// that the vertex function does not write, or writes with another type; names both functions and the varying.
base::Result<VaryingLocations> linkVaryings(const air::EntryPoint& vertex, const air::EntryPoint* fragment);

} // namespace basanite::shader::lower
