// SPDX-License-Identifier: Apache-2.0
// The twin of the kernel of its name in kernels.metal.
#version 460
#extension GL_EXT_buffer_reference : require

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Vectors { vec4 values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Numbers { float values[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer VectorResults { vec4 values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Results { float values[]; };

layout(push_constant) uniform Push { Vectors a; Numbers b; VectorResults c; uint count; } push;
layout(local_size_x = 16, local_size_y = 16) in;

void main() {
  uvec2 id = gl_GlobalInvocationID.xy;
  int n = int(push.count);
  vec4 sum = vec4(0.0);
  for (int y = -4; y <= 4; ++y) {
    int row = clamp(int(id.y) + y, 0, n - 1);
    for (int x = -4; x <= 4; ++x) {
      int column = clamp(int(id.x) + x, 0, n - 1);
      sum += push.a.values[row * n + column] * (push.b.values[x + 4] * push.b.values[y + 4]);
    }
  }
  push.c.values[id.y * uint(n) + id.x] = sum;
}
