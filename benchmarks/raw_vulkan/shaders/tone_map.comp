// SPDX-License-Identifier: Apache-2.0
// Light to display values, one thread a pixel.
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

layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) uniform texture2D images[];
layout(set = 0, binding = 1, rgba8) writeonly uniform image2D storageImages[];

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  ivec2 size = imageSize(storageImages[picture]);
  if (any(greaterThanEqual(pixel, size))) return;
  vec3 light = texelFetch(images[radiance], pixel, 0).rgb * 0.7;
  vec3 filmic = clamp(light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14), 0.0, 1.0);
  vec3 display = mix(1.055 * pow(filmic, vec3(1.0 / 2.4)) - 0.055, 12.92 * filmic, lessThanEqual(filmic, vec3(0.0031308)));
  imageStore(storageImages[picture], pixel, vec4(display, 1.0));
}
