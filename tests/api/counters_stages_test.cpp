// SPDX-License-Identifier: Apache-2.0
// Where in a pass a stamp is taken: by stage mask, before any draw, with no draw at all, from the command
// buffer while an encoder is open, and in the parts of a pass that several threads encode.
#include "tests/api/counters_fixture.hpp"

#include <algorithm>
#include <random>
#include <thread>

namespace basanite::tests {
namespace {

constexpr MTL::RenderStages kAllStages = MTL::RenderStageVertex | MTL::RenderStageFragment |
                                         MTL::RenderStageTile | MTL::RenderStageObject | MTL::RenderStageMesh;
constexpr auto kDevice = MTL4::VisibilityOptionDevice;

class CounterStages : public CountersFixture {
 protected:
  void SetUp() override {
    CountersFixture::SetUp();
    if (HasFatalFailure()) return;
    m_heap = counterHeap(64);
  }
  // Costs waver on a shared machine; a stamp that does not wait for its stage reads next to nothing.
  static constexpr double kShare = 0.4;

  NS::SharedPtr<MTL4::CounterHeap> m_heap;
};

TEST_F(CounterStages, EveryUnionOfStagesWaitsForTheDrawsBeforeIt) {
  const uint32_t steps = fillStepsFor(4e6);
  double heavyNs = fillNs(steps);
  std::vector<std::pair<std::string, double>> waited; // by masks with the fragment stage
  for (MTL4::TimestampGranularity granularity : {kRelaxed, kPrecise}) {
    for (MTL::RenderStages stages = 1; stages <= kAllStages; ++stages) {
      SCOPED_TRACE(testing::Message() << "stages " << stages << ", granularity " << granularity);
      m_heap->invalidateCounterRange(NS::Range::Make(0, 5));
      EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                  commands->writeTimestampIntoHeap(m_heap.get(), 3);
                  auto* encoder = openPass(commands);
                  encoder->writeTimestamp(granularity, stages, m_heap.get(), 0);
                  fill(encoder, steps);
                  encoder->writeTimestamp(granularity, stages, m_heap.get(), 1);
                  fill(encoder, 1);
                  encoder->writeTimestamp(granularity, stages, m_heap.get(), 2);
                  encoder->endEncoding();
                  commands->writeTimestampIntoHeap(m_heap.get(), 4);
                }),
                "");
      EXPECT_GE(between(m_heap.get(), 3, 0), 0);
      EXPECT_GE(between(m_heap.get(), 0, 1), 0);
      EXPECT_GE(between(m_heap.get(), 1, 2), 0);
      EXPECT_GE(between(m_heap.get(), 2, 4), 0);
      // Stages that the pass does not use count as complete, so only a mask with the fragment stage must have
      // waited.
      if (stages & kFragment)
        waited.emplace_back(
            (testing::Message() << "stages " << stages << ", granularity " << granularity).GetString(),
            between(m_heap.get(), 0, 1));
    }
  }
  heavyNs = std::min(heavyNs, fillNs(steps));
  EXPECT_GT(heavyNs, 200e3) << "nothing to wait for";
  for (const auto& [name, ns] : waited) EXPECT_GE(ns, kShare * heavyNs) << name;
}

TEST_F(CounterStages, VertexStampsWaitForHeavyVertices) {
  const uint32_t steps = isCpuDevice() ? 400 : 40'000;
  for (MTL4::TimestampGranularity granularity : {kPrecise, kRelaxed}) {
    double alone = 0;
    for (MTL::RenderStages stages = kVertex; stages <= kAllStages; ++stages) {
      if (!(stages & kVertex)) continue;
      std::vector<double> intervals;
      for (int repeat = 0; repeat < 5; ++repeat) {
        EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                    auto* encoder = openPass(commands);
                    encoder->writeTimestamp(granularity, stages, m_heap.get(), 0);
                    vertices(encoder, steps);
                    encoder->writeTimestamp(granularity, stages, m_heap.get(), 1);
                    fill(encoder, 1);
                    encoder->endEncoding();
                  }),
                  "");
        intervals.push_back(between(m_heap.get(), 0, 1));
      }
      if (alone == 0) alone = *std::min_element(intervals.begin(), intervals.end());
      EXPECT_GE(median(intervals), kShare * alone) << "stages " << stages << ", granularity " << granularity;
    }
    EXPECT_GT(alone, 100e3);
  }
}

// What a pass waits for lies before its first stamp, and its own draws behind it.
TEST_F(CounterStages, BeforeAnyDrawIsAfterWhateverThePassWaitedFor) {
  const uint32_t steps = fillStepsFor(8e6);
  double heavyNs = fillNs(steps);
  std::vector<double> fromStart, ownDraw;
  auto fence = NS::TransferPtr(m_device->newFence());
  for (bool usesFence : {false, true}) {
    for (MTL4::TimestampGranularity granularity : {kRelaxed, kPrecise}) {
      for (MTL::RenderStages stages : {MTL::RenderStages(1), MTL::RenderStages(2), MTL::RenderStages(4),
                                       MTL::RenderStages(8), MTL::RenderStages(16), kAllStages}) {
        SCOPED_TRACE(testing::Message()
                     << "stages " << stages << ", granularity " << granularity << ", fence " << usesFence);
        m_heap->invalidateCounterRange(NS::Range::Make(0, 5));
        EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                    commands->writeTimestampIntoHeap(m_heap.get(), 0);
                    auto* heavy = openPass(commands);
                    fill(heavy, steps);
                    heavy->writeTimestamp(kPrecise, kFragment, m_heap.get(), 1);
                    if (usesFence) heavy->updateFence(fence.get(), MTL::StageFragment);
                    heavy->endEncoding();
                    auto* next = openPass(commands);
                    // The order of stamp and wait makes no difference: both come before the first draw.
                    if (granularity == kRelaxed) next->writeTimestamp(granularity, stages, m_heap.get(), 2);
                    if (usesFence)
                      next->waitForFence(fence.get(), MTL::StageVertex | MTL::StageFragment);
                    else
                      next->barrierAfterQueueStages(MTL::StageFragment, MTL::StageVertex | MTL::StageFragment,
                                                    kDevice);
                    if (granularity == kPrecise) next->writeTimestamp(granularity, stages, m_heap.get(), 2);
                    fill(next, steps);
                    next->writeTimestamp(granularity, kFragment, m_heap.get(), 3);
                    next->endEncoding();
                  }),
                  "");
        EXPECT_GE(between(m_heap.get(), 1, 2), 0) << "after the pass it waited for";
        fromStart.push_back(between(m_heap.get(), 0, 2));
        ownDraw.push_back(between(m_heap.get(), 2, 3));
      }
    }
  }
  heavyNs = std::min(heavyNs, fillNs(steps));
  for (size_t i = 0; i < fromStart.size(); ++i) {
    EXPECT_GE(fromStart[i], kShare * heavyNs) << "not the command buffer's start, run " << i;
    EXPECT_GE(ownDraw[i], kShare * heavyNs) << "before this pass's own draw, run " << i;
  }
}

// A pass that waits for nothing could begin while an earlier one still rasterises. Its first stamp is a
// moment before its own stages begin all the same, not the earlier pass's end: else the work that overlaps
// would read as nothing.
TEST_F(CounterStages, BeforeAnyDrawIsBeforeThePassAlsoWhereItOverlapsAnEarlierOne) {
  const uint32_t fillSteps = fillStepsFor(20e6), vertexSteps = isCpuDevice() ? 400 : 40'000;
  auto other = colorTarget(m_targetSize, m_targetSize);
  for (MTL4::TimestampGranularity granularity : {kRelaxed, kPrecise}) {
    for (MTL::RenderStages stages : {kVertex, kFragment, kAllStages}) {
      std::vector<double> alone, overlapping;
      for (int repeat = 0; repeat < 5; ++repeat) {
        for (bool overlaps : {false, true}) {
          EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                      if (overlaps) {
                        auto* heavy = openPass(commands);
                        fill(heavy, fillSteps);
                        heavy->endEncoding();
                      }
                      auto* next = commands->renderCommandEncoder(clearPass(other.get()));
                      next->writeTimestamp(granularity, stages, m_heap.get(), 0);
                      vertices(next, vertexSteps);
                      next->writeTimestamp(granularity, stages, m_heap.get(), 1);
                      next->endEncoding();
                    }),
                    "");
          (overlaps ? overlapping : alone).push_back(between(m_heap.get(), 0, 1));
        }
      }
      EXPECT_GE(median(overlapping), kShare * *std::min_element(alone.begin(), alone.end()))
          << "stages " << stages << ", granularity " << granularity;
    }
  }
}

TEST_F(CounterStages, TheFirstStampOfAComputeEncoderIsBeforeItsWorkAlsoWhereItOverlapsAPass) {
  const uint32_t fillSteps = fillStepsFor(20e6), burnSteps = burnStepsFor(3e6);
  for (MTL4::TimestampGranularity granularity : {kRelaxed, kPrecise}) {
    std::vector<double> alone, overlapping;
    for (int repeat = 0; repeat < 5; ++repeat) {
      for (bool overlaps : {false, true}) {
        EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                    if (overlaps) {
                      auto* heavy = openPass(commands);
                      fill(heavy, fillSteps);
                      heavy->endEncoding();
                    }
                    auto* next = commands->computeCommandEncoder();
                    next->writeTimestamp(granularity, m_heap.get(), 0);
                    burn(next, burnSteps);
                    next->writeTimestamp(granularity, m_heap.get(), 1);
                    next->endEncoding();
                  }),
                  "");
        (overlaps ? overlapping : alone).push_back(between(m_heap.get(), 0, 1));
      }
    }
    EXPECT_GE(median(overlapping), kShare * *std::min_element(alone.begin(), alone.end()))
        << "granularity " << granularity;
  }
}

TEST_F(CounterStages, PassesThatNeverDrawAndEncodersWithoutCommandsStamp) {
  auto* empty = MTL4::RenderPassDescriptor::alloc()->init()->autorelease();
  empty->setRenderTargetWidth(8);
  empty->setRenderTargetHeight(8);
  auto depth = texture(64, 64, MTL::PixelFormatDepth32Float, MTL::TextureUsageRenderTarget);
  auto* depthOnly = MTL4::RenderPassDescriptor::alloc()->init()->autorelease();
  depthOnly->depthAttachment()->setTexture(depth.get());
  for (auto* pass : {clearPass(target()), empty, depthOnly}) {
    for (MTL4::TimestampGranularity granularity : {kRelaxed, kPrecise}) {
      for (MTL::RenderStages stages = 1; stages <= kAllStages; ++stages) {
        m_heap->invalidateCounterRange(NS::Range::Make(0, 4));
        EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                    commands->writeTimestampIntoHeap(m_heap.get(), 0);
                    auto* encoder = commands->renderCommandEncoder(pass);
                    encoder->writeTimestamp(granularity, stages, m_heap.get(), 1);
                    encoder->writeTimestamp(granularity, stages, m_heap.get(), 2);
                    encoder->endEncoding();
                    commands->writeTimestampIntoHeap(m_heap.get(), 3);
                  }),
                  "");
        const auto values = entries(m_heap.get(), 0, 4);
        EXPECT_NE(values[0], 0u);
        EXPECT_TRUE(std::is_sorted(values.begin(), values.end()))
            << "stages " << stages << ", granularity " << granularity;
      }
    }
  }
}

// Defined here where Metal says nothing: such a stamp comes after the open encoder's work so far.
TEST_F(CounterStages, ACommandBuffersStampSeesTheOpenEncodersWorkSoFar) {
  const uint32_t fillSteps = fillStepsFor(4e6), burnSteps = burnStepsFor(4e6);
  const double fillBeforeNs = fillNs(fillSteps), burnBeforeNs = burnNs(burnSteps);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              auto* render = openPass(commands);
              commands->writeTimestampIntoHeap(m_heap.get(), 0);
              fill(render, fillSteps);
              commands->writeTimestampIntoHeap(m_heap.get(), 1);
              render->writeTimestamp(kPrecise, kFragment, m_heap.get(), 2);
              fill(render, fillSteps);
              commands->writeTimestampIntoHeap(m_heap.get(), 3);
              render->endEncoding();
              commands->writeTimestampIntoHeap(m_heap.get(), 4);
              auto* compute = commands->computeCommandEncoder();
              commands->writeTimestampIntoHeap(m_heap.get(), 5);
              compute->writeTimestamp(kPrecise, m_heap.get(), 6);
              burn(compute, burnSteps);
              commands->writeTimestampIntoHeap(m_heap.get(), 7);
              compute->endEncoding();
            }),
            "");
  const auto values = entries(m_heap.get(), 0, 8);
  EXPECT_NE(values[0], 0u);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  const double leastFillNs = std::min(fillBeforeNs, fillNs(fillSteps));
  const double leastBurnNs = std::min(burnBeforeNs, burnNs(burnSteps));
  EXPECT_GE(between(m_heap.get(), 0, 1), kShare * leastFillNs);
  EXPECT_GE(between(m_heap.get(), 2, 3), kShare * leastFillNs);
  EXPECT_GE(between(m_heap.get(), 6, 7), kShare * leastBurnNs);
}

TEST_F(CounterStages, StampsOfOneStageNeverDecreaseHoweverTheyAreMixed) {
  constexpr NS::UInteger kStamps = 300;
  constexpr MTL::RenderStages kEach[] = {1, 2, 4, 8, 16};
  std::mt19937 random(20261130);
  auto heap = counterHeap(kStamps);
  for (int round = 0; round < 5; ++round) {
    std::vector<MTL::RenderStages> stages;
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                auto* encoder = openPass(commands);
                for (NS::UInteger i = 0; i < kStamps; ++i) {
                  const unsigned draws = random() % 3; // none: stamps that share a place
                  for (unsigned draw = 0; draw < draws; ++draw) {
                    if (random() % 4 == 0)
                      vertices(encoder, 1);
                    else
                      fill(encoder, 1);
                  }
                  if (random() % 16 == 0)
                    encoder->barrierAfterQueueStages(MTL::StageAll, MTL::StageVertex, kDevice);
                  stages.push_back(kEach[random() % 5]);
                  encoder->writeTimestamp(random() % 2 ? kPrecise : kRelaxed, stages.back(), heap.get(), i);
                }
                encoder->endEncoding();
              }),
              "");
    const auto values = entries(heap.get());
    for (MTL::RenderStages stage : kEach) {
      uint64_t last = 0;
      for (NS::UInteger i = 0; i < kStamps; ++i) {
        EXPECT_NE(values[i], 0u) << i;
        if (stages[i] != stage) continue;
        EXPECT_GE(values[i], last) << "stamp " << i << " of stage " << stage;
        last = values[i];
      }
    }
  }
}

// Four threads encode the parts of one pass; each part has stamps of its own, in the order of the commit.
TEST_F(CounterStages, SuspendedAndResumedPartsKeepTheirStampsWhoeverEncodesThem) {
  constexpr NS::UInteger kParts = 4, kPerPart = 4;
  const uint32_t steps = fillStepsFor(3e6);
  double heavyNs = fillNs(steps);
  std::vector<double> draws;
  for (MTL4::TimestampGranularity granularity : {kRelaxed, kPrecise}) {
    m_heap->invalidateCounterRange(NS::Range::Make(0, 64));
    NS::SharedPtr<MTL4::CommandBuffer> buffers[kParts];
    NS::SharedPtr<MTL4::CommandAllocator> allocators[kParts];
    NS::SharedPtr<MTL4::ArgumentTable> tables[kParts];
    MTL4::RenderPassDescriptor* passes[kParts];
    for (NS::UInteger part = 0; part < kParts; ++part) {
      buffers[part] = NS::TransferPtr(m_device->newCommandBuffer());
      allocators[part] = NS::TransferPtr(m_device->newCommandAllocator());
      tables[part] = fillTable(steps);
      passes[part] = clearPass(target());
    }
    std::vector<std::thread> threads;
    for (NS::UInteger part = 0; part < kParts; ++part) {
      threads.emplace_back([&, part] {
        auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
        MTL4::RenderEncoderOptions options = 0;
        if (part > 0) options |= MTL4::RenderEncoderOptionResuming;
        if (part + 1 < kParts) options |= MTL4::RenderEncoderOptionSuspending;
        buffers[part]->beginCommandBuffer(allocators[part].get());
        auto* encoder = buffers[part]->renderCommandEncoder(passes[part], options);
        const NS::UInteger first = part * kPerPart;
        encoder->writeTimestamp(granularity, kFragment, m_heap.get(), first);
        fill(encoder, tables[part].get());
        encoder->writeTimestamp(granularity, kFragment, m_heap.get(), first + 1);
        encoder->writeTimestamp(granularity, kVertex, m_heap.get(), first + 2);
        fill(encoder, tables[part].get());
        encoder->writeTimestamp(granularity, kFragment, m_heap.get(), first + 3);
        encoder->endEncoding();
        buffers[part]->endCommandBuffer();
      });
    }
    for (auto& thread : threads) thread.join();
    const MTL4::CommandBuffer* list[kParts];
    for (NS::UInteger part = 0; part < kParts; ++part) list[part] = buffers[part].get();
    m_queue->commit(list, kParts);
    m_queue->signalEvent(m_event.get(), ++m_eventValue);
    ASSERT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 60'000));
    uint64_t lastEnd = 0;
    for (NS::UInteger part = 0; part < kParts; ++part) {
      const auto values = entries(m_heap.get(), part * kPerPart, kPerPart);
      EXPECT_NE(values[2], 0u) << part;
      EXPECT_GE(values[0], lastEnd) << "part " << part << " begins after the one before it";
      EXPECT_TRUE(std::is_sorted(values.begin(), values.begin() + 2) && values[3] >= values[1]) << part;
      draws.push_back(double(values[1] - values[0]));
      draws.push_back(double(values[3] - values[1]));
      lastEnd = values[3];
    }
  }
  heavyNs = std::min(heavyNs, fillNs(steps));
  for (size_t i = 0; i < draws.size(); ++i) EXPECT_GE(draws[i], kShare * heavyNs) << "draw " << i;
}

} // namespace
} // namespace basanite::tests
