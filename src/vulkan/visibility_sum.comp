// SPDX-License-Identifier: Apache-2.0
// Adds the occlusion queries of one render pass up, a thread each result (src/vulkan/visibility_results.hpp).
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

// base::abi::kLocalSizeXConstant is 0.
layout(local_size_x_id = 0) in;

layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Words { uint64_t word[]; };

// VisibilityEntry.
struct Entry {
  Words target;
  uint first;
  uint count;
  uint isBoolean;
  uint accumulates;
};
// Parameters of visibility_results.cpp; the entries follow.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Parameters {
  Words samples;
  uint64_t count;
  Entry entries[];
};
layout(push_constant, scalar) uniform Constants { Parameters parameters; };

void main() {
  const uint id = gl_GlobalInvocationID.x;
  if (id >= uint(parameters.count)) return;
  Entry entry = parameters.entries[id];
  uint64_t sum = entry.accumulates != 0 ? entry.target.word[0] : 0ul;
  for (uint i = 0; i < entry.count; ++i) sum += parameters.samples.word[entry.first + i];
  entry.target.word[0] = entry.isBoolean != 0 ? min(sum, 1ul) : sum;
}
