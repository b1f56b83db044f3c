// SPDX-License-Identifier: Apache-2.0
// Messages to null: no-ops and zero values, as in Objective-C.
#include "src/foundation/object.hpp"

#include <Foundation/Foundation.hpp>
#include <gtest/gtest.h>

namespace {
// Behind volatile, so that no compiler can see that it is null.
template <class T> T* nil() {
  static T* volatile null = nullptr;
  return null;
}
} // namespace

TEST(Nil, CountingDoesNothing) {
  NS::Object* object = nil<NS::Object>();
  EXPECT_EQ(object->retain(), nullptr);
  EXPECT_EQ(object->autorelease(), nullptr);
  EXPECT_EQ(object->retainCount(), 0u);
  object->release();
  EXPECT_EQ(nil<NS::String>()->copy(), nullptr);
  nil<NS::AutoreleasePool>()->drain();
  nil<NS::AutoreleasePool>()->addObject(nullptr);
}

TEST(Nil, MethodsGiveZero) {
  EXPECT_EQ(nil<NS::Object>()->description(), nullptr);
  EXPECT_EQ(nil<NS::Object>()->hash(), 0u);
  EXPECT_FALSE(nil<NS::Object>()->isEqual(nullptr));
  EXPECT_EQ(nil<NS::String>()->length(), 0u);
  EXPECT_EQ(nil<NS::String>()->utf8String(), nullptr);
  EXPECT_EQ(nil<NS::String>()->cString(NS::ASCIIStringEncoding), nullptr);
  EXPECT_FALSE(nil<NS::String>()->isEqualToString(MTLSTR("x")));
  EXPECT_EQ(nil<NS::String>()->stringByAppendingString(MTLSTR("x")), nullptr);
  EXPECT_EQ(nil<NS::String>()->init(), nullptr);
  EXPECT_EQ(nil<NS::Array>()->count(), 0u);
  EXPECT_EQ(nil<NS::Array>()->object(0), nullptr);
  EXPECT_EQ(nil<NS::Array>()->objectEnumerator(), nullptr);
  EXPECT_EQ(nil<NS::Dictionary>()->object(MTLSTR("x")), nullptr);
  EXPECT_EQ(nil<NS::Dictionary>()->count(), 0u);
  EXPECT_EQ(nil<NS::Set>()->count(), 0u);
  EXPECT_EQ(nil<NS::Enumerator<NS::Object>>()->nextObject(), nullptr);
  EXPECT_EQ(nil<NS::Data>()->bytes(), nullptr);
  EXPECT_EQ(nil<NS::Data>()->length(), 0u);
  EXPECT_EQ(nil<NS::Number>()->intValue(), 0);
  EXPECT_EQ(nil<NS::Number>()->stringValue(), nullptr);
  EXPECT_EQ(nil<NS::Value>()->pointerValue(), nullptr);
  EXPECT_EQ(nil<NS::Error>()->code(), 0);
  EXPECT_EQ(nil<NS::Error>()->localizedDescription(), nullptr);
  EXPECT_EQ(nil<NS::URL>()->fileSystemRepresentation(), nullptr);
  EXPECT_EQ(nil<NS::Bundle>()->bundlePath(), nullptr);
  EXPECT_FALSE(nil<NS::Condition>()->waitUntilDate(nullptr));
}
