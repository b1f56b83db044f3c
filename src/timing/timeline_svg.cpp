// SPDX-License-Identifier: Apache-2.0
// Draws the timeline picture.
#include "src/timing/timeline_svg.hpp"

#include "src/timing/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace basanite::timing {
namespace {

// Pixels. All text is monospaced so that its width is known: an advance of 0.6 em covers the common fonts.
constexpr double kMargin = 24;
constexpr double kLaneLabelWidth = 132;
constexpr double kRowHeight = 26;
constexpr double kBarHeight = 22;
constexpr double kLanePadding = 8;
constexpr double kThinnestBar = 1.5;
constexpr double kLabelSize = 12;
constexpr double kTitleSize = 16;
constexpr double kLabelAdvance = 0.62 * kLabelSize;
constexpr double kTitleAdvance = 0.62 * kTitleSize;
constexpr double kLabelMargin = 6;
constexpr double kTickSpacing = 90; // at least
constexpr unsigned kSmallestWidth = 400;

// White text is legible on each of them, and each stands out from both backgrounds.
constexpr std::array<std::string_view, 10> kPassColors = {"#2f6fd0", "#b3541e", "#2c7d4f", "#8250df",
                                                          "#b83280", "#0b7285", "#92610a", "#c92a2a",
                                                          "#4c6a1f", "#5f5a9e"};
constexpr std::string_view kCommandBufferColor = "#66707b";

constexpr std::string_view kStyle = R"css(
  .ground { fill: #ffffff; }
  .lane { fill: #f3f5f8; }
  .grid { stroke: #d5dae1; stroke-width: 1; }
  text { fill: #1f2328; font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
  .title { font-size: 16px; font-weight: 600; }
  .quiet { fill: #59636e; }
  .on-bar { fill: #ffffff; pointer-events: none; }
  .reversed { fill: url(#hatch); stroke: #c92a2a; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; }
    .lane { fill: #161b22; }
    .grid { stroke: #30363d; }
    text { fill: #e6edf3; }
    .quiet { fill: #9198a1; }
    .on-bar { fill: #ffffff; }
  }
)css";

double widthOf(std::string_view text) { return static_cast<double>(columnsOf(text)) * kLabelAdvance; }

std::string microseconds(double us, int decimals) { return fmt::format("{:.{}f}", us, decimals); }

// Steps of 1, 2 or 5 times a power of ten, as fine as the spacing allows.
struct Axis {
  double originNs = 0;
  double lengthNs = 1;
  double left = 0;
  double width = 1;
  double stepUs = 1;
  int decimals = 0;

  double x(double ns) const { return left + (ns - originNs) / lengthNs * width; }
};

Axis makeAxis(const Extent& extent, double left, double width) {
  Axis axis;
  axis.originNs = static_cast<double>(extent.startNs);
  axis.lengthNs = std::max(1.0, static_cast<double>(extent.lengthNs()));
  axis.left = left;
  axis.width = width;

  const double lengthUs = axis.lengthNs / 1000.0;
  // Long figures need more room than the usual spacing gives.
  const double spacing = std::max(kTickSpacing, widthOf(microseconds(lengthUs, 0)) + 3 * kLabelAdvance);
  const double roughUs = lengthUs * spacing / width;
  const double power = std::pow(10.0, std::floor(std::log10(roughUs)));
  const double mantissa = roughUs / power;
  const double step = power * (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10);
  axis.stepUs = std::max(step, 0.001); // timestamps have no finer unit
  axis.decimals = static_cast<int>(std::clamp(std::ceil(-std::log10(axis.stepUs) - 1e-9), 0.0, 3.0));
  return axis;
}

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
      : m_spans(spans), m_options(options), m_width(std::max(options.width, kSmallestWidth)),
        m_rows(assignRows(spans)), m_extent(extentOf(spans)), m_palette(spans),
        m_axis(makeAxis(m_extent, kMargin + kLaneLabelWidth, m_width - 2 * kMargin - kLaneLabelWidth)) {}

  std::string draw() {
    drawHeading();
    layOutLanes();
    drawLanes();
    drawAxis();
    for (size_t i = 0; i < m_spans.size(); ++i)
      if (isMeasured(m_spans[i])) drawSpan(m_spans[i], m_rows[i]);
    drawLegend();
    drawNote();
    return document();
  }

 private:
  void drawHeading() {
    m_y = kMargin;
    const auto room = [this](double advance) {
      return static_cast<size_t>((m_width - 2 * kMargin) / advance);
    };
    if (!m_options.title.empty()) {
      m_y += kTitleSize;
      text(kMargin, m_y, "title", shortened(printable(m_options.title), room(kTitleAdvance)));
      m_y += 6;
    }
    if (!m_options.subtitle.empty()) {
      m_y += kLabelSize + 2;
      text(kMargin, m_y, "quiet", shortened(printable(m_options.subtitle), room(kLabelAdvance)));
      m_y += 6;
    }
    m_y += 10;
  }

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
      m_body +=
          fmt::format(R"(<rect class="lane" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="4"/>)"
                      "\n",
                      m_axis.left, box.top, m_axis.width, box.height);
      text(kMargin, box.top + (kLanePadding + kRowHeight) / 2 + kLabelSize * 0.35, "", laneName(box.lane));
    }
  }

  void drawAxis() {
    if (m_lanes.empty()) {
      m_y += kLabelSize;
      text(kMargin, m_y, "quiet", "no spans");
      m_y += 10;
      return;
    }
    const double top = m_lanes.front().top;
    const double bottom = m_y - 2;
    const double labelY = bottom + kLabelSize + 6;
    const double unitX = m_axis.left + m_axis.width;
    const double lengthUs = m_axis.lengthNs / 1000.0;
    const std::string unit = "µs";
    for (size_t i = 0; static_cast<double>(i) * m_axis.stepUs <= lengthUs * (1 + 1e-9); ++i) {
      const double us = static_cast<double>(i) * m_axis.stepUs;
      const double x = m_axis.x(m_axis.originNs + us * 1000.0);
      m_body += fmt::format(R"(<line class="grid" x1="{0:.1f}" y1="{1:.1f}" x2="{0:.1f}" y2="{2:.1f}"/>)"
                            "\n",
                            x, top, bottom);
      const std::string label = microseconds(us, m_axis.decimals);
      // The unit stands at the right end, so a figure that would touch it is left out.
      if (x + widthOf(label) / 2 < unitX - widthOf(unit) - kLabelMargin)
        text(x, labelY, "quiet", label, "middle");
    }
    text(unitX, labelY, "quiet", unit, "end");
    m_y = labelY + 10;
  }

  void drawSpan(const Span& span, size_t row) {
    const auto box = std::find_if(m_lanes.begin(), m_lanes.end(),
                                  [&](const LaneBox& candidate) { return candidate.lane == span.lane; });
    const bool reversed = span.endNs < span.startNs;
    const auto [first, last] = std::minmax(span.startNs, span.endNs);
    const double left = m_axis.x(static_cast<double>(first));
    const double width = std::max(m_axis.x(static_cast<double>(last)) - left, kThinnestBar);
    // The thinnest bars at the right end stay inside the lane.
    const double x = std::min(left, m_axis.left + m_axis.width - width);
    const double y =
        box->top + kLanePadding / 2 + static_cast<double>(row) * kRowHeight + (kRowHeight - kBarHeight) / 2;

    m_body += "<g>";
    m_body += fmt::format("<title>{}</title>", escapedXml(tooltipOf(span)));
    m_body += fmt::format(
        R"(<rect class="{}" x="{:.2f}" y="{:.1f}" width="{:.2f}" height="{:.1f}" rx="{}" fill="{}"/>)",
        reversed ? "bar reversed" : "bar", x, y, width, kBarHeight, width > 8 ? 3 : 0,
        m_palette.colorOf(span.pass));
    const std::string label = printable(span.pass);
    if (!reversed && widthOf(label) + 2 * kLabelMargin <= width)
      m_body += fmt::format(R"(<text class="on-bar" x="{:.1f}" y="{:.1f}">{}</text>)", x + kLabelMargin,
                            y + kBarHeight / 2 + kLabelSize * 0.35, escapedXml(label));
    m_body += "</g>\n";
  }

  std::string tooltipOf(const Span& span) const {
    const double startUs = static_cast<double>(span.startNs - m_extent.startNs) / 1000.0;
    const auto durationInNs = static_cast<double>(durationNs(span));
    std::string tip = fmt::format("{}: {}, frame {}", printable(span.pass), laneName(span.lane), span.frame);
    if (span.granularity != Granularity::none) tip += fmt::format(", {}", granularityName(span.granularity));
    tip += fmt::format("\nstart {:.3f} µs, duration {:.3f} µs", startUs, durationInNs / 1000.0);
    if (m_extent.lengthNs() > 0) tip += fmt::format(", {:.1f} %", 100.0 * durationInNs / m_axis.lengthNs);
    if (durationInNs < 0) tip += "\nthe end lies before the start";
    return tip;
  }

  // Swatches and names, as many in a line as fit.
  void drawLegend() {
    constexpr double kSwatch = 12;
    constexpr double kEntryGap = 22;
    const double room = m_width - 2 * kMargin;
    const auto longest = static_cast<size_t>((room - kSwatch - kLabelMargin) / kLabelAdvance);
    if (m_palette.passes().empty()) return;

    double x = kMargin;
    m_y += 10;
    for (const std::string& pass : m_palette.passes()) {
      const std::string name = shortened(printable(pass), longest);
      const double width = kSwatch + kLabelMargin + widthOf(name);
      if (x > kMargin && x + width > kMargin + room) {
        x = kMargin;
        m_y += kLabelSize + 10;
      }
      m_body += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{}" height="{}" rx="3" fill="{}"/>)"
                            "\n",
                            x, m_y, kSwatch, kSwatch, m_palette.colorOf(pass));
      text(x + kSwatch + kLabelMargin, m_y + kLabelSize * 0.85, "legend", name);
      x += width + kEntryGap;
    }
    m_y += kSwatch + 6;
  }

  void drawNote() {
    const auto missing =
        std::count_if(m_spans.begin(), m_spans.end(), [](const Span& s) { return !isMeasured(s); });
    if (missing == 0) return;
    m_y += kLabelSize + 6;
    text(kMargin, m_y, "quiet", fmt::format("not written: {} of {} spans", missing, m_spans.size()));
    m_y += 6;
  }

  void text(double x, double y, std::string_view style, std::string_view content,
            std::string_view anchor = "start") {
    m_body += fmt::format(R"(<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)"
                          "\n",
                          style, x, y, anchor, escapedXml(content));
  }

  std::string document() const {
    const double height = m_y + kMargin - 6;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:.0f}\" viewBox=\"0 0 {0} "
        "{1:.0f}\" "
        "role=\"img\">\n"
        "<title>{2}</title>\n<style>{3}</style>\n"
        "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\"><rect width=\"3\" height=\"6\" fill=\"#c92a2a\"/></pattern></defs>\n"
        "<rect class=\"ground\" width=\"{0}\" height=\"{1:.0f}\" rx=\"6\"/>\n{4}</svg>\n",
        m_width, height, escapedXml(printable(m_options.title.empty() ? "Timeline" : m_options.title)),
        kStyle, m_body);
  }

  std::span<const Span> m_spans;
  const TimelineOptions& m_options;
  unsigned m_width;
  std::vector<size_t> m_rows;
  Extent m_extent;
  Palette m_palette;
  Axis m_axis;
  std::vector<LaneBox> m_lanes;
  double m_y = 0; // the lower edge of what is drawn
  std::string m_body;
};

} // namespace

std::string timelineSvg(std::span<const Span> spans, const TimelineOptions& options) {
  return Picture(spans, options).draw();
}

} // namespace basanite::timing
