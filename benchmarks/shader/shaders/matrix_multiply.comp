// SPDX-License-Identifier: Apache-2.0
// The twin of the kernel of its name in kernels.metal.
#version 460
#extension GL_EXT_buffer_reference : require

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Vectors { vec4 values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Numbers { float values[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer VectorResults { vec4 values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Results { float values[]; };

layout(push_constant) uniform Push { Numbers a; Numbers b; Results c; uint count; } push;
layout(local_size_x = 16, local_size_y = 16) in;
shared float tileA[16][16];
shared float tileB[16][16];

void main() {
  uvec2 id = gl_GlobalInvocationID.xy, local = gl_LocalInvocationID.xy;
  uint n = push.count;
  float sum = 0.0;
  for (uint tile = 0; tile < n; tile += 16) {
    tileA[local.y][local.x] = push.a.values[id.y * n + tile + local.x];
    tileB[local.y][local.x] = push.b.values[(tile + local.y) * n + id.x];
    barrier();
    for (uint k = 0; k < 16; ++k) sum = fma(tileA[local.y][k], tileB[k][local.x], sum);
    barrier();
  }
  push.c.values[id.y * n + id.x] = sum;
}
