// SPDX-License-Identifier: Apache-2.0
// Where a shader's os_log writes and how: the contract between src/shader/frontend/stdlib/builtins.h, which
// spells the same numbers, the binding of the buffer, and the runtime that reads it.
#pragma once

#include <cstdint>

namespace basanite::base::abi {

// Binding::index, of kind buffer, of the record word that holds the log buffer's address; 0: nothing is
// logged.
constexpr uint32_t kLogBinding = 0xffffff00;

// The buffer is an array of 32-bit words: these, then the lines.
constexpr uint32_t kLogUsedWord = 0;     // words of lines asked for so far; may pass the capacity
constexpr uint32_t kLogCapacityWord = 1; // words that lines may take
constexpr uint32_t kLogDroppedWord = 2;  // lines that found no room
constexpr uint32_t kLogLevelWord = 3;    // lines below this level are not written
constexpr uint32_t kLogHeaderWords = 4;

// A line: its length in words (0: no line, the end), level (MTL::LogLevel), then the addresses of subsystem,
// category and format, two words each, low word first, then the arguments. Strings lie in the stage's
// constant data and end with 0.
constexpr uint32_t kLogLineWords = 8;
// An argument: a tag, then its words for each component. Tag: components << 8 | kind.
enum LogArgument : uint32_t {
  kLogUnsigned = 1, // one word
  kLogSigned = 2,   // one word
  kLogWide = 3,     // two words: a 64-bit integer or an address
  kLogFloat = 4,    // one word
};

} // namespace basanite::base::abi
