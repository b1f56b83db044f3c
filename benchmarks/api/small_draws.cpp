// SPDX-License-Identifier: Apache-2.0
// The scene's constants and shaders; see the header.
#include "benchmarks/api/small_draws.hpp"

#include <cmath>

namespace basanite::benchmarks {

std::vector<SmallConstants> smallConstants(uint32_t count) {
  const auto side = static_cast<uint32_t>(std::ceil(std::sqrt(double(count))));
  const float step = 2.0f / float(side);
  std::vector<SmallConstants> result(count);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t column = i % side, row = i / side;
    result[i] = {{-1 + step * float(column), -1 + step * float(row), step, step},
                 {float(column) / float(side), float(row) / float(side), 0.5f, 1},
                 {0.5f, 0.5f, 1, 1},
                 {0.25f, 0, 0, 0}};
  }
  return result;
}

const std::string kSmallDrawsSource = R"(
#include <metal_stdlib>
using namespace metal;

struct Constants {
  float4 place;
  float4 color;
  float4 tint;
  float4 bias;
};

struct Varyings {
  float4 position [[position]];
  float4 color [[flat]];
};

vertex Varyings smallVertex(uint id [[vertex_id]], constant Constants& constants [[buffer(0)]]) {
  const float2 corner = float2(id == 1 ? 1.0 : 0.0, id == 2 ? 1.0 : 0.0);
  Varyings out;
  out.position = float4(constants.place.xy + corner * constants.place.zw, 0.5, 1.0);
  out.color = constants.color * constants.tint + constants.bias;
  return out;
}

fragment float4 smallFragment(Varyings in [[stage_in]]) { return in.color; }
fragment float4 smallSwappedFragment(Varyings in [[stage_in]]) { return in.color.bgra; }
)";

} // namespace basanite::benchmarks
