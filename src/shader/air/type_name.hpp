// SPDX-License-Identifier: Apache-2.0
// Takes the name of a scalar or vector in MSL apart: "packed_float3" is three of "float".
#pragma once

#include <string_view>

namespace basanite::shader::air {

struct TypeName {
  std::string_view scalar; // points into the name
  unsigned lanes = 1;
};

// Says nothing of whether there is such a scalar.
constexpr TypeName parseTypeName(std::string_view name) {
  if (name.starts_with("packed_")) name.remove_prefix(7);
  if (name.empty() || name.back() < '2' || name.back() > '4') return {name, 1};
  return {name.substr(0, name.size() - 1), static_cast<unsigned>(name.back() - '0')};
}

} // namespace basanite::shader::air
