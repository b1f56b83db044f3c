// SPDX-License-Identifier: Apache-2.0
// Implementation of nesting_guard.hpp.
#include "src/shader/frontend/nesting_guard.hpp"

namespace basanite::shader::frontend {

namespace {

using clang::tok::TokenKind;

// What may be followed by something that lies deeper, or stands in a chain that clang walks by calling
// itself.
bool deepens(TokenKind kind) {
  using namespace clang;
  switch (kind) {
  case tok::kw_if:
  case tok::kw_for:
  case tok::kw_while:
  case tok::kw_do:
  case tok::kw_switch:
  case tok::kw_case:
  case tok::kw_default:
  case tok::kw_return:
  case tok::kw_sizeof:
  case tok::kw_operator:
  case tok::colon:
  case tok::coloncolon:
  case tok::question:
  case tok::period:
  case tok::arrow:
  case tok::plus:
  case tok::plusplus:
  case tok::plusequal:
  case tok::minus:
  case tok::minusminus:
  case tok::minusequal:
  case tok::star:
  case tok::starequal:
  case tok::slash:
  case tok::slashequal:
  case tok::percent:
  case tok::percentequal:
  case tok::amp:
  case tok::ampamp:
  case tok::ampequal:
  case tok::pipe:
  case tok::pipepipe:
  case tok::pipeequal:
  case tok::caret:
  case tok::caretequal:
  case tok::tilde:
  case tok::exclaim:
  case tok::exclaimequal:
  case tok::equal:
  case tok::equalequal:
  case tok::less:
  case tok::lessequal:
  case tok::lessless:
  case tok::lesslessequal:
  case tok::greater:
  case tok::greaterequal:
  case tok::greatergreater:
  case tok::greatergreaterequal:
    return true;
  default:
    return false;
  }
}

// Behind a closing brace these go on with the expression; anything else begins a statement.
bool continues(TokenKind kind) {
  using namespace clang;
  return deepens(kind) ? kind != tok::kw_if && kind != tok::kw_for && kind != tok::kw_while &&
                             kind != tok::kw_do && kind != tok::kw_switch && kind != tok::kw_case &&
                             kind != tok::kw_default && kind != tok::kw_return
                       : kind == tok::comma || kind == tok::l_paren || kind == tok::l_square;
}

} // namespace

bool NestingGuard::take(TokenKind kind) {
  using namespace clang;
  Level& level = m_levels.back();
  if (level.afterBrace && !continues(kind)) {
    endStatement(level);
    if (kind != tok::kw_else) {
      m_depth -= level.elses;
      level.elses = 0;
    }
  }
  level.afterBrace = false;
  switch (kind) {
  case tok::l_brace:
  case tok::l_paren:
  case tok::l_square:
    // x()()() and x[0][1][2] are chains.
    if (kind != tok::l_brace) add(&Level::operators);
    m_levels.push_back({kind});
    break;
  case tok::r_brace:
  case tok::r_paren:
  case tok::r_square:
    // Brackets that do not match are clang's to complain of.
    if (m_levels.size() == 1) break;
    m_depth -= level.operators + level.elses;
    m_levels.pop_back();
    m_levels.back().afterBrace = kind == tok::r_brace;
    break;
  case tok::semi:
    endStatement(level);
    break;
  case tok::comma:
    // In braces it parts the elements of a list, of which there may be many.
    if (level.bracket == tok::l_brace)
      endStatement(level);
    else
      add(&Level::operators);
    break;
  case tok::kw_else:
    add(&Level::elses);
    break;
  default:
    if (deepens(kind)) add(&Level::operators);
    break;
  }
  return m_depth <= kMaxNesting;
}

} // namespace basanite::shader::frontend
