// SPDX-License-Identifier: Apache-2.0
// Environment variables that steer the library, read through one place so that `--help` and docs can list them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace basanite::base {

// The variable's text, or nothing when it is unset or empty. Not cached: callers read once at set-up.
std::optional<std::string> envText(const char* name);

// True for any value but unset, empty, "0", "false", "no" and "off".
bool envFlag(const char* name);

// The variable as a decimal number; nothing when unset, or (with a logged warning) when it is not a number.
std::optional<double> envNumber(const char* name);

} // namespace basanite::base
