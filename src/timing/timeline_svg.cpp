// SPDX-License-Identifier: Apache-2.0
// Draws the timeline picture.
#include "src/timing/timeline_svg.hpp"

#include "src/timing/svg_document.hpp"
#include "src/timing/text.hpp"
#include "src/timing/time_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace basanite::timing {
namespace {

// Pixels.
constexpr double kLaneLabelWidth = 132;
constexpr double kRowHeight = 26;
constexpr double kBarHeight = 22;
constexpr double kLanePadding = 8;
constexpr double kThinnestBar = 1.5;
constexpr double kLabelMargin = 6;

// White text is legible on each of them, and each stands out from both backgrounds.
constexpr std::array<std::string_view, 10> kPassColors = {"#2f6fd0", "#b3541e", "#2c7d4f", "#8250df",
                                                          "#b83280", "#0b7285", "#92610a", "#c92a2a",
                                                          "#4c6a1f", "#5f5a9e"};
constexpr std::string_view kCommandBufferColor = "#66707b";

// Passes in order of their first appearance, each with its colour.
class Palette {
 public:
  explicit Palette(std::span<const Span> spans) {
    for (const Span& span : spans)
      if (isMeasured(span) && span.lane != Lane::commandBuffer && !m_indices.count(span.pass)) {
        m_indices[span.pass] = m_passes.size();
        m_passes.push_back(span.pass);
      }
  }

  const std::vector<std::string>& passes() const { return m_passes; }

  std::string colorOf(const std::string& pass) const {
    const auto found = m_indices.find(pass);
    if (found == m_indices.end()) return std::string(kCommandBufferColor);
    if (found->second < kPassColors.size()) return std::string(kPassColors[found->second]);
    // Past the chosen colours, hues a golden angle apart stay distinct for long.
    const double hue = std::fmod(static_cast<double>(found->second) * 137.508, 360.0);
    return fmt::format("hsl({:.0f}, 48%, 40%)", hue);
  }

 private:
  std::vector<std::string> m_passes;
  std::map<std::string, size_t> m_indices;
};

struct LaneBox {
  Lane lane;
  double top;
  double height;
};

class Picture {
 public:
  Picture(std::span<const Span> spans, const TimelineOptions& options)
      : m_spans(spans), m_options(options), m_document(options.width), m_rows(assignRows(spans)),
        m_extent(extentOf(spans)), m_palette(spans),
        m_axis(static_cast<double>(m_extent.startNs), static_cast<double>(m_extent.lengthNs()),
               kPictureMargin + kLaneLabelWidth, m_document.width() - 2 * kPictureMargin - kLaneLabelWidth) {}

  std::string draw() {
    m_y = m_document.heading(m_options.title, m_options.subtitle);
    layOutLanes();
    drawLanes();
    drawAxis();
    for (size_t i = 0; i < m_spans.size(); ++i)
      if (isMeasured(m_spans[i])) drawSpan(m_spans[i], m_rows[i]);
    drawLegend();
    drawNote();
    return m_document.finish(m_y, "Timeline");
  }

 private:
  void layOutLanes() {
    std::map<Lane, size_t> rowCounts;
    for (size_t i = 0; i < m_spans.size(); ++i) {
      if (!isMeasured(m_spans[i])) continue;
      size_t& count = rowCounts[m_spans[i].lane];
      count = std::max(count, m_rows[i] + 1);
    }
    for (const auto& [lane, rows] : rowCounts) {
      const double height = static_cast<double>(rows) * kRowHeight + kLanePadding;
      m_lanes.push_back({lane, m_y, height});
      m_y += height + 6;
    }
  }

  void drawLanes() {
    for (const LaneBox& box : m_lanes) {
      m_document.rect(m_axis.left(), box.top, m_axis.width(), box.height, 4, "lane");
      m_document.text(kPictureMargin, box.top + (kLanePadding + kRowHeight) / 2 + kLabelSize * 0.35, "",
                      laneName(box.lane));
    }
  }

  void drawAxis() {
    if (m_lanes.empty()) {
      m_y += kLabelSize;
      m_document.text(kPictureMargin, m_y, "quiet", "no spans");
      m_y += 10;
      return;
    }
    m_y = m_axis.draw(m_document, m_lanes.front().top, m_y - 2) + 10;
  }

  void drawSpan(const Span& span, size_t row) {
    const auto box = std::find_if(m_lanes.begin(), m_lanes.end(),
                                  [&](const LaneBox& candidate) { return candidate.lane == span.lane; });
    const bool reversed = span.endNs < span.startNs;
    const auto [first, last] = std::minmax(span.startNs, span.endNs);
    const double left = m_axis.x(static_cast<double>(first));
    const double width = std::max(m_axis.x(static_cast<double>(last)) - left, kThinnestBar);
    // The thinnest bars at the right end stay inside the lane.
    const double x = std::min(left, m_axis.left() + m_axis.width() - width);
    const double y =
        box->top + kLanePadding / 2 + static_cast<double>(row) * kRowHeight + (kRowHeight - kBarHeight) / 2;

    m_document.beginGroup(tooltipOf(span));
    m_document.rect(x, y, width, kBarHeight, width > 8 ? 3 : 0, reversed ? "bar reversed" : "bar",
                    m_palette.colorOf(span.pass));
    const std::string label = printable(span.pass);
    if (!reversed && widthOf(label) + 2 * kLabelMargin <= width)
      m_document.text(x + kLabelMargin, y + kBarHeight / 2 + kLabelSize * 0.35, "on-bar", label);
    m_document.endGroup();
  }

  std::string tooltipOf(const Span& span) const {
    const double startUs = static_cast<double>(span.startNs - m_extent.startNs) / 1000.0;
    const auto durationInNs = static_cast<double>(durationNs(span));
    std::string tip = fmt::format("{}: {}, frame {}", printable(span.pass), laneName(span.lane), span.frame);
    if (span.granularity != Granularity::none) tip += fmt::format(", {}", granularityName(span.granularity));
    tip += fmt::format("\nstart {:.3f} µs, duration {:.3f} µs", startUs, durationInNs / 1000.0);
    if (m_extent.lengthNs() > 0) tip += fmt::format(", {:.1f} %", 100.0 * durationInNs / m_axis.lengthNs());
    if (durationInNs < 0) tip += "\nthe end lies before the start";
    return tip;
  }

  // Swatches and names, as many in a line as fit.
  void drawLegend() {
    constexpr double kSwatch = 12;
    constexpr double kEntryGap = 22;
    const double room = m_document.width() - 2 * kPictureMargin;
    const auto longest = static_cast<size_t>((room - kSwatch - kLabelMargin) / kLabelAdvance);
    if (m_palette.passes().empty()) return;

    double x = kPictureMargin;
    m_y += 10;
    for (const std::string& pass : m_palette.passes()) {
      const std::string name = shortened(printable(pass), longest);
      const double width = kSwatch + kLabelMargin + widthOf(name);
      if (x > kPictureMargin && x + width > kPictureMargin + room) {
        x = kPictureMargin;
        m_y += kLabelSize + 10;
      }
      m_document.rect(x, m_y, kSwatch, kSwatch, 3, "", m_palette.colorOf(pass));
      m_document.text(x + kSwatch + kLabelMargin, m_y + kLabelSize * 0.85, "legend", name);
      x += width + kEntryGap;
    }
    m_y += kSwatch + 6;
  }

  void drawNote() {
    const auto missing =
        std::count_if(m_spans.begin(), m_spans.end(), [](const Span& s) { return !isMeasured(s); });
    if (missing == 0) return;
    m_y += kLabelSize + 6;
    m_document.text(kPictureMargin, m_y, "quiet",
                    fmt::format("not written: {} of {} spans", missing, m_spans.size()));
    m_y += 6;
  }

  std::span<const Span> m_spans;
  const TimelineOptions& m_options;
  SvgDocument m_document;
  std::vector<size_t> m_rows;
  Extent m_extent;
  Palette m_palette;
  TimeAxis m_axis;
  std::vector<LaneBox> m_lanes;
  double m_y = 0; // the lower edge of what is drawn
};

} // namespace

std::string timelineSvg(std::span<const Span> spans, const TimelineOptions& options) {
  return Picture(spans, options).draw();
}

} // namespace basanite::timing
