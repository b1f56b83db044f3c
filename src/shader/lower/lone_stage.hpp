// SPDX-License-Identifier: Apache-2.0
// A stage lowered without its pipeline, for tools: the interface that it would have if nothing else were
// there.
#pragma once

#include "src/shader/lower/lowering.hpp"

namespace basanite::shader::lower {

// A location for each varying of the function's, in the order of its interface.
VaryingLocations loneVaryings(const air::EntryPoint& entry);

// A vertex descriptor that holds each attribute in the format of its own type, tightly packed. Error: an
// attribute of a type that no vertex format has.
base::Result<RenderRequest> loneRequest(const air::EntryPoint& entry);

} // namespace basanite::shader::lower
