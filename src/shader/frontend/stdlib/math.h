// SPDX-License-Identifier: Apache-2.0
// Floating-point functions over AIR's intrinsics, and the relational ones, which are plain code.
// "air.auto_" names are settled after parsing: air.fast_ or air. as the compile options say.
#pragma clang system_header

namespace metal {

#define $VECTOR1(label, name, op, T, s, n)                                                                   \
  $native<T, n> $air_##op($native<T, n>) __asm(label #op ".v" #n #s);                                        \
  $inline vec<T, n> name(vec<T, n> x) { return vec<T, n>($raw(), $air_##op(x.$v)); }
#define $FUNCTION1_OF(label, name, op, T, s)                                                                 \
  T $air_##op(T) __asm(label #op "." #s);                                                                    \
  $inline T name(T x) { return $air_##op(x); }                                                               \
  $VECTOR1(label, name, op, T, s, 2)                                                                         \
  $VECTOR1(label, name, op, T, s, 3)                                                                         \
  $VECTOR1(label, name, op, T, s, 4)
#define $VECTOR2(label, name, op, T, s, n)                                                                   \
  $native<T, n> $air_##op($native<T, n>, $native<T, n>) __asm(label #op ".v" #n #s);                         \
  $inline vec<T, n> name(vec<T, n> x, vec<T, n> y) { return vec<T, n>($raw(), $air_##op(x.$v, y.$v)); }
#define $FUNCTION2_OF(label, name, op, T, s)                                                                 \
  T $air_##op(T, T) __asm(label #op "." #s);                                                                 \
  $inline T name(T x, T y) { return $air_##op(x, y); }                                                       \
  $VECTOR2(label, name, op, T, s, 2)                                                                         \
  $VECTOR2(label, name, op, T, s, 3)                                                                         \
  $VECTOR2(label, name, op, T, s, 4)
#define $VECTOR3(label, name, op, T, s, n)                                                                   \
  $native<T, n> $air_##op($native<T, n>, $native<T, n>, $native<T, n>) __asm(label #op ".v" #n #s);          \
  $inline vec<T, n> name(vec<T, n> x, vec<T, n> y, vec<T, n> z) { return vec<T, n>($raw(), $air_##op(x.$v, y.$v, z.$v)); }
#define $FUNCTION3_OF(label, name, op, T, s)                                                                 \
  T $air_##op(T, T, T) __asm(label #op "." #s);                                                              \
  $inline T name(T x, T y, T z) { return $air_##op(x, y, z); }                                               \
  $VECTOR3(label, name, op, T, s, 2)                                                                         \
  $VECTOR3(label, name, op, T, s, 3)                                                                         \
  $VECTOR3(label, name, op, T, s, 4)

// As the options say, fast:: and precise::.
#define $FLEXIBLE(count, name, op)                                                                           \
  $FUNCTION##count##_OF("air.auto_", name, op, float, f32)                                                   \
  $FUNCTION##count##_OF("air.auto_", name, op, half, f16)                                                    \
  namespace fast {                                                                                           \
  $FUNCTION##count##_OF("air.fast_", name, op, float, f32)                                                   \
  $FUNCTION##count##_OF("air.fast_", name, op, half, f16)                                                    \
  }                                                                                                          \
  namespace precise {                                                                                        \
  $FUNCTION##count##_OF("air.", name, op, float, f32)                                                        \
  $FUNCTION##count##_OF("air.", name, op, half, f16)                                                         \
  }
// One form only.
#define $EXACT(count, name, op)                                                                              \
  $FUNCTION##count##_OF("air.", name, op, float, f32)                                                        \
  $FUNCTION##count##_OF("air.", name, op, half, f16)                                                         \
  namespace fast {                                                                                           \
  using metal::name;                                                                                         \
  }                                                                                                          \
  namespace precise {                                                                                        \
  using metal::name;                                                                                         \
  }

$FLEXIBLE(1, acos, acos)
$FLEXIBLE(1, acosh, acosh)
$FLEXIBLE(1, asin, asin)
$FLEXIBLE(1, asinh, asinh)
$FLEXIBLE(1, atan, atan)
$FLEXIBLE(1, atanh, atanh)
$FLEXIBLE(1, ceil, ceil)
$FLEXIBLE(1, cos, cos)
$FLEXIBLE(1, cosh, cosh)
$FLEXIBLE(1, cospi, cospi)
$FLEXIBLE(1, exp, exp)
$FLEXIBLE(1, exp10, exp10)
$FLEXIBLE(1, exp2, exp2)
$FLEXIBLE(1, fabs, fabs)
$FLEXIBLE(1, floor, floor)
$FLEXIBLE(1, fract, fract)
$FLEXIBLE(1, log, log)
$FLEXIBLE(1, log10, log10)
$FLEXIBLE(1, log2, log2)
$FLEXIBLE(1, rint, rint)
$FLEXIBLE(1, round, round)
$FLEXIBLE(1, rsqrt, rsqrt)
$FLEXIBLE(1, saturate, saturate)
$FLEXIBLE(1, sign, sign)
$FLEXIBLE(1, sin, sin)
$FLEXIBLE(1, sinh, sinh)
$FLEXIBLE(1, sinpi, sinpi)
$FLEXIBLE(1, sqrt, sqrt)
$FLEXIBLE(1, tan, tan)
$FLEXIBLE(1, tanh, tanh)
$FLEXIBLE(1, tanpi, tanpi)
$FLEXIBLE(1, trunc, trunc)
$FLEXIBLE(2, atan2, atan2)
$FLEXIBLE(2, divide, divide)
$FLEXIBLE(2, fmax, fmax)
$FLEXIBLE(2, fmin, fmin)
$FLEXIBLE(2, fmod, fmod)
$FLEXIBLE(2, pow, pow)
$FLEXIBLE(2, powr, powr)
$FLEXIBLE(2, step, step)
$FLEXIBLE(3, clamp, clamp)
$FLEXIBLE(3, mix, mix)
$FLEXIBLE(3, smoothstep, smoothstep)
$EXACT(2, fdim, fdim)
$EXACT(3, fma, fma)
#undef $FLEXIBLE
#undef $EXACT
#undef $FUNCTION1_OF
#undef $FUNCTION2_OF
#undef $FUNCTION3_OF
#undef $VECTOR1
#undef $VECTOR2
#undef $VECTOR3

// Names that share an intrinsic, and plain code: for a scalar T and its vectors.
#define $ALIASES(T)                                                                                          \
  $inline T abs(T x) { return fabs(x); }                                                                     \
  $inline T max(T x, T y) { return fmax(x, y); }                                                             \
  $inline T min(T x, T y) { return fmin(x, y); }                                                             \
  $inline T max3(T x, T y, T z) { return fmax(x, fmax(y, z)); }                                              \
  $inline T min3(T x, T y, T z) { return fmin(x, fmin(y, z)); }                                              \
  $inline T fmax3(T x, T y, T z) { return fmax(x, fmax(y, z)); }                                             \
  $inline T fmin3(T x, T y, T z) { return fmin(x, fmin(y, z)); }                                             \
  $inline T median3(T x, T y, T z) { return fmax(fmin(x, y), fmin(fmax(x, y), z)); }                         \
  $inline T fmedian3(T x, T y, T z) { return fmax(fmin(x, y), fmin(fmax(x, y), z)); }
$ALIASES(float)
$ALIASES(float2)
$ALIASES(float3)
$ALIASES(float4)
$ALIASES(half)
$ALIASES(half2)
$ALIASES(half3)
$ALIASES(half4)
#undef $ALIASES
namespace fast {
using metal::abs;
using metal::max;
using metal::min;
} // namespace fast
namespace precise {
#define $ALIASES(T)                                                                                          \
  $inline T abs(T x) { return precise::fabs(x); }                                                                     \
  $inline T max(T x, T y) { return precise::fmax(x, y); }                                                             \
  $inline T min(T x, T y) { return precise::fmin(x, y); }
$ALIASES(float)
$ALIASES(float2)
$ALIASES(float3)
$ALIASES(float4)
#undef $ALIASES
} // namespace precise

// In each namespace by its own sine and cosine.
#define $SINCOS(form, T)                                                                                     \
  $inline T sincos(T x, thread T& cosine) {                                                                  \
    cosine = form::cos(x);                                                                                   \
    return form::sin(x);                                                                                     \
  }
#define $SINCOS_FORM(form)                                                                                   \
  $SINCOS(form, float)                                                                                       \
  $SINCOS(form, float2)                                                                                      \
  $SINCOS(form, float3)                                                                                      \
  $SINCOS(form, float4)                                                                                      \
  $SINCOS(form, half)                                                                                        \
  $SINCOS(form, half2)                                                                                       \
  $SINCOS(form, half3)                                                                                       \
  $SINCOS(form, half4)
$SINCOS_FORM(metal)
namespace fast {
$SINCOS_FORM(fast)
}
namespace precise {
$SINCOS_FORM(precise)
}
#undef $SINCOS_FORM
#undef $SINCOS

// ---- relational: on the bits, so that fast-math assumptions do not fold them away ----

template <class T> struct $bits;
template <> struct $bits<float> {
  typedef uint type;
  static constexpr const uint sign = 0x80000000u, infinity = 0x7f800000u, smallest = 0x00800000u, mantissa = 23;
};
template <> struct $bits<half> {
  typedef ushort type;
  static constexpr const ushort sign = 0x8000, infinity = 0x7c00, smallest = 0x0400, mantissa = 10;
};

#define $RELATIONAL_OF(T, n)                                                                                 \
  $inline $native<$bits<T>::type, n> $magnitude(vec<T, n> x) {                                               \
    return __builtin_bit_cast($native<$bits<T>::type, n>, x.$v) & ($bits<T>::type)~$bits<T>::sign;           \
  }                                                                                                          \
  $inline vec<bool, n> isnan(vec<T, n> x) { return $boolsOf<n>($magnitude(x) > $bits<T>::infinity); }        \
  $inline vec<bool, n> isinf(vec<T, n> x) { return $boolsOf<n>($magnitude(x) == $bits<T>::infinity); }       \
  $inline vec<bool, n> isfinite(vec<T, n> x) { return $boolsOf<n>($magnitude(x) < $bits<T>::infinity); }     \
  $inline vec<bool, n> isnormal(vec<T, n> x) {                                                               \
    return $boolsOf<n>(($magnitude(x) < $bits<T>::infinity) & ($magnitude(x) >= $bits<T>::smallest));        \
  }                                                                                                          \
  $inline vec<bool, n> signbit(vec<T, n> x) {                                                                \
    return $boolsOf<n>((__builtin_bit_cast($native<$bits<T>::type, n>, x.$v) & $bits<T>::sign) != ($bits<T>::type)0); \
  }                                                                                                          \
  $inline vec<bool, n> isordered(vec<T, n> x, vec<T, n> y) { return !(isnan(x) | isnan(y)); }                \
  $inline vec<bool, n> isunordered(vec<T, n> x, vec<T, n> y) { return isnan(x) | isnan(y); }                 \
  $inline vec<T, n> copysign(vec<T, n> x, vec<T, n> y) {                                                     \
    $native<$bits<T>::type, n> s = __builtin_bit_cast($native<$bits<T>::type, n>, y.$v) & $bits<T>::sign;    \
    return vec<T, n>($raw(), __builtin_bit_cast($native<T, n>, $magnitude(x) | s));                          \
  }
#define $RELATIONAL(T)                                                                                       \
  $inline $bits<T>::type $magnitude(T x) { return as_type<$bits<T>::type>(x) & ($bits<T>::type)~$bits<T>::sign; } \
  $inline bool isnan(T x) { return $magnitude(x) > $bits<T>::infinity; }                                     \
  $inline bool isinf(T x) { return $magnitude(x) == $bits<T>::infinity; }                                    \
  $inline bool isfinite(T x) { return $magnitude(x) < $bits<T>::infinity; }                                  \
  $inline bool isnormal(T x) { return $magnitude(x) < $bits<T>::infinity && $magnitude(x) >= $bits<T>::smallest; } \
  $inline bool signbit(T x) { return (as_type<$bits<T>::type>(x) & $bits<T>::sign) != 0; }                   \
  $inline bool isordered(T x, T y) { return !(isnan(x) || isnan(y)); }                                       \
  $inline bool isunordered(T x, T y) { return isnan(x) || isnan(y); }                                        \
  $inline T copysign(T x, T y) {                                                                             \
    return as_type<T>(($bits<T>::type)($magnitude(x) | (as_type<$bits<T>::type>(y) & $bits<T>::sign)));      \
  }                                                                                                          \
  $RELATIONAL_OF(T, 2)                                                                                       \
  $RELATIONAL_OF(T, 3)                                                                                       \
  $RELATIONAL_OF(T, 4)
$RELATIONAL(float)
$RELATIONAL(half)
#undef $RELATIONAL
#undef $RELATIONAL_OF

// Denormals count as zeros of their sign, as Metal allows and as drivers take them that make a float's magnitude of
// `bits & 0x7fffffff`: fields are looked at one by one.
struct $number {
  int exponent; // the field: 1 to 254
  uint significand, sign;
};
$inline $number $numberOf(float x) {
  uint bits = as_type<uint>(x);
  return {(int)(bits >> 23 & 0xffu), bits & 0x7fffffu, bits & 0x80000000u};
}

// x * 2^k, rounded once: what lies below the normal numbers is made from 2^64 times it.
$inline float ldexp(float x, int k) {
  $number n = $numberOf(x);
  uint sign = n.sign;
  if (n.exponent == 255) return x;
  if (n.exponent == 0) return as_type<float>(sign);
  int exponent = n.exponent + (k < -1000 ? -1000 : k > 1000 ? 1000 : k);
  if (exponent >= 255) return as_type<float>(sign | 0x7f800000u);
  if (exponent > 0) return as_type<float>(sign | (uint)exponent << 23 | n.significand);
  return as_type<float>(sign | (uint)((exponent < -60 ? -60 : exponent) + 64) << 23 | n.significand) * 0x1p-64f;
}
$inline half ldexp(half x, int k) { return half(ldexp(float(x), k)); }
// Mantissa in [0.5, 1) and exponent; zero, infinity and NaN come back as they are with exponent 0.
$inline float frexp(float x, thread int& exponent) {
  exponent = 0;
  $number n = $numberOf(x);
  if (n.exponent == 255) return x;
  if (n.exponent == 0) return as_type<float>(n.sign);
  exponent = n.exponent - 126;
  return as_type<float>(n.sign | 0x3f000000u | n.significand);
}
$inline half frexp(half x, thread int& exponent) { return half(frexp(float(x), exponent)); }
$inline int ilogb(float x) {
  int exponent = $numberOf(x).exponent;
  return exponent == 0 ? FP_ILOGB0 : exponent == 255 ? FP_ILOGBNAN : exponent - 127;
}
$inline int ilogb(half x) { return ilogb(float(x)); }
// The neighbour of x on the side of y.
$inline float nextafter(float x, float y) {
  // In whole numbers, since drivers may compare denormals as zeros.
  int a = as_type<int>(x), b = as_type<int>(y);
  if (isnan(x) || isnan(y)) return x + y;
  int i = a < 0 ? (int)0x80000000u - a : a, k = b < 0 ? (int)0x80000000u - b : b;
  if (i == k) return y;
  i += i < k ? 1 : -1;
  return as_type<float>(i < 0 || (i == 0 && a < 0) ? (int)0x80000000u - i : i);
}
$inline half nextafter(half x, half y) {
  short a = as_type<short>(x);
  if (isnan(x) || isnan(y)) return x + y;
  if (x == y) return y;
  if ((a & 0x7fff) == 0) return as_type<half>((short)((as_type<short>(y) & (short)0x8000) | 1));
  return as_type<half>((short)((x < y) == (a > 0) ? a + 1 : a - 1));
}
#define $BY_COMPONENT(T, n)                                                                                  \
  $inline vec<T, n> ldexp(vec<T, n> x, vec<int, n> k) {                                                      \
    vec<T, n> result;                                                                                        \
    for (int i = 0; i < n; ++i) result.$v[i] = ldexp(T(x.$v[i]), int(k.$v[i]));                               \
    return result;                                                                                           \
  }                                                                                                          \
  $inline vec<T, n> frexp(vec<T, n> x, thread vec<int, n>& exponent) {                                       \
    vec<T, n> result;                                                                                        \
    for (int i = 0; i < n; ++i) {                                                                            \
      int one;                                                                                               \
      result.$v[i] = frexp(T(x.$v[i]), one);                                                                 \
      exponent.$v[i] = one;                                                                                  \
    }                                                                                                        \
    return result;                                                                                           \
  }                                                                                                          \
  $inline vec<int, n> ilogb(vec<T, n> x) {                                                                   \
    vec<int, n> result;                                                                                      \
    for (int i = 0; i < n; ++i) result.$v[i] = ilogb(T(x.$v[i]));                                            \
    return result;                                                                                           \
  }                                                                                                          \
  $inline vec<T, n> nextafter(vec<T, n> x, vec<T, n> y) {                                                    \
    vec<T, n> result;                                                                                        \
    for (int i = 0; i < n; ++i) result.$v[i] = nextafter(T(x.$v[i]), T(y.$v[i]));                            \
    return result;                                                                                           \
  }
$BY_COMPONENT(float, 2)
$BY_COMPONENT(float, 3)
$BY_COMPONENT(float, 4)
$BY_COMPONENT(half, 2)
$BY_COMPONENT(half, 3)
$BY_COMPONENT(half, 4)
#undef $BY_COMPONENT
// One form for both.
#define $BOTH(name)                                                                                          \
  namespace fast {                                                                                           \
  using metal::name;                                                                                         \
  }                                                                                                          \
  namespace precise {                                                                                        \
  using metal::name;                                                                                         \
  }
$BOTH(ldexp)
$BOTH(frexp)
$BOTH(ilogb)
$BOTH(copysign)
$BOTH(nextafter)
$BOTH(fmax3)
$BOTH(fmin3)
$BOTH(fmedian3)
$BOTH(max3)
$BOTH(min3)
$BOTH(median3)
#undef $BOTH

// ---- any, all, select ----

$inline bool any(bool x) { return x; }
$inline bool all(bool x) { return x; }
$inline bool any(bool2 v) { return v.x | v.y; }
$inline bool any(bool3 v) { return v.x | v.y | v.z; }
$inline bool any(bool4 v) { return v.x | v.y | v.z | v.w; }
$inline bool all(bool2 v) { return v.x & v.y; }
$inline bool all(bool3 v) { return v.x & v.y & v.z; }
$inline bool all(bool4 v) { return v.x & v.y & v.z & v.w; }

// The signed integer as wide as T: what the compiler's vector condition must be made of.
template <int Bytes> struct $signedOf;
template <> struct $signedOf<1> { typedef char type; };
template <> struct $signedOf<2> { typedef short type; };
template <> struct $signedOf<4> { typedef int type; };
template <> struct $signedOf<8> { typedef long type; };

// b where the condition holds, else a.
#define $SELECT_OF(T, n)                                                                                     \
  $inline vec<T, n> select(vec<T, n> a, vec<T, n> b, vec<bool, n> c) {                                       \
    typedef typename $signedOf<sizeof(T)>::type S;                                                           \
    return vec<T, n>($raw(), (__builtin_convertvector(c.$v, $native<S, n>) != (S)0) ? b.$v : a.$v);          \
  }                                                                                                          \
  $inline vec<T, n> select(vec<T, n> a, vec<T, n> b, bool c) { return c ? b : a; }
#define $SELECT(T)                                                                                           \
  $inline T select(T a, T b, bool c) { return c ? b : a; }                                                   \
  $SELECT_OF(T, 2)                                                                                           \
  $SELECT_OF(T, 3)                                                                                           \
  $SELECT_OF(T, 4)
$SELECT(bool)
$SELECT(char)
$SELECT(uchar)
$SELECT(short)
$SELECT(ushort)
$SELECT(int)
$SELECT(uint)
$SELECT(long)
$SELECT(ulong)
$SELECT(half)
$SELECT(float)
#undef $SELECT
#undef $SELECT_OF

// Both parts have x's sign, and infinity has no fraction.
#define $MODF(T)                                                                                             \
  $inline T modf(T x, thread T& whole) {                                                                     \
    whole = trunc(x);                                                                                        \
    return copysign(select(x - whole, T(0), isinf(x)), x);                                                   \
  }
$MODF(float)
$MODF(float2)
$MODF(float3)
$MODF(float4)
$MODF(half)
$MODF(half2)
$MODF(half3)
$MODF(half4)
#undef $MODF
namespace fast {
using metal::modf;
}
namespace precise {
using metal::modf;
}

} // namespace metal
