// SPDX-License-Identifier: Apache-2.0
// Arithmetic of device ticks: scaled to nanoseconds and extended to 64 bits without an error that grows.
// tick_kernel.comp does the same on the GPU.
#pragma once

#include <cstdint>

namespace basanite::vulkan {

// Multiplies by a fixed fraction in 64.64 bits: multiplier / 2^shift, with the multiplier's top bit set. The
// fraction is off by at most 2^-64 of itself, so a product below 2^64 is off by less than 1 and then rounded
// down, however long the device has been up: the result is the exact one or one less.
struct TickScale {
  uint64_t multiplier = uint64_t(1) << 63;
  uint32_t shift = 63; // below 128

  // numerator and denominator are not 0 and their quotient lies between 2^-32 and 2^32.
  static TickScale fraction(uint64_t numerator, uint64_t denominator);
  // Nanoseconds of a tick, by the period that Vulkan says (a float). Where a whole multiple of 100 kHz rounds
  // to that very float, as the clocks of known GPUs do (19.2 MHz is 52.083332), the frequency is taken for
  // the truth.
  static TickScale nsPerTick(float periodNs);
  static TickScale ticksPerNs(float periodNs);

  uint64_t apply(uint64_t value) const {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(value) * multiplier >> shift);
  }
};

// All ones in the low `bits` bits; 1 to 64.
constexpr uint64_t tickMask(uint32_t bits) { return ~uint64_t(0) >> (64 - bits); }

// The 64-bit count nearest to `reference` whose low `bits` bits are those of `ticks`: right while the two are
// less than half a wrap apart. `ticks` itself with 64 bits.
uint64_t extendTicks(uint64_t ticks, uint64_t reference, uint32_t bits);

// How far the counter went between two stamps of one recording, the earlier one recorded first. Stamps of
// different stages may be out of order a little, work between stamps may take long: from -1/8 of a wrap up to
// 7/8.
int64_t tickStep(uint64_t earlier, uint64_t later, uint32_t bits);

} // namespace basanite::vulkan
