// SPDX-License-Identifier: Apache-2.0
// The text of lines that shaders log, damaged ones too.
#include "src/metal/log_format.hpp"

#include "src/base/shader_log.hpp"

#include <bit>
#include <gtest/gtest.h>
#include <vector>

namespace basanite::metal {
namespace {

using Words = std::vector<uint32_t>;
constexpr uint32_t kOne = 1 << 8;

std::string format(std::string_view text, const Words& words) {
  return formatLogLine(text, words, [](uint64_t address) -> std::optional<std::string> {
    if (address == 0x1'0000'0010) return "there";
    return std::nullopt;
  });
}

uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }

TEST(LogFormat, FillsInArguments) {
  EXPECT_EQ(format("plain", {}), "plain");
  EXPECT_EQ(format("", {}), "");
  EXPECT_EQ(format("%d", {kOne | base::abi::kLogSigned, 0xffffffffu}), "-1");
  EXPECT_EQ(format("%u", {kOne | base::abi::kLogUnsigned, 0xffffffffu}), "4294967295");
  EXPECT_EQ(format("%ld", {kOne | base::abi::kLogWide, 0xfffffffeu, 0xffffffffu}), "-2");
  EXPECT_EQ(format("%#x %X", {kOne | base::abi::kLogUnsigned, 255, kOne | base::abi::kLogUnsigned, 171}),
            "0xff AB");
  EXPECT_EQ(format("%8.3f|", {kOne | base::abi::kLogFloat, bits(1.5f)}), "   1.500|");
  EXPECT_EQ(format("%-+6d|", {kOne | base::abi::kLogSigned, 7}), "+7    |");
  EXPECT_EQ(format("%v2hlf", {2 << 8 | base::abi::kLogFloat, bits(1), bits(2)}), "1.000000,2.000000");
  EXPECT_EQ(format("%s %p", {kOne | base::abi::kLogWide, 0x10, 1, kOne | base::abi::kLogWide, 0x20, 0}),
            "there 0x20");
  EXPECT_EQ(format("%c%%", {kOne | base::abi::kLogUnsigned, 'x'}), "x%");
}

TEST(LogFormat, LeavesWhatDoesNotFit) {
  EXPECT_EQ(format("%d", {}), "%d");
  EXPECT_EQ(format("%d %d", {kOne | base::abi::kLogSigned, 1}), "1 %d");
  EXPECT_EQ(format("%f", {kOne | base::abi::kLogSigned, 1}), "%f");
  EXPECT_EQ(format("%d", {kOne | base::abi::kLogFloat, bits(1)}), "%d");
  EXPECT_EQ(format("%v4f", {2 << 8 | base::abi::kLogFloat, bits(1), bits(2)}), "%v4f");
  EXPECT_EQ(format("%s", {kOne | base::abi::kLogWide, 0, 0}), "%s") << "no string there";
  EXPECT_EQ(format("%q", {kOne | base::abi::kLogSigned, 1}), "%q");
  EXPECT_EQ(format("%n", {kOne | base::abi::kLogWide, 1, 1}), "%n")
      << "nothing is written through an argument";
  EXPECT_EQ(format("%*d", {kOne | base::abi::kLogSigned, 1}), "%*d");
}

TEST(LogFormat, SurvivesDamage) {
  EXPECT_EQ(format("%", {}), "%");
  EXPECT_EQ(format("%5.", {kOne | base::abi::kLogSigned, 1}), "%5.");
  EXPECT_EQ(format("%v", {kOne | base::abi::kLogSigned, 1}), "%v");
  EXPECT_EQ(format("%d", {kOne | base::abi::kLogSigned}), "0") << "the word is missing";
  EXPECT_EQ(format("%ld %d", {kOne | base::abi::kLogWide, 5}), "5 %d");
  EXPECT_EQ(format("%v999d", {0xffffff00u | base::abi::kLogSigned, 1}), "%v999d");
  EXPECT_EQ(format("%999999999999d|", {kOne | base::abi::kLogSigned, 1}).size(), 1000u);
}

} // namespace
} // namespace basanite::metal
