// SPDX-License-Identifier: Apache-2.0
// The bytes that a constant has in memory.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace basanite::shader::lower {

// Little-endian, as the layout places the members; what the constant leaves open is zero. Nothing when a part of it is
// not a number (an address, say).
std::optional<std::vector<uint8_t>> constantImage(const llvm::DataLayout& layout, llvm::Constant* constant);

} // namespace basanite::shader::lower
