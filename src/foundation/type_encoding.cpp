// SPDX-License-Identifier: Apache-2.0
// Sizes of Objective-C type encodings.
#include "src/foundation/type_encoding.hpp"

#include <algorithm>
#include <cctype>

namespace basanite::foundation {

namespace {

struct Layout {
  size_t size = 0;
  size_t alignment = 1;
};

size_t roundUp(size_t value, size_t alignment) { return (value + alignment - 1) / alignment * alignment; }

// Reads types from the front of an encoding.
class Reader {
 public:
  explicit Reader(std::string_view encoding) : m_rest(encoding) {}

  bool atEnd() const { return m_rest.empty(); }

  std::optional<Layout> type() {
    while (!m_rest.empty() && std::string_view("rnNoORV").find(m_rest[0]) != std::string_view::npos) take();
    if (m_rest.empty()) return std::nullopt;
    switch (take()) {
    case 'c':
    case 'C':
    case 'B':
      return Layout{1, 1};
    case 's':
    case 'S':
      return Layout{2, 2};
    case 'i':
    case 'I':
    case 'f':
      return Layout{4, 4};
    case 'l':
    case 'L':
    case 'q':
    case 'Q':
    case 'd':
    case '*':
    case '@':
    case '#':
    case ':':
      return Layout{8, 8};
    case '^':
      if (!m_rest.empty() && (m_rest[0] == 'v' || m_rest[0] == '?')) {
        take();
        return Layout{8, 8};
      }
      return type() ? std::optional(Layout{8, 8}) : std::nullopt;
    case '[':
      return array();
    case '{':
      return record('}', false);
    case '(':
      return record(')', true);
    default:
      return std::nullopt;
    }
  }

 private:
  char take() {
    const char c = m_rest[0];
    m_rest.remove_prefix(1);
    return c;
  }

  std::optional<Layout> array() {
    size_t count = 0;
    if (m_rest.empty() || !std::isdigit(static_cast<unsigned char>(m_rest[0]))) return std::nullopt;
    while (!m_rest.empty() && std::isdigit(static_cast<unsigned char>(m_rest[0])) && count < 100'000'000) {
      count = count * 10 + static_cast<size_t>(take() - '0');
    }
    const auto element = type();
    if (!element || m_rest.empty() || take() != ']') return std::nullopt;
    return Layout{count * element->size, element->alignment};
  }

  std::optional<Layout> record(char end, bool isUnion) {
    const size_t equals = m_rest.find('=');
    const size_t close = m_rest.find(end);
    if (equals < close) m_rest.remove_prefix(equals + 1);
    Layout whole;
    while (!m_rest.empty() && m_rest[0] != end) {
      const auto field = type();
      if (!field) return std::nullopt;
      const size_t offset = isUnion ? 0 : roundUp(whole.size, field->alignment);
      whole.size = std::max(whole.size, offset + field->size);
      whole.alignment = std::max(whole.alignment, field->alignment);
    }
    if (m_rest.empty()) return std::nullopt;
    take();
    whole.size = roundUp(whole.size, whole.alignment);
    return whole;
  }

  std::string_view m_rest;
};

} // namespace

std::optional<size_t> encodedSize(std::string_view encoding) {
  Reader reader(encoding);
  const auto layout = reader.type();
  if (!layout || !reader.atEnd()) return std::nullopt;
  return layout->size;
}

} // namespace basanite::foundation
