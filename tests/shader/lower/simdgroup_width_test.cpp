// SPDX-License-Identifier: Apache-2.0
// Kernels whose simdgroups are wider than the device's subgroups: valid SPIR-V for every width, a smaller
// workgroup, and other kernels untouched. What they compute is tests/api/simdgroup_test.cpp's.
#include "tests/shader/lower/shader_case.hpp"

namespace basanite::shader::test {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
kernel void plain(device float* out [[buffer(0)]], uint id [[thread_position_in_grid]]) { out[id] *= 2; }
kernel void sums(device float* out [[buffer(0)]], uint id [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
  float own[4];
  for (uint k = 0; k < 4; ++k) own[k] = out[id + k];
  while (simd_any(own[id % 4] > 1)) {
    if (lane & 1) own[id % 4] -= simd_sum(own[(id + 1) % 4]);
    else if (own[0] < 0) return;
    own[(id + 3) % 4] = simd_prefix_exclusive_product(own[id % 4]);
  }
  out[id] = own[id % 3]; }
kernel void matrices(device half* out [[buffer(0)]]) {
  simdgroup_half8x8 a, b; simdgroup_load(a, out); simdgroup_load(b, out + 64); simdgroup_multiply(a, a, b); simdgroup_store(a, out); }
kernel void waits(device uint* out [[buffer(0)]], uint id [[thread_index_in_threadgroup]]) {
  threadgroup uint next[64];
  next[id] = id; simdgroup_barrier(mem_flags::mem_threadgroup); out[id] = next[id ^ 31]; }
kernel void waterfall(device uint* out [[buffer(0)]], uint id [[thread_index_in_threadgroup]]) {
  for (;;) { uint c = simd_broadcast_first(id % 5); if (c == id % 5) { out[id] = simd_sum(id); break; } } }
kernel void leaves(device uint* out [[buffer(0)]], uint id [[thread_index_in_threadgroup]]) {
  for (uint k = 0; k < 4; ++k) if (id % 4 == k) { out[id] = simd_sum(id); return; } }
fragment float4 product() {
  simdgroup_float8x8 a(1.0f); simdgroup_multiply(a, a, a); return float4(a.thread_elements().x); }
)";

DeviceTraits traitsOf(uint32_t width) {
  DeviceTraits traits = allTraits();
  traits.subgroupSize = width;
  return traits;
}

class SimdgroupWidths : public ::testing::TestWithParam<uint32_t> {};

TEST_P(SimdgroupWidths, KernelsThatLookAtTheirSimdgroupRunSeveralThreadsAnInvocation) {
  const Program program = mslProgram(kSource);
  for (const char* kernel : {"sums", "matrices", "waits"}) {
    const std::string text = kernelAssembly(program, kernel, traitsOf(GetParam()));
    expectContains(text, "OpSpecConstantOp %uint UDiv");
    expectContains(text, "BuiltIn SubgroupId");
    expectLacks(text, "BuiltIn LocalInvocationIndex");
  }
  EXPECT_EQ(kernelAssembly(program, "plain", traitsOf(GetParam())),
            kernelAssembly(program, "plain", traitsOf(32)));
}
INSTANTIATE_TEST_SUITE_P(Narrow, SimdgroupWidths, ::testing::Values(4, 8, 16));

TEST(SimdgroupWidth, Of32IsTheDevicesOwn) {
  const std::string text = kernelAssembly(mslProgram(kSource), "sums");
  expectLacks(text, "OpSpecConstantOp");
  EXPECT_EQ(countOf(text, "OpGroupNonUniformFAdd"), 1u);
}

// Behind the merge the threads of all rounds would take part.
TEST(SimdgroupWidth, WhatLeavesALoopStaysInIt) {
  for (const char* kernel : {"waterfall", "leaves"}) {
    const std::string text = kernelAssembly(mslProgram(kSource), kernel);
    const size_t loop = text.find("OpLoopMerge ");
    ASSERT_NE(loop, std::string::npos) << kernel;
    const std::string merge = text.substr(loop + 12, text.find(' ', loop + 12) - loop - 12);
    const size_t sum = text.find("OpGroupNonUniformIAdd"), end = text.find(merge + " = OpLabel");
    EXPECT_LT(loop, sum) << text;
    EXPECT_LT(sum, end) << text;
    expectLacks(text, "loop_flag");
  }
}

TEST(SimdgroupWidth, OtherStagesHaveTheDevicesWidth) {
  const Program program = mslProgram(kSource);
  auto lowered = basanite_compiler_instance()->lowerFunction({&program, "product", {}}, traitsOf(8));
  ASSERT_FALSE(lowered.ok());
  expectContains(lowered.error().message,
                 "it uses simdgroup_matrix, which needs simdgroups of 32 threads; the device's have 8");
}

} // namespace
} // namespace basanite::shader::test
