// SPDX-License-Identifier: Apache-2.0
// A horizontal axis in microseconds.
#pragma once

#include "src/timing/svg_document.hpp"

#include <string>

namespace basanite::timing {

// Nanoseconds from `originNs` on, mapped to the pixels from `left` on.
class TimeAxis {
 public:
  // A length below 1 ns counts as 1 ns.
  TimeAxis(double originNs, double lengthNs, double left, double width);

  double x(double ns) const { return m_left + (ns - m_originNs) / m_lengthNs * m_width; }
  double left() const { return m_left; }
  double width() const { return m_width; }
  double lengthNs() const { return m_lengthNs; }

  // Grid lines from `top` to `bottom` at steps of 1, 2 or 5 times a power of ten, as fine as the room allows,
  // and their figures below, behind the unit. Returns the lower edge of the figures.
  double draw(SvgDocument& document, double top, double bottom) const;

 private:
  double m_originNs, m_lengthNs, m_left, m_width;
  double m_stepUs = 1;
  int m_decimals = 0;
};

} // namespace basanite::timing
