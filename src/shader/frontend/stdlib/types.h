// SPDX-License-Identifier: Apache-2.0
// Scalar types, address spaces and the language's predefined macros.
#pragma clang system_header

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
#pragma OPENCL EXTENSION __cl_clang_variadic_functions : enable
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable

#define __METAL__ 1
#define __METAL_MACOS__ 1
#define __HAVE_FLOAT16__ 1
#define __HAVE_BFLOAT__ 1
#define __HAVE_MESH__ 1

#define device __global
#define threadgroup __local
#define thread __private
// Payloads are threadgroup memory while clang sees them; mesh_passes.cpp moves them to AIR's own address space.
#define object_data __local
// `constant` where something is pointed or referred to; as an object's qualifier it is respelled to const beforehand.
#define constant __generic const
// Accesses that every thread of the device sees at once: no access of a volatile object is merged or moved.
#define coherent volatile

// These are reserved type names of the host language mode.
#define atomic_int $atomic_int
#define atomic_uint $atomic_uint
#define atomic_float $atomic_float
#define atomic_long $atomic_long
#define atomic_ulong $atomic_ulong
#define atomic_flag $atomic_flag

#define NAN __builtin_nanf("")
#define INFINITY __builtin_inff()
#define HUGE_VALF __builtin_inff()
#define HUGE_VALH ((half)__builtin_inff())
#define MAXFLOAT 0x1.fffffep+127f
#define MAXHALF 0x1.ffcp+15h
#define M_PI_F 3.14159265358979323846f
#define M_PI_2_F 1.57079632679489661923f
#define M_PI_4_F 0.785398163397448309616f
#define M_1_PI_F 0.318309886183790671538f
#define M_2_PI_F 0.636619772367581343076f
#define M_2_SQRTPI_F 1.12837916709551257390f
#define M_SQRT2_F 1.41421356237309504880f
#define M_SQRT1_2_F 0.707106781186547524401f
#define M_E_F 2.71828182845904523536f
#define M_LOG2E_F 1.44269504088896340736f
#define M_LOG10E_F 0.434294481903251827651f
#define M_LN2_F 0.693147180559945309417f
#define M_LN10_F 2.30258509299404568402f
#define M_PI_H 3.14159265358979323846h
#define M_PI_2_H 1.57079632679489661923h
#define M_PI_4_H 0.785398163397448309616h
#define M_1_PI_H 0.318309886183790671538h
#define M_2_PI_H 0.636619772367581343076h
#define M_2_SQRTPI_H 1.12837916709551257390h
#define M_SQRT2_H 1.41421356237309504880h
#define M_SQRT1_2_H 0.707106781186547524401h
#define M_E_H 2.71828182845904523536h
#define M_LOG2E_H 1.44269504088896340736h
#define M_LOG10E_H 0.434294481903251827651h
#define M_LN2_H 0.693147180559945309417h
#define M_LN10_H 2.30258509299404568402h
#define FLT_MAX 0x1.fffffep+127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_RADIX 2
#define FLT_MAX_EXP 128
#define FLT_MIN_EXP (-125)
#define FLT_MAX_10_EXP 38
#define FLT_MIN_10_EXP (-37)
#define HALF_MAX 0x1.ffcp+15h
#define HALF_MIN 0x1.0p-14h
#define HALF_EPSILON 0x1.0p-10h
#define HALF_DIG 3
#define HALF_MANT_DIG 11
#define HALF_RADIX 2
#define HALF_MAX_EXP 16
#define HALF_MIN_EXP (-13)
#define HALF_MAX_10_EXP 4
#define HALF_MIN_10_EXP (-4)
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN 2147483647
#define CHAR_BIT 8
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-9223372036854775807l - 1)
#define ULONG_MAX 18446744073709551615ul

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;

// Macros of Metal's own headers that programs use.
#define METAL_FUNC inline __attribute__((always_inline))
#define METAL_INTERNAL inline __attribute__((always_inline))
#define METAL_CONST_ARG(...)
#define METAL_VALID_ARG(...)
// Nothing stops a thread of the device: the condition is not looked at.
#define assert(condition) ((void)0)
#define METAL_PURE
#define METAL_CONST

#define $inline __attribute__((always_inline)) inline

// What a threadgroup variable of a function body becomes (respell.cpp). The body is never run: air_passes.cpp makes a
// variable of each instantiation and replaces the calls.
template <class S> __local S& $threadgroup_variable(ulong size, ulong align) { return *(__local S*)size; }

namespace metal {

template <class T, T V> struct integral_constant {
  static constexpr const T value = V;
  typedef T value_type;
  constexpr operator T() const { return V; }
};
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <bool B> using bool_constant = integral_constant<bool, B>;

template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional { typedef T type; };
template <class T, class F> struct conditional<false, T, F> { typedef F type; };
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;

template <class T, class U> struct is_same : false_type {};
template <class T> struct is_same<T, T> : true_type {};
template <class T, class U> constexpr const bool is_same_v = __is_same(T, U);

template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_volatile { typedef T type; };
template <class T> struct remove_volatile<volatile T> { typedef T type; };
template <class T> struct remove_cv { typedef __remove_cv(T) type; };
template <class T> using remove_cv_t = __remove_cv(T);
template <class T> struct remove_reference { typedef __remove_reference_t(T) type; };
template <class T> using remove_reference_t = __remove_reference_t(T);
template <class T> struct remove_pointer { typedef __remove_pointer(T) type; };
template <class T> using remove_pointer_t = __remove_pointer(T);
template <class T> struct remove_addrspace { typedef T type; };
template <class T> struct remove_addrspace<__private T> { typedef T type; };
template <class T> struct remove_addrspace<__global T> { typedef T type; };
template <class T> struct remove_addrspace<__local T> { typedef T type; };
template <class T> struct remove_addrspace<__generic T> { typedef T type; };
template <class T> using remove_addrspace_t = typename remove_addrspace<T>::type;
// Drops the address space too: what an expression's type names as a value.
template <class T> struct decay { typedef __remove_cv(__remove_reference_t(T)) type; };
template <class T> using decay_t = typename decay<T>::type;

template <class T> struct is_integral : bool_constant<__is_integral(T)> {};
template <class T> constexpr const bool is_integral_v = is_integral<T>::value;
template <class T> struct is_floating_point : bool_constant<__is_floating_point(T) || __is_same(__remove_cv(T), half)> {};
template <class T> constexpr const bool is_floating_point_v = is_floating_point<T>::value;
template <class T> struct is_arithmetic : bool_constant<__is_integral(T) || is_floating_point<T>::value> {};
template <class T> constexpr const bool is_arithmetic_v = is_arithmetic<T>::value;
template <class T> struct is_signed : bool_constant<is_floating_point<T>::value || __is_signed(T)> {};
template <class T> constexpr const bool is_signed_v = is_signed<T>::value;
template <class T> struct is_unsigned : bool_constant<__is_unsigned(T)> {};
template <class T> constexpr const bool is_unsigned_v = is_unsigned<T>::value;
template <class T> struct is_const : bool_constant<__is_const(T)> {};
template <class T> constexpr const bool is_const_v = __is_const(T);
template <class T> struct is_enum : bool_constant<__is_enum(T)> {};
template <class T> constexpr const bool is_enum_v = __is_enum(T);
template <class T> struct is_class : bool_constant<__is_class(T)> {};
template <class T> constexpr const bool is_class_v = __is_class(T);
template <class T> struct is_union : bool_constant<__is_union(T)> {};
template <class T> constexpr const bool is_union_v = __is_union(T);
template <class T> struct is_pointer : bool_constant<__is_pointer(T)> {};
template <class T> constexpr const bool is_pointer_v = __is_pointer(T);
template <class T> struct is_reference : bool_constant<__is_reference(T)> {};
template <class T> constexpr const bool is_reference_v = __is_reference(T);
template <class T> struct is_array : bool_constant<__is_array(T)> {};
template <class T> constexpr const bool is_array_v = __is_array(T);
template <class T> struct is_void : bool_constant<__is_void(T)> {};
template <class T> constexpr const bool is_void_v = __is_void(T);
template <class Base, class T> struct is_base_of : bool_constant<__is_base_of(Base, T)> {};
template <class Base, class T> constexpr const bool is_base_of_v = __is_base_of(Base, T);
template <class From, class To> struct is_convertible : bool_constant<__is_convertible_to(From, To)> {};
template <class From, class To> constexpr const bool is_convertible_v = __is_convertible_to(From, To);
template <class T> struct is_trivially_copyable : bool_constant<__is_trivially_copyable(T)> {};
template <class T> constexpr const bool is_trivially_copyable_v = __is_trivially_copyable(T);
// The library has these under such names only, and programs that write `namespace metal { struct is_empty ... }` of their own.
template <class...> struct _conjunction : true_type {};
template <class A, class... Rest> struct _conjunction<A, Rest...> : bool_constant<A::value && _conjunction<Rest...>::value> {};
template <class...> struct _disjunction : false_type {};
template <class A, class... Rest> struct _disjunction<A, Rest...> : bool_constant<A::value || _disjunction<Rest...>::value> {};
template <class A> struct _negation : bool_constant<!A::value> {};
template <class T> struct make_unsigned { typedef __make_unsigned(T) type; };
template <class T> struct make_signed { typedef __make_signed(T) type; };
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;
template <class T> using make_signed_t = typename make_signed<T>::type;

// Always false, but only once the template is used: for "not supported" messages.
template <class...> constexpr const bool $never = false;

// Programs specialise either of the two.
template <class T> struct _numeric_limits_impl {
  static constexpr const bool is_specialized = false, is_signed = false, is_integer = false, is_exact = false, is_iec559 = false;
  static constexpr const bool has_infinity = false, has_quiet_NaN = false;
  static constexpr const int digits = 0, digits10 = 0, radix = 0, max_exponent = 0, min_exponent = 0;
  static constexpr T min() { return T(); }
  static constexpr T lowest() { return T(); }
  static constexpr T max() { return T(); }
  static constexpr T epsilon() { return T(); }
  static constexpr T infinity() { return T(); }
  static constexpr T quiet_NaN() { return T(); }
};
template <class T> struct numeric_limits : _numeric_limits_impl<remove_cv_t<T>> {};
#define $LIMITS(T, low, high, digits_, isSigned, isInteger)                                                  \
  template <> struct _numeric_limits_impl<T> {                                                                     \
    static constexpr const bool is_specialized = true;                                                       \
    static constexpr const bool is_signed = isSigned;                                                        \
    static constexpr const bool is_integer = isInteger;                                                      \
    static constexpr const int digits = digits_;                                                             \
    static constexpr const int digits10 = isInteger ? digits_ * 301 / 1000 : digits_ == 24 ? 6 : 3;          \
    static constexpr const int radix = 2;                                                                    \
    static constexpr const int max_exponent = isInteger ? 0 : digits_ == 24 ? 128 : 16;                      \
    static constexpr const int min_exponent = isInteger ? 0 : digits_ == 24 ? -125 : -13;                    \
    static constexpr const bool is_exact = isInteger;                                                        \
    static constexpr const bool is_iec559 = !isInteger;                                                      \
    static constexpr const bool has_infinity = !isInteger;                                                   \
    static constexpr const bool has_quiet_NaN = !isInteger;                                                  \
    static constexpr T min() { return isInteger ? T(low) : $smallest<T>(); }                                 \
    static constexpr T lowest() { return T(low); }                                                           \
    static constexpr T max() { return T(high); }                                                             \
    static constexpr T epsilon() { return $epsilon<T>(); }                                                   \
    static constexpr T infinity() { return isInteger ? T(0) : T($infinite<T>()); }                           \
    static constexpr T quiet_NaN() { return isInteger ? T(0) : T($notANumber<T>()); }                        \
  };
template <class T> constexpr T $smallest() { return T(0); }
template <> constexpr float $smallest<float>() { return FLT_MIN; }
template <> constexpr half $smallest<half>() { return HALF_MIN; }
template <class T> constexpr T $epsilon() { return T(0); }
template <> constexpr float $epsilon<float>() { return FLT_EPSILON; }
template <> constexpr half $epsilon<half>() { return HALF_EPSILON; }
template <class T> constexpr T $infinite() { return T(0); }
template <> constexpr float $infinite<float>() { return __builtin_inff(); }
template <> constexpr half $infinite<half>() { return half(__builtin_inff()); }
template <class T> constexpr T $notANumber() { return T(0); }
template <> constexpr float $notANumber<float>() { return __builtin_nanf(""); }
template <> constexpr half $notANumber<half>() { return half(__builtin_nanf("")); }
$LIMITS(bool, 0, 1, 1, false, true)
$LIMITS(char, CHAR_MIN, CHAR_MAX, 7, true, true)
$LIMITS(int8_t, CHAR_MIN, CHAR_MAX, 7, true, true)
$LIMITS(uchar, 0, UCHAR_MAX, 8, false, true)
$LIMITS(short, SHRT_MIN, SHRT_MAX, 15, true, true)
$LIMITS(ushort, 0, USHRT_MAX, 16, false, true)
$LIMITS(int, INT_MIN, INT_MAX, 31, true, true)
$LIMITS(uint, 0, UINT_MAX, 32, false, true)
$LIMITS(long, LONG_MIN, LONG_MAX, 63, true, true)
$LIMITS(ulong, 0, ULONG_MAX, 64, false, true)
$LIMITS(half, -MAXHALF, MAXHALF, 11, true, false)
$LIMITS(float, -MAXFLOAT, MAXFLOAT, 24, true, false)
#undef $LIMITS

// Bits of one type read as another of the same size.
template <class To, class From> $inline To as_type(From from) {
  static_assert(sizeof(To) == sizeof(From), "as_type needs types of the same size");
  return __builtin_bit_cast(To, from);
}

// What the second try at a source (RespelledSource) puts around the sides of ?: and around calls that are subscripted. A copy
// is const: what the program stores to it must not vanish, so it is refused. What a pointer or reference leads to is itself.
template <class T> $inline constexpr const T $rvalue(T x) { return x; }

template <class T> $inline T& $element(T* x, ulong i) { return x[i]; }
template <class T> $inline decltype(auto) $element(T& x, ulong i) { return x[i]; }
template <class T> $inline const auto $element(T&& x, ulong i) {
  __private T copy = x;
  return copy[i];
}
// What a threadgroup variable is declared with, stored by every thread that gets there.
template <class T> $inline void $initialize(__local T& to, __private const T& from) { to = from; }
template <class T, ulong N> $inline void $initialize(__local T (&to)[N], __private const T (&from)[N]) {
  for (ulong i = 0; i < N; ++i) $initialize(to[i], from[i]);
}

template <class T> $inline constexpr const __generic T& $constant(const __global T& x) { return x; }
template <class T> $inline constexpr __private T& $constant(__private T& x) { return x; }

template <class T> $inline void swap(thread T& a, thread T& b) {
  T t = a;
  a = b;
  b = t;
}

} // namespace metal

using metal::as_type;
using metal::$rvalue;
using metal::$constant;
using metal::$element;
using metal::$initialize;

// Metal's scalar names are members of its namespace too.
namespace metal {
using ::uchar;
using ::ushort;
using ::uint;
using ::ulong;
using ::size_t;
using ::ptrdiff_t;
using ::int8_t;
using ::uint8_t;
using ::int16_t;
using ::uint16_t;
using ::int32_t;
using ::uint32_t;
using ::int64_t;
using ::uint64_t;
} // namespace metal
