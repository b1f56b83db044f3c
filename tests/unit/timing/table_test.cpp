// SPDX-License-Identifier: Apache-2.0
// The table: order, figures, aligned columns, width.
#include "src/timing/table.hpp"

#include "src/timing/text.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace basanite::timing {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Table, ExactText) {
  const std::vector<Span> spans = {
      {"tone map", Lane::compute, Granularity::relaxed, 7, 1'800'000, 2'000'000},
      {"shadow", Lane::vertex, Granularity::precise, 7, 1'000'000, 1'250'500},
      {"frame", Lane::commandBuffer, Granularity::none, 7, 1'000'000, 2'000'000}};
  EXPECT_EQ(table(spans), "pass      stage           granularity  start us  duration us    share\n"
                          "frame     command buffer  -               0.000     1000.000  100.0 %\n"
                          "shadow    vertex          precise         0.000      250.500   25.1 %\n"
                          "tone map  compute         relaxed       800.000      200.000   20.0 %\n");
}

TEST(Table, SeveralFramesCountFromTheirOwnStart) {
  const std::vector<Span> spans = {{"b", Lane::compute, Granularity::relaxed, 12, 9'000, 10'000},
                                   {"a", Lane::compute, Granularity::precise, 3, 5'000, 5'500}};
  EXPECT_EQ(table(spans), "frame  pass  stage    granularity  start us  duration us    share\n"
                          "    3  a     compute  precise         0.000        0.500  100.0 %\n"
                          "   12  b     compute  relaxed         0.000        1.000  100.0 %\n");
}

TEST(Table, OddSpans) {
  const std::vector<Span> spans = {{"a", Lane::vertex, Granularity::precise, 0, 0, 100},
                                   {"b", Lane::vertex, Granularity::precise, 0, 3'000, 2'000},
                                   {"c", Lane::vertex, Granularity::precise, 0, 2'500, 2'500}};
  EXPECT_EQ(table(spans), "pass  stage   granularity  start us  duration us     share\n"
                          "c     vertex  precise         0.500        0.000     0.0 %\n"
                          "b     vertex  precise         1.000       -1.000  -100.0 %\n"
                          "a     vertex  precise             -  not written         -\n");
  EXPECT_EQ(table({}), "no spans\n");
}

TEST(Table, AFrameOfNoLengthHasNoShare) {
  const std::vector<Span> spans = {{"a", Lane::vertex, Granularity::precise, 0, 50, 50}};
  EXPECT_EQ(table(spans), "pass  stage   granularity  start us  duration us  share\n"
                          "a     vertex  precise         0.000        0.000      -\n");
}

TEST(Table, LinesAreEquallyWideAndLongNamesAreShortened) {
  const std::vector<Span> spans = {
      {std::string(300, 'x'), Lane::commandBuffer, Granularity::none, 0, 1, 1'000'000'000'000},
      {"日本語のとても長い名前のパスです", Lane::fragment, Granularity::precise, 0, 1, 2},
      {"short\n", Lane::vertex, Granularity::relaxed, 0, 1, 2}};
  for (const size_t width : {80u, 100u, 120u}) {
    const std::vector<std::string> lines = linesOf(table(spans, {.maxColumns = width}));
    ASSERT_EQ(lines.size(), 4u);
    for (const std::string& line : lines) {
      EXPECT_EQ(columnsOf(line), columnsOf(lines[0])) << line;
      EXPECT_LE(columnsOf(line), width) << line;
    }
    EXPECT_NE(lines[1].find("…"), std::string::npos);
  }
}

} // namespace
} // namespace basanite::timing
