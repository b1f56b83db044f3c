// SPDX-License-Identifier: Apache-2.0
// The text of a line that a shader logged: its format with its arguments filled in.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace basanite::metal {

// `arguments`: tagged words (src/base/shader_log.hpp). `textAt`: the string at a GPU address, or nothing. The
// format is printf's with OpenCL's vectors (%v4f: components with commas between); a conversion that has no
// argument of its kind, or none that is known, stands in the text as it is written. Never fails. Any thread.
std::string formatLogLine(std::string_view format, std::span<const uint32_t> arguments,
                          const std::function<std::optional<std::string>(uint64_t)>& textAt);

} // namespace basanite::metal
