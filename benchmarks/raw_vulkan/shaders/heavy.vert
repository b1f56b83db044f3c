// SPDX-License-Identifier: Apache-2.0
// Burns a given number of iterations a vertex and puts every triangle outside the clip volume: no fragments.
#version 460

layout(push_constant) uniform Push {
  uint iterations;
  float scale;
} cost;

void main() {
  float value = float(gl_VertexIndex) * 1e-6;
  for (uint i = 0; i < cost.iterations; ++i)
    value = fma(value, 0.999, cost.scale) - value * value * 0.001;
  gl_Position = vec4(3.0 + clamp(value, 0.0, 1.0), 3.0, 0.5, 1.0);
}
