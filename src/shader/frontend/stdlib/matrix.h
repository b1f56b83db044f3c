// SPDX-License-Identifier: Apache-2.0
// metal::matrix<T, Columns, Rows>: column vectors side by side.
#pragma clang system_header

namespace metal {

template <class T, int C, int R> struct matrix;

#define $MATRIX_COMMON                                                                                       \
  typedef vec<T, R> $column;                                                                                 \
  $column columns[$COLUMNS];                                                                                 \
  constexpr matrix() = default;                                                                              \
  template <class U> $inline explicit constexpr matrix(matrix<U, $COLUMNS, R> o) {                           \
    for (int i = 0; i < $COLUMNS; ++i) columns[i] = $column(o.columns[i]);                                   \
  }                                                                                                          \
  template <class... S, class = enable_if_t<sizeof...(S) == $COLUMNS * R && (__is_convertible_to(S, T) && ...)>> \
  $inline explicit constexpr matrix(S... scalars) : columns{} {                                              \
    T list[] = {T(scalars)...};                                                                              \
    for (int i = 0; i < $COLUMNS * R; ++i) columns[i / R].$v[i % R] = list[i];                               \
  }                                                                                                          \
  $inline $column& operator[](uint i) { return columns[i]; }                                                 \
  $inline const $column& operator[](uint i) const { return columns[i]; }                                     \
  $inline matrix& operator+=(matrix b) { return *this = *this + b; }                                         \
  $inline matrix& operator-=(matrix b) { return *this = *this - b; }                                         \
  $inline matrix& operator*=(T s) { return *this = *this * s; }                                              \
  $inline matrix& operator/=(T s) { return *this = *this / s; }

#define $COLUMNS 2
template <class T, int R> struct matrix<T, 2, R> {
  $MATRIX_COMMON
  $inline constexpr matrix($column c0, $column c1) : columns{c0, c1} {}
  $inline explicit constexpr matrix(T s) : columns{} { for (int i = 0; i < 2 && i < R; ++i) columns[i].$v[i] = s; }
};
#undef $COLUMNS
#define $COLUMNS 3
template <class T, int R> struct matrix<T, 3, R> {
  $MATRIX_COMMON
  $inline constexpr matrix($column c0, $column c1, $column c2) : columns{c0, c1, c2} {}
  $inline explicit constexpr matrix(T s) : columns{} { for (int i = 0; i < 3 && i < R; ++i) columns[i].$v[i] = s; }
};
#undef $COLUMNS
#define $COLUMNS 4
template <class T, int R> struct matrix<T, 4, R> {
  $MATRIX_COMMON
  $inline constexpr matrix($column c0, $column c1, $column c2, $column c3) : columns{c0, c1, c2, c3} {}
  $inline explicit constexpr matrix(T s) : columns{} { for (int i = 0; i < 4 && i < R; ++i) columns[i].$v[i] = s; }
};
#undef $COLUMNS
#undef $MATRIX_COMMON

#define $COMMA ,
#define $MATRIX matrix<T $COMMA C $COMMA R>
#define $MATRIX_OPERATOR(op, A, B, expression)                                                               \
  template <class T, int C, int R> $inline constexpr $MATRIX operator op(A a, B b) {                         \
    $MATRIX result;                                                                                          \
    for (int i = 0; i < C; ++i) result.columns[i].$v = expression;                                           \
    return result;                                                                                           \
  }
$MATRIX_OPERATOR(+, $MATRIX, $MATRIX, a.columns[i].$v + b.columns[i].$v)
$MATRIX_OPERATOR(-, $MATRIX, $MATRIX, a.columns[i].$v - b.columns[i].$v)
$MATRIX_OPERATOR(*, $MATRIX, $as<T>, a.columns[i].$v * b)
$MATRIX_OPERATOR(*, $as<T>, $MATRIX, b.columns[i].$v * a)
$MATRIX_OPERATOR(/, $MATRIX, $as<T>, a.columns[i].$v / b)
#undef $MATRIX_OPERATOR
#undef $MATRIX
#undef $COMMA
template <class T, int C, int R> $inline constexpr matrix<T, C, R> operator-(matrix<T, C, R> a) {
  matrix<T, C, R> result;
  for (int i = 0; i < C; ++i) result.columns[i].$v = -a.columns[i].$v;
  return result;
}
template <class T, int C, int R> $inline constexpr bool operator==(matrix<T, C, R> a, matrix<T, C, R> b) {
  bool same = true;
  for (int i = 0; i < C; ++i) {
    for (int j = 0; j < R; ++j) same = same && a.columns[i].$v[j] == b.columns[i].$v[j];
  }
  return same;
}
template <class T, int C, int R> $inline constexpr bool operator!=(matrix<T, C, R> a, matrix<T, C, R> b) { return !(a == b); }
template <class T, int C, int R> $inline constexpr vec<T, R> operator*(matrix<T, C, R> m, vec<T, C> v) {
  $native<T, R> sum = m.columns[0].$v * v.$v[0];
  for (int i = 1; i < C; ++i) sum = sum + m.columns[i].$v * v.$v[i];
  return vec<T, R>($raw(), sum);
}

template <class T, int C, int R, int K> $inline constexpr matrix<T, K, R> operator*(matrix<T, C, R> a, matrix<T, K, C> b) {
  matrix<T, K, R> result;
  for (int i = 0; i < K; ++i) result.columns[i] = a * b.columns[i];
  return result;
}
template <class T, int N> $inline matrix<T, N, N>& operator*=(thread matrix<T, N, N>& a, matrix<T, N, N> b) { return a = a * b; }

// Row vector times matrix: one dot product a column.
template <class T, int C, int R> $inline constexpr vec<T, C> operator*(vec<T, R> v, matrix<T, C, R> m) {
  vec<T, C> result;
  for (int i = 0; i < C; ++i) {
    $native<T, R> product = v.$v * m.columns[i].$v;
    T sum = product[0];
    for (int j = 1; j < R; ++j) sum += product[j];
    result.$v[i] = sum;
  }
  return result;
}

template <class T, int C, int R> $inline constexpr matrix<T, R, C> transpose(matrix<T, C, R> m) {
  matrix<T, R, C> result;
  for (int i = 0; i < C; ++i) {
    for (int j = 0; j < R; ++j) result.columns[j].$v[i] = m.columns[i].$v[j];
  }
  return result;
}

template <class T> $inline constexpr T determinant(matrix<T, 2, 2> m) {
  return m.columns[0].$v.x * m.columns[1].$v.y - m.columns[1].$v.x * m.columns[0].$v.y;
}
template <class T> $inline constexpr T determinant(matrix<T, 3, 3> m) {
  $native<T, 3> a = m.columns[0].$v, b = m.columns[1].$v, c = m.columns[2].$v;
  return a.x * (b.y * c.z - c.y * b.z) - b.x * (a.y * c.z - c.y * a.z) + c.x * (a.y * b.z - b.y * a.z);
}
template <class T> $inline constexpr T determinant(matrix<T, 4, 4> m) {
  $native<T, 4> a = m.columns[0].$v, b = m.columns[1].$v, c = m.columns[2].$v, d = m.columns[3].$v;
  T s0 = a.x * b.y - b.x * a.y, s1 = a.x * c.y - c.x * a.y, s2 = a.x * d.y - d.x * a.y;
  T s3 = b.x * c.y - c.x * b.y, s4 = b.x * d.y - d.x * b.y, s5 = c.x * d.y - d.x * c.y;
  T t0 = a.z * b.w - b.z * a.w, t1 = a.z * c.w - c.z * a.w, t2 = a.z * d.w - d.z * a.w;
  T t3 = b.z * c.w - c.z * b.w, t4 = b.z * d.w - d.z * b.w, t5 = c.z * d.w - d.z * c.w;
  return s0 * t5 - s1 * t4 + s2 * t3 + s3 * t2 - s4 * t1 + s5 * t0;
}

// A row vector times a square matrix, in place.
template <class T, int N> $inline vec<T, N>& operator*=(vec<T, N>& v, matrix<T, N, N> m) { return v = v * m; }
template <class T, int C, int R> $inline matrix<T, C, R>& operator*=(matrix<T, C, R>& a, matrix<T, C, C> b) { return a = a * b; }

} // namespace metal

#define $MATRIX_NAMES(T, C)                                                                                  \
  typedef metal::matrix<T, C, 2> T##C##x2;                                                                   \
  typedef metal::matrix<T, C, 3> T##C##x3;                                                                   \
  typedef metal::matrix<T, C, 4> T##C##x4;
$MATRIX_NAMES(float, 2)
$MATRIX_NAMES(float, 3)
$MATRIX_NAMES(float, 4)
$MATRIX_NAMES(half, 2)
$MATRIX_NAMES(half, 3)
$MATRIX_NAMES(half, 4)
#undef $MATRIX_NAMES

namespace metal {
#define $METAL_NAMES(T, C) using ::T##C##x2; using ::T##C##x3; using ::T##C##x4;
$METAL_NAMES(float, 2)
$METAL_NAMES(float, 3)
$METAL_NAMES(float, 4)
$METAL_NAMES(half, 2)
$METAL_NAMES(half, 3)
$METAL_NAMES(half, 4)
#undef $METAL_NAMES
} // namespace metal

namespace simd {
using ::float2x2; using ::float2x3; using ::float2x4;
using ::float3x2; using ::float3x3; using ::float3x4;
using ::float4x2; using ::float4x3; using ::float4x4;
} // namespace simd
typedef float2x2 matrix_float2x2;
typedef float3x3 matrix_float3x3;
typedef float4x4 matrix_float4x4;
typedef float4x3 matrix_float4x3;
typedef float3x4 matrix_float3x4;
typedef float2x2 simd_float2x2;
typedef float3x3 simd_float3x3;
typedef float4x4 simd_float4x4;
