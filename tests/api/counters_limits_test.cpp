// SPDX-License-Identifier: Apache-2.0
// Counter heaps and stamps in number: sizes from 1 to 1,048,576, many heaps at once, many stamps in a frame,
// many writers of one heap. Costs grow in line with the number of stamps.
#include "tests/api/counters_fixture.hpp"

#include <chrono>
#include <thread>

namespace basanite::tests {
namespace {

class CounterLimits : public CountersFixture {
 protected:
  static void encodeStamps(MTL4::CommandBuffer* commands, MTL4::CounterHeap* heap, NS::UInteger stamps) {
    MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
    for (NS::UInteger i = 0; i < stamps; ++i) encoder->writeTimestamp(kRelaxed, heap, i);
    encoder->endEncoding();
  }

  // Seconds of host time to record a frame of `stamps` stamps; it is dropped, since running it is the
  // driver's time.
  double encodeSeconds(MTL4::CounterHeap* heap, NS::UInteger stamps) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    m_allocator->reset();
    auto commands = NS::TransferPtr(m_device->newCommandBuffer());
    const auto start = std::chrono::steady_clock::now();
    commands->beginCommandBuffer(m_allocator.get());
    encodeStamps(commands.get(), heap, stamps);
    commands->endCommandBuffer();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
};

TEST_F(CounterLimits, B55HeapsOfEverySizeCountWhatWasAskedFor) {
  for (NS::UInteger count : {1, 2, 4095, 4096, 4097, 65536, 1048576}) {
    auto heap = counterHeap(count);
    ASSERT_TRUE(heap) << count;
    EXPECT_EQ(heap->count(), count);
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                commands->writeTimestampIntoHeap(heap.get(), 0);
                commands->writeTimestampIntoHeap(heap.get(), count - 1);
              }),
              "");
    const auto values = entries(heap.get());
    EXPECT_NE(values.front(), 0u) << count;
    EXPECT_GE(values.back(), values.front()) << count;
    EXPECT_EQ(std::count(values.begin(), values.end(), 0u), std::max<int64_t>(0, int64_t(count) - 2))
        << count;
  }
}

TEST_F(CounterLimits, B57AThousandHeapsAliveAreAllWrittenByOneEncoder) {
  constexpr NS::UInteger kHeaps = 1000;
  std::vector<NS::SharedPtr<MTL4::CounterHeap>> heaps;
  for (NS::UInteger i = 0; i < kHeaps; ++i) heaps.push_back(counterHeap(2));
  // Forth and back, so that every stamp goes to another heap than the one before.
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
              for (NS::UInteger i = 0; i < kHeaps; ++i) encoder->writeTimestamp(kRelaxed, heaps[i].get(), 0);
              for (NS::UInteger i = kHeaps; i-- > 0;) encoder->writeTimestamp(kRelaxed, heaps[i].get(), 1);
              encoder->endEncoding();
            }),
            "");
  uint64_t previousBegin = 0, previousEnd = UINT64_MAX;
  for (NS::UInteger i = 0; i < kHeaps; ++i) {
    const auto values = entries(heaps[i].get());
    ASSERT_GE(values[0], std::max<uint64_t>(previousBegin, 1)) << i;
    ASSERT_LE(values[1], previousEnd) << i;
    ASSERT_LE(values[0], values[1]) << i;
    previousBegin = values[0];
    previousEnd = values[1];
  }
}

TEST_F(CounterLimits, StampsOf65536InOneFrameRiseInOrder) {
  constexpr NS::UInteger kStamps = 65536;
  auto heap = counterHeap(kStamps);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) { encodeStamps(commands, heap.get(), kStamps); }),
            "");
  const auto values = entries(heap.get());
  ASSERT_NE(values[0], 0u);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
}

TEST_F(CounterLimits, EncodingCostIsLinearInTheNumberOfStamps) {
  constexpr NS::UInteger kFew = 4096, kMany = 65536;
  auto heap = counterHeap(kMany);
  encodeSeconds(heap.get(), kMany); // memory of its own comes first
  double few = 1e9, many = 1e9;
  for (int round = 0; round < 4; ++round) {
    few = std::min(few, encodeSeconds(heap.get(), kFew));
    many = std::min(many, encodeSeconds(heap.get(), kMany));
  }
  // 16 times the stamps. Quadratic cost would be 256 times.
  EXPECT_LT(many, 40 * few) << "few " << few << " s, many " << many << " s";
  RecordProperty("ns_per_stamp", std::to_string(many / kMany * 1e9));
}

TEST_F(CounterLimits, IndicesInAnyOrderAndWrittenTwiceKeepTheirLastValue) {
  constexpr NS::UInteger kEntries = 4096;
  auto heap = counterHeap(kEntries);
  auto order = [](NS::UInteger i) { return i * 1031 % kEntries; }; // each index once: 1031 is odd
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
              for (NS::UInteger i = 0; i < kEntries; ++i) encoder->writeTimestamp(kRelaxed, heap.get(), i);
              for (NS::UInteger i = 0; i < kEntries; ++i)
                encoder->writeTimestamp(kRelaxed, heap.get(), order(i));
              encoder->endEncoding();
            }),
            "");
  const auto values = entries(heap.get());
  for (NS::UInteger i = 1; i < kEntries; ++i) ASSERT_GE(values[order(i)], values[order(i - 1)]) << i;
}

TEST_F(CounterLimits, OneHeapIsWrittenFromManyThreadsAndQueues) {
  constexpr int kThreads = 4, kCommits = 16, kStamps = 32;
  auto heap = counterHeap(kThreads * kCommits * kStamps);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
      auto queue = NS::TransferPtr(m_device->newMTL4CommandQueue());
      auto allocator = NS::TransferPtr(m_device->newCommandAllocator());
      auto done = NS::TransferPtr(m_device->newSharedEvent());
      for (int commit = 0; commit < kCommits; ++commit) {
        auto commands = NS::TransferPtr(m_device->newCommandBuffer());
        commands->beginCommandBuffer(allocator.get());
        for (int stamp = 0; stamp < kStamps; ++stamp)
          commands->writeTimestampIntoHeap(heap.get(), (thread * kCommits + commit) * kStamps + stamp);
        commands->endCommandBuffer();
        const MTL4::CommandBuffer* list[] = {commands.get()};
        queue->commit(list, 1);
      }
      queue->signalEvent(done.get(), 1);
      EXPECT_TRUE(done->waitUntilSignaledValue(1, 60'000));
    });
  for (std::thread& thread : threads) thread.join();
  const auto values = entries(heap.get());
  EXPECT_EQ(std::count(values.begin(), values.end(), 0u), 0);
  for (int thread = 0; thread < kThreads; ++thread) {
    const auto begin = values.begin() + thread * kCommits * kStamps;
    EXPECT_TRUE(std::is_sorted(begin, begin + kCommits * kStamps)) << thread;
  }
}

TEST_F(CounterLimits, PreciseStampsBehindEachOf2000Draws) {
  constexpr NS::UInteger kDraws = 2000;
  auto heap = counterHeap(kDraws);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* encoder = openPass(commands);
              for (NS::UInteger i = 0; i < kDraws; ++i) {
                fill(encoder, uint32_t(0));
                encoder->writeTimestamp(kPrecise, kFragment, heap.get(), i);
              }
              encoder->endEncoding();
            }),
            "");
  const auto values = entries(heap.get());
  EXPECT_NE(values[0], 0u);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
}

} // namespace
} // namespace basanite::tests
