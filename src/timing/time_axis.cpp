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
  const double unitX = m_left + m_width;
  const std::string unit = "µs";
  for (size_t i = 0; static_cast<double>(i) * m_stepUs <= m_lengthNs / 1000.0 * (1 + 1e-9); ++i) {
    const double us = static_cast<double>(i) * m_stepUs;
    const double tickX = x(m_originNs + us * 1000.0);
    document.line(tickX, top, tickX, bottom, "grid");
    const std::string label = figure(us, m_decimals);
    // The unit stands at the right end, so a figure that would touch it is left out.
    if (tickX + widthOf(label) / 2 < unitX - widthOf(unit) - kFigureMargin)
      document.text(tickX, figureY, "quiet", label, "middle");
  }
  document.text(unitX, figureY, "quiet", unit, "end");
  return figureY;
}

} // namespace basanite::timing
