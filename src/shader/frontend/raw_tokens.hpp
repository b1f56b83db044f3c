// SPDX-License-Identifier: Apache-2.0
// The raw tokens of a source, as respell.cpp walks over them: no macro is expanded, every word is an
// identifier.
#pragma once

#include <clang/Basic/IdentifierTable.h>
#include <clang/Basic/LangOptions.h>
#include <clang/Basic/TokenKinds.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::shader::frontend {

// Positions are indices of tokens; one behind the last is the end of the file. Keeps a reference to the text.
class RawTokens {
 public:
  using Kind = clang::tok::TokenKind;

  struct Token {
    Kind kind;
    uint32_t offset; // bytes
    uint32_t length;
    bool startsLine;
  };

  explicit RawTokens(const std::string& text);

  size_t size() const { return m_tokens.size(); }
  const Token& operator[](size_t i) const { return m_tokens[i]; }
  std::string_view text(size_t i) const {
    return std::string_view(m_text).substr(m_tokens[i].offset, m_tokens[i].length);
  }
  Kind kind(size_t i) const { return i < m_tokens.size() ? m_tokens[i].kind : clang::tok::eof; }
  bool isWord(size_t i, std::string_view word) const {
    return kind(i) == clang::tok::raw_identifier && text(i) == word;
  }
  // Raw tokens do not tell `return` and `sizeof` from names.
  bool isKeyword(size_t i);

  // The bracket that closes the one at `open`; the last token when none does.
  size_t closingOf(size_t open) const;
  // The bracket that `close` closes; the first token when there is none.
  size_t openingOf(size_t close) const;
  // The brace that closes a body, or the semicolon itself.
  size_t endOfBody(size_t at) const;
  // Does the brace open a structure, class or union (and no namespace)?
  bool opensRecord(size_t brace) const;
  bool hasParameters(size_t first, size_t end) const;
  // Is the number at `i` a floating-point literal whose type no suffix names?
  bool lacksSuffix(size_t i) const;

 private:
  uint32_t behindLineSplices(uint32_t begin, uint32_t end) const;

  const std::string& m_text;
  const clang::LangOptions m_language;
  std::optional<clang::IdentifierTable> m_keywords; // made when first asked
  std::vector<Token> m_tokens;
};

bool isAssignment(clang::tok::TokenKind kind);
// One of values, with one side or two, without effect on them.
bool isOperator(clang::tok::TokenKind kind);

} // namespace basanite::shader::frontend
