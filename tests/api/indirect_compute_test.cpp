// SPDX-License-Identifier: Apache-2.0
// Indirect command buffers of dispatches, encoded by the CPU.
#include "tests/api/indirect_fixture.hpp"

namespace basanite::tests {
namespace {

constexpr MTL::IndirectCommandType kGroups = MTL::IndirectCommandTypeConcurrentDispatch;
constexpr MTL::IndirectCommandType kThreads = MTL::IndirectCommandTypeConcurrentDispatchThreads;
using Words = std::vector<uint32_t>;

class IndirectDispatches : public IndirectFixture {
 protected:
  void SetUp() override {
    IndirectFixture::SetUp();
    if (HasFatalFailure()) return;
    m_fill = indirectKernel("fill");
    m_fillMore = indirectKernel("fillMore");
    ASSERT_TRUE(m_fill && m_fillMore);
    m_values = sharedBuffer(Words{10, 20, 30, 40});
  }
  static MTL::Size size(NS::UInteger n) { return MTL::Size::Make(n, 1, 1); }

  std::string execute(const std::function<void(MTL4::ComputeCommandEncoder*)>& record) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      auto* encoder = commands->computeCommandEncoder();
      record(encoder);
      encoder->endEncoding();
    });
  }
  void encode(MTL::IndirectComputeCommand* command, MTL::Buffer* out, NS::UInteger at, NS::UInteger value) {
    command->setComputePipelineState(m_fill.get());
    command->setKernelBuffer(out, at * 4, 0);
    command->setKernelBuffer(m_values.get(), value * 4, 1);
  }

  NS::SharedPtr<MTL::ComputePipelineState> m_fill, m_fillMore;
  NS::SharedPtr<MTL::Buffer> m_values;
};

TEST_F(IndirectDispatches, EachCommandRunsItsKernelOverItsBuffers) {
  auto list = indirect(kGroups | kThreads, 4);
  auto out = sharedBuffer(Words(24, 0));
  auto* groups = list->indirectComputeCommand(0);
  encode(groups, out.get(), 0, 0);
  groups->concurrentDispatchThreadgroups(size(2), size(4));
  auto* threads = list->indirectComputeCommand(2); // 1 stays empty
  encode(threads, out.get(), 8, 1);
  threads->concurrentDispatchThreads(size(5), size(4));
  auto* other = list->indirectComputeCommand(3);
  encode(other, out.get(), 16, 2);
  other->setComputePipelineState(m_fillMore.get());
  other->concurrentDispatchThreads(size(6), size(4));
  EXPECT_EQ(execute([&](auto* e) {
              e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 4));
              EXPECT_EQ(e->stages(), MTL::Stages(MTL::StageDispatch));
            }),
            "");
  EXPECT_EQ(contents<uint32_t>(out.get()), (Words{10, 10, 10, 10, 10, 10, 10, 10, 20, 20, 20, 20,
                                                  20, 0,  0,  0,  36, 36, 36, 36, 36, 36, 0,  0}));
}

TEST_F(IndirectDispatches, WhatACommandInheritsComesFromTheEncoder) {
  auto list = indirect(kThreads, 1, [](auto* d) {
    d->setInheritBuffers(true);
    d->setInheritPipelineState(true);
  });
  list->indirectComputeCommand(0)->concurrentDispatchThreads(size(3), size(4));
  auto out = sharedBuffer(Words(4, 0));
  auto table = argumentTable(2);
  table->setAddress(out->gpuAddress(), 0);
  table->setAddress(m_values->gpuAddress() + 4, 1);
  EXPECT_EQ(execute([&](auto* e) {
              e->setComputePipelineState(m_fill.get());
              e->setArgumentTable(table.get());
              e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 1));
            }),
            "");
  EXPECT_EQ(contents<uint32_t>(out.get()), (Words{20, 20, 20, 0}));
}

TEST_F(IndirectDispatches, ABarrierOrdersACommandBehindThoseBeforeIt) {
  constexpr NS::UInteger kCommands = 12, kWords = 4096;
  auto increment = indirectKernel("increment");
  auto list = indirect(kThreads, kCommands);
  auto out = sharedBuffer(Words(kWords, 1));
  for (NS::UInteger i = 0; i < kCommands; ++i) {
    auto* command = list->indirectComputeCommand(i);
    command->setComputePipelineState(increment.get());
    command->setKernelBuffer(out.get(), 0, 0);
    command->concurrentDispatchThreads(size(kWords), size(64));
    command->setBarrier();
  }
  EXPECT_EQ(execute([&](auto* e) { e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, kCommands)); }),
            "");
  uint32_t expected = 1;
  for (NS::UInteger i = 0; i < kCommands; ++i) expected = expected * 3 + 1;
  EXPECT_EQ(contents<uint32_t>(out.get()), Words(kWords, expected));
}

TEST_F(IndirectDispatches, ThreadgroupMemoryIsTheCommandsElseTheEncoders) {
  auto kernel = indirectKernel("shared");
  auto list = indirect(kGroups, 2, [](auto* d) { d->setMaxKernelThreadgroupMemoryBindCount(1); });
  auto out = sharedBuffer(Words(16, 0));
  for (NS::UInteger i : {0, 1}) {
    auto* command = list->indirectComputeCommand(i);
    command->setComputePipelineState(kernel.get());
    command->setKernelBuffer(out.get(), i * 32, 0);
    command->concurrentDispatchThreadgroups(size(1), size(4 + 4 * i));
  }
  list->indirectComputeCommand(0)->setThreadgroupMemoryLength(16, 0);
  EXPECT_EQ(execute([&](auto* e) {
              e->setThreadgroupMemoryLength(32, 0);
              e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 2));
            }),
            "");
  EXPECT_EQ(contents<uint32_t>(out.get()), (Words{4, 3, 2, 1, 0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1}));
  expectParts(misuse([&] { list->indirectComputeCommand(0)->setThreadgroupMemoryLength(24, 0); }),
              {"24 bytes", "16"});
  expectParts(misuse([&] { list->indirectComputeCommand(0)->setThreadgroupMemoryLength(16, 1); }),
              {"index 1", "maxKernelThreadgroupMemoryBindCount"});
}

TEST_F(IndirectDispatches, ResetAndCopyChangeWhatIsDispatched) {
  auto list = indirect(kThreads, 3), other = indirect(kThreads, 2);
  auto out = sharedBuffer(Words(4, 0));
  for (NS::UInteger i = 0; i < 3; ++i) {
    encode(list->indirectComputeCommand(i), out.get(), i, i);
    list->indirectComputeCommand(i)->concurrentDispatchThreads(size(1), size(1));
  }
  EXPECT_EQ(execute([&](auto* e) {
              e->copyIndirectCommandBuffer(list.get(), NS::Range::Make(1, 2), other.get(), 0);
              e->resetCommandsInBuffer(other.get(), NS::Range::Make(0, 1));
              e->executeCommandsInBuffer(other.get(), NS::Range::Make(0, 2));
              EXPECT_EQ(e->stages(), MTL::Stages(MTL::StageBlit | MTL::StageDispatch));
            }),
            "");
  EXPECT_EQ(contents<uint32_t>(out.get()), (Words{0, 0, 30, 0}));
}

TEST_F(IndirectDispatches, WhatCannotBeIsNamed) {
  auto list = indirect(kThreads, 2), draws = indirect(MTL::IndirectCommandTypeDraw, 2);
  auto inheriting = indirect(kThreads, 2, [](auto* d) { d->setInheritBuffers(true); });
  auto plain = indirectKernel("fill", false);
  EXPECT_FALSE(plain->supportIndirectCommandBuffers());
  EXPECT_TRUE(m_fill->supportIndirectCommandBuffers());
  auto* command = list->indirectComputeCommand(0);
  expectParts(misuse([&] { command->concurrentDispatchThreadgroups(size(1), size(1)); }),
              {"ConcurrentDispatch", "command 0"});
  expectParts(misuse([&] { command->setComputePipelineState(plain.get()); }),
              {"supportIndirectCommandBuffers"});
  expectParts(misuse([&] { command->setKernelBuffer(m_values.get(), 0, 2); }),
              {"index 2", "maxKernelBufferBindCount"});
  expectParts(misuse([&] { list->indirectRenderCommand(0); }), {"compute commands"});
  const std::vector<std::pair<std::function<void(MTL4::ComputeCommandEncoder*)>, std::vector<std::string>>>
      calls = {
          {[&](auto* e) { e->executeCommandsInBuffer(draws.get(), NS::Range::Make(0, 1)); },
           {"render commands"}},
          {[&](auto* e) { e->executeCommandsInBuffer(list.get(), NS::Range::Make(1, 2)); },
           {"2 commands from index 1"}},
          {[&](auto* e) { e->resetCommandsInBuffer(list.get(), NS::Range::Make(3, 0)); },
           {"resetCommandsInBuffer", "index 3"}},
          {[&](auto* e) { e->resetCommandsInBuffer(nullptr, NS::Range::Make(0, 0)); }, {"null"}},
          {[&](auto* e) { e->optimizeIndirectCommandBuffer(list.get(), NS::Range::Make(0, 3)); },
           {"optimizeIndirectCommandBuffer"}},
          {[&](auto* e) { e->copyIndirectCommandBuffer(list.get(), NS::Range::Make(0, 2), list.get(), 1); },
           {"2 commands from index 1"}},
          {[&](auto* e) { e->copyIndirectCommandBuffer(list.get(), NS::Range::Make(0, 1), draws.get(), 0); },
           {"commandTypes"}},
          {[&](auto* e) {
             e->copyIndirectCommandBuffer(list.get(), NS::Range::Make(0, 1), inheriting.get(), 0);
           },
           {"inheritBuffers"}},
      };
  for (const auto& [record, parts] : calls) expectParts(execute(record), parts);
}

} // namespace
} // namespace basanite::tests
