// SPDX-License-Identifier: Apache-2.0
// A recording as a Chrome trace-event file, which Perfetto (ui.perfetto.dev) and chrome://tracing open.
#pragma once

#include "src/base/result.hpp"
#include "src/timing/analysis.hpp"
#include "src/timing/recording.hpp"

#include <string>

namespace basanite::timing {

// Compressed with gzip. A process for the frames, one for each GPU queue and one for the program; a track a
// stage, and a further one ("fragment 2") for work that overlaps; arrows from each commit's call to its work;
// counters of memory. `ts` and `dur` are microseconds with three decimals from the beginning of the
// recording. Error, a sentence: the file could not be written.
base::Result<void> writeChromeTrace(const std::string& path, const Recording& recording,
                                    const Analysis& analysis);

} // namespace basanite::timing
