// SPDX-License-Identifier: Apache-2.0
// The one look of all pictures: a stand-alone SVG document in monospaced text, for light and dark
// surroundings.
#pragma once

#include <string>
#include <string_view>

namespace basanite::timing {

// Pixels. All text is monospaced so that its width is known: an advance of 0.6 em covers the common fonts.
constexpr double kPictureMargin = 24;
constexpr double kLabelSize = 12;
constexpr double kTitleSize = 16;
constexpr double kLabelAdvance = 0.62 * kLabelSize;
constexpr double kTitleAdvance = 0.62 * kTitleSize;
constexpr unsigned kSmallestPictureWidth = 400;

double widthOf(std::string_view label);

// Names may be any bytes: what cannot be shown is replaced, and what XML reserves is escaped.
// Styles of text: "" (a label), "title", "quiet", "on-bar", "warning", "legend". Of rectangles: "lane",
// "grid".
class SvgDocument {
 public:
  // At least kSmallestPictureWidth are used.
  explicit SvgDocument(unsigned width);

  double width() const { return m_width; }

  // A title and a smaller line, each shortened to the width and left out when empty. Returns the lower edge.
  double heading(const std::string& title, const std::string& subtitle);
  void text(double x, double y, std::string_view style, std::string_view content,
            std::string_view anchor = "start");
  void rect(double x, double y, double width, double height, double radius, std::string_view style,
            std::string_view fill = {});
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  // What is drawn until the group ends shares a tooltip.
  void beginGroup(std::string_view tooltip);
  void endGroup();

  // The document, which ends a margin below `bottom`.
  std::string finish(double bottom, const std::string& fallbackTitle) const;

 private:
  double m_width;
  std::string m_title;
  std::string m_body;
};

} // namespace basanite::timing
