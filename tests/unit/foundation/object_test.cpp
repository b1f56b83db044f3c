// SPDX-License-Identifier: Apache-2.0
// Retain counts and what every object can do.
#include "tests/unit/foundation/probe.hpp"

#include <gtest/gtest.h>
#include <string>
#include <thread>

TEST(Object, IsBornWithOneRetain) {
  const int before = Probe::alive();
  NS::Object* object = Probe::make();
  EXPECT_EQ(object->retainCount(), 1u);
  EXPECT_EQ(object->retain(), object);
  EXPECT_EQ(object->retainCount(), 2u);
  object->release();
  EXPECT_EQ(object->retainCount(), 1u);
  EXPECT_EQ(Probe::alive(), before + 1);
  object->release();
  EXPECT_EQ(Probe::alive(), before);
}

TEST(Object, AllocAndInitKeepOneRetain) {
  NS::Array* allocated = NS::Array::alloc();
  EXPECT_EQ(allocated->retainCount(), 1u);
  NS::Array* array = allocated->init();
  EXPECT_EQ(array, allocated);
  EXPECT_EQ(array->retainCount(), 1u);
  array->release();
}

TEST(Object, CountsFromManyThreads) {
  const int before = Probe::alive();
  NS::Object* object = Probe::make();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([object] {
      for (int i = 0; i < 5000; ++i) {
        object->retain();
        object->release();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(object->retainCount(), 1u);
  object->release();
  EXPECT_EQ(Probe::alive(), before);
}

TEST(Object, DescribesItselfByClassAndAddress) {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  auto object = NS::TransferPtr(Probe::make());
  const std::string text = object->description()->utf8String();
  EXPECT_EQ(text.rfind("<Probe: 0x", 0), 0u) << text;
  EXPECT_EQ(text, object->debugDescription()->utf8String());
}

TEST(Object, EqualsItselfOnlyUnlessTheClassSaysMore) {
  auto one = NS::TransferPtr(Probe::make());
  auto two = NS::TransferPtr(Probe::make());
  EXPECT_TRUE(one->isEqual(one.get()));
  EXPECT_FALSE(one->isEqual(two.get()));
  EXPECT_FALSE(one->isEqual(nullptr));
  EXPECT_EQ(one->hash(), one->hash());
}

TEST(Object, CopyOfAnImmutableObjectIsTheObject) {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  NS::String* string = NS::String::string("text", NS::UTF8StringEncoding);
  NS::String* copy = string->copy();
  EXPECT_EQ(copy, string);
  EXPECT_EQ(string->retainCount(), 2u);
  copy->release();
}

TEST(Object, CopyOfAnObjectWithoutCopyingIsNull) {
  auto object = NS::TransferPtr(Probe::make());
  EXPECT_EQ(basanite_copy(object.get()), nullptr);
  EXPECT_EQ(object->retainCount(), 1u);
}
