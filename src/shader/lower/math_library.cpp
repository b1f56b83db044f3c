// SPDX-License-Identifier: Apache-2.0
// metal_stdlib's math within Metal's bounds, where a driver's own functions promise less. Compiled for the
// device at build time to bitcode that link_math.cpp takes functions from; it includes nothing. Every
// function is of 32-bit floats and is defined for all of them; a denormal result may be zero, as Metal
// allows. Polynomials are least-maximum fits over the intervals named.

using uint = unsigned int;
using ulong = unsigned long;

#define BASANITE_MATH(name) __asm("basanite.math." #name)

namespace math {
float sin(float) BASANITE_MATH(sin);
float cos(float) BASANITE_MATH(cos);
float tan(float) BASANITE_MATH(tan);
float sinpi(float) BASANITE_MATH(sinpi);
float cospi(float) BASANITE_MATH(cospi);
float tanpi(float) BASANITE_MATH(tanpi);
float exp(float) BASANITE_MATH(exp);
float exp2(float) BASANITE_MATH(exp2);
float exp10(float) BASANITE_MATH(exp10);
float log(float) BASANITE_MATH(log);
float log2(float) BASANITE_MATH(log2);
float log10(float) BASANITE_MATH(log10);
float pow(float, float) BASANITE_MATH(pow);
float powr(float, float) BASANITE_MATH(powr);
float pow_half(float, float) BASANITE_MATH(pow_half);
float powr_half(float, float) BASANITE_MATH(powr_half);
float asin(float) BASANITE_MATH(asin);
float acos(float) BASANITE_MATH(acos);
float atan(float) BASANITE_MATH(atan);
float atan2(float, float) BASANITE_MATH(atan2);
float sinh(float) BASANITE_MATH(sinh);
float cosh(float) BASANITE_MATH(cosh);
float tanh(float) BASANITE_MATH(tanh);
float asinh(float) BASANITE_MATH(asinh);
float acosh(float) BASANITE_MATH(acosh);
float atanh(float) BASANITE_MATH(atanh);
float fmod(float, float) BASANITE_MATH(fmod);
float sqrt(float) BASANITE_MATH(sqrt);
float rsqrt(float) BASANITE_MATH(rsqrt);
float divide(float, float) BASANITE_MATH(divide);
} // namespace math

namespace {

// ---- bits
// -----------------------------------------------------------------------------------------------------------

constexpr uint kSign = 0x80000000u, kInfinity = 0x7f800000u, kNan = 0x7fc00000u,
               kSmallestNormal = 0x00800000u;

inline uint bitsOf(float x) { return __builtin_bit_cast(uint, x); }
inline float floatOf(uint bits) { return __builtin_bit_cast(float, bits); }
inline uint magnitudeBits(float x) { return bitsOf(x) & ~kSign; }
inline float magnitude(float x) { return floatOf(magnitudeBits(x)); }
inline float withSign(float x, uint sign) { return floatOf(magnitudeBits(x) | (sign & kSign)); }
inline bool isNan(float x) { return magnitudeBits(x) > kInfinity; }
inline bool isInfinite(float x) { return magnitudeBits(x) == kInfinity; }
inline float nan() { return floatOf(kNan); }
inline float infinity() { return floatOf(kInfinity); }
// 2^k for k in [-126, 127].
inline float powerOfTwo(int k) { return floatOf(static_cast<uint>(k + 127) << 23); }
// x * 2^k in two steps, so that only the last one can leave the range; k in [-252, 254].
inline float scaled(float x, int k) {
  int half = k >> 1;
  return x * powerOfTwo(half) * powerOfTwo(k - half);
}

// c[0] + c[1] * x + ...: the driver may fuse these.
template <int N> inline float polynomial(float x, const float (&c)[N]) {
#pragma clang fp contract(fast)
  float result = c[N - 1];
#pragma clang loop unroll(full)
  for (int i = N - 2; i >= 0; --i) result = result * x + c[i];
  return result;
}

// ---- sums that are exact
// --------------------------------------------------------------------------------------------

struct Pair {
  float high, low;
};
// |a| >= |b| or a == 0.
inline Pair quickSum(float a, float b) {
  float sum = a + b;
  return {sum, b - (sum - a)};
}
// What the product p = a * b, rounded, leaves: a * b - p exactly, whether the driver fuses fma or not.
inline float productError(float a, float b, float p) {
  // Twelve bits each: their products are exact.
  float aHigh = floatOf(bitsOf(a) & 0xfffff000u), aLow = a - aHigh;
  float bHigh = floatOf(bitsOf(b) & 0xfffff000u), bLow = b - bHigh;
  return ((aHigh * bHigh - p) + aHigh * bLow + aLow * bHigh) + aLow * bLow;
}
inline Pair exactProduct(float a, float b) {
  float product = a * b;
  return {product, productError(a, b, product)};
}

// ---- sine and its kin
// -----------------------------------------------------------------------------------------------

// x = (quadrant + n * 4) * pi / 2 + rest, |rest| <= pi / 4.
struct Angle {
  float rest;
  int quadrant;
};

// x a number of at least 1: 2 / pi's bits from those of weight 2 on, times x's significand, modulo 4.
inline Angle reduceLarge(float x) {
  constexpr uint kTwoOverPi[9] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                  0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};
  uint bits = magnitudeBits(x);
  int exponent = static_cast<int>(bits >> 23) - 150; // x = significand * 2^exponent
  ulong significand = (bits & 0x7fffffu) | kSmallestNormal;
  // Bit n of 2 / pi, counted from 1, weighs 2^-n. One word of zeros stands in front of the table.
  uint first = static_cast<uint>(exponent - 1 + 31);
  uint word = first >> 5, shift = first & 31;
  uint words[4];
#pragma clang loop unroll(full)
  for (int i = 0; i < 4; ++i) {
    words[i] = kTwoOverPi[i];
#pragma clang loop unroll(full)
    for (int k = 1; k <= 4; ++k)
      if (word == static_cast<uint>(k)) words[i] = kTwoOverPi[i + k];
  }
  uint window[3];
#pragma clang loop unroll(full)
  for (int i = 0; i < 3; ++i)
    window[i] = static_cast<uint>((((static_cast<ulong>(words[i]) << 32) | words[i + 1]) << shift) >> 32);
  // The product's upper 64 bits of 96; what overflows is a multiple of 4.
  ulong product = significand * window[0];
  product = (product << 32) + significand * window[1] + ((significand * window[2]) >> 32);
  int quadrant = static_cast<int>(product >> 62);
  long fraction = static_cast<long>(product << 2); // 64 bits behind the point, as a signed number
  if (fraction < 0) ++quadrant;
  float rest = static_cast<float>(fraction) * 0x1.921fb6p-64f; // pi / 2 * 2^-64
  if (bitsOf(x) & kSign) {
    rest = -rest;
    quadrant = -quadrant;
  }
  return {rest, quadrant};
}

// x finite.
inline Angle reduced(float x) {
  if (magnitudeBits(x) > 0x45000000u) return reduceLarge(x); // 2048
  float turns = __builtin_rintf(x * 0x1.45f306p-1f);
  // pi / 2 in pieces of 11 bits: their products with up to 11 bits are exact.
  float rest = x - turns * 0x1.92p+0f;
  rest = rest - turns * 0x1.fb4p-12f;
  rest = rest - turns * 0x1.444p-24f;
  rest = rest - turns * 0x1.68c234p-39f;
  return {turns == 0.0f ? x : rest, static_cast<int>(turns)}; // -0 stays -0
}

// |x| <= pi / 4.
inline float sineOf(float x) {
  constexpr float c[] = {-0x1.555556p-3f, 0x1.111164p-7f, -0x1.a047f6p-13f, 0x1.77aaeep-19f};
  float square = x * x;
  return withSign(x + x * (square * polynomial(square, c)), bitsOf(x)); // -0 stays -0
}
inline float cosineOf(float x) {
  constexpr float c[] = {0x1.555556p-5f, -0x1.6c1752p-10f, 0x1.a06598p-16f, -0x1.331736p-22f};
  float square = x * x, half = 0.5f * square, most = 1.0f - half;
  return most + (((1.0f - most) - half) + square * square * polynomial(square, c));
}
inline float sineOfAngle(Angle angle) {
  float result = angle.quadrant & 1 ? cosineOf(angle.rest) : sineOf(angle.rest);
  return angle.quadrant & 2 ? -result : result;
}
inline float tangentOfAngle(Angle angle) {
  float sine = sineOf(angle.rest), cosine = cosineOf(angle.rest);
  return angle.quadrant & 1 ? -cosine / sine : sine / cosine;
}

// x half turns: quarters of a turn are exact, and so is the rest.
inline Angle reducedTurns(float x) {
  x = x - 2.0f * __builtin_rintf(x * 0.5f);
  float quarters = __builtin_rintf(x * 2.0f);
  return {(x - quarters * 0.5f) * 0x1.921fb6p+1f, static_cast<int>(quarters)};
}

// ---- exponentials
// ---------------------------------------------------------------------------------------------------

// exp(x) * 2^extra; x in [-110, 100].
inline float exponential(float x, int extra) {
  constexpr float c[] = {0x1p-1f, 0x1.555486p-3f, 0x1.5554d4p-5f, 0x1.1241dp-7f,
                         0x1.6d649ap-10f}; // |rest| <= ln(2) / 2
  float power = __builtin_rintf(x * 0x1.715476p+0f);
  float rest = (x - power * 0x1.62e4p-1f) - power * 0x1.7f7d1cp-20f;
  float result = 1.0f + (rest + rest * rest * polynomial(rest, c));
  return scaled(result, static_cast<int>(power) + extra);
}
// 2^(high + low); high in [-200, 200].
inline float exponential2(float high, float low) {
  constexpr float c[] = {0x1.62e43p-1f,   0x1.ebfbep-3f,   0x1.c6b076p-5f, 0x1.3b2a44p-7f,
                         0x1.5d9b18p-10f, 0x1.4429fep-13f, 0x1.edb83p-17f};
  float power = __builtin_rintf(high), rest = (high - power) + low;
  return scaled(1.0f + rest * polynomial(rest, c), static_cast<int>(power));
}
inline float within(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

// ---- logarithms
// -----------------------------------------------------------------------------------------------------

// x = (1 + fraction) * 2^exponent with 1 + fraction in [sqrt(1/2), sqrt(2)); x positive, of any size.
struct Parts {
  float fraction;
  int exponent;
};
inline Parts partsOf(float x) {
  uint bits = bitsOf(x);
  int exponent = 0;
  if (bits < kSmallestNormal) {
    bits = bitsOf(static_cast<float>(bits)); // units of 2^-149
    exponent = -149;
  }
  uint above = bits - 0x3f3504f3u;
  exponent += static_cast<int>(above) >> 23;
  return {floatOf((above & 0x7fffffu) + 0x3f3504f3u) - 1.0f, exponent};
}
// ln(1 + f) - f for f in [sqrt(1/2) - 1, sqrt(2) - 1], without the term f * f / 2.
inline float logarithmTail(float f) {
  constexpr float c[] = {0x1.555548p-2f,  -0x1.00000ap-2f, 0x1.99a488p-3f,  -0x1.555ae6p-3f, 0x1.23387ep-3f,
                         -0x1.fc4d1cp-4f, 0x1.e71584p-4f,  -0x1.dd6fb8p-4f, 0x1.13154ap-4f};
  return f * (f * f) * polynomial(f, c);
}
// ln(1 + fraction) + exponent * ln(2) + extra, extra being small.
inline float naturalLogarithm(Parts parts, float extra) {
  float f = parts.fraction, power = static_cast<float>(parts.exponent);
  float tail = logarithmTail(f) + (power * 0x1.7f7d1cp-20f + extra);
  tail = tail - 0.5f * (f * f);
  return (f + tail) + power * 0x1.62e4p-1f;
}
// What no logarithm is computed for; sets result.
inline bool specialLogarithm(float x, float& result) {
  uint bits = bitsOf(x);
  if (bits - 1 < kInfinity - 1) return false; // positive and finite
  result = (bits & ~kSign) == 0 ? -infinity() : bits == kInfinity ? x : nan();
  return true;
}
// ln(1 + x), x >= 0.
inline float logarithmOfMore(float x) {
  if (x < 0.41f) return naturalLogarithm({x, 0}, 0.0f);
  float sum = 1.0f + x;
  return naturalLogarithm(partsOf(sum), (x - (sum - 1.0f)) / sum);
}

// log2(x) to about 45 bits; x positive and finite. By ln((1 + s) / (1 - s)) = 2 * (s + s^3 / 3 + ...), s = (m
// - 1) / (m + 1).
inline Pair wideLogarithm2(float x) {
  constexpr float c[] = {0x1.555554p-2f, 0x1.999bd4p-3f, 0x1.23f1bcp-3f, 0x1.ec1536p-4f}; // |s| <= 0.1716
  Parts parts = partsOf(x);
  float f = parts.fraction, sum = 2.0f + f, sumLow = f - (sum - 2.0f);
  float s = f / sum;
  Pair product = exactProduct(s, sum);
  float sLow = (((f - product.high) - product.low) - s * sumLow) / sum;
  float square = s * s;
  Pair series = quickSum(s, s * square * polynomial(square, c));
  series.low += sLow;
  // Times 2 / ln(2).
  Pair result = exactProduct(series.high, 0x1.715476p+1f);
  result.low += series.high * 0x1.4ae0cp-25f + series.low * 0x1.715476p+1f;
  Pair whole = quickSum(static_cast<float>(parts.exponent), result.high);
  return quickSum(whole.high, whole.low + result.low);
}

// x^y for x positive and finite and y finite.
inline float power(float x, float y, bool wide) {
  if (!wide) return exponential2(within(y * math::log2(x), -200.0f, 200.0f), 0.0f);
  Pair logarithm = wideLogarithm2(x);
  float high = y * logarithm.high;
  if (!(magnitude(high) < 200.0f)) return high > 0.0f ? infinity() : 0.0f;
  float low = productError(y, logarithm.high, high) + y * logarithm.low;
  return exponential2(high, low);
}
inline float anyPower(float x, float y, bool wide) {
  if (bitsOf(x) == 0x3f800000u || y == 0.0f) return 1.0f;
  if (isNan(x) || isNan(y)) return nan();
  float base = magnitude(x), exponent = magnitude(y);
  bool negative = bitsOf(x) & kSign, up = !(bitsOf(y) & kSign);
  if (isInfinite(y)) return base == 1.0f ? 1.0f : (base > 1.0f) == up ? infinity() : 0.0f;
  bool large = exponent >= 0x1p24f; // an even number
  bool whole = large || __builtin_truncf(exponent) == exponent;
  bool odd = whole && !large && (static_cast<int>(large ? 0.0f : exponent) & 1);
  float result;
  if (magnitudeBits(x) == 0 || isInfinite(x)) {
    result = (magnitudeBits(x) == 0) == up ? 0.0f : infinity();
  } else {
    if (negative && !whole) return nan();
    result = power(base, y, wide);
  }
  return negative && odd ? -result : result;
}
inline float positivePower(float x, float y, bool wide) {
  if (isNan(x) || isNan(y) || (magnitudeBits(x) != 0 && (bitsOf(x) & kSign))) return nan();
  bool up = !(bitsOf(y) & kSign);
  if (magnitudeBits(x) == 0 || isInfinite(x)) {
    if (y == 0.0f) return nan();
    return (magnitudeBits(x) == 0) == up ? 0.0f : infinity();
  }
  if (isInfinite(y)) return x == 1.0f ? nan() : (x > 1.0f) == up ? infinity() : 0.0f;
  return power(x, y, wide);
}

// ---- roots and quotients
// --------------------------------------------------------------------------------------------

// A number's significand in [1, 2) and exponent; `bits` are those of a positive finite number. Drivers may make `bits & ~kSign`
// a float's magnitude and flush it, so who masks looks for zero behind the mask, and who does not hands over the bits.
struct Normal {
  float significand;
  int exponent;
};
inline Normal normalOf(uint bits) {
  int exponent = -127;
  if (bits < kSmallestNormal) {
    bits = bitsOf(static_cast<float>(bits));
    exponent -= 149;
  }
  exponent += static_cast<int>(bits >> 23);
  return {floatOf((bits & 0x7fffffu) | 0x3f800000u), exponent};
}
// The steps from x to its neighbours, which differ at powers of two; x normal and positive, at least 2^-100.
inline float stepUp(float x) { return floatOf((bitsOf(x) & kInfinity) - (23u << 23)); }
inline float stepDown(float x) { return x - floatOf(bitsOf(x) - 1); }

// The root of x in [1, 4), rounded to nearest: the exact remainder decides about the last bit.
inline float rootOf(float x) {
  float root = __builtin_sqrtf(x);
  Pair square = exactProduct(root, root);
  root = root + 0.5f * ((x - square.high) - square.low) / root;
  square = exactProduct(root, root);
  float remainder = (x - square.high) - square.low;
  if (remainder > root * stepUp(root)) return root + stepUp(root);
  if (remainder <= -root * stepDown(root)) return root - stepDown(root);
  return root;
}

// The arc functions' common parts.
inline float arcSineTail(float square) { // (asin(x) - x) / x for x * x <= 0.25
  constexpr float c[] = {0x1.55554cp-3f, 0x1.3338a8p-4f, 0x1.6ca842p-5f,
                         0x1.04c994p-5f, 0x1.d5bbb6p-7f, 0x1.348e9ep-5f};
  return square * polynomial(square, c);
}
// asin(sqrt(z)) for z in [0, 0.25], the root with what its rounding left.
inline float arcSineOfRoot(float z) {
  if (z == 0.0f) return 0.0f;
  float root = __builtin_sqrtf(z);
  Pair square = exactProduct(root, root);
  float low = 0.5f * ((z - square.high) - square.low) / root;
  return root + (root * arcSineTail(z) + low);
}
inline float arcTangent(float x) { // x in [0, 1]
  constexpr float c[] = {-0x1.55553ep-2f, 0x1.9991eap-3f,  -0x1.2420fap-3f, 0x1.c092dcp-4f,  -0x1.5820e8p-4f,
                         0x1.da89d2p-5f,  -0x1.fe56fap-6f, 0x1.6527a6p-7f,  -0x1.d5546ap-10f};
  float square = x * x;
  return x + x * (square * polynomial(square, c));
}
constexpr float kHalfPi = 0x1.921fb6p+0f, kHalfPiLow = -0x1.777a5cp-25f;

} // namespace

// ---- the functions
// --------------------------------------------------------------------------------------------------

namespace math {

float sin(float x) {
  if (magnitudeBits(x) >= kInfinity) return nan();
  return sineOfAngle(reduced(x));
}
float cos(float x) {
  if (magnitudeBits(x) >= kInfinity) return nan();
  Angle angle = reduced(x);
  ++angle.quadrant;
  return sineOfAngle(angle);
}
float tan(float x) {
  if (magnitudeBits(x) >= kInfinity) return nan();
  return tangentOfAngle(reduced(x));
}
float sinpi(float x) {
  if (magnitudeBits(x) >= kInfinity) return nan();
  return sineOfAngle(reducedTurns(x));
}
float cospi(float x) {
  if (magnitudeBits(x) >= kInfinity) return nan();
  Angle angle = reducedTurns(x);
  ++angle.quadrant;
  return sineOfAngle(angle);
}
float tanpi(float x) {
  if (magnitudeBits(x) >= kInfinity) return nan();
  return tangentOfAngle(reducedTurns(x));
}

float exp(float x) {
  if (isNan(x)) return x;
  return exponential(within(x, -110.0f, 100.0f), 0);
}
float exp2(float x) {
  if (isNan(x)) return x;
  return exponential2(within(x, -160.0f, 130.0f), 0.0f);
}
float exp10(float x) {
  constexpr float c[] = {0x1.26bb1cp+1f, 0x1.53524cp+1f, 0x1.047012p+1f, 0x1.2bd76ap+0f,
                         0x1.147d2p-1f,  0x1.a8fc8cp-3f, 0x1.b9a56cp-5f};
  if (isNan(x)) return x;
  x = within(x, -48.0f, 40.0f);
  float power = __builtin_rintf(x * 0x1.a934fp+1f);
  float rest = (x - power * 0x1.344p-2f) - power * 0x1.3509f8p-18f;
  return scaled(1.0f + rest * polynomial(rest, c), static_cast<int>(power));
}

float log(float x) {
  float special;
  if (specialLogarithm(x, special)) return special;
  return naturalLogarithm(partsOf(x), 0.0f);
}
float log2(float x) {
  constexpr float kMore = 0x1.c551d94p-2f; // log2(e) - 1
  float special;
  if (specialLogarithm(x, special)) return special;
  Parts parts = partsOf(x);
  float f = parts.fraction, tail = logarithmTail(f) - 0.5f * (f * f);
  float result = tail * kMore;
  result += f * kMore;
  result += tail;
  result += f;
  return result + static_cast<float>(parts.exponent);
}
float log10(float x) {
  float special;
  if (specialLogarithm(x, special)) return special;
  Parts parts = partsOf(x);
  float f = parts.fraction, power = static_cast<float>(parts.exponent);
  Pair natural = quickSum(f, logarithmTail(f) - 0.5f * (f * f));
  float result =
      natural.high * 0x1.bcb7b2p-2f + (natural.low * 0x1.bcb7b2p-2f - natural.high * 0x1.5b235ep-27f);
  result += power * 0x1.3509f8p-18f;
  return result + power * 0x1.344p-2f;
}

float pow(float x, float y) { return anyPower(x, y, true); }
float powr(float x, float y) { return positivePower(x, y, true); }
float pow_half(float x, float y) { return anyPower(x, y, false); }
float powr_half(float x, float y) { return positivePower(x, y, false); }

float asin(float x) {
  float size = magnitude(x);
  if (!(size <= 1.0f)) return nan();
  if (size <= 0.5f) return x + x * arcSineTail(x * x);
  float result = (kHalfPi - 2.0f * arcSineOfRoot(0.5f * (1.0f - size))) + kHalfPiLow;
  return withSign(result, bitsOf(x));
}
float acos(float x) {
  float size = magnitude(x);
  if (!(size <= 1.0f)) return nan();
  if (size <= 0.5f) return kHalfPi - (x - (kHalfPiLow - x * arcSineTail(x * x)));
  float result = 2.0f * arcSineOfRoot(0.5f * (1.0f - size));
  return bitsOf(x) & kSign ? (2.0f * kHalfPi - result) + 2.0f * kHalfPiLow : result;
}
float atan(float x) {
  if (isNan(x)) return x;
  float size = magnitude(x);
  float result = size <= 1.0f ? arcTangent(size) : kHalfPi - (arcTangent(1.0f / size) - kHalfPiLow);
  return withSign(result, bitsOf(x));
}
float atan2(float y, float x) {
  if (isNan(x) || isNan(y)) return nan();
  uint across = magnitudeBits(x), upward = magnitudeBits(y);
  bool steep = upward > across;
  float high = floatOf(steep ? upward : across), low = floatOf(steep ? across : upward);
  // Away from where quotients are not promised.
  if (high > 0x1p100f) {
    high *= 0x1p-30f;
    low *= 0x1p-30f;
  } else if (high < 0x1p-60f) {
    high *= 0x1p60f;
    low *= 0x1p60f;
  }
  float ratio = high == 0.0f ? 0.0f : isInfinite(low) ? 1.0f : low / high;
  float result = arcTangent(ratio);
  if (steep) result = kHalfPi - (result - kHalfPiLow);
  if (bitsOf(x) & kSign) result = 2.0f * kHalfPi - (result - 2.0f * kHalfPiLow);
  return withSign(result, bitsOf(y));
}

float sinh(float x) {
  constexpr float c[] = {0x1.555556p-3f, 0x1.1110eap-7f, 0x1.a01c2p-13f, 0x1.7677a8p-19f}; // |x| <= 1
  if (isNan(x)) return x;
  float size = magnitude(x);
  if (size <= 1.0f) {
    float square = x * x;
    return x + x * (square * polynomial(square, c));
  }
  float half = exponential(within(size, 0.0f, 100.0f), -1);
  return withSign(half - 0.25f / half, bitsOf(x));
}
float cosh(float x) {
  if (isNan(x)) return x;
  float half = exponential(within(magnitude(x), 0.0f, 100.0f), -1);
  return half + 0.25f / half;
}
float tanh(float x) {
  constexpr float c[] = {-0x1.55554ap-2f, 0x1.110cfep-3f, -0x1.b922e4p-5f, 0x1.59147ap-6f,
                         -0x1.9a613p-8f}; // |x| <= 0.55
  if (isNan(x)) return x;
  float size = magnitude(x);
  if (size <= 0.55f) {
    float square = x * x;
    return withSign(x + x * (square * polynomial(square, c)), bitsOf(x));
  }
  float result = 1.0f - 2.0f / (exponential(2.0f * within(size, 0.0f, 20.0f), 0) + 1.0f);
  return withSign(result, bitsOf(x));
}

float asinh(float x) {
  constexpr float c[] = {-0x1.555554p-3f, 0x1.33323ap-4f, -0x1.6d7ebcp-5f,
                         0x1.ec11ecp-6f,  -0x1.487e1p-6f, 0x1.2f525p-7f}; // |x| <= 0.5
  if (magnitudeBits(x) >= kInfinity) return x;
  float size = magnitude(x), square = x * x;
  if (size <= 0.5f) return withSign(x + x * (square * polynomial(square, c)), bitsOf(x));
  float result;
  if (size > 0x1p30f) {
    Parts parts = partsOf(size);
    ++parts.exponent; // ln(2 * x)
    result = naturalLogarithm(parts, 0.0f);
  } else {
    result = logarithmOfMore(size + square / (1.0f + __builtin_sqrtf(1.0f + square)));
  }
  return withSign(result, bitsOf(x));
}
float acosh(float x) {
  if (!(x >= 1.0f)) return nan();
  if (isInfinite(x)) return x;
  if (x > 0x1p30f) {
    Parts parts = partsOf(x);
    ++parts.exponent;
    return naturalLogarithm(parts, 0.0f);
  }
  float more = x - 1.0f;
  return logarithmOfMore(more + __builtin_sqrtf(more * (2.0f + more)));
}
float atanh(float x) {
  constexpr float c[] = {0x1.555558p-2f, 0x1.9997c4p-3f, 0x1.24cb46p-3f, 0x1.c074ep-4f,
                         0x1.a96554p-4f, 0x1.62e42p-6f,  0x1.6ec642p-3f}; // |x| <= 0.5
  float size = magnitude(x);
  if (!(size <= 1.0f)) return nan();
  if (size == 1.0f) return withSign(infinity(), bitsOf(x));
  if (size <= 0.5f) {
    float square = x * x;
    return x + x * (square * polynomial(square, c));
  }
  return withSign(0.5f * logarithmOfMore(2.0f * size / (1.0f - size)), bitsOf(x));
}

// Exact: long division of the significands.
float fmod(float x, float y) {
  if (magnitudeBits(x) >= kInfinity || isNan(y) || magnitudeBits(y) == 0) return nan();
  if (magnitudeBits(x) < magnitudeBits(y)) return x;
  if (magnitudeBits(x) == 0) return x;
  Normal a = normalOf(magnitudeBits(x)), b = normalOf(magnitudeBits(y));
  uint rest = (bitsOf(a.significand) & 0x7fffffu) | kSmallestNormal,
       divisor = (bitsOf(b.significand) & 0x7fffffu) | kSmallestNormal;
  int steps = a.exponent - b.exponent;
  rest %= divisor;
  while (steps > 0 && rest != 0) {
    int now = steps < 40 ? steps : 40;
    rest = static_cast<uint>((static_cast<ulong>(rest) << now) % divisor);
    steps -= now;
  }
  if (rest == 0) return floatOf(bitsOf(x) & kSign);
  // rest * 2^(b.exponent - 23), put together without arithmetic that might flush it.
  int top = 31 - __builtin_clz(rest), exponent = b.exponent - 23 + top;
  uint bits;
  if (exponent >= -126)
    bits = (static_cast<uint>(exponent + 127) << 23) | ((rest << (23 - top)) & 0x7fffffu);
  else
    bits = b.exponent - 23 + 149 >= 0 ? rest << (b.exponent - 23 + 149) : rest >> -(b.exponent - 23 + 149);
  return floatOf(bits | (bitsOf(x) & kSign));
}

float sqrt(float x) {
  uint bits = bitsOf(x);
  if (bits - 1 >= kInfinity - 1) return (bits & ~kSign) == 0 || bits == kInfinity ? x : nan();
  Normal normal = normalOf(bits);
  int odd = normal.exponent & 1;
  return rootOf(odd ? 2.0f * normal.significand : normal.significand) *
         powerOfTwo((normal.exponent - odd) >> 1);
}
float rsqrt(float x) {
  uint bits = bitsOf(x);
  if (bits - 1 >= kInfinity - 1)
    return (bits & ~kSign) == 0 ? withSign(infinity(), bits) : bits == kInfinity ? 0.0f : nan();
  Normal normal = normalOf(bits);
  int odd = normal.exponent & 1;
  float value = odd ? 2.0f * normal.significand : normal.significand;
  float result = 1.0f / __builtin_sqrtf(value);
  // 1 - value * result^2 to twice the precision; then (1 - e)^(-1/2) = 1 + e / 2 + 3 / 8 * e^2.
  Pair product = exactProduct(value, result), square = exactProduct(product.high, result);
  float error = ((1.0f - square.high) - square.low) - product.low * result;
  result = result + result * (error * (0.5f + 0.375f * error));
  return result * powerOfTwo(-((normal.exponent - odd) >> 1));
}
float divide(float x, float y) {
  uint sign = (bitsOf(x) ^ bitsOf(y)) & kSign;
  if (magnitudeBits(x) >= kInfinity || magnitudeBits(y) >= kInfinity || magnitudeBits(x) == 0 ||
      magnitudeBits(y) == 0) {
    if (isNan(x) || isNan(y)) return nan();
    bool up = isInfinite(x) || magnitudeBits(y) == 0, down = isInfinite(y) || magnitudeBits(x) == 0;
    return up && down ? nan() : floatOf((up ? kInfinity : 0u) | sign);
  }
  Normal a = normalOf(magnitudeBits(x)), b = normalOf(magnitudeBits(y));
  float quotient = a.significand / b.significand;
  Pair product = exactProduct(quotient, b.significand);
  quotient = quotient + ((a.significand - product.high) - product.low) / b.significand;
  // The exact remainder says whether the neighbour is nearer.
  product = exactProduct(quotient, b.significand);
  float remainder = (a.significand - product.high) - product.low, half = 0.5f * b.significand;
  if (remainder > stepUp(quotient) * half)
    quotient += stepUp(quotient);
  else if (remainder < -stepDown(quotient) * half)
    quotient -= stepDown(quotient);
  int exponent = a.exponent - b.exponent + static_cast<int>(bitsOf(quotient) >> 23); // biased
  if (exponent <= 0) return floatOf(sign);
  if (exponent >= 255) return floatOf(kInfinity | sign);
  return floatOf((static_cast<uint>(exponent) << 23) | (bitsOf(quotient) & 0x7fffffu) | sign);
}

} // namespace math
