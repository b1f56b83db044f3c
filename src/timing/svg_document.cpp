// SPDX-License-Identifier: Apache-2.0
// Writes the elements and the style of the pictures.
#include "src/timing/svg_document.hpp"

#include "src/timing/text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace basanite::timing {
namespace {

constexpr std::string_view kStyle = R"css(
  .ground { fill: #ffffff; }
  .lane { fill: #f3f5f8; }
  .grid { stroke: #d5dae1; stroke-width: 1; }
  .truth { fill: #d0d7de; }
  .mark { stroke: #1f2328; stroke-width: 1.5; }
  text { fill: #1f2328; font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
  .title { font-size: 16px; font-weight: 600; }
  .quiet { fill: #59636e; }
  .warning { fill: #b3261e; font-weight: 600; }
  .on-bar { fill: #ffffff; pointer-events: none; }
  .reversed { fill: url(#hatch); stroke: #c92a2a; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; }
    .lane { fill: #161b22; }
    .grid { stroke: #30363d; }
    .truth { fill: #3d444d; }
    .mark { stroke: #e6edf3; }
    text { fill: #e6edf3; }
    .quiet { fill: #9198a1; }
    .warning { fill: #ff8a80; }
    .on-bar { fill: #ffffff; }
  }
)css";

} // namespace

double widthOf(std::string_view label) { return static_cast<double>(columnsOf(label)) * kLabelAdvance; }

SvgDocument::SvgDocument(unsigned width) : m_width(std::max(width, kSmallestPictureWidth)) {}

double SvgDocument::heading(const std::string& title, const std::string& subtitle) {
  const auto room = [this](double advance) {
    return static_cast<size_t>((m_width - 2 * kPictureMargin) / advance);
  };
  m_title = printable(title);
  double y = kPictureMargin;
  if (!title.empty()) {
    y += kTitleSize;
    text(kPictureMargin, y, "title", shortened(m_title, room(kTitleAdvance)));
    y += 6;
  }
  if (!subtitle.empty()) {
    y += kLabelSize + 2;
    text(kPictureMargin, y, "quiet", shortened(printable(subtitle), room(kLabelAdvance)));
    y += 6;
  }
  return y + 10;
}

void SvgDocument::text(double x, double y, std::string_view style, std::string_view content,
                       std::string_view anchor) {
  m_body += fmt::format(R"(<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)"
                        "\n",
                        style, x, y, anchor, escapedXml(content));
}

void SvgDocument::rect(double x, double y, double width, double height, double radius, std::string_view style,
                       std::string_view fill) {
  m_body += fmt::format(R"(<rect class="{}" x="{:.2f}" y="{:.1f}" width="{:.2f}" height="{:.1f}" rx="{:g}")",
                        style, x, y, width, height, radius);
  if (!fill.empty()) m_body += fmt::format(R"( fill="{}")", fill);
  m_body += "/>\n";
}

void SvgDocument::line(double x1, double y1, double x2, double y2, std::string_view style) {
  m_body += fmt::format(R"(<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)"
                        "\n",
                        style, x1, y1, x2, y2);
}

void SvgDocument::beginGroup(std::string_view tooltip) {
  m_body += fmt::format("<g><title>{}</title>", escapedXml(tooltip));
}

void SvgDocument::endGroup() { m_body += "</g>\n"; }

std::string SvgDocument::finish(double bottom, const std::string& fallbackTitle) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:.0f}\" viewBox=\"0 0 {0} "
      "{1:.0f}\" "
      "role=\"img\">\n"
      "<title>{2}</title>\n<style>{3}</style>\n"
      "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><rect width=\"3\" height=\"6\" fill=\"#c92a2a\"/></pattern></defs>\n"
      "<rect class=\"ground\" width=\"{0}\" height=\"{1:.0f}\" rx=\"6\"/>\n{4}</svg>\n",
      m_width, bottom + kPictureMargin - 6, escapedXml(m_title.empty() ? fallbackTitle : m_title), kStyle,
      m_body);
}

} // namespace basanite::timing
