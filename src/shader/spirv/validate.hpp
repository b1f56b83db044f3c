// SPDX-License-Identifier: Apache-2.0
// SPIRV-Tools behind two functions: validation for Vulkan 1.3 and disassembly.
#pragma once

#include "src/base/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace basanite::shader::spirv {

// Error: the validator's first sentence.
base::Result<void> validate(const std::vector<uint32_t>& words);

base::Result<std::string> disassemble(const std::vector<uint32_t>& words);

} // namespace basanite::shader::spirv
