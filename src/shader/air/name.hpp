// SPDX-License-Identifier: Apache-2.0
// Takes an intrinsic's name apart: "air.fast_fmax.v2f32" is family "fmax", fast, suffix {"v2f32"}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace basanite::shader::air {

struct IntrinsicName {
  std::string family;
  bool fast = false;
  std::vector<std::string> suffix; // the dot-separated parts after the family

  // Whether `part` is among the suffix parts ("s", "u", "f").
  bool has(std::string_view part) const {
    for (const std::string& candidate : suffix)
      if (candidate == part) return true;
    return false;
  }
};

inline bool isIntrinsic(std::string_view name) { return name.substr(0, 4) == "air."; }

// `name` starts with "air.".
inline IntrinsicName parseIntrinsic(std::string_view name) {
  IntrinsicName parsed;
  name.remove_prefix(4);
  if (name.substr(0, 5) == "fast_") {
    parsed.fast = true;
    name.remove_prefix(5);
  }
  std::vector<std::string> parts;
  while (true) {
    size_t dot = name.find('.');
    parts.emplace_back(name.substr(0, dot));
    if (dot == std::string_view::npos) break;
    name.remove_prefix(dot + 1);
  }
  parsed.family = parts.front();
  parsed.suffix.assign(parts.begin() + 1, parts.end());
  return parsed;
}

} // namespace basanite::shader::air
