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

$inline uint pack_float_to_snorm2x16(float2 x) { return $air_pack_snorm2x16(x.$v); }
$inline uint pack_float_to_unorm2x16(float2 x) { return $air_pack_unorm2x16(x.$v); }
$inline uint pack_float_to_snorm4x8(float4 x) { return $air_pack_snorm4x8(x.$v); }
$inline uint pack_float_to_unorm4x8(float4 x) { return $air_pack_unorm4x8(x.$v); }
$inline float2 unpack_snorm2x16_to_float(uint x) { return float2($raw(), $air_unpack_snorm2x16(x)); }
$inline float2 unpack_unorm2x16_to_float(uint x) { return float2($raw(), $air_unpack_unorm2x16(x)); }
$inline float4 unpack_snorm4x8_to_float(uint x) { return float4($raw(), $air_unpack_snorm4x8(x)); }
$inline float4 unpack_unorm4x8_to_float(uint x) { return float4($raw(), $air_unpack_unorm4x8(x)); }

} // namespace metal
