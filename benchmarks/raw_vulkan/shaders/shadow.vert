// SPDX-License-Identifier: Apache-2.0
// Depth as the light sees it.
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

void main() { gl_Position = frame.shadowFromWorld * vec4(position, 1.0); }
