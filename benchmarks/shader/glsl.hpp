// SPDX-License-Identifier: Apache-2.0
// GLSL to SPIR-V in the process, for the twins of shader benchmarks: glslang, and spirv-opt's -O where asked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace basanite::benchmarks {

enum class GlslStage : uint8_t { fragment, compute };

// Before the first and after the last compile.
void openGlsl();
void closeGlsl();

// SPIR-V 1.6 for Vulkan 1.3. Ends the process with glslang's message when the source does not compile.
std::vector<uint32_t> compileGlsl(const std::string& source, GlslStage stage);
// The module after the passes of `spirv-opt -O`. Ends the process when they fail.
std::vector<uint32_t> optimised(const std::vector<uint32_t>& spirv);

} // namespace basanite::benchmarks
