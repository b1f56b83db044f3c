// SPDX-License-Identifier: Apache-2.0
// NS::String.
#include "src/foundation/object.hpp"

#include <Foundation/Foundation.hpp>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace {

class String : public testing::Test {
 protected:
  ~String() override { m_pool->release(); }

  static NS::String* utf8(const char* text) { return NS::String::string(text, NS::UTF8StringEncoding); }
  static void expectRange(NS::Range range, NS::UInteger location, NS::UInteger length) {
    EXPECT_EQ(NS::UInteger(range.location), location);
    EXPECT_EQ(NS::UInteger(range.length), length);
  }

 private:
  NS::AutoreleasePool* m_pool = NS::AutoreleasePool::alloc()->init();
};

TEST_F(String, KeepsItsText) {
  EXPECT_STREQ(utf8("basanite")->utf8String(), "basanite");
  EXPECT_STREQ(NS::String::string()->utf8String(), "");
  EXPECT_STREQ(NS::String::string(utf8("copy"))->utf8String(), "copy");
  EXPECT_STREQ(utf8("a")->description()->utf8String(), "a");
  NS::String* owned = NS::String::alloc()->init("owned", NS::ASCIIStringEncoding);
  EXPECT_STREQ(owned->utf8String(), "owned");
  EXPECT_EQ(owned->retainCount(), 1u);
  owned->release();
}

TEST_F(String, CopiesTheBytesItIsMadeFrom) {
  char text[] = "before";
  NS::String* string = utf8(text);
  std::strcpy(text, "after!");
  EXPECT_STREQ(string->utf8String(), "before");
}

TEST_F(String, CountsUtf16Units) {
  EXPECT_EQ(utf8("abc")->length(), 3u);
  EXPECT_EQ(utf8("äöü")->length(), 3u);
  EXPECT_EQ(utf8("日本")->length(), 2u);
  EXPECT_EQ(utf8("😀")->length(), 2u);
  EXPECT_EQ(utf8("a😀b")->character(0), u'a');
  EXPECT_EQ(utf8("a😀b")->character(1), 0xD83D);
  EXPECT_EQ(utf8("a😀b")->character(2), 0xDE00);
  EXPECT_EQ(utf8("a😀b")->character(3), u'b');
}

TEST_F(String, CharacterBeyondTheEndIsZeroWithAMessage) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(utf8("abc")->character(3), 0);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("no character 3: its length is 3"),
            std::string::npos);
}

TEST_F(String, RefusesBytesThatAreNotInTheEncoding) {
  EXPECT_EQ(utf8("\xC3"), nullptr);
  EXPECT_EQ(utf8("\xED\xA0\x80"), nullptr);
  EXPECT_EQ(NS::String::string("\xE4", NS::ASCIIStringEncoding), nullptr);
  EXPECT_EQ(NS::String::string(static_cast<const char*>(nullptr), NS::UTF8StringEncoding), nullptr);
  EXPECT_STREQ(NS::String::string("\xE4", NS::ISOLatin1StringEncoding)->utf8String(), "ä");
  testing::internal::CaptureStderr();
  EXPECT_EQ(NS::String::string("a", NS::ShiftJISStringEncoding), nullptr);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("encoding 8"), std::string::npos);
}

TEST_F(String, ReadsUtf16WithAndWithoutByteOrderMark) {
  char16_t little[] = {u'a', 0xD83D, 0xDE00};
  NS::String* string =
      NS::String::alloc()->init(little, sizeof(little), NS::UTF16LittleEndianStringEncoding, false);
  EXPECT_STREQ(string->utf8String(), "a😀");
  string->release();
  char big[] = "\xFE\xFF\x00\x62";
  string = NS::String::alloc()->init(big, 4, NS::UTF16StringEncoding, false);
  EXPECT_STREQ(string->utf8String(), "b");
  string->release();
  char16_t lone[] = {0xD83D};
  EXPECT_EQ(NS::String::alloc()->init(lone, sizeof(lone), NS::UTF16LittleEndianStringEncoding, false),
            nullptr);
}

TEST_F(String, FreesTheBufferItIsGiven) {
  auto* buffer = static_cast<char*>(std::malloc(3));
  std::memcpy(buffer, "xyz", 3);
  NS::String* string = NS::String::alloc()->init(buffer, 3, NS::UTF8StringEncoding, true);
  EXPECT_STREQ(string->utf8String(), "xyz");
  string->release();
}

TEST_F(String, WritesOtherEncodings) {
  EXPECT_STREQ(utf8("ä")->cString(NS::ISOLatin1StringEncoding), "\xE4");
  EXPECT_EQ(utf8("ä")->cString(NS::ASCIIStringEncoding), nullptr);
  EXPECT_STREQ(utf8("ä")->cString(NS::UTF8StringEncoding), "ä");
  const char* wide = utf8("b")->cString(NS::UTF16LittleEndianStringEncoding);
  EXPECT_EQ(std::memcmp(wide, "b\0\0\0", 4), 0);
  EXPECT_EQ(utf8("ä")->lengthOfBytes(NS::UTF8StringEncoding), 2u);
  EXPECT_EQ(utf8("ä")->lengthOfBytes(NS::ISOLatin1StringEncoding), 1u);
  EXPECT_EQ(utf8("😀")->lengthOfBytes(NS::UTF32StringEncoding), 4u);
  EXPECT_GE(utf8("日本")->maximumLengthOfBytes(NS::UTF8StringEncoding), 6u);
  EXPECT_STREQ(utf8("/tmp/ä")->fileSystemRepresentation(), "/tmp/ä");
}

TEST_F(String, ComparesByContent) {
  EXPECT_TRUE(utf8("same")->isEqualToString(utf8("same")));
  EXPECT_FALSE(utf8("same")->isEqualToString(utf8("Same")));
  EXPECT_TRUE(utf8("same")->isEqual(utf8("same")));
  EXPECT_EQ(utf8("same")->hash(), utf8("same")->hash());
  EXPECT_FALSE(utf8("1")->isEqual(NS::Number::number(1)));
  EXPECT_EQ(utf8("ÄBC")->caseInsensitiveCompare(utf8("äbc")), NS::OrderedSame);
  EXPECT_EQ(utf8("abc")->caseInsensitiveCompare(utf8("ABD")), NS::OrderedAscending);
  EXPECT_EQ(utf8("abcd")->caseInsensitiveCompare(utf8("ABC")), NS::OrderedDescending);
  EXPECT_EQ(utf8("ЖΩ")->caseInsensitiveCompare(utf8("жω")), NS::OrderedSame);
}

TEST_F(String, FindsRangesInUtf16Units) {
  NS::String* text = utf8("😀 metal METAL");
  expectRange(text->rangeOfString(utf8("metal"), 0), 3, 5);
  expectRange(text->rangeOfString(utf8("METAL"), NS::LiteralSearch), 9, 5);
  expectRange(text->rangeOfString(utf8("METAL"), NS::CaseInsensitiveSearch), 3, 5);
  expectRange(text->rangeOfString(utf8("metal"), NS::CaseInsensitiveSearch | NS::BackwardsSearch), 9, 5);
  expectRange(text->rangeOfString(utf8("metal"), NS::AnchoredSearch), NS::NotFound, 0);
  expectRange(text->rangeOfString(utf8("METAL"), NS::AnchoredSearch | NS::BackwardsSearch), 9, 5);
  expectRange(text->rangeOfString(utf8("vulkan"), 0), NS::NotFound, 0);
  expectRange(text->rangeOfString(utf8(""), 0), NS::NotFound, 0);
  testing::internal::CaptureStderr();
  expectRange(text->rangeOfString(utf8("m"), NS::RegularExpressionSearch), NS::NotFound, 0);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("0x400"), std::string::npos);
}

TEST_F(String, Appends) {
  EXPECT_STREQ(utf8("meta")->stringByAppendingString(utf8("l"))->utf8String(), "metal");
  EXPECT_STREQ(utf8("meta")->stringByAppendingString(nullptr)->utf8String(), "meta");
}

TEST_F(String, ConstantsAreShownOnceAndLiveForEver) {
  NS::String* first = MTLSTR("constant");
  NS::String* second = MTLSTR("constant");
  EXPECT_EQ(first, second);
  EXPECT_STREQ(first->utf8String(), "constant");
  for (int i = 0; i < 3; ++i) first->release();
  EXPECT_STREQ(second->utf8String(), "constant");
  EXPECT_TRUE(first->isEqualToString(utf8("constant")));
}

TEST_F(String, ConstantsMayHoldAnything) {
  EXPECT_EQ(MTLSTR("a\0b")->length(), 3u);
  EXPECT_STREQ(MTLSTR("ä")->utf8String(), "ä");
  EXPECT_STREQ(MTLSTR("\xFF")->utf8String(), "\xEF\xBF\xBD");
  EXPECT_STREQ(MTLSTR("")->utf8String(), "");
}

TEST_F(String, MakersAndReadersOfTheFront) {
  namespace foundation = basanite::foundation;
  auto string = NS::TransferPtr(foundation::makeString("front"));
  EXPECT_EQ(string->retainCount(), 1u);
  EXPECT_EQ(foundation::textOf(string.get()), "front");
  EXPECT_EQ(foundation::textOf(nullptr), "");
  EXPECT_STREQ(foundation::makeAutoreleasedString("bad \xFF byte")->utf8String(), "bad \xEF\xBF\xBD byte");
}

} // namespace
