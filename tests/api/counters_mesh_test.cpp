// SPDX-License-Identifier: Apache-2.0
// Stamps in passes of mesh draws: every stage mask comes after the stages that it names, and precise ones
// time their draw.
#include "tests/api/mesh_fixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace basanite::tests {
namespace {

// The object, mesh and fragment functions each spin as long as told, and count themselves when they are done.
constexpr const char* kSource = R"(
#include <metal_stdlib>
#include <metal_mesh>
using namespace metal;

struct Cost { uint object, mesh, pixel; };
static float spin(uint rounds, float seed) {
  float value = seed;
  for (uint i = 0; i < rounds; ++i) value = fma(value, 0.999f, 0.25f) - value * value * 0.001f;
  return value;
}
struct Payload { float value; };
struct V { float4 position [[position]]; };
struct P { float value; };
[[object]] void costlyObject(object_data Payload& payload [[payload]], mesh_grid_properties grid, constant Cost& cost [[buffer(0)]],
                             uint g [[threadgroup_position_in_grid]]) {
  payload.value = spin(cost.object, float(g));
  grid.set_threadgroups_per_grid(uint3(1, 1, 1));
}
static void emit(metal::mesh<V, P, 3, 1, topology::triangle> m, uint t, float value) {
  V v;
  v.position = float4(t == 1 ? 3 : -1, t == 2 ? 3 : -1, 0.5, 1);
  if (t < 3) { m.set_vertex(t, v); m.set_index(t, uchar(t)); }
  if (t == 0) { P p; p.value = value; m.set_primitive(0, p); m.set_primitive_count(1); }
}
[[mesh]] void costlyMesh(metal::mesh<V, P, 3, 1, topology::triangle> m, const object_data Payload& payload [[payload]],
                         constant Cost& cost [[buffer(0)]], uint t [[thread_index_in_threadgroup]]) {
  emit(m, t, payload.value + spin(cost.mesh, float(t)));
}
[[mesh]] void costlyMeshAlone(metal::mesh<V, P, 3, 1, topology::triangle> m, constant Cost& cost [[buffer(0)]],
                              uint t [[thread_index_in_threadgroup]]) {
  emit(m, t, spin(cost.mesh, float(t)));
}
struct F { V v; P p; };
fragment float4 costlyFragment(F in [[stage_in]], constant Cost& cost [[buffer(0)]]) {
  return float4(spin(cost.pixel, in.v.position.x * 0.001f + in.p.value * 1e-6f), 0, 0, 1);
}
)";

constexpr NS::UInteger kTarget =
    256; // several of lavapipe's 64x64 tiles: with one tile even a plain stamp is right
constexpr NS::UInteger kCostStride = 256;

struct Cost {
  uint32_t object, mesh, fragment;
};

class MeshCounters : public MeshFixture {
 protected:
  void SetUp() override {
    MeshFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    m_withObject = meshPipeline(m_library.get(), "costlyObject", "costlyMesh", "costlyFragment");
    m_meshOnly = meshPipeline(m_library.get(), "", "costlyMeshAlone", "costlyFragment");
    ASSERT_TRUE(m_withObject && m_meshOnly);
    m_target = colorTarget(kTarget, kTarget);
    m_costs = sharedBuffer(kCostStride * 8);
    m_arguments = argumentTable(1);
    m_heap = counterHeap(64);
  }
  void setCost(unsigned slot, Cost cost) {
    std::memcpy(static_cast<char*>(m_costs->contents()) + kCostStride * slot, &cost, sizeof cost);
  }
  std::vector<uint64_t> stamps(NS::UInteger count) {
    NS::Data* data = m_heap->resolveCounterRange(NS::Range::Make(0, count));
    std::vector<uint64_t> values(count);
    std::memcpy(values.data(), data->bytes(), count * sizeof(uint64_t));
    return values;
  }
  // One threadgroup of each stage, in one of the two ways to say so.
  void draw(MTL4::RenderCommandEncoder* encoder, MTL::RenderPipelineState* pipeline, bool countsThreads) {
    if (!countsThreads) return encoder->drawMeshThreadgroups(size(1), size(1), size(4));
    encoder->drawMeshThreads(pipeline == m_meshOnly.get() ? size(4) : size(1), size(1), size(4));
  }
  // One draw of each slot, with a stamp before the first and after each; the stamps.
  std::vector<uint64_t> run(MTL::RenderPipelineState* pipeline, const std::vector<unsigned>& slots,
                            MTL::RenderStages stages, MTL4::TimestampGranularity granularity) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    EXPECT_EQ(encode(m_target.get(),
                     [&](auto* encoder) {
                       encoder->setRenderPipelineState(pipeline);
                       encoder->setArgumentTable(m_arguments.get(), MTL::RenderStageObject |
                                                                        MTL::RenderStageMesh |
                                                                        MTL::RenderStageFragment);
                       encoder->writeTimestamp(granularity, stages, m_heap.get(), 0);
                       for (size_t i = 0; i < slots.size(); ++i) {
                         m_arguments->setAddress(m_costs->gpuAddress() + kCostStride * slots[i], 0);
                         draw(encoder, pipeline, i % 2);
                         encoder->writeTimestamp(granularity, stages, m_heap.get(), i + 1);
                       }
                     }),
              "");
    return stamps(slots.size() + 1);
  }
  // The least interval of several runs, in ns: what other processes disturb is never less.
  double leastNs(MTL::RenderPipelineState* pipeline, unsigned slot, MTL::RenderStages stages,
                 MTL4::TimestampGranularity granularity) {
    double least = INFINITY;
    for (int repeat = 0; repeat < 5; ++repeat) {
      auto values = run(pipeline, {slot}, stages, granularity);
      least = std::min(least, double(values[1] - values[0]));
    }
    return least;
  }

  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL::RenderPipelineState> m_withObject, m_meshOnly;
  NS::SharedPtr<MTL::Texture> m_target;
  NS::SharedPtr<MTL::Buffer> m_costs;
  NS::SharedPtr<MTL4::ArgumentTable> m_arguments;
  NS::SharedPtr<MTL4::CounterHeap> m_heap;
};

TEST_F(MeshCounters, EveryStageMaskStampsInOrder) {
  setCost(0, {100, 100, 10});
  for (MTL::RenderPipelineState* pipeline : {m_withObject.get(), m_meshOnly.get()})
    for (MTL::RenderStages stages = 1; stages < 32; ++stages)
      for (auto granularity : {MTL4::TimestampGranularityRelaxed, MTL4::TimestampGranularityPrecise}) {
        auto values = run(pipeline, {0, 0, 0}, stages, granularity);
        for (size_t i = 0; i < values.size(); ++i)
          ASSERT_NE(values[i], 0u) << "stages " << stages << ", stamp " << i;
        ASSERT_TRUE(std::is_sorted(values.begin(), values.end())) << "stages " << stages;
      }
}

// The named stage is over when the value is taken: a draw that spends its time in that stage cannot be over
// sooner than the stage takes. A stamp that comes too early does so always, so what other processes disturb
// is asked again.
TEST_F(MeshCounters, StampsComeAfterTheStageTheyName) {
  const uint32_t rounds = 2'000'000; // some milliseconds of one thread
  setCost(0, {0, 0, 0});
  setCost(1, {rounds, 0, 0});
  setCost(2, {0, rounds, 0});
  setCost(3, {0, 0, isCpuDevice() ? 400u : 20'000u});
  // From the command buffer's start to the stamp after the draw; without stages, to a stamp behind the pass.
  auto measureNs = [&](unsigned slot, MTL::RenderStages stages, MTL4::TimestampGranularity granularity) {
    m_arguments->setAddress(m_costs->gpuAddress() + kCostStride * slot, 0);
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                commands->writeTimestampIntoHeap(m_heap.get(), 0);
                auto* encoder = commands->renderCommandEncoder(clearPass(m_target.get()));
                encoder->setRenderPipelineState(m_withObject.get());
                encoder->setArgumentTable(m_arguments.get(), MTL::RenderStageObject | MTL::RenderStageMesh |
                                                                 MTL::RenderStageFragment);
                encoder->drawMeshThreadgroups(size(1), size(1), size(4));
                if (stages != 0) encoder->writeTimestamp(granularity, stages, m_heap.get(), 1);
                encoder->endEncoding();
                if (stages == 0) commands->writeTimestampIntoHeap(m_heap.get(), 1);
              }),
              "");
    auto values = stamps(2);
    return double(values[1] - values[0]);
  };
  const std::array<MTL::RenderStages, 3> named = {MTL::RenderStageObject, MTL::RenderStageMesh,
                                                  MTL::RenderStageFragment};
  constexpr auto kRelaxed = MTL4::TimestampGranularityRelaxed;
  for (unsigned slot = 1; slot <= 3; ++slot) {
    double wholeNs = INFINITY, idleNs = INFINITY;
    auto refine = [&] {
      for (int repeat = 0; repeat < 5; ++repeat) {
        idleNs = std::min(idleNs, measureNs(0, 0, kRelaxed));
        wholeNs = std::min(wholeNs, measureNs(slot, 0, kRelaxed));
      }
    };
    refine();
    ASSERT_GT(wholeNs - idleNs, 200e3) << "the draw is too cheap to tell, slot " << slot;
    for (MTL::RenderStages stages = 1; stages < 32; ++stages) {
      if (!(stages & named[slot - 1])) continue;
      for (auto granularity : {kRelaxed, MTL4::TimestampGranularityPrecise}) {
        double stampNs = measureNs(slot, stages, granularity);
        for (int again = 0; again < 10 && stampNs < 0.8 * (wholeNs - idleNs); ++again) {
          refine();
          stampNs = measureNs(slot, stages, granularity);
        }
        EXPECT_GE(stampNs, 0.8 * (wholeNs - idleNs)) << "stages " << stages << ", slot " << slot;
      }
    }
  }
}

TEST_F(MeshCounters, PreciseStampsTimeTheMeshDrawTheyEnclose) {
  const uint32_t fragment = isCpuDevice() ? 20 : 5'000;
  const std::array<Cost, 4> costs = {{{0, 400'000, 0}, {0, 0, fragment}, {400'000, 0, 0}, {0, 100'000, 0}}};
  for (unsigned slot = 0; slot < costs.size(); ++slot) setCost(slot, costs[slot]);
  const std::vector<unsigned> order = {0, 1, 2, 3, 1, 0};
  bool inside = false;
  std::vector<double> measured(order.size(), INFINITY), alone(order.size(), INFINITY), floors(order.size());
  setCost(5, {0, 0, 0});
  double passNs = INFINITY;
  for (int round = 0; round < 60 && !inside; ++round) {
    passNs = std::min(
        passNs, leastNs(m_withObject.get(), 5, MTL::RenderStageFragment, MTL4::TimestampGranularityPrecise));
    for (size_t i = 0; i < order.size(); ++i)
      alone[i] = std::min(alone[i], leastNs(m_withObject.get(), order[i], MTL::RenderStageFragment,
                                            MTL4::TimestampGranularityPrecise));
    for (int repeat = 0; repeat < 5; ++repeat) {
      auto values =
          run(m_withObject.get(), order, MTL::RenderStageFragment, MTL4::TimestampGranularityPrecise);
      for (size_t i = 0; i < order.size(); ++i)
        measured[i] = std::min(measured[i], double(values[i + 1] - values[i]));
    }
    inside = true;
    const double slackNs = isCpuDevice() ? 20e3 : 10e3;
    for (size_t i = 0; i < order.size(); ++i) {
      floors[i] = 0.95 * (alone[i] - passNs) - slackNs;
      inside &= measured[i] >= floors[i] && measured[i] <= 1.05 * alone[i] + slackNs;
    }
  }
  for (size_t i = 0; i < order.size(); ++i) {
    std::printf("draw %zu: %.1f us, alone %.1f us, an idle pass %.1f us\n", i, measured[i] / 1e3,
                alone[i] / 1e3, passNs / 1e3);
    EXPECT_GE(measured[i], floors[i]) << "draw " << i;
    EXPECT_LE(measured[i], 1.05 * alone[i] + (isCpuDevice() ? 20e3 : 10e3)) << "draw " << i;
  }
}

TEST_F(MeshCounters, StampsChangeNoPixel) {
  setCost(0, {10, 20, 30});
  setCost(1, {1, 2, 3});
  EXPECT_EQ(encode(m_target.get(),
                   [&](auto* encoder) {
                     encoder->setRenderPipelineState(m_withObject.get());
                     encoder->setArgumentTable(m_arguments.get(), MTL::RenderStageObject |
                                                                      MTL::RenderStageMesh |
                                                                      MTL::RenderStageFragment);
                     for (unsigned slot : {0u, 1u, 0u}) {
                       m_arguments->setAddress(m_costs->gpuAddress() + kCostStride * slot, 0);
                       encoder->drawMeshThreadgroups(size(1), size(1), size(4));
                     }
                   }),
            "");
  const auto plain = pixels(m_target.get());
  for (auto granularity : {MTL4::TimestampGranularityRelaxed, MTL4::TimestampGranularityPrecise}) {
    run(m_withObject.get(), {0, 1, 0}, MTL::RenderStageMesh, granularity);
    EXPECT_EQ(pixels(m_target.get()), plain) << "granularity " << granularity;
  }
}

} // namespace
} // namespace basanite::tests
