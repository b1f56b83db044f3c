// SPDX-License-Identifier: Apache-2.0
// The pass that turns math into calls of the compiler's own functions; see math_library.cpp.
#pragma once

#include "src/shader/lower/lowering.hpp"

namespace basanite::shader::lower {

base::Result<void> linkMath(Unit& unit);

} // namespace basanite::shader::lower
