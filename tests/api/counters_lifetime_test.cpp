// SPDX-License-Identifier: Apache-2.0
// Everything a commit uses may be released right after it; threads encode stamps side by side. Worth most
// under AddressSanitizer and ThreadSanitizer.
#include "tests/api/counters_fixture.hpp"

#include <atomic>
#include <memory>
#include <thread>

namespace basanite::tests {
namespace {

constexpr int kLoops = 200;

class CounterLifetime : public CountersFixture {
 protected:
  // A handler that counts itself: the last commit of a loop is over when all have come.
  NS::SharedPtr<MTL4::CommitOptions> countingOptions() {
    auto options = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
    options->addFeedbackHandler([this](MTL4::CommitFeedback* feedback) {
      EXPECT_EQ(feedback->error(), nullptr) << text(feedback->error());
      EXPECT_LE(feedback->GPUStartTime(), feedback->GPUEndTime());
      ++m_delivered;
    });
    return options;
  }
  void waitForQueue(MTL4::CommandQueue* queue) {
    auto done = NS::TransferPtr(m_device->newSharedEvent());
    queue->signalEvent(done.get(), 1);
    EXPECT_TRUE(done->waitUntilSignaledValue(1, 60'000));
  }

  std::atomic<int> m_delivered{0};
};

TEST_F(CounterLifetime, B47EverythingIsReleasedRightAfterTheCommit) {
  for (int loop = 0; loop < kLoops; ++loop) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    auto heap = counterHeap(4);
    auto destination = NS::TransferPtr(m_device->newBuffer(64, MTL::ResourceStorageModeShared));
    auto allocator = NS::TransferPtr(m_device->newCommandAllocator());
    auto commands = NS::TransferPtr(m_device->newCommandBuffer());
    auto fence = NS::TransferPtr(m_device->newFence());
    commands->beginCommandBuffer(allocator.get());
    commands->writeTimestampIntoHeap(heap.get(), 0);
    auto* compute = commands->computeCommandEncoder();
    burn(compute, 50);
    compute->writeTimestamp(kPrecise, heap.get(), 1);
    compute->endEncoding();
    auto* render = openPass(commands.get());
    fill(render, 5);
    render->writeTimestamp(kRelaxed, kFragment, heap.get(), 2);
    render->endEncoding();
    commands->resolveCounterHeap(heap.get(), NS::Range::Make(0, 4), whole(destination.get()), nullptr,
                                 fence.get());
    commands->writeTimestampIntoHeap(heap.get(), 3);
    commands->endCommandBuffer();
    const MTL4::CommandBuffer* list[] = {commands.get()};
    m_queue->commit(list, 1, countingOptions().get());
  }
  waitForQueue(m_queue.get());
}

TEST_F(CounterLifetime, AHeapReleasedBetweenRecordingAndCommitIsKept) {
  for (int loop = 0; loop < kLoops; ++loop) {
    auto heap = counterHeap(2);
    auto destination = sharedBuffer(16);
    m_allocator->reset();
    m_commands->beginCommandBuffer(m_allocator.get());
    m_commands->writeTimestampIntoHeap(heap.get(), 0);
    m_commands->resolveCounterHeap(heap.get(), NS::Range::Make(0, 2), whole(destination.get()), nullptr,
                                   nullptr);
    heap.reset();
    m_commands->endCommandBuffer();
    commitAndWait(m_commands.get());
    ASSERT_NE(contents<uint64_t>(destination.get())[0], 0u);
    ASSERT_EQ(contents<uint64_t>(destination.get())[1], 0u);
  }
}

TEST_F(CounterLifetime, ARecordingThatIsNeverCommittedLeavesNothing) {
  for (int loop = 0; loop < kLoops; ++loop) {
    auto heap = counterHeap(2);
    auto allocator = NS::TransferPtr(m_device->newCommandAllocator());
    auto commands = NS::TransferPtr(m_device->newCommandBuffer());
    commands->beginCommandBuffer(allocator.get());
    commands->writeTimestampIntoHeap(heap.get(), 0);
    if (loop % 2) commands->endCommandBuffer();
    commands.reset();
    EXPECT_EQ(entries(heap.get())[0], 0u);
  }
}

TEST_F(CounterLifetime, B49AHeapWhosePoolIsDrainedBeforeTheWaitLastsUntilItsWorkIsDone) {
  auto destination = sharedBuffer(16);
  auto held = NS::TransferPtr(m_device->newSharedEvent());
  {
    auto inner = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    auto* descriptor = MTL4::CounterHeapDescriptor::alloc()->init()->autorelease();
    descriptor->setType(MTL4::CounterHeapTypeTimestamp);
    descriptor->setCount(2);
    NS::Error* error = nullptr;
    MTL4::CounterHeap* heap = m_device->newCounterHeap(descriptor, &error)->autorelease();
    m_allocator->reset();
    m_commands->beginCommandBuffer(m_allocator.get());
    m_commands->writeTimestampIntoHeap(heap, 0);
    m_commands->resolveCounterHeap(heap, NS::Range::Make(0, 2), whole(destination.get()), nullptr, nullptr);
    m_commands->endCommandBuffer();
    m_queue->wait(held.get(), 1); // nothing has run when the pool goes
    const MTL4::CommandBuffer* list[] = {m_commands.get()};
    m_queue->commit(list, 1);
  }
  held->setSignaledValue(1);
  m_queue->signalEvent(m_event.get(), ++m_eventValue);
  ASSERT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 60'000));
  const auto values = contents<uint64_t>(destination.get());
  EXPECT_NE(values[0], 0u);
  EXPECT_EQ(values[1], 0u);
}

// No shader: this one also runs where the compiler is not instrumented.
TEST_F(CounterLifetime, ThreadsEncodeStampsSideBySide) {
  constexpr int kThreads = 4, kCommits = 40, kStamps = 8;
  auto heap = counterHeap(kThreads * kStamps);
  auto image = target();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
      auto queue = NS::TransferPtr(m_device->newMTL4CommandQueue());
      auto allocator = NS::TransferPtr(m_device->newCommandAllocator());
      auto own = NS::TransferPtr(m_device->newTexture(
          MTL::TextureDescriptor::texture2DDescriptor(image->pixelFormat(), 64, 64, false)));
      auto destination = NS::TransferPtr(m_device->newBuffer(kStamps * 8, MTL::ResourceStorageModeShared));
      for (int commit = 0; commit < kCommits; ++commit) {
        auto commands = NS::TransferPtr(m_device->newCommandBuffer());
        const NS::UInteger first = thread * kStamps;
        commands->beginCommandBuffer(allocator.get());
        commands->writeTimestampIntoHeap(heap.get(), first);
        auto* compute = commands->computeCommandEncoder();
        compute->writeTimestamp(kPrecise, heap.get(), first + 1);
        compute->fillBuffer(destination.get(), NS::Range::Make(0, kStamps * 8), 0xff);
        compute->writeTimestamp(kRelaxed, heap.get(), first + 2);
        compute->endEncoding();
        commands->resolveCounterHeap(heap.get(), NS::Range::Make(first, kStamps), whole(destination.get()),
                                     nullptr, nullptr);
        for (NS::UInteger i = 3; i < kStamps; ++i) commands->writeTimestampIntoHeap(heap.get(), first + i);
        commands->endCommandBuffer();
        const MTL4::CommandBuffer* list[] = {commands.get()};
        queue->commit(list, 1, countingOptions().get());
        MTL::Timestamp cpu = 0, gpu = 0;
        m_device->sampleTimestamps(&cpu, &gpu);
        auto other = NS::TransferPtr(m_device->newCounterHeap(
            [] {
              auto* descriptor = MTL4::CounterHeapDescriptor::alloc()->init()->autorelease();
              descriptor->setType(MTL4::CounterHeapTypeTimestamp);
              descriptor->setCount(2);
              return descriptor;
            }(),
            nullptr));
        other->invalidateCounterRange(NS::Range::Make(0, 2));
        if (commit % 8 == 7) {
          waitForQueue(queue.get());
          allocator->reset();
          NS::Data* data = heap->resolveCounterRange(NS::Range::Make(first, kStamps));
          uint64_t values[kStamps];
          std::memcpy(values, data->bytes(), sizeof values);
          EXPECT_TRUE(std::is_sorted(values, values + kStamps));
          EXPECT_NE(values[0], 0u);
        }
      }
      waitForQueue(queue.get());
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(atLeastOnce(1000, [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return m_delivered == kThreads * kCommits;
  })) << m_delivered.load();
}

} // namespace
} // namespace basanite::tests
