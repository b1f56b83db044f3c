// SPDX-License-Identifier: Apache-2.0
// bfloat: the upper half of a float. Arithmetic is that of float, rounded to nearest even after each operation.
#pragma clang system_header

// The nearest bfloat's bits; NaN stays one.
$inline constexpr ushort $bfloat_bits(float x) {
  uint bits = __builtin_bit_cast(uint, x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (ushort)(bits >> 16 | 0x40u);
  return (ushort)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
$inline constexpr float $bfloat_value(ushort bits) { return __builtin_bit_cast(float, (uint)bits << 16); }

// An integer as a float that rounds to bfloat as the integer does: 13 bits at least, the last one set where bits below it are.
template <class I> $inline constexpr float $bfloat_source(I x) {
  if constexpr (sizeof(I) <= 2) {
    return float(x);
  } else {
    ulong size = x < I(0) ? -(ulong)x : (ulong)x;
    if (size >> 24 == 0) return float(x);
    int shift = size >> 60 ? 40 : size >> 48 ? 36 : size >> 36 ? 24 : 12;
    float kept = float((uint)(size >> shift) | (uint)((size & ((1ul << shift) - 1)) != 0)) * float(1ul << shift);
    return x < I(0) ? -kept : kept;
  }
}

// What an operation of a bfloat and another scalar gives: integers become bfloat, the floating-point types win.
struct bfloat;
template <class U, bool Integer = __is_integral(U)> struct $bfloat_and {};
template <class U> struct $bfloat_and<U, true> { typedef bfloat type; };
template <> struct $bfloat_and<float, false> { typedef float type; };
template <> struct $bfloat_and<half, false> { typedef float type; };
template <class U> using $with_bfloat = typename $bfloat_and<metal::remove_cv_t<U>>::type;

struct bfloat {
  ushort $b;
  bfloat() = default;
  $inline constexpr bfloat(float x) : $b($bfloat_bits(x)) {}
  template <class I, class = metal::enable_if_t<__is_integral(I) && !__is_same(I, bool)>>
  $inline constexpr bfloat(I x) : $b($bfloat_bits($bfloat_source(x))) {}
  $inline constexpr operator float() const { return $bfloat_value($b); }
#define $BFLOAT_OP(op)                                                                                       \
  friend $inline constexpr bfloat operator op(bfloat a, bfloat b) { return bfloat(float(a) op float(b)); }   \
  template <class U> friend $inline constexpr $with_bfloat<U> operator op(bfloat a, U b) { return float(a) op float(b); } \
  template <class U> friend $inline constexpr $with_bfloat<U> operator op(U a, bfloat b) { return float(a) op float(b); } \
  $inline bfloat& operator op##=(float b) { return *this = bfloat(float(*this) op b); }
  $BFLOAT_OP(+)
  $BFLOAT_OP(-)
  $BFLOAT_OP(*)
  $BFLOAT_OP(/)
#undef $BFLOAT_OP
  friend $inline constexpr bfloat operator-(bfloat a) { return bfloat(-float(a)); }
};

namespace metal {

using ::bfloat;
template <> struct $stored<bfloat> { typedef ushort type; };
template <> struct _numeric_limits_impl<bfloat> {
  static constexpr const bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false, is_iec559 = false;
  static constexpr const bool has_infinity = true, has_quiet_NaN = true;
  static constexpr const int digits = 8, digits10 = 2, radix = 2, max_exponent = 128, min_exponent = -125;
  static constexpr bfloat min() { return bfloat(0x1.0p-126f); }
  static constexpr bfloat lowest() { return bfloat(-0x1.fep+127f); }
  static constexpr bfloat max() { return bfloat(0x1.fep+127f); }
  static constexpr bfloat epsilon() { return bfloat(0x1.0p-7f); }
  static constexpr bfloat infinity() { return bfloat(__builtin_inff()); }
  static constexpr bfloat quiet_NaN() { return bfloat(__builtin_nanf("")); }
};
template <> struct is_floating_point<bfloat> : true_type {};
template <> struct is_arithmetic<bfloat> : true_type {};
template <> struct is_signed<bfloat> : true_type {};

template <int N> $inline constexpr $native<float, N> $widened($native<ushort, N> v) {
  return __builtin_bit_cast($native<float, N>, __builtin_convertvector(v, $native<uint, N>) << 16);
}
template <int N> $inline constexpr $native<ushort, N> $narrowed($native<float, N> v) {
  $native<ushort, N> result;
  for (int i = 0; i < N; ++i) result[i] = $bfloat_bits(v[i]);
  return result;
}
template <class To, int N> struct $converter<To, bfloat, N> {
  static $inline constexpr $native<To, N> run($native<ushort, N> v) { return __builtin_convertvector($widened<N>(v), $native<To, N>); }
};
template <class From, int N> struct $converter<bfloat, From, N> {
  static $inline constexpr $native<ushort, N> run($native<From, N> v) {
    if constexpr (__is_integral(From) && sizeof(From) > 2) {
      $native<float, N> sources;
      for (int i = 0; i < N; ++i) sources[i] = $bfloat_source<From>(v[i]);
      return $narrowed<N>(sources);
    } else {
      return $narrowed<N>(__builtin_convertvector(v, $native<float, N>));
    }
  }
};
template <int N> struct $converter<bfloat, bfloat, N> {
  static $inline constexpr $native<ushort, N> run($native<ushort, N> v) { return v; }
};
template <int N> struct $converter<bool, bfloat, N> {
  static $inline constexpr $native<bool, N> run($native<ushort, N> v) { return __builtin_convertvector((v & (ushort)0x7fff) != (ushort)0, $native<bool, N>) & (uchar)1; }
};

#define $BFLOAT_ARITHMETIC(op)                                                                               \
  friend $inline constexpr vec operator op(vec a, vec b) { return vec($wide(a) op $wide(b)); }               \
  $inline vec& operator op##=(vec b) { return *this = *this op b; }
#define $BFLOAT_COMPARISON(op)                                                                               \
  friend $inline constexpr vec<bool, $LANES> operator op(vec a, vec b) { return $wide(a) op $wide(b); }
#define $BFLOAT_COMPONENT(component, colour)                                                                 \
  $inline constexpr bfloat $get_##component() const { return $one($v.component); }                           \
  $inline bfloat $put_##component(bfloat value) {                                                            \
    $v.component = value.$b;                                                                                 \
    return value;                                                                                            \
  }                                                                                                          \
  __declspec(property(get = $get_##component, put = $put_##component)) bfloat component;                     \
  __declspec(property(get = $get_##component, put = $put_##component)) bfloat colour;
#define $BFLOAT_COMMON                                                                                       \
  typedef bfloat T;                                                                                          \
  typedef $native<bfloat, $LANES> $vector;                                                                   \
  $vector $v;                                                                                                \
  vec() = default;                                                                                           \
  $inline constexpr vec($raw, $vector v) : $v(v) {}                                                          \
  $inline constexpr vec(bfloat s) : $v(($vector)s.$b) {}                                                     \
  template <class U> $inline explicit constexpr vec(vec<U, $LANES> o) : $v($converter<bfloat, U, $LANES>::run(o.$v)) {} \
  $inline constexpr $vector $load() const { return $v; }                                                     \
  $inline void $store($vector v) { $v = v; }                                                                 \
  static $inline constexpr bfloat $one(ushort bits) { return __builtin_bit_cast(bfloat, bits); }             \
  static $inline constexpr vec<float, $LANES> $wide(vec a) { return vec<float, $LANES>($raw(), $widened<$LANES>(a.$v)); } \
  $inline constexpr bfloat operator[](uint i) const { return $one($v[i]); }                                  \
  $inline bfloat& operator[](uint i) { return ((bfloat*)&$v)[i]; }                                           \
  $BFLOAT_ARITHMETIC(+)                                                                                      \
  $BFLOAT_ARITHMETIC(-)                                                                                      \
  $BFLOAT_ARITHMETIC(*)                                                                                      \
  $BFLOAT_ARITHMETIC(/)                                                                                      \
  $BFLOAT_COMPARISON(==)                                                                                     \
  $BFLOAT_COMPARISON(!=)                                                                                     \
  $BFLOAT_COMPARISON(<)                                                                                      \
  $BFLOAT_COMPARISON(>)                                                                                      \
  $BFLOAT_COMPARISON(<=)                                                                                     \
  $BFLOAT_COMPARISON(>=)                                                                                     \
  friend $inline constexpr vec operator-(vec a) { return vec(-$wide(a)); }

// No swizzles but those that code reads most: the others are reached through float vectors.
#define $BFLOAT_PART(components, colours, count)                                                             \
  $inline constexpr vec<bfloat, count> $get_##components() const { return vec<bfloat, count>($raw(), $v.components); } \
  $inline vec<bfloat, count> $put_##components(vec<bfloat, count> value) {                                   \
    $v.components = value.$v;                                                                                \
    return value;                                                                                            \
  }                                                                                                          \
  __declspec(property(get = $get_##components, put = $put_##components)) vec<bfloat, count> components;      \
  __declspec(property(get = $get_##components, put = $put_##components)) vec<bfloat, count> colours;
#define $LANES 2
template <> struct vec<bfloat, 2> {
  $BFLOAT_COMMON
  $inline constexpr vec(bfloat x, bfloat y) : $v{x.$b, y.$b} {}
  $BFLOAT_COMPONENT(x, r)
  $BFLOAT_COMPONENT(y, g)
};
#undef $LANES
#define $LANES 3
template <> struct vec<bfloat, 3> {
  $BFLOAT_COMMON
  $inline constexpr vec(bfloat x, bfloat y, bfloat z) : $v{x.$b, y.$b, z.$b} {}
  $inline constexpr vec(vec<bfloat, 2> xy, bfloat z) : $v{xy.$v, z.$b} {}
  $BFLOAT_COMPONENT(x, r)
  $BFLOAT_COMPONENT(y, g)
  $BFLOAT_COMPONENT(z, b)
  $BFLOAT_PART(xy, rg, 2)
  $BFLOAT_PART(yz, gb, 2)
};
#undef $LANES
#define $LANES 4
template <> struct vec<bfloat, 4> {
  $BFLOAT_COMMON
  $inline constexpr vec(bfloat x, bfloat y, bfloat z, bfloat w) : $v{x.$b, y.$b, z.$b, w.$b} {}
  $inline constexpr vec(vec<bfloat, 2> xy, vec<bfloat, 2> zw) : $v{xy.$v, zw.$v} {}
  $inline constexpr vec(vec<bfloat, 3> xyz, bfloat w) : $v{xyz.$v, w.$b} {}
  $BFLOAT_COMPONENT(x, r)
  $BFLOAT_COMPONENT(y, g)
  $BFLOAT_COMPONENT(z, b)
  $BFLOAT_COMPONENT(w, a)
  $BFLOAT_PART(xy, rg, 2)
  $BFLOAT_PART(zw, ba, 2)
  $BFLOAT_PART(xyz, rgb, 3)
};
#undef $LANES
#undef $BFLOAT_PART
#undef $BFLOAT_COMMON
#undef $BFLOAT_COMPONENT
#undef $BFLOAT_COMPARISON
#undef $BFLOAT_ARITHMETIC

} // namespace metal

typedef metal::vec<bfloat, 2> bfloat2;
typedef metal::vec<bfloat, 3> bfloat3;
typedef metal::vec<bfloat, 4> bfloat4;
namespace metal {
using ::bfloat2;
using ::bfloat3;
using ::bfloat4;
} // namespace metal
