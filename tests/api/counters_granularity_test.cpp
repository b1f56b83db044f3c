// SPDX-License-Identifier: Apache-2.0
// The F1/F10/F100 case: full-screen draws of cost 1x, 10x and 100x in one pass. Each interval between stamps
// must be that of the draw it encloses. A driver that stamps late by one draw keeps order and sum right, so
// only this sees it.
#include "tests/support/metal_fixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;

struct Varyings { float4 position [[position]]; };
struct Cost { uint iterations; float scale; };

vertex Varyings fullScreen(uint id [[vertex_id]]) {
  Varyings out;
  out.position = float4(id == 1 ? 3.0 : -1.0, id == 2 ? 3.0 : -1.0, 0.5, 1.0);
  return out;
}

fragment float4 costly(Varyings in [[stage_in]], constant Cost& cost [[buffer(0)]]) {
  float value = in.position.x * 0.001;
  for (uint i = 0; i < cost.iterations; ++i)
    value = fma(value, 0.999f, cost.scale) - value * value * 0.001f;
  return float4(value, value * 0.5, 1.0, 1.0);
}
)";

constexpr NS::UInteger kSize =
    256; // several of lavapipe's 64x64 tiles: with one tile even a plain stamp is right
constexpr unsigned kRepeats = 9;
constexpr unsigned kRounds = 12;
constexpr NS::UInteger kCostStride = 256;

struct Cost {
  uint32_t iterations;
  float scale;
};

using Statistic = double (*)(const std::vector<double>&);
double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }
double medianOf(const std::vector<double>& values) { return median(values); }

class TimestampAttribution : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_pipeline = renderPipeline(kSource, "fullScreen", "costly", MTL::PixelFormatRGBA8Unorm);
    ASSERT_TRUE(m_pipeline);
    m_target = colorTarget(kSize, kSize);
    m_costs = sharedBuffer(kCostStride * 3);
    m_arguments = argumentTable(1);
    m_heap = counterHeap(64);
    // Short enough that some repeats are left undisturbed by other processes: the dearest draw takes some
    // milliseconds.
    const uint32_t base = isCpuDevice() ? 2 : 512;
    for (unsigned i = 0; i < 3; ++i) {
      const Cost cost{base * m_units[i], 0.25f};
      std::memcpy(static_cast<char*>(m_costs->contents()) + kCostStride * i, &cost, sizeof cost);
    }
  }

  // Draws of the given costs (0: 1x, 1: 10x, 2: 100x) in one pass with a stamp before the first and after
  // each; the intervals in ns.
  std::vector<double> measure(const std::vector<int>& costs, MTL4::TimestampGranularity granularity) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    std::string error = runCommands([&](MTL4::CommandBuffer* commands) {
      MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(m_target.get()));
      encoder->setRenderPipelineState(m_pipeline.get());
      encoder->setArgumentTable(m_arguments.get(), MTL::RenderStageFragment);
      encoder->writeTimestamp(granularity, MTL::RenderStageFragment, m_heap.get(), 0);
      for (size_t i = 0; i < costs.size(); ++i) {
        m_arguments->setAddress(m_costs->gpuAddress() + kCostStride * costs[i], 0);
        encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
        encoder->writeTimestamp(granularity, MTL::RenderStageFragment, m_heap.get(), i + 1);
      }
      encoder->endEncoding();
    });
    EXPECT_EQ(error, "");
    NS::Data* data = m_heap->resolveCounterRange(NS::Range::Make(0, costs.size() + 1));
    std::vector<uint64_t> stamps(costs.size() + 1);
    std::memcpy(stamps.data(), data->bytes(), stamps.size() * sizeof(uint64_t));
    std::vector<double> intervals;
    for (size_t i = 0; i < costs.size(); ++i) {
      EXPECT_NE(stamps[i], 0u);
      EXPECT_GE(stamps[i + 1], stamps[i]);
      intervals.push_back(double(stamps[i + 1] - stamps[i]));
    }
    return intervals;
  }

  // A draw in company must cost no more than alone in a pass (which also pays for clear and store) and no
  // less than its marginal cost, both known from draws timed alone; the tolerance and the contract's slack on
  // either side.
  void expectAttribution(const std::vector<int>& order, MTL4::TimestampGranularity granularity,
                         double tolerance = 0.05) {
    std::array<std::vector<double>, 3> alone;
    std::vector<std::vector<double>> together(order.size());
    measure(order, granularity);
    // Two statistics, since a shared machine disturbs in two ways: the median stands a moment of a faster
    // clock, the least of the repeats stands other processes. A stamp in the wrong place satisfies neither,
    // however often it is asked.
    Statistic inside = nullptr;
    for (unsigned round = 0; round < kRounds && !inside; ++round) {
      // Interleaved, so that a change of the machine's load meets both sides.
      for (unsigned repeat = 0; repeat < kRepeats; ++repeat) {
        for (int cost = 0; cost < 3; ++cost) alone[cost].push_back(measure({cost}, granularity)[0]);
        auto intervals = measure(order, granularity);
        for (size_t i = 0; i < order.size(); ++i) together[i].push_back(intervals[i]);
      }
      for (Statistic statistic : {&medianOf, &least}) {
        bool all = true;
        for (size_t i = 0; i < order.size(); ++i)
          all &= boundsOf(order[i], alone, tolerance, statistic).contain(statistic(together[i]));
        if (all) inside = statistic;
      }
    }
    const Statistic statistic = inside ? inside : &medianOf;
    for (size_t i = 0; i < order.size(); ++i) {
      const Bounds bounds = boundsOf(order[i], alone, tolerance, statistic);
      const double measured = statistic(together[i]);
      std::printf("draw %zu (cost %dx): %.1f us, alone %.1f us, bounds %.1f to %.1f us\n", i,
                  m_units[order[i]], measured / 1e3, statistic(alone[order[i]]) / 1e3, bounds.low / 1e3,
                  bounds.high / 1e3);
      EXPECT_GE(measured, bounds.low) << "draw " << i;
      EXPECT_LE(measured, bounds.high) << "draw " << i;
    }
  }

  struct Bounds {
    double low, high;
    bool contain(double value) const { return low <= value && value <= high; }
  };
  Bounds boundsOf(int cost, const std::array<std::vector<double>, 3>& alone, double tolerance,
                  Statistic of) const {
    // What a pass costs beyond its draw, from the two cheaper draws: a dearer one is seldom left undisturbed.
    const double unit = (of(alone[1]) - of(alone[0])) / (m_units[1] - m_units[0]);
    const double passNs = std::max(0.0, of(alone[0]) - unit * m_units[0]);
    const double slackNs = isCpuDevice() ? 20e3 : 10e3;
    return {(1 - tolerance) * (of(alone[cost]) - passNs) - slackNs,
            (1 + tolerance) * of(alone[cost]) + slackNs};
  }

  const int m_units[3] = {1, 10, 100};
  NS::SharedPtr<MTL::RenderPipelineState> m_pipeline;
  NS::SharedPtr<MTL::Texture> m_target;
  NS::SharedPtr<MTL::Buffer> m_costs;
  NS::SharedPtr<MTL4::ArgumentTable> m_arguments;
  NS::SharedPtr<MTL4::CounterHeap> m_heap;
};

TEST_F(TimestampAttribution, PreciseStampsTimeTheDrawTheyEnclose) {
  expectAttribution({0, 1, 2, 1, 0}, MTL4::TimestampGranularityPrecise);
}

TEST_F(TimestampAttribution, PreciseStampsDoSoInAnyOrder) {
  expectAttribution({2, 0, 1, 2, 0}, MTL4::TimestampGranularityPrecise);
}

// Metal promises less of relaxed stamps; lavapipe's doubled stamp is true between draws all the same, which a
// plain one is not: it is wrong by 150 % (docs/workarounds.md). Draws overlap on a GPU, where a stamp that
// may not drain it cannot tell them apart.
TEST_F(TimestampAttribution, RelaxedStampsTimeTheDrawTheyEncloseOnLavapipe) {
  if (!isCpuDevice()) GTEST_SKIP() << "draws overlap on this device";
  expectAttribution({0, 1, 2, 1, 0}, MTL4::TimestampGranularityRelaxed, 0.5);
}

// Relaxed promises less inside a pass; with draws of one pipeline that do not overlap it is as true on these
// drivers.
TEST_F(TimestampAttribution, RelaxedStampsOfAnEncoderSpanItsDraws) {
  std::vector<double> relaxed, precise;
  measure({2}, MTL4::TimestampGranularityRelaxed);
  auto agree = [&](Statistic of) { return std::abs(of(relaxed) - of(precise)) <= 0.05 * of(precise) + 20e3; };
  bool agreed = false;
  for (unsigned repeat = 0; repeat < kRounds * kRepeats && !agreed; ++repeat) {
    relaxed.push_back(measure({2}, MTL4::TimestampGranularityRelaxed)[0]);
    precise.push_back(measure({2}, MTL4::TimestampGranularityPrecise)[0]);
    agreed = repeat + 1 >= kRepeats && (agree(&medianOf) || agree(&least));
  }
  std::printf("relaxed %.1f us, precise %.1f us\n", median(relaxed) / 1e3, median(precise) / 1e3);
  EXPECT_TRUE(agreed) << "medians " << median(relaxed) << " and " << median(precise) << ", least "
                      << least(relaxed) << " and " << least(precise);
}

} // namespace
} // namespace basanite::tests
