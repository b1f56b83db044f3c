// SPDX-License-Identifier: Apache-2.0
// Reads the pictures back: well-formed XML, elements by style, no text over other text.
#pragma once

#include "src/timing/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::timing {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string content; // text directly inside
  double number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }
  bool hasClass(std::string_view style) const {
    const auto found = attributes.find("class");
    return found != attributes.end() && found->second.find(style) != std::string::npos;
  }
};

// A strict reader of the XML subset that the picture uses: elements, quoted attributes, the five entities.
// Elements come in order of their start tags. `error` stays empty when the document is well formed.
class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : m_text(text) {
    while (error.empty() && m_at < m_text.size()) {
      if (m_text[m_at] == '<')
        readTag();
      else
        readText();
    }
    if (error.empty() && (!m_open.empty() || m_roots != 1)) fail("not exactly one closed root");
  }

  std::vector<Element> elements;
  std::string error;

 private:
  void fail(const std::string& what) {
    if (error.empty()) error = what + " at byte " + std::to_string(m_at);
  }

  void readText() {
    const size_t end = std::min(m_text.find('<', m_at), m_text.size());
    const std::string text = unescaped(m_text.substr(m_at, end - m_at));
    if (!m_open.empty())
      elements[m_open.back()].content += text;
    else if (text.find_first_not_of(" \n") != std::string::npos)
      fail("text outside the root");
    m_at = end;
  }

  void readTag() {
    const bool closing = m_text.substr(m_at, 2) == "</";
    m_at += closing ? 2 : 1;
    const std::string name = readName();
    if (closing) {
      if (m_open.empty() || elements[m_open.back()].name != name) return fail("unexpected </" + name + ">");
      m_open.pop_back();
      return expect('>');
    }
    if (m_open.empty()) ++m_roots;
    elements.push_back({name, {}, {}});
    const size_t index = elements.size() - 1;
    while (error.empty() && m_at < m_text.size() && m_text[m_at] != '>' && m_text[m_at] != '/')
      readAttribute(index);
    if (m_at < m_text.size() && m_text[m_at] == '/')
      ++m_at;
    else
      m_open.push_back(index);
    expect('>');
  }

  void readAttribute(size_t element) {
    expect(' ');
    const std::string name = readName();
    expect('=');
    expect('"');
    const size_t end = m_text.find('"', m_at);
    if (end == std::string_view::npos) return fail("unclosed attribute");
    if (!elements[element].attributes.emplace(name, unescaped(m_text.substr(m_at, end - m_at))).second)
      fail("attribute " + name + " twice");
    m_at = end + 1;
  }

  std::string readName() {
    const size_t first = m_at;
    while (m_at < m_text.size() &&
           (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '-'))
      ++m_at;
    if (m_at == first) fail("no name");
    return std::string(m_text.substr(first, m_at - first));
  }

  void expect(char c) {
    if (m_at >= m_text.size() || m_text[m_at] != c) return fail(std::string("expected ") + c);
    ++m_at;
  }

  std::string unescaped(std::string_view text) {
    static const std::map<std::string_view, char> kEntities = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    const auto isControl = [](unsigned char c) { return c < 0x20 && c != '\n'; };
    if (std::any_of(text.begin(), text.end(), isControl)) fail("a control character");
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '<') fail("a bare <");
      if (text[i] != '&') {
        result += text[i];
        continue;
      }
      const size_t end = text.find(';', i);
      const auto entity =
          end == std::string_view::npos ? kEntities.end() : kEntities.find(text.substr(i + 1, end - i - 1));
      if (entity == kEntities.end()) {
        fail("an unknown entity");
        return result;
      }
      result += entity->second;
      i = end;
    }
    return result;
  }

  std::string_view m_text;
  size_t m_at = 0;
  size_t m_roots = 0;
  std::vector<size_t> m_open;
};

inline std::vector<Element> parsed(const std::string& svg) {
  XmlReader reader(svg);
  EXPECT_EQ(reader.error, "") << svg;
  return reader.elements;
}

inline std::vector<Element> select(const std::vector<Element>& all, std::string_view name,
                                   std::string_view style) {
  std::vector<Element> result;
  std::copy_if(all.begin(), all.end(), std::back_inserter(result),
               [&](const Element& element) { return element.name == name && element.hasClass(style); });
  return result;
}

// The rectangle a text covers, by the advance of a monospaced font.
struct Box {
  double left, right, top, bottom;
  bool overlaps(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

inline Box boxOf(const Element& text) {
  const double size = text.hasClass("title") ? 16 : 12;
  const double width = static_cast<double>(columnsOf(text.content)) * size * 0.6;
  const auto anchor = text.attributes.find("text-anchor");
  double left = text.number("x");
  if (anchor != text.attributes.end() && anchor->second == "middle") left -= width / 2;
  if (anchor != text.attributes.end() && anchor->second == "end") left -= width;
  return {left, left + width, text.number("y") - 0.8 * size, text.number("y") + 0.2 * size};
}

inline void expectLegible(const std::vector<Element>& elements) {
  const Element& root = elements.front();
  std::vector<Box> boxes;
  for (const Element& element : elements)
    if (element.name == "text") boxes.push_back(boxOf(element));
  for (size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_GE(boxes[i].left, 0);
    EXPECT_LE(boxes[i].right, root.number("width"));
    EXPECT_LE(boxes[i].bottom, root.number("height"));
    for (size_t j = i + 1; j < boxes.size(); ++j)
      EXPECT_FALSE(boxes[i].overlaps(boxes[j])) << i << " and " << j;
  }
}

} // namespace basanite::timing
