// SPDX-License-Identifier: Apache-2.0
// Builds the scene; see the header.
#include "benchmarks/api/frame_scene.hpp"

#include <array>
#include <cmath>
#include <cstring>

namespace basanite::benchmarks {

namespace {

using Vector = std::array<float, 3>;
using Matrix = std::array<float, 16>; // column-major

constexpr float kPi = 3.14159265f;
constexpr uint32_t kSpheresPerSide = 5;
constexpr uint32_t kRings = 24, kSegments = 32;

Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
float dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector normalized(const Vector& a) {
  const float scale = 1 / std::sqrt(dot(a, a));
  return {a[0] * scale, a[1] * scale, a[2] * scale};
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix result{};
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row)
      for (int k = 0; k < 4; ++k) result[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
  return result;
}

// World to a view that looks along +z.
Matrix lookAt(const Vector& eye, const Vector& target) {
  const Vector z = normalized(target - eye), x = normalized(cross({0, 1, 0}, z)), y = cross(z, x);
  return {x[0], y[0], z[0], 0, x[1],         y[1],         z[1],         0,
          x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1};
}

Matrix perspective(float verticalAngle, float aspect, float near, float far) {
  const float scale = 1 / std::tan(verticalAngle / 2), depth = far / (far - near);
  return {scale / aspect, 0, 0, 0, 0, scale, 0, 0, 0, 0, depth, 1, 0, 0, -near * depth, 0};
}

Matrix orthographic(float halfSize, float near, float far) {
  const float depth = 1 / (far - near);
  return {1 / halfSize, 0, 0, 0, 0, 1 / halfSize, 0, 0, 0, 0, depth, 0, 0, 0, -near * depth, 1};
}

void addSphere(FrameScene& scene, const Vector& center, float radius) {
  const auto base = static_cast<uint32_t>(scene.vertices.size());
  const auto first = static_cast<uint32_t>(scene.indices.size());
  for (uint32_t ring = 0; ring <= kRings; ++ring) {
    for (uint32_t segment = 0; segment <= kSegments; ++segment) {
      const float latitude = kPi * float(ring) / kRings, longitude = 2 * kPi * float(segment) / kSegments;
      const Vector normal = {std::sin(latitude) * std::cos(longitude), std::cos(latitude),
                             std::sin(latitude) * std::sin(longitude)};
      scene.vertices.push_back(
          {{center[0] + radius * normal[0], center[1] + radius * normal[1], center[2] + radius * normal[2]},
           {normal[0], normal[1], normal[2]}});
    }
  }
  for (uint32_t ring = 0; ring < kRings; ++ring) {
    for (uint32_t segment = 0; segment < kSegments; ++segment) {
      const uint32_t a = base + ring * (kSegments + 1) + segment, b = a + kSegments + 1;
      for (uint32_t index : {a, b, a + 1, a + 1, b, b + 1}) scene.indices.push_back(index);
    }
  }
  scene.draws.push_back({first, static_cast<uint32_t>(scene.indices.size()) - first});
}

void addGround(FrameScene& scene, float halfSize) {
  const auto base = static_cast<uint32_t>(scene.vertices.size());
  const auto first = static_cast<uint32_t>(scene.indices.size());
  for (int corner = 0; corner < 4; ++corner)
    scene.vertices.push_back(
        {{corner & 1 ? halfSize : -halfSize, 0, corner & 2 ? halfSize : -halfSize}, {0, 1, 0}});
  for (uint32_t index : {0u, 1u, 2u, 2u, 1u, 3u}) scene.indices.push_back(base + index);
  scene.draws.push_back({first, 6});
}

} // namespace

FrameScene frameScene() {
  FrameScene scene;
  for (uint32_t i = 0; i < kSpheresPerSide * kSpheresPerSide; ++i) {
    const float column = float(i % kSpheresPerSide) - (kSpheresPerSide - 1) / 2.0f;
    const float row = float(i / kSpheresPerSide) - (kSpheresPerSide - 1) / 2.0f;
    addSphere(scene, {column, 0.4f + 0.1f * float(i % 3), row}, 0.4f);
  }
  addGround(scene, 6);

  const Vector eye = {3.5f, 3.5f, -5.5f}, sun = normalized({0.5f, 1, -0.3f});
  const Matrix clip =
      product(perspective(0.9f, float(kFrameWidth) / kFrameHeight, 0.1f, 40), lookAt(eye, {0, 0, 0}));
  const Matrix shadow =
      product(orthographic(5, 0, 20), lookAt({10 * sun[0], 10 * sun[1], 10 * sun[2]}, {0, 0, 0}));
  std::memcpy(scene.constants.clipFromWorld, clip.data(), sizeof clip);
  std::memcpy(scene.constants.shadowFromWorld, shadow.data(), sizeof shadow);
  for (int i = 0; i < 3; ++i) {
    scene.constants.eye[i] = eye[i];
    scene.constants.sun[i] = sun[i];
  }
  scene.constants.eye[3] = 1;
  scene.constants.sun[3] = 0;
  return scene;
}

const std::string kFrameSource = R"(
#include <metal_stdlib>
using namespace metal;

struct Frame {
  float4x4 shadowFromWorld;
  float4x4 clipFromWorld;
  float4 eye;
  float4 sun;
};

struct ShadowIn { float3 position [[attribute(0)]]; };

vertex float4 shadowVertex(ShadowIn in [[stage_in]], constant Frame& frame [[buffer(1)]]) {
  return frame.shadowFromWorld * float4(in.position, 1.0);
}

struct LitIn {
  float3 position [[attribute(0)]];
  float3 normal [[attribute(1)]];
};

struct Surface {
  float4 clipPosition [[position]];
  float3 position;
  float3 normal;
  float4 shadowPosition;
};

vertex Surface litVertex(LitIn in [[stage_in]], constant Frame& frame [[buffer(1)]]) {
  const float4 world = float4(in.position, 1.0);
  Surface out;
  out.clipPosition = frame.clipFromWorld * world;
  out.position = in.position;
  out.normal = in.normal;
  out.shadowPosition = frame.shadowFromWorld * world;
  return out;
}

float visibility(depth2d<float> shadowMap, float4 shadowPosition) {
  constexpr sampler comparison(coord::normalized, filter::linear, address::clamp_to_edge, compare_func::less_equal);
  const float3 clip = shadowPosition.xyz / shadowPosition.w;
  const float2 center = float2(0.5 + 0.5 * clip.x, 0.5 - 0.5 * clip.y);
  if (any(center < 0.0) || any(center > 1.0)) return 1.0;
  const float2 spacing = 1.6 / float2(shadowMap.get_width(), shadowMap.get_height());
  float lit = 0.0;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x)
      lit += shadowMap.sample_compare(comparison, center + (float2(x, y) - 1.5) * spacing, clip.z - 0.003, level(0));
  return lit / 16.0;
}

fragment float4 litFragment(Surface in [[stage_in]], constant Frame& frame [[buffer(1)]],
                            depth2d<float> shadowMap [[texture(0)]]) {
  const float3 normal = normalize(in.normal);
  const float3 view = normalize(frame.eye.xyz - in.position);
  const float3 sun = frame.sun.xyz;
  const float3 albedo = 0.5 + 0.4 * normal;
  const float facing = saturate(dot(normal, sun)) * visibility(shadowMap, in.shadowPosition);
  const float highlight = pow(saturate(dot(normal, normalize(view + sun))), 60.0f);
  return float4(albedo * (0.25 + 2.0 * facing) + float3(highlight * facing), 1.0);
}

kernel void toneMap(texture2d<float, access::read> radiance [[texture(0)]],
                    texture2d<float, access::write> picture [[texture(1)]],
                    uint2 pixel [[thread_position_in_grid]]) {
  if (pixel.x >= picture.get_width() || pixel.y >= picture.get_height()) return;
  const float3 light = radiance.read(pixel).rgb * 0.7;
  const float3 filmic = saturate(light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14));
  const float3 display = select(1.055 * pow(filmic, float3(1.0 / 2.4)) - 0.055, 12.92 * filmic, filmic <= 0.0031308);
  picture.write(float4(display, 1.0), pixel);
}
)";

} // namespace basanite::benchmarks
