// SPDX-License-Identifier: Apache-2.0
// The twin of surface.metal.
#version 460
#extension GL_EXT_scalar_block_layout : require

const uint kLights = 8;
const float kPi = 3.14159265;

struct Light {
  vec3 position;
  float range;
  vec3 color;
  float angle;
  vec3 direction;
  uint kind;
};

layout(scalar, set = 0, binding = 0) readonly buffer Frame {
  mat4 shadowTransform;
  vec4 eye;
  vec4 ambient;
  float fogStart;
  float fogEnd;
  uint lights;
  Light light[kLights];
} frame;

layout(set = 0, binding = 1) uniform texture2D albedoMap;
layout(set = 0, binding = 2) uniform texture2D normalMap;
layout(set = 0, binding = 3) uniform texture2D materialMap;
layout(set = 0, binding = 4) uniform texture2D shadowMap;
layout(set = 0, binding = 5) uniform sampler linear;
layout(set = 0, binding = 6) uniform samplerShadow compare;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 tangent;
layout(location = 3) in vec2 uv;
layout(location = 0) out vec4 result;

float saturate(float x) { return clamp(x, 0.0, 1.0); }

float distribution(float nh, float roughness) {
  float a = roughness * roughness;
  float a2 = a * a;
  float d = nh * nh * (a2 - 1.0) + 1.0;
  return a2 / (kPi * d * d);
}

float visibility(float nl, float nv, float roughness) {
  float k = (roughness + 1.0) * (roughness + 1.0) / 8.0;
  float l = nl / (nl * (1.0 - k) + k);
  float v = nv / (nv * (1.0 - k) + k);
  return l * v;
}

vec3 fresnel(float vh, vec3 f0) { return f0 + (1.0 - f0) * pow(saturate(1.0 - vh), 5.0); }

float attenuation(Light light, vec3 world) {
  if (light.kind == 0) return 1.0;
  vec3 toLight = light.position - world;
  float distance = length(toLight);
  float fade = saturate(1.0 - pow(distance / light.range, 4.0));
  float result = fade * fade / (distance * distance + 1.0);
  if (light.kind == 2) {
    float cosine = dot(-normalize(toLight), normalize(light.direction));
    result *= smoothstep(cos(light.angle), cos(light.angle * 0.8), cosine);
  }
  return result;
}

float shadow(vec4 position) {
  vec3 place = position.xyz / position.w;
  vec2 uv = place.xy * vec2(0.5, -0.5) + 0.5;
  if (any(lessThan(uv, vec2(0.0))) || any(greaterThan(uv, vec2(1.0)))) return 1.0;
  float lit = 0.0;
  vec2 texel = 1.0 / vec2(textureSize(sampler2DShadow(shadowMap, compare), 0));
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) lit += texture(sampler2DShadow(shadowMap, compare), vec3(uv + vec2(x, y) * texel, place.z - 0.002));
  return lit / 9.0;
}

void main() {
  vec4 albedo = texture(sampler2D(albedoMap, linear), uv);
  if (albedo.a < 0.5) discard;
  vec3 material = texture(sampler2D(materialMap, linear), uv).xyz;
  vec3 n0 = normalize(normal);
  vec3 t = normalize(tangent - n0 * dot(n0, tangent));
  vec3 bump = texture(sampler2D(normalMap, linear), uv).xyz * 2.0 - 1.0;
  vec3 n = normalize(bump.x * t + bump.y * cross(n0, t) + bump.z * n0);
  vec3 v = normalize(frame.eye.xyz - world);
  float roughness = clamp(material.y, 0.05, 1.0);
  vec3 f0 = mix(vec3(0.04), albedo.rgb, material.z);
  vec3 color = frame.ambient.xyz * albedo.rgb * material.x;
  float lit = shadow(frame.shadowTransform * vec4(world, 1.0));
  for (uint i = 0; i < min(frame.lights, kLights); ++i) {
    Light light = frame.light[i];
    vec3 l = light.kind == 0 ? -normalize(light.direction) : normalize(light.position - world);
    vec3 h = normalize(l + v);
    float nl = saturate(dot(n, l)), nv = saturate(dot(n, v)) + 0.0001, nh = saturate(dot(n, h)), vh = saturate(dot(v, h));
    vec3 f = fresnel(vh, f0);
    vec3 specular = f * distribution(nh, roughness) * visibility(nl, nv, roughness) / (4.0 * nv * max(nl, 0.001));
    vec3 diffuse = (1.0 - f) * (1.0 - material.z) * albedo.rgb / kPi;
    float power = attenuation(light, world) * (i == 0 ? lit : 1.0);
    color += (diffuse + specular) * light.color * nl * power;
  }
  float fog = smoothstep(frame.fogStart, frame.fogEnd, distance(frame.eye.xyz, world));
  result = vec4(mix(color, frame.ambient.xyz, fog), albedo.a);
}
