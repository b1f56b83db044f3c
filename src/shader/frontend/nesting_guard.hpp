// SPDX-License-Identifier: Apache-2.0
// Watches the tokens that the parser gets, and says when an expression or a chain of statements goes so deep
// that clang, which calls itself for each level, would run out of stack. clang itself counts brackets only.
#pragma once

#include <clang/Basic/TokenKinds.h>

#include <cstdint>
#include <vector>

namespace basanite::shader::frontend {

// Levels that a compile has stack for (src/shader/roomy_thread.hpp).
constexpr uint32_t kMaxNesting = 8192;

class NestingGuard {
 public:
  NestingGuard() : m_levels(1) {}

  // False: the token goes too deep.
  bool take(clang::tok::TokenKind kind);

 private:
  struct Level {
    clang::tok::TokenKind bracket = clang::tok::unknown;
    uint32_t operators = 0; // of the statement so far: each may hold what follows
    uint32_t elses = 0;     // each holds the next one of its chain
    bool afterBrace = false;
  };
  void add(uint32_t Level::* counter) {
    ++(m_levels.back().*counter);
    ++m_depth;
  }
  void endStatement(Level& level) {
    m_depth -= level.operators;
    level.operators = 0;
  }

  std::vector<Level> m_levels;
  uint32_t m_depth = 0; // of all counters of the open levels
};

} // namespace basanite::shader::frontend
