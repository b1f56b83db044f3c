// SPDX-License-Identifier: Apache-2.0
// Burns a given number of iterations a pixel.
#version 460

layout(push_constant) uniform Push {
  uint iterations;
  float scale;
} cost;

layout(location = 0) out vec4 color;

void main() {
  float value = gl_FragCoord.x * 0.001;
  for (uint i = 0; i < cost.iterations; ++i)
    value = fma(value, 0.999, cost.scale) - value * value * 0.001;
  color = vec4(value, value * 0.5, 1.0, 1.0);
}
