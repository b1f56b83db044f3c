// SPDX-License-Identifier: Apache-2.0
// Conversions between UTF-8 and the other encodings that NS::String takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::foundation {

// One code point at `*offset` of valid UTF-8; moves the offset behind it.
char32_t nextCodePoint(std::string_view utf8, size_t* offset);
void appendUtf8(std::string* utf8, char32_t codePoint);

bool isValidUtf8(std::string_view bytes);
// The bytes with each invalid one replaced by U+FFFD.
std::string repairUtf8(std::string_view bytes);

size_t utf16Length(std::string_view utf8);
std::u16string toUtf16(std::string_view utf8);

// Simple case folding: ASCII, Latin, Greek and Cyrillic letters.
char16_t foldCase(char16_t unit);

// Bytes in an encoding (the values of NS::StringEncoding) as UTF-8; nothing when they are not valid in it or
// the encoding is not supported.
std::optional<std::string> decode(std::string_view bytes, uint64_t encoding);
// UTF-8 as bytes in an encoding, without a terminator; nothing when a character has no place in it.
std::optional<std::string> encode(std::string_view utf8, uint64_t encoding);
bool isSupportedEncoding(uint64_t encoding);
// Size of the smallest unit, thus of the terminator of a C string in this encoding.
size_t unitBytes(uint64_t encoding);

} // namespace basanite::foundation
