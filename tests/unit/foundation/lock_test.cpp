// SPDX-License-Identifier: Apache-2.0
// NS::Condition.
#include <Foundation/Foundation.hpp>
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

TEST(Condition, WakesAWaiter) {
  auto condition = NS::TransferPtr(NS::Condition::alloc()->init());
  bool ready = false;
  std::thread waiter([&] {
    condition->lock();
    while (!ready) condition->wait();
    condition->unlock();
  });
  condition->lock();
  ready = true;
  condition->broadcast();
  condition->unlock();
  waiter.join();
  EXPECT_TRUE(ready);
}

TEST(Condition, GivesUpAtTheLimit) {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  auto condition = NS::TransferPtr(NS::Condition::alloc()->init());
  condition->lock();
  EXPECT_FALSE(condition->waitUntilDate(NS::Date::dateWithTimeIntervalSinceNow(0.01)));
  condition->unlock();
}

TEST(Condition, SignalEndsATimedWait) {
  auto condition = NS::TransferPtr(NS::Condition::alloc()->init());
  std::atomic<bool> done{false};
  std::thread waiter([&] {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    NS::Date* limit = NS::Date::dateWithTimeIntervalSinceNow(60.0);
    condition->lock();
    const bool signalled = condition->waitUntilDate(limit);
    condition->unlock();
    EXPECT_TRUE(signalled);
    done = true;
  });
  while (!done) {
    condition->signal();
    std::this_thread::yield();
  }
  waiter.join();
}
