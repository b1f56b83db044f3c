// SPDX-License-Identifier: Apache-2.0
// Fixture of the tests of indirect command buffers: pipelines that support them, a target that adds up what
// is drawn, and what misuse says.
#pragma once

#include "tests/support/metal_fixture.hpp"

#include <map>
#include <optional>

namespace basanite::tests {

// A point of (vertex_id, instance_id) lands on the pixel at + id, and its fragment adds a value there.
constexpr const char* kIndirectSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Varyings {
  float4 position [[position]];
  float size [[point_size]];
};
vertex Varyings placed(uint vertexId [[vertex_id]], uint instanceId [[instance_id]], constant uint2& at [[buffer(0)]]) {
  Varyings out;
  out.position = float4((float(at.x + vertexId) + 0.5f) / 16.0f - 1.0f, 1.0f - (float(at.y + instanceId) + 0.5f) / 4.0f, 0.5f, 1);
  out.size = 1;
  return out;
}
fragment float add(Varyings in [[stage_in]], constant float& value [[buffer(0)]]) { return value; }
fragment float addTwice(Varyings in [[stage_in]], constant float& value [[buffer(0)]]) { return 2 * value; }
// A triangle over the whole target: the pixels of one row, with a value of its own.
vertex float4 covering(uint vertexId [[vertex_id]], constant float& z [[buffer(0)]]) {
  return float4(vertexId == 1 ? 3.0f : -1.0f, vertexId == 2 ? 3.0f : -1.0f, z, 1);
}
fragment float addFlat(float4 at [[position]], constant float& value [[buffer(0)]]) { return value; }

kernel void fill(device uint* out [[buffer(0)]], constant uint& value [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  out[i] = value;
}
kernel void fillMore(device uint* out [[buffer(0)]], constant uint& value [[buffer(1)]], uint i [[thread_position_in_grid]],
                     uint n [[threads_per_grid]]) {
  out[i] = value + n;
}
kernel void increment(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = out[i] * 3 + 1; }
kernel void shared(device uint* out [[buffer(0)]], threadgroup uint* words [[threadgroup(0)]],
                   uint i [[thread_position_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
  words[i] = i + 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = words[n - 1 - i];
}
)";

class IndirectFixture : public MetalFixture {
 protected:
  static constexpr NS::UInteger kColumns = 32, kRows = 8;
  using Sums =
      std::map<std::pair<uint32_t, uint32_t>, float>; // (column, row) -> what was added, where it is not 0
  using SetUp4 = std::function<void(MTL::IndirectCommandBufferDescriptor*)>;

  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kIndirectSource);
    ASSERT_TRUE(m_library);
    m_target = colorTarget(kColumns, kRows, MTL::PixelFormatR32Float);
  }

  NS::SharedPtr<MTL::RenderPipelineState> indirectPipeline(std::string_view vertex, std::string_view fragment,
                                                           bool supports = true) {
    return renderPipeline(
        m_library.get(), vertex, fragment, [supports](MTL4::RenderPipelineDescriptor* descriptor) {
          auto* sums = descriptor->colorAttachments()->object(0);
          sums->setPixelFormat(MTL::PixelFormatR32Float);
          sums->setBlendingState(MTL4::BlendStateEnabled);
          sums->setDestinationRGBBlendFactor(MTL::BlendFactorOne);
          if (supports)
            descriptor->setSupportIndirectCommandBuffers(MTL4::IndirectCommandBufferSupportStateEnabled);
        });
  }
  NS::SharedPtr<MTL::ComputePipelineState> indirectKernel(std::string_view name, bool supports = true) {
    auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
    auto kernel = function(m_library.get(), name);
    descriptor->setComputeFunctionDescriptor(kernel.get());
    if (supports)
      descriptor->setSupportIndirectCommandBuffers(MTL4::IndirectCommandBufferSupportStateEnabled);
    NS::Error* error = nullptr;
    auto pipeline = NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &error));
    EXPECT_TRUE(pipeline) << text(error);
    return pipeline;
  }

  NS::SharedPtr<MTL::IndirectCommandBuffer> indirect(MTL::IndirectCommandType types, NS::UInteger count,
                                                     const SetUp4& setUp = {}) {
    auto descriptor = NS::TransferPtr(MTL::IndirectCommandBufferDescriptor::alloc()->init());
    descriptor->setCommandTypes(types);
    descriptor->setInheritBuffers(false);
    descriptor->setInheritPipelineState(false);
    descriptor->setMaxVertexBufferBindCount(2);
    descriptor->setMaxFragmentBufferBindCount(1);
    descriptor->setMaxKernelBufferBindCount(2);
    if (setUp) setUp(descriptor.get());
    auto buffer = NS::TransferPtr(
        m_device->newIndirectCommandBuffer(descriptor.get(), count, MTL::ResourceStorageModeShared));
    EXPECT_TRUE(buffer);
    if (buffer) buffer->setLabel(NS::String::string("list", NS::UTF8StringEncoding));
    return buffer;
  }

  // What a pass over the cleared target adds up to. `message` gets the commit's error; without it there must
  // be none.
  Sums drawn(const std::function<void(MTL4::RenderCommandEncoder*)>& record, std::string* message = nullptr,
             const std::function<void(MTL4::CommandBuffer*)>& before = {}) {
    const std::string error = runCommands([&](MTL4::CommandBuffer* commands) {
      if (before) before(commands);
      auto* encoder =
          commands->renderCommandEncoder(clearPass(m_target.get(), MTL::ClearColor::Make(0, 0, 0, 0)));
      record(encoder);
      encoder->endEncoding();
    });
    if (message)
      *message = error;
    else
      EXPECT_EQ(error, "");
    return sums();
  }
  Sums sums() {
    auto values = texels<float>(m_target.get());
    Sums result;
    for (uint32_t y = 0; y < kRows; ++y)
      for (uint32_t x = 0; x < kColumns; ++x)
        if (const float value = values[y * kColumns + x]; value != 0) result[{x, y}] = value;
    return result;
  }

  // What standard error says of misuse outside a recording.
  static std::string misuse(const std::function<void()>& act) {
    testing::internal::CaptureStderr();
    act();
    return testing::internal::GetCapturedStderr();
  }
  static void expectParts(const std::string& message, const std::vector<std::string>& parts) {
    for (const std::string& part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is not in: " << message;
  }

  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL::Texture> m_target;
};

} // namespace basanite::tests
