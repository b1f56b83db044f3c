// SPDX-License-Identifier: Apache-2.0
// Chooses the steps of the axis and draws it.
#include "src/timing/time_axis.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace basanite::timing {
namespace {

constexpr double kTickSpacing = 90; // pixels, at least
constexpr double kFigureMargin = 6;

std::string figure(double us, int decimals) { return fmt::format("{:.{}f}", us, decimals); }

} // namespace

TimeAxis::TimeAxis(double originNs, double lengthNs, double left, double width)
    : m_originNs(originNs), m_lengthNs(std::max(1.0, lengthNs)), m_left(left), m_width(width) {
  const double lengthUs = m_lengthNs / 1000.0;
  // Long figures need more room than the usual spacing gives.
  const double spacing = std::max(kTickSpacing, widthOf(figure(lengthUs, 0)) + 3 * kLabelAdvance);
  const double roughUs = lengthUs * spacing / width;
  const double power = std::pow(10.0, std::floor(std::log10(roughUs)));
  const double mantissa = roughUs / power;
  const double step = power * (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10);
  m_stepUs = std::max(step, 0.001); // timestamps have no finer unit
  m_decimals = static_cast<int>(std::clamp(std::ceil(-std::log10(m_stepUs) - 1e-9), 0.0, 3.0));
}

double TimeAxis::draw(SvgDocument& document, double top, double bottom) const {
  const double figureY = bottom + kLabelSize + 6;
  // The unit stands left of the 0, so that every line of the grid has its figure.
  document.text(m_left - widthOf(figure(0, m_decimals)) / 2 - kFigureMargin, figureY, "quiet", "µs", "end");
  const double pictureEnd = m_left + m_width + kPictureMargin;
  double previousEnd = 0;
  for (size_t i = 0; static_cast<double>(i) * m_stepUs <= m_lengthNs / 1000.0 * (1 + 1e-9); ++i) {
    const double us = static_cast<double>(i) * m_stepUs;
    const double tickX = x(m_originNs + us * 1000.0);
    document.line(tickX, top, tickX, bottom, "grid");
    const std::string label = figure(us, m_decimals);
    // A long figure at the right end moves inwards; where its neighbour leaves no room it is left out.
    const double labelX = std::min(tickX, pictureEnd - widthOf(label) / 2);
    if (labelX - widthOf(label) / 2 < previousEnd) continue;
    document.text(labelX, figureY, "quiet", label, "middle");
    previousEnd = labelX + widthOf(label) / 2;
  }
  return figureY;
}

} // namespace basanite::timing
