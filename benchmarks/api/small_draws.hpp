// SPDX-License-Identifier: Apache-2.0
// A pass of many small triangles, each with 64 bytes of constants: the scene of encode_draws and stamp_cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace basanite::benchmarks {

struct SmallConstants {
  float place[4]; // corner and size in clip space
  float color[4];
  float tint[4];
  float bias[4];
};
static_assert(sizeof(SmallConstants) == 64);

// Triangles side by side on a grid that covers the target.
std::vector<SmallConstants> smallConstants(uint32_t count);

// MSL: smallVertex (constants in buffer 0), smallFragment, smallSwappedFragment. The twin's GLSL of the same
// names says the same.
extern const std::string kSmallDrawsSource;

} // namespace basanite::benchmarks
