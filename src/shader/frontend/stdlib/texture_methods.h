// SPDX-License-Identifier: Apache-2.0
// The sampling methods of a colour texture's class, for inclusion in it. texture.h says what the macros are.
$inline vec<T, 4> sample(sampler s, $P $O) const {
  $checkSample();
  return vec<T, 4>($raw(), $KIND::sample($t, s.$handle(), $PA, $OA false, 0.0f, 0.0f, (int)A));
}
$inline vec<T, 4> sample(sampler s, $P, bias b $O) const {
  $checkSample();
  return vec<T, 4>($raw(), $KIND::sample($t, s.$handle(), $PA, $OA false, b.$value, 0.0f, (int)A));
}
$inline vec<T, 4> sample(sampler s, $P, level l $O) const {
  $checkSample();
  return vec<T, 4>($raw(), $KIND::sample($t, s.$handle(), $PA, $OA true, l.$value, 0.0f, (int)A));
}
$inline vec<T, 4> sample(sampler s, $P, min_lod_clamp m $O) const {
  $checkSample();
  return vec<T, 4>($raw(), $KIND::sample($t, s.$handle(), $PA, $OA false, 0.0f, m.$value, (int)A));
}
$inline vec<T, 4> sample(sampler s, $P, bias b, min_lod_clamp m $O) const {
  $checkSample();
  return vec<T, 4>($raw(), $KIND::sample($t, s.$handle(), $PA, $OA false, b.$value, m.$value, (int)A));
}
$inline vec<T, 4> sample(sampler s, $P, $G g $O) const {
  $checkSample();
  return vec<T, 4>($raw(), $KIND::sample_grad($t, s.$handle(), $PA, g.$dx.$v, g.$dy.$v, 0.0f, $OA (int)A));
}
$inline vec<T, 4> sample(sampler s, $P, $G g, min_lod_clamp m $O) const {
  $checkSample();
  return vec<T, 4>($raw(), $KIND::sample_grad($t, s.$handle(), $PA, g.$dx.$v, g.$dy.$v, m.$value, $OA (int)A));
}
#ifdef $GATHER
$inline vec<T, 4> gather(sampler s, $P $O, component c = component::x) const {
  $checkSample();
  return vec<T, 4>($raw(), $GATHER::gather($t, s.$handle(), $PA, $OA (int)c, (int)A));
}
#endif
