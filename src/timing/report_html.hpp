// SPDX-License-Identifier: Apache-2.0
// A recording as one self-contained page for a browser.
#pragma once

#include "src/timing/report_data.hpp"

#include <string>

namespace basanite::timing {

// The page: style, script and recording are in it, and it asks for nothing else. Its parts lie in
// src/timing/report.
std::string reportHtml(const Recording& recording, const Analysis& analysis,
                       const ReportOptions& options = {});

} // namespace basanite::timing
