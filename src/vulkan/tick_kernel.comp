// SPDX-License-Identifier: Apache-2.0
// Turns the device ticks of one recording's stamps into heap entries: nanoseconds in 64 bits (src/vulkan/tick_kernel.hpp).
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

// One threadgroup does all: a stamp's count hangs on those behind it. base::abi::kLocalSizeXConstant is 0.
layout(local_size_x_id = 0) in;

layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Words { uint64_t word[]; };
// Written by the host at any time.
layout(buffer_reference, scalar, buffer_reference_align = 8) volatile buffer Live { uint64_t word; };

// TickKernel's Parameters.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Parameters {
  Words ticks;
  Words destinations; // an address for each of the ticks; 0: none
  Live reference;     // the extended count about now
  uint64_t nsMultiplier;
  uint64_t simulatedMultiplier; // 0: the ticks are the device's own
  uint64_t simulatedFirstTick;
  uint nsShift;
  uint simulatedShift;
  uint bits;
  uint count;
};
layout(push_constant, scalar) uniform Constants { Parameters parameters; };

shared uint64_t steps[gl_WorkGroupSize.x];

// The low 64 bits of value * multiplier >> shift, with all 128 bits in between. shift: 1 to 127.
uint64_t scaled(uint64_t value, uint64_t multiplier, uint shift) {
  const uint64_t mask32 = 0xfffffffful;
  const uint64_t a = value & mask32, b = value >> 32, c = multiplier & mask32, d = multiplier >> 32;
  const uint64_t low = a * c;
  const uint64_t middle = b * c + (low >> 32);
  const uint64_t middleToo = a * d + (middle & mask32);
  const uint64_t high = b * d + (middle >> 32) + (middleToo >> 32);
  const uint64_t bottom = (middleToo << 32) | (low & mask32);
  if (shift >= 64) return high >> (shift - 64);
  return (high << (64 - shift)) | (bottom >> shift);
}

uint64_t mask() { return ~0ul >> (64 - parameters.bits); }

uint64_t ticksOf(uint stamp) {
  uint64_t ticks = parameters.ticks.word[stamp];
  if (parameters.simulatedMultiplier != 0)
    ticks = scaled(ticks, parameters.simulatedMultiplier, parameters.simulatedShift) + parameters.simulatedFirstTick;
  return ticks & mask();
}

// extendTicks() of tick_scale.hpp.
uint64_t extended(uint64_t ticks, uint64_t reference) {
  if (parameters.bits >= 64) return ticks;
  const uint64_t wrap = 1ul << parameters.bits;
  const uint64_t ahead = (ticks - reference) & mask();
  return ahead < wrap / 2 ? reference + ahead : reference + ahead - wrap;
}

// tickStep() of tick_scale.hpp, from the stamp before this one.
uint64_t stepTo(uint stamp) {
  if (stamp == 0) return 0;
  const uint64_t ahead = ticksOf(stamp) - ticksOf(stamp - 1);
  if (parameters.bits >= 64) return ahead;
  const uint64_t wrap = 1ul << parameters.bits;
  const uint64_t wrapped = ahead & mask();
  return wrapped < wrap - wrap / 8 ? wrapped : wrapped - wrap;
}

void main() {
  const uint id = gl_LocalInvocationID.x, threads = gl_WorkGroupSize.x, count = parameters.count;
  const uint share = (count + threads - 1) / threads;
  const uint first = min(id * share, count), end = min(first + share, count);

  uint64_t sum = 0;
  for (uint stamp = first; stamp < end; ++stamp) sum += stepTo(stamp);
  steps[id] = sum;
  barrier();
  if (first == end) return;

  // The last stamp was taken just before this kernel ran, so the reference tells its count; from there it goes back in
  // steps, which may have gone round the counter in between.
  uint64_t ticks = extended(ticksOf(count - 1), parameters.reference.word);
  for (uint later = id + 1; later < threads; ++later) ticks -= steps[later];
  for (uint stamp = end; stamp-- > first;) {
    const uint64_t destination = uint64_t(parameters.destinations.word[stamp]);
    // 0 is the mark of an entry that nothing has written.
    if (destination != 0) Words(destination).word[0] = max(scaled(ticks, parameters.nsMultiplier, parameters.nsShift), 1ul);
    ticks -= stepTo(stamp);
  }
}
