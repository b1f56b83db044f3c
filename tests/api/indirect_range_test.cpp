// SPDX-License-Identifier: Apache-2.0
// Indirect command buffers of which a range runs that the GPU reads from memory; mesh draws; stamps around executions.
#include "tests/api/indirect_fixture.hpp"

namespace basanite::tests {
namespace {

constexpr auto kPoint = MTL::PrimitiveTypePoint;
using Words = std::vector<uint32_t>;

MTL::Size size(NS::UInteger x, NS::UInteger y = 1, NS::UInteger z = 1) { return MTL::Size::Make(x, y, z); }

class IndirectRanges : public IndirectFixture {
 protected:
  void SetUp() override {
    IndirectFixture::SetUp();
    if (HasFatalFailure()) return;
    m_add = indirectPipeline("placed", "add");
    ASSERT_TRUE(m_add);
    std::vector<uint32_t> places;
    std::vector<float> values;
    for (uint32_t i = 0; i < kRows; ++i) {
      places.insert(places.end(), {i, i});
      values.push_back(float(i + 1));
    }
    m_places = sharedBuffer(places);
    m_values = sharedBuffer(values);
    m_range = sharedBuffer(Words{9, 9, 0, 0}); // the range is at byte 8
  }
  // Command i draws one point in row i, column i, which adds i + 1.
  NS::SharedPtr<MTL::IndirectCommandBuffer> points(NS::UInteger count) {
    auto list = indirect(MTL::IndirectCommandTypeDraw | MTL::IndirectCommandTypeDrawIndexed, count);
    m_indices = sharedBuffer(std::vector<uint16_t>{7, 7, 0});
    for (NS::UInteger i = 0; i < count; ++i) {
      auto* command = list->indirectRenderCommand(i);
      command->setRenderPipelineState(m_add.get());
      command->setVertexBuffer(m_places.get(), i * 8, 0);
      command->setFragmentBuffer(m_values.get(), i * 4, 0);
      if (i % 2)
        command->drawIndexedPrimitives(kPoint, 1, MTL::IndexTypeUInt16, m_indices.get(), 4, 1, 0, 0);
      else
        command->drawPrimitives(kPoint, 0, 1, 1, 0);
    }
    return list;
  }
  MTL::GPUAddress range(uint32_t first, uint32_t count) {
    auto* words = static_cast<uint32_t*>(m_range->contents());
    words[2] = first;
    words[3] = count;
    return m_range->gpuAddress() + 8;
  }

  NS::SharedPtr<MTL::RenderPipelineState> m_add;
  NS::SharedPtr<MTL::Buffer> m_places, m_values, m_range, m_indices;
};

TEST_F(IndirectRanges, OnlyCommandsOfTheRangeInMemoryDraw) {
  auto list = points(6);
  const auto run = [&](uint32_t first, uint32_t count) {
    const MTL::GPUAddress at = range(first, count);
    return drawn([&](auto* e) { e->executeCommandsInBuffer(list.get(), at); });
  };
  EXPECT_EQ(run(0, 6).size(), 6u);
  EXPECT_EQ(run(1, 3), (Sums{{{1, 1}, 2}, {{2, 2}, 3}, {{3, 3}, 4}}));
  EXPECT_EQ(run(5, 1), (Sums{{{5, 5}, 6}}));
  EXPECT_EQ(run(2, 0), Sums{});
  // Of what lies past the end there is nothing to run.
  EXPECT_EQ(run(4, 1000), (Sums{{{4, 4}, 5}, {{5, 5}, 6}}));
  EXPECT_EQ(run(UINT32_MAX, UINT32_MAX), Sums{});
}

TEST_F(IndirectRanges, ARangeThatAKernelWritesInTheSameCommandBufferIsTheOneThatRuns) {
  auto list = points(6);
  auto kernel = indirectKernel("fill");
  auto two = sharedBuffer(Words{2});
  range(0, 0);
  auto table = argumentTable(2);
  table->setAddress(m_range->gpuAddress() + 8, 0);
  table->setAddress(two->gpuAddress(), 1);
  // Inside a pass that has drawn already, too.
  for (bool drawsFirst : {false, true}) {
    SCOPED_TRACE(drawsFirst);
    Sums expected{{{2, 2}, 3}, {{3, 3}, 4}};
    if (drawsFirst) expected[{0, 0}] = 1;
    EXPECT_EQ(drawn(
                  [&](auto* e) {
                    e->barrierAfterQueueStages(MTL::StageDispatch, MTL::StageVertex, MTL4::VisibilityOptionDevice);
                    if (drawsFirst) e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 1));
                    e->executeCommandsInBuffer(list.get(), m_range->gpuAddress() + 8);
                  },
                  nullptr,
                  [&](MTL4::CommandBuffer* commands) {
                    auto* encoder = commands->computeCommandEncoder();
                    encoder->setComputePipelineState(kernel.get());
                    encoder->setArgumentTable(table.get());
                    encoder->dispatchThreads(size(2), size(2)); // 2 commands from 2 on
                    encoder->endEncoding();
                  }),
              expected);
  }
}

TEST_F(IndirectRanges, DispatchesOfTheRangeRunWithTheirEdgesAndOrigins) {
  auto kernel = indirectKernel("fillMore");
  auto list = indirect(MTL::IndirectCommandTypeConcurrentDispatch | MTL::IndirectCommandTypeConcurrentDispatchThreads, 3);
  auto out = sharedBuffer(Words(24, 0)), values = sharedBuffer(Words{10, 20, 30});
  for (NS::UInteger i = 0; i < 3; ++i) {
    auto* command = list->indirectComputeCommand(i);
    command->setComputePipelineState(kernel.get());
    command->setKernelBuffer(out.get(), i * 32, 0);
    command->setKernelBuffer(values.get(), i * 4, 1);
    if (i == 1)
      command->concurrentDispatchThreadgroups(size(2), size(4));
    else
      command->concurrentDispatchThreads(size(6 + i / 2), size(4)); // 6 and 7: an edge of 2 and one of 3
  }
  const auto run = [&](uint32_t first, uint32_t count) {
    std::memset(out->contents(), 0, out->length());
    const MTL::GPUAddress at = range(first, count);
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                auto* encoder = commands->computeCommandEncoder();
                encoder->executeCommandsInBuffer(list.get(), at);
                encoder->endEncoding();
              }),
              "");
    return contents<uint32_t>(out.get());
  };
  EXPECT_EQ(run(0, 3), (Words{16, 16, 16, 16, 16, 16, 0,  0,  28, 28, 28, 28,
                              28, 28, 28, 28, 37, 37, 37, 37, 37, 37, 37, 0}));
  EXPECT_EQ(run(1, 1), (Words{0, 0, 0, 0, 0, 0, 0, 0, 28, 28, 28, 28, 28, 28, 28, 28, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(run(2, 9), (Words{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 37, 37, 37, 37, 37, 37, 37, 0}));
}

TEST_F(IndirectRanges, RangesThatAreNowhereAreNamed) {
  auto list = points(2);
  std::string message;
  const auto run = [&](MTL::GPUAddress at) {
    EXPECT_EQ(drawn([&](auto* e) { e->executeCommandsInBuffer(list.get(), at); }, &message), Sums{});
    return message;
  };
  expectParts(run(0x1234), {"executeCommandsInBuffer", "0x1234"});
  expectParts(run(m_range->gpuAddress() + 2), {"multiple of 4"});
  expectParts(run(m_range->gpuAddress() + 12), {"8 bytes", "4"});
}

// ---- mesh --------------------------------------------------------------------------------------------------------------

constexpr const char* kMeshSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Place { float4 position [[position]]; float size [[point_size]]; };
struct Payload { uint rows; };
using Points = mesh<Place, void, 32, 32, topology::point>;
[[object]] void threads(object_data Payload& payload [[payload]], mesh_grid_properties grid, constant uint& wanted [[buffer(0)]],
                        uint n [[threads_per_threadgroup]], uint i [[thread_position_in_threadgroup]]) {
  if (i == 0) {
    payload.rows = n;
    grid.set_threadgroups_per_grid(uint3(wanted, 1, 1));
  }
}
static Place at(uint x, uint y) {
  Place out;
  out.position = float4((float(x) + 0.5f) / 16.0f - 1.0f, 1.0f - (float(y) + 0.5f) / 4.0f, 0.5f, 1);
  out.size = 1;
  return out;
}
[[mesh]] void below(Points out, const object_data Payload& payload [[payload]], constant uint& column [[buffer(0)]],
                    uint group [[threadgroup_position_in_grid]], uint i [[thread_position_in_threadgroup]]) {
  if (i != 0) return;
  out.set_primitive_count(1);
  out.set_vertex(0, at(column + group, payload.rows));
  out.set_index(0, 0);
}
[[mesh]] void alone(Points out, constant uint& column [[buffer(0)]], uint group [[threadgroup_position_in_grid]],
                    uint n [[threadgroups_per_grid]], uint i [[thread_position_in_threadgroup]]) {
  if (i != 0) return;
  out.set_primitive_count(1);
  out.set_vertex(0, at(column + group, n));
  out.set_index(0, 0);
}
fragment float add(constant float& value [[buffer(0)]]) { return value; }
)";

TEST_F(IndirectRanges, MeshCommandsDrawWithObjectMeshAndFragmentBuffersOfTheirOwn) {
  auto lib = library(kMeshSource);
  ASSERT_TRUE(lib);
  const auto pipeline = [&](const char* object, const char* mesh) {
    auto d = NS::TransferPtr(MTL4::MeshRenderPipelineDescriptor::alloc()->init());
    if (object) d->setObjectFunctionDescriptor(function(lib.get(), object).get());
    d->setMeshFunctionDescriptor(function(lib.get(), mesh).get());
    d->setFragmentFunctionDescriptor(function(lib.get(), "add").get());
    auto* sums = d->colorAttachments()->object(0);
    sums->setPixelFormat(MTL::PixelFormatR32Float);
    sums->setBlendingState(MTL4::BlendStateEnabled);
    sums->setDestinationRGBBlendFactor(MTL::BlendFactorOne);
    d->setSupportIndirectCommandBuffers(MTL4::IndirectCommandBufferSupportStateEnabled);
    NS::Error* error = nullptr;
    auto made = NS::TransferPtr(m_compiler->newRenderPipelineState(d.get(), nullptr, &error));
    EXPECT_TRUE(made) << text(error);
    return made;
  };
  auto withObject = pipeline("threads", "below"), alone = pipeline(nullptr, "alone");
  ASSERT_TRUE(withObject && alone);
  auto columns = sharedBuffer(Words{4, 10, 20}), counts = sharedBuffer(Words{2, 1});
  auto list = indirect(MTL::IndirectCommandTypeDrawMeshThreadgroups | MTL::IndirectCommandTypeDrawMeshThreads, 3,
                       [](auto* d) {
                         d->setMaxObjectBufferBindCount(1);
                         d->setMaxMeshBufferBindCount(1);
                       });
  for (NS::UInteger i = 0; i < 3; ++i) {
    auto* command = list->indirectRenderCommand(i);
    command->setRenderPipelineState(i == 1 ? alone.get() : withObject.get());
    if (i != 1) command->setObjectBuffer(counts.get(), i / 2 * 4, 0);
    command->setMeshBuffer(columns.get(), i * 4, 0);
    command->setFragmentBuffer(m_values.get(), i * 4, 0);
  }
  list->indirectRenderCommand(0)->drawMeshThreadgroups(size(1), size(3), size(1));
  list->indirectRenderCommand(1)->drawMeshThreads(size(3), size(1), size(1));
  list->indirectRenderCommand(2)->drawMeshThreads(size(7), size(5), size(1)); // threadgroups of 5 and 2
  const Sums all{{{4, 3}, 1}, {{5, 3}, 1}, {{10, 3}, 2}, {{11, 3}, 2}, {{12, 3}, 2}, {{20, 5}, 3}, {{20, 2}, 3}};
  EXPECT_EQ(drawn([&](auto* e) { e->executeCommandsInBuffer(list.get(), NS::Range::Make(0, 3)); }), all);
  const MTL::GPUAddress at = range(1, 2);
  EXPECT_EQ(drawn([&](auto* e) { e->executeCommandsInBuffer(list.get(), at); }),
            (Sums{{{10, 3}, 2}, {{11, 3}, 2}, {{12, 3}, 2}, {{20, 5}, 3}, {{20, 2}, 3}}));
  expectParts(misuse([&] { list->indirectRenderCommand(0)->setMeshBuffer(columns.get(), 0, 1); }),
              {"index 1", "maxMeshBufferBindCount"});
  expectParts(misuse([&] { list->indirectRenderCommand(0)->setObjectBuffer(columns.get(), 0, 1); }),
              {"index 1", "maxObjectBufferBindCount"});
}

} // namespace
} // namespace basanite::tests
