// SPDX-License-Identifier: Apache-2.0
// Atomic operations on device and threadgroup memory.
#pragma clang system_header

namespace metal {

template <class T> struct atomic {
  static_assert(__is_same(T, int) || __is_same(T, uint) || __is_same(T, float) || __is_same(T, ulong),
                "atomic<T> is supported for int, uint, float and ulong");
  T $a;
};
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;
typedef atomic<float> atomic_float;
typedef atomic<ulong> atomic_ulong;

// Scope: 2 device, 1 threadgroup. The last argument says volatile.
#define $ATOMIC_DECLARE(name, op, T, s)                                                                      \
  T $air_atomic_##name(volatile __global atomic<T>*, T, int, int, bool) __asm("air.atomic.global." op s);    \
  T $air_atomic_##name(volatile __local atomic<T>*, T, int, int, bool) __asm("air.atomic.local." op s);
#define $ATOMIC(name, op, T, s)                                                                              \
  $ATOMIC_DECLARE(name, op, T, s)                                                                            \
  $inline T atomic_##name##_explicit(volatile __global atomic<T>* object, T value, memory_order order) {     \
    return $air_atomic_##name(object, value, (int)order, 2, true);                                           \
  }                                                                                                          \
  $inline T atomic_##name##_explicit(volatile __local atomic<T>* object, T value, memory_order order) {      \
    return $air_atomic_##name(object, value, (int)order, 1, true);                                           \
  }
#define $ATOMIC_BASIC(T, s)                                                                                  \
  T $air_atomic_load(const volatile __global atomic<T>*, int, int, bool) __asm("air.atomic.global.load." s); \
  T $air_atomic_load(const volatile __local atomic<T>*, int, int, bool) __asm("air.atomic.local.load." s);   \
  void $air_atomic_store(volatile __global atomic<T>*, T, int, int, bool) __asm("air.atomic.global.store." s); \
  void $air_atomic_store(volatile __local atomic<T>*, T, int, int, bool) __asm("air.atomic.local.store." s); \
  $inline T atomic_load_explicit(const volatile __global atomic<T>* object, memory_order order) {            \
    return $air_atomic_load(object, (int)order, 2, true);                                                    \
  }                                                                                                          \
  $inline T atomic_load_explicit(const volatile __local atomic<T>* object, memory_order order) {             \
    return $air_atomic_load(object, (int)order, 1, true);                                                    \
  }                                                                                                          \
  $inline void atomic_store_explicit(volatile __global atomic<T>* object, T value, memory_order order) {     \
    $air_atomic_store(object, value, (int)order, 2, true);                                                   \
  }                                                                                                          \
  $inline void atomic_store_explicit(volatile __local atomic<T>* object, T value, memory_order order) {      \
    $air_atomic_store(object, value, (int)order, 1, true);                                                   \
  }                                                                                                          \
  $ATOMIC(exchange, "xchg.", T, s)                                                                           \
  $ATOMIC(fetch_add, "add.", T, s)
// Returns what was there and leaves it in *expected; Metal's function says whether the two were equal.
#define $ATOMIC_EXCHANGE(T, s)                                                                               \
  T $air_atomic_cmpxchg(volatile __global atomic<T>*, __private T*, T, int, int, int, bool) __asm("air.atomic.global.cmpxchg.weak." s); \
  T $air_atomic_cmpxchg(volatile __local atomic<T>*, __private T*, T, int, int, int, bool) __asm("air.atomic.local.cmpxchg.weak." s); \
  $inline bool atomic_compare_exchange_weak_explicit(volatile __global atomic<T>* object, __private T* expected, T desired, \
                                                     memory_order success, memory_order failure) {          \
    T before = *expected;                                                                                    \
    return $air_atomic_cmpxchg(object, expected, desired, (int)success, (int)failure, 2, true) == before;    \
  }                                                                                                          \
  $inline bool atomic_compare_exchange_weak_explicit(volatile __local atomic<T>* object, __private T* expected, T desired, \
                                                     memory_order success, memory_order failure) {          \
    T before = *expected;                                                                                    \
    return $air_atomic_cmpxchg(object, expected, desired, (int)success, (int)failure, 1, true) == before;    \
  }
#define $ATOMIC_INTEGER(T, sign, s)                                                                          \
  $ATOMIC_BASIC(T, s)                                                                                        \
  $ATOMIC(fetch_sub, "sub.", T, s)                                                                           \
  $ATOMIC(fetch_and, "and.", T, s)                                                                           \
  $ATOMIC(fetch_or, "or.", T, s)                                                                             \
  $ATOMIC(fetch_xor, "xor.", T, s)                                                                           \
  $ATOMIC(fetch_min, "min." sign, T, s)                                                                      \
  $ATOMIC(fetch_max, "max." sign, T, s)                                                                      \
  $ATOMIC_EXCHANGE(T, s)
$ATOMIC_INTEGER(int, "s.", "i32")
$ATOMIC_INTEGER(uint, "u.", "i32")
$ATOMIC_BASIC(float, "f32")
$ATOMIC(fetch_sub, "sub.", float, "f32")
$ATOMIC_EXCHANGE(float, "f32")
// 64-bit atomics have only these two, in device memory, and no result.
#define $ATOMIC_LONG(name)                                                                                   \
  ulong $air_atomic_##name(volatile __global atomic<ulong>*, ulong, int, int, bool) __asm("air.atomic.global." #name ".u.i64"); \
  $inline void atomic_##name##_explicit(volatile __global atomic<ulong>* object, ulong value, memory_order order) { \
    $air_atomic_##name(object, value, (int)order, 2, true);                                                  \
  }
$ATOMIC_LONG(min)
$ATOMIC_LONG(max)
#undef $ATOMIC_LONG
#undef $ATOMIC_INTEGER
#undef $ATOMIC_EXCHANGE
#undef $ATOMIC_BASIC
#undef $ATOMIC
#undef $ATOMIC_DECLARE

} // namespace metal
