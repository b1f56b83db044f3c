// SPDX-License-Identifier: Apache-2.0
// Implementation of respell.hpp: one pass over raw tokens with just enough scope tracking to tell declarations apart.
#include "src/shader/frontend/respell.hpp"

#include <clang/Basic/IdentifierTable.h>
#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace basanite::shader::frontend {

namespace {

struct RawToken {
  clang::tok::TokenKind kind;
  uint32_t offset;
  uint32_t length;
  bool startsLine;
};

enum class Scope : uint8_t { outer, function, initializer };

} // namespace

class Respeller {
 public:
  Respeller(RespelledSource& source, bool thorough)
      : m_source(source), m_text(source.m_original), m_thorough(thorough) {}

  void run() {
    tokenize();
    if (m_thorough) dropPayloadTwins();
    for (m_at = 0; m_at < m_tokens.size(); ++m_at) {
      if (auto twin = m_dropped.find(m_at); twin != m_dropped.end()) m_at = twin->second;
      else visit();
    }
    for (auto& [token, count] : m_closings) m_pending.push_back({m_tokens[token].offset + m_tokens[token].length, 0, std::string(count, ')')});
    apply();
  }

 private:
  using Kind = clang::tok::TokenKind;

  static clang::LangOptions language() {
    clang::LangOptions options;
    options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = true;
    options.CXXOperatorNames = true;
    options.LineComment = true;
    options.DollarIdents = true;
    return options;
  }

  void tokenize() {
    clang::Lexer lexer(clang::SourceLocation(), m_language, m_text.data(), m_text.data(),
                       m_text.data() + m_text.size());
    clang::Token token;
    do {
      lexer.LexFromRawLexer(token);
      uint32_t end = static_cast<uint32_t>(lexer.getCurrentBufferOffset());
      m_tokens.push_back({token.getKind(), end - token.getLength(), token.getLength(), token.isAtStartOfLine()});
    } while (token.isNot(clang::tok::eof));
  }

  std::string_view text(size_t i) const {
    return std::string_view(m_text).substr(m_tokens[i].offset, m_tokens[i].length);
  }
  Kind kind(size_t i) const { return i < m_tokens.size() ? m_tokens[i].kind : clang::tok::eof; }
  bool isWord(size_t i, std::string_view word) const {
    return kind(i) == clang::tok::raw_identifier && text(i) == word;
  }
  // Raw tokens do not tell `return` and `sizeof` from names.
  bool isKeyword(size_t i) {
    if (kind(i) != clang::tok::raw_identifier) return false;
    if (!m_keywords) m_keywords.emplace(m_language);
    const clang::IdentifierInfo& word = m_keywords->get(text(i));
    return word.isKeyword(m_language) || word.isCPlusPlusOperatorKeyword();
  }
  Scope scope() const { return m_scopes.empty() ? Scope::outer : m_scopes.back(); }

  void replace(size_t first, size_t last, std::string text) {
    uint32_t begin = m_tokens[first].offset;
    uint32_t end = m_tokens[last].offset + m_tokens[last].length;
    // A declaration written over several lines keeps its line breaks.
    text.append(static_cast<size_t>(std::count(m_text.begin() + begin, m_text.begin() + end, '\n')), '\n');
    m_pending.push_back({begin, end - begin, std::move(text)});
  }

  // The tokens of a preprocessor directive do not open or close scopes.
  bool inDirective() {
    if (m_tokens[m_at].startsLine) m_directive = kind(m_at) == clang::tok::hash;
    if (m_directive) m_lastDirective = m_at;
    return m_directive;
  }

  void visit() {
    using namespace clang;
    bool directive = inDirective();
    switch (kind(m_at)) {
    case tok::l_brace:
      if (!directive) m_scopes.push_back(scopeOpenedHere());
      return;
    case tok::r_brace:
      if (!directive && !m_scopes.empty()) m_scopes.pop_back();
      return;
    case tok::l_paren:
      if (!directive) ++m_parens;
      return;
    case tok::r_paren:
      if (!directive && m_parens > 0) --m_parens;
      return;
    case tok::question:
      if (!directive && m_thorough) separateConditional();
      return;
    case tok::l_square:
      if (kind(m_at + 1) == tok::l_square && m_tokens[m_at + 1].offset == m_tokens[m_at].offset + 1) {
        skipAttribute();
      } else if (!directive && m_thorough && m_at > 0 && kind(m_at - 1) == tok::r_paren && scope() == Scope::function) {
        localiseResult(m_at - 1);
      }
      return;
    case tok::raw_identifier:
      visitWord(directive);
      return;
    default:
      return;
    }
  }

  // From "[[": to its "]]". Attributes right behind `template` (explicit instantiations) are only accepted in GNU form.
  void skipAttribute() {
    using namespace clang;
    bool afterTemplate = m_at > 0 && isWord(m_at - 1, "template");
    size_t open = m_at;
    int depth = 0;
    for (size_t i = m_at; i < m_tokens.size(); ++i) {
      if (kind(i) == tok::l_square) ++depth;
      // The address space of this name is a macro.
      if (isWord(i, "threadgroup")) replace(i, i, "msl_threadgroup");
      // Attributes of one bracket may stand without commas: [[color(0) index(1)]].
      if (depth == 2 && kind(i) == tok::r_paren && kind(i + 1) == tok::raw_identifier) replace(i, i, "),");
      if (kind(i) == tok::r_square && --depth == 0) {
        if (afterTemplate && kind(i - 1) == tok::r_square) {
          replace(open, open + 1, "__attribute__((");
          replace(i - 1, i, "))");
        }
        m_at = i;
        return;
      }
      if (kind(i) == tok::semi || kind(i) == tok::l_brace) return;
    }
  }

  void visitWord(bool directive) {
    std::string_view word = text(m_at);
    if (word == "vertex" || word == "fragment" || word == "kernel") {
      if (m_at > 0 && (kind(m_at - 1) == clang::tok::period || kind(m_at - 1) == clang::tok::arrow)) return;
      replace(m_at, m_at, fmt::format("__attribute__((msl_{}))", word));
    } else if (word == "struct" || word == "class") {
      if (kind(m_at + 1) == clang::tok::raw_identifier) m_records.insert(text(m_at + 1));
    } else if (word == "template") {
      if (!directive) respellLaneCounts();
    } else if (word == "constant") {
      if (!directive && qualifiesConstructor()) replace(m_at, m_at, "__generic");
      else if (!directive && m_parens == 0 && declaresConstantObject()) {
        replace(m_at, m_at, "const");
        noteConstant();
      }
    } else if (word == "threadgroup") {
      if (!directive && m_parens == 0 && scope() == Scope::function) rewriteThreadgroupVariable();
    } else if (m_thorough && !directive && m_constants.count(word) && scope() == Scope::function) {
      Kind before = kind(m_at - 1), behind = kind(m_at + 1);
      if (before == clang::tok::period || before == clang::tok::arrow || before == clang::tok::coloncolon) return;
      if (behind == clang::tok::period || behind == clang::tok::l_square || behind == clang::tok::r_paren || behind == clang::tok::comma)
        replace(m_at, m_at, fmt::format("$constant({})", word));
    }
  }

  // Payloads are threadgroup memory to clang, so a member function that differs from another in nothing but `object_data` where
  // that has `threadgroup` is the same one: it goes.
  void dropPayloadTwins() {
    using namespace clang;
    std::map<std::string, size_t> members; // by the place of their class and their text
    std::vector<size_t> classes;           // their opening braces
    for (size_t pass = 0; pass < 2; ++pass) {
      const std::string_view space = pass == 0 ? "threadgroup" : "object_data";
      classes.clear();
      for (size_t i = 0; i < m_tokens.size(); ++i) {
        if (kind(i) == tok::l_brace) classes.push_back(i);
        if (kind(i) == tok::r_brace && !classes.empty()) classes.pop_back();
        if (classes.empty() || !isWord(i, space) || (kind(i + 1) != tok::l_brace && kind(i + 1) != tok::semi)) continue;
        size_t list = i - (isWord(i - 1, "const") ? 2 : 1);
        if (kind(list) != tok::r_paren) continue;
        size_t first = i, last = endOfBody(i + 1);
        while (kind(first - 1) != tok::semi && kind(first - 1) != tok::l_brace && kind(first - 1) != tok::r_brace && kind(first - 1) != tok::colon) --first;
        std::string key = std::to_string(classes.back());
        for (size_t t = first; t <= last; ++t) key.append(" ").append(isWord(t, "object_data") ? "threadgroup" : text(t));
        if (pass == 0) {
          members.emplace(std::move(key), first);
        } else if (members.contains(key)) {
          replace(first, last, "");
          m_dropped.emplace(first, last);
        }
      }
    }
  }

  // The brace that closes a body, or the semicolon itself.
  size_t endOfBody(size_t at) const {
    int depth = 0;
    for (size_t i = at; i < m_tokens.size(); ++i) {
      if (kind(i) == clang::tok::l_brace) ++depth;
      if (kind(i) == clang::tok::r_brace) --depth;
      if (depth == 0) return i;
    }
    return at;
  }

  // `f(x)[i]` becomes `$element(f(x), i)`: what a call returns lies in no address space, which leaves subscripts overloaded by
  // address space undecided.
  void localiseResult(size_t close) {
    using namespace clang;
    int depth = 0;
    for (size_t i = close + 1; i-- > 0;) {
      if (kind(i) == tok::r_paren) ++depth;
      if (kind(i) != tok::l_paren || --depth > 0) continue;
      // Behind a keyword the parentheses are no call: `return (a)[0]`, `sizeof (a)[0]`, `if (a) [[likely]]`.
      if (i == 0 || kind(i - 1) != tok::raw_identifier || isKeyword(i - 1)) return;
      Kind before = i >= 2 ? kind(i - 2) : tok::semi;
      if (before == tok::raw_identifier && !isWord(i - 2, "return") && !isWord(i - 2, "else") &&
          !isWord(i - 2, "do"))
        return;
      if (before == tok::period || before == tok::arrow || before == tok::coloncolon || before == tok::greater) return;
      size_t end = close + 1;
      for (int square = 0; kind(end) != tok::eof; ++end) {
        if (kind(end) == tok::l_square) ++square;
        if (kind(end) == tok::r_square && --square == 0) break;
      }
      if (kind(end) == tok::eof) return;
      replace(i - 1, i - 1, fmt::format("$element({}", text(i - 1)));
      replace(close + 1, close + 1, ",");
      replace(end, end, ")");
      return;
    }
  }

  // Remembers the name of a program-scope constant that is an array or a class object: a scalar may be needed as a
  // constant expression.
  void noteConstant() {
    using namespace clang;
    if (scope() != Scope::outer) return;
    int angle = 0;
    bool isClass = false;
    for (size_t i = m_at + 1; kind(i) != tok::eof; ++i) {
      if (kind(i) == tok::less) ++angle;
      else if (kind(i) == tok::greater) --angle;
      else if (kind(i) == tok::greatergreater) angle -= 2;
      if (kind(i) == tok::raw_identifier && m_records.count(text(i))) isClass = true;
      if (angle > 0 || kind(i + 1) == tok::raw_identifier || kind(i) != tok::raw_identifier) continue;
      Kind behind = kind(i + 1);
      if (behind == tok::l_square || (isClass && (behind == tok::equal || behind == tok::l_brace || behind == tok::semi))) m_constants.insert(text(i));
      if (behind == tok::l_square || behind == tok::equal || behind == tok::l_brace || behind == tok::semi) return;
    }
  }

  // `a ? b : c` becomes `a ? $rvalue(b) : $rvalue(c)`.
  void separateConditional() {
    using namespace clang;
    size_t colon = 0, end = 0;
    int depth = 0, inner = 0;
    for (size_t i = m_at + 1;; ++i) {
      Kind k = kind(i);
      if (k == tok::eof) return;
      if (k == tok::l_paren || k == tok::l_square || k == tok::l_brace) ++depth;
      bool closes = k == tok::r_paren || k == tok::r_square || k == tok::r_brace;
      if (depth == 0 && k == tok::question) ++inner;
      if (depth == 0 && k == tok::colon) {
        if (inner > 0) --inner;
        else if (!colon) colon = i;
        else { end = i; break; }
      }
      if (depth == 0 && (closes || k == tok::semi || (k == tok::comma && colon))) { end = i; break; }
      if (closes) --depth;
    }
    if (!colon || colon == m_at + 1 || end <= colon + 1) return;
    if (scope() == Scope::function && isStatement()) return;
    replace(m_at, m_at, "? $rvalue(");
    replace(colon, colon, ") : $rvalue(");
    ++m_closings[end - 1];
  }

  // Is what the conditional at m_at gives thrown away, so that it may be void: `a ? f() : g();`?
  bool isStatement() const {
    using namespace clang;
    int depth = 0;
    for (size_t i = m_at + 1;; ++i) {
      Kind k = kind(i);
      if (k == tok::eof) return false;
      if (k == tok::semi && depth == 0) break;
      if (k == tok::l_paren || k == tok::l_square || k == tok::l_brace) ++depth;
      if ((k == tok::r_paren || k == tok::r_square || k == tok::r_brace) && depth-- == 0)
        return false; // it is a part of something
    }
    size_t i = m_at;
    while (i-- > 0) {
      Kind k = kind(i);
      if (depth == 0) {
        if (k == tok::semi || k == tok::l_brace) break;
        // Or it closes an object or a lambda: `S{1}.a > 0 ? b : c`.
        if (k == tok::r_brace && (kind(i + 1) == tok::raw_identifier || kind(i + 1) == tok::l_paren ||
                                  kind(i + 1) == tok::exclaim))
          break;
        if (k == tok::l_paren || k == tok::l_square || isAssignment(k) || isWord(i, "return")) return false;
      }
      if (k == tok::r_paren || k == tok::r_square || k == tok::r_brace) ++depth;
      if (k == tok::l_paren || k == tok::l_square || k == tok::l_brace) --depth;
    }
    if (kind(i) != tok::semi) return true;
    // The condition of a `for` stands between semicolons too.
    while (i-- > 0) {
      Kind k = kind(i);
      if (k == tok::r_paren || k == tok::r_square || k == tok::r_brace) ++depth;
      if ((k == tok::l_paren || k == tok::l_square || k == tok::l_brace) && depth-- == 0)
        return k == tok::l_brace;
    }
    return true;
  }

  static bool isAssignment(Kind k) {
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

  // `constant` behind the parameters of a constructor, where the const of its macro may not stand.
  bool qualifiesConstructor() const {
    using namespace clang;
    if (m_at == 0 || kind(m_at - 1) != tok::r_paren || m_lastDirective == m_at - 1) return false;
    int depth = 0;
    for (size_t i = m_at; i-- > 0;) {
      if (kind(i) == tok::r_paren) ++depth;
      if (kind(i) != tok::l_paren || --depth > 0) continue;
      return i > 0 && kind(i - 1) == tok::raw_identifier && m_records.count(text(i - 1)) && (i < 2 || kind(i - 2) != tok::tilde);
    }
    return false;
  }

  // `template <uint N> void f(vec<T, N>)`: the count's type must be that of our class templates, or N is not deduced.
  void respellLaneCounts() {
    using namespace clang;
    if (kind(m_at + 1) != tok::less) return;
    int angle = 0;
    size_t end = m_at + 1;
    for (; kind(end) != tok::eof; ++end) {
      if (kind(end) == tok::less) ++angle;
      else if (kind(end) == tok::greater && --angle == 0) break;
      else if (kind(end) == tok::semi || kind(end) == tok::l_brace) return;
    }
    for (size_t i = m_at + 2; i + 1 < end; ++i) {
      if (!isWord(i, "uint") || kind(i + 1) != tok::raw_identifier) continue;
      for (size_t use = end; kind(use) != tok::eof && kind(use) != tok::semi && kind(use) != tok::l_brace; ++use) {
        if (!isWord(use, "vec") && !isWord(use, "matrix")) continue;
        size_t argument = use + 2;
        int depth = 1;
        bool counts = false;
        for (; depth > 0 && kind(argument) != tok::eof && kind(argument) != tok::semi; ++argument) {
          if (kind(argument) == tok::less) ++depth;
          else if (kind(argument) == tok::greater) --depth;
          else if (kind(argument) == tok::greatergreater) depth -= 2;
          else counts |= depth == 1 && kind(argument - 1) == tok::comma && isWord(argument, text(i + 1));
        }
        if (!counts) continue;
        replace(i, i, "int");
        break;
      }
    }
  }

  // What the brace at m_at opens, judged by the words since the last ; { or }.
  Scope scopeOpenedHere() const {
    using namespace clang;
    if (m_parens > 0) return Scope::function; // lambda in an argument list
    bool sawParen = false;
    for (size_t i = m_at; i-- > 0;) {
      Kind k = kind(i);
      if (k == tok::semi || k == tok::l_brace || k == tok::r_brace) break;
      if (k == tok::equal && !sawParen)
        return kind(i + 1) == tok::l_square ? Scope::function : Scope::initializer; // `= [&] {`
      if (k == tok::r_paren) sawParen = true;
      if (k == tok::raw_identifier) {
        std::string_view word = text(i);
        if (word == "namespace" || word == "struct" || word == "class" || word == "union") {
          if (!sawParen || word == "namespace" || scope() == Scope::outer) {
            // `struct S f() {` is a function: the parenthesis stands behind the word.
            return sawParen && !isTypeHead(i) ? Scope::function : Scope::outer;
          }
          return Scope::function;
        }
        if (word == "enum") return Scope::initializer;
        if (word == "extern" && kind(i + 1) == tok::string_literal) return Scope::outer;
      }
    }
    return scope() == Scope::outer && !sawParen ? Scope::initializer : Scope::function;
  }

  // `struct alignas(16) S {` has a parenthesis in its head but is a type all the same.
  bool isTypeHead(size_t at) const {
    return isWord(at + 1, "alignas") || isWord(at + 1, "__attribute__") || kind(at + 1) == clang::tok::l_square;
  }

  // Is `constant` at m_at the qualifier of an object (not of something a pointer or reference leads to)?
  bool declaresConstantObject() const {
    using namespace clang;
    if (m_at > 0 && m_lastDirective != m_at - 1) {
      Kind before = kind(m_at - 1);
      // Behind a parameter list it qualifies a method; between <> it is a template argument.
      if (before == tok::r_paren || before == tok::less || before == tok::comma) return false;
      if (isWord(m_at - 1, "const") && m_at > 1 && kind(m_at - 2) == tok::r_paren) return false;
      // `device constant`-like nonsense and `*constant` are left to clang.
      if (before == tok::star) {
        // `float* constant table[2] = {...}`: the pointers themselves are constant.
        Kind behind = kind(m_at + 2);
        return kind(m_at + 1) == tok::raw_identifier && scope() == Scope::outer &&
               (behind == tok::equal || behind == tok::semi || behind == tok::l_square || behind == tok::l_brace);
      }
      if (before == tok::amp) return false;
    }
    int angle = 0;
    for (size_t i = m_at + 1; i < m_tokens.size(); ++i) {
      switch (kind(i)) {
      case tok::less: ++angle; break;
      case tok::greater: --angle; break;
      case tok::greatergreater: angle -= 2; break;
      case tok::star: case tok::amp: case tok::ampamp:
        if (angle <= 0) return false;
        break;
      case tok::semi: case tok::equal: case tok::l_brace: case tok::l_square: case tok::eof:
        return true;
      default: break;
      }
    }
    return true;
  }

  // `threadgroup float x[64], y;` in a body becomes a local structure and references into what an intrinsic returns for
  // it: the language mode refuses such variables outside its own kernels. The structure's type is unique per variable.
  void rewriteThreadgroupVariable() {
    using namespace clang;
    if (m_at > 0 && !startsStatement(m_at - 1)) return;
    size_t end = m_at + 1;
    int angle = 0, square = 0;
    std::vector<std::string> names;
    for (;; ++end) {
      Kind k = kind(end);
      if (k == tok::semi) break;
      if (k == tok::less) ++angle;
      else if (k == tok::greater) --angle;
      else if (k == tok::greatergreater) angle -= 2;
      else if (k == tok::l_square) {
        if (square++ == 0 && angle == 0 && kind(end - 1) == tok::raw_identifier) addName(names, end - 1);
      } else if (k == tok::r_square) --square;
      else if (k == tok::comma && angle == 0 && square == 0) {
        if (kind(end - 1) == tok::raw_identifier) addName(names, end - 1);
      } else if (k == tok::eof || k == tok::star || k == tok::amp || k == tok::equal || k == tok::l_brace || k == tok::r_brace) {
        if (angle > 0 || square > 0) { if (k != tok::eof && k != tok::r_brace) continue; }
        return; // a pointer or reference to threadgroup memory, or something clang shall complain about
      } else if (k == tok::l_paren && square == 0 && angle == 0) {
        if (!isWord(end - 1, "alignas")) return;
      }
    }
    if (kind(end - 1) == tok::raw_identifier && angle == 0) addName(names, end - 1);
    if (names.empty()) return;
    std::string type = fmt::format("$threadgroup{}", m_threadgroupCount++);
    // Only the ends are edited, so that diagnostics about the declaration itself keep their columns.
    size_t typeBegin = m_at;
    if (m_at > 0 && isWord(m_at - 1, "static")) typeBegin = m_at - 1;
    replace(typeBegin, m_at, fmt::format("struct {} {{", type));
    std::string tail = "; };";
    for (const std::string& name : names) {
      tail += fmt::format(" __local auto& {} = $threadgroup_variable<{}>(sizeof({}), alignof({})).{};", name, type, type, type, name);
    }
    replace(end, end, tail);
    m_at = end;
  }

  bool startsStatement(size_t before) const {
    Kind k = kind(before);
    return k == clang::tok::semi || k == clang::tok::l_brace || k == clang::tok::r_brace || isWord(before, "static");
  }

  void addName(std::vector<std::string>& names, size_t token) {
    std::string name(text(token));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }

  void apply() {
    // What closes behind a token comes before an edit of the token that follows at once.
    std::sort(m_pending.begin(), m_pending.end(),
              [](const Pending& a, const Pending& b) { return a.begin != b.begin ? a.begin < b.begin : a.length < b.length; });
    std::string& out = m_source.m_respelled;
    uint32_t from = 0;
    for (Pending& edit : m_pending) {
      out.append(m_text, from, edit.begin - from);
      m_source.m_edits.push_back({edit.begin, edit.length, static_cast<uint32_t>(out.size()), static_cast<uint32_t>(edit.text.size())});
      out += edit.text;
      from = edit.begin + edit.length;
    }
    out.append(m_text, from, std::string::npos);
  }

  struct Pending {
    uint32_t begin, length;
    std::string text;
  };

  RespelledSource& m_source;
  const std::string& m_text;
  const clang::LangOptions m_language = language();
  std::optional<clang::IdentifierTable> m_keywords; // made when first asked
  std::vector<RawToken> m_tokens;
  std::vector<Pending> m_pending;
  std::vector<Scope> m_scopes;
  std::set<std::string_view> m_records; // names of structures and classes met so far
  std::set<std::string_view> m_constants; // names of program-scope constants that are no scalars
  std::map<size_t, size_t> m_closings; // by token: the parentheses that close behind it
  std::map<size_t, size_t> m_dropped;  // first and last tokens of what is left out
  bool m_thorough;
  size_t m_lastDirective = SIZE_MAX; // the last token met of a preprocessor directive
  size_t m_at = 0;
  int m_parens = 0;
  unsigned m_threadgroupCount = 0;
  bool m_directive = false;
};

RespelledSource::RespelledSource(std::string original, bool thorough) : m_original(std::move(original)) {
  Respeller(*this, thorough).run();
}

uint32_t RespelledSource::originalOffset(uint32_t respelledOffset) const {
  auto after = std::upper_bound(m_edits.begin(), m_edits.end(), respelledOffset,
                                [](uint32_t offset, const Edit& edit) { return offset < edit.respelledBegin; });
  if (after == m_edits.begin()) return respelledOffset;
  const Edit& edit = *(after - 1);
  if (respelledOffset < edit.respelledBegin + edit.respelledLength) return edit.originalBegin;
  return edit.originalBegin + edit.originalLength + (respelledOffset - edit.respelledBegin - edit.respelledLength);
}

} // namespace basanite::shader::frontend
