// SPDX-License-Identifier: Apache-2.0
// The twin of the kernel of its name in kernels.metal.
#version 460
#extension GL_EXT_buffer_reference : require

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Vectors { vec4 values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Numbers { float values[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer VectorResults { vec4 values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Results { float values[]; };

layout(push_constant) uniform Push { Vectors a; Numbers b; Results c; uint count; } push;
layout(local_size_x = 256) in;
shared float partial[256];

void main() {
  uint id = gl_GlobalInvocationID.x, local = gl_LocalInvocationIndex, threads = gl_NumWorkGroups.x * 256;
  vec4 sum = vec4(0.0);
  for (uint i = id; i < push.count / 4; i += threads) sum += push.a.values[i];
  partial[local] = sum.x + sum.y + sum.z + sum.w;
  barrier();
  for (uint step = 128; step > 0; step /= 2) {
    if (local < step) partial[local] += partial[local + step];
    barrier();
  }
  if (local == 0) push.c.values[gl_WorkGroupID.x] = partial[0];
}
