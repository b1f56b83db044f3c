// SPDX-License-Identifier: Apache-2.0
// What is told about a run: diagnostics, the closing table, JSON.
#pragma once

#include "tools/basanite/compile_job.hpp"

namespace basanite::tool {

// To standard error: the diagnostics as the compiler wrote them and the functions that did not lower. `whole`
// is false where a table follows that groups them; then only warnings are left out.
void printDiagnostics(const FileResult& result, bool whole);

// Files, functions, time, and the failures grouped by their first message.
std::string reportTable(const std::vector<FileResult>& results);

// The same and every file, for programs.
std::string reportJson(const std::vector<FileResult>& results);

// Functions and their bindings.
std::string reflectionJson(const FileResult& result);

} // namespace basanite::tool
