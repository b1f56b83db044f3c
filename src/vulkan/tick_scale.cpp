// SPDX-License-Identifier: Apache-2.0
// Fractions in 64 bits, and counters that wrap.
#include "src/vulkan/tick_scale.hpp"

#include <cmath>

namespace basanite::vulkan {

namespace {

constexpr uint64_t kNsPerSecond = 1'000'000'000;

struct Fraction {
  uint64_t numerator = 1, denominator = 1;
};

Fraction nsOfTick(float periodNs) {
  constexpr double kClockStepHz = 100'000;
  const double frequency = std::round(kNsPerSecond / double(periodNs) / kClockStepHz) * kClockStepHz;
  if (frequency > 0 && static_cast<float>(kNsPerSecond / frequency) == periodNs)
    return {kNsPerSecond, static_cast<uint64_t>(frequency)};
  // A float is a whole number of 24 bits times a power of two.
  constexpr int kMantissaBits = 24;
  int exponent = 0;
  const double mantissa = std::frexp(double(periodNs), &exponent);
  Fraction fraction{static_cast<uint64_t>(std::ldexp(mantissa, kMantissaBits)), 1};
  const int power = exponent - kMantissaBits;
  (power < 0 ? fraction.denominator : fraction.numerator) <<= std::abs(power);
  return fraction;
}

} // namespace

TickScale TickScale::fraction(uint64_t numerator, uint64_t denominator) {
  unsigned __int128 rest = numerator, divisor = denominator;
  // The quotient becomes f * 2^exponent with f from 1/2 to below 1; then f is divided out bit by bit.
  int exponent = 0;
  for (; rest >= divisor; divisor <<= 1) ++exponent;
  for (; rest * 2 < divisor; rest <<= 1) --exponent;
  TickScale scale{0, static_cast<uint32_t>(64 - exponent)};
  for (int bit = 0; bit < 64; ++bit) {
    rest <<= 1;
    scale.multiplier = scale.multiplier << 1 | (rest >= divisor ? 1 : 0);
    if (rest >= divisor) rest -= divisor;
  }
  return scale;
}

TickScale TickScale::nsPerTick(float periodNs) {
  const Fraction fraction = nsOfTick(periodNs);
  return TickScale::fraction(fraction.numerator, fraction.denominator);
}

TickScale TickScale::ticksPerNs(float periodNs) {
  const Fraction fraction = nsOfTick(periodNs);
  return TickScale::fraction(fraction.denominator, fraction.numerator);
}

uint64_t extendTicks(uint64_t ticks, uint64_t reference, uint32_t bits) {
  if (bits >= 64) return ticks;
  const uint64_t ahead = (ticks - reference) & tickMask(bits);
  const uint64_t wrap = uint64_t(1) << bits;
  return ahead < wrap / 2 ? reference + ahead : reference + ahead - wrap;
}

int64_t tickStep(uint64_t earlier, uint64_t later, uint32_t bits) {
  if (bits >= 64) return static_cast<int64_t>(later - earlier);
  const uint64_t ahead = (later - earlier) & tickMask(bits);
  const uint64_t wrap = uint64_t(1) << bits;
  return ahead < wrap - wrap / 8 ? static_cast<int64_t>(ahead) : static_cast<int64_t>(ahead - wrap);
}

} // namespace basanite::vulkan
