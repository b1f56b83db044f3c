// SPDX-License-Identifier: Apache-2.0
// Messages to standard error, each one sentence behind "basanite: ". Thread-safe: one write per message.
#pragma once

#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace basanite::base {

enum class LogLevel { info, warning, error };

// Whether BASANITE_LOG asks for informative messages; warnings and errors are printed always.
bool printsInfo();

void logMessage(LogLevel level, std::string_view message);

template <class... Args> void logInfo(fmt::format_string<Args...> format, Args&&... args) {
  if (!printsInfo()) return;
  logMessage(LogLevel::info, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args> void logWarning(fmt::format_string<Args...> format, Args&&... args) {
  logMessage(LogLevel::warning, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args> void logError(fmt::format_string<Args...> format, Args&&... args) {
  logMessage(LogLevel::error, fmt::format(format, std::forward<Args>(args)...));
}

} // namespace basanite::base
