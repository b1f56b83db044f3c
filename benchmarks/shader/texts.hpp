// SPDX-License-Identifier: Apache-2.0
// The shaders of benchmarks/shader/shaders, as text.
#pragma once

#include <string>

namespace basanite::benchmarks {

// `file`: its name in that folder. Ends the process when there is none.
std::string shaderText(const std::string& file);

} // namespace basanite::benchmarks
