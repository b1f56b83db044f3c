// SPDX-License-Identifier: Apache-2.0
// Programs from .metallib files and back: what Compiler::readLibrary and writeLibrary do.
#pragma once

#include "src/shader/compiler.hpp"

namespace basanite::shader {

base::Result<Program> readLibraryFile(std::span<const uint8_t> bytes);
base::Result<std::vector<uint8_t>> writeLibraryFile(const std::vector<FunctionRef>& functions);

} // namespace basanite::shader
