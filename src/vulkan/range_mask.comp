// SPDX-License-Identifier: Apache-2.0
// Takes the counts away from the draws and dispatches whose command is outside a range that lies in memory, a thread
// each (src/vulkan/range_mask.hpp).
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

// base::abi::kLocalSizeXConstant is 0.
layout(local_size_x_id = 0) in;

// MTL::IndirectCommandBufferExecutionRange.
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Range {
  uint first;
  uint commands;
};
// RangeMask::Entry.
struct Entry {
  uint arguments[5];
  uint command;
  uint reserved[2];
};
// Parameters of range_mask.cpp; the entries follow.
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Parameters {
  Range range;
  uint64_t count;
  Entry entries[];
};
layout(push_constant, scalar) uniform Constants { Parameters parameters; };

void main() {
  const uint id = gl_GlobalInvocationID.x;
  if (id >= uint(parameters.count)) return;
  const uint first = parameters.range.first;
  const uint command = parameters.entries[id].command;
  if (command >= first && command - first < parameters.range.commands) return;
  for (int i = 0; i < 5; ++i) parameters.entries[id].arguments[i] = 0;
}
