// SPDX-License-Identifier: Apache-2.0
// Brings the indices of indirect commands together as 32-bit ones, a threadgroup each command
// (src/vulkan/command_expander.hpp).
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

// base::abi::kLocalSizeXConstant is 0.
layout(local_size_x_id = 0) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint word[]; };
// CopyParameters of command_expander.cpp.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Parameters {
  uint64_t jobs;
  uint64_t indices;
};
layout(push_constant, scalar) uniform Constants { Parameters p; };

void main() {
  Words job = Words(p.jobs + uint64_t(gl_WorkGroupID.x) * 16);
  const uint count = job.word[2] & 0x3fffffffu;
  if (count == 0) return;
  const bool wide = (job.word[2] & 0x80000000u) != 0, strip = (job.word[2] & 0x40000000u) != 0;
  const uint64_t address = packUint2x32(uvec2(job.word[0], job.word[1]));
  Words to = Words(p.indices + uint64_t(job.word[3]) * 4);
  // A narrow index is half a word, and the first one may be the upper half.
  Words from = Words(address & ~uint64_t(3));
  const uint skipped = wide ? 0 : uint(address >> 1) & 1;
  for (uint i = gl_LocalInvocationID.x; i < count; i += gl_WorkGroupSize.x) {
    uint index;
    if (wide) {
      index = from.word[i];
    } else {
      const uint place = skipped + i;
      index = from.word[place >> 1] >> 16 * (place & 1) & 0xffffu;
      if (strip && index == 0xffffu) index = 0xffffffffu; // starts a new strip
    }
    to.word[i] = index;
  }
}
