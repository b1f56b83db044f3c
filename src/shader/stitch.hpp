// SPDX-License-Identifier: Apache-2.0
// Stitching: a graph of calls becomes a visible function.
#pragma once

#include "src/shader/compiler.hpp"

namespace basanite::shader {

// As Compiler::stitch().
base::Result<Program> stitchGraphs(const StitchRequest& request);

} // namespace basanite::shader
