// SPDX-License-Identifier: Apache-2.0
// What benchmarks/shader/generated_code runs beside the GLSL of the same names.
#include <metal_stdlib>
using namespace metal;

struct Sizes {
  uint count; // a matrix's side, a row's length, or how many values or bodies there are
};

kernel void matrix_multiply(const device float* a [[buffer(0)]], const device float* b [[buffer(1)]], device float* c [[buffer(2)]],
                            constant Sizes& sizes [[buffer(3)]], uint2 id [[thread_position_in_grid]],
                            uint2 local [[thread_position_in_threadgroup]]) {
  threadgroup float tileA[16][16];
  threadgroup float tileB[16][16];
  const uint n = sizes.count;
  float sum = 0.0f;
  for (uint tile = 0; tile < n; tile += 16) {
    tileA[local.y][local.x] = a[id.y * n + tile + local.x];
    tileB[local.y][local.x] = b[(tile + local.y) * n + id.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < 16; ++k) sum = fma(tileA[local.y][k], tileB[k][local.x], sum);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  c[id.y * n + id.x] = sum;
}

kernel void reduction(const device float4* a [[buffer(0)]], const device float* unused [[buffer(1)]], device float* c [[buffer(2)]],
                      constant Sizes& sizes [[buffer(3)]], uint id [[thread_position_in_grid]],
                      uint local [[thread_index_in_threadgroup]], uint group [[threadgroup_position_in_grid]],
                      uint threads [[threads_per_grid]]) {
  threadgroup float partial[256];
  float4 sum = 0.0f;
  for (uint i = id; i < sizes.count / 4; i += threads) sum += a[i];
  partial[local] = sum.x + sum.y + sum.z + sum.w;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 128; step > 0; step /= 2) {
    if (local < step) partial[local] += partial[local + step];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (local == 0) c[group] = partial[0];
}

kernel void blur(const device float4* a [[buffer(0)]], const device float* weights [[buffer(1)]], device float4* c [[buffer(2)]],
                 constant Sizes& sizes [[buffer(3)]], uint2 id [[thread_position_in_grid]]) {
  const int n = int(sizes.count);
  float4 sum = 0.0f;
  for (int y = -4; y <= 4; ++y) {
    const int row = clamp(int(id.y) + y, 0, n - 1);
    for (int x = -4; x <= 4; ++x) {
      const int column = clamp(int(id.x) + x, 0, n - 1);
      sum += a[row * n + column] * (weights[x + 4] * weights[y + 4]);
    }
  }
  c[id.y * uint(n) + id.x] = sum;
}

kernel void bodies(const device float4* a [[buffer(0)]], const device float* unused [[buffer(1)]], device float4* c [[buffer(2)]],
                   constant Sizes& sizes [[buffer(3)]], uint id [[thread_position_in_grid]],
                   uint local [[thread_index_in_threadgroup]]) {
  threadgroup float4 near[256];
  const float4 self = a[id];
  float3 force = 0.0f;
  for (uint tile = 0; tile < sizes.count; tile += 256) {
    near[local] = a[tile + local];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint i = 0; i < 256; ++i) {
      const float3 d = near[i].xyz - self.xyz;
      const float inverse = rsqrt(dot(d, d) + 0.01f);
      force += d * (near[i].w * inverse * inverse * inverse);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  c[id] = float4(force, self.w);
}
