// SPDX-License-Identifier: Apache-2.0
// The handle and methods of a depth texture's class, for inclusion in it. texture.h says what the macros are.
static_assert(__is_same(T, float), "the component type of a depth texture is float");
static_assert(A == access::sample || A == access::read, "a depth texture has access::sample or access::read");
__global $texture_object* $t;
static $inline constexpr void $checkSample() {
  static_assert(A == access::sample, "this texture is not declared with access::sample: it cannot be sampled");
}

$inline float sample(sampler s, $P $O) const {
  $checkSample();
  return $KIND::sample($t, s.$handle(), 1, $PA, $OA false, 0.0f, 0.0f, (int)A);
}
$inline float sample(sampler s, $P, bias b $O) const {
  $checkSample();
  return $KIND::sample($t, s.$handle(), 1, $PA, $OA false, b.$value, 0.0f, (int)A);
}
$inline float sample(sampler s, $P, level l $O) const {
  $checkSample();
  return $KIND::sample($t, s.$handle(), 1, $PA, $OA true, l.$value, 0.0f, (int)A);
}
$inline float sample(sampler s, $P, min_lod_clamp m $O) const {
  $checkSample();
  return $KIND::sample($t, s.$handle(), 1, $PA, $OA false, 0.0f, m.$value, (int)A);
}
$inline float sample(sampler s, $P, bias b, min_lod_clamp m $O) const {
  $checkSample();
  return $KIND::sample($t, s.$handle(), 1, $PA, $OA false, b.$value, m.$value, (int)A);
}
$inline float sample(sampler s, $P, $G g $O) const {
  $checkSample();
  return $KIND::sample_grad($t, s.$handle(), 1, $PA, g.$dx.$v, g.$dy.$v, 0.0f, $OA (int)A);
}
$inline float sample(sampler s, $P, $G g, min_lod_clamp m $O) const {
  $checkSample();
  return $KIND::sample_grad($t, s.$handle(), 1, $PA, g.$dx.$v, g.$dy.$v, m.$value, $OA (int)A);
}
$inline float sample_compare(sampler s, $P, float reference $O) const {
  $checkSample();
  return $KIND::compare($t, s.$handle(), 1, $PA, reference, $OA false, 0.0f, 0.0f, (int)A);
}
$inline float sample_compare(sampler s, $P, float reference, bias b $O) const {
  $checkSample();
  return $KIND::compare($t, s.$handle(), 1, $PA, reference, $OA false, b.$value, 0.0f, (int)A);
}
$inline float sample_compare(sampler s, $P, float reference, level l $O) const {
  $checkSample();
  return $KIND::compare($t, s.$handle(), 1, $PA, reference, $OA true, l.$value, 0.0f, (int)A);
}
$inline float sample_compare(sampler s, $P, float reference, min_lod_clamp m $O) const {
  $checkSample();
  return $KIND::compare($t, s.$handle(), 1, $PA, reference, $OA false, 0.0f, m.$value, (int)A);
}
$inline float sample_compare(sampler s, $P, float reference, bias b, min_lod_clamp m $O) const {
  $checkSample();
  return $KIND::compare($t, s.$handle(), 1, $PA, reference, $OA false, b.$value, m.$value, (int)A);
}
$inline float sample_compare(sampler s, $P, float reference, $G g $O) const {
  $checkSample();
  return $KIND::compare_grad($t, s.$handle(), 1, $PA, reference, g.$dx.$v, g.$dy.$v, 0.0f, $OA (int)A);
}
$inline float sample_compare(sampler s, $P, float reference, $G g, min_lod_clamp m $O) const {
  $checkSample();
  return $KIND::compare_grad($t, s.$handle(), 1, $PA, reference, g.$dx.$v, g.$dy.$v, m.$value, $OA (int)A);
}
$inline float4 gather(sampler s, $P $O) const {
  $checkSample();
  return float4($raw(), $KIND::gather($t, s.$handle(), 1, $PA, $OA (int)A));
}
$inline float4 gather_compare(sampler s, $P, float reference $O) const {
  $checkSample();
  return float4($raw(), $KIND::gather_compare($t, s.$handle(), 1, $PA, reference, $OA (int)A));
}
$inline float read($U, uint lod = 0) const { return $READ($t, $get_read_sampler(), 1, $X, $R(int)lod, (int)A); }
$inline float read($H, ushort lod = 0) const { return read($W, (uint)lod); }
