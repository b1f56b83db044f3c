// SPDX-License-Identifier: Apache-2.0
// Indirect command buffers that kernels encode: draws of every kind, dispatches, faults that only the GPU
// sees.
#include "tests/api/indirect_fixture.hpp"

namespace basanite::tests {
namespace {

constexpr MTL::IndirectCommandType kDraws =
    MTL::IndirectCommandTypeDraw | MTL::IndirectCommandTypeDrawIndexed;
constexpr MTL::IndirectCommandType kDispatches =
    MTL::IndirectCommandTypeConcurrentDispatch | MTL::IndirectCommandTypeConcurrentDispatchThreads;
using Words = std::vector<uint32_t>;

constexpr const char* kEncoders = R"(
#include <metal_stdlib>
using namespace metal;
struct Draws {
  command_buffer list [[id(0)]];
  render_pipeline_state add [[id(1)]];
  render_pipeline_state twice [[id(2)]];
};
kernel void encode(constant Draws& draws [[buffer(0)]], device uint2* places [[buffer(1)]], device float* values [[buffer(2)]],
                   device ushort* narrow [[buffer(3)]], constant uint* wide [[buffer(4)]], uint i [[thread_position_in_grid]]) {
  render_command command(draws.list, i);
  command.set_render_pipeline_state(i % 2 ? draws.twice : draws.add);
  command.set_vertex_buffer(places + i, 0);
  command.set_fragment_buffer(values + i, 0);
  switch (i) {
  case 0: command.draw_primitives(primitive_type::point, 0, 1, 1, 0); break;
  case 1: command.draw_primitives(primitive_type::point, 1, 2, 2, 1); break;
  case 2: command.draw_indexed_primitives(primitive_type::point, 2, narrow + 1, 1, 0, 0); break;
  case 3: command.draw_indexed_primitives(primitive_type::point, 2, wide + 1, 1, 7, 2); break;
  case 4: command.reset(); break;
  case 5: command.draw_indexed_primitives(primitive_type::line_strip, 5, narrow + 4, 1, 0, 0); break;
  default: command.draw_primitives(primitive_type::point, 0, 1, 1, 0); break; // past the end
  }
}
// As the above but for its order: later commands go over earlier ones.
kernel void stack(constant Draws& draws [[buffer(0)]], device uint2* places [[buffer(1)]], device float* values [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  render_command command(draws.list, i);
  command.set_render_pipeline_state(i % 2 ? draws.twice : draws.add);
  command.set_vertex_buffer(places, 0);
  command.set_fragment_buffer(values + i, 0);
  command.draw_primitives(primitive_type::point, 0, 1, 1, 0);
}
// What inherits all but its counts: every other one of the even ones.
kernel void cull(constant Draws& draws [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  render_command command(draws.list, i);
  if (i % 4 == 0) command.draw_primitives(primitive_type::point, i, 1, 1, 0);
  else command.reset();
}
kernel void mirror(constant Draws& draws [[buffer(0)]], device uint* out [[buffer(1)]]) {
  render_command(draws.list, 2).copy_command(render_command(draws.list, 0));
  render_command(draws.list, 0).reset();
  *out = uint(draws.list.size());
}
struct Dispatches {
  command_buffer list [[id(0)]];
  compute_pipeline_state fill [[id(1)]];
  compute_pipeline_state increment [[id(2)]];
};
kernel void dispatchAll(constant Dispatches& dispatches [[buffer(0)]], device uint* out [[buffer(1)]],
                        constant uint* values [[buffer(2)]], constant uint3& size [[buffer(3)]],
                        uint i [[thread_position_in_grid]]) {
  compute_command command(dispatches.list, i);
  command.set_compute_pipeline_state(i < 2 ? dispatches.fill : dispatches.increment);
  command.set_kernel_buffer(out + 8 * (i % 2), 0);
  if (i < 2) command.set_kernel_buffer(values + i, 1);
  command.set_barrier();
  if (i % 2) command.concurrent_dispatch_threadgroups(uint3(2, 1, 1), uint3(4, 1, 1));
  else command.concurrent_dispatch_threads(uint3(size.x, 1, 1), uint3(size.y, 1, 1));
}
)";

class IndirectOnGpu : public IndirectFixture {
 protected:
  void SetUp() override {
    IndirectFixture::SetUp();
    if (HasFatalFailure()) return;
    m_encoders = library(kEncoders);
    ASSERT_TRUE(m_encoders);
    std::vector<uint32_t> places;
    std::vector<float> values;
    for (uint32_t i = 0; i < kRows; ++i) {
      places.insert(places.end(), {i, i});
      values.push_back(float(i + 1));
    }
    m_places = sharedBuffer(places);
    m_values = sharedBuffer(values);
    m_narrow = sharedBuffer(std::vector<uint16_t>{99, 3, 5, 99, 0, 3, 0xffff, 8, 11});
    m_wide = sharedBuffer(Words{99, 1, 2});
  }
  static MTL::Size size(NS::UInteger n) { return MTL::Size::Make(n, 1, 1); }
  static uint64_t id(MTL::ResourceID resource) { return resource._impl; }

  // One pass of `kernel` over `commands` threads, with these buffers.
  std::function<void(MTL4::CommandBuffer*)> encoding(const char* kernel, NS::UInteger commands,
                                                     std::vector<MTL::Buffer*> buffers) {
    auto pipeline = computePipeline(m_encoders.get(), kernel);
    auto table = argumentTable(buffers.size());
    for (size_t i = 0; i < buffers.size(); ++i) table->setAddress(buffers[i]->gpuAddress(), i);
    return [=](MTL4::CommandBuffer* buffer) {
      auto* encoder = buffer->computeCommandEncoder();
      encoder->setComputePipelineState(pipeline.get());
      encoder->setArgumentTable(table.get());
      encoder->dispatchThreads(size(commands), size(1));
      encoder->barrierAfterStages(MTL::StageDispatch, MTL::StageVertex | MTL::StageDispatch | MTL::StageBlit,
                                  MTL4::VisibilityOptionDevice);
      encoder->endEncoding();
    };
  }
  static std::function<void(MTL4::RenderCommandEncoder*)> executing(const MTL::IndirectCommandBuffer* list,
                                                                    NS::Range range) {
    return [=](MTL4::RenderCommandEncoder* encoder) { encoder->executeCommandsInBuffer(list, range); };
  }

  NS::SharedPtr<MTL::Library> m_encoders;
  NS::SharedPtr<MTL::Buffer> m_places, m_values, m_narrow, m_wide;
};

TEST_F(IndirectOnGpu, DrawsOfEveryKindWithPipelinesAndBuffersOfTheirOwn) {
  auto add = indirectPipeline("placed", "add"), twice = indirectPipeline("placed", "addTwice");
  auto list = indirect(kDraws, 6);
  auto draws = sharedBuffer(
      std::vector<uint64_t>{id(list->gpuResourceID()), id(add->gpuResourceID()), id(twice->gpuResourceID())});
  auto encode =
      encoding("encode", 8, {draws.get(), m_places.get(), m_values.get(), m_narrow.get(), m_wide.get()});
  Sums expected{{{0, 0}, 1},
                {{2, 2}, 4},
                {{3, 2}, 4},
                {{2, 3}, 4},
                {{3, 3}, 4},
                {{5, 2}, 3},
                {{7, 2}, 3},
                {{3 + 8, 5}, 8},
                {{3 + 9, 5}, 8},
                // Lines without their last pixels; between them the strip starts anew.
                {{5, 5}, 12},
                {{6, 5}, 12},
                {{7, 5}, 12},
                {{13, 5}, 12},
                {{14, 5}, 12},
                {{15, 5}, 12}};
  EXPECT_EQ(drawn(executing(list.get(), NS::Range::Make(0, 6)), nullptr, encode), expected);
  // What is encoded stays; and a range of it.
  EXPECT_EQ(drawn(executing(list.get(), NS::Range::Make(0, 6))), expected);
  EXPECT_EQ(drawn(executing(list.get(), NS::Range::Make(2, 1))), (Sums{{{5, 2}, 3}, {{7, 2}, 3}}));
  auto range = sharedBuffer(Words{2, 2});
  EXPECT_EQ(drawn([&](auto* e) { e->executeCommandsInBuffer(list.get(), range->gpuAddress()); }),
            (Sums{{{5, 2}, 3}, {{7, 2}, 3}, {{11, 5}, 8}, {{12, 5}, 8}}));
  // The encoder's own state is back behind them.
  auto place = argumentTable(1), value = argumentTable(1);
  place->setAddress(m_places->gpuAddress() + 32, 0);
  value->setAddress(m_values->gpuAddress() + 16, 0);
  EXPECT_EQ(drawn([&](auto* e) {
              e->setRenderPipelineState(add.get());
              e->setArgumentTable(place.get(), MTL::RenderStageVertex);
              e->setArgumentTable(value.get(), MTL::RenderStageFragment);
              const auto own = [&] {
                e->drawPrimitives(MTL::PrimitiveTypePoint, NS::UInteger(0), NS::UInteger(1));
              };
              own();
              e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 1));
              own();
            }),
            (Sums{{{0, 0}, 1}, {{4, 4}, 10}}));
}

TEST_F(IndirectOnGpu, CommandsDrawInTheirOrder) {
  const auto opaque = [&](const char* fragment) {
    return renderPipeline(m_library.get(), "placed", fragment, [](MTL4::RenderPipelineDescriptor* d) {
      d->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatR32Float);
      d->setInputPrimitiveTopology(MTL::PrimitiveTopologyClassPoint);
      d->setSupportIndirectCommandBuffers(MTL4::IndirectCommandBufferSupportStateEnabled);
    });
  };
  auto add = opaque("add"), twice = opaque("addTwice");
  auto list = indirect(MTL::IndirectCommandTypeDraw, 5);
  auto draws = sharedBuffer(
      std::vector<uint64_t>{id(list->gpuResourceID()), id(add->gpuResourceID()), id(twice->gpuResourceID())});
  auto encode = encoding("stack", 5, {draws.get(), m_places.get(), m_values.get()});
  EXPECT_EQ(drawn(executing(list.get(), NS::Range::Make(0, 5)), nullptr, encode), (Sums{{{0, 0}, 5}}));
  EXPECT_EQ(drawn(executing(list.get(), NS::Range::Make(0, 4))), (Sums{{{0, 0}, 8}}));
}

TEST_F(IndirectOnGpu, WhatCommandsInheritComesFromTheEncoder) {
  auto add = indirectPipeline("placed", "add");
  auto list = indirect(kDraws, 9, [](auto* d) {
    d->setInheritBuffers(true);
    d->setInheritPipelineState(true);
  });
  auto draws = sharedBuffer(std::vector<uint64_t>{id(list->gpuResourceID()), 0, 0});
  auto place = argumentTable(1), value = argumentTable(1);
  place->setAddress(m_places->gpuAddress(), 0);
  value->setAddress(m_values->gpuAddress() + 8, 0);
  EXPECT_EQ(drawn(
                [&](auto* e) {
                  e->setRenderPipelineState(add.get());
                  e->setArgumentTable(place.get(), MTL::RenderStageVertex);
                  e->setArgumentTable(value.get(), MTL::RenderStageFragment);
                  e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 9));
                },
                nullptr, encoding("cull", 9, {draws.get()})),
            (Sums{{{0, 0}, 3}, {{4, 0}, 3}, {{8, 0}, 3}}));
}

TEST_F(IndirectOnGpu, CpuAndGpuEncodeOneListAndBothResetAndCopyIt) {
  auto add = indirectPipeline("placed", "add");
  auto list = indirect(kDraws, 4);
  const auto encode = [&](NS::UInteger i) {
    auto* command = list->indirectRenderCommand(i);
    command->setRenderPipelineState(add.get());
    command->setVertexBuffer(m_places.get(), i * 8, 0);
    command->setFragmentBuffer(m_values.get(), i * 4, 0);
    if (i == 1)
      command->drawIndexedPrimitives(MTL::PrimitiveTypePoint, 1, MTL::IndexTypeUInt16, m_narrow.get(), 2, 1,
                                     -3, 0);
    else
      command->drawPrimitives(MTL::PrimitiveTypePoint, 0, 1, 1, 0);
  };
  encode(0);
  auto draws = sharedBuffer(std::vector<uint64_t>{id(list->gpuResourceID()), 0, 0});
  encode(1);
  auto count = sharedBuffer(Words{0});
  const auto all = executing(list.get(), NS::Range::Make(0, 4));
  EXPECT_EQ(drawn(all), (Sums{{{0, 0}, 1}, {{1, 1}, 2}}));
  // A kernel moves command 0 to 2.
  EXPECT_EQ(drawn(executing(list.get(), NS::Range::Make(0, 2)), nullptr,
                  encoding("mirror", 1, {draws.get(), count.get()})),
            (Sums{{{1, 1}, 2}}));
  EXPECT_EQ(contents<uint32_t>(count.get())[0], 4u);
  EXPECT_EQ(drawn(all), (Sums{{{0, 0}, 1}, {{1, 1}, 2}}));
  // The CPU takes away what either encoded.
  list->reset(NS::Range::Make(1, 2));
  EXPECT_EQ(drawn(all), Sums{});
  encode(3);
  EXPECT_EQ(drawn(all), (Sums{{{3, 3}, 4}}));
}

TEST_F(IndirectOnGpu, DispatchesRunWithTheSizeThatTheirPipelineRequires) {
  const auto kernel = [&](const char* name) {
    auto d = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
    d->setComputeFunctionDescriptor(function(m_library.get(), name).get());
    d->setRequiredThreadsPerThreadgroup(size(4));
    d->setSupportIndirectCommandBuffers(MTL4::IndirectCommandBufferSupportStateEnabled);
    NS::Error* error = nullptr;
    auto made = NS::TransferPtr(m_compiler->newComputePipelineState(d.get(), nullptr, &error));
    EXPECT_TRUE(made) << text(error);
    return made;
  };
  auto fill = kernel("fill"), increment = kernel("increment");
  auto list = indirect(kDispatches, 4);
  auto dispatches = sharedBuffer(std::vector<uint64_t>{id(list->gpuResourceID()), id(fill->gpuResourceID()),
                                                       id(increment->gpuResourceID())});
  auto out = sharedBuffer(Words(16, 0)), values = sharedBuffer(Words{10, 20});
  auto grid = sharedBuffer(Words{8, 4, 1, 0});
  const auto run = [&] {
    std::memset(out->contents(), 0, out->length());
    auto encode = encoding("dispatchAll", 4, {dispatches.get(), out.get(), values.get(), grid.get()});
    return runCommands([&](MTL4::CommandBuffer* commands) {
      encode(commands);
      auto* encoder = commands->computeCommandEncoder();
      encoder->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 4));
      EXPECT_EQ(encoder->stages(), MTL::Stages(MTL::StageDispatch));
      encoder->endEncoding();
    });
  };
  EXPECT_EQ(run(), "");
  Words expected(8, 31); // 10 * 3 + 1
  expected.resize(16, 61);
  EXPECT_EQ(contents<uint32_t>(out.get()), expected);
  // What the GPU cannot run is named once it has run.
  auto* threads = static_cast<uint32_t*>(grid->contents());
  threads[0] = 6;
  expectParts(run(), {"Command ", "\"list\"", "6 threads", "multiple of the 4"});
  threads[0] = 8;
  threads[1] = 8;
  expectParts(run(), {"Command ", "\"list\"", "names no pipeline"});
}

TEST_F(IndirectOnGpu, ACommandWithoutPipelineOrBufferIsNamedAndTheOthersDraw) {
  auto add = indirectPipeline("placed", "add");
  auto list = indirect(MTL::IndirectCommandTypeDraw, 3);
  auto draws = sharedBuffer(std::vector<uint64_t>{id(list->gpuResourceID()), id(add->gpuResourceID()), 0});
  auto encode = encoding("stack", 3, {draws.get(), m_places.get(), m_values.get()});
  std::string message;
  EXPECT_EQ(drawn(executing(list.get(), NS::Range::Make(0, 3)), &message, encode), (Sums{{{0, 0}, 1 + 3}}));
  expectParts(message, {"Command 1", "\"list\"", "names no pipeline"});
  auto* bare = list->indirectRenderCommand(1);
  bare->setRenderPipelineState(add.get());
  bare->setVertexBuffer(m_places.get(), 0, 0);
  bare->drawPrimitives(MTL::PrimitiveTypePoint, 0, 1, 1, 0);
  EXPECT_EQ(drawn(executing(list.get(), NS::Range::Make(0, 3)), &message), (Sums{{{0, 0}, 1 + 3}}));
  expectParts(message, {"Command 1", "\"list\"", "no buffer at index 0", "fragment function"});
}

TEST_F(IndirectOnGpu, ResetAndCopyOnTheEncoderChangeRecords) {
  auto add = indirectPipeline("placed", "add");
  auto list = indirect(MTL::IndirectCommandTypeDraw, 4), other = indirect(MTL::IndirectCommandTypeDraw, 4);
  auto draws = sharedBuffer(
      std::vector<uint64_t>{id(list->gpuResourceID()), id(add->gpuResourceID()), id(add->gpuResourceID())});
  auto encode =
      encoding("encode", 1, {draws.get(), m_places.get(), m_values.get(), m_narrow.get(), m_wide.get()});
  const auto change = [&](MTL4::CommandBuffer* commands) {
    encode(commands); // command 0
    auto* encoder = commands->computeCommandEncoder();
    encoder->barrierAfterQueueStages(MTL::StageDispatch, MTL::StageBlit, MTL4::VisibilityOptionDevice);
    encoder->copyIndirectCommandBuffer(list.get(), NS::Range::Make(0, 3), list.get(),
                                       1); // 1, 2, 3 become 0, -, -
    encoder->barrierAfterEncoderStages(MTL::StageBlit, MTL::StageBlit, MTL4::VisibilityOptionDevice);
    encoder->copyIndirectCommandBuffer(list.get(), NS::Range::Make(0, 2), other.get(), 2);
    encoder->barrierAfterEncoderStages(MTL::StageBlit, MTL::StageBlit, MTL4::VisibilityOptionDevice);
    encoder->resetCommandsInBuffer(list.get(), NS::Range::Make(0, 1));
    encoder->barrierAfterStages(MTL::StageBlit, MTL::StageVertex, MTL4::VisibilityOptionDevice);
    encoder->endEncoding();
  };
  EXPECT_EQ(drawn(executing(list.get(), NS::Range::Make(0, 4)), nullptr, change), (Sums{{{0, 0}, 1}}));
  EXPECT_EQ(drawn(executing(other.get(), NS::Range::Make(0, 4))), (Sums{{{0, 0}, 2}}));
}

TEST_F(IndirectOnGpu, WhatTheGpuCannotEncodeIsNamed) {
  auto mesh = indirect(MTL::IndirectCommandTypeDrawMeshThreads, 1);
  expectParts(misuse([&] { EXPECT_EQ(id(mesh->gpuResourceID()), 0u); }),
              {"gpuResourceID", "\"list\"", "meshes"});
  auto raster = indirect(kDraws, 1, [](auto* d) { d->setInheritCullMode(false); });
  expectParts(misuse([&] { EXPECT_EQ(id(raster->gpuResourceID()), 0u); }), {"\"list\"", "raster state"});
  auto descriptor = NS::TransferPtr(MTL::IndirectCommandBufferDescriptor::alloc()->init());
  descriptor->setCommandTypes(kDraws);
  auto hidden = NS::TransferPtr(
      m_device->newIndirectCommandBuffer(descriptor.get(), 2, MTL::ResourceStorageModePrivate));
  ASSERT_TRUE(hidden);
  hidden->setLabel(NS::String::string("hidden", NS::UTF8StringEncoding));
  EXPECT_NE(id(hidden->gpuResourceID()), 0u);
  expectParts(misuse([&] { hidden->reset(NS::Range::Make(0, 1)); }), {"\"hidden\"", "private"});
  hidden->indirectRenderCommand(1)->drawPrimitives(MTL::PrimitiveTypePoint, 0, 1, 1, 0);
  std::string message;
  drawn(executing(hidden.get(), NS::Range::Make(0, 2)), &message);
  expectParts(message, {"command 1", "\"hidden\"", "private"});
  auto plain = indirectPipeline("placed", "add", false);
  expectParts(misuse([&] { EXPECT_EQ(id(plain->gpuResourceID()), 0u); }), {"supportIndirectCommandBuffers"});
  auto list = indirect(kDraws, 1);
  EXPECT_NE(id(list->gpuResourceID()), 0u);
  EXPECT_EQ(id(list->gpuResourceID()), id(list->gpuResourceID()));
  EXPECT_GT(list->allocatedSize(), 0u);
}

} // namespace
} // namespace basanite::tests
