// SPDX-License-Identifier: Apache-2.0
// Reads environment variables; a malformed number is reported once and ignored.
#include "src/base/env.hpp"

#include "src/base/log.hpp"

#include <cstdlib>

namespace basanite::base {

std::optional<std::string> envText(const char* name) {
  const char* value = std::getenv(name);
  if (!value || !*value) return std::nullopt;
  return std::string(value);
}

bool envFlag(const char* name) {
  auto value = envText(name);
  return value && *value != "0" && *value != "false" && *value != "no" && *value != "off";
}

std::optional<double> envNumber(const char* name) {
  auto value = envText(name);
  if (!value) return std::nullopt;
  char* end = nullptr;
  double number = std::strtod(value->c_str(), &end);
  if (end == value->c_str() || *end) {
    logWarning("{}={} is not a number and is ignored.", name, *value);
    return std::nullopt;
  }
  return number;
}

} // namespace basanite::base
