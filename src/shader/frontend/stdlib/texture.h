// SPDX-License-Identifier: Apache-2.0
// Samplers, and every kind of texture but those of ray tracing and tensors. The methods that kinds share are texture_methods.h.
#pragma clang system_header

namespace metal {

enum class access { sample, read, write, read_write };
enum memory_coherence { memory_coherence_threadgroup, memory_coherence_device };
enum class component { x, y, z, w };

// ---- samplers ----

enum class coord { normalized, pixel };
enum class address { clamp_to_zero, clamp_to_edge, repeat, mirrored_repeat, clamp_to_border };
enum class s_address { clamp_to_zero, clamp_to_edge, repeat, mirrored_repeat, clamp_to_border };
enum class t_address { clamp_to_zero, clamp_to_edge, repeat, mirrored_repeat, clamp_to_border };
enum class r_address { clamp_to_zero, clamp_to_edge, repeat, mirrored_repeat, clamp_to_border };
enum class filter { nearest, linear };
enum class mag_filter { nearest, linear };
enum class min_filter { nearest, linear };
enum class mip_filter { none, nearest, linear };
// The numbers are those of the sampler word.
enum class compare_func { less = 1, less_equal, greater, greater_equal, equal, not_equal, always, never, none = never };
enum class border_color { transparent_black, opaque_black, opaque_white };
struct max_anisotropy {
  int $n;
  $inline constexpr explicit max_anisotropy(int n) : $n(n < 1 ? 1 : n > 16 ? 16 : n) {}
};
struct lod_clamp {
  half $low, $high;
  $inline constexpr lod_clamp(half low, half high) : $low(low), $high(high) {}
};

struct $sampler_object;
struct $texture_object;

// An argument's handle, or the state of a constexpr sampler; air_passes.cpp makes AIR's sampler constant of the latter.
struct sampler {
  ulong $word;

  $inline constexpr sampler() : $word(0x007bff0000080049ul) {}
  template <class... Settings> $inline constexpr explicit sampler(Settings... settings) : $word(0x007bff0000080049ul) {
    ($set(settings), ...);
  }

  $inline constexpr void $field(uint low, uint bits, ulong value) {
    ulong mask = ((1ul << bits) - 1) << low;
    $word = ($word & ~mask) | (value << low);
  }
  $inline constexpr void $set(coord c) { $field(15, 1, (ulong)c); }
  $inline constexpr void $set(address a) {
    $field(0, 3, (ulong)a);
    $field(3, 3, (ulong)a);
    $field(6, 3, (ulong)a);
  }
  $inline constexpr void $set(s_address a) { $field(0, 3, (ulong)a); }
  $inline constexpr void $set(t_address a) { $field(3, 3, (ulong)a); }
  $inline constexpr void $set(r_address a) { $field(6, 3, (ulong)a); }
  $inline constexpr void $set(filter f) {
    $field(9, 2, (ulong)f);
    $field(11, 2, (ulong)f);
  }
  $inline constexpr void $set(mag_filter f) { $field(9, 2, (ulong)f); }
  $inline constexpr void $set(min_filter f) { $field(11, 2, (ulong)f); }
  $inline constexpr void $set(mip_filter f) { $field(13, 2, (ulong)f); }
  $inline constexpr void $set(compare_func f) { $field(16, 4, (ulong)f); }
  $inline constexpr void $set(max_anisotropy a) { $field(20, 4, (ulong)(a.$n - 1)); }
  $inline constexpr void $set(lod_clamp l) {
    $field(24, 16, __builtin_bit_cast(ushort, l.$low));
    $field(40, 16, __builtin_bit_cast(ushort, l.$high));
  }
  $inline constexpr void $set(border_color c) { $field(56, 2, (ulong)c); }

  $inline __constant $sampler_object* $handle() const { return (__constant $sampler_object*)$word; }
};

// ---- options of a look-up ----

struct bias {
  float $value;
  $inline explicit bias(float value) : $value(value) {}
};
struct level {
  float $value;
  $inline explicit level(float value) : $value(value) {}
};
struct min_lod_clamp {
  float $value;
  $inline explicit min_lod_clamp(float value) : $value(value) {}
};
#define $GRADIENT_OF(name, V)                                                                                \
  struct name {                                                                                              \
    V $dx, $dy;                                                                                              \
    $inline name(V dx, V dy) : $dx(dx), $dy(dy) {}                                                           \
  };
$GRADIENT_OF(gradient2d, float2)
$GRADIENT_OF(gradient3d, float3)
$GRADIENT_OF(gradientcube, float3)
#undef $GRADIENT_OF

__constant $sampler_object* $get_read_sampler() __asm("air.get_read_sampler");

#define $T __global $texture_object*
#define $S __constant $sampler_object*

// ---- queries: get_<what>_<kind>(texture, level) ----

#define $QUERY(what, kind) uint $get_##what##_##kind($T, uint) __asm("air.get_" #what "_" #kind);
#define $QUERY_ONE(what, kind) uint $get_##what##_##kind($T) __asm("air.get_" #what "_" #kind);
#define $QUERIES2(kind)                                                                                      \
  $QUERY(width, kind)                                                                                        \
  $QUERY(height, kind)                                                                                       \
  $QUERY_ONE(num_mip_levels, kind)
$QUERY(width, texture_1d)
$QUERY_ONE(num_mip_levels, texture_1d)
$QUERY(width, texture_1d_array)
$QUERY_ONE(num_mip_levels, texture_1d_array)
$QUERY_ONE(array_size, texture_1d_array)
$QUERIES2(texture_2d)
$QUERIES2(texture_2d_array)
$QUERY_ONE(array_size, texture_2d_array)
$QUERIES2(texture_3d)
$QUERY(depth, texture_3d)
$QUERIES2(texture_cube)
$QUERIES2(texture_cube_array)
$QUERY_ONE(array_size, texture_cube_array)
$QUERIES2(texture_2d_ms)
$QUERY_ONE(num_samples, texture_2d_ms)
$QUERIES2(texture_2d_ms_array)
$QUERY_ONE(num_samples, texture_2d_ms_array)
$QUERY_ONE(array_size, texture_2d_ms_array)
$QUERY_ONE(width, texture_buffer_1d)
$QUERIES2(depth_2d)
$QUERIES2(depth_2d_array)
$QUERY_ONE(array_size, depth_2d_array)
$QUERIES2(depth_cube)
$QUERIES2(depth_cube_array)
$QUERY_ONE(array_size, depth_cube_array)
$QUERIES2(depth_2d_ms)
$QUERY_ONE(num_samples, depth_2d_ms)
$QUERIES2(depth_2d_ms_array)
$QUERY_ONE(num_samples, depth_2d_ms_array)
$QUERY_ONE(array_size, depth_2d_ms_array)
#undef $QUERIES2
#undef $QUERY_ONE
#undef $QUERY

#define $LOD_QUERY(kind, V)                                                                                  \
  float $clamped_##kind($T, $S, V) __asm("air.calculate_clamped_lod_" #kind);                                \
  float $unclamped_##kind($T, $S, V) __asm("air.calculate_unclamped_lod_" #kind);
$LOD_QUERY(texture_1d, float)
$LOD_QUERY(texture_1d_array, float)
$LOD_QUERY(texture_2d, $native2<float>)
$LOD_QUERY(texture_2d_array, $native2<float>)
$LOD_QUERY(texture_3d, $native3<float>)
$LOD_QUERY(texture_cube, $native3<float>)
$LOD_QUERY(texture_cube_array, $native3<float>)
$LOD_QUERY(depth_2d, $native2<float>)
$LOD_QUERY(depth_2d_array, $native2<float>)
$LOD_QUERY(depth_cube, $native3<float>)
$LOD_QUERY(depth_cube_array, $native3<float>)
#undef $LOD_QUERY

#define $FENCE(kind) void $fence_##kind($T, int) __asm("air.fence_" #kind);
$FENCE(texture_1d)
$FENCE(texture_1d_array)
$FENCE(texture_2d)
$FENCE(texture_2d_array)
$FENCE(texture_3d)
$FENCE(texture_cube)
$FENCE(texture_cube_array)
$FENCE(texture_buffer_1d)
#undef $FENCE

// ---- colour look-ups by component type ----
// The kind's own types are the macros: $COORDINATE (with the layer), $GRADIENT, $OFFSET and $TEXEL (with face, layer, sample,
// level) with what stands behind them.

#define $EACH_TYPE(OPERATIONS, kind)                                                                         \
  OPERATIONS(kind, float, "v4f32")                                                                           \
  OPERATIONS(kind, half, "v4f16")                                                                            \
  OPERATIONS(kind, int, "s.v4i32")                                                                           \
  OPERATIONS(kind, uint, "u.v4i32")                                                                          \
  OPERATIONS(kind, short, "s.v4i16")                                                                         \
  OPERATIONS(kind, ushort, "u.v4i16")

#define $SAMPLES(kind, T, s)                                                                                 \
  template <> struct $sample_##kind<T> {                                                                     \
    typedef $native4<T> V;                                                                                 \
    static V sample($T, $S, $COORDINATE, $OFFSET bool, float, float, int) __asm("air.sample_texture_" #kind "." s); \
    static V sample_grad($T, $S, $COORDINATE, $GRADIENT, $GRADIENT, float, $OFFSET int) __asm("air.sample_texture_" #kind "_grad." s); \
  };
// One-dimensional textures have no gradients.
#define $SAMPLES_1D(kind, T, s)                                                                              \
  template <> struct $sample_##kind<T> {                                                                     \
    static $native4<T> sample($T, $S, $COORDINATE, bool, float, float, int) __asm("air.sample_texture_" #kind "." s); \
  };
#define $GATHERS(kind, T, s)                                                                                 \
  template <> struct $gather_##kind<T> {                                                                     \
    static $native4<T> gather($T, $S, $COORDINATE, $OFFSET int, int) __asm("air.gather_texture_" #kind "." s); \
  };
#define $READS(kind, T, s)                                                                                   \
  template <> struct $read_##kind<T> {                                                                       \
    static $native4<T> read($T, $S, $TEXEL, $LEVEL int) __asm("air.read_texture_" #kind "." s);            \
    static void write($T, $TEXEL, $native4<T>, int, int) __asm("air.write_texture_" #kind "." s);          \
  };
#define $COORDINATE float
#define $TEXEL uint
#define $LEVEL int,
template <class T> struct $sample_1d;
$EACH_TYPE($SAMPLES_1D, 1d)
template <class T> struct $read_1d;
$EACH_TYPE($READS, 1d)
#undef $COORDINATE
#undef $TEXEL
#define $COORDINATE float, uint
#define $TEXEL uint, uint
template <class T> struct $sample_1d_array;
$EACH_TYPE($SAMPLES_1D, 1d_array)
template <class T> struct $read_1d_array;
$EACH_TYPE($READS, 1d_array)
#undef $COORDINATE
#undef $TEXEL
#undef $LEVEL

#define $GRADIENT $native2<float>
#define $OFFSET bool, $native2<int>,
#define $LEVEL $native2<int>, int,
#define $COORDINATE $native2<float>
template <class T> struct $sample_2d;
$EACH_TYPE($SAMPLES, 2d)
template <class T> struct $gather_2d;
$EACH_TYPE($GATHERS, 2d)
#undef $COORDINATE
#define $COORDINATE $native2<float>, uint
template <class T> struct $sample_2d_array;
$EACH_TYPE($SAMPLES, 2d_array)
template <class T> struct $gather_2d_array;
$EACH_TYPE($GATHERS, 2d_array)
#undef $COORDINATE
#define $TEXEL $native2<uint>
template <class T> struct $read_2d;
$EACH_TYPE($READS, 2d)
#undef $TEXEL
#define $TEXEL $native2<uint>, uint
template <class T> struct $read_2d_array;
$EACH_TYPE($READS, 2d_array)
#undef $LEVEL
// A face, or a sample index.
#define $LEVEL int,
template <class T> struct $read_cube;
$EACH_TYPE($READS, cube)
#undef $LEVEL
#define $LEVEL
template <class T> struct $read_2d_ms;
$EACH_TYPE($READS, 2d_ms)
#undef $LEVEL
#undef $TEXEL
#define $TEXEL $native2<uint>, uint, uint
#define $LEVEL
template <class T> struct $read_2d_ms_array;
$EACH_TYPE($READS, 2d_ms_array)
#undef $LEVEL
#define $LEVEL int,
template <class T> struct $read_cube_array;
$EACH_TYPE($READS, cube_array)
#undef $LEVEL
#undef $TEXEL
#undef $GRADIENT
#undef $OFFSET

#define $GRADIENT $native3<float>
#define $OFFSET bool, $native3<int>,
#define $COORDINATE $native3<float>
template <class T> struct $sample_3d;
$EACH_TYPE($SAMPLES, 3d)
#undef $OFFSET
#define $OFFSET
template <class T> struct $sample_cube;
$EACH_TYPE($SAMPLES, cube)
template <class T> struct $gather_cube;
$EACH_TYPE($GATHERS, cube)
#undef $COORDINATE
#define $COORDINATE $native3<float>, uint
template <class T> struct $sample_cube_array;
$EACH_TYPE($SAMPLES, cube_array)
template <class T> struct $gather_cube_array;
$EACH_TYPE($GATHERS, cube_array)
#undef $COORDINATE
#undef $OFFSET
#undef $GRADIENT
#define $TEXEL $native3<uint>
#define $LEVEL $native3<int>, int,
template <class T> struct $read_3d;
$EACH_TYPE($READS, 3d)
#undef $LEVEL
#undef $TEXEL
#define $TEXEL uint
#define $LEVEL
template <class T> struct $read_buffer_1d;
$EACH_TYPE($READS, buffer_1d)
#undef $LEVEL
#undef $TEXEL
#undef $READS
#undef $GATHERS
#undef $SAMPLES_1D
#undef $SAMPLES
#undef $EACH_TYPE

// ---- atomic operations on texels: the value travels in the first component ----

#define $ATOMIC_TEXELS(kind, T, s, ...)                                                                      \
  template <> struct $atomics_##kind<T> {                                                                    \
    typedef $native4<T> V;                                                                                 \
    static V load($T, __VA_ARGS__, int) __asm("air.atomic_load_explicit_texture_" #kind "." s);              \
    static void store($T, __VA_ARGS__, V, int) __asm("air.atomic_store_explicit_texture_" #kind "." s);      \
    static V exchange($T, __VA_ARGS__, V, int) __asm("air.atomic_exchange_explicit_texture_" #kind "." s);   \
    static V compare_exchange_weak($T, __VA_ARGS__, V, V, int) __asm("air.atomic_compare_exchange_weak_explicit_texture_" #kind "." s); \
    static V fetch_add($T, __VA_ARGS__, V, int) __asm("air.atomic_fetch_add_explicit_texture_" #kind "." s); \
    static V fetch_sub($T, __VA_ARGS__, V, int) __asm("air.atomic_fetch_sub_explicit_texture_" #kind "." s); \
    static V fetch_and($T, __VA_ARGS__, V, int) __asm("air.atomic_fetch_and_explicit_texture_" #kind "." s); \
    static V fetch_or($T, __VA_ARGS__, V, int) __asm("air.atomic_fetch_or_explicit_texture_" #kind "." s);   \
    static V fetch_xor($T, __VA_ARGS__, V, int) __asm("air.atomic_fetch_xor_explicit_texture_" #kind "." s); \
    static V fetch_min($T, __VA_ARGS__, V, int) __asm("air.atomic_fetch_min_explicit_texture_" #kind "." s); \
    static V fetch_max($T, __VA_ARGS__, V, int) __asm("air.atomic_fetch_max_explicit_texture_" #kind "." s); \
  };
#define $ATOMIC_KIND(kind, ...)                                                                              \
  template <class T> struct $atomics_##kind;                                                                 \
  $ATOMIC_TEXELS(kind, int, "s.v4i32", __VA_ARGS__)                                                          \
  $ATOMIC_TEXELS(kind, uint, "u.v4i32", __VA_ARGS__)
$ATOMIC_KIND(1d, uint)
$ATOMIC_KIND(1d_array, uint, uint)
$ATOMIC_KIND(2d, $native2<uint>)
$ATOMIC_KIND(2d_array, $native2<uint>, uint)
$ATOMIC_KIND(3d, $native3<uint>)
$ATOMIC_KIND(cube, $native2<uint>, uint)
$ATOMIC_KIND(cube_array, $native2<uint>, uint, uint)
$ATOMIC_KIND(buffer_1d, uint)
#undef $ATOMIC_KIND
#undef $ATOMIC_TEXELS

// ---- depth look-ups ----

#define $DEPTH_SAMPLES(kind, ...)                                                                            \
  struct $depth_##kind {                                                                                     \
    static float sample($T, $S, int, __VA_ARGS__, $OFFSET bool, float, float, int) __asm("air.sample_depth_" #kind ".f32"); \
    static float sample_grad($T, $S, int, __VA_ARGS__, $GRADIENT, $GRADIENT, float, $OFFSET int) __asm("air.sample_depth_" #kind "_grad.f32"); \
    static float compare($T, $S, int, __VA_ARGS__, float, $OFFSET bool, float, float, int)                   \
        __asm("air.sample_compare_depth_" #kind ".f32");                                                     \
    static float compare_grad($T, $S, int, __VA_ARGS__, float, $GRADIENT, $GRADIENT, float, $OFFSET int)     \
        __asm("air.sample_compare_depth_" #kind "_grad.f32");                                                \
    static $native4<float> gather($T, $S, int, __VA_ARGS__, $OFFSET int) __asm("air.gather_depth_" #kind ".v4f32"); \
    static $native4<float> gather_compare($T, $S, int, __VA_ARGS__, float, $OFFSET int)                    \
        __asm("air.gather_compare_depth_" #kind ".v4f32");                                                   \
  };
#define $OFFSET bool, $native2<int>,
#define $GRADIENT $native2<float>
$DEPTH_SAMPLES(2d, $native2<float>)
$DEPTH_SAMPLES(2d_array, $native2<float>, uint)
#undef $OFFSET
#undef $GRADIENT
#define $OFFSET
#define $GRADIENT $native3<float>
$DEPTH_SAMPLES(cube, $native3<float>)
$DEPTH_SAMPLES(cube_array, $native3<float>, uint)
#undef $OFFSET
#undef $GRADIENT
#undef $DEPTH_SAMPLES
float $read_depth_2d($T, $S, int, $native2<uint>, $native2<int>, int, int) __asm("air.read_depth_2d.f32");
float $read_depth_2d_array($T, $S, int, $native2<uint>, uint, $native2<int>, int, int) __asm("air.read_depth_2d_array.f32");
float $read_depth_cube($T, $S, int, $native2<uint>, uint, int, int) __asm("air.read_depth_cube.f32");
float $read_depth_cube_array($T, $S, int, $native2<uint>, uint, uint, int, int) __asm("air.read_depth_cube_array.f32");
float $read_depth_2d_ms($T, $S, int, $native2<uint>, uint, int) __asm("air.read_depth_2d_ms.f32");
float $read_depth_2d_ms_array($T, $S, int, $native2<uint>, uint, uint, int) __asm("air.read_depth_2d_ms_array.f32");

#undef $T
#undef $S

// ---- the classes ----

template <class T> constexpr bool $texelType() {
  return __is_same(T, float) || __is_same(T, half) || __is_same(T, int) || __is_same(T, uint) || __is_same(T, short) || __is_same(T, ushort);
}
#define $CLASS(kind)                                                                                         \
  static_assert($texelType<T>(), "the component type of a texture is float, half, int, uint, short or ushort"); \
  __global $texture_object* $t;                                                                              \
  static $inline constexpr void $checkSample() {                                                             \
    static_assert(A == access::sample, "this texture is not declared with access::sample: it cannot be sampled"); \
  }                                                                                                          \
  static $inline constexpr void $checkRead() {                                                               \
    static_assert(A != access::write, "this texture is declared with access::write: it cannot be read");     \
  }                                                                                                          \
  static $inline constexpr void $checkWrite() {                                                              \
    static_assert(A == access::write || A == access::read_write,                                             \
                  "this texture is not declared with access::write or access::read_write: it cannot be written"); \
  }                                                                                                          \
  $inline void fence() const {                                                                               \
    static_assert(A == access::read_write, "fence() is for textures with access::read_write");               \
    $fence_texture_##kind($t, 4);                                                                            \
  }
#define $SIZE1(kind)                                                                                         \
  $inline uint get_width(uint lod = 0) const { return $get_width_##kind($t, lod); }                          \
  $inline uint get_num_mip_levels() const { return $get_num_mip_levels_##kind($t); }
#define $SIZE2(kind)                                                                                         \
  $SIZE1(kind)                                                                                               \
  $inline uint get_height(uint lod = 0) const { return $get_height_##kind($t, lod); }
#define $LAYERS(kind) $inline uint get_array_size() const { return $get_array_size_##kind($t); }
#define $MULTISAMPLED(kind)                                                                                  \
  $inline uint get_width() const { return $get_width_##kind($t, 0); }                                        \
  $inline uint get_height() const { return $get_height_##kind($t, 0); }                                      \
  $inline uint get_num_samples() const { return $get_num_samples_##kind($t); }
#define $LEVEL_OF(kind, V, value)                                                                            \
  $inline float calculate_clamped_lod(sampler s, V p) const { return $clamped_##kind($t, s.$handle(), value); } \
  $inline float calculate_unclamped_lod(sampler s, V p) const { return $unclamped_##kind($t, s.$handle(), value); }

// Texels: $U and $H are the parameters with 32-bit and 16-bit coordinates, $W turns the latter into the former.
#define $ATOMIC_METHOD(kind, name)                                                                           \
  $inline vec<T, 4> atomic_##name($U, vec<T, 4> value) const {                                               \
    $checkAtomic();                                                                                          \
    return vec<T, 4>($raw(), $atomics_##kind<T>::name($t, $X, value.$v, (int)A));                            \
  }
#define $ATOMIC_METHODS(kind)                                                                                \
  static $inline constexpr void $checkAtomic() {                                                             \
    static_assert(A == access::read_write, "atomic functions are for textures with access::read_write");     \
    static_assert(__is_same(T, int) || __is_same(T, uint), "atomic functions of textures are supported for int and uint"); \
  }                                                                                                          \
  $inline vec<T, 4> atomic_load($U) const {                                                                  \
    $checkAtomic();                                                                                          \
    return vec<T, 4>($raw(), $atomics_##kind<T>::load($t, $X, (int)A));                                      \
  }                                                                                                          \
  $inline void atomic_store(vec<T, 4> value, $U) const {                                                     \
    $checkAtomic();                                                                                          \
    $atomics_##kind<T>::store($t, $X, value.$v, (int)A);                                                     \
  }                                                                                                          \
  $inline bool atomic_compare_exchange_weak($U, thread vec<T, 4>* expected, vec<T, 4> desired) const {       \
    $checkAtomic();                                                                                          \
    vec<T, 4> before = *expected;                                                                            \
    *expected = vec<T, 4>($raw(), $atomics_##kind<T>::compare_exchange_weak($t, $X, before.$v, desired.$v, (int)A)); \
    return expected->x == before.x;                                                                          \
  }                                                                                                          \
  $ATOMIC_METHOD(kind, exchange)                                                                             \
  $ATOMIC_METHOD(kind, fetch_add)                                                                            \
  $ATOMIC_METHOD(kind, fetch_sub)                                                                            \
  $ATOMIC_METHOD(kind, fetch_and)                                                                            \
  $ATOMIC_METHOD(kind, fetch_or)                                                                             \
  $ATOMIC_METHOD(kind, fetch_xor)                                                                            \
  $ATOMIC_METHOD(kind, fetch_min)                                                                            \
  $ATOMIC_METHOD(kind, fetch_max)
// $R: what stands between the texel and the level in a read.
#define $TEXELS(kind)                                                                                        \
  $inline vec<T, 4> read($U, uint lod = 0) const {                                                           \
    $checkRead();                                                                                            \
    return vec<T, 4>($raw(), $read_##kind<T>::read($t, $get_read_sampler(), $X, $R(int)lod, (int)A));         \
  }                                                                                                          \
  $inline vec<T, 4> read($H, ushort lod = 0) const { return read($W, (uint)lod); }                            \
  $inline void write(vec<T, 4> value, $U, uint lod = 0) const {                                              \
    $checkWrite();                                                                                           \
    $read_##kind<T>::write($t, $X, value.$v, (int)lod, (int)A);                                              \
  }                                                                                                          \
  $inline void write(vec<T, 4> value, $H, ushort lod = 0) const { write(value, $W, (uint)lod); }             \
  $ATOMIC_METHODS(kind)
#define $SAMPLED_TEXELS(kind)                                                                                \
  $inline vec<T, 4> read($U) const {                                                                         \
    $checkRead();                                                                                            \
    return vec<T, 4>($raw(), $read_##kind<T>::read($t, $get_read_sampler(), $X, (int)A));                    \
  }                                                                                                          \
  $inline vec<T, 4> read($H) const { return read($W); }

#define $U uint x
#define $X x
#define $H ushort x
#define $W uint(x)
#define $R
template <class T, access A = access::sample, memory_coherence M = memory_coherence_threadgroup> struct texture1d {
  $CLASS(1d)
  $TEXELS(1d)
  $SIZE1(texture_1d)
  $inline vec<T, 4> sample(sampler s, float p) const {
    $checkSample();
    return vec<T, 4>($raw(), $sample_1d<T>::sample($t, s.$handle(), p, false, 0.0f, 0.0f, (int)A));
  }
  $LEVEL_OF(texture_1d, float, p)
};
#undef $U
#undef $X
#undef $H
#undef $W
#define $U uint x, uint layer
#define $X x, layer
#define $H ushort x, ushort layer
#define $W uint(x), uint(layer)
template <class T, access A = access::sample, memory_coherence M = memory_coherence_threadgroup> struct texture1d_array {
  $CLASS(1d_array)
  $TEXELS(1d_array)
  $SIZE1(texture_1d_array)
  $LAYERS(texture_1d_array)
  $inline vec<T, 4> sample(sampler s, float p, uint layer) const {
    $checkSample();
    return vec<T, 4>($raw(), $sample_1d_array<T>::sample($t, s.$handle(), p, layer, false, 0.0f, 0.0f, (int)A));
  }
  $LEVEL_OF(texture_1d_array, float, p)
};
#undef $U
#undef $X
#undef $H
#undef $W
#undef $R

// $P and $A: the coordinate's parameters and arguments; $O and $OA: the offset's; $G: the gradient's class.
#define $O , int2 offset = int2(0)
#define $OA true, offset.$v,
#define $G gradient2d
#define $R int2(0).$v,
#define $P float2 p
#define $PA p.$v
#define $U uint2 at
#define $X at.$v
#define $H ushort2 at
#define $W uint2(at)
template <class T, access A = access::sample, memory_coherence M = memory_coherence_threadgroup> struct texture2d {
  $CLASS(2d)
  $TEXELS(2d)
  $SIZE2(texture_2d)
  $LEVEL_OF(texture_2d, float2, p.$v)
#define $KIND $sample_2d<T>
#define $GATHER $gather_2d<T>
#include "texture_methods.h"
#undef $KIND
#undef $GATHER
};
template <class T, access A = access::sample, memory_coherence M = memory_coherence_threadgroup> struct depth2d {
  $SIZE2(depth_2d)
  $LEVEL_OF(depth_2d, float2, p.$v)
#define $KIND $depth_2d
#define $READ $read_depth_2d
#include "depth_methods.h"
#undef $READ
#undef $KIND
};
#undef $P
#undef $PA
#undef $U
#undef $X
#undef $H
#undef $W
#define $P float2 p, uint layer
#define $PA p.$v, layer
#define $U uint2 at, uint layer
#define $X at.$v, layer
#define $H ushort2 at, ushort layer
#define $W uint2(at), uint(layer)
template <class T, access A = access::sample, memory_coherence M = memory_coherence_threadgroup> struct texture2d_array {
  $CLASS(2d_array)
  $TEXELS(2d_array)
  $SIZE2(texture_2d_array)
  $LAYERS(texture_2d_array)
  $LEVEL_OF(texture_2d_array, float2, p.$v)
#define $KIND $sample_2d_array<T>
#define $GATHER $gather_2d_array<T>
#include "texture_methods.h"
#undef $KIND
#undef $GATHER
};
template <class T, access A = access::sample, memory_coherence M = memory_coherence_threadgroup> struct depth2d_array {
  $SIZE2(depth_2d_array)
  $LAYERS(depth_2d_array)
  $LEVEL_OF(depth_2d_array, float2, p.$v)
#define $KIND $depth_2d_array
#define $READ $read_depth_2d_array
#include "depth_methods.h"
#undef $READ
#undef $KIND
};
#undef $P
#undef $PA
#undef $O
#undef $OA
#undef $G
#undef $R

// A cube's texels are named by face.
#define $O
#define $OA
#define $G gradientcube
#define $R
#define $P float3 p
#define $PA p.$v
template <class T, access A = access::sample, memory_coherence M = memory_coherence_threadgroup> struct texturecube {
  $CLASS(cube)
  $TEXELS(cube)
  $SIZE2(texture_cube)
  $LEVEL_OF(texture_cube, float3, p.$v)
#define $KIND $sample_cube<T>
#define $GATHER $gather_cube<T>
#include "texture_methods.h"
#undef $KIND
#undef $GATHER
};
template <class T, access A = access::sample, memory_coherence M = memory_coherence_threadgroup> struct depthcube {
  $SIZE2(depth_cube)
  $LEVEL_OF(depth_cube, float3, p.$v)
#define $KIND $depth_cube
#define $READ $read_depth_cube
#include "depth_methods.h"
#undef $READ
#undef $KIND
};
#undef $P
#undef $PA
#undef $U
#undef $X
#undef $H
#undef $W
#define $P float3 p, uint layer
#define $PA p.$v, layer
#define $U uint2 at, uint face, uint layer
#define $X at.$v, face, layer
#define $H ushort2 at, ushort face, ushort layer
#define $W uint2(at), uint(face), uint(layer)
template <class T, access A = access::sample, memory_coherence M = memory_coherence_threadgroup> struct texturecube_array {
  $CLASS(cube_array)
  $TEXELS(cube_array)
  $SIZE2(texture_cube_array)
  $LAYERS(texture_cube_array)
  $LEVEL_OF(texture_cube_array, float3, p.$v)
#define $KIND $sample_cube_array<T>
#define $GATHER $gather_cube_array<T>
#include "texture_methods.h"
#undef $KIND
#undef $GATHER
};
template <class T, access A = access::sample, memory_coherence M = memory_coherence_threadgroup> struct depthcube_array {
  $SIZE2(depth_cube_array)
  $LAYERS(depth_cube_array)
  $LEVEL_OF(depth_cube_array, float3, p.$v)
#define $KIND $depth_cube_array
#define $READ $read_depth_cube_array
#include "depth_methods.h"
#undef $READ
#undef $KIND
};
#undef $P
#undef $PA
#undef $U
#undef $X
#undef $H
#undef $W
#undef $O
#undef $OA
#undef $G
#undef $R

#define $O , int3 offset = int3(0)
#define $OA true, offset.$v,
#define $G gradient3d
#define $R int3(0).$v,
#define $P float3 p
#define $PA p.$v
#define $U uint3 at
#define $X at.$v
#define $H ushort3 at
#define $W uint3(at)
template <class T, access A = access::sample, memory_coherence M = memory_coherence_threadgroup> struct texture3d {
  $CLASS(3d)
  $TEXELS(3d)
  $SIZE2(texture_3d)
  $inline uint get_depth(uint lod = 0) const { return $get_depth_texture_3d($t, lod); }
  $LEVEL_OF(texture_3d, float3, p.$v)
#define $KIND $sample_3d<T>
#include "texture_methods.h"
#undef $KIND
};
#undef $P
#undef $PA
#undef $U
#undef $X
#undef $H
#undef $W
#undef $O
#undef $OA
#undef $G
#undef $R

#define $U uint2 at, uint sample
#define $X at.$v, sample
#define $H ushort2 at, ushort sample
#define $W uint2(at), uint(sample)
template <class T, access A = access::read, memory_coherence M = memory_coherence_threadgroup> struct texture2d_ms {
  static_assert($texelType<T>(), "the component type of a texture is float, half, int, uint, short or ushort");
  static_assert(A == access::read, "a multisampled texture has access::read");
  __global $texture_object* $t;
  static $inline constexpr void $checkRead() {}
  $SAMPLED_TEXELS(2d_ms)
  $MULTISAMPLED(texture_2d_ms)
};
template <class T, access A = access::read, memory_coherence M = memory_coherence_threadgroup> struct depth2d_ms {
  static_assert(__is_same(T, float) && A == access::read, "a multisampled depth texture holds float and has access::read");
  __global $texture_object* $t;
  $inline float read($U) const { return $read_depth_2d_ms($t, $get_read_sampler(), 1, $X, (int)A); }
  $inline float read($H) const { return read($W); }
  $MULTISAMPLED(depth_2d_ms)
};
#undef $U
#undef $X
#undef $H
#undef $W
#define $U uint2 at, uint layer, uint sample
#define $X at.$v, layer, sample
#define $H ushort2 at, ushort layer, ushort sample
#define $W uint2(at), uint(layer), uint(sample)
template <class T, access A = access::read, memory_coherence M = memory_coherence_threadgroup> struct texture2d_ms_array {
  static_assert($texelType<T>(), "the component type of a texture is float, half, int, uint, short or ushort");
  static_assert(A == access::read, "a multisampled texture has access::read");
  __global $texture_object* $t;
  static $inline constexpr void $checkRead() {}
  $SAMPLED_TEXELS(2d_ms_array)
  $MULTISAMPLED(texture_2d_ms_array)
  $LAYERS(texture_2d_ms_array)
};
template <class T, access A = access::read, memory_coherence M = memory_coherence_threadgroup> struct depth2d_ms_array {
  static_assert(__is_same(T, float) && A == access::read, "a multisampled depth texture holds float and has access::read");
  __global $texture_object* $t;
  $inline float read($U) const { return $read_depth_2d_ms_array($t, $get_read_sampler(), 1, $X, (int)A); }
  $inline float read($H) const { return read($W); }
  $MULTISAMPLED(depth_2d_ms_array)
  $LAYERS(depth_2d_ms_array)
};
#undef $U
#undef $X
#undef $H
#undef $W

#define $U uint x
#define $X x
#define $H ushort x
#define $W uint(x)
template <class T, access A = access::read, memory_coherence M = memory_coherence_threadgroup> struct texture_buffer {
  static_assert(A != access::sample, "a texture buffer has access::read, write or read_write");
  $CLASS(buffer_1d)
  $SAMPLED_TEXELS(buffer_1d)
  $inline void write(vec<T, 4> value, $U) const {
    $checkWrite();
    $read_buffer_1d<T>::write($t, $X, value.$v, 0, (int)A);
  }
  $inline void write(vec<T, 4> value, $H) const { write(value, $W); }
  $ATOMIC_METHODS(buffer_1d)
  $inline uint get_width() const { return $get_width_texture_buffer_1d($t); }
};
#undef $U
#undef $X
#undef $H
#undef $W
#undef $SAMPLED_TEXELS
#undef $TEXELS
#undef $ATOMIC_METHODS
#undef $ATOMIC_METHOD
#undef $LEVEL_OF
#undef $MULTISAMPLED
#undef $LAYERS
#undef $SIZE2
#undef $SIZE1
#undef $CLASS

} // namespace metal
