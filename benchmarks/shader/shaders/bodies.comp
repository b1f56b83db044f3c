// SPDX-License-Identifier: Apache-2.0
// The twin of the kernel of its name in kernels.metal.
#version 460
#extension GL_EXT_buffer_reference : require

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Vectors { vec4 values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Numbers { float values[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer VectorResults { vec4 values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Results { float values[]; };

layout(push_constant) uniform Push { Vectors a; Numbers b; VectorResults c; uint count; } push;
layout(local_size_x = 256) in;
shared vec4 near[256];

void main() {
  uint id = gl_GlobalInvocationID.x, local = gl_LocalInvocationIndex;
  vec4 self = push.a.values[id];
  vec3 force = vec3(0.0);
  for (uint tile = 0; tile < push.count; tile += 256) {
    near[local] = push.a.values[tile + local];
    barrier();
    for (uint i = 0; i < 256; ++i) {
      vec3 d = near[i].xyz - self.xyz;
      float inverse = inversesqrt(dot(d, d) + 0.01);
      force += d * (near[i].w * inverse * inverse * inverse);
    }
    barrier();
  }
  push.c.values[id] = vec4(force, self.w);
}
