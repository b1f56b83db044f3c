// SPDX-License-Identifier: Apache-2.0
// Writes what --emit asks for.
#pragma once

#include "tools/basanite/compile_job.hpp"

namespace basanite::tool {

// All results have compiled. Error: a file or folder that cannot be written, or binary output that would go
// to a terminal.
base::Result<void> writeOutputs(shader::Compiler& compiler, const std::vector<FileResult>& results,
                                const CompileOptions& options);

} // namespace basanite::tool
