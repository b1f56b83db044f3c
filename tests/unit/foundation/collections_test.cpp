// SPDX-License-Identifier: Apache-2.0
// NS::Array, NS::Dictionary, NS::Set, NS::Enumerator, NS::Data.
#include "tests/unit/foundation/probe.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace {

class Collections : public testing::Test {
 protected:
  ~Collections() override { m_pool->release(); }

  static NS::String* utf8(const char* text) { return NS::String::string(text, NS::UTF8StringEncoding); }

 private:
  NS::AutoreleasePool* m_pool = NS::AutoreleasePool::alloc()->init();
};

TEST_F(Collections, ArrayKeepsOrderAndRetains) {
  auto probe = NS::TransferPtr(Probe::make());
  const NS::Object* objects[] = {probe.get(), utf8("two"), probe.get()};
  NS::Array* array = NS::Array::alloc()->init(objects, 3);
  EXPECT_EQ(array->count(), 3u);
  EXPECT_EQ(probe->retainCount(), 3u);
  EXPECT_EQ(array->object(0), probe.get());
  EXPECT_STREQ(array->object<NS::String>(1)->utf8String(), "two");
  array->release();
  EXPECT_EQ(probe->retainCount(), 1u);
}

TEST_F(Collections, ArrayMakers) {
  EXPECT_EQ(NS::Array::array()->count(), 0u);
  EXPECT_EQ(NS::Array::array(utf8("x"))->count(), 1u);
  const NS::Object* objects[] = {utf8("a"), utf8("b")};
  EXPECT_EQ(NS::Array::array(objects, 2)->object<NS::String>(1)->character(0), u'b');
}

TEST_F(Collections, ArrayRefusesNullAndBadIndices) {
  const NS::Object* objects[] = {utf8("a"), nullptr};
  testing::internal::CaptureStderr();
  EXPECT_EQ(NS::Array::array(objects, 2), nullptr);
  EXPECT_EQ(NS::Array::array(nullptr, 2), nullptr);
  EXPECT_EQ(NS::Array::array()->object(5), nullptr);
  const std::string messages = testing::internal::GetCapturedStderr();
  EXPECT_NE(messages.find("object 1 of 2 is null"), std::string::npos) << messages;
  EXPECT_NE(messages.find("no object 5: its count is 0"), std::string::npos) << messages;
}

TEST_F(Collections, ArraysCompareByElements) {
  const NS::Object* one[] = {utf8("a"), NS::Number::number(1)};
  const NS::Object* two[] = {utf8("a"), NS::Number::number(1.0)};
  const NS::Object* three[] = {utf8("a")};
  EXPECT_TRUE(NS::Array::array(one, 2)->isEqual(NS::Array::array(two, 2)));
  EXPECT_EQ(NS::Array::array(one, 2)->hash(), NS::Array::array(two, 2)->hash());
  EXPECT_FALSE(NS::Array::array(one, 2)->isEqual(NS::Array::array(three, 1)));
  EXPECT_STREQ(NS::Array::array(one, 2)->description()->utf8String(), "(a, 1)");
}

TEST_F(Collections, EnumeratorWalksOnce) {
  const NS::Object* objects[] = {utf8("a"), utf8("b"), utf8("c")};
  NS::Enumerator<NS::Object>* enumerator = NS::Array::array(objects, 3)->objectEnumerator();
  EXPECT_EQ(enumerator->nextObject(), objects[0]);
  NS::Array* rest = enumerator->allObjects();
  EXPECT_EQ(rest->count(), 2u);
  EXPECT_EQ(rest->object(1), objects[2]);
  EXPECT_EQ(enumerator->nextObject(), nullptr);
}

TEST_F(Collections, FastEnumerationFillsTheBuffer) {
  const NS::Object* objects[] = {utf8("a"), utf8("b"), utf8("c")};
  NS::FastEnumeration* enumeration = NS::Array::array(objects, 3)->objectEnumerator();
  NS::FastEnumerationState state{};
  NS::Object* buffer[2];
  EXPECT_EQ(enumeration->countByEnumerating(&state, buffer, 2), 2u);
  EXPECT_EQ(state.itemsPtr[1], objects[1]);
  EXPECT_EQ(enumeration->countByEnumerating(&state, buffer, 2), 1u);
  EXPECT_EQ(buffer[0], objects[2]);
  EXPECT_EQ(enumeration->countByEnumerating(&state, buffer, 2), 0u);
}

TEST_F(Collections, DictionaryFindsByEqualKeys) {
  const NS::Object* values[] = {utf8("one"), utf8("two")};
  const NS::Object* keys[] = {utf8("1"), NS::Number::number(2)};
  NS::Dictionary* dictionary = NS::Dictionary::dictionary(values, keys, 2);
  EXPECT_EQ(dictionary->count(), 2u);
  EXPECT_EQ(dictionary->object(utf8("1")), values[0]);
  EXPECT_STREQ(dictionary->object<NS::String>(NS::Number::number(2.0))->utf8String(), "two");
  EXPECT_EQ(dictionary->object(utf8("2")), nullptr);
  EXPECT_EQ(dictionary->object(nullptr), nullptr);
  EXPECT_STREQ(dictionary->description()->utf8String(), "{1 = one; 2 = two}");
}

TEST_F(Collections, DictionaryKeepsTheFirstOfEqualKeysAndItsElementsAlive) {
  auto probe = NS::TransferPtr(Probe::make());
  const NS::Object* values[] = {probe.get(), utf8("second")};
  const NS::Object* keys[] = {utf8("key"), utf8("key")};
  NS::Dictionary* dictionary = NS::Dictionary::alloc()->init(values, keys, 2);
  EXPECT_EQ(dictionary->count(), 1u);
  EXPECT_EQ(dictionary->object(utf8("key")), probe.get());
  EXPECT_EQ(probe->retainCount(), 2u);
  dictionary->release();
  EXPECT_EQ(probe->retainCount(), 1u);
}

TEST_F(Collections, DictionaryEnumeratesKeysAndCompares) {
  NS::Dictionary* dictionary = NS::Dictionary::dictionary(utf8("v"), utf8("k"));
  NS::Enumerator<NS::String>* keys = dictionary->keyEnumerator<NS::String>();
  EXPECT_STREQ(keys->nextObject()->utf8String(), "k");
  EXPECT_EQ(keys->nextObject(), nullptr);
  EXPECT_TRUE(dictionary->isEqual(NS::Dictionary::dictionary(utf8("v"), utf8("k"))));
  EXPECT_FALSE(dictionary->isEqual(NS::Dictionary::dictionary(utf8("w"), utf8("k"))));
  EXPECT_FALSE(dictionary->isEqual(NS::Dictionary::dictionary()));
  testing::internal::CaptureStderr();
  EXPECT_EQ(NS::Dictionary::dictionary(nullptr, utf8("k")), nullptr);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("NSDictionary cannot hold null"), std::string::npos);
}

TEST_F(Collections, SetHoldsEachOnce) {
  const NS::Object* objects[] = {utf8("a"), utf8("b"), utf8("a")};
  auto set = NS::TransferPtr(NS::Set::alloc()->init(objects, 3));
  EXPECT_EQ(set->count(), 2u);
  EXPECT_EQ(set->objectEnumerator()->allObjects()->count(), 2u);
  EXPECT_STREQ(set->description()->utf8String(), "{(a, b)}");
  auto same = NS::TransferPtr(NS::Set::alloc()->init(objects, 2));
  EXPECT_TRUE(set->isEqual(same.get()));
  EXPECT_EQ(NS::TransferPtr(NS::Set::alloc()->init())->count(), 0u);
}

TEST_F(Collections, DataHoldsACopyOfTheBytes) {
  char bytes[] = {1, 2, 3};
  auto data = NS::TransferPtr(basanite::foundation::makeData(bytes, sizeof(bytes)));
  bytes[0] = 9;
  ASSERT_EQ(data->length(), 3u);
  EXPECT_EQ(static_cast<const char*>(data->bytes())[0], 1);
  EXPECT_STREQ(data->description()->utf8String(), "{length = 3, bytes = 0x010203}");
  auto same = NS::TransferPtr(basanite::foundation::adoptData({std::byte(1), std::byte(2), std::byte(3)}));
  EXPECT_TRUE(data->isEqual(same.get()));
  EXPECT_EQ(data->hash(), same->hash());
  EXPECT_EQ(NS::TransferPtr(basanite::foundation::makeData(nullptr, 0))->length(), 0u);
}

TEST_F(Collections, MakersOfTheFront) {
  auto probe = NS::TransferPtr(Probe::make());
  auto array = NS::TransferPtr(basanite::foundation::makeArrayOf<NS::Object>({probe.get(), utf8("x")}));
  EXPECT_EQ(array->count(), 2u);
  EXPECT_EQ(probe->retainCount(), 2u);
}

} // namespace
