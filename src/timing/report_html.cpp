// SPDX-License-Identifier: Apache-2.0
// Puts the page together.
#include "src/timing/report_html.hpp"

#include "src/timing/output_file.hpp"
#include "src/timing/report_page.hpp"
#include "src/timing/text.hpp"

#include <string_view>

namespace basanite::timing {

std::string reportHtml(const Recording& recording, const Analysis& analysis, const ReportOptions& options) {
  const std::string title = escapedXml(programName(recording));
  const std::string data = base64(gzipped(reportData(recording, analysis, options)));
  // A name of the recording that looks like a place of the page must stay what it is, so the page is gone
  // through once.
  std::string page;
  std::string_view rest = kReportPage;
  for (;;) {
    const size_t begin = rest.find('@'), end = begin == rest.npos ? rest.npos : rest.find('@', begin + 1);
    if (end == rest.npos) break;
    page += rest.substr(0, begin);
    const std::string_view place = rest.substr(begin + 1, end - begin - 1);
    rest.remove_prefix(end + 1);
    if (place == "TITLE")
      page += title;
    else if (place == "STYLE")
      page += kReportStyle;
    else if (place == "SCRIPT")
      page += kReportScript;
    else if (place == "DATA")
      page += data;
  }
  return page += rest;
}

} // namespace basanite::timing
