// SPDX-License-Identifier: Apache-2.0
// Vectors and matrices with the layout of the Metal shading language's float4 and float4x4.
#pragma once

#include <cmath>

namespace examples::stage_timings {

struct Float3 {
  float x = 0, y = 0, z = 0;
};

inline Float3 operator+(Float3 a, Float3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Float3 operator-(Float3 a, Float3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Float3 operator*(Float3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
inline float dot(Float3 a, Float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Float3 cross(Float3 a, Float3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// The vector itself when it has no length.
inline Float3 normalized(Float3 a) {
  const float length = std::sqrt(dot(a, a));
  return length > 0 ? a * (1 / length) : a;
}

struct alignas(16) Float4 {
  float x = 0, y = 0, z = 0, w = 0;

  Float4() = default;
  Float4(float x, float y, float z, float w) : x(x), y(y), z(z), w(w) {}
  Float4(Float3 xyz, float w) : x(xyz.x), y(xyz.y), z(xyz.z), w(w) {}
};

inline Float4 operator*(Float4 a, float s) { return {a.x * s, a.y * s, a.z * s, a.w * s}; }
inline Float4 operator+(Float4 a, Float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }

// Four columns; a point is a column to the right of the matrix.
struct Float4x4 {
  Float4 columns[4];
};

inline Float4 operator*(const Float4x4& m, Float4 v) {
  return m.columns[0] * v.x + m.columns[1] * v.y + m.columns[2] * v.z + m.columns[3] * v.w;
}
inline Float4x4 operator*(const Float4x4& a, const Float4x4& b) {
  return {{a * b.columns[0], a * b.columns[1], a * b.columns[2], a * b.columns[3]}};
}

// The axes of a viewer: right-handed, looking along `forward`.
struct ViewAxes {
  Float3 right, up, forward;
};

inline ViewAxes viewAxes(Float3 eye, Float3 target) {
  const Float3 forward = normalized(target - eye);
  const Float3 right = normalized(cross(forward, {0, 1, 0}));
  return {right, cross(right, forward), forward};
}

// World to view; the viewer looks along -z.
inline Float4x4 viewMatrix(Float3 eye, const ViewAxes& axes) {
  const auto [r, u, f] = axes;
  return {{{r.x, u.x, -f.x, 0},
           {r.y, u.y, -f.y, 0},
           {r.z, u.z, -f.z, 0},
           {-dot(r, eye), -dot(u, eye), dot(f, eye), 1}}};
}

// View to clip space with Metal's depth range: 0 at `nearZ`, 1 at `farZ`.
inline Float4x4 perspectiveMatrix(float tanHalfFovY, float aspect, float nearZ, float farZ) {
  const float y = 1 / tanHalfFovY;
  const float z = farZ / (nearZ - farZ);
  return {{{y / aspect, 0, 0, 0}, {0, y, 0, 0}, {0, 0, z, -1}, {0, 0, z * nearZ, 0}}};
}

inline Float4x4 orthographicMatrix(float halfWidth, float halfHeight, float nearZ, float farZ) {
  const float z = 1 / (nearZ - farZ);
  return {{{1 / halfWidth, 0, 0, 0}, {0, 1 / halfHeight, 0, 0}, {0, 0, z, 0}, {0, 0, z * nearZ, 1}}};
}

} // namespace examples::stage_timings
