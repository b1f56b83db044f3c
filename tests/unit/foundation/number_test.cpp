// SPDX-License-Identifier: Apache-2.0
// NS::Number and NS::Value.
#include <Foundation/Foundation.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace {

class Number : public testing::Test {
 protected:
  ~Number() override { m_pool->release(); }

 private:
  NS::AutoreleasePool* m_pool = NS::AutoreleasePool::alloc()->init();
};

TEST_F(Number, KeepsEveryType) {
  EXPECT_TRUE(NS::Number::number(true)->boolValue());
  EXPECT_EQ(NS::Number::number('c')->charValue(), 'c');
  EXPECT_EQ(NS::Number::number(static_cast<unsigned char>(200))->unsignedCharValue(), 200);
  EXPECT_EQ(NS::Number::number(static_cast<short>(-3))->shortValue(), -3);
  EXPECT_EQ(NS::Number::number(static_cast<unsigned short>(65535))->unsignedShortValue(), 65535);
  EXPECT_EQ(NS::Number::number(-7)->intValue(), -7);
  EXPECT_EQ(NS::Number::number(4000000000u)->unsignedIntValue(), 4000000000u);
  EXPECT_EQ(NS::Number::number(-7l)->longValue(), -7);
  EXPECT_EQ(NS::Number::number(std::numeric_limits<unsigned long>::max())->unsignedLongValue(),
            std::numeric_limits<unsigned long>::max());
  EXPECT_EQ(NS::Number::number(-7ll)->longLongValue(), -7);
  EXPECT_EQ(NS::Number::number(7ull)->unsignedLongLongValue(), 7u);
  EXPECT_EQ(NS::Number::number(1.5f)->floatValue(), 1.5f);
  EXPECT_EQ(NS::Number::number(2.25)->doubleValue(), 2.25);
  EXPECT_EQ(NS::Number::number(2.75)->integerValue(), 2);
  EXPECT_EQ(NS::Number::number(3)->unsignedIntegerValue(), 3u);
  auto owned = NS::TransferPtr(NS::Number::alloc()->init(5));
  EXPECT_EQ(owned->intValue(), 5);
}

TEST_F(Number, ClampsWhatAnIntegerCannotHold) {
  EXPECT_EQ(NS::Number::number(1e30)->intValue(), std::numeric_limits<int>::max());
  EXPECT_EQ(NS::Number::number(-1e30)->longValue(), std::numeric_limits<long>::min());
  EXPECT_EQ(NS::Number::number(-1.0)->unsignedIntValue(), 0u);
  EXPECT_EQ(NS::Number::number(std::numeric_limits<double>::quiet_NaN())->intValue(), 0);
}

TEST_F(Number, ComparesAcrossTypes) {
  EXPECT_TRUE(NS::Number::number(1)->isEqualToNumber(NS::Number::number(1.0)));
  EXPECT_TRUE(NS::Number::number(1)->isEqual(NS::Number::number(true)));
  EXPECT_EQ(NS::Number::number(1)->hash(), NS::Number::number(1.0)->hash());
  EXPECT_EQ(NS::Number::number(-1)->compare(NS::Number::number(std::numeric_limits<unsigned long>::max())),
            NS::OrderedAscending);
  EXPECT_EQ(NS::Number::number(std::numeric_limits<unsigned long>::max())->compare(NS::Number::number(-1)),
            NS::OrderedDescending);
  // Both round to the same double.
  EXPECT_EQ(NS::Number::number(9007199254740993l)->compare(NS::Number::number(9007199254740992l)),
            NS::OrderedDescending);
  EXPECT_EQ(NS::Number::number(2.5)->compare(NS::Number::number(2)), NS::OrderedDescending);
}

TEST_F(Number, ReadsAsText) {
  EXPECT_STREQ(NS::Number::number(-12)->stringValue()->utf8String(), "-12");
  EXPECT_STREQ(NS::Number::number(0.5)->description()->utf8String(), "0.5");
  EXPECT_STREQ(NS::Number::number(true)->stringValue()->utf8String(), "1");
}

TEST_F(Number, IsAValue) {
  NS::Number* number = NS::Number::number(42);
  EXPECT_STREQ(number->objCType(), "i");
  int stored = 0;
  number->getValue(&stored, sizeof(stored));
  EXPECT_EQ(stored, 42);
}

TEST_F(Number, ValueHoldsStructs) {
  const NS::Range range = NS::Range::Make(3, 4);
  NS::Value* value = NS::Value::value(&range, "{_NSRange=QQ}");
  NS::Range read = NS::Range::Make(0, 0);
  value->getValue(&read, sizeof(read));
  EXPECT_TRUE(read.Equal(range));
  EXPECT_STREQ(value->objCType(), "{_NSRange=QQ}");
  EXPECT_TRUE(value->isEqualToValue(NS::Value::value(&range, "{_NSRange=QQ}")));
  testing::internal::CaptureStderr();
  value->getValue(&read, 1);
  EXPECT_EQ(NS::Value::value(&range, "{nonsense"), nullptr);
  const std::string messages = testing::internal::GetCapturedStderr();
  EXPECT_NE(messages.find("holds 16 bytes, 1 were asked for"), std::string::npos) << messages;
  EXPECT_NE(messages.find("\"{nonsense\""), std::string::npos) << messages;
}

TEST_F(Number, ValueHoldsPointers) {
  int target = 0;
  EXPECT_EQ(NS::Value::value(&target)->pointerValue(), &target);
  EXPECT_STREQ(NS::Value::value(&target)->objCType(), "^v");
}

} // namespace
