// SPDX-License-Identifier: Apache-2.0
// Integer functions over AIR's intrinsics.
#pragma clang system_header

namespace metal {

#define $INTEGER1_OF(name, label, T, s, n)                                                                   \
  $native<T, n> $air_##name($native<T, n>) __asm("air." label ".v" #n #s);                                   \
  $inline vec<T, n> name(vec<T, n> x) { return vec<T, n>($raw(), $air_##name(x.$v)); }
#define $INTEGER1(name, label, T, s)                                                                         \
  T $air_##name(T) __asm("air." label "." #s);                                                               \
  $inline T name(T x) { return $air_##name(x); }                                                             \
  $INTEGER1_OF(name, label, T, s, 2)                                                                         \
  $INTEGER1_OF(name, label, T, s, 3)                                                                         \
  $INTEGER1_OF(name, label, T, s, 4)
#define $INTEGER2_OF(name, label, T, s, n)                                                                   \
  $native<T, n> $air_##name($native<T, n>, $native<T, n>) __asm("air." label ".v" #n #s);                    \
  $inline vec<T, n> name(vec<T, n> x, vec<T, n> y) { return vec<T, n>($raw(), $air_##name(x.$v, y.$v)); }
#define $INTEGER2(name, label, T, s)                                                                         \
  T $air_##name(T, T) __asm("air." label "." #s);                                                            \
  $inline T name(T x, T y) { return $air_##name(x, y); }                                                     \
  $INTEGER2_OF(name, label, T, s, 2)                                                                         \
  $INTEGER2_OF(name, label, T, s, 3)                                                                         \
  $INTEGER2_OF(name, label, T, s, 4)
#define $INTEGER3_OF(name, label, T, s, n)                                                                   \
  $native<T, n> $air_##name($native<T, n>, $native<T, n>, $native<T, n>) __asm("air." label ".v" #n #s);     \
  $inline vec<T, n> name(vec<T, n> x, vec<T, n> y, vec<T, n> z) { return vec<T, n>($raw(), $air_##name(x.$v, y.$v, z.$v)); }
#define $INTEGER3(name, label, T, s)                                                                         \
  T $air_##name(T, T, T) __asm("air." label "." #s);                                                         \
  $inline T name(T x, T y, T z) { return $air_##name(x, y, z); }                                             \
  $INTEGER3_OF(name, label, T, s, 2)                                                                         \
  $INTEGER3_OF(name, label, T, s, 3)                                                                         \
  $INTEGER3_OF(name, label, T, s, 4)
// clz and ctz say what zero gives: the width (false: defined).
#define $INTEGER_ZERO_OF(name, T, s, n)                                                                      \
  $native<T, n> $air_##name($native<T, n>, bool) __asm("air." #name ".v" #n #s);                             \
  $inline vec<T, n> name(vec<T, n> x) { return vec<T, n>($raw(), $air_##name(x.$v, false)); }
#define $INTEGER_ZERO(name, T, s)                                                                            \
  T $air_##name(T, bool) __asm("air." #name "." #s);                                                         \
  $inline T name(T x) { return $air_##name(x, false); }                                                      \
  $INTEGER_ZERO_OF(name, T, s, 2)                                                                            \
  $INTEGER_ZERO_OF(name, T, s, 3)                                                                            \
  $INTEGER_ZERO_OF(name, T, s, 4)
#define $INTEGER_BITS_OF(label, T, s, n)                                                                     \
  $native<T, n> $air_extract_bits($native<T, n>, uint, uint) __asm("air.extract_bits." label ".v" #n #s);    \
  $inline vec<T, n> extract_bits(vec<T, n> x, uint offset, uint bits) { return vec<T, n>($raw(), $air_extract_bits(x.$v, offset, bits)); } \
  $native<T, n> $air_insert_bits($native<T, n>, $native<T, n>, uint, uint) __asm("air.insert_bits.v" #n #s); \
  $inline vec<T, n> insert_bits(vec<T, n> base, vec<T, n> insert, uint offset, uint bits) {                  \
    return vec<T, n>($raw(), $air_insert_bits(base.$v, insert.$v, offset, bits));                            \
  }
#define $INTEGER_BITS(label, T, s)                                                                           \
  T $air_extract_bits(T, uint, uint) __asm("air.extract_bits." label "." #s);                                \
  $inline T extract_bits(T x, uint offset, uint bits) { return $air_extract_bits(x, offset, bits); }         \
  T $air_insert_bits(T, T, uint, uint) __asm("air.insert_bits." #s);                                         \
  $inline T insert_bits(T base, T insert, uint offset, uint bits) { return $air_insert_bits(base, insert, offset, bits); } \
  $INTEGER_BITS_OF(label, T, s, 2)                                                                           \
  $INTEGER_BITS_OF(label, T, s, 3)                                                                           \
  $INTEGER_BITS_OF(label, T, s, 4)

// sign: "s" or "u" as the results depend on it.
#define $INTEGER(T, sign, s)                                                                                 \
  $INTEGER2(max, "max." sign, T, s)                                                                          \
  $INTEGER2(min, "min." sign, T, s)                                                                          \
  $INTEGER3(clamp, "clamp." sign, T, s)                                                                      \
  $INTEGER3(max3, "max3." sign, T, s)                                                                        \
  $INTEGER3(min3, "min3." sign, T, s)                                                                        \
  $INTEGER3(median3, "median3." sign, T, s)                                                                  \
  $INTEGER2(addsat, "add_sat." sign, T, s)                                                                   \
  $INTEGER2(subsat, "sub_sat." sign, T, s)                                                                   \
  $INTEGER3(madsat, "mad_sat." sign, T, s)                                                                   \
  $INTEGER2(mulhi, "mul_hi." sign, T, s)                                                                     \
  $INTEGER3(madhi, "mad_hi." sign, T, s)                                                                     \
  $INTEGER2(hadd, "hadd." sign, T, s)                                                                        \
  $INTEGER2(rhadd, "rhadd." sign, T, s)                                                                      \
  $INTEGER1(popcount, "popcount", T, s)                                                                      \
  $INTEGER1(reverse_bits, "reverse_bits", T, s)                                                              \
  $INTEGER2(rotate, "rotate", T, s)                                                                          \
  $INTEGER_ZERO(clz, T, s)                                                                                   \
  $INTEGER_ZERO(ctz, T, s)                                                                                   \
  $INTEGER_BITS(sign, T, s)
#define $SIGNED(T, U, s)                                                                                     \
  $INTEGER(T, "s", s)                                                                                        \
  $INTEGER1(abs, "abs.s", T, s)
$SIGNED(char, uchar, i8)
$SIGNED(short, ushort, i16)
$SIGNED(int, uint, i32)
$SIGNED(long, ulong, i64)
$INTEGER(uchar, "u", i8)
$INTEGER(ushort, "u", i16)
$INTEGER(uint, "u", i32)
$INTEGER(ulong, "u", i64)
#undef $SIGNED
#undef $INTEGER
#undef $INTEGER1
#undef $INTEGER1_OF
#undef $INTEGER2
#undef $INTEGER2_OF
#undef $INTEGER3
#undef $INTEGER3_OF
#undef $INTEGER_ZERO
#undef $INTEGER_ZERO_OF
#undef $INTEGER_BITS
#undef $INTEGER_BITS_OF

#define $UNSIGNED(T)                                                                                         \
  $inline T abs(T x) { return x; }                                                                           \
  $inline vec<T, 2> abs(vec<T, 2> x) { return x; }                                                           \
  $inline vec<T, 3> abs(vec<T, 3> x) { return x; }                                                           \
  $inline vec<T, 4> abs(vec<T, 4> x) { return x; }
$UNSIGNED(uchar)
$UNSIGNED(ushort)
$UNSIGNED(uint)
$UNSIGNED(ulong)
#undef $UNSIGNED

// The distance of two integers, which fits the unsigned type.
#define $ABSDIFF(T, U)                                                                                       \
  $inline U absdiff(T x, T y) { return x > y ? U(U(x) - U(y)) : U(U(y) - U(x)); }                            \
  $inline vec<U, 2> absdiff(vec<T, 2> x, vec<T, 2> y) { return vec<U, 2>(max(x, y)) - vec<U, 2>(min(x, y)); } \
  $inline vec<U, 3> absdiff(vec<T, 3> x, vec<T, 3> y) { return vec<U, 3>(max(x, y)) - vec<U, 3>(min(x, y)); } \
  $inline vec<U, 4> absdiff(vec<T, 4> x, vec<T, 4> y) { return vec<U, 4>(max(x, y)) - vec<U, 4>(min(x, y)); }
$ABSDIFF(char, uchar)
$ABSDIFF(uchar, uchar)
$ABSDIFF(short, ushort)
$ABSDIFF(ushort, ushort)
$ABSDIFF(int, uint)
$ABSDIFF(uint, uint)
$ABSDIFF(long, ulong)
$ABSDIFF(ulong, ulong)
#undef $ABSDIFF

// 24-bit multiplication: the plain one gives the same for arguments in range.
#define $OF_24_BITS(T)                                                                                       \
  $inline T mul24(T x, T y) { return x * y; }                                                                \
  $inline T mad24(T x, T y, T z) { return x * y + z; }
$OF_24_BITS(int)
$OF_24_BITS(int2)
$OF_24_BITS(int3)
$OF_24_BITS(int4)
$OF_24_BITS(uint)
$OF_24_BITS(uint2)
$OF_24_BITS(uint3)
$OF_24_BITS(uint4)
#undef $OF_24_BITS

} // namespace metal
