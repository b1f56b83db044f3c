// SPDX-License-Identifier: Apache-2.0
// A lit, shadowed surface in about a hundred lines: what benchmarks/shader/front_end compiles.
#include <metal_stdlib>
using namespace metal;

constant uint kLights = 8;
constant float kPi = 3.14159265f;

struct Light {
  packed_float3 position;
  float range;
  packed_float3 color;
  float angle;
  packed_float3 direction;
  uint kind;
};

struct Frame {
  float4x4 shadowTransform;
  float3 eye;
  float3 ambient;
  float fogStart;
  float fogEnd;
  uint lights;
  Light light[kLights];
};

struct Fragment {
  float4 position [[position]];
  float3 world;
  float3 normal;
  float3 tangent;
  float2 uv;
};

static float distribution(float nh, float roughness) {
  float a = roughness * roughness;
  float a2 = a * a;
  float d = nh * nh * (a2 - 1.0f) + 1.0f;
  return a2 / (kPi * d * d);
}

static float visibility(float nl, float nv, float roughness) {
  float k = (roughness + 1.0f) * (roughness + 1.0f) / 8.0f;
  float l = nl / (nl * (1.0f - k) + k);
  float v = nv / (nv * (1.0f - k) + k);
  return l * v;
}

static float3 fresnel(float vh, float3 f0) { return f0 + (1.0f - f0) * pow(saturate(1.0f - vh), 5.0f); }

static float attenuation(Light light, float3 world) {
  if (light.kind == 0) return 1.0f;
  float3 toLight = float3(light.position) - world;
  float distance = length(toLight);
  float fade = saturate(1.0f - pow(distance / light.range, 4.0f));
  float result = fade * fade / (distance * distance + 1.0f);
  if (light.kind == 2) {
    float cosine = dot(-normalize(toLight), normalize(float3(light.direction)));
    result *= smoothstep(cos(light.angle), cos(light.angle * 0.8f), cosine);
  }
  return result;
}

static float shadow(depth2d<float> map, sampler s, float4 position) {
  float3 place = position.xyz / position.w;
  float2 uv = place.xy * float2(0.5f, -0.5f) + 0.5f;
  if (any(uv < 0.0f) || any(uv > 1.0f)) return 1.0f;
  float lit = 0.0f;
  float2 texel = 1.0f / float2(map.get_width(), map.get_height());
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) lit += map.sample_compare(s, uv + float2(x, y) * texel, place.z - 0.002f);
  return lit / 9.0f;
}

fragment float4 surface(Fragment in [[stage_in]], constant Frame& frame [[buffer(0)]],
                        texture2d<float> albedoMap [[texture(0)]], texture2d<float> normalMap [[texture(1)]],
                        texture2d<float> materialMap [[texture(2)]], depth2d<float> shadowMap [[texture(3)]],
                        sampler linear [[sampler(0)]], sampler compare [[sampler(1)]]) {
  float4 albedo = albedoMap.sample(linear, in.uv);
  if (albedo.a < 0.5f) discard_fragment();
  float3 material = materialMap.sample(linear, in.uv).xyz;
  float3 n0 = normalize(in.normal);
  float3 t = normalize(in.tangent - n0 * dot(n0, in.tangent));
  float3 bump = normalMap.sample(linear, in.uv).xyz * 2.0f - 1.0f;
  float3 n = normalize(bump.x * t + bump.y * cross(n0, t) + bump.z * n0);
  float3 v = normalize(frame.eye - in.world);
  float roughness = clamp(material.y, 0.05f, 1.0f);
  float3 f0 = mix(float3(0.04f), albedo.rgb, material.z);
  float3 color = frame.ambient * albedo.rgb * material.x;
  float lit = shadow(shadowMap, compare, frame.shadowTransform * float4(in.world, 1.0f));
  for (uint i = 0; i < min(frame.lights, kLights); ++i) {
    Light light = frame.light[i];
    float3 l = light.kind == 0 ? -normalize(float3(light.direction)) : normalize(float3(light.position) - in.world);
    float3 h = normalize(l + v);
    float nl = saturate(dot(n, l)), nv = saturate(dot(n, v)) + 0.0001f, nh = saturate(dot(n, h)), vh = saturate(dot(v, h));
    float3 f = fresnel(vh, f0);
    float3 specular = f * distribution(nh, roughness) * visibility(nl, nv, roughness) / (4.0f * nv * max(nl, 0.001f));
    float3 diffuse = (1.0f - f) * (1.0f - material.z) * albedo.rgb / kPi;
    float power = attenuation(light, in.world) * (i == 0 ? lit : 1.0f);
    color += (diffuse + specular) * float3(light.color) * nl * power;
  }
  float fog = smoothstep(frame.fogStart, frame.fogEnd, distance(frame.eye, in.world));
  return float4(mix(color, frame.ambient, fog), albedo.a);
}
