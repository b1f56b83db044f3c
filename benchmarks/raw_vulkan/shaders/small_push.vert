// SPDX-License-Identifier: Apache-2.0
// A small triangle whose 64 bytes of constants are push constants.
#version 460

layout(push_constant) uniform Push {
  vec4 place; // corner and size in clip space
  vec4 color;
  vec4 tint;
  vec4 bias;
} constants;

layout(location = 0) flat out vec4 color;

void main() {
  vec2 corner = vec2(gl_VertexIndex == 1 ? 1.0 : 0.0, gl_VertexIndex == 2 ? 1.0 : 0.0);
  gl_Position = vec4(constants.place.xy + corner * constants.place.zw, 0.5, 1.0);
  color = constants.color * constants.tint + constants.bias;
}
