// SPDX-License-Identifier: Apache-2.0
// Packing of normalised values into integers and back.
#pragma clang system_header

namespace metal {

#define $PACK(kind, packed, count)                                                                           \
  packed $air_pack_##kind($native<float, count>) __asm("air.pack." #kind ".v" #count "f32");                 \
  $native<float, count> $air_unpack_##kind(packed) __asm("air.unpack." #kind ".v" #count "f32");
$PACK(snorm2x16, uint, 2)
$PACK(unorm2x16, uint, 2)
$PACK(snorm4x8, uint, 4)
$PACK(unorm4x8, uint, 4)
#undef $PACK

// Written out: lavapipe spreads the sign of a constant's component over those above it.
$inline uint pack_float_to_snorm2x16(float2 x) {
  uint2 n = uint2(int2(rint(clamp(x, -1.0f, 1.0f) * 32767.0f))) & 0xffffu;
  return n.x | n.y << 16;
}
$inline uint pack_float_to_unorm2x16(float2 x) { return $air_pack_unorm2x16(x.$v); }
$inline uint pack_float_to_snorm4x8(float4 x) {
  uint4 n = uint4(int4(rint(clamp(x, -1.0f, 1.0f) * 127.0f))) & 0xffu;
  return n.x | n.y << 8 | n.z << 16 | n.w << 24;
}
$inline uint pack_float_to_unorm4x8(float4 x) { return $air_pack_unorm4x8(x.$v); }
$inline float2 unpack_snorm2x16_to_float(uint x) { return float2($raw(), $air_unpack_snorm2x16(x)); }
$inline float2 unpack_unorm2x16_to_float(uint x) { return float2($raw(), $air_unpack_unorm2x16(x)); }
$inline float4 unpack_snorm4x8_to_float(uint x) { return float4($raw(), $air_unpack_snorm4x8(x)); }
$inline float4 unpack_unorm4x8_to_float(uint x) { return float4($raw(), $air_unpack_unorm4x8(x)); }

#define $PACK_HALF(name, count)                                                                              \
  $inline uint pack_half_to_##name(half##count x) { return pack_float_to_##name(float##count(x)); }          \
  $inline half##count unpack_##name##_to_half(uint x) { return half##count(unpack_##name##_to_float(x)); }
$PACK_HALF(snorm2x16, 2)
$PACK_HALF(unorm2x16, 2)
$PACK_HALF(snorm4x8, 4)
$PACK_HALF(unorm4x8, 4)
#undef $PACK_HALF

// sRGB's transfer function, for the first three components.
$inline float3 $toSrgb(float3 x) { return select(1.055f * pow(x, float3(1.0f / 2.4f)) - 0.055f, 12.92f * x, x <= 0.0031308f); }
$inline float3 $fromSrgb(float3 x) { return select(pow((x + 0.055f) / 1.055f, float3(2.4f)), x / 12.92f, x <= 0.04045f); }
$inline uint pack_float_to_srgb_unorm4x8(float4 x) { return pack_float_to_unorm4x8(float4($toSrgb(saturate(x.xyz)), x.w)); }
$inline uint pack_half_to_srgb_unorm4x8(half4 x) { return pack_float_to_srgb_unorm4x8(float4(x)); }
$inline float4 unpack_unorm4x8_srgb_to_float(uint x) {
  float4 v = unpack_unorm4x8_to_float(x);
  return float4($fromSrgb(v.xyz), v.w);
}
$inline half4 unpack_unorm4x8_srgb_to_half(uint x) { return half4(unpack_unorm4x8_srgb_to_float(x)); }

$inline uint pack_float_to_unorm10a2(float4 x) {
  uint4 n = uint4(rint(saturate(x) * float4(1023.0f, 1023.0f, 1023.0f, 3.0f)));
  return n.x | n.y << 10 | n.z << 20 | n.w << 30;
}
$inline float4 unpack_unorm10a2_to_float(uint x) {
  return float4(uint4(x & 1023u, x >> 10 & 1023u, x >> 20 & 1023u, x >> 30)) / float4(1023.0f, 1023.0f, 1023.0f, 3.0f);
}
$inline ushort pack_float_to_unorm565(float3 x) {
  uint3 n = uint3(rint(saturate(x) * float3(31.0f, 63.0f, 31.0f)));
  return ushort(n.x << 11 | n.y << 5 | n.z);
}
$inline float3 unpack_unorm565_to_float(ushort x) {
  return float3(uint3(x >> 11, x >> 5 & 63, x & 31)) / float3(31.0f, 63.0f, 31.0f);
}
$inline uint pack_half_to_unorm10a2(half4 x) { return pack_float_to_unorm10a2(float4(x)); }
$inline half4 unpack_unorm10a2_to_half(uint x) { return half4(unpack_unorm10a2_to_float(x)); }
$inline ushort pack_half_to_unorm565(half3 x) { return pack_float_to_unorm565(float3(x)); }
$inline half3 unpack_unorm565_to_half(ushort x) { return half3(unpack_unorm565_to_float(x)); }

} // namespace metal
