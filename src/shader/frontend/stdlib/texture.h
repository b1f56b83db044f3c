// SPDX-License-Identifier: Apache-2.0
// Samplers, texture2d and depth2d. Other texture types are refused by name.
#pragma clang system_header

namespace metal {

enum class access { sample, read, write, read_write };
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
struct gradient2d {
  float2 $dx, $dy;
  $inline gradient2d(float2 dx, float2 dy) : $dx(dx), $dy(dy) {}
};

// ---- intrinsics, by component type ----

__constant $sampler_object* $get_read_sampler() __asm("air.get_read_sampler");

template <class T> struct $texture2d_of;
#define $TEXTURE2D(T, s)                                                                                     \
  template <> struct $texture2d_of<T> {                                                                      \
    typedef $native<T, 4> V;                                                                                 \
    static V sample(__global $texture_object*, __constant $sampler_object*, $native<float, 2>, bool, $native<int, 2>, bool, float, float, int) \
        __asm("air.sample_texture_2d." s);                                                                   \
    static V sample_grad(__global $texture_object*, __constant $sampler_object*, $native<float, 2>, $native<float, 2>, $native<float, 2>, float, bool, \
                         $native<int, 2>, int) __asm("air.sample_texture_2d_grad." s);                       \
    static V gather(__global $texture_object*, __constant $sampler_object*, $native<float, 2>, bool, $native<int, 2>, int, int) \
        __asm("air.gather_texture_2d." s);                                                                   \
    static V read(__global $texture_object*, __constant $sampler_object*, $native<uint, 2>, $native<int, 2>, int, int) \
        __asm("air.read_texture_2d." s);                                                                     \
    static void write(__global $texture_object*, $native<uint, 2>, V, int, int) __asm("air.write_texture_2d." s); \
  };
$TEXTURE2D(float, "v4f32")
$TEXTURE2D(half, "v4f16")
$TEXTURE2D(int, "s.v4i32")
$TEXTURE2D(uint, "u.v4i32")
$TEXTURE2D(short, "s.v4i16")
$TEXTURE2D(ushort, "u.v4i16")
#undef $TEXTURE2D

uint $get_width_2d(__global $texture_object*, uint) __asm("air.get_width_texture_2d");
uint $get_height_2d(__global $texture_object*, uint) __asm("air.get_height_texture_2d");
uint $get_levels_2d(__global $texture_object*) __asm("air.get_num_mip_levels_texture_2d");
float $clamped_lod_2d(__global $texture_object*, __constant $sampler_object*, $native<float, 2>) __asm("air.calculate_clamped_lod_texture_2d");
float $unclamped_lod_2d(__global $texture_object*, __constant $sampler_object*, $native<float, 2>) __asm("air.calculate_unclamped_lod_texture_2d");

float $sample_depth_2d(__global $texture_object*, __constant $sampler_object*, int, $native<float, 2>, bool, $native<int, 2>, bool, float, float, int)
    __asm("air.sample_depth_2d.f32");
float $sample_depth_2d_grad(__global $texture_object*, __constant $sampler_object*, int, $native<float, 2>, $native<float, 2>, $native<float, 2>, float, bool,
                            $native<int, 2>, int) __asm("air.sample_depth_2d_grad.f32");
float $compare_depth_2d(__global $texture_object*, __constant $sampler_object*, int, $native<float, 2>, float, bool, $native<int, 2>, bool, float, float,
                        int) __asm("air.sample_compare_depth_2d.f32");
float $read_depth_2d(__global $texture_object*, __constant $sampler_object*, int, $native<uint, 2>, $native<int, 2>, int, int)
    __asm("air.read_depth_2d.f32");
$native<float, 4> $gather_depth_2d(__global $texture_object*, __constant $sampler_object*, int, $native<float, 2>, bool, $native<int, 2>, int)
    __asm("air.gather_depth_2d.v4f32");
$native<float, 4> $gather_compare_depth_2d(__global $texture_object*, __constant $sampler_object*, int, $native<float, 2>, float, bool, $native<int, 2>,
                                           int) __asm("air.gather_compare_depth_2d.v4f32");
uint $get_width_depth_2d(__global $texture_object*, uint) __asm("air.get_width_depth_2d");
uint $get_height_depth_2d(__global $texture_object*, uint) __asm("air.get_height_depth_2d");
uint $get_levels_depth_2d(__global $texture_object*) __asm("air.get_num_mip_levels_depth_2d");

// ---- texture2d ----

template <class T, access A = access::sample> struct texture2d {
  static_assert(__is_same(T, float) || __is_same(T, half) || __is_same(T, int) || __is_same(T, uint) || __is_same(T, short) || __is_same(T, ushort),
                "the component type of a texture is float, half, int, uint, short or ushort");
  typedef $texture2d_of<T> $ops;
  __global $texture_object* $t;

  $inline vec<T, 4> sample(sampler s, float2 p, int2 offset = int2(0)) const {
    $checkSample();
    return vec<T, 4>($raw(), $ops::sample($t, s.$handle(), p.$v, true, offset.$v, false, 0.0f, 0.0f, (int)A));
  }
  $inline vec<T, 4> sample(sampler s, float2 p, bias b, int2 offset = int2(0)) const {
    $checkSample();
    return vec<T, 4>($raw(), $ops::sample($t, s.$handle(), p.$v, true, offset.$v, false, b.$value, 0.0f, (int)A));
  }
  $inline vec<T, 4> sample(sampler s, float2 p, level l, int2 offset = int2(0)) const {
    $checkSample();
    return vec<T, 4>($raw(), $ops::sample($t, s.$handle(), p.$v, true, offset.$v, true, l.$value, 0.0f, (int)A));
  }
  $inline vec<T, 4> sample(sampler s, float2 p, min_lod_clamp m, int2 offset = int2(0)) const {
    $checkSample();
    return vec<T, 4>($raw(), $ops::sample($t, s.$handle(), p.$v, true, offset.$v, false, 0.0f, m.$value, (int)A));
  }
  $inline vec<T, 4> sample(sampler s, float2 p, bias b, min_lod_clamp m, int2 offset = int2(0)) const {
    $checkSample();
    return vec<T, 4>($raw(), $ops::sample($t, s.$handle(), p.$v, true, offset.$v, false, b.$value, m.$value, (int)A));
  }
  $inline vec<T, 4> sample(sampler s, float2 p, gradient2d g, int2 offset = int2(0)) const {
    $checkSample();
    return vec<T, 4>($raw(), $ops::sample_grad($t, s.$handle(), p.$v, g.$dx.$v, g.$dy.$v, 0.0f, true, offset.$v, (int)A));
  }
  $inline vec<T, 4> sample(sampler s, float2 p, gradient2d g, min_lod_clamp m, int2 offset = int2(0)) const {
    $checkSample();
    return vec<T, 4>($raw(), $ops::sample_grad($t, s.$handle(), p.$v, g.$dx.$v, g.$dy.$v, m.$value, true, offset.$v, (int)A));
  }
  $inline vec<T, 4> gather(sampler s, float2 p, int2 offset = int2(0), component c = component::x) const {
    $checkSample();
    return vec<T, 4>($raw(), $ops::gather($t, s.$handle(), p.$v, true, offset.$v, (int)c, (int)A));
  }
  $inline vec<T, 4> read(uint2 p, uint lod = 0) const {
    static_assert(A != access::write, "this texture is declared with access::write: it cannot be read");
    return vec<T, 4>($raw(), $ops::read($t, $get_read_sampler(), p.$v, int2(0).$v, lod, (int)A));
  }
  $inline vec<T, 4> read(ushort2 p, ushort lod = 0) const { return read(uint2(p), lod); }
  $inline void write(vec<T, 4> value, uint2 p, uint lod = 0) const {
    static_assert(A == access::write || A == access::read_write,
                  "this texture is not declared with access::write or access::read_write: it cannot be written");
    $ops::write($t, p.$v, value.$v, lod, (int)A);
  }
  $inline void write(vec<T, 4> value, ushort2 p, ushort lod = 0) const { write(value, uint2(p), lod); }
  $inline uint get_width(uint lod = 0) const { return $get_width_2d($t, lod); }
  $inline uint get_height(uint lod = 0) const { return $get_height_2d($t, lod); }
  $inline uint get_num_mip_levels() const { return $get_levels_2d($t); }
  $inline float calculate_clamped_lod(sampler s, float2 p) const { return $clamped_lod_2d($t, s.$handle(), p.$v); }
  $inline float calculate_unclamped_lod(sampler s, float2 p) const { return $unclamped_lod_2d($t, s.$handle(), p.$v); }

 private:
  static $inline constexpr void $checkSample() {
    static_assert(A == access::sample, "this texture is not declared with access::sample: it cannot be sampled");
  }
};

// ---- depth2d ----

template <class T, access A = access::sample> struct depth2d {
  static_assert(__is_same(T, float), "the component type of a depth texture is float");
  static_assert(A == access::sample || A == access::read, "a depth texture has access::sample or access::read");
  __global $texture_object* $t;

  $inline float sample(sampler s, float2 p, int2 offset = int2(0)) const {
    return $sample_depth_2d($t, s.$handle(), 1, p.$v, true, offset.$v, false, 0.0f, 0.0f, (int)A);
  }
  $inline float sample(sampler s, float2 p, bias b, int2 offset = int2(0)) const {
    return $sample_depth_2d($t, s.$handle(), 1, p.$v, true, offset.$v, false, b.$value, 0.0f, (int)A);
  }
  $inline float sample(sampler s, float2 p, level l, int2 offset = int2(0)) const {
    return $sample_depth_2d($t, s.$handle(), 1, p.$v, true, offset.$v, true, l.$value, 0.0f, (int)A);
  }
  $inline float sample(sampler s, float2 p, gradient2d g, int2 offset = int2(0)) const {
    return $sample_depth_2d_grad($t, s.$handle(), 1, p.$v, g.$dx.$v, g.$dy.$v, 0.0f, true, offset.$v, (int)A);
  }
  $inline float sample_compare(sampler s, float2 p, float reference, int2 offset = int2(0)) const {
    return $compare_depth_2d($t, s.$handle(), 1, p.$v, reference, true, offset.$v, false, 0.0f, 0.0f, (int)A);
  }
  $inline float sample_compare(sampler s, float2 p, float reference, level l, int2 offset = int2(0)) const {
    return $compare_depth_2d($t, s.$handle(), 1, p.$v, reference, true, offset.$v, true, l.$value, 0.0f, (int)A);
  }
  $inline float4 gather(sampler s, float2 p, int2 offset = int2(0)) const {
    return float4($raw(), $gather_depth_2d($t, s.$handle(), 1, p.$v, true, offset.$v, (int)A));
  }
  $inline float4 gather_compare(sampler s, float2 p, float reference, int2 offset = int2(0)) const {
    return float4($raw(), $gather_compare_depth_2d($t, s.$handle(), 1, p.$v, reference, true, offset.$v, (int)A));
  }
  $inline float read(uint2 p, uint lod = 0) const {
    return $read_depth_2d($t, $get_read_sampler(), 1, p.$v, int2(0).$v, lod, (int)A);
  }
  $inline float read(ushort2 p, ushort lod = 0) const { return read(uint2(p), lod); }
  $inline uint get_width(uint lod = 0) const { return $get_width_depth_2d($t, lod); }
  $inline uint get_height(uint lod = 0) const { return $get_height_depth_2d($t, lod); }
  $inline uint get_num_mip_levels() const { return $get_levels_depth_2d($t); }
};

// ---- refused by name ----

#define $REFUSED(name, default_access)                                                                       \
  template <class T, access A = access::default_access> struct name {                                        \
    static_assert($never<T>, #name " is not supported yet");                                                 \
  };
$REFUSED(texture1d, sample)
$REFUSED(texture1d_array, sample)
$REFUSED(texture2d_array, sample)
$REFUSED(texture2d_ms, read)
$REFUSED(texture2d_ms_array, read)
$REFUSED(texture3d, sample)
$REFUSED(texturecube, sample)
$REFUSED(texturecube_array, sample)
$REFUSED(texture_buffer, read)
$REFUSED(depth2d_array, sample)
$REFUSED(depth2d_ms, read)
$REFUSED(depthcube, sample)
$REFUSED(depthcube_array, sample)
#undef $REFUSED

} // namespace metal
