// SPDX-License-Identifier: Apache-2.0
// UTF-8 decoding and what follows from it: widths, shortening, XML escapes.
#include "src/timing/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace basanite::timing {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";
constexpr std::string_view kEllipsis = "…";

struct CodePoint {
  uint32_t value;
  size_t bytes;
};

// The well-formed code point at the front of `text` (no overlong forms, no surrogates), or nothing.
std::optional<CodePoint> decode(std::string_view text) {
  const auto byteAt = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byteAt(0);
  if (lead < 0x80) return CodePoint{lead, 1};

  const size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return std::nullopt;
  uint32_t value = lead & (0x7Fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byteAt(i) & 0xC0) != 0x80) return std::nullopt;
    value = value << 6 | (byteAt(i) & 0x3Fu);
  }
  constexpr std::array<uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[bytes] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
    return std::nullopt;
  return CodePoint{value, bytes};
}

bool isControl(uint32_t value) {
  return value < 0x20 || (value >= 0x7F && value < 0xA0) || value == 0xFFFE || value == 0xFFFF;
}

size_t columnsOf(uint32_t value) {
  struct Range {
    uint32_t first, last;
  };
  constexpr std::array kCombining = {Range{0x0300, 0x036F}, Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF},
                                     Range{0x200B, 0x200F}, Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F},
                                     Range{0xFE20, 0xFE2F}};
  constexpr std::array kWide = {Range{0x1100, 0x115F},  Range{0x2E80, 0x303E}, Range{0x3041, 0xA4CF},
                                Range{0xAC00, 0xD7A3},  Range{0xF900, 0xFAFF}, Range{0xFE30, 0xFE6F},
                                Range{0xFF00, 0xFF60},  Range{0xFFE0, 0xFFE6}, Range{0x1F300, 0x1FAFF},
                                Range{0x20000, 0x3FFFD}};
  const auto contains = [value](const Range& range) { return value >= range.first && value <= range.last; };
  if (std::any_of(kCombining.begin(), kCombining.end(), contains)) return 0;
  return std::any_of(kWide.begin(), kWide.end(), contains) ? 2 : 1;
}

} // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::optional<CodePoint> point = decode(text);
    if (point && !isControl(point->value))
      result += text.substr(0, point->bytes);
    else
      result += kReplacement;
    text.remove_prefix(point ? point->bytes : 1);
  }
  return result;
}

size_t columnsOf(std::string_view text) {
  size_t columns = 0;
  while (!text.empty()) {
    const CodePoint point = decode(text).value_or(CodePoint{0xFFFD, 1});
    columns += columnsOf(point.value);
    text.remove_prefix(point.bytes);
  }
  return columns;
}

std::string shortened(std::string_view text, size_t columns) {
  if (columnsOf(text) <= columns) return std::string(text);
  if (columns == 0) return {};

  std::string result;
  size_t used = 1; // the ellipsis
  while (!text.empty()) {
    const CodePoint point = decode(text).value_or(CodePoint{0xFFFD, 1});
    used += columnsOf(point.value);
    if (used > columns) break;
    result += text.substr(0, point.bytes);
    text.remove_prefix(point.bytes);
  }
  return result.append(kEllipsis);
}

std::string escapedXml(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&apos;";
      break;
    default:
      result += c;
    }
  }
  return result;
}

} // namespace basanite::timing
