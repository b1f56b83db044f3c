// SPDX-License-Identifier: Apache-2.0
// Respells Metal's contextual keywords for clang's C++ for OpenCL mode and remembers where every byte came from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::shader::frontend {

// What is respelled beyond Metal's own words. The first try at a source is the default; the others are for sources that clang
// refuses, each for what its diagnostics say.
struct Respelling {
  // Both sides of every ?: become const values (a class object and a variable of the same class do not go together), members
  // and elements of program-scope constants are reached through constant references (a template's `constant T (&)[N]` takes no
  // other array), and an object that a call returns is subscripted as a const thread object.
  bool thorough = false;
  // Member functions without an address space get `thread`, Metal's own choice: for those that return thread references.
  bool threadMethods = false;
  // `thread const T&` loses its address space: a temporary has none.
  bool temporaries = false;
  // Swizzles that are operands become const values, and `v.xy *= s` becomes `v.xy = v.xy * (s)`: in an instance of a template
  // clang finds no operator for a property and a scalar.
  bool properties = false;
  // Floating-point literals without a suffix get their `f`: clang makes them float where it reads them, but double again in
  // each instantiation of a template. Off for a source that pastes suffixes of its own to them.
  bool suffixes = true;

  bool operator==(const Respelling&) const = default;
  // Do both do something that the first try does not?
  bool shares(const Respelling& other) const {
    return (thorough && other.thorough) || (threadMethods && other.threadMethods) || (temporaries && other.temporaries) ||
           (properties && other.properties) || (!suffixes && !other.suffixes);
  }
};

// A source file as the user wrote it and as clang reads it. Edits never add or remove a line.
class RespelledSource {
 public:
  explicit RespelledSource(std::string original, Respelling how = {});

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
