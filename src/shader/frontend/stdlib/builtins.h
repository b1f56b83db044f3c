// SPDX-License-Identifier: Apache-2.0
// Names of Metal's own library with leading underscores that public programs write: math functions with a mode, functions over
// simdgroups, traits; and logging.
#pragma clang system_header

template <int Mode> struct $math_mode {};
#define __METAL_PRECISE_MATH__ ($math_mode<0>())
#define __METAL_FAST_MATH__ ($math_mode<1>())
#define __METAL_MAYBE_FAST_MATH__ ($math_mode<2>())

#define $BY_MODE1(name)                                                                                      \
  template <class T> $inline T __metal_##name(T x, $math_mode<0>) { return metal::precise::name(x); }        \
  template <class T> $inline T __metal_##name(T x, $math_mode<1>) { return metal::fast::name(x); }           \
  template <class T> $inline T __metal_##name(T x, $math_mode<2>) { return metal::name(x); }
#define $BY_MODE2(name)                                                                                      \
  template <class T> $inline T __metal_##name(T x, T y, $math_mode<0>) { return metal::precise::name(x, y); } \
  template <class T> $inline T __metal_##name(T x, T y, $math_mode<1>) { return metal::fast::name(x, y); }   \
  template <class T> $inline T __metal_##name(T x, T y, $math_mode<2>) { return metal::name(x, y); }
#define $BY_MODE3(name)                                                                                      \
  template <class T> $inline T __metal_##name(T x, T y, T z, $math_mode<0>) { return metal::precise::name(x, y, z); } \
  template <class T> $inline T __metal_##name(T x, T y, T z, $math_mode<1>) { return metal::fast::name(x, y, z); } \
  template <class T> $inline T __metal_##name(T x, T y, T z, $math_mode<2>) { return metal::name(x, y, z); }
$BY_MODE1(acos)
$BY_MODE1(acosh)
$BY_MODE1(asin)
$BY_MODE1(asinh)
$BY_MODE1(atan)
$BY_MODE1(atanh)
$BY_MODE1(ceil)
$BY_MODE1(cos)
$BY_MODE1(cosh)
$BY_MODE1(cospi)
$BY_MODE1(exp)
$BY_MODE1(exp10)
$BY_MODE1(exp2)
$BY_MODE1(fabs)
$BY_MODE1(floor)
$BY_MODE1(fract)
$BY_MODE1(log)
$BY_MODE1(log10)
$BY_MODE1(log2)
$BY_MODE1(rint)
$BY_MODE1(round)
$BY_MODE1(rsqrt)
$BY_MODE1(saturate)
$BY_MODE1(sign)
$BY_MODE1(sin)
$BY_MODE1(sinh)
$BY_MODE1(sinpi)
$BY_MODE1(sqrt)
$BY_MODE1(tan)
$BY_MODE1(tanh)
$BY_MODE1(tanpi)
$BY_MODE1(trunc)
$BY_MODE2(atan2)
$BY_MODE2(divide)
$BY_MODE2(fmax)
$BY_MODE2(fmin)
$BY_MODE2(fmod)
$BY_MODE2(pow)
$BY_MODE2(powr)
$BY_MODE2(step)
$BY_MODE3(clamp)
$BY_MODE3(fmax3)
$BY_MODE3(fmedian3)
$BY_MODE3(fmin3)
$BY_MODE3(mix)
$BY_MODE3(smoothstep)
#undef $BY_MODE3
#undef $BY_MODE2
#undef $BY_MODE1
template <class T, int Mode> $inline T __metal_ldexp(T x, int k, $math_mode<Mode>) { return metal::ldexp(x, k); }
template <class T, class E> $inline T __metal_frexp(T x, thread E* exponent) { return metal::frexp(x, *exponent); }
template <class T> $inline T __metal_nextafter(T x, T y) { return metal::nextafter(x, y); }
template <class T> $inline T __metal_copysign(T x, T y) { return metal::copysign(x, y); }
template <class T> $inline T __metal_fma(T x, T y, T z) { return metal::fma(x, y, z); }

$inline ushort __metal_get_simdgroup_size(ushort) { return metal::$simd_size(); }
$inline ushort __metal_get_thread_index_in_simdgroup(ushort) { return (ushort)metal::$simd_lane(); }
#define $SIMD1(name) \
  template <class T> $inline T __metal_##name(T x) { return metal::name(x); }
#define $SIMD2(name) \
  template <class T> $inline T __metal_##name(T x, ushort n) { return metal::name(x, n); }
$SIMD1(simd_sum)
$SIMD1(simd_product)
$SIMD1(simd_min)
$SIMD1(simd_max)
$SIMD1(simd_prefix_inclusive_sum)
$SIMD1(simd_prefix_exclusive_sum)
$SIMD1(simd_prefix_inclusive_product)
$SIMD1(simd_prefix_exclusive_product)
$SIMD1(simd_broadcast_first)
$SIMD2(simd_broadcast)
$SIMD2(simd_shuffle)
$SIMD2(simd_shuffle_xor)
$SIMD2(simd_shuffle_up)
$SIMD2(simd_shuffle_down)
$SIMD2(simd_shuffle_rotate_up)
$SIMD2(simd_shuffle_rotate_down)
#undef $SIMD2
#undef $SIMD1
// Of a floating-point number: of its bits.
#define $SIMD_BITWISE(name)                                                                                  \
  template <class T> $inline T __metal_##name(T x) {                                                         \
    if constexpr (__is_same(T, float)) return as_type<float>(metal::name(as_type<uint>(x)));                 \
    else if constexpr (__is_same(T, half)) return as_type<half>(metal::name(as_type<ushort>(x)));            \
    else return metal::name(x);                                                                              \
  }
$SIMD_BITWISE(simd_and)
$SIMD_BITWISE(simd_or)
$SIMD_BITWISE(simd_xor)
#undef $SIMD_BITWISE
template <class T> $inline T __metal_simd_shuffle_and_fill_up(T x, T filling, ushort delta, ushort modulo) {
  return metal::simd_shuffle_and_fill_up(x, filling, delta, modulo);
}
template <class T> $inline T __metal_simd_shuffle_and_fill_down(T x, T filling, ushort delta, ushort modulo) {
  return metal::simd_shuffle_and_fill_down(x, filling, delta, modulo);
}

namespace metal {

// The parts of a floating-point type's bits.
template <class T> struct _fp_encoding_traits;
template <> struct _fp_encoding_traits<float> {
  static constexpr const uint sign_mask = 0x80000000u, exponent_mask = 0x7f800000u, mantissa_mask = 0x007fffffu, inf_mask = 0x7f800000u;
};
template <> struct _fp_encoding_traits<half> {
  static constexpr const ushort sign_mask = 0x8000, exponent_mask = 0x7c00, mantissa_mask = 0x03ff, inf_mask = 0x7c00;
};
template <> struct _fp_encoding_traits<bfloat> {
  static constexpr const ushort sign_mask = 0x8000, exponent_mask = 0x7f80, mantissa_mask = 0x007f, inf_mask = 0x7f80;
};

// A value that is the same in every thread that runs together: a promise, of which nothing is made here.
template <class T> struct uniform {
  T $value;
  uniform() = default;
  $inline constexpr uniform(T value) : $value(value) {}
  $inline constexpr operator T() const { return $value; }
};
template <class T> $inline constexpr uniform<T> make_uniform(T value) { return uniform<T>(value); }

// ---- logging: lines go into a buffer of the command buffer's MTL::LogState; src/base/shader_log.hpp has its layout, whose
// numbers stand here again. Without a log state there is no buffer.

__global uint* $log_buffer() __asm("air.basanite.log_buffer");

// An argument: the words of a component, what the tag says of its kind, and how it is stored.
template <class T> struct $logged {
  static constexpr const uint components = 1, wide = __is_integral(T) && sizeof(T) == 8, words = wide ? 2 : 1;
  static constexpr const uint kind = is_floating_point<T>::value ? 4 : wide ? 3 : __is_signed(T) ? 2 : 1;
  static $inline void store(__global uint* at, T x) {
    if constexpr (is_floating_point<T>::value) {
      at[0] = as_type<uint>((float)x);
    } else {
      at[0] = (uint)x;
      if constexpr (wide) at[1] = (uint)((ulong)x >> 32);
    }
  }
};
template <class T, int N> struct $logged<vec<T, N>> {
  static constexpr const uint components = N, words = N * $logged<T>::words, kind = $logged<T>::kind;
  static $inline void store(__global uint* at, vec<T, N> x) {
    for (int i = 0; i < N; ++i) $logged<T>::store(at + i * $logged<T>::words, x[i]);
  }
};
struct $logged_address {
  static constexpr const uint components = 1, words = 2, kind = 3;
  static $inline void put(__global uint* at, ulong address) {
    at[0] = (uint)address;
    at[1] = (uint)(address >> 32);
  }
};
template <class T> struct $logged<const __constant T*> : $logged_address {
  static $inline void store(__global uint* at, const __constant T* x) { put(at, (ulong)x); }
};
template <class T> struct $logged<__global T*> : $logged_address {
  static $inline void store(__global uint* at, __global T* x) { put(at, (ulong)x); }
};

template <class T> $inline __global uint* $log_put(__global uint* at, T x) {
  at[0] = $logged<T>::components << 8 | $logged<T>::kind;
  $logged<T>::store(at + 1, x);
  return at + 1 + $logged<T>::words;
}

template <class... A>
$inline void $log_line(uint level, const __constant char* subsystem, const __constant char* category, const __constant char* format,
                       A... arguments) {
  __global uint* log = $log_buffer();
  if (!log || level < log[3]) return;
  constexpr uint words = 8 + (0 + ... + (1 + $logged<A>::words));
  uint capacity = log[1];
  volatile __global atomic<uint>* used = (volatile __global atomic<uint>*)log;
  uint at = capacity;
  // Looked at first, so that the count of words cannot wrap.
  if (atomic_load_explicit(used, memory_order_relaxed) < capacity) at = atomic_fetch_add_explicit(used, words, memory_order_relaxed);
  if (at >= capacity || words > capacity - at) {
    atomic_fetch_add_explicit((volatile __global atomic<uint>*)(log + 2), 1u, memory_order_relaxed);
    return;
  }
  __global uint* line = log + 4 + at;
  line[0] = words;
  line[1] = level;
  $logged_address::put(line + 2, (ulong)subsystem);
  $logged_address::put(line + 4, (ulong)category);
  $logged_address::put(line + 6, (ulong)format);
  line += 8;
  ((line = $log_put(line, arguments)), ...);
}

enum os_log_type { OS_LOG_TYPE_DEFAULT = 0, OS_LOG_TYPE_INFO = 1, OS_LOG_TYPE_DEBUG = 2, OS_LOG_TYPE_ERROR = 16, OS_LOG_TYPE_FAULT = 17 };
struct os_log {
  const __constant char* $subsystem;
  const __constant char* $category;
  $inline constexpr os_log() : $subsystem(nullptr), $category(nullptr) {}
  $inline constexpr os_log(const __constant char* subsystem, const __constant char* category)
      : $subsystem(subsystem), $category(category) {}
  // Levels are MTL::LogLevel's.
#define $LOG(name, level)                                                                                    \
  template <class... A> $inline void name(const __constant char* format, A... arguments) const {             \
    $log_line(level, $subsystem, $category, format, arguments...);                                           \
  }
  $LOG(log, 3)
  $LOG(log_debug, 1)
  $LOG(log_info, 2)
  $LOG(log_error, 4)
  $LOG(log_fault, 5)
#undef $LOG
  template <class... A> $inline void log_with_type(os_log_type type, const __constant char* format, A... arguments) const {
    uint level = type == OS_LOG_TYPE_DEBUG ? 1 : type == OS_LOG_TYPE_INFO ? 2 : type == OS_LOG_TYPE_ERROR ? 4 : type == OS_LOG_TYPE_FAULT ? 5 : 3;
    $log_line(level, $subsystem, $category, format, arguments...);
  }
};
constexpr const os_log os_log_default;

// Whether functions over simdgroups take a type.
template <class T> struct $in_simdgroups : bool_constant<is_arithmetic<T>::value && !__is_same(T, bool)> {};
template <class T, int N> struct $in_simdgroups<vec<T, N>> : $in_simdgroups<T> {};
template <class T> struct __is_valid_simdgroup_type : $in_simdgroups<remove_cv_t<T>> {};

} // namespace metal
