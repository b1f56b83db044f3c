// SPDX-License-Identifier: Apache-2.0
// Comparisons: errors and shares, the picture's bars and marks, the table, the JSON.
#include "src/timing/comparison.hpp"

#include "tests/unit/timing/svg_reader.hpp"

#include <nlohmann/json.hpp>

namespace basanite::timing {
namespace {

// Relaxed puts 100 us of `b` on `a`; precise is off by 2 us.
Comparison twoDraws() {
  return {"alone",
          {"relaxed", "precise"},
          {{"a", "fragment", 190'000, 200'000, {300'000, 202'000}},
           {"b", "vertex", 100'000, 100'000, {0, 100'000}}}};
}

TEST(Comparison, ErrorsAndShares) {
  const Comparison comparison = twoDraws();
  EXPECT_DOUBLE_EQ(errorPercent(comparison.rows[0], 0), 50);
  EXPECT_DOUBLE_EQ(errorPercent(comparison.rows[1], 0), -100);
  EXPECT_DOUBLE_EQ(errorPercent(comparison.rows[0], 1), 1);
  EXPECT_EQ(errorPercent({"between", "", 100, 200, {150}}, 0), 0);
  EXPECT_DOUBLE_EQ(errorPercent({"short", "", 100, 200, {75}}, 0), -25);
  EXPECT_EQ(outsideNs({"short", "", 100, 200, {75}}, 0), -25);
  EXPECT_NEAR(misplacedPercent(comparison, 0), 100.0 / 3, 1e-9); // 100 of 300 us
  EXPECT_NEAR(misplacedPercent(comparison, 1), 1.0 / 3, 1e-9);
  EXPECT_EQ(errorPercent({"nothing", "", 0, 0, {5}}, 0), 0);
  EXPECT_EQ(misplacedPercent({"alone", {"relaxed"}, {}}, 0), 0);
}

TEST(Comparison, BarsAreAsLongAsTheyWereMeasuredAndMarksStandAtTheTruth) {
  const std::vector<Element> elements =
      parsed(comparisonSvg(twoDraws(), {.title = "Draws", .subtitle = "on a GPU"}));
  expectLegible(elements);
  const std::vector<Element> bars = select(elements, "rect", "bar");
  const std::vector<Element> truths = select(elements, "rect", "truth");
  const std::vector<Element> marks = select(elements, "line", "mark");
  ASSERT_EQ(bars.size(), 3u);   // a value of 0 has none
  ASSERT_EQ(truths.size(), 3u); // the first is the legend's
  ASSERT_EQ(marks.size(), 3u);  // least and most of the first, and of the second, where they are equal, one
  const double pixelsPerUs = truths[1].number("width") / 200;
  EXPECT_NEAR(bars[0].number("width"), 300 * pixelsPerUs, 0.03);
  EXPECT_NEAR(bars[1].number("width"), 202 * pixelsPerUs, 0.03);
  EXPECT_NEAR(bars[2].number("width"), 100 * pixelsPerUs, 0.03);
  EXPECT_NEAR(truths[2].number("width"), 100 * pixelsPerUs, 0.03);
  EXPECT_NEAR(marks[0].number("x1"), bars[0].number("x") + 190 * pixelsPerUs, 0.1);
  EXPECT_NEAR(marks[1].number("x1"), bars[0].number("x") + 200 * pixelsPerUs, 0.1);
  EXPECT_NE(bars[0].attributes.at("fill"), bars[1].attributes.at("fill"));
  EXPECT_EQ(bars[1].attributes.at("fill"), bars[2].attributes.at("fill")); // one colour a way
  // What is far off stands out, what is not does not.
  std::vector<std::string> warnings;
  for (const Element& text : select(elements, "text", "warning")) warnings.push_back(text.content);
  EXPECT_EQ(warnings, (std::vector<std::string>{"+50 %", "-100 %"}));
}

TEST(Comparison, SmallDifferencesAreNotEmphasized) {
  // 50 % off, but by 5 us only.
  const Comparison comparison = {
      "alone", {"relaxed"}, {{"a", "", 10'000, 10'000, {15'000}}, {"b", "", 900'000, 900'000, {900'000}}}};
  EXPECT_TRUE(select(parsed(comparisonSvg(comparison)), "text", "warning").empty());
}

TEST(Comparison, OddPicturesStayLegible) {
  expectLegible(parsed(comparisonSvg({"alone", {"relaxed"}, {}})));
  expectLegible(parsed(comparisonSvg({"alone", {"relaxed"}, {{"none", "", 0, 0, {-5}}}})));
  Comparison many = {std::string(80, 'T'), {"<relaxed>", std::string(60, 'w')}, {}};
  for (int i = 0; i < 60; ++i)
    many.rows.push_back(
        {std::string(static_cast<size_t>(i), 'n') + "<&\"", "k\xFF", 1e12 * i, 1.1e12 * i, {1e13, 1e3}});
  for (const unsigned width : {0u, 700u, 2000u})
    expectLegible(
        parsed(comparisonSvg(many, {.title = std::string(400, 'T'), .subtitle = "s", .width = width})));
}

TEST(Comparison, Table) {
  EXPECT_EQ(comparisonTable(twoDraws()),
            "                        alone us  relaxed us   error  precise us  error\n"
            "a          fragment  190.0-200.0       300.0   +50 %       202.0   +1 %\n"
            "b          vertex          100.0         0.0  -100 %       100.0   +0 %\n"
            "sum                  290.0-300.0       300.0    +0 %       302.0   +1 %\n"
            "misplaced                                     33.3 %              0.3 %\n");
}

TEST(Comparison, Json) {
  const auto json = nlohmann::json::parse(comparisonJson(twoDraws(), "a \"GPU\""));
  EXPECT_EQ(json.at("device"), "a \"GPU\"");
  EXPECT_EQ(json.at("truth"), "alone");
  EXPECT_EQ(json.at("ways"), (std::vector<std::string>{"relaxed", "precise"}));
  ASSERT_EQ(json.at("rows").size(), 2u);
  EXPECT_EQ(json.at("rows")[1].at("name"), "b");
  EXPECT_EQ(json.at("rows")[1].at("kind"), "vertex");
  EXPECT_EQ(json.at("rows")[0].at("least_ns"), 190'000);
  EXPECT_EQ(json.at("rows")[0].at("most_ns"), 200'000);
  EXPECT_EQ(json.at("rows")[1].at("relaxed_ns"), 0);
  EXPECT_EQ(json.at("rows")[1].at("relaxed_error_percent"), -100);
  EXPECT_NEAR(json.at("misplaced_percent").at("relaxed").get<double>(), 100.0 / 3, 1e-9);
}

} // namespace
} // namespace basanite::timing
