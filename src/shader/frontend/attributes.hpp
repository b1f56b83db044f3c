// SPDX-License-Identifier: Apache-2.0
// Metal's attributes in clang.
#pragma once

namespace basanite::shader::frontend {

constexpr const char* kAttributeTagPrefix = "msl:";

// Adds them to clang's attribute registry once per process. Thread-safe; call before any compile.
void registerMetalAttributes();

} // namespace basanite::shader::frontend
