// SPDX-License-Identifier: Apache-2.0
// Functions over the threads of a simdgroup and of a quad. A simdgroup is a subgroup of the device: its width is
// threads_per_simdgroup. Quad functions are written over the simdgroup's, active threads only.
#pragma clang system_header

namespace metal {

template <class T> struct $simd {
  static_assert($never<T>, "functions of simdgroups and quads take integers, half, bfloat, float and their vectors");
};
#define $SIMD_VALUES(T, V, s)                                                                                \
  static $inline V in(T x) { return $native_of(x); }                                                         \
  static V shuffle(V, ushort) __asm("air.simd_shuffle." s);                                                  \
  static V quad_shuffle(V, ushort) __asm("air.quad_shuffle." s);                                             \
  static V shuffle_xor(V, ushort) __asm("air.simd_shuffle_xor." s);                                          \
  static V shuffle_up(V, ushort) __asm("air.simd_shuffle_up." s);                                            \
  static V shuffle_down(V, ushort) __asm("air.simd_shuffle_down." s);                                        \
  static V broadcast(V, ushort) __asm("air.simd_broadcast." s);                                              \
  static V broadcast_first(V) __asm("air.simd_broadcast_first." s);
#define $SIMD_ARITHMETIC(V, sign, s)                                                                         \
  static V sum(V) __asm("air.simd_sum." sign s);                                                             \
  static V product(V) __asm("air.simd_product." sign s);                                                     \
  static V min(V) __asm("air.simd_min." sign s);                                                             \
  static V max(V) __asm("air.simd_max." sign s);                                                             \
  static V prefix_inclusive_sum(V) __asm("air.simd_prefix_inclusive_sum." sign s);                           \
  static V prefix_exclusive_sum(V) __asm("air.simd_prefix_exclusive_sum." sign s);                           \
  static V prefix_inclusive_product(V) __asm("air.simd_prefix_inclusive_product." sign s);                   \
  static V prefix_exclusive_product(V) __asm("air.simd_prefix_exclusive_product." sign s);
#define $SIMD_BITS(V, sign, s)                                                                               \
  static V and_(V) __asm("air.simd_and." sign s);                                                            \
  static V or_(V) __asm("air.simd_or." sign s);                                                              \
  static V xor_(V) __asm("air.simd_xor." sign s);
template <class T> $inline constexpr T $native_of(T x) { return x; }
template <class T, int N> $inline constexpr $native<T, N> $native_of(vec<T, N> x) { return x.$v; }
template <class T> struct $maker {
  static $inline T make(T x) { return x; }
};
template <class T, int N> struct $maker<vec<T, N>> {
  static $inline vec<T, N> make($native<T, N> x) { return vec<T, N>($raw(), x); }
};

#define $SIMD_OF(T, V, sign, s, BITS)                                                                        \
  template <> struct $simd<T> {                                                                              \
    $SIMD_VALUES(T, V, s)                                                                                    \
    $SIMD_ARITHMETIC(V, sign, s)                                                                             \
    BITS(V, sign, s)                                                                                         \
  };
#define $NO_BITS(V, sign, s)
#define $SIMD_TYPE(T, sign, s, BITS)                                                                         \
  $SIMD_OF(T, T, sign, s, BITS)                                                                              \
  $SIMD_OF(T##2, $native2<T>, sign, "v2" s, BITS)                                                     \
  $SIMD_OF(T##3, $native3<T>, sign, "v3" s, BITS)                                                     \
  $SIMD_OF(T##4, $native4<T>, sign, "v4" s, BITS)
$SIMD_TYPE(float, "", "f32", $NO_BITS)
$SIMD_TYPE(half, "", "f16", $NO_BITS)
$SIMD_TYPE(int, "s.", "i32", $SIMD_BITS)
$SIMD_TYPE(uint, "u.", "i32", $SIMD_BITS)
$SIMD_TYPE(short, "s.", "i16", $SIMD_BITS)
$SIMD_TYPE(ushort, "u.", "i16", $SIMD_BITS)
$SIMD_TYPE(char, "s.", "i8", $SIMD_BITS)
$SIMD_TYPE(uchar, "u.", "i8", $SIMD_BITS)
$SIMD_TYPE(long, "s.", "i64", $SIMD_BITS)
$SIMD_TYPE(ulong, "u.", "i64", $SIMD_BITS)
#undef $SIMD_TYPE
#undef $NO_BITS
#undef $SIMD_OF
#undef $SIMD_BITS
#undef $SIMD_ARITHMETIC
#undef $SIMD_VALUES

template <> struct $simd<signed char> : $simd<char> {}; // int8_t, which is a type besides char

// bfloat travels as its bits and is summed as float.
template <class T, class Bits, class Wide> struct $simd_bfloat {
  typedef $simd<Bits> B;
  typedef $simd<Wide> W;
  static $inline T in(T x) { return x; }
  static $inline Wide wide(T x) { return Wide(x); }
#define $AS_BITS(name) \
  static $inline T name(T x, ushort n) { return as_type<T>($maker<Bits>::make(B::name(B::in(as_type<Bits>(x)), n))); }
  $AS_BITS(shuffle)
  $AS_BITS(shuffle_xor)
  $AS_BITS(shuffle_up)
  $AS_BITS(shuffle_down)
  $AS_BITS(broadcast)
#undef $AS_BITS
  static $inline T broadcast_first(T x) { return as_type<T>($maker<Bits>::make(B::broadcast_first(B::in(as_type<Bits>(x))))); }
#define $AS_WIDE(name) \
  static $inline T name(T x) { return T($maker<Wide>::make(W::name(W::in(wide(x))))); }
  $AS_WIDE(sum)
  $AS_WIDE(product)
  $AS_WIDE(min)
  $AS_WIDE(max)
  $AS_WIDE(prefix_inclusive_sum)
  $AS_WIDE(prefix_exclusive_sum)
  $AS_WIDE(prefix_inclusive_product)
  $AS_WIDE(prefix_exclusive_product)
#undef $AS_WIDE
};
template <> struct $simd<bfloat> : $simd_bfloat<bfloat, ushort, float> {};
template <> struct $simd<bfloat2> : $simd_bfloat<bfloat2, ushort2, float2> {};
template <> struct $simd<bfloat3> : $simd_bfloat<bfloat3, ushort3, float3> {};
template <> struct $simd<bfloat4> : $simd_bfloat<bfloat4, ushort4, float4> {};
// Their functions give the type itself.
template <int N> struct $maker<vec<bfloat, N>> {
  static $inline vec<bfloat, N> make(vec<bfloat, N> x) { return x; }
};

#define $SIMD1(name, op)                                                                                     \
  template <class T> $inline T simd_##name(T x) { return $maker<T>::make($simd<T>::op($simd<T>::in(x))); }
#define $SIMD2(name)                                                                                         \
  template <class T> $inline T simd_##name(T x, ushort n) { return $maker<T>::make($simd<T>::name($simd<T>::in(x), n)); }
$SIMD1(sum, sum)
$SIMD1(product, product)
$SIMD1(min, min)
$SIMD1(max, max)
$SIMD1(and, and_)
$SIMD1(or, or_)
$SIMD1(xor, xor_)
$SIMD1(prefix_inclusive_sum, prefix_inclusive_sum)
$SIMD1(prefix_exclusive_sum, prefix_exclusive_sum)
$SIMD1(prefix_inclusive_product, prefix_inclusive_product)
$SIMD1(prefix_exclusive_product, prefix_exclusive_product)
$SIMD1(broadcast_first, broadcast_first)
$SIMD2(broadcast)
$SIMD2(shuffle)
$SIMD2(shuffle_xor)
$SIMD2(shuffle_up)
$SIMD2(shuffle_down)
#undef $SIMD1
#undef $SIMD2

ushort $simd_size() __asm("air.get_simdgroup_size.i16");
uint $simd_lane() __asm("air.get_thread_index_in_simdgroup.i32");
bool $simd_all(bool) __asm("air.simd_all");
bool $simd_any(bool) __asm("air.simd_any");
bool $simd_is_first() __asm("air.simd_is_first");
ulong $simd_ballot(bool) __asm("air.simd_ballot.i64");

template <class T> $inline T simd_shuffle_rotate_up(T x, ushort delta) {
  return simd_shuffle(x, (ushort)(($simd_lane() - delta) & ($simd_size() - 1u)));
}
template <class T> $inline T simd_shuffle_rotate_down(T x, ushort delta) {
  return simd_shuffle(x, (ushort)(($simd_lane() + delta) & ($simd_size() - 1u)));
}
// Within runs of `modulo` threads; what would come from outside comes from the filling's matching thread.
template <class T> $inline T simd_shuffle_and_fill_up(T x, T filling, ushort delta, ushort modulo) {
  uint lane = $simd_lane(), place = lane & (modulo - 1u);
  T moved = simd_shuffle(x, (ushort)(lane - delta)), filled = simd_shuffle(filling, (ushort)(lane - delta + modulo));
  return place >= delta ? moved : filled;
}
template <class T> $inline T simd_shuffle_and_fill_up(T x, T filling, ushort delta) {
  return simd_shuffle_and_fill_up(x, filling, delta, $simd_size());
}
template <class T> $inline T simd_shuffle_and_fill_down(T x, T filling, ushort delta, ushort modulo) {
  uint lane = $simd_lane(), place = lane & (modulo - 1u);
  T moved = simd_shuffle(x, (ushort)(lane + delta)), filled = simd_shuffle(filling, (ushort)(lane + delta - modulo));
  return place + delta < modulo ? moved : filled;
}
template <class T> $inline T simd_shuffle_and_fill_down(T x, T filling, ushort delta) {
  return simd_shuffle_and_fill_down(x, filling, delta, $simd_size());
}

// A bit a thread, from the lowest.
struct simd_vote {
  typedef ulong vote_t;
  ulong $bits;
  $inline constexpr explicit simd_vote(vote_t bits = 0) : $bits(bits) {}
  $inline explicit constexpr operator vote_t() const { return $bits; }
  $inline bool all() const {
    ulong every = $simd_size() >= 64 ? ~0ul : (1ul << $simd_size()) - 1;
    return ($bits & every) == every;
  }
  $inline bool any() const { return $bits != 0; }
};
$inline bool simd_all(bool x) { return $simd_all(x); }
$inline bool simd_any(bool x) { return $simd_any(x); }
$inline bool simd_is_first() { return $simd_is_first(); }
$inline simd_vote simd_ballot(bool x) { return simd_vote($simd_ballot(x)); }
$inline simd_vote simd_active_threads_mask() { return simd_vote($simd_ballot(true)); }

// ---- quads: four neighbouring threads ----

struct quad_vote {
  typedef ushort vote_t;
  ushort $bits;
  $inline constexpr explicit quad_vote(vote_t bits = 0) : $bits(bits) {}
  $inline explicit constexpr operator vote_t() const { return $bits; }
  $inline bool all() const { return ($bits & 15) == 15; }
  $inline bool any() const { return $bits != 0; }
};
$inline uint $quad_base() { return $simd_lane() & ~3u; }
$inline uint $quad_bits(bool x) { return (uint)($simd_ballot(x) >> $quad_base()) & 15u; }
$inline quad_vote quad_ballot(bool x) { return quad_vote((ushort)$quad_bits(x)); }
$inline quad_vote quad_active_threads_mask() { return quad_ballot(true); }
$inline bool quad_all(bool x) { return $quad_bits(!x) == 0; }
$inline bool quad_any(bool x) { return $quad_bits(x) != 0; }
$inline bool quad_is_first() { return ($quad_bits(true) & ((1u << ($simd_lane() & 3)) - 1)) == 0; }

template <class T> $inline T quad_shuffle(T x, ushort lane) { return $maker<T>::make($simd<T>::quad_shuffle($simd<T>::in(x), lane)); }
template <class T> $inline T quad_broadcast(T x, ushort lane) { return quad_shuffle(x, lane); }
template <class T> $inline T quad_broadcast_first(T x) { return quad_shuffle(x, (ushort)ctz($quad_bits(true))); }
template <class T> $inline T quad_shuffle_xor(T x, ushort mask) { return quad_shuffle(x, (ushort)($simd_lane() ^ mask)); }
template <class T> $inline T quad_shuffle_up(T x, ushort delta) { return quad_shuffle(x, (ushort)($simd_lane() - delta)); }
template <class T> $inline T quad_shuffle_down(T x, ushort delta) { return quad_shuffle(x, (ushort)($simd_lane() + delta)); }
template <class T> $inline T quad_shuffle_rotate_up(T x, ushort delta) { return quad_shuffle_up(x, delta); }
template <class T> $inline T quad_shuffle_rotate_down(T x, ushort delta) { return quad_shuffle_down(x, delta); }
template <class T> $inline T quad_shuffle_and_fill_up(T x, T filling, ushort delta, ushort modulo = 4) {
  T moved = quad_shuffle_up(x, delta), filled = quad_shuffle(filling, (ushort)($simd_lane() - delta + modulo));
  return ($simd_lane() & (modulo - 1u)) >= delta ? moved : filled;
}
template <class T> $inline T quad_shuffle_and_fill_down(T x, T filling, ushort delta, ushort modulo = 4) {
  T moved = quad_shuffle_down(x, delta), filled = quad_shuffle(filling, (ushort)($simd_lane() + delta - modulo));
  return ($simd_lane() & (modulo - 1u)) + delta < modulo ? moved : filled;
}

// combine(result, other) over the active threads of the quad whose place `takes` accepts.
#define $QUAD(name, combine, takes, start)                                                                   \
  template <class T> $inline T quad_##name(T x) {                                                            \
    uint active = $quad_bits(true), own = $simd_lane() & 3;                                                  \
    T result = start;                                                                                        \
    for (uint i = 0; i < 4; ++i) {                                                                           \
      T other = quad_shuffle(x, (ushort)i);                                                                  \
      if ((active >> i & 1) && (takes)) result = combine;                                                    \
    }                                                                                                        \
    return result;                                                                                           \
  }
$QUAD(sum, T(result + other), true, T(0))
$QUAD(product, T(result * other), true, T(1))
$QUAD(min, T(metal::min(result, other)), true, x)
$QUAD(max, T(metal::max(result, other)), true, x)
$QUAD(and, T(result & other), true, x)
$QUAD(or, T(result | other), true, x)
$QUAD(xor, T(result ^ other), true, T(0))
$QUAD(prefix_inclusive_sum, T(result + other), i <= own, T(0))
$QUAD(prefix_exclusive_sum, T(result + other), i < own, T(0))
$QUAD(prefix_inclusive_product, T(result * other), i <= own, T(1))
$QUAD(prefix_exclusive_product, T(result * other), i < own, T(1))
#undef $QUAD

} // namespace metal
