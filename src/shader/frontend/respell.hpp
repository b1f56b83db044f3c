// SPDX-License-Identifier: Apache-2.0
// Respells Metal's contextual keywords for clang's C++ for OpenCL mode and remembers where every byte came from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::shader::frontend {

// A source file as the user wrote it and as clang reads it. Edits never add or remove a line.
class RespelledSource {
 public:
  // `thorough`: for a source that clang refuses for what it makes of address spaces. Both sides of every ?: become const
  // values (a class object and a variable of the same class do not go together), members and elements of program-scope
  // constants are reached through constant references (a template's `constant T (&)[N]` takes no other array), and an object
  // that a call returns is subscripted as a const thread object.
  explicit RespelledSource(std::string original, bool thorough = false);

  const std::string& original() const { return m_original; }
  const std::string& respelled() const { return m_respelled; }

  // Byte offset in the original for one in the respelled text. Inside a replacement: the start of what was replaced.
  uint32_t originalOffset(uint32_t respelledOffset) const;

 private:
  friend class Respeller;
  struct Edit {
    uint32_t originalBegin, originalLength;
    uint32_t respelledBegin, respelledLength;
  };
  std::string m_original;
  std::string m_respelled;
  std::vector<Edit> m_edits; // ascending
};

} // namespace basanite::shader::frontend
