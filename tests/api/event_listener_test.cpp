// SPDX-License-Identifier: Apache-2.0
// Shared events: listeners, handles and the queue of commit feedback; captures, which there are none of.
#include "tests/support/metal_fixture.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace basanite::tests {
namespace {

// What handlers on other threads have seen.
class Calls {
 public:
  void add(uint64_t value) {
    std::lock_guard lock(m_mutex);
    m_values.push_back(value);
    m_changed.notify_all();
  }
  // Waits for so many, ten seconds at most.
  std::vector<uint64_t> wait(size_t count) {
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, std::chrono::seconds(10), [&] { return m_values.size() >= count; });
    return m_values;
  }
  size_t size() {
    std::lock_guard lock(m_mutex);
    return m_values.size();
  }

 private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::vector<uint64_t> m_values;
};

class EventListeners : public MetalFixture {
 protected:
  NS::SharedPtr<MTL::SharedEventListener> listener() {
    return NS::TransferPtr(MTL::SharedEventListener::alloc()->init());
  }
};

TEST_F(EventListeners, AreCalledWhenTheirValueIsReached) {
  auto event = NS::TransferPtr(m_device->newSharedEvent());
  auto here = listener();
  Calls calls;
  for (uint64_t value : {3, 1, 2})
    event->notifyListener(here.get(), value, [&](MTL::SharedEvent* whose, uint64_t reached) {
      EXPECT_EQ(whose, event.get());
      EXPECT_GE(whose->signaledValue(), reached);
      calls.add(reached);
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(calls.size(), 0u);
  event->setSignaledValue(1);
  EXPECT_EQ(calls.wait(1), (std::vector<uint64_t>{1}));
  event->setSignaledValue(3);
  auto all = calls.wait(3);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (std::vector<uint64_t>{1, 2, 3}));
  event->notifyListener(here.get(), 2, [&](MTL::SharedEvent*, uint64_t reached) { calls.add(reached); });
  EXPECT_EQ(calls.wait(4).size(), 4u) << "reached already";
}

TEST_F(EventListeners, AreCalledForSignalsOfTheGpu) {
  auto event = NS::TransferPtr(m_device->newSharedEvent());
  Calls calls;
  event->notifyListener(MTL::SharedEventListener::sharedListener(), 5,
                        [&](MTL::SharedEvent*, uint64_t reached) { calls.add(reached); });
  runCommands([](MTL4::CommandBuffer*) {});
  m_queue->signalEvent(event.get(), 5);
  EXPECT_EQ(calls.wait(1), (std::vector<uint64_t>{5}));
}

TEST_F(EventListeners, KeepTheirEventUntilTheyAreCalled) {
  auto event = NS::TransferPtr(m_device->newSharedEvent());
  auto handle = NS::TransferPtr(event->newSharedEventHandle());
  Calls calls;
  event->notifyListener(listener().get(), 1, [&](MTL::SharedEvent* whose, uint64_t reached) {
    calls.add(whose->signaledValue() + reached);
  });
  event.reset();
  auto again = NS::TransferPtr(m_device->newSharedEvent(handle.get()));
  ASSERT_TRUE(again);
  again->setSignaledValue(7);
  EXPECT_EQ(calls.wait(1), (std::vector<uint64_t>{8}));
}

TEST_F(EventListeners, OfOneQueueAreCalledOneAfterTheOther) {
  auto first = listener();
  ASSERT_TRUE(first->dispatchQueue());
  auto second = NS::TransferPtr(MTL::SharedEventListener::alloc()->init(first->dispatchQueue()));
  EXPECT_EQ(second->dispatchQueue(), first->dispatchQueue());
  EXPECT_NE(listener()->dispatchQueue(), first->dispatchQueue());
  auto event = NS::TransferPtr(m_device->newSharedEvent());
  Calls calls;
  std::atomic<int> inside{0};
  for (uint64_t value = 1; value <= 20; ++value)
    event->notifyListener(value % 2 ? first.get() : second.get(), value,
                          [&](MTL::SharedEvent*, uint64_t reached) {
                            EXPECT_EQ(++inside, 1);
                            std::this_thread::sleep_for(std::chrono::milliseconds(1));
                            --inside;
                            calls.add(reached);
                          });
  event->setSignaledValue(20);
  EXPECT_EQ(calls.wait(20).size(), 20u);
}

TEST_F(EventListeners, OfManyEventsAreAllCalled) {
  constexpr uint64_t kEvents = 40;
  std::vector<NS::SharedPtr<MTL::SharedEvent>> events;
  auto here = listener();
  Calls calls;
  for (uint64_t i = 0; i < kEvents; ++i) {
    events.push_back(NS::TransferPtr(m_device->newSharedEvent()));
    events[i]->notifyListener(here.get(), 1, [&calls, i](MTL::SharedEvent*, uint64_t) { calls.add(i); });
  }
  std::thread other([&] {
    for (uint64_t i = 0; i < kEvents; i += 2) events[i]->setSignaledValue(1);
  });
  for (uint64_t i = 1; i < kEvents; i += 2) events[i]->setSignaledValue(2);
  other.join();
  auto seen = calls.wait(kEvents);
  std::sort(seen.begin(), seen.end());
  ASSERT_EQ(seen.size(), kEvents);
  for (uint64_t i = 0; i < kEvents; ++i) EXPECT_EQ(seen[i], i);
}

TEST_F(EventListeners, HandlesLeadToTheSameEvent) {
  auto event = NS::TransferPtr(m_device->newSharedEvent());
  event->setLabel(NS::String::string("frames", NS::UTF8StringEncoding));
  auto handle = NS::TransferPtr(event->newSharedEventHandle());
  ASSERT_TRUE(handle);
  EXPECT_STREQ(handle->label()->utf8String(), "frames");
  auto again = NS::TransferPtr(m_device->newSharedEvent(handle.get()));
  ASSERT_TRUE(again);
  EXPECT_STREQ(again->label()->utf8String(), "frames");
  event->setSignaledValue(4);
  EXPECT_EQ(again->signaledValue(), 4u);
  EXPECT_TRUE(again->waitUntilSignaledValue(4, 0));
}

TEST_F(EventListeners, MisuseIsNamed) {
  auto event = NS::TransferPtr(m_device->newSharedEvent());
  auto said = [](auto call) {
    testing::internal::CaptureStderr();
    call();
    return testing::internal::GetCapturedStderr();
  };
  std::string text = said([&] { event->notifyListener(nullptr, 1, [](MTL::SharedEvent*, uint64_t) {}); });
  EXPECT_NE(text.find("listener is null"), std::string::npos) << text;
  text = said([&] { event->notifyListener(listener().get(), 1, MTL::SharedEventNotificationFunction()); });
  EXPECT_NE(text.find("function is null"), std::string::npos) << text;
  auto empty = NS::TransferPtr(MTL::SharedEventHandle::alloc()->init());
  text = said([&] { EXPECT_FALSE(NS::TransferPtr(m_device->newSharedEvent(empty.get()))); });
  EXPECT_NE(text.find("handle is null or of no event"), std::string::npos) << text;
  int nothing = 0;
  text = said([&] {
    auto strange = NS::TransferPtr(
        MTL::SharedEventListener::alloc()->init(reinterpret_cast<dispatch_queue_t>(&nothing)));
    EXPECT_TRUE(strange->dispatchQueue());
  });
  EXPECT_NE(text.find("linked with no libdispatch"), std::string::npos) << text;
}

TEST_F(EventListeners, FeedbackComesOnItsQueue) {
  auto here = listener();
  auto descriptor = NS::TransferPtr(MTL4::CommandQueueDescriptor::alloc()->init());
  EXPECT_FALSE(descriptor->feedbackQueue());
  descriptor->setFeedbackQueue(here->dispatchQueue());
  EXPECT_EQ(descriptor->feedbackQueue(), here->dispatchQueue());
  NS::Error* error = nullptr;
  auto queue = NS::TransferPtr(m_device->newMTL4CommandQueue(descriptor.get(), &error));
  ASSERT_TRUE(queue) << text(error);
  Calls calls;
  std::atomic<bool> busy{false};
  // The listener's queue is held up: feedback waits behind it.
  std::mutex gate;
  gate.lock();
  auto event = NS::TransferPtr(m_device->newSharedEvent());
  event->notifyListener(here.get(), 0, [&](MTL::SharedEvent*, uint64_t) {
    busy = true;
    gate.lock();
    gate.unlock();
    calls.add(1);
  });
  for (int i = 0; i < 1000 && !busy; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  m_commands->beginCommandBuffer(m_allocator.get());
  m_commands->endCommandBuffer();
  auto options = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
  options->addFeedbackHandler([&](MTL4::CommitFeedback* feedback) {
    EXPECT_FALSE(feedback->error());
    calls.add(2);
  });
  MTL4::CommandBuffer* buffers[] = {m_commands.get()};
  queue->commit(buffers, 1, options.get());
  queue->signalEvent(m_event.get(), ++m_eventValue);
  EXPECT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 10000));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(calls.size(), 0u);
  gate.unlock();
  EXPECT_EQ(calls.wait(2), (std::vector<uint64_t>{1, 2}));
}

TEST_F(EventListeners, CapturesSayThatThereAreNone) {
  auto* manager = MTL::CaptureManager::sharedCaptureManager();
  ASSERT_TRUE(manager);
  EXPECT_FALSE(manager->supportsDestination(MTL::CaptureDestinationGPUTraceDocument));
  EXPECT_FALSE(manager->supportsDestination(MTL::CaptureDestinationDeveloperTools));
  auto descriptor = NS::TransferPtr(MTL::CaptureDescriptor::alloc()->init());
  descriptor->setDestination(MTL::CaptureDestinationGPUTraceDocument);
  descriptor->setCaptureObject(reinterpret_cast<NS::Object*>(m_device.get()));
  EXPECT_EQ(descriptor->captureObject(), reinterpret_cast<NS::Object*>(m_device.get()));
  NS::Error* error = nullptr;
  EXPECT_FALSE(manager->startCapture(descriptor.get(), &error));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), MTL::CaptureErrorNotSupported);
  EXPECT_NE(text(error).find("makes no GPU captures"), std::string::npos) << text(error);
  EXPECT_FALSE(manager->isCapturing());
  manager->stopCapture();
  testing::internal::CaptureStderr();
  manager->startCapture(m_device.get());
  EXPECT_NE(testing::internal::GetCapturedStderr().find("makes no GPU captures"), std::string::npos);

  auto scope = NS::TransferPtr(manager->newCaptureScope(m_queue.get()));
  ASSERT_TRUE(scope);
  EXPECT_EQ(scope->device(), m_device.get());
  scope->setLabel(NS::String::string("frame", NS::UTF8StringEncoding));
  EXPECT_STREQ(scope->label()->utf8String(), "frame");
  scope->beginScope();
  scope->endScope();
  manager->setDefaultCaptureScope(scope.get());
  EXPECT_EQ(manager->defaultCaptureScope(), scope.get());
  manager->setDefaultCaptureScope(nullptr);
  EXPECT_FALSE(manager->defaultCaptureScope());
}

} // namespace
} // namespace basanite::tests
