// SPDX-License-Identifier: Apache-2.0
// Writes log messages to standard error in one call each, so that lines of several threads never mix.
#include "src/base/log.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace basanite::base {

void logMessage(LogLevel level, std::string_view message) {
  // Not envFlag(): that one logs, and a malformed value must not recurse.
  static const bool verbose = [] {
    const char* value = std::getenv("BASANITE_LOG");
    return value && *value && std::strcmp(value, "0") != 0;
  }();
  if (level == LogLevel::info && !verbose) return;
  const char* prefix = level == LogLevel::info      ? "basanite: "
                       : level == LogLevel::warning ? "basanite: warning: "
                                                    : "basanite: error: ";
  std::string line = fmt::format("{}{}\n", prefix, message);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace basanite::base
