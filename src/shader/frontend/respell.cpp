// SPDX-License-Identifier: Apache-2.0
// Implementation of respell.hpp: one pass over raw tokens with just enough scope tracking to tell
// declarations apart.
#include "src/shader/frontend/respell.hpp"

#include "src/shader/frontend/raw_tokens.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace basanite::shader::frontend {

namespace {

enum class Scope : uint8_t { outer, function, initializer };

struct Brace {
  size_t token;
  bool isRecord;
};

} // namespace

class Respeller {
 public:
  Respeller(RespelledSource& source, Respelling how)
      : m_source(source), m_text(source.m_original), m_tokens(source.m_original), m_how(how) {}

  void run() {
    if (m_how.thorough) dropPayloadTwins();
    for (m_at = 0; m_at < m_tokens.size(); ++m_at) {
      if (auto twin = m_dropped.find(m_at); twin != m_dropped.end())
        m_at = twin->second;
      else
        visit();
    }
    for (auto& [token, count] : m_closings)
      m_pending.push_back({m_tokens[token].offset + m_tokens[token].length, 0, std::string(count, ')')});
    apply();
  }

 private:
  using Kind = clang::tok::TokenKind;

  std::string_view text(size_t i) const { return m_tokens.text(i); }
  Kind kind(size_t i) const { return m_tokens.kind(i); }
  bool isWord(size_t i, std::string_view word) const { return m_tokens.isWord(i, word); }
  Scope scope() const { return m_scopes.empty() ? Scope::outer : m_scopes.back(); }

  void replace(size_t first, size_t last, std::string text) {
    uint32_t begin = m_tokens[first].offset;
    uint32_t end = m_tokens[last].offset + m_tokens[last].length;
    // A declaration written over several lines keeps its line breaks.
    for (auto lines = std::count(m_text.begin() + begin, m_text.begin() + end, '\n'); lines > 0; --lines)
      text += m_directive ? "\\\n" : "\n";
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
    if (isAssignment(kind(m_at)) && kind(m_at) != tok::equal) {
      if (m_how.properties) spellOutCompound();
      return;
    }
    switch (kind(m_at)) {
    case tok::l_brace:
      if (!directive) {
        m_scopes.push_back(scopeOpenedHere());
        m_braces.push_back({m_at, m_scopes.back() == Scope::outer && m_tokens.opensRecord(m_at)});
      }
      return;
    case tok::r_brace:
      if (!directive && !m_scopes.empty()) {
        m_scopes.pop_back();
        m_braces.pop_back();
      }
      return;
    case tok::l_paren:
      if (!directive && m_how.threadMethods && m_parens == 0 && !m_braces.empty() && m_braces.back().isRecord)
        qualifyMethod();
      if (!directive) ++m_parens;
      return;
    case tok::r_paren:
      if (!directive && m_parens > 0) --m_parens;
      return;
    case tok::question:
      if (!directive && m_how.thorough) separateConditional();
      return;
    case tok::l_square:
      if (kind(m_at + 1) == tok::l_square && m_tokens[m_at + 1].offset == m_tokens[m_at].offset + 1) {
        skipAttribute();
      } else if (!directive && m_how.thorough && m_at > 0 && kind(m_at - 1) == tok::r_paren &&
                 scope() == Scope::function) {
        localiseResult(m_at - 1);
      }
      return;
    case tok::raw_identifier:
      visitWord(directive);
      return;
    case tok::numeric_constant:
      if (m_how.suffixes && m_tokens.lacksSuffix(m_at))
        m_pending.push_back({m_tokens[m_at].offset + m_tokens[m_at].length, 0, "f"});
      return;
    default:
      return;
    }
  }

  // From "[[": to its "]]". Attributes right behind `template` (explicit instantiations) are only accepted in
  // GNU form.
  void skipAttribute() {
    using namespace clang;
    bool afterTemplate = m_at > 0 && (isWord(m_at - 1, "template") || m_at - 1 == m_attributeEnd);
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
          m_attributeEnd = i;
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
      respellFunctionArguments();
    } else if (word == "constant" && !directive && qualifiesConstructor()) {
      settleConstructor("__generic");
    } else if (word == "thread") {
      if (!directive && qualifiesConstructor())
        settleConstructor("");
      // `thread float (*f)(float)`: a value lies in no address space.
      else if (kind(m_at + 1) == clang::tok::raw_identifier && kind(m_at + 2) == clang::tok::l_paren && kind(m_at + 3) == clang::tok::star)
        replace(m_at, m_at, "");
      else if (m_how.temporaries && qualifiesConstReference())
        replace(m_at, m_at, "");
    } else if (word == "constant") {
      // Where a macro is used is not known here: what it declares tells (attributes.cpp).
      if (directive)
        replace(m_at, m_at, "__generic const __attribute__((msl_constant_object))");
      else if (m_parens == 0 && declaresConstantObject()) {
        replace(m_at, m_at, "const");
        noteConstant();
      }
    } else if (word == "coherent") {
      // `coherent(system)`: every scope of it is the device's.
      if (kind(m_at + 1) == clang::tok::l_paren && kind(m_at + 3) == clang::tok::r_paren) {
        replace(m_at, m_at + 3, "coherent");
        m_at += 3;
      }
    } else if (word == "threadgroup") {
      if (directive || (m_parens == 0 && scope() == Scope::function)) rewriteThreadgroupVariable();
    } else if (m_how.properties && isSwizzle(m_at)) {
      takeSwizzleByValue();
    } else if (m_how.thorough && !directive && m_constants.count(word) && scope() == Scope::function) {
      Kind before = kind(m_at - 1), behind = kind(m_at + 1);
      if (before == clang::tok::period || before == clang::tok::arrow || before == clang::tok::coloncolon)
        return;
      if (behind == clang::tok::period || behind == clang::tok::l_square || behind == clang::tok::r_paren ||
          behind == clang::tok::comma)
        replace(m_at, m_at, fmt::format("$constant({})", word));
    }
  }

  // Payloads are threadgroup memory to clang, so a member function that differs from another in nothing but
  // `object_data` where that has `threadgroup` is the same one: it goes.
  void dropPayloadTwins() {
    using namespace clang;
    std::set<std::string> members; // by the place of their class and their text
    for (bool payloads : {false, true}) {
      std::vector<Brace> braces;
      size_t first = 0;
      for (size_t i = 0; i < m_tokens.size(); ++i) {
        Kind k = kind(i);
        if (k == tok::hash && m_tokens[i].startsLine) {
          bool between = first == i;
          while (kind(i + 1) != tok::eof && !m_tokens[i + 1].startsLine) ++i;
          if (between) first = i + 1;
          continue;
        }
        if ((k == tok::l_brace || k == tok::semi) && !braces.empty() && braces.back().isRecord &&
            m_tokens.hasParameters(first, i)) {
          size_t last = m_tokens.endOfBody(i);
          bool isPayload = false;
          std::string key = std::to_string(braces.back().token);
          for (size_t t = first; t <= last; ++t) {
            isPayload |= isWord(t, "object_data");
            key.append(" ").append(isWord(t, "object_data") ? "threadgroup" : text(t));
          }
          if (!isPayload) {
            members.insert(std::move(key));
          } else if (payloads && members.contains(key)) {
            replace(first, last, "");
            m_dropped.emplace(first, last);
          }
          i = last;
          first = i + 1;
          continue;
        }
        if (k == tok::l_brace) braces.push_back({i, m_tokens.opensRecord(i)});
        if (k == tok::r_brace && !braces.empty()) braces.pop_back();
        if (k == tok::l_brace || k == tok::r_brace || k == tok::semi || k == tok::colon) first = i + 1;
      }
    }
  }

  // `f(x)[i]` becomes `$element(f(x), i)`: what a call returns lies in no address space, which leaves
  // subscripts overloaded by address space undecided.
  void localiseResult(size_t close) {
    using namespace clang;
    int depth = 0;
    for (size_t i = close + 1; i-- > 0;) {
      if (kind(i) == tok::r_paren) ++depth;
      if (kind(i) != tok::l_paren || --depth > 0) continue;
      // Behind a keyword the parentheses are no call: `return (a)[0]`, `sizeof (a)[0]`, `if (a) [[likely]]`.
      if (i == 0 || kind(i - 1) != tok::raw_identifier || m_tokens.isKeyword(i - 1)) return;
      Kind before = i >= 2 ? kind(i - 2) : tok::semi;
      if (before == tok::raw_identifier && !isWord(i - 2, "return") && !isWord(i - 2, "else") &&
          !isWord(i - 2, "do"))
        return;
      if (before == tok::period || before == tok::arrow || before == tok::coloncolon ||
          before == tok::greater)
        return;
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

  // Remembers the name of a program-scope constant that is an array or a class object: a scalar may be needed
  // as a constant expression.
  void noteConstant() {
    using namespace clang;
    if (scope() != Scope::outer) return;
    int angle = 0;
    bool isClass = false;
    for (size_t i = m_at + 1; kind(i) != tok::eof; ++i) {
      if (kind(i) == tok::less)
        ++angle;
      else if (kind(i) == tok::greater)
        --angle;
      else if (kind(i) == tok::greatergreater)
        angle -= 2;
      if (kind(i) == tok::raw_identifier && m_records.count(text(i))) isClass = true;
      if (angle > 0 || kind(i + 1) == tok::raw_identifier || kind(i) != tok::raw_identifier) continue;
      Kind behind = kind(i + 1);
      if (behind == tok::l_square ||
          (isClass && (behind == tok::equal || behind == tok::l_brace || behind == tok::semi)))
        m_constants.insert(text(i));
      if (behind == tok::l_square || behind == tok::equal || behind == tok::l_brace || behind == tok::semi)
        return;
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
        if (inner > 0)
          --inner;
        else if (!colon)
          colon = i;
        else {
          end = i;
          break;
        }
      }
      if (depth == 0 && (closes || k == tok::semi || (k == tok::comma && colon))) {
        end = i;
        break;
      }
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

  // `constant` behind the parameters of a constructor, where the const of its macro may not stand.
  bool qualifiesConstructor() const {
    using namespace clang;
    if (m_at == 0 || kind(m_at - 1) != tok::r_paren || m_lastDirective == m_at - 1) return false;
    int depth = 0;
    for (size_t i = m_at; i-- > 0;) {
      if (kind(i) == tok::r_paren) ++depth;
      if (kind(i) != tok::l_paren || --depth > 0) continue;
      return i > 0 && kind(i - 1) == tok::raw_identifier && m_records.count(text(i - 1)) &&
             (i < 2 || kind(i - 2) != tok::tilde);
    }
    return false;
  }

  // Objects lie in any address space until they are known better, so the constructor for `thread` and the one
  // for `constant` become the one for all; a second with the same parameters goes.
  void settleConstructor(const char* qualifier) {
    using namespace clang;
    size_t first = m_at;
    std::string key = std::to_string(m_braces.empty() ? 0 : m_braces.back().token);
    while (first > 0 && kind(first - 1) != tok::semi && kind(first - 1) != tok::l_brace &&
           kind(first - 1) != tok::r_brace && kind(first - 1) != tok::colon && m_lastDirective != first - 1)
      --first;
    for (size_t i = first; i < m_at; ++i) key.append(" ").append(text(i));
    if (m_constructors.insert(key).second) {
      replace(m_at, m_at, qualifier);
      return;
    }
    size_t end = m_at + 1;
    if (kind(end) == tok::colon) {
      // Members and what they start with, in parentheses or braces, up to the body.
      do {
        while (kind(end) != tok::l_paren && kind(end) != tok::l_brace && kind(end) != tok::eof) ++end;
        end = m_tokens.closingOf(end) + 1;
      } while (kind(end) == tok::comma);
    }
    while (kind(end) != tok::l_brace && kind(end) != tok::semi && kind(end) != tok::eof) ++end;
    if (kind(end) == tok::l_brace) end = m_tokens.closingOf(end);
    if (kind(end) == tok::eof) return;
    std::erase_if(m_pending, [&](const Pending& edit) {
      return edit.begin >= m_tokens[first].offset && edit.begin <= m_tokens[end].offset;
    });
    replace(first, end, "");
    m_at = end;
  }

  // `thread const T& name`, in either order.
  bool qualifiesConstReference() const {
    using namespace clang;
    if ((m_at == 0 || !isWord(m_at - 1, "const")) && !isWord(m_at + 1, "const")) return false;
    int angle = 0;
    for (size_t i = m_at + 1; kind(i) != tok::eof; ++i) {
      Kind k = kind(i);
      if (k == tok::less)
        ++angle;
      else if (k == tok::greater)
        --angle;
      else if (k == tok::greatergreater)
        angle -= 2;
      else if (angle > 0)
        continue;
      else if (k == tok::amp)
        return true;
      else if (k != tok::raw_identifier && k != tok::coloncolon)
        return false;
    }
    return false;
  }

  // The parenthesis at m_at may open the parameters of a member function without an address space: it gets
  // `thread`.
  void qualifyMethod() {
    using namespace clang;
    if (m_at == 0) return;
    size_t close = m_tokens.closingOf(m_at);
    size_t name = m_at - 1;
    bool isOperator = false;
    for (size_t i = m_at; i > 0 && i + 4 > m_at && !isOperator; --i) {
      isOperator = isWord(i - 1, "operator");
      if (isOperator) name = i - 1;
    }
    if (!isOperator && (kind(name) != tok::raw_identifier || m_tokens.isKeyword(name) ||
                        m_records.count(text(name)) || isWord(name, "__attribute__")))
      return;
    size_t first = name;
    int angle = 0;
    for (; first > 0; --first) {
      Kind k = kind(first - 1);
      if (k == tok::semi || k == tok::l_brace || k == tok::r_brace || k == tok::colon ||
          m_lastDirective == first - 1)
        break;
      if (k == tok::greater)
        ++angle;
      else if (k == tok::less)
        --angle;
      else if ((k == tok::equal || k == tok::comma) && angle == 0)
        return; // what a member starts with
      else if (angle == 0 && (isWord(first - 1, "static") || isWord(first - 1, "friend") ||
                              isWord(first - 1, "typedef") || isWord(first - 1, "using")))
        return;
    }
    if (first == name && !isOperator) return; // a macro or a constructor
    size_t last = close;
    for (;; ++last) {
      if (isWord(last + 1, "const") || isWord(last + 1, "volatile") || isWord(last + 1, "noexcept")) continue;
      Kind k = kind(last + 1);
      if (k == tok::l_brace || k == tok::semi || k == tok::equal || k == tok::arrow) break;
      return; // it has an address space, or is something else
    }
    m_pending.push_back({m_tokens[last].offset + m_tokens[last].length, 0, " thread"});
  }

  // A member's name that may be a swizzle's.
  bool isSwizzle(size_t i) const {
    return i >= 2 && kind(i) == clang::tok::raw_identifier && text(i).size() <= 4 &&
           text(i).find_first_not_of("xyzwrgba") == std::string_view::npos &&
           (kind(i - 1) == clang::tok::period || kind(i - 1) == clang::tok::arrow);
  }

  // The first token of `a.b[i]->c` whose last is at `last`; nullopt for anything with a call or an effect in
  // it.
  std::optional<size_t> startOfMemberAccess(size_t last) const {
    using namespace clang;
    size_t first = last;
    while (first >= 2 && (kind(first - 1) == tok::period || kind(first - 1) == tok::arrow)) {
      first -= 2;
      while (kind(first) == tok::r_square) {
        int depth = 0;
        for (;; --first) {
          Kind k = kind(first);
          if (k == tok::plusplus || k == tok::minusminus || k == tok::l_paren || isAssignment(k) ||
              first == 0)
            return std::nullopt;
          if (k == tok::r_square) ++depth;
          if (k == tok::l_square && --depth == 0) break;
        }
        --first;
      }
      if (kind(first) != tok::raw_identifier) return std::nullopt;
    }
    if (first == last || kind(first - 1) == tok::coloncolon) return std::nullopt;
    return first;
  }

  // `a.xyz * b` becomes `$rvalue(a.xyz) * b`.
  void takeSwizzleByValue() {
    using namespace clang;
    Kind behind = kind(m_at + 1);
    if (behind == tok::l_paren || behind == tok::l_square || behind == tok::period || behind == tok::arrow ||
        behind == tok::plusplus || behind == tok::minusminus || isAssignment(behind))
      return;
    std::optional<size_t> first = startOfMemberAccess(m_at);
    if (!first || *first == 0) return;
    Kind before = kind(*first - 1);
    if (before == tok::amp || before == tok::plusplus || before == tok::minusminus) return;
    if (!isOperator(behind) && behind != tok::amp && !isOperator(before)) return;
    m_pending.push_back({m_tokens[*first].offset, 0, "$rvalue("});
    ++m_closings[m_at];
  }

  // At the operator of `object.xyz *= value`.
  void spellOutCompound() {
    using namespace clang;
    std::optional<size_t> first = isSwizzle(m_at - 1) ? startOfMemberAccess(m_at - 1) : std::nullopt;
    if (!first) return;
    int depth = 0;
    size_t end = m_at + 1;
    for (; kind(end) != tok::eof; ++end) {
      Kind k = kind(end);
      if (depth == 0 && (k == tok::semi || k == tok::r_paren)) break;
      if (depth == 0 && k == tok::comma && !isBetweenAngles(end)) return;
      if (k == tok::l_paren || k == tok::l_square || k == tok::l_brace) ++depth;
      if (k == tok::r_paren || k == tok::r_square || k == tok::r_brace) --depth;
    }
    if (end == m_at + 1 || kind(end) == tok::eof) return;
    std::string object;
    for (size_t i = *first; i < m_at; ++i) object.append(text(i));
    std::string_view op = text(m_at);
    // A value in parentheses that is a swizzle alone would be a property again.
    replace(m_at, m_at, fmt::format("= $rvalue({}) {} $rvalue(", object, op.substr(0, op.size() - 1)));
    ++m_closings[end - 1];
  }

  // Does the comma stand between template arguments: `vec<T, 3>(...)`?
  bool isBetweenAngles(size_t comma) const {
    using namespace clang;
    size_t open = comma;
    while (open > 0 && kind(open) != tok::less && kind(open) != tok::semi && kind(open) != tok::l_paren &&
           kind(open) != tok::equal)
      --open;
    size_t close = comma;
    while (kind(close) != tok::greater && kind(close) != tok::semi && kind(close) != tok::r_paren &&
           kind(close) != tok::eof)
      ++close;
    return kind(open) == tok::less && kind(open - 1) == tok::raw_identifier && kind(close) == tok::greater &&
           (kind(close + 1) == tok::l_paren || kind(close + 1) == tok::l_brace ||
            kind(close + 1) == tok::coloncolon);
  }

  // `template <void (*f)(int)>` becomes `template <void (&f)(int)>`: clang finds no function for the pointer,
  // whose pointee gets an address space.
  void respellFunctionArguments() {
    using namespace clang;
    if (kind(m_at + 1) != tok::less) return;
    int angle = 0;
    for (size_t i = m_at + 1; kind(i) != tok::eof; ++i) {
      Kind k = kind(i);
      if (k == tok::less)
        ++angle;
      else if ((k == tok::greater && --angle <= 0) || k == tok::semi || k == tok::l_brace)
        return;
      else if (k == tok::l_paren && kind(i + 1) == tok::star && kind(i + 2) == tok::raw_identifier &&
               kind(i + 3) == tok::r_paren && kind(i + 4) == tok::l_paren)
        replace(i + 1, i + 1, "&");
    }
  }

  // `template <uint N> void f(vec<T, N>)`: the count's type must be that of our class templates, or N is not
  // deduced.
  void respellLaneCounts() {
    using namespace clang;
    if (kind(m_at + 1) != tok::less) return;
    int angle = 0;
    size_t end = m_at + 1;
    for (; kind(end) != tok::eof; ++end) {
      if (kind(end) == tok::less)
        ++angle;
      else if (kind(end) == tok::greater && --angle == 0)
        break;
      else if (kind(end) == tok::semi || kind(end) == tok::l_brace)
        return;
    }
    for (size_t i = m_at + 2; i + 1 < end; ++i) {
      if (!isWord(i, "uint") || kind(i + 1) != tok::raw_identifier) continue;
      for (size_t use = end; kind(use) != tok::eof && kind(use) != tok::semi && kind(use) != tok::l_brace;
           ++use) {
        if (!isWord(use, "vec") && !isWord(use, "matrix")) continue;
        size_t argument = use + 2;
        int depth = 1;
        bool counts = false;
        for (; depth > 0 && kind(argument) != tok::eof && kind(argument) != tok::semi; ++argument) {
          if (kind(argument) == tok::less)
            ++depth;
          else if (kind(argument) == tok::greater)
            --depth;
          else if (kind(argument) == tok::greatergreater)
            depth -= 2;
          else
            counts |= depth == 1 && kind(argument - 1) == tok::comma && isWord(argument, text(i + 1));
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
    return isWord(at + 1, "alignas") || isWord(at + 1, "__attribute__") ||
           kind(at + 1) == clang::tok::l_square;
  }

  // Is `constant` at m_at the qualifier of an object (not of something a pointer or reference leads to)?
  bool declaresConstantObject() const {
    using namespace clang;
    if (m_at > 0 && m_lastDirective != m_at - 1) {
      Kind before = kind(m_at - 1);
      // Behind a parameter list it qualifies a method; between <> it is a template argument.
      if (before == tok::less || before == tok::comma) return false;
      if (before == tok::r_paren) {
        size_t open = m_tokens.openingOf(m_at - 1);
        if (open == 0 || (!isWord(open - 1, "__attribute__") && !isWord(open - 1, "alignas"))) return false;
      }
      if (isWord(m_at - 1, "const") && m_at > 1 && kind(m_at - 2) == tok::r_paren) return false;
      // `device constant`-like nonsense and `*constant` are left to clang.
      if (before == tok::star) {
        // `float* constant table[2] = {...}`: the pointers themselves are constant.
        Kind behind = kind(m_at + 2);
        return kind(m_at + 1) == tok::raw_identifier && scope() == Scope::outer &&
               (behind == tok::equal || behind == tok::semi || behind == tok::l_square ||
                behind == tok::l_brace);
      }
      if (before == tok::amp) return false;
    }
    int angle = 0;
    for (size_t i = m_at + 1; i < m_tokens.size(); ++i) {
      switch (kind(i)) {
      case tok::less:
        ++angle;
        break;
      case tok::greater:
        --angle;
        break;
      case tok::greatergreater:
        angle -= 2;
        break;
      case tok::star:
      case tok::amp:
      case tok::ampamp:
        if (angle <= 0) return false;
        break;
      case tok::semi:
      case tok::equal:
      case tok::l_brace:
      case tok::l_square:
      case tok::eof:
        return true;
      default:
        break;
      }
    }
    return true;
  }

  struct Initializer {
    std::string name;
    size_t first, last; // tokens
  };

  // The last token of an initializer that opens at `at` with `=` or a brace; `at` itself when there is none.
  size_t endOfInitializer(size_t at) const {
    using namespace clang;
    int depth = 0;
    for (size_t i = at; kind(i) != tok::eof; ++i) {
      Kind k = kind(i);
      if (depth == 0 && (k == tok::semi || k == tok::comma)) return i - 1;
      if (k == tok::l_paren || k == tok::l_square || k == tok::l_brace) ++depth;
      if ((k == tok::r_paren || k == tok::r_square || k == tok::r_brace) && depth-- == 0) return at;
    }
    return at;
  }

  // `threadgroup float x[64], y;` in a body becomes a local structure and references into what an intrinsic
  // returns for it: the language mode refuses such variables outside its own kernels. The structure's type is
  // unique per variable. Every thread stores what a declaration initialises with.
  void rewriteThreadgroupVariable() {
    using namespace clang;
    if (m_at > 0 && !startsStatement(m_at - 1)) return;
    size_t end = m_at + 1;
    int angle = 0, square = 0;
    std::vector<std::string> names;
    std::vector<Initializer> initializers;
    for (;; ++end) {
      Kind k = kind(end);
      if (k == tok::semi) break;
      if (angle == 0 && square == 0 && (k == tok::equal || k == tok::l_brace) && end > m_at + 2 &&
          end + 1 < m_tokens.size()) {
        size_t last = endOfInitializer(end);
        if (last == end) return;
        if (kind(end - 1) == tok::raw_identifier) addName(names, end - 1);
        if (names.empty()) return;
        initializers.push_back({names.back(), end, last});
        end = last;
        continue;
      }
      if (k == tok::less)
        ++angle;
      else if (k == tok::greater)
        --angle;
      else if (k == tok::greatergreater)
        angle -= 2;
      else if (k == tok::l_square) {
        if (square++ == 0 && angle == 0 && kind(end - 1) == tok::raw_identifier) addName(names, end - 1);
      } else if (k == tok::r_square)
        --square;
      else if (k == tok::comma && angle == 0 && square == 0) {
        if (kind(end - 1) == tok::raw_identifier &&
            (initializers.empty() || initializers.back().last != end - 1))
          addName(names, end - 1);
      } else if (k == tok::eof || k == tok::star || k == tok::amp || k == tok::equal || k == tok::l_brace ||
                 k == tok::r_brace) {
        if (angle > 0 || square > 0) {
          if (k != tok::eof && k != tok::r_brace) continue;
        }
        return; // a pointer or reference to threadgroup memory, or something clang shall complain about
      } else if (k == tok::l_paren && square == 0 && angle == 0) {
        if (!isWord(end - 1, "alignas")) return;
      }
    }
    if (kind(end - 1) == tok::raw_identifier && angle == 0 &&
        (initializers.empty() || initializers.back().last != end - 1))
      addName(names, end - 1);
    if (names.empty()) return;
    std::string type = fmt::format("$threadgroup{}", m_threadgroupCount++);
    // Only the ends are edited, so that diagnostics about the declaration itself keep their columns.
    size_t typeBegin = m_at;
    if (m_at > 0 && isWord(m_at - 1, "static")) typeBegin = m_at - 1;
    replace(typeBegin, m_at, fmt::format("struct {} {{", type));
    std::string tail = "; };";
    for (const std::string& name : names) {
      tail += fmt::format(" __local auto& {} = $threadgroup_variable<{}>(sizeof({}), alignof({})).{};", name,
                          type, type, type, name);
    }
    for (const Initializer& initializer : initializers) {
      std::string value;
      for (size_t i = initializer.first; i <= initializer.last; ++i)
        value.append(i == initializer.first ? "" : " ").append(text(i));
      tail += fmt::format(" {{ __private decltype({}::{}) $initial {}; $initialize({}, $initial); }}", type,
                          initializer.name, value, initializer.name);
      replace(initializer.first, initializer.last, "");
    }
    replace(end, end, tail);
    m_at = end;
  }

  bool startsStatement(size_t before) const {
    Kind k = kind(before);
    return k == clang::tok::semi || k == clang::tok::l_brace || k == clang::tok::r_brace ||
           isWord(before, "static");
  }

  void addName(std::vector<std::string>& names, size_t token) {
    std::string name(text(token));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }

  void apply() {
    // What closes behind a token comes before an edit of the token that follows at once.
    std::stable_sort(m_pending.begin(), m_pending.end(), [](const Pending& a, const Pending& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.length < b.length;
    });
    std::string& out = m_source.m_respelled;
    uint32_t from = 0;
    for (Pending& edit : m_pending) {
      out.append(m_text, from, edit.begin - from);
      m_source.m_edits.push_back({edit.begin, edit.length, static_cast<uint32_t>(out.size()),
                                  static_cast<uint32_t>(edit.text.size())});
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
  RawTokens m_tokens;
  std::vector<Pending> m_pending;
  std::vector<Scope> m_scopes;
  std::vector<Brace> m_braces;            // as m_scopes
  std::set<std::string> m_constructors;   // those with a qualifier, by their class and text
  std::set<std::string_view> m_records;   // names of structures and classes met so far
  std::set<std::string_view> m_constants; // names of program-scope constants that are no scalars
  std::map<size_t, size_t> m_closings;    // by token: the parentheses that close behind it
  std::map<size_t, size_t> m_dropped;     // first and last tokens of what is left out
  const Respelling m_how;
  size_t m_attributeEnd = SIZE_MAX;  // the last bracket of attributes that stand behind `template`
  size_t m_lastDirective = SIZE_MAX; // the last token met of a preprocessor directive
  size_t m_at = 0;
  int m_parens = 0;
  unsigned m_threadgroupCount = 0;
  bool m_directive = false;
};

RespelledSource::RespelledSource(std::string original, Respelling how) : m_original(std::move(original)) {
  Respeller(*this, how).run();
}

uint32_t RespelledSource::originalOffset(uint32_t respelledOffset) const {
  auto after =
      std::upper_bound(m_edits.begin(), m_edits.end(), respelledOffset,
                       [](uint32_t offset, const Edit& edit) { return offset < edit.respelledBegin; });
  if (after == m_edits.begin()) return respelledOffset;
  const Edit& edit = *(after - 1);
  if (respelledOffset < edit.respelledBegin + edit.respelledLength) return edit.originalBegin;
  return edit.originalBegin + edit.originalLength +
         (respelledOffset - edit.respelledBegin - edit.respelledLength);
}

} // namespace basanite::shader::frontend
