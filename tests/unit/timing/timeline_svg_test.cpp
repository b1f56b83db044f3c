// SPDX-License-Identifier: Apache-2.0
// The timeline picture: well-formed XML, bars where they belong, no text over other text.
#include "src/timing/timeline_svg.hpp"

#include "tests/unit/timing/svg_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace basanite::timing {
namespace {

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

TEST(TimelineSvg, EveryLineOfTheGridHasItsFigure) {
  // The last line lies at, near and far from the right end.
  for (const uint64_t lengthNs : {1'000'000u, 518'080u, 1'999'999u, 500'001u, 7'777u, 90u}) {
    const std::vector<Span> spans = {{"pass", Lane::compute, Granularity::none, 0, 5'000, 5'000 + lengthNs}};
    const std::vector<Element> elements = parsed(timelineSvg(spans));
    expectLegible(elements);
    std::vector<double> lines, figures;
    for (const Element& line : select(elements, "line", "grid")) lines.push_back(line.number("x1"));
    for (const Element& text : select(elements, "text", "quiet"))
      if (text.content != "µs") figures.push_back(text.number("x"));
    EXPECT_GE(lines.size(), 5u) << lengthNs;
    EXPECT_EQ(lines, figures) << lengthNs;
  }
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
