// SPDX-License-Identifier: Apache-2.0
// Implementation of raw_tokens.hpp.
#include "src/shader/frontend/raw_tokens.hpp"

#include <clang/Lex/Lexer.h>

#include <cctype>

namespace basanite::shader::frontend {

namespace {

clang::LangOptions language() {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = true;
  options.CXXOperatorNames = true;
  options.LineComment = true;
  options.DollarIdents = true;
  return options;
}

} // namespace

RawTokens::RawTokens(const std::string& text) : m_text(text), m_language(language()) {
  clang::Lexer lexer(clang::SourceLocation(), m_language, m_text.data(), m_text.data(),
                     m_text.data() + m_text.size());
  clang::Token token;
  do {
    lexer.LexFromRawLexer(token);
    uint32_t end = static_cast<uint32_t>(lexer.getCurrentBufferOffset());
    uint32_t begin = end - token.getLength();
    if (token.needsCleaning()) begin = behindLineSplices(begin, end);
    m_tokens.push_back({token.getKind(), begin, end - begin, token.isAtStartOfLine()});
  } while (token.isNot(clang::tok::eof));
}

// A backslash at the end of a line belongs to the token that opens the next line.
uint32_t RawTokens::behindLineSplices(uint32_t begin, uint32_t end) const {
  while (begin < end && m_text[begin] == '\\') {
    size_t next = m_text.find_first_not_of(" \t\r\n", begin + 1);
    if (next == std::string::npos || next >= end) break;
    begin = static_cast<uint32_t>(next);
  }
  return begin;
}

bool RawTokens::isKeyword(size_t i) {
  if (kind(i) != clang::tok::raw_identifier) return false;
  if (!m_keywords) m_keywords.emplace(m_language);
  const clang::IdentifierInfo& word = m_keywords->get(text(i));
  return word.isKeyword(m_language) || word.isCPlusPlusOperatorKeyword();
}

size_t RawTokens::closingOf(size_t open) const {
  using namespace clang;
  int depth = 0;
  size_t i = open;
  for (; kind(i) != tok::eof; ++i) {
    Kind k = kind(i);
    if (k == tok::l_paren || k == tok::l_square || k == tok::l_brace) ++depth;
    if ((k == tok::r_paren || k == tok::r_square || k == tok::r_brace) && --depth == 0) return i;
  }
  return i - 1;
}

size_t RawTokens::openingOf(size_t close) const {
  using namespace clang;
  int depth = 0;
  for (size_t i = close;; --i) {
    Kind k = kind(i);
    if (k == tok::r_paren || k == tok::r_square || k == tok::r_brace) ++depth;
    if ((k == tok::l_paren || k == tok::l_square || k == tok::l_brace) && --depth == 0) return i;
    if (i == 0) return 0;
  }
}

size_t RawTokens::endOfBody(size_t at) const {
  int depth = 0;
  for (size_t i = at; i < m_tokens.size(); ++i) {
    if (kind(i) == clang::tok::l_brace) ++depth;
    if (kind(i) == clang::tok::r_brace) --depth;
    if (depth == 0) return i;
  }
  return at;
}

bool RawTokens::opensRecord(size_t brace) const {
  using namespace clang;
  int angle = 0;
  for (size_t i = brace; i-- > 0;) {
    Kind k = kind(i);
    if (k == tok::semi || k == tok::l_brace || k == tok::r_brace) return false;
    if (k == tok::greater)
      ++angle;
    else if (k == tok::greatergreater)
      angle += 2;
    else if (k == tok::less)
      --angle;
    else if (angle == 0 && (isWord(i, "struct") || isWord(i, "class") || isWord(i, "union")))
      return i == 0 || !isWord(i - 1, "enum");
  }
  return false;
}

bool RawTokens::hasParameters(size_t first, size_t end) const {
  for (size_t i = first; i < end; ++i)
    if (kind(i) == clang::tok::r_paren) return true;
  return false;
}

bool RawTokens::lacksSuffix(size_t i) const {
  std::string_view word = text(i);
  bool hexadecimal = word.size() > 1 && word[0] == '0' && (word[1] | 32) == 'x';
  if (word.find_first_of(hexadecimal ? "pP" : ".eE") == std::string_view::npos) return false;
  if (std::isalpha(static_cast<unsigned char>(word.back()))) return false;
  return kind(i + 1) != clang::tok::hashhash && (i == 0 || kind(i - 1) != clang::tok::hashhash);
}

bool isAssignment(clang::tok::TokenKind k) {
  using namespace clang;
  switch (k) {
  case tok::equal:
  case tok::plusequal:
  case tok::minusequal:
  case tok::starequal:
  case tok::slashequal:
  case tok::percentequal:
  case tok::ampequal:
  case tok::pipeequal:
  case tok::caretequal:
  case tok::lesslessequal:
  case tok::greatergreaterequal:
    return true;
  default:
    return false;
  }
}

bool isOperator(clang::tok::TokenKind k) {
  using namespace clang;
  switch (k) {
  case tok::plus:
  case tok::minus:
  case tok::star:
  case tok::slash:
  case tok::percent:
  case tok::caret:
  case tok::pipe:
  case tok::pipepipe:
  case tok::ampamp:
  case tok::less:
  case tok::greater:
  case tok::lessequal:
  case tok::greaterequal:
  case tok::equalequal:
  case tok::exclaimequal:
  case tok::lessless:
  case tok::greatergreater:
  case tok::tilde:
  case tok::exclaim:
    return true;
  default:
    return false;
  }
}

} // namespace basanite::shader::frontend
