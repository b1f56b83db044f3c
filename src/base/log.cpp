// SPDX-License-Identifier: Apache-2.0
// Writes log messages to standard error in one call each, so that lines of several threads never mix.
#include "src/base/log.hpp"

#include "src/base/env.hpp"

#include <cstdio>
#include <string>

namespace basanite::base {

bool printsInfo() {
  static const bool prints = envFlag("BASANITE_LOG");
  return prints;
}

void logMessage(LogLevel level, std::string_view message) {
  if (level == LogLevel::info && !printsInfo()) return;
  const char* prefix = level == LogLevel::info      ? "basanite: "
                       : level == LogLevel::warning ? "basanite: warning: "
                                                    : "basanite: error: ";
  std::string line = fmt::format("{}{}\n", prefix, message);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace basanite::base
