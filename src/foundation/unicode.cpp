// SPDX-License-Identifier: Apache-2.0
// Conversions between UTF-8 and the other encodings that NS::String takes.
#include "src/foundation/unicode.hpp"

#include <Foundation/NSString.hpp>

namespace basanite::foundation {

namespace {

// The length of the valid sequence at the front of `bytes`, 0 when there is none (overlong forms, surrogates
// and values beyond U+10FFFF are not valid).
size_t sequenceLength(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const auto lead = static_cast<unsigned char>(bytes[0]);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || bytes.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(bytes[i]) & 0xC0) != 0x80) return 0;
  }
  const auto second = static_cast<unsigned char>(bytes[1]);
  if (lead == 0xE0 && second < 0xA0) return 0;
  if (lead == 0xED && second > 0x9F) return 0;
  if (lead == 0xF0 && second < 0x90) return 0;
  if (lead == 0xF4 && second > 0x8F) return 0;
  return length;
}

// Reads one unit of `size` bytes.
uint32_t readUnit(const char* bytes, size_t size, bool bigEndian) {
  uint32_t unit = 0;
  for (size_t i = 0; i < size; ++i) {
    const size_t at = bigEndian ? i : size - 1 - i;
    unit = unit << 8 | static_cast<unsigned char>(bytes[at]);
  }
  return unit;
}

void appendUnit(std::string* bytes, uint32_t unit, size_t size, bool bigEndian) {
  for (size_t i = 0; i < size; ++i) {
    const size_t shift = 8 * (bigEndian ? size - 1 - i : i);
    bytes->push_back(static_cast<char>(unit >> shift));
  }
}

bool isBigEndian(uint64_t encoding) {
  return encoding == NS::UTF16BigEndianStringEncoding || encoding == NS::UTF32BigEndianStringEncoding;
}
bool hasByteOrderMark(uint64_t encoding) {
  return encoding == NS::UTF16StringEncoding || encoding == NS::UTF32StringEncoding;
}

std::optional<std::string> decodeWide(std::string_view bytes, uint64_t encoding) {
  const size_t size = unitBytes(encoding);
  if (bytes.size() % size != 0) return std::nullopt;
  bool bigEndian = isBigEndian(encoding);
  size_t at = 0;
  if (hasByteOrderMark(encoding) && bytes.size() >= size) {
    const bool bigMark = readUnit(bytes.data(), size, true) == 0xFEFF;
    if (bigMark || readUnit(bytes.data(), size, false) == 0xFEFF) {
      bigEndian = bigMark;
      at = size;
    }
  }
  std::string utf8;
  for (; at < bytes.size(); at += size) {
    char32_t codePoint = readUnit(bytes.data() + at, size, bigEndian);
    if (size == 2 && codePoint >= 0xD800 && codePoint < 0xDC00 && at + 4 <= bytes.size()) {
      const uint32_t low = readUnit(bytes.data() + at + 2, size, bigEndian);
      if (low < 0xDC00 || low > 0xDFFF) return std::nullopt;
      codePoint = 0x10000 + ((codePoint - 0xD800) << 10) + (low - 0xDC00);
      at += size;
    }
    if (codePoint > 0x10FFFF || (codePoint >= 0xD800 && codePoint <= 0xDFFF)) return std::nullopt;
    appendUtf8(&utf8, codePoint);
  }
  return utf8;
}

std::string encodeWide(std::string_view utf8, uint64_t encoding) {
  const size_t size = unitBytes(encoding);
  const bool bigEndian = isBigEndian(encoding);
  std::string bytes;
  for (size_t at = 0; at < utf8.size();) {
    const char32_t codePoint = nextCodePoint(utf8, &at);
    if (size == 2 && codePoint >= 0x10000) {
      appendUnit(&bytes, 0xD800 + ((codePoint - 0x10000) >> 10), size, bigEndian);
      appendUnit(&bytes, 0xDC00 + ((codePoint - 0x10000) & 0x3FF), size, bigEndian);
    } else {
      appendUnit(&bytes, codePoint, size, bigEndian);
    }
  }
  return bytes;
}

} // namespace

char32_t nextCodePoint(std::string_view utf8, size_t* offset) {
  const auto lead = static_cast<unsigned char>(utf8[*offset]);
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  char32_t codePoint = length == 1 ? lead : lead & (0x7F >> length);
  for (size_t i = 1; i < length; ++i) codePoint = codePoint << 6 | (utf8[*offset + i] & 0x3F);
  *offset += length;
  return codePoint;
}

void appendUtf8(std::string* utf8, char32_t codePoint) {
  const auto push = [utf8](char32_t byte) { utf8->push_back(static_cast<char>(byte)); };
  if (codePoint < 0x80) {
    push(codePoint);
  } else if (codePoint < 0x800) {
    push(0xC0 | codePoint >> 6);
    push(0x80 | (codePoint & 0x3F));
  } else if (codePoint < 0x10000) {
    push(0xE0 | codePoint >> 12);
    push(0x80 | (codePoint >> 6 & 0x3F));
    push(0x80 | (codePoint & 0x3F));
  } else {
    push(0xF0 | codePoint >> 18);
    push(0x80 | (codePoint >> 12 & 0x3F));
    push(0x80 | (codePoint >> 6 & 0x3F));
    push(0x80 | (codePoint & 0x3F));
  }
}

bool isValidUtf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t length = sequenceLength(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

std::string repairUtf8(std::string_view bytes) {
  std::string result;
  while (!bytes.empty()) {
    const size_t length = sequenceLength(bytes);
    if (length == 0) {
      appendUtf8(&result, 0xFFFD);
      bytes.remove_prefix(1);
    } else {
      result.append(bytes.substr(0, length));
      bytes.remove_prefix(length);
    }
  }
  return result;
}

size_t utf16Length(std::string_view utf8) {
  size_t units = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    // Each sequence has one lead byte; those of four bytes become two units.
    units += (byte & 0xC0) != 0x80;
    units += byte >= 0xF0;
  }
  return units;
}

std::u16string toUtf16(std::string_view utf8) {
  std::u16string units;
  for (size_t at = 0; at < utf8.size();) {
    const char32_t codePoint = nextCodePoint(utf8, &at);
    if (codePoint < 0x10000) {
      units.push_back(static_cast<char16_t>(codePoint));
    } else {
      units.push_back(static_cast<char16_t>(0xD800 + ((codePoint - 0x10000) >> 10)));
      units.push_back(static_cast<char16_t>(0xDC00 + ((codePoint - 0x10000) & 0x3FF)));
    }
  }
  return units;
}

char16_t foldCase(char16_t unit) {
  const auto between = [unit](char16_t first, char16_t last) { return unit >= first && unit <= last; };
  if (between(u'A', u'Z')) return unit + 0x20;
  if (between(0xC0, 0xDE) && unit != 0xD7) return unit + 0x20;
  if (between(0x100, 0x137) && unit != 0x130 && unit != 0x131) return unit | 1;
  if (between(0x14A, 0x177)) return unit | 1;
  if (between(0x391, 0x3A9) && unit != 0x3A2) return unit + 0x20;
  if (between(0x410, 0x42F)) return unit + 0x20;
  if (between(0x400, 0x40F)) return unit + 0x50;
  return unit;
}

size_t unitBytes(uint64_t encoding) {
  switch (encoding) {
  case NS::UTF16StringEncoding:
  case NS::UTF16BigEndianStringEncoding:
  case NS::UTF16LittleEndianStringEncoding:
    return 2;
  case NS::UTF32StringEncoding:
  case NS::UTF32BigEndianStringEncoding:
  case NS::UTF32LittleEndianStringEncoding:
    return 4;
  default:
    return 1;
  }
}

bool isSupportedEncoding(uint64_t encoding) {
  return unitBytes(encoding) > 1 || encoding == NS::ASCIIStringEncoding ||
         encoding == NS::UTF8StringEncoding || encoding == NS::ISOLatin1StringEncoding;
}

std::optional<std::string> decode(std::string_view bytes, uint64_t encoding) {
  if (!isSupportedEncoding(encoding)) return std::nullopt;
  if (unitBytes(encoding) > 1) return decodeWide(bytes, encoding);
  if (encoding == NS::UTF8StringEncoding) {
    if (!isValidUtf8(bytes)) return std::nullopt;
    return std::string(bytes);
  }
  std::string utf8;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (encoding == NS::ASCIIStringEncoding && byte >= 0x80) return std::nullopt;
    appendUtf8(&utf8, byte);
  }
  return utf8;
}

std::optional<std::string> encode(std::string_view utf8, uint64_t encoding) {
  if (!isSupportedEncoding(encoding)) return std::nullopt;
  if (encoding == NS::UTF8StringEncoding) return std::string(utf8);
  if (unitBytes(encoding) > 1) return encodeWide(utf8, encoding);
  const char32_t limit = encoding == NS::ASCIIStringEncoding ? 0x80 : 0x100;
  std::string bytes;
  for (size_t at = 0; at < utf8.size();) {
    const char32_t codePoint = nextCodePoint(utf8, &at);
    if (codePoint >= limit) return std::nullopt;
    bytes.push_back(static_cast<char>(codePoint));
  }
  return bytes;
}

} // namespace basanite::foundation
