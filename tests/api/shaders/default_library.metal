// SPDX-License-Identifier: Apache-2.0
// The default library of library_file_test: a drawing, a sum over threads, and a kernel that its constants change.
#include <metal_stdlib>
using namespace metal;

struct Corner {
  float2 position [[attribute(0)]];
  half4 color [[attribute(2)]];
};
struct Varyings {
  float4 position [[position]];
  float4 color;
};

vertex Varyings corner(Corner in [[stage_in]]) {
  Varyings out;
  out.position = float4(in.position, 0, 1);
  out.color = float4(in.color);
  return out;
}
fragment float4 shade(Varyings in [[stage_in]], constant float& scale [[buffer(0)]]) { return in.color * scale; }

kernel void sumGroup(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]], uint id [[thread_position_in_grid]],
                     uint lane [[thread_index_in_threadgroup]], uint group [[threadgroup_position_in_grid]]) {
  threadgroup uint parts[64];
  parts[lane] = in[id];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 32; step > 0; step /= 2) {
    if (lane < step) parts[lane] += parts[lane + step];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (lane == 0) out[group] = parts[0];
}

constant uint factor [[function_constant(3)]];
constant bool adds [[function_constant(4)]];
constant uint twiceFactor = factor * 2;

kernel void scaled(device uint* out [[buffer(0)]], device const uint* more [[buffer(1), function_constant(adds)]],
                   uint id [[thread_position_in_grid]]) {
  out[id] = id * twiceFactor;
  if (adds) out[id] += more[id];
}
