// SPDX-License-Identifier: Apache-2.0
// How true a device's stamps between draws are, measured: the F1/F10/F100 case.
#pragma once

#include "src/base/result.hpp"

#include <cstddef>

namespace basanite::tool {

// Time that stands at a wrong draw, in percent of all.
struct StampError {
  double relaxedPercent = 0;
  double precisePercent = 0;
};

// Draws of cost 1x, 10x, 100x, 10x, 1x in one pass with a stamp behind each, against each alone in a pass;
// medians. `usable`: the index of the device among those that Basanite can use. Takes a second or two. Error,
// a sentence: what could not be made or run.
base::Result<StampError> measureStampError(size_t usable);

} // namespace basanite::tool
