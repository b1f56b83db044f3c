// SPDX-License-Identifier: Apache-2.0
// UTF-8 repair, widths, shortening, XML escapes.
#include "src/timing/text.hpp"

#include <gtest/gtest.h>

namespace basanite::timing {
namespace {

TEST(Text, PrintableKeepsWellFormedText) {
  EXPECT_EQ(printable("Größe 日本 😀 <&\">"), "Größe 日本 😀 <&\">");
  EXPECT_EQ(printable(""), "");
}

TEST(Text, PrintableReplacesWhatIsMalformed) {
  EXPECT_EQ(printable("a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(printable("tab\there"), "tab\uFFFDhere");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\uFFFDb");
  EXPECT_EQ(printable("\xC3"), "\uFFFD");                               // cut short
  EXPECT_EQ(printable("\xC0\xAF"), "\uFFFD\uFFFD");                     // overlong
  EXPECT_EQ(printable("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");           // a surrogate
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD"); // past U+10FFFF
}

TEST(Text, Columns) {
  EXPECT_EQ(columnsOf("shadow"), 6u);
  EXPECT_EQ(columnsOf("Größe"), 5u);
  EXPECT_EQ(columnsOf("日本"), 4u);
  EXPECT_EQ(columnsOf("e\u0301"), 1u); // a combining accent
  EXPECT_EQ(columnsOf(""), 0u);
}

TEST(Text, ShortenedFitsAndMarksTheCut) {
  EXPECT_EQ(shortened("shadow", 6), "shadow");
  EXPECT_EQ(shortened("shadow map", 6), "shado…");
  EXPECT_EQ(shortened("日本語", 4), "日…"); // the second would end at column 5
  EXPECT_EQ(shortened("ab", 1), "…");
  EXPECT_EQ(shortened("ab", 0), "");
}

TEST(Text, EscapedXml) {
  EXPECT_EQ(escapedXml("<a & \"b\" 'c'>"), "&lt;a &amp; &quot;b&quot; &apos;c&apos;&gt;");
}

} // namespace
} // namespace basanite::timing
