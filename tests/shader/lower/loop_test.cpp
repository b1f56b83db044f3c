// SPDX-License-Identifier: Apache-2.0
// Loops: what is the same in every round is loaded once in front of them; what a round may change, or does not reach, is not.
#include "tests/shader/lower/shader_case.hpp"

namespace basanite::shader::test {
namespace {

constexpr const char* kHeader = R"(#include <metal_stdlib>
using namespace metal;
struct Cost { uint iterations; float scale; };
)";

struct LoopText {
  std::string before, inside;
};

// The text of the only loop of `kernel`, and what of main() comes before it.
LoopText splitAtLoop(const std::string& kernel) {
  std::string text = kernelAssembly(mslProgram(kHeader + kernel), "k");
  size_t merge = text.find("OpLoopMerge %");
  EXPECT_NE(merge, std::string::npos) << text;
  if (merge == std::string::npos) return {};
  EXPECT_EQ(countOf(text, "OpLoopMerge"), 1u) << text;
  size_t header = text.rfind("OpLabel", merge);
  size_t name = merge + std::string("OpLoopMerge ").size();
  std::string end = "\n" + text.substr(name, text.find(' ', name) - name) + " = OpLabel";
  size_t function = text.find("OpFunction ");
  return {text.substr(function, header - function), text.substr(header, text.find(end, header) - header)};
}

constexpr const char* kLoadFloat = "OpLoad %float";
constexpr const char* kLoadUint = "OpLoad %uint";

TEST(Loops, MembersOfConstantMemoryAreLoadedOnce) {
  LoopText loop = splitAtLoop(R"(
kernel void k(constant Cost& cost [[buffer(0)]], device float* out [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  float value = float(id) * 0.001f;
  for (uint i = 0; i < cost.iterations; ++i) value = fma(value, 0.999f, cost.scale) - value * value * 0.001f;
  out[id] = value;
})");
  EXPECT_EQ(countOf(loop.before, kLoadUint), 1u + countOf(loop.before, "OpLoad %uint %gl_")) << loop.before;
  EXPECT_EQ(countOf(loop.before, kLoadFloat), 1u) << loop.before;
  EXPECT_EQ(countOf(loop.inside, "OpLoad"), 0u) << loop.inside;
}

TEST(Loops, StoresAndBarriersDoNotHoldConstantMemoryBack) {
  LoopText loop = splitAtLoop(R"(
kernel void k(constant Cost& cost [[buffer(0)]], device float* out [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  for (uint i = 0; i < cost.iterations; ++i) {
    out[i] = cost.scale * float(id);
    threadgroup_barrier(mem_flags::mem_device);
  }
})");
  EXPECT_EQ(countOf(loop.before, kLoadFloat), 1u) << loop.before;
  EXPECT_EQ(countOf(loop.inside, "OpLoad"), 0u) << loop.inside;
  EXPECT_EQ(countOf(loop.inside, "OpStore"), 1u) << loop.inside;
  EXPECT_EQ(countOf(loop.inside, "OpControlBarrier"), 1u) << loop.inside;
}

TEST(Loops, UnwrittenDeviceMemoryAndConversionsLeave) {
  LoopText loop = splitAtLoop(R"(
kernel void k(device const float* scale [[buffer(0)]], device float* out [[buffer(1)]], constant uint& n [[buffer(2)]],
              uint id [[thread_position_in_grid]]) {
  uint sum = 0;
  for (uint i = 0; i < n; ++i) sum = sum * 3 + (uint(scale[id]) ^ i);
  out[id] = float(sum);
})");
  EXPECT_EQ(countOf(loop.before, kLoadFloat), 1u) << loop.before;
  EXPECT_EQ(countOf(loop.inside, "OpLoad"), 0u) << loop.inside;
  EXPECT_EQ(countOf(loop.inside, "OpConvertFToU"), 0u) << loop.inside;
  EXPECT_EQ(countOf(loop.before, "OpConvertFToU"), 1u) << loop.before;
}

TEST(Loops, DeviceMemoryThatTheLoopWritesIsLoadedInEveryRound) {
  LoopText loop = splitAtLoop(R"(
kernel void k(device float* in [[buffer(0)]], device float* out [[buffer(1)]], constant uint& n [[buffer(2)]]) {
  for (uint i = 0; i < n; ++i) out[i] = in[0] + 1.0f;
})");
  EXPECT_EQ(countOf(loop.before, kLoadFloat), 0u) << loop.before;
  EXPECT_EQ(countOf(loop.inside, kLoadFloat), 1u) << loop.inside;
}

TEST(Loops, DeviceMemoryIsLoadedAgainAfterABarrier) {
  LoopText loop = splitAtLoop(R"(
kernel void k(device float* in [[buffer(0)]], device float* out [[buffer(1)]], constant uint& n [[buffer(2)]]) {
  float sum = 0;
  for (uint i = 0; i < n; ++i) {
    sum = sum * 0.5f + in[0];
    threadgroup_barrier(mem_flags::mem_device);
  }
  out[0] = sum;
})");
  EXPECT_EQ(countOf(loop.inside, kLoadFloat), 1u) << loop.inside;
}

TEST(Loops, APointerThatMovesIsLoadedThroughInEveryRound) {
  LoopText loop = splitAtLoop(R"(
kernel void k(constant float* in [[buffer(0)]], device float* out [[buffer(1)]], constant uint& n [[buffer(2)]]) {
  float sum = 0;
  for (uint i = 0; i < n; ++i, in += 7) sum = sum * 0.5f + *in;
  out[0] = sum;
})");
  EXPECT_EQ(countOf(loop.before, kLoadFloat), 0u) << loop.before;
  EXPECT_EQ(countOf(loop.inside, kLoadFloat), 1u) << loop.inside;
}

// A buffer that is not bound has address 0: what the program does not reach must not be read, be it through a pointer or
// through a reference.
TEST(Loops, WhatARoundMayNotReachStaysBehindItsCondition) {
  const std::pair<std::string, std::string> cases[] = {{"constant float* scale", "*scale"}, {"constant Cost& cost", "cost.scale"}};
  for (const auto& [parameter, value] : cases) {
    SCOPED_TRACE(value);
    LoopText loop = splitAtLoop("kernel void k(" + parameter + R"( [[buffer(0)]], device uint* out [[buffer(1)]], constant uint& n [[buffer(2)]]) {
  float sum = 0;
  for (uint i = 0; i < n; ++i) {
    if (out[i] == 3) sum = sum * 0.5f + )" + value + R"(;
  }
  out[0] = as_type<uint>(sum);
})");
    EXPECT_EQ(countOf(loop.before, kLoadFloat), 0u) << loop.before;
    EXPECT_EQ(countOf(loop.inside, kLoadFloat), 1u) << loop.inside;
    expectInOrder(loop.inside, {"OpBranchConditional", kLoadFloat});
  }
}

// The load in front of a loop that may have no round stands behind a test for that.
TEST(Loops, NothingIsLoadedForALoopWithoutRounds) {
  LoopText loop = splitAtLoop(R"(
kernel void k(constant float* scale [[buffer(0)]], device float* out [[buffer(1)]], constant uint& n [[buffer(2)]]) {
  float sum = 0;
  for (uint i = 0; i < n; ++i) sum = sum * 0.5f + *scale;
  out[0] = sum;
})");
  expectInOrder(loop.before, {kLoadUint, "OpSelectionMerge", "OpBranchConditional", "OpLabel", kLoadFloat});
  EXPECT_EQ(countOf(loop.inside, "OpLoad"), 0u) << loop.inside;
}

} // namespace
} // namespace basanite::shader::test
