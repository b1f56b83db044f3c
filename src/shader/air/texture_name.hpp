// SPDX-License-Identifier: Apache-2.0
// Takes the name of a texture's type in MSL apart: "depth2d_array<float, sample>" is a two-dimensional array
// of depths.
#pragma once

#include "src/shader/compiler.hpp"

#include <optional>
#include <string_view>

namespace basanite::shader::air {

struct TextureName {
  std::string_view prefix;
  TextureType type;
  bool depth;
};

// Nothing for a name that is no texture's.
constexpr std::optional<TextureName> parseTextureName(std::string_view name) {
  // Longer names first: the first prefix that fits is taken.
  constexpr TextureName kNames[] = {
      {"texture1d_array", 1, false},    {"texture1d", 0, false},
      {"texture2d_ms_array", 8, false}, {"texture2d_ms", 4, false},
      {"texture2d_array", 3, false},    {"texture2d", 2, false},
      {"texture3d", 7, false},          {"texturecube_array", 6, false},
      {"texturecube", 5, false},        {"texture_buffer", 9, false},
      {"depth2d_ms_array", 8, true},    {"depth2d_ms", 4, true},
      {"depth2d_array", 3, true},       {"depth2d", 2, true},
      {"depthcube_array", 6, true},     {"depthcube", 5, true},
  };
  for (const TextureName& candidate : kNames)
    if (name.starts_with(candidate.prefix)) return candidate;
  return std::nullopt;
}

} // namespace basanite::shader::air
