// SPDX-License-Identifier: Apache-2.0
// Stamps around executions of indirect command buffers: the same work, encoded directly, takes as long.
#include "tests/api/counters_fixture.hpp"

namespace basanite::tests {
namespace {

// Other processes disturb some attempts on a shared machine; a wrong stamp is wrong in all of them.
constexpr int kAttempts = 8;

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
kernel void spin(device uint* out [[buffer(0)]], constant uint& steps [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uint value = i;
  for (uint step = 0; step < steps; ++step) value = value * 1664525u + 1013904223u;
  out[i] = value;
}
vertex float4 cover(uint i [[vertex_id]]) { return float4(i == 1 ? 3.0f : -1.0f, i == 2 ? 3.0f : -1.0f, 0, 1); }
fragment float4 spinPixel(float4 at [[position]], constant uint& steps [[buffer(1)]]) {
  uint value = uint(at.x) * 7919u + uint(at.y);
  for (uint step = 0; step < steps; ++step) value = value * 1664525u + 1013904223u;
  return float4(float(value & 255u) / 255.0f, 0, 0, 1);
}
)";

class CounterIndirect : public CountersFixture {
 protected:
  static constexpr NS::UInteger kThreads = 4096, kCommands = 3;

  void SetUp() override {
    CountersFixture::SetUp();
    if (HasFatalFailure()) return;
    auto lib = library(kSource);
    ASSERT_TRUE(lib);
    auto kernel = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
    kernel->setComputeFunctionDescriptor(function(lib.get(), "spin").get());
    kernel->setSupportIndirectCommandBuffers(MTL4::IndirectCommandBufferSupportStateEnabled);
    NS::Error* error = nullptr;
    m_spin = NS::TransferPtr(m_compiler->newComputePipelineState(kernel.get(), nullptr, &error));
    ASSERT_TRUE(m_spin) << text(error);
    m_spinPixels = renderPipeline(lib.get(), "cover", "spinPixel", [](MTL4::RenderPipelineDescriptor* descriptor) {
      descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
      descriptor->setSupportIndirectCommandBuffers(MTL4::IndirectCommandBufferSupportStateEnabled);
    });
    ASSERT_TRUE(m_spinPixels);
    m_heap = counterHeap(4);
    m_out = sharedBuffer(kThreads * 4);
    m_steps = sharedBuffer(std::vector<uint32_t>{isCpuDevice() ? 3'000u : 100'000u});
    m_table = argumentTable(2);
    m_table->setAddress(m_out->gpuAddress(), 0);
    m_table->setAddress(m_steps->gpuAddress(), 1);
  }
  NS::SharedPtr<MTL::IndirectCommandBuffer> list(MTL::IndirectCommandType type) {
    auto descriptor = NS::TransferPtr(MTL::IndirectCommandBufferDescriptor::alloc()->init());
    descriptor->setCommandTypes(type);
    descriptor->setInheritBuffers(true);
    descriptor->setInheritPipelineState(true);
    return NS::TransferPtr(
        m_device->newIndirectCommandBuffer(descriptor.get(), kCommands, MTL::ResourceStorageModeShared));
  }
  // Entries 0 to 1: the work encoded directly; 1 to 2: by an execution; 2 to 3: an execution of no command.
  void expectEqualTimes() {
    const double direct = between(m_heap.get(), 0, 1), executed = between(m_heap.get(), 1, 2),
                 empty = between(m_heap.get(), 2, 3);
    m_seen += fmt(direct, executed, empty);
    m_agrees = direct > 0 && executed > direct / 2 && executed < direct * 2 && empty >= 0 && empty < direct / 4;
  }
  static std::string fmt(double direct, double executed, double empty) {
    return "direct " + std::to_string(direct) + " ns, executed " + std::to_string(executed) + " ns, empty " +
           std::to_string(empty) + " ns\n";
  }

  NS::SharedPtr<MTL::ComputePipelineState> m_spin;
  NS::SharedPtr<MTL::RenderPipelineState> m_spinPixels;
  NS::SharedPtr<MTL4::CounterHeap> m_heap;
  NS::SharedPtr<MTL::Buffer> m_out, m_steps;
  NS::SharedPtr<MTL4::ArgumentTable> m_table;
  std::string m_seen;
  bool m_agrees = false;
};

TEST_F(CounterIndirect, AnExecutionOfDispatchesTakesTheirTime) {
  auto commands = list(MTL::IndirectCommandTypeConcurrentDispatchThreads);
  const MTL::Size grid = MTL::Size::Make(kThreads, 1, 1), group = MTL::Size::Make(64, 1, 1);
  for (NS::UInteger i = 0; i < kCommands; ++i)
    commands->indirectComputeCommand(i)->concurrentDispatchThreads(grid, group);
  const auto attempt = [&] {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* buffer) {
                auto* encoder = buffer->computeCommandEncoder();
                encoder->setComputePipelineState(m_spin.get());
                encoder->setArgumentTable(m_table.get());
                encoder->writeTimestamp(kPrecise, m_heap.get(), 0);
                for (NS::UInteger i = 0; i < kCommands; ++i) encoder->dispatchThreads(grid, group);
                encoder->writeTimestamp(kPrecise, m_heap.get(), 1);
                encoder->executeCommandsInBuffer(commands.get(), NS::Range::Make(0, kCommands));
                encoder->writeTimestamp(kPrecise, m_heap.get(), 2);
                encoder->executeCommandsInBuffer(commands.get(), NS::Range::Make(kCommands, 0));
                encoder->writeTimestamp(kPrecise, m_heap.get(), 3);
                encoder->endEncoding();
              }),
              "");
    expectEqualTimes();
    return m_agrees;
  };
  EXPECT_TRUE(atLeastOnce(kAttempts, attempt)) << m_seen;
}

TEST_F(CounterIndirect, AnExecutionOfDrawsTakesTheirTimeWithPreciseStamps) {
  auto commands = list(MTL::IndirectCommandTypeDraw);
  for (NS::UInteger i = 0; i < kCommands; ++i)
    commands->indirectRenderCommand(i)->drawPrimitives(MTL::PrimitiveTypeTriangle, 0, 3, 1, 0);
  const auto attempt = [&] {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* buffer) {
                auto* encoder = openPass(buffer);
                encoder->setRenderPipelineState(m_spinPixels.get());
                encoder->setArgumentTable(m_table.get(), kFragment);
                encoder->writeTimestamp(kPrecise, kFragment, m_heap.get(), 0);
                for (NS::UInteger i = 0; i < kCommands; ++i)
                  encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
                encoder->writeTimestamp(kPrecise, kFragment, m_heap.get(), 1);
                encoder->executeCommandsInBuffer(commands.get(), NS::Range::Make(0, kCommands));
                encoder->writeTimestamp(kPrecise, kFragment, m_heap.get(), 2);
                encoder->executeCommandsInBuffer(commands.get(), NS::Range::Make(kCommands, 0));
                encoder->writeTimestamp(kPrecise, kFragment, m_heap.get(), 3);
                encoder->endEncoding();
              }),
              "");
    expectEqualTimes();
    return m_agrees;
  };
  EXPECT_TRUE(atLeastOnce(kAttempts, attempt)) << m_seen;
}

} // namespace
} // namespace basanite::tests
