// SPDX-License-Identifier: Apache-2.0
// metal::vec and metal::packed_vec: class templates around the compiler's native vectors, each swizzle a property.
#pragma clang system_header

namespace metal {

// Components of bool vectors are bytes holding 0 or 1, in registers as in memory.
template <class T> struct $stored { typedef T type; };
template <> struct $stored<bool> { typedef uchar type; };
template <class T, int N> using $native = typename $stored<T>::type __attribute__((ext_vector_type(N)));

template <class E, int N> using $native_as_is = E __attribute__((ext_vector_type(N))); // E can be deduced

// For the arguments of macros, which a comma would split.
template <class T> using $native2 = $native<T, 2>;
template <class T> using $native3 = $native<T, 3>;
template <class T> using $native4 = $native<T, 4>;

// How many components a type has: 1 but for vectors.
template <class T> struct vec_elements : integral_constant<int, 1> {};

struct $raw {}; // picks the constructor that takes a native vector as it is

template <class T, int N> struct vec;
template <class T, int N> struct packed_vec;

template <class T, int N> struct vec_elements<vec<T, N>> : integral_constant<int, N> {};
template <class T, int N> struct vec_elements<packed_vec<T, N>> : integral_constant<int, N> {};
template <class T> constexpr const int vec_elements_v = vec_elements<T>::value;

template <class To, class From, int N> struct $converter {
  static $inline constexpr $native<To, N> run($native<From, N> v) { return __builtin_convertvector(v, $native<To, N>); }
};
template <class From, int N> struct $converter<bool, From, N> {
  static $inline constexpr $native<bool, N> run($native<From, N> v) {
    return __builtin_convertvector(v != ($native<From, N>)(typename $stored<From>::type)(0), $native<bool, N>) & (uchar)1;
  }
};

// A comparison's mask (0 or -1 in each component) as bools.
template <int N, class M> $inline constexpr vec<bool, N> $boolsOf(M mask) {
  return vec<bool, N>($raw(), __builtin_convertvector(mask, $native<bool, N>) & (uchar)1);
}

#define $SWIZZLE_READ(components, colours, count)                                                            \
  $inline constexpr vec<T, count> $get_##components() const { return vec<T, count>($raw(), $load().components); } \
  __declspec(property(get = $get_##components)) vec<T, count> components;                                    \
  __declspec(property(get = $get_##components)) vec<T, count> colours;
#define $SWIZZLE(components, colours, count)                                                                 \
  $inline constexpr vec<T, count> $get_##components() const { return vec<T, count>($raw(), $load().components); } \
  $inline vec<T, count> $put_##components(vec<T, count> value) {                                             \
    $native<T, $LANES> all = $load();                                                                        \
    all.components = value.$v;                                                                               \
    $store(all);                                                                                             \
    return value;                                                                                            \
  }                                                                                                          \
  __declspec(property(get = $get_##components, put = $put_##components)) vec<T, count> components;           \
  __declspec(property(get = $get_##components, put = $put_##components)) vec<T, count> colours;
#define $COMPONENT(component, colour)                                                                        \
  $inline constexpr T $get_##component() const { return T($v.component); }                                   \
  $inline T $put_##component(T value) {                                                                      \
    $v.component = value;                                                                                    \
    return value;                                                                                            \
  }                                                                                                          \
  __declspec(property(get = $get_##component, put = $put_##component)) T component;                          \
  __declspec(property(get = $get_##component, put = $put_##component)) T colour;

#define $VEC_ARITHMETIC(op)                                                                                  \
  friend $inline constexpr vec operator op(vec a, vec b) { return vec($raw(), a.$v op b.$v); }               \
  $inline vec& operator op##=(vec b) {                                                                       \
    $v = $v op b.$v;                                                                                         \
    return *this;                                                                                            \
  }
#define $VEC_COMPARISON(op)                                                                                  \
  friend $inline constexpr vec<bool, $LANES> operator op(vec a, vec b) { return $boolsOf<$LANES>(a.$v op b.$v); }

#define $VEC_VOLATILE(space)                                                                                 \
  template <class U, class = enable_if_t<__is_same(U, T)>> $inline constexpr vec(const volatile space vec<U, $LANES>& o) : $v(o.$v) {} \
  template <class U, class = enable_if_t<__is_same(U, T)>> $inline void operator=(vec<U, $LANES> o) volatile space { $v = o.$v; }

#define $VEC_COMMON                                                                                          \
  typedef $native<T, $LANES> $vector;                                                                        \
  typedef typename $stored<T>::type $element;                                                                \
  $vector $v;                                                                                                \
  constexpr vec() = default;                                                                                 \
  $inline constexpr vec($raw, $vector v) : $v(v) {}                                                          \
  $inline constexpr vec(T s) : $v(($vector)($element)s) {}                                                   \
  /* With these two, ?: of a variable and a temporary, which the host language refuses for classes, works on native vectors. */ \
  template <int M, class = enable_if_t<M == $LANES>>                                                         \
  $inline constexpr vec($native<T, M> v) : $v(v) {}                                                          \
  $inline constexpr operator $vector() const { return $v; }                                                  \
  template <class E, class = enable_if_t<!__is_same(E, $element)>>                                           \
  $inline explicit constexpr vec($native_as_is<E, $LANES> v) : $v($converter<T, E, $LANES>::run(v)) {}       \
  template <class U> $inline explicit constexpr vec(vec<U, $LANES> o) : $v($converter<T, U, $LANES>::run(o.$v)) {} \
  template <class U> $inline explicit constexpr vec(packed_vec<U, $LANES> o) : $v($converter<T, U, $LANES>::run(o.$load())) {} \
  $inline constexpr $vector $load() const { return $v; }                                                     \
  $inline void $store($vector v) { $v = v; }                                                                 \
  $inline constexpr T operator[](uint i) const { return T($v[i]); }                                          \
  $inline T& operator[](uint i) { return ((T*)&$v)[i]; }                                                     \
  $VEC_ARITHMETIC(+)                                                                                         \
  $VEC_ARITHMETIC(-)                                                                                         \
  $VEC_ARITHMETIC(*)                                                                                         \
  $VEC_ARITHMETIC(/)                                                                                         \
  $VEC_ARITHMETIC(%)                                                                                         \
  $VEC_ARITHMETIC(&)                                                                                         \
  $VEC_ARITHMETIC(|)                                                                                         \
  $VEC_ARITHMETIC(^)                                                                                         \
  $VEC_ARITHMETIC(<<)                                                                                        \
  $VEC_ARITHMETIC(>>)                                                                                        \
  $VEC_COMPARISON(==)                                                                                        \
  $VEC_COMPARISON(!=)                                                                                        \
  $VEC_COMPARISON(<)                                                                                         \
  $VEC_COMPARISON(>)                                                                                         \
  $VEC_COMPARISON(<=)                                                                                        \
  $VEC_COMPARISON(>=)                                                                                        \
  template <class U> friend $inline constexpr enable_if_t<!__is_same(U, T), vec> operator<<(vec a, vec<U, $LANES> b) { return a << vec(b); } \
  template <class U> friend $inline constexpr enable_if_t<!__is_same(U, T), vec> operator>>(vec a, vec<U, $LANES> b) { return a >> vec(b); } \
  /* Volatile objects: templates, so that the class stays trivial to copy; by address space, because the optimiser does  \
     not find the space of a volatile access. */                                                             \
  $VEC_VOLATILE(__global)                                                                                    \
  $VEC_VOLATILE(__local)                                                                                     \
  $VEC_VOLATILE(__private)                                                                                   \
  friend $inline constexpr vec operator+(vec a) { return a; }                                                \
  friend $inline constexpr vec operator-(vec a) { return vec($raw(), -a.$v); }                               \
  friend $inline constexpr vec operator~(vec a) { return vec($raw(), ~a.$v); }                               \
  friend $inline constexpr vec<bool, $LANES> operator!(vec a) { return $boolsOf<$LANES>(a.$v == ($vector)($element)0); } \
  friend $inline constexpr vec<bool, $LANES> operator&&(vec a, vec b) {                                      \
    return $boolsOf<$LANES>((a.$v != ($vector)($element)0) & (b.$v != ($vector)($element)0));                \
  }                                                                                                          \
  friend $inline constexpr vec<bool, $LANES> operator||(vec a, vec b) {                                      \
    return $boolsOf<$LANES>((a.$v != ($vector)($element)0) | (b.$v != ($vector)($element)0));                \
  }                                                                                                          \
  $inline vec& operator++() {                                                                                \
    $v = $v + ($vector)($element)1;                                                                          \
    return *this;                                                                                            \
  }                                                                                                          \
  $inline vec& operator--() {                                                                                \
    $v = $v - ($vector)($element)1;                                                                          \
    return *this;                                                                                            \
  }                                                                                                          \
  $inline vec operator++(int) {                                                                              \
    vec before = *this;                                                                                      \
    ++*this;                                                                                                 \
    return before;                                                                                           \
  }                                                                                                          \
  $inline vec operator--(int) {                                                                              \
    vec before = *this;                                                                                      \
    --*this;                                                                                                 \
    return before;                                                                                           \
  }

#define $LANES 2
template <class T> struct vec<T, 2> {
  $VEC_COMMON
  $inline constexpr vec(T x, T y) : $v{($element)x, ($element)y} {}
  template <class U> $inline explicit constexpr vec(vec<U, 3> o) : vec(o.xy) {}
  template <class U> $inline explicit constexpr vec(vec<U, 4> o) : vec(o.xy) {}
  $COMPONENT(x, r)
  $COMPONENT(y, g)
#include "swizzles.h"
};
#undef $LANES

#define $LANES 3
template <class T> struct vec<T, 3> {
  $VEC_COMMON
  $inline constexpr vec(T x, T y, T z) : $v{($element)x, ($element)y, ($element)z} {}
  $inline constexpr vec(T x, T y) : $v{($element)x, ($element)y, ($element)0} {} // of a short list in braces
  template <class U> $inline explicit constexpr vec(vec<U, 4> o) : vec(o.xyz) {}
  $inline constexpr vec(vec<T, 2> xy, T z) : $v{xy.$v, ($element)z} {}
  $inline constexpr vec(T x, vec<T, 2> yz) : $v{($element)x, yz.$v} {}
  $COMPONENT(x, r)
  $COMPONENT(y, g)
  $COMPONENT(z, b)
#include "swizzles.h"
};
#undef $LANES

#define $LANES 4
template <class T> struct vec<T, 4> {
  $VEC_COMMON
  $inline constexpr vec(T x, T y, T z, T w) : $v{($element)x, ($element)y, ($element)z, ($element)w} {}
  $inline constexpr vec(T x, T y) : $v{($element)x, ($element)y, ($element)0, ($element)0} {} // of short lists in braces
  $inline constexpr vec(T x, T y, T z) : $v{($element)x, ($element)y, ($element)z, ($element)0} {}
  $inline constexpr vec(vec<T, 2> xy, T z, T w) : $v{xy.$v, ($element)z, ($element)w} {}
  $inline constexpr vec(T x, vec<T, 2> yz, T w) : $v{($element)x, yz.$v, ($element)w} {}
  $inline constexpr vec(T x, T y, vec<T, 2> zw) : $v{($element)x, ($element)y, zw.$v} {}
  $inline constexpr vec(vec<T, 2> xy, vec<T, 2> zw) : $v{xy.$v, zw.$v} {}
  $inline constexpr vec(vec<T, 3> xyz, T w) : $v{xyz.$v, ($element)w} {}
  $inline constexpr vec(T x, vec<T, 3> yzw) : $v{($element)x, yzw.$v} {}
  $COMPONENT(x, r)
  $COMPONENT(y, g)
  $COMPONENT(z, b)
  $COMPONENT(w, a)
#include "swizzles.h"
};
#undef $LANES
#undef $COMPONENT
#undef $VEC_COMMON
#undef $VEC_VOLATILE
#undef $VEC_ARITHMETIC
#undef $VEC_COMPARISON

// ---- packed vectors: the alignment of their component, arithmetic as vec ----

#define $PACKED_ASSIGNMENT(op)                                                                               \
  $inline packed_vec& operator op##=(vec<T, $LANES> b) {                                                     \
    $store((vec<T, $LANES>(*this) op b).$v);                                                                 \
    return *this;                                                                                            \
  }
#define $PACKED_COMPONENT(component, colour, i)                                                              \
  $inline constexpr T $get_##component() const { return $e[i]; }                                             \
  $inline T $put_##component(T value) { return $e[i] = value; }                                              \
  __declspec(property(get = $get_##component, put = $put_##component)) T component;                          \
  __declspec(property(get = $get_##component, put = $put_##component)) T colour;
#define $PACKED_COMMON                                                                                       \
  T $e[$LANES];                                                                                              \
  constexpr packed_vec() = default;                                                                          \
  $inline constexpr packed_vec(vec<T, $LANES> v) { $store(v.$v); }                                           \
  $inline explicit constexpr packed_vec(T s) { $store(vec<T, $LANES>(s).$v); }                               \
  $inline constexpr operator vec<T, $LANES>() const { return vec<T, $LANES>($raw(), $load()); }              \
  $inline constexpr T operator[](uint i) const { return $e[i]; }                                             \
  $inline T& operator[](uint i) { return $e[i]; }                                                            \
  $PACKED_ASSIGNMENT(+)                                                                                      \
  $PACKED_ASSIGNMENT(-)                                                                                      \
  $PACKED_ASSIGNMENT(*)                                                                                      \
  $PACKED_ASSIGNMENT(/)                                                                                      \
  $PACKED_ASSIGNMENT(%)                                                                                      \
  $PACKED_ASSIGNMENT(&)                                                                                      \
  $PACKED_ASSIGNMENT(|)                                                                                      \
  $PACKED_ASSIGNMENT(^)                                                                                      \
  $PACKED_ASSIGNMENT(<<)                                                                                     \
  $PACKED_ASSIGNMENT(>>)

#define $LANES 2
template <class T> struct packed_vec<T, 2> {
  $PACKED_COMMON
  $inline constexpr packed_vec(T x, T y) : $e{x, y} {}
  $inline constexpr $native<T, 2> $load() const { return $native<T, 2>{$e[0], $e[1]}; }
  $inline constexpr void $store($native<T, 2> v) { $e[0] = v.x; $e[1] = v.y; }
  $PACKED_COMPONENT(x, r, 0)
  $PACKED_COMPONENT(y, g, 1)
#include "swizzles.h"
};
#undef $LANES
#define $LANES 3
template <class T> struct packed_vec<T, 3> {
  $PACKED_COMMON
  $inline constexpr packed_vec(T x, T y, T z) : $e{x, y, z} {}
  $inline constexpr $native<T, 3> $load() const { return $native<T, 3>{$e[0], $e[1], $e[2]}; }
  $inline constexpr void $store($native<T, 3> v) { $e[0] = v.x; $e[1] = v.y; $e[2] = v.z; }
  $PACKED_COMPONENT(x, r, 0)
  $PACKED_COMPONENT(y, g, 1)
  $PACKED_COMPONENT(z, b, 2)
#include "swizzles.h"
};
#undef $LANES
#define $LANES 4
template <class T> struct packed_vec<T, 4> {
  $PACKED_COMMON
  $inline constexpr packed_vec(T x, T y, T z, T w) : $e{x, y, z, w} {}
  $inline constexpr $native<T, 4> $load() const { return $native<T, 4>{$e[0], $e[1], $e[2], $e[3]}; }
  $inline constexpr void $store($native<T, 4> v) { $e[0] = v.x; $e[1] = v.y; $e[2] = v.z; $e[3] = v.w; }
  $PACKED_COMPONENT(x, r, 0)
  $PACKED_COMPONENT(y, g, 1)
  $PACKED_COMPONENT(z, b, 2)
  $PACKED_COMPONENT(w, a, 3)
#include "swizzles.h"
};
#undef $LANES
#undef $PACKED_COMMON
#undef $PACKED_COMPONENT
#undef $PACKED_ASSIGNMENT
#undef $SWIZZLE
#undef $SWIZZLE_READ

// Templates, not friends of the classes: the first use of an operator reads all declarations of its name from the precompiled
// library, and friends would be as many as there are packed vectors, each with its classes.
template <class T> struct $same { typedef T type; };
template <class T> using $as = typename $same<T>::type; // out of deduction's reach
#define $PACKED_OPERATOR(op, R)                                                                              \
  template <class T, int N> $inline constexpr vec<R, N> operator op(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) op vec<T, N>(b); } \
  template <class T, int N> $inline constexpr vec<R, N> operator op(packed_vec<T, N> a, vec<T, N> b) { return vec<T, N>(a) op b; } \
  template <class T, int N> $inline constexpr vec<R, N> operator op(vec<T, N> a, packed_vec<T, N> b) { return a op vec<T, N>(b); } \
  template <class T, int N> $inline constexpr vec<R, N> operator op(packed_vec<T, N> a, $as<T> b) { return vec<T, N>(a) op b; } \
  template <class T, int N> $inline constexpr vec<R, N> operator op($as<T> a, packed_vec<T, N> b) { return a op vec<T, N>(b); }
#define $PACKED_UNARY(op, R)                                                                                 \
  template <class T, int N> $inline constexpr vec<R, N> operator op(packed_vec<T, N> a) { return op vec<T, N>(a); }
$PACKED_OPERATOR(+, T)
$PACKED_OPERATOR(-, T)
$PACKED_OPERATOR(*, T)
$PACKED_OPERATOR(/, T)
$PACKED_OPERATOR(%, T)
$PACKED_OPERATOR(&, T)
$PACKED_OPERATOR(|, T)
$PACKED_OPERATOR(^, T)
$PACKED_OPERATOR(<<, T)
$PACKED_OPERATOR(>>, T)
$PACKED_OPERATOR(==, bool)
$PACKED_OPERATOR(!=, bool)
$PACKED_OPERATOR(<, bool)
$PACKED_OPERATOR(>, bool)
$PACKED_OPERATOR(<=, bool)
$PACKED_OPERATOR(>=, bool)
$PACKED_UNARY(+, T)
$PACKED_UNARY(-, T)
$PACKED_UNARY(~, T)
#undef $PACKED_OPERATOR
#undef $PACKED_UNARY

// What holds for a component type holds for its vectors.
template <class T, int N> struct is_integral<vec<T, N>> : is_integral<T> {};
template <class T, int N> struct is_floating_point<vec<T, N>> : is_floating_point<T> {};
template <class T, int N> struct is_arithmetic<vec<T, N>> : is_arithmetic<T> {};
template <class T, int N> struct is_signed<vec<T, N>> : is_signed<T> {};
template <class T, int N> struct is_unsigned<vec<T, N>> : is_unsigned<T> {};
template <class T, int N> struct numeric_limits<vec<T, N>> : numeric_limits<T> {};
template <class T> struct is_scalar : bool_constant<__is_scalar(T) || __is_same(T, half)> {};
template <class T> struct is_vector : false_type {};
template <class T, int N> struct is_vector<vec<T, N>> : true_type {};
template <class T> struct make_scalar { typedef T type; };
template <class T, int N> struct make_scalar<vec<T, N>> { typedef T type; };
template <class T> using make_scalar_t = typename make_scalar<T>::type;
template <class T, int N> struct make_unsigned<vec<T, N>> { typedef vec<__make_unsigned(T), N> type; };
template <class T, int N> struct make_signed<vec<T, N>> { typedef vec<__make_signed(T), N> type; };
template <class T> constexpr const bool is_scalar_v = is_scalar<T>::value;
template <class T> constexpr const bool is_vector_v = is_vector<T>::value;

} // namespace metal

#define $VEC_NAMES(T)                                                                                        \
  typedef metal::vec<T, 2> T##2;                                                                             \
  typedef metal::vec<T, 3> T##3;                                                                             \
  typedef metal::vec<T, 4> T##4;
#define $PACKED_NAMES(T)                                                                                     \
  typedef metal::packed_vec<T, 2> packed_##T##2;                                                             \
  typedef metal::packed_vec<T, 3> packed_##T##3;                                                             \
  typedef metal::packed_vec<T, 4> packed_##T##4;
$VEC_NAMES(bool)
$VEC_NAMES(char)
$VEC_NAMES(uchar)
$VEC_NAMES(short)
$VEC_NAMES(ushort)
$VEC_NAMES(int)
$VEC_NAMES(uint)
$VEC_NAMES(long)
$VEC_NAMES(ulong)
$VEC_NAMES(half)
$VEC_NAMES(float)
$PACKED_NAMES(char)
$PACKED_NAMES(uchar)
$PACKED_NAMES(short)
$PACKED_NAMES(ushort)
$PACKED_NAMES(int)
$PACKED_NAMES(uint)
$PACKED_NAMES(long)
$PACKED_NAMES(ulong)
$PACKED_NAMES(half)
$PACKED_NAMES(float)
#undef $VEC_NAMES
#undef $PACKED_NAMES

namespace metal {
#define $METAL_NAMES(T) using ::T##2; using ::T##3; using ::T##4;
$METAL_NAMES(bool)
$METAL_NAMES(char)
$METAL_NAMES(uchar)
$METAL_NAMES(short)
$METAL_NAMES(ushort)
$METAL_NAMES(int)
$METAL_NAMES(uint)
$METAL_NAMES(long)
$METAL_NAMES(ulong)
$METAL_NAMES(half)
$METAL_NAMES(float)
$METAL_NAMES(packed_char)
$METAL_NAMES(packed_uchar)
$METAL_NAMES(packed_short)
$METAL_NAMES(packed_ushort)
$METAL_NAMES(packed_int)
$METAL_NAMES(packed_uint)
$METAL_NAMES(packed_long)
$METAL_NAMES(packed_ulong)
$METAL_NAMES(packed_half)
$METAL_NAMES(packed_float)
#undef $METAL_NAMES
} // namespace metal

namespace simd {
using namespace metal;
#define $SIMD_NAMES(T) using ::T##2; using ::T##3; using ::T##4;
$SIMD_NAMES(char)
$SIMD_NAMES(uchar)
$SIMD_NAMES(short)
$SIMD_NAMES(ushort)
$SIMD_NAMES(int)
$SIMD_NAMES(uint)
$SIMD_NAMES(float)
$SIMD_NAMES(half)
#undef $SIMD_NAMES
} // namespace simd
typedef float2 simd_float2;
typedef float3 simd_float3;
typedef float4 simd_float4;
typedef float2 vector_float2;
typedef float3 vector_float3;
typedef float4 vector_float4;
typedef int2 vector_int2;
typedef int3 vector_int3;
typedef int4 vector_int4;
typedef uint2 vector_uint2;
typedef uint3 vector_uint3;
typedef uint4 vector_uint4;
