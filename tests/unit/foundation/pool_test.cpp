// SPDX-License-Identifier: Apache-2.0
// Autorelease pools: nesting, order, threads, and life without one.
#include "src/foundation/autorelease_pool.hpp"
#include "tests/unit/foundation/probe.hpp"

#include <gtest/gtest.h>
#include <thread>

namespace {
NS::AutoreleasePool* newPool() { return NS::AutoreleasePool::alloc()->init(); }

bool threadHasAPool() {
  auto* object = new Probe;
  const bool taken = basanite::foundation::AutoreleasePool::addToInnermost(object);
  if (!taken) object->release();
  return taken;
}
} // namespace

TEST(AutoreleasePool, ReleasesWhenItEnds) {
  const int before = Probe::alive();
  NS::AutoreleasePool* pool = newPool();
  NS::Object* object = Probe::make();
  EXPECT_EQ(object->autorelease(), object);
  EXPECT_EQ(object->retainCount(), 1u);
  EXPECT_EQ(Probe::alive(), before + 1);
  pool->release();
  EXPECT_EQ(Probe::alive(), before);
}

TEST(AutoreleasePool, DrainEndsItToo) {
  const int before = Probe::alive();
  NS::AutoreleasePool* pool = newPool();
  Probe::make()->autorelease();
  pool->drain();
  EXPECT_EQ(Probe::alive(), before);
  EXPECT_FALSE(threadHasAPool());
}

TEST(AutoreleasePool, ReleasesTheLastAddedFirst) {
  std::vector<int> deaths;
  NS::AutoreleasePool* pool = newPool();
  for (int id = 1; id <= 3; ++id) Probe::make(id, &deaths)->autorelease();
  pool->release();
  EXPECT_EQ(deaths, (std::vector<int>{3, 2, 1}));
}

TEST(AutoreleasePool, InnermostPoolTakesTheObject) {
  std::vector<int> deaths;
  NS::AutoreleasePool* outer = newPool();
  Probe::make(1, &deaths)->autorelease();
  NS::AutoreleasePool* inner = newPool();
  Probe::make(2, &deaths)->autorelease();
  inner->release();
  EXPECT_EQ(deaths, (std::vector<int>{2}));
  Probe::make(3, &deaths)->autorelease();
  EXPECT_EQ(deaths.size(), 1u);
  outer->release();
  EXPECT_EQ(deaths, (std::vector<int>{2, 3, 1}));
}

TEST(AutoreleasePool, EndingTheOuterOneEndsTheInnerOnes) {
  std::vector<int> deaths;
  NS::AutoreleasePool* outer = newPool();
  Probe::make(1, &deaths)->autorelease();
  NS::AutoreleasePool* inner = newPool();
  Probe::make(2, &deaths)->autorelease();
  outer->release();
  EXPECT_EQ(deaths, (std::vector<int>{2, 1}));
  inner->release();
  EXPECT_FALSE(threadHasAPool());
}

TEST(AutoreleasePool, AddObjectGoesIntoThatPool) {
  std::vector<int> deaths;
  NS::AutoreleasePool* outer = newPool();
  NS::AutoreleasePool* inner = newPool();
  outer->addObject(Probe::make(1, &deaths));
  inner->release();
  EXPECT_TRUE(deaths.empty());
  outer->release();
  EXPECT_EQ(deaths, (std::vector<int>{1}));
}

TEST(AutoreleasePool, AnObjectAddedTwiceIsReleasedTwice) {
  const int before = Probe::alive();
  NS::AutoreleasePool* pool = newPool();
  NS::Object* object = Probe::make()->retain();
  object->autorelease();
  object->autorelease();
  pool->release();
  EXPECT_EQ(Probe::alive(), before);
}

// An object whose destructor autoreleases another one.
class Chained final : public basanite::foundation::Object {
 public:
  const char* className() const override { return "Chained"; }

 private:
  ~Chained() override { Probe::make()->autorelease(); }
};

TEST(AutoreleasePool, TakesWhatDestructorsAddWhileItDrains) {
  const int before = Probe::alive();
  NS::AutoreleasePool* pool = newPool();
  (new Chained)->autorelease();
  pool->release();
  EXPECT_EQ(Probe::alive(), before);
}

TEST(AutoreleasePool, WithoutAPoolAnObjectStaysAliveWhateverIsReleased) {
  const int before = Probe::alive();
  NS::Object* object = Probe::make();
  object->autorelease();
  for (int i = 0; i < 3; ++i) object->release();
  EXPECT_EQ(Probe::alive(), before + 1);
  EXPECT_EQ(object->retainCount(), 1u);
  EXPECT_EQ(std::string(reinterpret_cast<Probe*>(object)->className()), "Probe");
  --Probe::alive();
}

TEST(AutoreleasePool, BelongsToItsThread) {
  NS::AutoreleasePool* pool = newPool();
  const int before = Probe::alive();
  int afterThread = -1;
  std::thread([&] {
    EXPECT_FALSE(threadHasAPool());
    NS::AutoreleasePool* own = newPool();
    Probe::make()->autorelease();
    own->release();
    afterThread = Probe::alive();
  }).join();
  EXPECT_EQ(afterThread, before);
  pool->release();
}

TEST(AutoreleasePool, AThreadThatEndsDrainsWhatItLeft) {
  const int before = Probe::alive();
  NS::AutoreleasePool* left = nullptr;
  std::thread([&] {
    left = newPool();
    Probe::make()->autorelease();
  }).join();
  EXPECT_EQ(Probe::alive(), before);
  left->release();
}

TEST(AutoreleasePool, ReleasedOnAnotherThreadLeavesItsObjectsToItsOwn) {
  const int before = Probe::alive();
  NS::AutoreleasePool* outer = newPool();
  NS::AutoreleasePool* pool = newPool();
  Probe::make()->autorelease();
  testing::internal::CaptureStderr();
  std::thread([&] { pool->release(); }).join();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("drained on another thread"), std::string::npos);
  EXPECT_EQ(Probe::alive(), before + 1);
  Probe::make()->autorelease();
  outer->release();
  EXPECT_EQ(Probe::alive(), before);
  EXPECT_FALSE(threadHasAPool());
}

TEST(AutoreleasePool, ShowPoolsListsPoolsAndObjects) {
  NS::AutoreleasePool* pool = newPool();
  Probe::make()->autorelease();
  testing::internal::CaptureStderr();
  NS::AutoreleasePool::showPools();
  const std::string shown = testing::internal::GetCapturedStderr();
  EXPECT_NE(shown.find("1 objects"), std::string::npos) << shown;
  EXPECT_NE(shown.find("Probe, retain count 1"), std::string::npos) << shown;
  pool->release();
}

TEST(AutoreleaseScope, DrainsAtItsEnd) {
  const int before = Probe::alive();
  {
    basanite::foundation::AutoreleaseScope scope;
    Probe::make()->autorelease();
    EXPECT_EQ(Probe::alive(), before + 1);
  }
  EXPECT_EQ(Probe::alive(), before);
}
