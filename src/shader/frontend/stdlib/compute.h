// SPDX-License-Identifier: Apache-2.0
// Derivatives, discard and barriers.
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

// A varying that the fragment function takes from where it wants.
enum class interpolation { perspective, no_perspective };
struct $interpolant_object;
template <class T> struct $interpolants;
#define $INTERPOLANT(T, V, s)                                                                                \
  template <> struct $interpolants<T> {                                                                      \
    static V center(__global $interpolant_object*) __asm("air.interpolate_center_perspective." s);           \
    static V centroid(__global $interpolant_object*) __asm("air.interpolate_centroid_perspective." s);       \
    static V sample(__global $interpolant_object*, uint) __asm("air.interpolate_sample_perspective." s);     \
    static V offset(__global $interpolant_object*, $native2<float>) __asm("air.interpolate_offset_perspective." s); \
    static $inline T make(V v) { return T(v); }                                                              \
  };
$INTERPOLANT(float, float, "f32")
$INTERPOLANT(float2, $native2<float>, "v2f32")
$INTERPOLANT(float3, $native3<float>, "v3f32")
$INTERPOLANT(float4, $native4<float>, "v4f32")
$INTERPOLANT(half, half, "f16")
$INTERPOLANT(half2, $native2<half>, "v2f16")
$INTERPOLANT(half3, $native3<half>, "v3f16")
$INTERPOLANT(half4, $native4<half>, "v4f16")
#undef $INTERPOLANT
template <class T, interpolation I> struct interpolant {
  __global $interpolant_object* $i;
  $inline T interpolate_at_center() const { return $interpolants<T>::make($interpolants<T>::center($i)); }
  $inline T interpolate_at_centroid() const { return $interpolants<T>::make($interpolants<T>::centroid($i)); }
  $inline T interpolate_at_sample(uint sample) const { return $interpolants<T>::make($interpolants<T>::sample($i, sample)); }
  $inline T interpolate_at_offset(float2 offset) const { return $interpolants<T>::make($interpolants<T>::offset($i, offset.$v)); }
};

// ---- samples ----

uint $num_samples() __asm("air.get_num_samples.i32");
$inline uint get_num_samples() { return $num_samples(); }
// Sixteenths of a pixel, y and x in a byte.
$inline float2 get_sample_position(uint index) {
  uint count = $num_samples();
  ulong all = count == 2 ? 0x44ccul : count == 4 ? 0xeaa26e26ul : count == 8 ? 0x1ffb71d3359db759ul : 0x88ul;
  uint place = (uint)(all >> (8 * index));
  return float2(float(place & 15), float(place >> 4 & 15)) / 16.0f;
}

void $discard_fragment() __asm("air.discard_fragment");
$inline void discard_fragment() { $discard_fragment(); }

// ---- barriers ----

enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4, mem_threadgroup_imageblock = 8, mem_object_data = 16 };
$inline constexpr mem_flags operator|(mem_flags a, mem_flags b) { return (mem_flags)((int)a | (int)b); }
$inline constexpr mem_flags operator&(mem_flags a, mem_flags b) { return (mem_flags)((int)a & (int)b); }
enum memory_order { memory_order_relaxed = 0, memory_order_acquire = 2, memory_order_release = 3, memory_order_acq_rel = 4, memory_order_seq_cst = 5 };
enum thread_scope { thread_scope_thread = 0, thread_scope_threadgroup = 1, thread_scope_device = 2, thread_scope_simdgroup = 4 };

void $wg_barrier(int, int) __asm("air.wg.barrier");
void $simdgroup_barrier(int, int) __asm("air.simdgroup.barrier");
$inline void threadgroup_barrier(mem_flags flags) { $wg_barrier((int)flags, 1); }
$inline void threadgroup_barrier(mem_flags flags, thread_scope) { $wg_barrier((int)flags, 1); }
$inline void simdgroup_barrier(mem_flags flags) { $simdgroup_barrier((int)flags, 4); }
$inline void simdgroup_barrier(mem_flags flags, thread_scope) { $simdgroup_barrier((int)flags, 4); }
void $atomic_fence(int, int, int) __asm("air.atomic.fence");
$inline void atomic_thread_fence(mem_flags flags, memory_order order, thread_scope scope = thread_scope_device) {
  $atomic_fence((int)flags, (int)order, (int)scope);
}

bool $is_helper() __asm("air.simd_is_helper_thread");
$inline bool simd_is_helper_thread() { return $is_helper(); }

} // namespace metal

// ---- function constants ----

bool $is_function_constant_defined(const void*) __asm("air.is_function_constant_defined");
template <class T> $inline bool is_function_constant_defined(const T& value) { return $is_function_constant_defined(&value); }
