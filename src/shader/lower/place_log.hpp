// SPDX-License-Identifier: Apache-2.0
// The pass that gives os_log its buffer.
#pragma once

#include "src/shader/lower/lowering.hpp"

namespace basanite::shader::lower {

// The address that metal_stdlib's os_log asks for becomes a word of the argument record
// (src/base/shader_log.hpp).
base::Result<void> placeLog(Unit& unit);

} // namespace basanite::shader::lower
