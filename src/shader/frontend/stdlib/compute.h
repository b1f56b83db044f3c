// SPDX-License-Identifier: Apache-2.0
// Barriers, atomics, derivatives, discard, and the names of later features, refused at their use.
#pragma clang system_header

namespace metal {

// ---- fragment functions ----

#define $DERIVATIVE_OF(op, T, s, n)                                                                          \
  $native<T, n> $air_##op($native<T, n>) __asm("air." #op ".v" #n #s);                                       \
  $inline vec<T, n> op(vec<T, n> x) { return vec<T, n>($raw(), $air_##op(x.$v)); }
#define $DERIVATIVE(op, T, s)                                                                                \
  T $air_##op(T) __asm("air." #op "." #s);                                                                   \
  $inline T op(T x) { return $air_##op(x); }                                                                 \
  $DERIVATIVE_OF(op, T, s, 2)                                                                                \
  $DERIVATIVE_OF(op, T, s, 3)                                                                                \
  $DERIVATIVE_OF(op, T, s, 4)
$DERIVATIVE(dfdx, float, f32)
$DERIVATIVE(dfdy, float, f32)
$DERIVATIVE(fwidth, float, f32)
$DERIVATIVE(dfdx, half, f16)
$DERIVATIVE(dfdy, half, f16)
$DERIVATIVE(fwidth, half, f16)
#undef $DERIVATIVE
#undef $DERIVATIVE_OF

void $discard_fragment() __asm("air.discard_fragment");
$inline void discard_fragment() { $discard_fragment(); }

// ---- barriers ----

enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4, mem_threadgroup_imageblock = 8, mem_object_data = 16 };
$inline constexpr mem_flags operator|(mem_flags a, mem_flags b) { return (mem_flags)((int)a | (int)b); }

void $wg_barrier(int, int) __asm("air.wg.barrier");
void $simdgroup_barrier(int, int) __asm("air.simdgroup.barrier");
$inline void threadgroup_barrier(mem_flags flags) { $wg_barrier((int)flags, 1); }
$inline void simdgroup_barrier(mem_flags flags) { $simdgroup_barrier((int)flags, 4); }

// ---- atomics ----

enum memory_order { memory_order_relaxed = 0 };

template <class T> struct atomic {
  static_assert(__is_same(T, int) || __is_same(T, uint) || __is_same(T, float), "atomic<T> is supported for int, uint and float");
  T $a;
};
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;
typedef atomic<float> atomic_float;

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
#undef $ATOMIC_INTEGER
#undef $ATOMIC_EXCHANGE
#undef $ATOMIC_BASIC
#undef $ATOMIC
#undef $ATOMIC_DECLARE

// ---- array ----

template <class T, ulong N> struct array {
  T $e[N];
  $inline constexpr ulong size() const { return N; }
  $inline constexpr bool empty() const { return N == 0; }
  $inline T& operator[](ulong i) { return $e[i]; }
  $inline constexpr const T& operator[](ulong i) const { return $e[i]; }
};

// ---- refused at their use ----

#define $REFUSED(name)                                                                                       \
  template <class... A> void name(A...) __attribute__((unavailable(#name " is not supported yet")));
$REFUSED(simd_sum)
$REFUSED(simd_product)
$REFUSED(simd_min)
$REFUSED(simd_max)
$REFUSED(simd_and)
$REFUSED(simd_or)
$REFUSED(simd_xor)
$REFUSED(simd_all)
$REFUSED(simd_any)
$REFUSED(simd_ballot)
$REFUSED(simd_broadcast)
$REFUSED(simd_broadcast_first)
$REFUSED(simd_is_first)
$REFUSED(simd_prefix_inclusive_sum)
$REFUSED(simd_prefix_exclusive_sum)
$REFUSED(simd_shuffle)
$REFUSED(simd_shuffle_up)
$REFUSED(simd_shuffle_down)
$REFUSED(simd_shuffle_xor)
$REFUSED(simd_active_threads_mask)
$REFUSED(quad_sum)
$REFUSED(quad_broadcast)
$REFUSED(quad_shuffle)
$REFUSED(quad_shuffle_xor)
$REFUSED(atomic_thread_fence)
#undef $REFUSED

} // namespace metal

// ---- function constants ----

bool $is_function_constant_defined(const void*) __asm("air.is_function_constant_defined");
template <class T> $inline bool is_function_constant_defined(const T& value) { return $is_function_constant_defined(&value); }
