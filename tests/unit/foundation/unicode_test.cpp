// SPDX-License-Identifier: Apache-2.0
// Conversions between encodings.
#include "src/foundation/unicode.hpp"

#include <Foundation/NSString.hpp>
#include <gtest/gtest.h>

using namespace basanite::foundation;

TEST(Unicode, KnowsValidUtf8) {
  EXPECT_TRUE(isValidUtf8("aä日😀"));
  EXPECT_TRUE(isValidUtf8("\xF4\x8F\xBF\xBF"));
  EXPECT_FALSE(isValidUtf8("\xC0\x80"));         // overlong
  EXPECT_FALSE(isValidUtf8("\xE0\x80\x80"));     // overlong
  EXPECT_FALSE(isValidUtf8("\xF0\x80\x80\x80")); // overlong
  EXPECT_FALSE(isValidUtf8("\xED\xA0\x80"));     // surrogate
  EXPECT_FALSE(isValidUtf8("\xF4\x90\x80\x80")); // beyond U+10FFFF
  EXPECT_FALSE(isValidUtf8("\x80"));
  EXPECT_FALSE(isValidUtf8("\xE6\x97"));
}

TEST(Unicode, RepairsByteByByte) {
  EXPECT_EQ(repairUtf8("a\xE6\x97z"), "a\uFFFD\uFFFDz");
  EXPECT_EQ(repairUtf8("ä"), "ä");
}

TEST(Unicode, GoesThroughEveryEncodingAndBack) {
  const std::string text = "aß日😀";
  for (const uint64_t encoding :
       {NS::UTF8StringEncoding, NS::UTF16StringEncoding, NS::UTF16BigEndianStringEncoding,
        NS::UTF16LittleEndianStringEncoding, NS::UTF32StringEncoding, NS::UTF32BigEndianStringEncoding,
        NS::UTF32LittleEndianStringEncoding}) {
    const auto bytes = encode(text, encoding);
    ASSERT_TRUE(bytes) << encoding;
    EXPECT_EQ(decode(*bytes, encoding), text) << encoding;
  }
  EXPECT_EQ(encode("é", NS::UTF16BigEndianStringEncoding), std::string("\x00\xE9", 2));
  EXPECT_EQ(encode("日", NS::ISOLatin1StringEncoding), std::nullopt);
}

TEST(Unicode, RefusesHalfUnits) {
  EXPECT_EQ(decode(std::string_view("abc", 3), NS::UTF16LittleEndianStringEncoding), std::nullopt);
  EXPECT_EQ(decode(std::string_view("\0\0\x11\0", 4), NS::UTF32BigEndianStringEncoding).has_value(), true);
  EXPECT_EQ(decode(std::string_view("\0\x11\0\0", 4), NS::UTF32BigEndianStringEncoding), std::nullopt);
}

TEST(Unicode, CountsUtf16) {
  EXPECT_EQ(utf16Length("aß日😀"), 5u);
  EXPECT_EQ(toUtf16("aß日😀"), u"aß日😀");
}
