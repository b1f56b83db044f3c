// SPDX-License-Identifier: Apache-2.0
// The timeline picture: well-formed XML, bars where they belong, no text over other text.
#include "src/timing/timeline_svg.hpp"

#include "src/timing/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>

namespace basanite::timing {
namespace {

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

std::vector<Element> parsed(const std::string& svg) {
  XmlReader reader(svg);
  EXPECT_EQ(reader.error, "") << svg;
  return reader.elements;
}

std::vector<Element> select(const std::vector<Element>& all, std::string_view name, std::string_view style) {
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

Box boxOf(const Element& text) {
  const double size = text.hasClass("title") ? 16 : 12;
  const double width = static_cast<double>(columnsOf(text.content)) * size * 0.6;
  const auto anchor = text.attributes.find("text-anchor");
  double left = text.number("x");
  if (anchor != text.attributes.end() && anchor->second == "middle") left -= width / 2;
  if (anchor != text.attributes.end() && anchor->second == "end") left -= width;
  return {left, left + width, text.number("y") - 0.8 * size, text.number("y") + 0.2 * size};
}

void expectLegible(const std::vector<Element>& elements) {
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

std::vector<Span> threePasses() {
  return {{"frame", Lane::commandBuffer, Granularity::none, 0, 1'000'000, 2'000'000},
          {"shadow", Lane::vertex, Granularity::precise, 0, 1'000'000, 1'100'000},
          {"shadow", Lane::fragment, Granularity::precise, 0, 1'050'000, 1'060'000},
          {"scene", Lane::vertex, Granularity::precise, 0, 1'100'000, 1'300'000},
          {"scene", Lane::fragment, Granularity::precise, 0, 1'300'000, 1'800'000},
          {"tone map", Lane::compute, Granularity::precise, 0, 1'800'000, 2'000'000}};
}

TEST(TimelineSvg, BarsLieOnTheAxis) {
  const std::vector<Element> elements =
      parsed(timelineSvg(threePasses(), {.title = "Frame 3", .subtitle = "on a GPU"}));
  EXPECT_EQ(elements.front().name, "svg");
  EXPECT_EQ(elements.front().attributes.at("xmlns"), "http://www.w3.org/2000/svg");
  expectLegible(elements);

  const std::vector<Element> bars = select(elements, "rect", "bar");
  ASSERT_EQ(bars.size(), 6u);
  const Element& whole = bars[0];
  for (const Element& bar : bars) {
    EXPECT_GE(bar.number("x"), whole.number("x") - 0.01);
    EXPECT_LE(bar.number("x") + bar.number("width"), whole.number("x") + whole.number("width") + 0.01);
  }
  const double pixelsPerUs = whole.number("width") / 1000;
  EXPECT_NEAR(bars[4].number("x"), whole.number("x") + 300 * pixelsPerUs, 0.02);
  EXPECT_NEAR(bars[4].number("width"), 500 * pixelsPerUs, 0.02);
  EXPECT_EQ(select(elements, "rect", "lane").size(), 4u);
  EXPECT_EQ(bars[1].attributes.at("fill"), bars[2].attributes.at("fill")); // one colour a pass, in every lane
  EXPECT_NE(bars[1].attributes.at("fill"), bars[3].attributes.at("fill"));
}

TEST(TimelineSvg, LegendNamesEveryPassAndTooltipsGiveTheFigures) {
  const std::vector<Element> elements = parsed(timelineSvg(threePasses()));
  std::vector<std::string> legend;
  for (const Element& entry : select(elements, "text", "legend")) legend.push_back(entry.content);
  EXPECT_EQ(legend, (std::vector<std::string>{"shadow", "scene", "tone map"}));

  std::vector<std::string> labels;
  for (const Element& label : select(elements, "text", "on-bar")) labels.push_back(label.content);
  EXPECT_EQ(labels,
            (std::vector<std::string>{"frame", "shadow", "scene", "scene", "tone map"})); // 10 us has no room

  const auto tip = std::find_if(elements.begin(), elements.end(), [](const Element& element) {
    return element.name == "title" && element.content.find("scene: fragment") != std::string::npos;
  });
  ASSERT_NE(tip, elements.end());
  EXPECT_EQ(tip->content, "scene: fragment, frame 0, precise\nstart 300.000 µs, duration 500.000 µs, 50.0 %");
}

TEST(TimelineSvg, OverlapsAreStacked) {
  const std::vector<Span> spans = {{"a", Lane::compute, Granularity::precise, 0, 100, 300},
                                   {"b", Lane::compute, Granularity::precise, 0, 200, 400}};
  const std::vector<Element> bars = select(parsed(timelineSvg(spans)), "rect", "bar");
  ASSERT_EQ(bars.size(), 2u);
  EXPECT_GE(bars[1].number("y"), bars[0].number("y") + bars[0].number("height"));
}

TEST(TimelineSvg, OddSpans) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  const std::vector<Span> spans = {{"reversed", Lane::vertex, Granularity::precise, 0, 900'000, 500'000},
                                   {"none", Lane::fragment, Granularity::precise, 0, 900'000, 900'000},
                                   {"unwritten", Lane::compute, Granularity::precise, 0, 100, 0}};
  const std::vector<Element> elements = parsed(timelineSvg(spans));
  const std::vector<Element> bars = select(elements, "rect", "bar");
  ASSERT_EQ(bars.size(), 2u);
  EXPECT_TRUE(bars[0].hasClass("reversed"));
  EXPECT_GT(bars[0].number("width"), 500);
  EXPECT_GT(bars[1].number("width"), 0);
  EXPECT_LE(bars[1].number("x") + bars[1].number("width"),
            bars[0].number("x") + bars[0].number("width") + 0.01);
  expectLegible(elements);
  const std::vector<Element> quiet = select(elements, "text", "quiet");
  EXPECT_EQ(quiet.back().content, "not written: 1 of 3 spans");

  expectLegible(
      parsed(timelineSvg(std::vector<Span>{{"huge", Lane::vertex, Granularity::none, 9, 1, kMax}})));
  expectLegible(parsed(timelineSvg(std::vector<Span>{{"dot", Lane::vertex, Granularity::none, 9, 5, 5}})));
  expectLegible(parsed(timelineSvg({}, {.title = "nothing", .subtitle = ""})));
}

TEST(TimelineSvg, StrangeNamesAndManyPasses) {
  std::vector<Span> spans = {{"<a & \"b\">", Lane::vertex, Granularity::none, 0, 1'000, 900'000},
                             {"日本語 \xFF\x01", Lane::fragment, Granularity::none, 0, 1'000, 900'000},
                             {std::string(500, 'W'), Lane::compute, Granularity::none, 0, 1'000, 900'000}};
  for (int i = 0; i < 40; ++i)
    spans.push_back({"pass " + std::to_string(i), Lane::compute, Granularity::none, 0,
                     901'000u + 1'000u * unsigned(i), 901'900u + 1'000u * unsigned(i)});
  for (const unsigned width : {0u, 700u, 2000u}) {
    const std::vector<Element> elements = parsed(timelineSvg(
        spans, {.title = std::string(400, 'T') + "<&", .subtitle = std::string(400, 's'), .width = width}));
    expectLegible(elements);
    EXPECT_EQ(select(elements, "text", "legend").size(), 43u);
    EXPECT_EQ(select(elements, "text", "legend").front().content, "<a & \"b\">");
  }
}

} // namespace
} // namespace basanite::timing
