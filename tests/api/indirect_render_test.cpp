// SPDX-License-Identifier: Apache-2.0
// Indirect command buffers of draws, encoded by the CPU: what they draw, what they inherit, how they are
// changed.
#include "tests/api/indirect_fixture.hpp"

namespace basanite::tests {
namespace {

constexpr auto kPoint = MTL::PrimitiveTypePoint;
constexpr MTL::IndirectCommandType kDraw = MTL::IndirectCommandTypeDraw;
constexpr MTL::IndirectCommandType kIndexed = MTL::IndirectCommandTypeDrawIndexed;

class IndirectDraws : public IndirectFixture {
 protected:
  void SetUp() override {
    IndirectFixture::SetUp();
    if (HasFatalFailure()) return;
    m_add = indirectPipeline("placed", "add");
    m_addTwice = indirectPipeline("placed", "addTwice");
    ASSERT_TRUE(m_add && m_addTwice);
    // Command i draws in row i, from column i on, and adds i + 1.
    std::vector<uint32_t> places;
    std::vector<float> values;
    for (uint32_t i = 0; i < kRows; ++i) {
      places.insert(places.end(), {i, i});
      values.push_back(float(i + 1));
    }
    m_places = sharedBuffer(places);
    m_values = sharedBuffer(values);
  }

  // Of a buffer whose commands have buffers and pipelines of their own: `vertices` points from vertex 0 on.
  void encode(MTL::IndirectRenderCommand* command, NS::UInteger i, NS::UInteger vertices = 1,
              MTL::RenderPipelineState* pipeline = nullptr) {
    command->setRenderPipelineState(pipeline ? pipeline : m_add.get());
    buffers(command, i);
    command->drawPrimitives(kPoint, 0, vertices, 1, 0);
  }
  void buffers(MTL::IndirectRenderCommand* command, NS::UInteger i) {
    command->setVertexBuffer(m_places.get(), i * 8, 0);
    command->setFragmentBuffer(m_values.get(), i * 4, 0);
  }
  NS::SharedPtr<MTL4::ArgumentTable> table(MTL::GPUAddress address) {
    auto made = argumentTable(1);
    made->setAddress(address, 0);
    return made;
  }

  NS::SharedPtr<MTL::RenderPipelineState> m_add, m_addTwice;
  NS::SharedPtr<MTL::Buffer> m_places, m_values;
};

TEST_F(IndirectDraws, EachCommandDrawsWithItsOwnPipelineAndBuffers) {
  auto list = indirect(kDraw | kIndexed, 5);
  auto indices = sharedBuffer(std::vector<uint16_t>{99, 99, 3, 5});
  auto wide = sharedBuffer(std::vector<uint32_t>{99, 1, 2});
  EXPECT_EQ(list->size(), 5u);
  encode(list->indirectRenderCommand(0), 0);
  encode(list->indirectRenderCommand(1), 1, 3, m_addTwice.get());
  auto* instanced = list->indirectRenderCommand(2);
  encode(instanced, 2);
  instanced->drawPrimitives(kPoint, 4, 2, 2, 1); // the last one counts
  auto* narrow = list->indirectRenderCommand(3);
  encode(narrow, 3);
  narrow->drawIndexedPrimitives(kPoint, 2, MTL::IndexTypeUInt16, indices.get(), 4, 1, 0, 0);
  auto* based = list->indirectRenderCommand(4);
  encode(based, 4);
  based->drawIndexedPrimitives(kPoint, 2, MTL::IndexTypeUInt32, wide.get(), 4, 1, 7, 2);
  EXPECT_EQ(drawn([&](auto* e) { e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 5)); }),
            (Sums{{{0, 0}, 1},
                  {{1, 1}, 4},
                  {{2, 1}, 4},
                  {{3, 1}, 4},
                  {{7, 3}, 3},
                  {{6, 4}, 3},
                  {{7, 4}, 3},
                  {{6, 3}, 3 + 4},
                  {{3 + 5, 3}, 4},
                  {{4 + 8, 6}, 5},
                  {{4 + 9, 6}, 5}}));
}

TEST_F(IndirectDraws, ARangeExecutesItsCommandsAndCommandsThatHoldNoDrawAreSkipped) {
  auto list = indirect(kDraw, 6);
  for (NS::UInteger i : {1, 2, 3, 5}) encode(list->indirectRenderCommand(i), i);
  list->indirectRenderCommand(4)->setRenderPipelineState(m_add.get()); // no draw
  const auto range = [&](NS::UInteger first, NS::UInteger count) {
    return drawn([&](auto* e) { e->executeCommandsInBuffer(list.get(), NS::Range::Make(first, count)); });
  };
  EXPECT_EQ(range(0, 6), (Sums{{{1, 1}, 2}, {{2, 2}, 3}, {{3, 3}, 4}, {{5, 5}, 6}}));
  EXPECT_EQ(range(2, 2), (Sums{{{2, 2}, 3}, {{3, 3}, 4}}));
  EXPECT_EQ(range(6, 0), Sums{});
  EXPECT_EQ(range(4, 1), Sums{});
}

TEST_F(IndirectDraws, WhatACommandInheritsComesFromTheEncoder) {
  auto list = indirect(kDraw, 2, [](auto* d) {
    d->setInheritBuffers(true);
    d->setInheritPipelineState(true);
  });
  for (NS::UInteger i : {0, 1}) list->indirectRenderCommand(i)->drawPrimitives(kPoint, 2 * i, 1, 1, 0);
  auto places = table(m_places->gpuAddress() + 8), values = table(m_values->gpuAddress() + 8);
  EXPECT_EQ(drawn([&](auto* e) {
              e->setArgumentTable(places.get(), MTL::RenderStageVertex);
              e->setArgumentTable(values.get(), MTL::RenderStageFragment);
              e->setRenderPipelineState(m_add.get());
              e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 2));
              e->setRenderPipelineState(m_addTwice.get());
              e->executeCommandsInBuffer(list.get(), NS::Range::Make(1, 1));
            }),
            (Sums{{{1, 1}, 3}, {{3, 1}, 3 + 6}}));
}

TEST_F(IndirectDraws, TheEncodersOwnStateIsBackBehindTheCommands) {
  auto list = indirect(kDraw, 2);
  encode(list->indirectRenderCommand(0), 3, 1, m_addTwice.get());
  auto places = table(m_places->gpuAddress()), values = table(m_values->gpuAddress());
  EXPECT_EQ(drawn([&](auto* e) {
              e->setArgumentTable(places.get(), MTL::RenderStageVertex);
              e->setArgumentTable(values.get(), MTL::RenderStageFragment);
              e->setRenderPipelineState(m_add.get());
              e->drawPrimitives(kPoint, NS::UInteger(0), NS::UInteger(1));
              e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 2));
              e->drawPrimitives(kPoint, NS::UInteger(4), NS::UInteger(1));
            }),
            (Sums{{{0, 0}, 1}, {{3, 3}, 8}, {{4, 0}, 1}}));
}

TEST_F(IndirectDraws, ResetCommandsDrawNothingUntilTheyAreEncodedAgain) {
  auto list = indirect(kDraw, 4);
  for (NS::UInteger i = 0; i < 4; ++i) encode(list->indirectRenderCommand(i), i);
  const auto all = [&] {
    return drawn([&](auto* e) { e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 4)); });
  };
  EXPECT_EQ(all().size(), 4u);
  list->indirectRenderCommand(0)->reset();
  EXPECT_EQ(all(), (Sums{{{1, 1}, 2}, {{2, 2}, 3}, {{3, 3}, 4}}));
  list->reset(NS::Range::Make(1, 2));
  EXPECT_EQ(all(), (Sums{{{3, 3}, 4}}));
  encode(list->indirectRenderCommand(2), 5);
  EXPECT_EQ(all(), (Sums{{{3, 3}, 4}, {{5, 5}, 6}}));
  EXPECT_EQ(drawn([&](auto* e) { e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 4)); }, nullptr,
                  [&](MTL4::CommandBuffer* commands) {
                    auto* encoder = commands->computeCommandEncoder();
                    encoder->resetCommandsInBuffer(list.get(), NS::Range::Make(3, 1));
                    EXPECT_EQ(encoder->stages(), MTL::Stages(MTL::StageBlit));
                    encoder->optimizeIndirectCommandBuffer(list.get(), NS::Range::Make(0, 4));
                    encoder->endEncoding();
                  }),
            (Sums{{{5, 5}, 6}}));
}

TEST_F(IndirectDraws, CopiesAreCommandsOfTheirOwn) {
  auto list = indirect(kDraw, 4), other = indirect(kDraw, 6);
  for (NS::UInteger i = 0; i < 3; ++i) encode(list->indirectRenderCommand(i), i);
  encode(other->indirectRenderCommand(0), 6);
  encode(other->indirectRenderCommand(4), 7); // command 3 of the list, which is empty, goes over it
  const auto copy = [&](const MTL::IndirectCommandBuffer* from, NS::Range range, NS::UInteger to) {
    return [=](MTL4::CommandBuffer* commands) {
      auto* encoder = commands->computeCommandEncoder();
      encoder->copyIndirectCommandBuffer(from, range, other.get(), to);
      encoder->endEncoding();
    };
  };
  const auto all = [&](auto before) {
    return drawn([&](auto* e) { e->executeCommandsInBuffer(other.get(), NS::Range::Make(0, 6)); }, nullptr,
                 before);
  };
  EXPECT_EQ(all(copy(list.get(), NS::Range::Make(1, 3), 2)), (Sums{{{6, 6}, 7}, {{1, 1}, 2}, {{2, 2}, 3}}));
  // Neither side sees what becomes of the other.
  list->indirectRenderCommand(1)->setVertexBuffer(m_places.get(), 4 * 8, 0);
  other->indirectRenderCommand(3)->setFragmentBuffer(m_values.get(), 7 * 4, 0);
  EXPECT_EQ(all(copy(list.get(), NS::Range::Make(0, 0), 6)), (Sums{{{6, 6}, 7}, {{1, 1}, 2}, {{2, 2}, 8}}));
  EXPECT_EQ(drawn([&](auto* e) { e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 4)); }),
            (Sums{{{0, 0}, 1}, {{4, 4}, 2}, {{2, 2}, 3}}));
  // Within one buffer, overlapping.
  EXPECT_EQ(all(copy(other.get(), NS::Range::Make(2, 2), 3)), (Sums{{{6, 6}, 7}, {{1, 1}, 4}, {{2, 2}, 8}}));
}

TEST_F(IndirectDraws, RasterStateIsTheCommandsWhereItIsNotInherited) {
  auto cover = indirectPipeline("covering", "addFlat");
  ASSERT_TRUE(cover);
  auto depths = sharedBuffer(std::vector<float>{0.5f, 2.0f});
  auto list = indirect(kDraw, 4, [](auto* d) {
    d->setInheritCullMode(false);
    d->setInheritFrontFacingWinding(false);
    d->setInheritTriangleFillMode(false);
    d->setInheritDepthClipMode(false);
    d->setInheritDepthBias(false);
    d->setInheritDepthStencilState(false);
  });
  for (NS::UInteger i = 0; i < 4; ++i) {
    auto* command = list->indirectRenderCommand(i);
    command->setRenderPipelineState(cover.get());
    command->setVertexBuffer(depths.get(), i == 3 ? 4 : 0, 0);
    command->setFragmentBuffer(m_values.get(), i * 4, 0);
    command->drawPrimitives(MTL::PrimitiveTypeTriangle, 0, 3, 1, 0);
  }
  // The triangle runs counter-clockwise on the screen.
  list->indirectRenderCommand(0)->setCullMode(MTL::CullModeBack); // clockwise is front: gone
  list->indirectRenderCommand(1)->setCullMode(MTL::CullModeBack);
  list->indirectRenderCommand(1)->setFrontFacingWinding(MTL::WindingCounterClockwise);
  list->indirectRenderCommand(2)->setDepthBias(1, 0, 0);
  list->indirectRenderCommand(3)->setDepthClipMode(MTL::DepthClipModeClamp); // z is 2
  auto places = table(m_places->gpuAddress()), values = table(m_values->gpuAddress() + 28);
  const Sums result = drawn([&](auto* e) {
    e->setCullMode(MTL::CullModeFront); // of no concern to the commands
    e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 4));
    // Clockwise on the screen is this one, and the encoder's state culls it.
    auto depth = table(depths->gpuAddress());
    e->setRenderPipelineState(cover.get());
    e->setFrontFacingWinding(MTL::WindingCounterClockwise);
    e->setArgumentTable(depth.get(), MTL::RenderStageVertex);
    e->setArgumentTable(values.get(), MTL::RenderStageFragment);
    e->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
  });
  EXPECT_EQ(result.size(), kColumns * kRows);
  for (const auto& [at, value] : result)
    EXPECT_EQ(value, 2.0f + 3.0f + 4.0f) << at.first << ", " << at.second;
}

TEST_F(IndirectDraws, DrawsOfOneListAreOrderedAndBarriersChangeNoPixel) {
  auto list = indirect(kDraw, 3);
  for (NS::UInteger i = 0; i < 3; ++i) {
    auto* command = list->indirectRenderCommand(i);
    encode(command, i, 2);
    if (i > 0) command->setBarrier();
  }
  list->indirectRenderCommand(2)->clearBarrier();
  EXPECT_EQ(drawn([&](auto* e) {
              e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 3));
              e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 3));
            }),
            (Sums{{{0, 0}, 2}, {{1, 0}, 2}, {{1, 1}, 4}, {{2, 1}, 4}, {{2, 2}, 6}, {{3, 2}, 6}}));
}

TEST_F(IndirectDraws, AListMayGoAsSoonAsItsExecutionIsCommitted) {
  auto list = indirect(kDraw, 1);
  encode(list->indirectRenderCommand(0), 2);
  m_commands->beginCommandBuffer(m_allocator.get());
  auto* encoder =
      m_commands->renderCommandEncoder(clearPass(m_target.get(), MTL::ClearColor::Make(0, 0, 0, 0)));
  encoder->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 1));
  encoder->endEncoding();
  m_commands->endCommandBuffer();
  auto command = NS::RetainPtr(list->indirectRenderCommand(0));
  list.reset();
  commitAndWait(m_commands.get());
  EXPECT_EQ(sums(), (Sums{{{2, 2}, 3}}));
}

TEST_F(IndirectDraws, ChangesBetweenEncodingAndCommitAreNamed) {
  auto list = indirect(kDraw, 2);
  for (NS::UInteger i : {0, 1}) encode(list->indirectRenderCommand(i), i);
  std::string message;
  const auto changing = [&](NS::UInteger i) {
    return drawn(
        [&](auto* e) {
          e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 1));
          encode(list->indirectRenderCommand(i), 4);
        },
        &message);
  };
  EXPECT_EQ(changing(1), (Sums{{{0, 0}, 1}})); // not executed, so free to change
  EXPECT_EQ(message, "");
  changing(0);
  expectParts(message, {"command 0", "\"list\"", "executeCommandsInBuffer"});
}

// ---- misuse
// ------------------------------------------------------------------------------------------------------------

TEST_F(IndirectDraws, CommandsThatTheDescriptorDoesNotAllowAreNamed) {
  auto list = indirect(kDraw, 2, [](auto* d) { d->setMaxVertexBufferBindCount(1); });
  auto inheriting = indirect(kDraw, 2, [](auto* d) {
    d->setInheritBuffers(true);
    d->setInheritPipelineState(true);
  });
  auto plain = indirectPipeline("placed", "add", false);
  EXPECT_FALSE(plain->supportIndirectCommandBuffers());
  EXPECT_TRUE(m_add->supportIndirectCommandBuffers());
  auto* command = list->indirectRenderCommand(1);
  auto* inherits = inheriting->indirectRenderCommand(0);
  const auto size = [](NS::UInteger n) { return MTL::Size::Make(n, 1, 1); };
  const std::vector<std::pair<std::function<void()>, std::vector<std::string>>> calls = {
      {[&] { list->indirectRenderCommand(2); }, {"index 2", "2 commands", "\"list\""}},
      {[&] { list->indirectComputeCommand(0); }, {"render commands", "\"list\""}},
      {[&] { command->drawIndexedPrimitives(kPoint, 1, MTL::IndexTypeUInt16, m_places.get(), 0, 1, 0, 0); },
       {"drawIndexedPrimitives", "command 1", "\"list\"", "commandTypes", "DrawIndexed"}},
      {[&] { command->drawMeshThreadgroups(size(1), size(1), size(1)); }, {"DrawMeshThreadgroups"}},
      {[&] { command->drawMeshThreads(size(1), size(1), size(1)); }, {"DrawMeshThreads"}},
      {[&] { command->setVertexBuffer(m_places.get(), 0, 1); },
       {"setVertexBuffer", "index 1", "1 buffers", "maxVertexBufferBindCount"}},
      {[&] { command->setFragmentBuffer(m_places.get(), 0, 5); }, {"index 5", "maxFragmentBufferBindCount"}},
      {[&] { command->setVertexBuffer(m_places.get(), 64, 0); }, {"offset 64", "64 bytes"}},
      {[&] { command->setVertexBuffer(nullptr, 0, 0); }, {"buffer is null"}},
      {[&] { command->setRenderPipelineState(plain.get()); }, {"supportIndirectCommandBuffers"}},
      {[&] { command->setRenderPipelineState(nullptr); }, {"null"}},
      {[&] { command->setCullMode(MTL::CullModeBack); }, {"inheritCullMode"}},
      {[&] { command->setDepthBias(1, 1, 1); }, {"inheritDepthBias"}},
      {[&] { command->setDepthStencilState(nullptr); }, {"inheritDepthStencilState"}},
      {[&] { inherits->setRenderPipelineState(m_add.get()); }, {"inheritPipelineState"}},
      {[&] { inherits->setVertexBuffer(m_places.get(), 0, 0); }, {"inheritBuffers"}},
      {[&] { list->reset(NS::Range::Make(1, 2)); }, {"2 commands from index 1", "\"list\""}},
  };
  for (const auto& [act, parts] : calls) expectParts(misuse(act), parts);
  EXPECT_EQ(list->indirectRenderCommand(0), list->indirectRenderCommand(0));
  auto orphan = NS::RetainPtr(command);
  list.reset();
  expectParts(misuse([&] { orphan->reset(); }), {"command 1", "gone"});
}

TEST_F(IndirectDraws, DescriptorsThatCannotBeAreNamed) {
  const auto refused = [&](MTL::IndirectCommandType types, NS::UInteger count, const SetUp4& setUp = {}) {
    return misuse([&] {
      auto descriptor = NS::TransferPtr(MTL::IndirectCommandBufferDescriptor::alloc()->init());
      descriptor->setCommandTypes(types);
      if (setUp) setUp(descriptor.get());
      EXPECT_FALSE(
          m_device->newIndirectCommandBuffer(descriptor.get(), count, MTL::ResourceStorageModeShared));
    });
  };
  expectParts(refused(0, 1), {"commandTypes", "0x0"});
  expectParts(refused(1 << 20, 1), {"0x100000"});
  expectParts(refused(kDraw | MTL::IndirectCommandTypeConcurrentDispatch, 1), {"0x21", "mixed"});
  expectParts(refused(MTL::IndirectCommandTypeDrawPatches, 1), {"patches"});
  expectParts(refused(kDraw, 0), {"1 to 1048576", "not 0"});
  expectParts(refused(kDraw, NS::UInteger(1) << 40), {"1099511627776"});
  expectParts(refused(kDraw, 1, [](auto* d) { d->setMaxVertexBufferBindCount(32); }),
              {"maxVertexBufferBindCount is 32", "31"});
  expectParts(refused(kDraw, 1, [](auto* d) { d->setSupportRayTracing(true); }), {"supportRayTracing"});
  expectParts(misuse([&] { EXPECT_FALSE(m_device->newIndirectCommandBuffer(nullptr, 1, 0)); }), {"null"});
}

TEST_F(IndirectDraws, ExecutionsThatCannotBeAreNamedAndTheRestIsDrawn) {
  auto list = indirect(kDraw, 3), kernels = indirect(MTL::IndirectCommandTypeConcurrentDispatch, 1);
  auto inheriting = indirect(kDraw, 1, [](auto* d) { d->setInheritPipelineState(true); });
  encode(list->indirectRenderCommand(0), 0);
  list->indirectRenderCommand(1)->drawPrimitives(kPoint, 0, 1, 1, 0); // no pipeline
  encode(list->indirectRenderCommand(2), 2);
  auto plain = indirectPipeline("placed", "add", false);
  std::string message;
  EXPECT_EQ(drawn([&](auto* e) { e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 3)); }, &message),
            (Sums{{{0, 0}, 1}, {{2, 2}, 3}}));
  expectParts(message, {"Command 1", "\"list\"", "pipeline"});
  auto* bare = list->indirectRenderCommand(1);
  bare->setRenderPipelineState(m_add.get());
  bare->setVertexBuffer(m_places.get(), 0, 0);
  EXPECT_EQ(drawn([&](auto* e) { e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 3)); }, &message),
            (Sums{{{0, 0}, 1}, {{2, 2}, 3}}));
  expectParts(message, {"Command 1", "\"list\"", "fragment stage", "buffer(0)"});
  const std::vector<std::pair<std::function<void(MTL4::RenderCommandEncoder*)>, std::vector<std::string>>>
      calls = {
          {[&](auto* e) { e->executeCommandsInBuffer(list.get(), NS::Range::Make(2, 2)); },
           {"executeCommandsInBuffer", "2 commands from index 2", "3", "\"list\""}},
          {[&](auto* e) { e->executeCommandsInBuffer(list.get(), NS::Range::Make(~NS::UInteger(0), 2)); },
           {"\"list\""}},
          {[&](auto* e) { e->executeCommandsInBuffer(nullptr, NS::Range::Make(0, 0)); }, {"null"}},
          {[&](auto* e) { e->executeCommandsInBuffer(kernels.get(), NS::Range::Make(0, 1)); },
           {"compute commands"}},
          {[&](auto* e) { e->executeCommandsInBuffer(inheriting.get(), NS::Range::Make(0, 1)); },
           {"no render pipeline"}},
          {[&](auto* e) {
             e->setRenderPipelineState(plain.get());
             e->executeCommandsInBuffer(inheriting.get(), NS::Range::Make(0, 1));
           },
           {"supportIndirectCommandBuffers"}},
      };
  for (const auto& [record, parts] : calls) {
    EXPECT_EQ(drawn(record, &message), Sums{});
    expectParts(message, parts);
  }
}

TEST_F(IndirectDraws, DescriptorsHoldWhatTheyAreGiven) {
  auto d = NS::TransferPtr(MTL::IndirectCommandBufferDescriptor::alloc()->init());
  EXPECT_FALSE(d->inheritPipelineState());
  EXPECT_TRUE(d->inheritCullMode() && d->inheritDepthBias() && d->inheritDepthClipMode() &&
              d->inheritDepthStencilState() && d->inheritFrontFacingWinding() &&
              d->inheritTriangleFillMode());
  d->setCommandTypes(kDraw);
  d->setMaxMeshBufferBindCount(3);
  d->setMaxObjectBufferBindCount(4);
  d->setMaxKernelThreadgroupMemoryBindCount(5);
  d->setMaxObjectThreadgroupMemoryBindCount(6);
  d->setSupportDynamicAttributeStride(true);
  d->setSupportColorAttachmentMapping(true);
  auto copy = NS::TransferPtr(d->copy());
  EXPECT_EQ(copy->commandTypes(), kDraw);
  EXPECT_EQ(copy->maxMeshBufferBindCount(), 3u);
  EXPECT_EQ(copy->maxObjectBufferBindCount(), 4u);
  EXPECT_EQ(copy->maxKernelThreadgroupMemoryBindCount(), 5u);
  EXPECT_EQ(copy->maxObjectThreadgroupMemoryBindCount(), 6u);
  EXPECT_TRUE(copy->supportDynamicAttributeStride() && copy->supportColorAttachmentMapping());
  auto pipeline = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
  EXPECT_EQ(pipeline->supportIndirectCommandBuffers(), MTL4::IndirectCommandBufferSupportStateDisabled);
}

} // namespace
} // namespace basanite::tests
