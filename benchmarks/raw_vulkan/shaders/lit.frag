// SPDX-License-Identifier: Apache-2.0
// A surface under one light with a filtered shadow: 16 comparisons.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require

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

layout(set = 0, binding = 0) uniform texture2D images[];
layout(set = 0, binding = 2) uniform samplerShadow comparison;

layout(location = 0) in vec3 worldPosition;
layout(location = 1) in vec3 worldNormal;
layout(location = 2) in vec4 shadowPosition;
layout(location = 0) out vec4 color;

float visibility() {
  vec3 clip = shadowPosition.xyz / shadowPosition.w;
  vec2 center = vec2(0.5 + 0.5 * clip.x, 0.5 - 0.5 * clip.y);
  if (any(lessThan(center, vec2(0.0))) || any(greaterThan(center, vec2(1.0)))) return 1.0;
  vec2 spacing = 1.6 / vec2(textureSize(images[shadowMap], 0));
  float lit = 0.0;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x)
      lit += textureLod(sampler2DShadow(images[shadowMap], comparison),
                        vec3(center + (vec2(x, y) - 1.5) * spacing, clip.z - 0.003), 0.0);
  return lit / 16.0;
}

void main() {
  vec3 normal = normalize(worldNormal);
  vec3 view = normalize(frame.eye.xyz - worldPosition);
  vec3 sun = frame.sun.xyz;
  vec3 albedo = 0.5 + 0.4 * normal;
  float facing = clamp(dot(normal, sun), 0.0, 1.0) * visibility();
  float highlight = pow(clamp(dot(normal, normalize(view + sun)), 0.0, 1.0), 60.0);
  color = vec4(albedo * (0.25 + 2.0 * facing) + vec3(highlight * facing), 1.0);
}
