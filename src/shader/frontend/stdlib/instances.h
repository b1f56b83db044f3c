// SPDX-License-Identifier: Apache-2.0
// Classes that most programs use, instantiated while the library is precompiled: reading one back takes a fraction of the
// time that making it from its template does.
#pragma clang system_header

namespace metal {

#define $COMPLETE(...) static_assert(sizeof(__VA_ARGS__) > 0, "complete")
#define $COMPLETE_VECTORS(T)                                                                                 \
  $COMPLETE(vec<T, 2>);                                                                                      \
  $COMPLETE(vec<T, 3>);                                                                                      \
  $COMPLETE(vec<T, 4>);
#define $COMPLETE_PACKED(T)                                                                                  \
  $COMPLETE(packed_vec<T, 2>);                                                                               \
  $COMPLETE(packed_vec<T, 3>);                                                                               \
  $COMPLETE(packed_vec<T, 4>);
#define $COMPLETE_MATRICES(T)                                                                                \
  $COMPLETE(matrix<T, 2, 2>);                                                                                \
  $COMPLETE(matrix<T, 2, 3>);                                                                                \
  $COMPLETE(matrix<T, 2, 4>);                                                                                \
  $COMPLETE(matrix<T, 3, 2>);                                                                                \
  $COMPLETE(matrix<T, 3, 3>);                                                                                \
  $COMPLETE(matrix<T, 3, 4>);                                                                                \
  $COMPLETE(matrix<T, 4, 2>);                                                                                \
  $COMPLETE(matrix<T, 4, 3>);                                                                                \
  $COMPLETE(matrix<T, 4, 4>);
#define $COMPLETE_TEXTURES(T)                                                                                \
  $COMPLETE(texture2d<T>);                                                                                   \
  $COMPLETE(texture2d<T, access::read>);                                                                     \
  $COMPLETE(texture2d<T, access::write>);                                                                    \
  $COMPLETE(texture2d<T, access::read_write>);                                                               \
  $COMPLETE(texture2d_array<T>);                                                                             \
  $COMPLETE(texture2d_array<T, access::write>);                                                              \
  $COMPLETE(texture3d<T>);                                                                                   \
  $COMPLETE(texture3d<T, access::write>);                                                                    \
  $COMPLETE(texturecube<T>);
$COMPLETE_VECTORS(bool)
$COMPLETE_VECTORS(char)
$COMPLETE_VECTORS(uchar)
$COMPLETE_VECTORS(short)
$COMPLETE_VECTORS(ushort)
$COMPLETE_VECTORS(int)
$COMPLETE_VECTORS(uint)
$COMPLETE_VECTORS(long)
$COMPLETE_VECTORS(ulong)
$COMPLETE_VECTORS(half)
$COMPLETE_VECTORS(float)
$COMPLETE_PACKED(uchar)
$COMPLETE_PACKED(short)
$COMPLETE_PACKED(ushort)
$COMPLETE_PACKED(int)
$COMPLETE_PACKED(uint)
$COMPLETE_PACKED(half)
$COMPLETE_PACKED(float)
$COMPLETE_MATRICES(half)
$COMPLETE_MATRICES(float)
$COMPLETE_TEXTURES(half)
$COMPLETE_TEXTURES(float)
$COMPLETE_TEXTURES(int)
$COMPLETE_TEXTURES(uint)
$COMPLETE(depth2d<float>);
$COMPLETE(depth2d_array<float>);
$COMPLETE(depthcube<float>);

// Members and operators that these functions use are instantiated with them. Nothing calls them.
#define $USE_COMMON(T, V)                                                                                    \
  V copy = a, sum = a + b - a * b / a, negative = -sum, filled(s);                                           \
  sum += a;                                                                                                  \
  sum -= b;                                                                                                  \
  sum *= filled;                                                                                             \
  sum /= negative;                                                                                           \
  sum = a * s + b * s;                                                                                       \
  sum.x = copy.y;                                                                                            \
  sum.y = copy.x + copy[1];                                                                                  \
  bool found = any(a < b) || any(a > b) || all(a <= b) || all(a >= b) || any(a == b) || all(a != b);         \
  sum = found ? min(a, b) : max(clamp(a, b, b), abs(sum));                                                   \
  copy.xy = sum.yx + b.xy;
#define $USE_VECTORS(T)                                                                                      \
  inline void $use(vec<T, 2> a, vec<T, 2> b, T s) {                                                          \
    $USE_COMMON(T, vec<T $COMMA 2>)                                                                          \
    sum = vec<T, 2>(s, s);                                                                                   \
  }                                                                                                          \
  inline void $use(vec<T, 3> a, vec<T, 3> b, T s) {                                                          \
    $USE_COMMON(T, vec<T $COMMA 3>)                                                                          \
    sum.z = copy.z;                                                                                          \
    sum.xyz = vec<T, 3>(s, s, s) + vec<T, 3>(copy.xy, s) + vec<T, 3>(s, copy.yz);                            \
  }                                                                                                          \
  inline void $use(vec<T, 4> a, vec<T, 4> b, T s) {                                                          \
    $USE_COMMON(T, vec<T $COMMA 4>)                                                                          \
    sum.z = copy.w;                                                                                          \
    sum.w = copy.z;                                                                                          \
    sum.xyz = copy.rgb;                                                                                      \
    sum.rgb = copy.xyz;                                                                                      \
    sum = vec<T, 4>(s, s, s, s) + vec<T, 4>(copy.xy, s, s) + vec<T, 4>(copy.xyz, s) + vec<T, 4>(copy.xy, copy.zw); \
  }
#define $COMMA ,
$USE_VECTORS(float)
$USE_VECTORS(half)
$USE_VECTORS(int)
$USE_VECTORS(uint)
#undef $COMMA
#undef $USE_VECTORS
#undef $USE_COMMON
#define $USE_CONVERSIONS(T, U, N) inline vec<T, N> $use(vec<U, N> v, T) { return vec<T, N>(v); }
#define $USE_ALL_CONVERSIONS(T, U)                                                                           \
  $USE_CONVERSIONS(T, U, 2)                                                                                  \
  $USE_CONVERSIONS(T, U, 3)                                                                                  \
  $USE_CONVERSIONS(T, U, 4)
$USE_ALL_CONVERSIONS(float, half)
$USE_ALL_CONVERSIONS(half, float)
$USE_ALL_CONVERSIONS(float, int)
$USE_ALL_CONVERSIONS(float, uint)
$USE_ALL_CONVERSIONS(int, float)
$USE_ALL_CONVERSIONS(uint, float)
#undef $USE_ALL_CONVERSIONS
#undef $USE_CONVERSIONS
inline float $use(packed_float2 a, packed_float3 b, packed_float4 c) {
  packed_float3 copy = b;
  copy = float3(copy) + float3(b);
  return float2(a).x + copy.x + copy.y + copy.z + float4(c).w;
}
inline float4 $use(float4x4 m, float3x3 n, float4 v) {
  float4x4 copy = m * m;
  return m * v + v * copy + copy[0] + float4(n * v.xyz, 1.0f);
}
inline float4 $use(texture2d<float> t, texture2d<float, access::write> w, depth2d<float> d, sampler s, float2 at) {
  w.write(t.read(uint2(at)), uint2(at));
  return t.sample(s, at) + t.sample(s, at, level(0)) + d.sample(s, at) + d.sample_compare(s, at, 0.5f) + float(t.get_width());
}
inline half4 $use(texture2d<half> t, texture2d<half, access::write> w, sampler s, float2 at) {
  w.write(t.read(uint2(at)), uint2(at));
  return t.sample(s, at);
}
inline float $use(float x, float2 a, float3 b, float4 c) {
  return mix(x, x, x) + smoothstep(x, x, x) + dot(a, a) + dot(b, b) + dot(c, c) + length(normalize(a)) + length(normalize(b)) +
         length(normalize(c)) + cross(b, b).x + reflect(b, b).x + mix(b, b, x).x + mix(c, c, x).x + mix(b, b, b).x + saturate(b).x +
         saturate(x) + distance(b, b) + pow(b, b).x + sqrt(b).x + fract(a).x + floor(a).x + step(x, x) + min(x, x) + max(x, x) +
         clamp(x, x, x) + abs(x) + pow(x, x) + sin(x) + cos(x) + sqrt(x) + exp(x) + fract(x) + floor(x);
}
#undef $COMPLETE_TEXTURES
#undef $COMPLETE_MATRICES
#undef $COMPLETE_PACKED
#undef $COMPLETE_VECTORS
#undef $COMPLETE

} // namespace metal
