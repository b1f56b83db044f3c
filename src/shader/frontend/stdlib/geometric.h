// SPDX-License-Identifier: Apache-2.0
// Geometric functions: dot is an intrinsic, the others are written out over it.
#pragma clang system_header

namespace metal {

#define $GEOMETRIC_OF(T, s, n)                                                                               \
  T $air_dot($native<T, n>, $native<T, n>) __asm("air.dot.v" #n #s);                                         \
  $inline T dot(vec<T, n> x, vec<T, n> y) { return $air_dot(x.$v, y.$v); }                                   \
  $inline T length_squared(vec<T, n> x) { return dot(x, x); }                                                \
  $inline T length(vec<T, n> x) { return sqrt(dot(x, x)); }                                                  \
  $inline T distance_squared(vec<T, n> x, vec<T, n> y) { return dot(x - y, x - y); }                         \
  $inline T distance(vec<T, n> x, vec<T, n> y) { return length(x - y); }                                     \
  $inline vec<T, n> normalize(vec<T, n> x) { return x * rsqrt(dot(x, x)); }                                  \
  $inline vec<T, n> reflect(vec<T, n> incident, vec<T, n> normal) { return incident - normal * (T(2) * dot(normal, incident)); } \
  $inline vec<T, n> refract(vec<T, n> incident, vec<T, n> normal, T eta) {                                   \
    T cosine = dot(normal, incident);                                                                        \
    T k = T(1) - eta * eta * (T(1) - cosine * cosine);                                                       \
    return k < T(0) ? vec<T, n>(T(0)) : incident * eta - normal * (eta * cosine + sqrt(k));                  \
  }                                                                                                          \
  $inline vec<T, n> faceforward(vec<T, n> normal, vec<T, n> incident, vec<T, n> reference) {                 \
    return dot(reference, incident) < T(0) ? normal : -normal;                                               \
  }
#define $GEOMETRIC(T, s)                                                                                     \
  $GEOMETRIC_OF(T, s, 2)                                                                                     \
  $GEOMETRIC_OF(T, s, 3)                                                                                     \
  $GEOMETRIC_OF(T, s, 4)                                                                                     \
  $inline vec<T, 3> cross(vec<T, 3> x, vec<T, 3> y) {                                                        \
    return vec<T, 3>($raw(), x.$v.yzx * y.$v.zxy - x.$v.zxy * y.$v.yzx);                                     \
  }
$GEOMETRIC(float, f32)
$GEOMETRIC(half, f16)
#undef $GEOMETRIC
#undef $GEOMETRIC_OF

#define $GEOMETRIC_FORMS(form, n)                                                                            \
  namespace form {                                                                                           \
  $inline float length(vec<float, n> x) { return form::sqrt(metal::dot(x, x)); }                             \
  $inline float distance(vec<float, n> x, vec<float, n> y) { return form::sqrt(metal::dot(x - y, x - y)); }  \
  $inline vec<float, n> normalize(vec<float, n> x) { return x * form::rsqrt(metal::dot(x, x)); }             \
  }
$GEOMETRIC_FORMS(fast, 2)
$GEOMETRIC_FORMS(fast, 3)
$GEOMETRIC_FORMS(fast, 4)
$GEOMETRIC_FORMS(precise, 2)
$GEOMETRIC_FORMS(precise, 3)
$GEOMETRIC_FORMS(precise, 4)
#undef $GEOMETRIC_FORMS

} // namespace metal
