// SPDX-License-Identifier: Apache-2.0
// Rewriting, resolving and invalidating: which write wins, what a resolve sees, and what its fences order.
#include "tests/api/counters_fixture.hpp"

#include <memory>

namespace basanite::tests {
namespace {

constexpr const char* kCopyKernel = R"(
#include <metal_stdlib>
using namespace metal;
kernel void copyWords(device ulong* out [[buffer(0)]], device const ulong* in [[buffer(1)]],
                      uint id [[thread_position_in_grid]]) {
  out[id] = in[id];
}
kernel void copyLate(device ulong* out [[buffer(0)]], device const ulong* in [[buffer(1)]],
                     constant uint& rounds [[buffer(2)]], uint id [[thread_position_in_grid]]) {
  float value = float(id);
  for (uint i = 0; i < rounds; ++i) value = fma(value, 0.999f, 0.25f);
  out[id] = in[id] + (value < 0 ? 1 : 0); // value is never negative
}
)";

class CounterResolves : public CountersFixture {
 protected:
  void SetUp() override {
    CountersFixture::SetUp();
    m_heap = counterHeap(8);
    m_destination = sharedBuffer(8 * 8);
    m_secondAllocator = NS::TransferPtr(m_device->newCommandAllocator());
    m_second = NS::TransferPtr(m_device->newCommandBuffer());
  }

  // Two command buffers of one commit, or of two, in this order.
  void runTwo(bool isOneCommit, const std::function<void(MTL4::CommandBuffer*)>& first,
              const std::function<void(MTL4::CommandBuffer*)>& second) {
    m_allocator->reset();
    m_secondAllocator->reset();
    // Recorded the other way round: only the commit's order counts.
    m_second->beginCommandBuffer(m_secondAllocator.get());
    second(m_second.get());
    m_second->endCommandBuffer();
    m_commands->beginCommandBuffer(m_allocator.get());
    first(m_commands.get());
    m_commands->endCommandBuffer();
    const MTL4::CommandBuffer* list[] = {m_commands.get(), m_second.get()};
    if (isOneCommit) {
      m_queue->commit(list, 2);
    } else {
      m_queue->commit(list, 1);
      m_queue->commit(list + 1, 1);
    }
    m_queue->signalEvent(m_event.get(), ++m_eventValue);
    EXPECT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 60'000));
  }

  NS::SharedPtr<MTL4::CounterHeap> m_heap;
  NS::SharedPtr<MTL::Buffer> m_destination;
  NS::SharedPtr<MTL4::CommandAllocator> m_secondAllocator;
  NS::SharedPtr<MTL4::CommandBuffer> m_second;
};

TEST_F(CounterResolves, TheLastWriteInQueueOrderWins) {
  for (int round = 0; round < 20; ++round) {
    runTwo(
        round % 2,
        [&](MTL4::CommandBuffer* commands) {
          for (NS::UInteger index : {0, 1, 0, 2}) commands->writeTimestampIntoHeap(m_heap.get(), index);
        },
        [&](MTL4::CommandBuffer* commands) {
          for (NS::UInteger index : {3, 0, 4}) commands->writeTimestampIntoHeap(m_heap.get(), index);
        });
    const auto stamps = entries(m_heap.get());
    ASSERT_NE(stamps[1], 0u);
    ASSERT_GE(stamps[0], stamps[3]) << "the second command buffer's write came last, in round " << round;
    ASSERT_LE(stamps[0], stamps[4]);
    ASSERT_GE(stamps[2], stamps[1]);
  }
}

TEST_F(CounterResolves, SeeEveryEarlierStampOfTheQueueWithoutFencesOrBarriers) {
  for (int round = 0; round < 20; ++round) {
    m_heap->invalidateCounterRange(NS::Range::Make(0, 8));
    runTwo(
        round % 2,
        [&](MTL4::CommandBuffer* commands) {
          commands->writeTimestampIntoHeap(m_heap.get(), 0);
          auto* compute = commands->computeCommandEncoder();
          burn(compute, 200);
          compute->writeTimestamp(kRelaxed, m_heap.get(), 1);
          compute->writeTimestamp(kPrecise, m_heap.get(), 2);
          compute->endEncoding();
          auto* render = openPass(commands);
          render->writeTimestamp(kRelaxed, kVertex, m_heap.get(), 3);
          fill(render, 20);
          render->writeTimestamp(kPrecise, kFragment, m_heap.get(), 4);
          fill(render, 20);
          render->writeTimestamp(kRelaxed, kFragment, m_heap.get(), 5);
          render->endEncoding();
        },
        [&](MTL4::CommandBuffer* commands) {
          commands->writeTimestampIntoHeap(m_heap.get(), 6);
          commands->resolveCounterHeap(m_heap.get(), NS::Range::Make(0, 8), whole(m_destination.get()),
                                       nullptr, nullptr);
        });
    const auto resolved = contents<uint64_t>(m_destination.get());
    for (int i = 0; i < 7; ++i) ASSERT_NE(resolved[i], 0u) << "entry " << i << ", round " << round;
    ASSERT_EQ(resolved[7], 0u);
    ASSERT_EQ(resolved, entries(m_heap.get()));
  }
}

TEST_F(CounterResolves, StartsAfterTheFenceItWaitsFor) {
  auto fence = NS::TransferPtr(m_device->newFence());
  auto junk = sharedBuffer(std::vector<uint64_t>(8, 0xaaaaaaaaaaaaaaaa));
  auto kernel = computePipeline(kCopyKernel, "copyWords");
  auto arguments = argumentTable(2);
  arguments->setAddress(m_destination->gpuAddress(), 0);
  arguments->setAddress(junk->gpuAddress(), 1);
  for (int round = 0; round < 20; ++round) {
    // A kernel and a fill write where the resolve will; both are over when it starts.
    auto produce = [&](MTL4::CommandBuffer* commands) {
      auto* encoder = commands->computeCommandEncoder();
      burn(encoder, 2000);
      encoder->setComputePipelineState(kernel.get());
      encoder->setArgumentTable(arguments.get());
      encoder->dispatchThreads(MTL::Size::Make(8, 1, 1), MTL::Size::Make(8, 1, 1));
      encoder->barrierAfterEncoderStages(MTL::StageDispatch, MTL::StageBlit, MTL4::VisibilityOptionDevice);
      encoder->fillBuffer(m_destination.get(), NS::Range::Make(0, 32), 0x55);
      encoder->updateFence(fence.get(), MTL::StageDispatch | MTL::StageBlit);
      encoder->endEncoding();
    };
    runTwo(round % 2, produce, [&](MTL4::CommandBuffer* commands) {
      for (NS::UInteger i = 0; i < 8; ++i) commands->writeTimestampIntoHeap(m_heap.get(), i);
      commands->resolveCounterHeap(m_heap.get(), NS::Range::Make(0, 8), whole(m_destination.get()),
                                   fence.get(), nullptr);
    });
    ASSERT_EQ(contents<uint64_t>(m_destination.get()), entries(m_heap.get())) << round;
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                produce(commands);
                commands->resolveCounterHeap(m_heap.get(), NS::Range::Make(0, 8), whole(m_destination.get()),
                                             fence.get(), nullptr);
              }),
              "");
    ASSERT_EQ(contents<uint64_t>(m_destination.get()), entries(m_heap.get())) << round;
  }
}

// Nothing but the fence stands between the kernel and the resolve: no blit, no barrier, no stamp. (lavapipe and
// NVIDIA's driver order them without it too; others need not.)
TEST_F(CounterResolves, StartsAfterAKernelThatOnlyTheFenceNames) {
  auto fence = NS::TransferPtr(m_device->newFence());
  auto junk = sharedBuffer(std::vector<uint64_t>(8, 0xaaaaaaaaaaaaaaaa));
  auto rounds = sharedBuffer(std::vector<uint32_t>{isCpuDevice() ? 200'000u : 2'000'000u});
  auto kernel = computePipeline(kCopyKernel, "copyLate");
  auto arguments = argumentTable(3);
  arguments->setAddress(m_destination->gpuAddress(), 0);
  arguments->setAddress(junk->gpuAddress(), 1);
  arguments->setAddress(rounds->gpuAddress(), 2);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              for (NS::UInteger i = 0; i < 8; ++i) commands->writeTimestampIntoHeap(m_heap.get(), i);
            }),
            "");
  const auto stamped = entries(m_heap.get());
  const auto produce = [&](MTL4::CommandBuffer* commands) {
    auto* encoder = commands->computeCommandEncoder();
    encoder->setComputePipelineState(kernel.get());
    encoder->setArgumentTable(arguments.get());
    encoder->dispatchThreads(MTL::Size::Make(8, 1, 1), MTL::Size::Make(8, 1, 1));
    encoder->updateFence(fence.get(), MTL::StageDispatch);
    encoder->endEncoding();
  };
  const auto resolve = [&](MTL4::CommandBuffer* commands) {
    commands->resolveCounterHeap(m_heap.get(), NS::Range::Make(0, 8), whole(m_destination.get()), fence.get(),
                                 nullptr);
  };
  for (int round = 0; round < 6; ++round) {
    runTwo(round % 2, produce, resolve);
    ASSERT_EQ(contents<uint64_t>(m_destination.get()), stamped) << round;
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                produce(commands);
                resolve(commands);
              }),
              "");
    ASSERT_EQ(contents<uint64_t>(m_destination.get()), stamped) << round;
  }
}

// A render encoder that writes one entry again and again, in every way: each later reading is later.
TEST_F(CounterResolves, AnEntryIsRewrittenWithinOneRenderEncoder) {
  for (bool endsPrecise : {false, true}) {
    m_heap->invalidateCounterRange(NS::Range::Make(0, 8));
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                auto* encoder = openPass(commands);
                encoder->writeTimestamp(kRelaxed, kFragment, m_heap.get(), 0);
                encoder->writeTimestamp(kRelaxed, kFragment, m_heap.get(), 1);
                fill(encoder, 200);
                encoder->writeTimestamp(kPrecise, kFragment, m_heap.get(), 0);
                encoder->writeTimestamp(kPrecise, kFragment, m_heap.get(), 2);
                fill(encoder, 200);
                encoder->writeTimestamp(kRelaxed, kVertex, m_heap.get(), 0);
                fill(encoder, 200);
                encoder->writeTimestamp(kPrecise, kFragment, m_heap.get(), 3);
                encoder->writeTimestamp(endsPrecise ? kPrecise : kRelaxed, kFragment, m_heap.get(), 0);
                encoder->endEncoding();
              }),
              "");
    const auto values = entries(m_heap.get());
    EXPECT_NE(values[1], 0u);
    EXPECT_LT(values[1], values[2]);
    EXPECT_LT(values[2], values[3]);
    EXPECT_GE(values[0], values[3]) << "the last write wins";
  }
}

TEST_F(CounterResolves, TheFenceItUpdatesOrdersABlitAndAKernelBehindIt) {
  auto fence = NS::TransferPtr(m_device->newFence());
  auto copied = sharedBuffer(64), computed = sharedBuffer(64);
  auto kernel = computePipeline(kCopyKernel, "copyWords");
  auto arguments = argumentTable(2);
  arguments->setAddress(computed->gpuAddress(), 0);
  arguments->setAddress(m_destination->gpuAddress(), 1);
  for (int round = 0; round < 20; ++round) {
    auto resolve = [&](MTL4::CommandBuffer* commands) {
      for (NS::UInteger i = 0; i < 8; ++i) commands->writeTimestampIntoHeap(m_heap.get(), i);
      commands->resolveCounterHeap(m_heap.get(), NS::Range::Make(0, 8), whole(m_destination.get()), nullptr,
                                   fence.get());
    };
    auto consume = [&](MTL4::CommandBuffer* commands) {
      auto* encoder = commands->computeCommandEncoder();
      encoder->waitForFence(fence.get(), MTL::StageBlit | MTL::StageDispatch);
      encoder->copyFromBuffer(m_destination.get(), 0, copied.get(), 0, 64);
      encoder->setComputePipelineState(kernel.get());
      encoder->setArgumentTable(arguments.get());
      encoder->dispatchThreads(MTL::Size::Make(8, 1, 1), MTL::Size::Make(8, 1, 1));
      encoder->endEncoding();
    };
    runTwo(round % 2, resolve, consume);
    ASSERT_EQ(contents<uint64_t>(copied.get()), entries(m_heap.get())) << round;
    ASSERT_EQ(contents<uint64_t>(computed.get()), entries(m_heap.get())) << round;
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                resolve(commands);
                consume(commands);
              }),
              "");
    ASSERT_EQ(contents<uint64_t>(copied.get()), entries(m_heap.get())) << round;
    ASSERT_EQ(contents<uint64_t>(computed.get()), entries(m_heap.get())) << round;
  }
}

TEST_F(CounterResolves, ReadingOnTheCpuIsAutoreleasedExactAndRepeatable) {
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              for (NS::UInteger i = 0; i < 8; ++i) commands->writeTimestampIntoHeap(m_heap.get(), i);
            }),
            "");
  auto inner = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  NS::Data* data = m_heap->resolveCounterRange(NS::Range::Make(3, 4));
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(data->length(), 32u);
  data->retain();
  EXPECT_EQ(data->retainCount(), 2u);
  inner.reset();
  EXPECT_EQ(data->retainCount(), 1u) << "the pool's reference has gone";
  std::vector<uint64_t> values(4);
  std::memcpy(values.data(), data->bytes(), 32);
  data->release();
  EXPECT_EQ(values, entries(m_heap.get(), 3, 4));
  EXPECT_EQ(entries(m_heap.get()), entries(m_heap.get()));
}

TEST_F(CounterResolves, InvalidationIsImmediateAndTouchesOnlyItsRange) {
  auto write = [&](MTL4::CommandBuffer* commands) {
    for (NS::UInteger i = 0; i < 8; ++i) commands->writeTimestampIntoHeap(m_heap.get(), i);
  };
  for (const auto& [first, count] :
       std::vector<std::pair<NS::UInteger, NS::UInteger>>{{0, 0}, {8, 0}, {0, 1}, {7, 1}, {2, 3}, {0, 8}}) {
    EXPECT_EQ(runCommands(write), "");
    auto expected = entries(m_heap.get());
    EXPECT_EQ(std::count(expected.begin(), expected.end(), 0u), 0);
    m_heap->invalidateCounterRange(NS::Range::Make(first, count));
    std::fill_n(expected.begin() + first, count, 0);
    EXPECT_EQ(entries(m_heap.get()), expected) << first << ", " << count;
    // The GPU sees it as well.
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                commands->resolveCounterHeap(m_heap.get(), NS::Range::Make(0, 8), whole(m_destination.get()),
                                             nullptr, nullptr);
              }),
              "");
    EXPECT_EQ(contents<uint64_t>(m_destination.get()), expected) << first << ", " << count;
  }
}

TEST_F(CounterResolves, ADestinationThatDoesNotFitIsNamedWithTheHeap) {
  m_heap->setLabel(NS::String::string("frame times", NS::UTF8StringEncoding));
  const uint64_t address = m_destination->gpuAddress();
  for (const MTL4::BufferRange& range :
       {MTL4::BufferRange::Make(address, 56), MTL4::BufferRange::Make(address + 8, UINT64_MAX),
        MTL4::BufferRange::Make(address + 4, 64), MTL4::BufferRange::Make(0, 64)}) {
    const std::string message = runCommands([&](MTL4::CommandBuffer* commands) {
      commands->resolveCounterHeap(m_heap.get(), NS::Range::Make(0, 8), range, nullptr, nullptr);
    });
    EXPECT_NE(message.find("\"frame times\""), std::string::npos) << message;
  }
}

} // namespace
} // namespace basanite::tests
