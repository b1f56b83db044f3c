// SPDX-License-Identifier: Apache-2.0
// A lit surface's vertices.
#version 460
#extension GL_EXT_buffer_reference : require

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Frame {
  mat4 shadowFromWorld;
  mat4 clipFromWorld;
  vec4 eye;
  vec4 sun; // towards the light
};

layout(push_constant) uniform Push {
  Frame frame;
  uint shadowMap; // indices into the image arrays
  uint radiance;
  uint picture;
};

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;

layout(location = 0) out vec3 worldPosition;
layout(location = 1) out vec3 worldNormal;
layout(location = 2) out vec4 shadowPosition;

void main() {
  vec4 world = vec4(position, 1.0);
  gl_Position = frame.clipFromWorld * world;
  worldPosition = position;
  worldNormal = normal;
  shadowPosition = frame.shadowFromWorld * world;
}
