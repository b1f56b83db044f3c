// SPDX-License-Identifier: Apache-2.0
// Which colour attachments a compiled fragment function reads.
#pragma once

#include "src/base/result.hpp"
#include "src/shader/compiler.hpp"

#include <array>

namespace basanite::metal {

// What the input attachments of its SPIR-V hold, by [[color(n)]]; none: it does not read that one. Error:
// SPIR-V that cannot be followed, or an attachment past the last one.
base::Result<std::array<shader::ColorClass, shader::kMaxColorOutputs>>
colorInputsOf(const shader::StageBinary& fragment);

} // namespace basanite::metal
