// SPDX-License-Identifier: Apache-2.0
// Draws the picture of a comparison.
#include "src/timing/comparison.hpp"

#include "src/timing/svg_document.hpp"
#include "src/timing/text.hpp"
#include "src/timing/time_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace basanite::timing {
namespace {

// Pixels.
constexpr double kBarHeight = 11;
constexpr double kBarGap = 1;
constexpr double kRowPadding = 5;
constexpr double kGap = 14; // between names, bars and figures
constexpr double kSwatch = 12;
constexpr double kLineHeight = kLabelSize + 8;
constexpr double kNarrowestPlot = 200;
constexpr size_t kLongestName = 24; // columns
constexpr size_t kErrorColumns = 8;
constexpr double kMostPercent = 999; // what has room

// Each stands out from both backgrounds and from the pale bar of the truth, for the colour-blind too.
constexpr std::array<std::string_view, 5> kWayColors = {"#d9661f", "#2f6fd0", "#2c7d4f", "#8250df",
                                                        "#92610a"};

std::string microseconds(double ns) { return fmt::format("{:.0f}", ns / 1000.0); }

std::string truth(const Comparison::Row& row) {
  const std::string least = microseconds(row.leastNs), most = microseconds(row.mostNs);
  return least == most ? most : least + "-" + most;
}

class Picture {
 public:
  Picture(const Comparison& comparison, const ComparisonOptions& options)
      : m_comparison(comparison), m_options(options), m_document(options.width) {}

  std::string draw() {
    double y = m_document.heading(m_options.title, m_options.subtitle);
    if (m_comparison.rows.empty()) {
      m_document.text(kPictureMargin, y + kLabelSize, "quiet", "no rows");
      return m_document.finish(y + kLabelSize, "Comparison");
    }
    y = drawLegend(y) + 12;
    layOutColumns();
    y = drawColumnHeadings(y);
    const double top = y;
    const double rowHeight = ways() * (kBarHeight + kBarGap) + 2 * kRowPadding;
    const double bottom = top + rowHeight * static_cast<double>(m_comparison.rows.size());
    const TimeAxis axis(0, longestNs() * 1.02, m_plotLeft, m_plotWidth);
    for (size_t i = 0; i < m_comparison.rows.size(); i += 2)
      m_document.rect(kPictureMargin / 2, top + static_cast<double>(i) * rowHeight,
                      m_document.width() - kPictureMargin, rowHeight, 4, "lane");
    const double axisBottom = axis.draw(m_document, top, bottom + 2);
    for (const Comparison::Row& row : m_comparison.rows) {
      drawRow(row, axis, y, rowHeight);
      y += rowHeight;
    }
    return m_document.finish(axisBottom, "Comparison");
  }

 private:
  double ways() const { return static_cast<double>(m_comparison.ways.size()); }
  static std::string_view colorOf(size_t way) { return kWayColors[way % kWayColors.size()]; }

  double longestNs() const {
    double longest = 1;
    for (const Comparison::Row& row : m_comparison.rows) {
      longest = std::max(longest, row.mostNs);
      for (double value : row.valueNs) longest = std::max(longest, value);
    }
    return longest;
  }

  // One line each, with the share of misplaced time: the whole picture in a sentence.
  double drawLegend(double y) {
    const auto entry = [&](const std::string& label, std::string_view style, std::string_view fill) {
      m_document.rect(kPictureMargin, y, kSwatch, kSwatch, 2, style, fill);
      const double x = kPictureMargin + kSwatch + 8;
      const auto room = static_cast<size_t>((m_document.width() - x - kPictureMargin) / kLabelAdvance);
      m_document.text(x, y + kLabelSize * 0.85, "legend", shortened(label, room));
      y += kLineHeight;
    };
    entry(printable(m_comparison.truth) + ": the truth, between two marks where it is known only so far",
          "truth", "");
    for (size_t way = 0; way < m_comparison.ways.size(); ++way)
      entry(fmt::format("{}: {:.1f} % of the time stands in the wrong place",
                        printable(m_comparison.ways[way]), misplacedPercent(m_comparison, way)),
            "", colorOf(way));
    return y;
  }

  void layOutColumns() {
    size_t nameColumns = 0, kindColumns = 0, figureColumns = 7, truthColumns = 7;
    for (const Comparison::Row& row : m_comparison.rows) {
      nameColumns = std::max(nameColumns, std::min(columnsOf(printable(row.name)), kLongestName));
      kindColumns = std::max(kindColumns, std::min(columnsOf(printable(row.kind)), kLongestName));
      truthColumns = std::max(truthColumns, columnsOf(truth(row)));
      for (size_t way = 0; way < m_comparison.ways.size(); ++way)
        figureColumns = std::max(figureColumns, columnsOf(microseconds(row.valueNs[way])));
    }
    const auto pixels = [](size_t columns) { return static_cast<double>(columns) * kLabelAdvance; };
    m_kindLeft = kPictureMargin + pixels(nameColumns) + kGap;
    const double right = m_document.width() - kPictureMargin;
    m_figureWidth = pixels(figureColumns) + kGap;
    m_truthWidth = pixels(truthColumns) + kGap;
    m_errorWidth = pixels(kErrorColumns);
    const double figures = m_truthWidth + (m_figureWidth + m_errorWidth) * ways();
    m_plotLeft = m_kindLeft + (kindColumns > 0 ? pixels(kindColumns) + kGap : 0);
    m_hasKinds = kindColumns > 0;
    if (m_hasKinds && right - m_plotLeft < kNarrowestPlot) {
      m_hasKinds = false;
      m_plotLeft = m_kindLeft;
    }
    m_hasFigures = right - figures - m_plotLeft >= kNarrowestPlot;
    m_plotWidth = std::max(1.0, right - m_plotLeft - (m_hasFigures ? figures : 0));
  }

  // The right edges of the figures of the truth, of a way, and of a way's error.
  double trueRight() const { return m_plotLeft + m_plotWidth + m_truthWidth; }
  double valueRight(size_t way) const { return errorRight(way) - m_errorWidth; }
  double errorRight(size_t way) const {
    return trueRight() + (m_figureWidth + m_errorWidth) * static_cast<double>(way + 1);
  }

  double drawColumnHeadings(double y) {
    if (!m_hasFigures) return y;
    const auto fitting = [](const std::string& heading, double width) {
      return shortened(printable(heading), static_cast<size_t>((width - kGap) / kLabelAdvance));
    };
    m_document.text(trueRight(), y, "quiet", fitting(m_comparison.truth, m_truthWidth), "end");
    for (size_t way = 0; way < m_comparison.ways.size(); ++way)
      m_document.text(errorRight(way), y, "quiet",
                      fitting(m_comparison.ways[way], m_figureWidth + m_errorWidth), "end");
    return y + 8;
  }

  static std::string errorOf(const Comparison::Row& row, size_t way) {
    const double percent = errorPercent(row, way);
    return percent < kMostPercent ? fmt::format("{:+.0f} %", percent)
                                  : fmt::format("> {:.0f} %", kMostPercent);
  }
  static bool isNoticeable(const Comparison::Row& row, size_t way) {
    return std::abs(errorPercent(row, way)) > kNoticeablePercent &&
           std::abs(outsideNs(row, way)) > kNoticeableNs;
  }

  void drawRow(const Comparison::Row& row, const TimeAxis& axis, double top, double height) {
    const double textY = top + height / 2 + kLabelSize * 0.35;
    m_document.beginGroup(tooltipOf(row));
    m_document.text(kPictureMargin, textY, "", shortened(printable(row.name), kLongestName));
    if (m_hasKinds) m_document.text(m_kindLeft, textY, "quiet", shortened(printable(row.kind), kLongestName));

    const double barTop = top + kRowPadding;
    const double leastX = axis.x(std::max(0.0, row.leastNs)), mostX = axis.x(std::max(0.0, row.mostNs));
    m_document.rect(axis.left(), top + 2, mostX - axis.left(), height - 4, 0, "truth");
    for (size_t way = 0; way < m_comparison.ways.size(); ++way) {
      const double width = axis.x(row.valueNs[way]) - axis.left();
      if (width > 0)
        m_document.rect(axis.left(), barTop + static_cast<double>(way) * (kBarHeight + kBarGap), width,
                        kBarHeight, 0, "bar", colorOf(way));
    }
    if (mostX - leastX > 2) m_document.line(leastX, top + 2, leastX, top + height - 2, "mark");
    m_document.line(mostX, top + 2, mostX, top + height - 2, "mark");
    if (m_hasFigures) {
      m_document.text(trueRight(), textY, "", truth(row), "end");
      for (size_t way = 0; way < m_comparison.ways.size(); ++way) {
        m_document.text(valueRight(way), textY, "", microseconds(row.valueNs[way]), "end");
        m_document.text(errorRight(way), textY, isNoticeable(row, way) ? "warning" : "quiet",
                        errorOf(row, way), "end");
      }
    }
    m_document.endGroup();
  }

  std::string tooltipOf(const Comparison::Row& row) const {
    std::string tip = fmt::format("{}\n{} {:.3f} to {:.3f} µs", printable(row.name),
                                  printable(m_comparison.truth), row.leastNs / 1000.0, row.mostNs / 1000.0);
    for (size_t way = 0; way < m_comparison.ways.size(); ++way)
      tip += fmt::format("\n{} {:.3f} µs, {:+.1f} %", printable(m_comparison.ways[way]),
                         row.valueNs[way] / 1000.0, errorPercent(row, way));
    return tip;
  }

  const Comparison& m_comparison;
  const ComparisonOptions& m_options;
  SvgDocument m_document;
  double m_kindLeft = 0, m_plotLeft = 0, m_plotWidth = 0, m_truthWidth = 0, m_figureWidth = 0,
         m_errorWidth = 0;
  bool m_hasKinds = false, m_hasFigures = false;
};

} // namespace

std::string comparisonSvg(const Comparison& comparison, const ComparisonOptions& options) {
  return Picture(comparison, options).draw();
}

} // namespace basanite::timing
