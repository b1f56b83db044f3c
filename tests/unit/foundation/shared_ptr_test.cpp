// SPDX-License-Identifier: Apache-2.0
// NS::SharedPtr, TransferPtr, RetainPtr.
#include "tests/unit/foundation/probe.hpp"

#include <gtest/gtest.h>
#include <unordered_set>

TEST(SharedPtr, TransferTakesOverTheRetain) {
  const int before = Probe::alive();
  {
    NS::SharedPtr<NS::Object> object = NS::TransferPtr(Probe::make());
    EXPECT_EQ(object->retainCount(), 1u);
    EXPECT_TRUE(object);
  }
  EXPECT_EQ(Probe::alive(), before);
}

TEST(SharedPtr, RetainAddsOne) {
  NS::Object* raw = Probe::make();
  {
    NS::SharedPtr<NS::Object> object = NS::RetainPtr(raw);
    EXPECT_EQ(raw->retainCount(), 2u);
  }
  EXPECT_EQ(raw->retainCount(), 1u);
  raw->release();
}

TEST(SharedPtr, CopiesRetainAndMovesDoNot) {
  auto first = NS::TransferPtr(Probe::make());
  NS::SharedPtr<NS::Object> second = first;
  EXPECT_EQ(first->retainCount(), 2u);
  NS::SharedPtr<NS::Object> third = std::move(second);
  EXPECT_EQ(first->retainCount(), 2u);
  EXPECT_FALSE(second); // NOLINT: a moved-from SharedPtr is empty
  second = third;
  EXPECT_EQ(first->retainCount(), 3u);
  third = std::move(second);
  EXPECT_EQ(first->retainCount(), 2u);
  EXPECT_EQ(second.get(), nullptr); // NOLINT
}

TEST(SharedPtr, AssignmentReleasesTheOldObject) {
  std::vector<int> deaths;
  auto first = NS::TransferPtr(Probe::make(1, &deaths));
  first = NS::TransferPtr(Probe::make(2, &deaths));
  EXPECT_EQ(deaths, (std::vector<int>{1}));
  first = nullptr;
  EXPECT_EQ(deaths, (std::vector<int>{1, 2}));
}

TEST(SharedPtr, SelfAssignmentIsHarmless) {
  auto object = NS::TransferPtr(Probe::make());
  auto& alias = object;
  object = alias;
  EXPECT_EQ(object->retainCount(), 1u);
  object = std::move(alias);
  ASSERT_TRUE(object);
  EXPECT_EQ(object->retainCount(), 1u);
}

TEST(SharedPtr, ResetReleasesAndDetachDoesNot) {
  const int before = Probe::alive();
  auto object = NS::TransferPtr(Probe::make());
  object.reset();
  EXPECT_FALSE(object);
  EXPECT_EQ(Probe::alive(), before);

  NS::Object* raw = Probe::make();
  object = NS::TransferPtr(raw);
  object.detach();
  EXPECT_FALSE(object);
  EXPECT_EQ(raw->retainCount(), 1u);
  raw->release();
}

TEST(SharedPtr, ConvertsToABaseClass) {
  auto number = NS::TransferPtr(NS::Number::alloc()->init(7));
  NS::SharedPtr<NS::Value> value = number;
  EXPECT_EQ(number->retainCount(), 2u);
  NS::SharedPtr<NS::Object> object = std::move(value);
  EXPECT_FALSE(value); // NOLINT
  EXPECT_EQ(number->retainCount(), 2u);
  value = number;
  EXPECT_EQ(number->retainCount(), 3u);
}

TEST(SharedPtr, ComparesAndHashesByObject) {
  auto first = NS::TransferPtr(Probe::make());
  auto second = first;
  auto third = NS::TransferPtr(Probe::make());
  EXPECT_TRUE(first == second);
  EXPECT_TRUE(first != third);
  std::unordered_set<NS::SharedPtr<NS::Object>> set{first, second, third};
  EXPECT_EQ(set.size(), 2u);
}

TEST(SharedPtr, HoldsNothingByDefault) {
  NS::SharedPtr<NS::Object> none;
  NS::SharedPtr<NS::Object> null(nullptr);
  EXPECT_FALSE(none);
  EXPECT_TRUE(none == null);
  none.reset();
  EXPECT_FALSE(NS::RetainPtr<NS::Object>(nullptr));
}
