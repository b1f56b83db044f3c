// SPDX-License-Identifier: Apache-2.0
// Queues, timelines, completion and deferred deletion.
#include "src/vulkan/deferred_delete.hpp"
#include "tests/internal/vulkan/vulkan_fixture.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

namespace basanite::vulkan::test {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;

class SubmissionTest : public VulkanTest {
 protected:
  base::Ref<Semaphore> event() { return must(Semaphore::create(m_device, 0, "event")); }
  static Batch waitFor(const base::Ref<Semaphore>& semaphore, uint64_t value) {
    Batch batch;
    batch.waits.push_back({semaphore, value});
    return batch;
  }
  static Batch signal(const base::Ref<Semaphore>& semaphore, uint64_t value) {
    Batch batch;
    batch.signals.push_back({semaphore, value});
    return batch;
  }
};

TEST_F(SubmissionTest, EventsAreSignalledAndWaitedForByTheHost) {
  auto semaphore = event();
  EXPECT_EQ(semaphore->value(), 0u);
  EXPECT_FALSE(must(semaphore->wait(1, 1'000'000)));
  must(semaphore->signal(3));
  EXPECT_EQ(semaphore->value(), 3u);
  EXPECT_TRUE(must(semaphore->wait(2, 0)));
  must(semaphore->signal(2)); // does nothing
  EXPECT_EQ(semaphore->value(), 3u);
}

TEST_F(SubmissionTest, AQueueSignalsAfterItsWork) {
  auto semaphore = event();
  auto buffer = sharedBuffer(64);
  run([&](CommandBuffer& commands) { commands.fillBuffer(buffer->vkBuffer(), 0, 64, 9); });
  must(m_queue->submit(signal(semaphore, 7)));
  EXPECT_TRUE(must(semaphore->wait(7, 10 * kSecondNs)));
  EXPECT_EQ(static_cast<uint8_t*>(buffer->contents())[63], 9);
}

TEST_F(SubmissionTest, WorkWaitsForAHostSignal) {
  auto semaphore = event();
  std::atomic<bool> done{false};
  must(m_queue->submit(waitFor(semaphore, 5)));
  uint64_t serial = must(m_queue->submit({}, [&](const Completion&) { done = true; }));
  EXPECT_FALSE(must(m_queue->wait(serial, 20'000'000)));
  EXPECT_FALSE(done);
  must(semaphore->signal(4));
  EXPECT_FALSE(must(m_queue->wait(serial, 20'000'000)));
  must(semaphore->signal(5));
  EXPECT_TRUE(must(m_queue->wait(serial, 10 * kSecondNs)));
  m_queue->waitIdle();
  EXPECT_TRUE(done);
}

TEST_F(SubmissionTest, AQueueMayWaitForALaterSignalOfAnother) {
  // More queues than the device has VkQueues, so that two of them share one.
  std::vector<base::Ref<Queue>> queues;
  for (uint32_t i = 0; i <= m_device->submitter().hardwareQueueCount(); ++i)
    queues.push_back(must(Queue::create(m_device, "sharing")));
  auto semaphore = event(), answer = event();
  Batch waiting = waitFor(semaphore, 1);
  waiting.signals.push_back({answer, 1});
  must(queues.front()->submit(std::move(waiting)));
  must(queues.back()->submit(signal(semaphore, 1)));
  EXPECT_TRUE(must(answer->wait(1, 10 * kSecondNs)));
}

TEST_F(SubmissionTest, ChainsAcrossQueuesUnwind) {
  auto second = must(Queue::create(m_device)), third = must(Queue::create(m_device));
  auto a = event(), b = event(), c = event();
  Batch last = waitFor(b, 1), middle = waitFor(a, 1);
  last.signals.push_back({c, 1});
  middle.signals.push_back({b, 1});
  must(third->submit(std::move(last)));
  must(second->submit(std::move(middle)));
  EXPECT_FALSE(must(c->wait(1, 5'000'000)));
  must(a->signal(1));
  EXPECT_TRUE(must(c->wait(1, 10 * kSecondNs)));
}

TEST_F(SubmissionTest, CallbacksComeInOrderAndOnce) {
  std::vector<uint64_t> order;
  std::vector<uint64_t> serials;
  for (int i = 0; i < 50; ++i)
    serials.push_back(must(m_queue->submit({}, [&](const Completion& completion) {
      EXPECT_FALSE(completion.error);
      order.push_back(completion.serial);
    })));
  m_queue->waitIdle();
  EXPECT_EQ(order, serials);
}

TEST_F(SubmissionTest, ReleasedResourcesLiveUntilTheGpuIsDone) {
  auto semaphore = event();
  must(m_queue->submit(waitFor(semaphore, 1)));
  size_t before = m_device->deferredDelete().pendingCount();
  auto buffer = sharedBuffer(64);
  buffer = nullptr;
  EXPECT_EQ(m_device->deferredDelete().pendingCount(), before + 1) << "kept while a submission is in flight";
  must(semaphore->signal(1));
  m_queue->waitIdle();
  EXPECT_EQ(m_device->deferredDelete().pendingCount(), 0u);
  buffer = sharedBuffer(64);
  buffer = nullptr;
  EXPECT_EQ(m_device->deferredDelete().pendingCount(), 0u) << "nothing in flight, nothing to wait for";
}

TEST_F(SubmissionTest, ResourcesOfSubmittedWorkMayBeReleasedAtOnce) {
  auto result = sharedBuffer(1 << 16);
  for (int i = 0; i < 20; ++i) {
    auto pool = must(CommandPool::create(m_device));
    auto commands = CommandBuffer::create(m_device);
    auto scratch = must(Buffer::create(m_device, 1 << 16, MemoryKind::deviceLocal));
    must(commands->begin(pool));
    commands->fillBuffer(scratch->vkBuffer(), 0, 1 << 16, static_cast<uint8_t>(i + 1));
    commands->barrier(VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT);
    commands->copyBuffer(scratch->vkBuffer(), 0, result->vkBuffer(), 0, 1 << 16);
    commands->barrier(VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT);
    must(commands->end());
    Batch batch;
    commands->appendTo(batch.vkCommandBuffers);
    pool->noteSubmitted(must(m_queue->submit(std::move(batch))));
  }
  m_queue->waitIdle();
  EXPECT_EQ(static_cast<uint8_t*>(result->contents())[(1 << 16) - 1], 20);
}

TEST_F(SubmissionTest, APoolIsBusyUntilItsWorkIsDone) {
  auto pool = must(CommandPool::create(m_device));
  EXPECT_FALSE(pool->busy());
  auto semaphore = event();
  pool->noteSubmitted(must(m_queue->submit(waitFor(semaphore, 1))));
  EXPECT_TRUE(pool->busy());
  must(semaphore->signal(1));
  m_queue->waitIdle();
  EXPECT_FALSE(pool->busy());
}

TEST_F(SubmissionTest, TheLastReferenceMayGoInAHandler) {
  auto queue = must(Queue::create(m_device, "short-lived"));
  auto semaphore = event();
  std::promise<void> first, second;
  Batch held = waitFor(semaphore, 1);
  must(queue->submit(std::move(held), [owner = queue, &first](const Completion&) mutable {
    owner = nullptr;
    first.set_value();
  }));
  must(queue->submit({}, [&second](const Completion&) { second.set_value(); }));
  queue = nullptr; // the handler holds the only reference now
  must(semaphore->signal(1));
  EXPECT_EQ(first.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
  EXPECT_EQ(second.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
}

TEST_F(SubmissionTest, HeldWorkOfAQueueThatGoesAwayFailsWithASentence) {
  auto queue = must(Queue::create(m_device));
  auto never = event();
  std::string message;
  must(queue->submit(waitFor(never, 1), [&](const Completion& completion) {
    if (completion.error) message = completion.error->message;
  }));
  queue = nullptr;
  EXPECT_NE(message.find("event"), std::string::npos) << message;
}

TEST_F(SubmissionTest, ManyThreadsSubmit) {
  std::atomic<int> completed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      auto queue = must(Queue::create(m_device));
      auto pool = must(CommandPool::create(m_device));
      for (int i = 0; i < 10; ++i) {
        auto buffer =
            must(Buffer::create(m_device, 256, i % 2 ? MemoryKind::shared : MemoryKind::deviceLocal));
        auto commands = CommandBuffer::create(m_device);
        must(commands->begin(pool));
        commands->fillBuffer(buffer->vkBuffer(), 0, 256, 1);
        must(commands->end());
        Batch batch;
        commands->appendTo(batch.vkCommandBuffers);
        must(queue->submit(std::move(batch), [&](const Completion&) { ++completed; }));
      }
      queue->waitIdle();
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(completed, 40);
}

} // namespace
} // namespace basanite::vulkan::test
