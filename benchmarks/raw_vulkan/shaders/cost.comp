// SPDX-License-Identifier: Apache-2.0
// Burns a given number of iterations a thread.
#version 460
#extension GL_EXT_buffer_reference : require

layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Results { float values[]; };

layout(push_constant) uniform Push {
  uint iterations;
  float scale;
  Results results;
} cost;

layout(local_size_x = 256) in;

void main() {
  uint id = gl_GlobalInvocationID.x;
  float value = float(id) * 0.001;
  for (uint i = 0; i < cost.iterations; ++i)
    value = fma(value, 0.999, cost.scale) - value * value * 0.001;
  cost.results.values[id] = value;
}
