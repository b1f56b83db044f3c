// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4CommitFeedback.hpp.
#pragma once

#include "src/metal/property.hpp"

#include <Foundation/NSError.hpp>
#include <Metal/MTL4CommitFeedback.hpp>

namespace basanite::metal {

// Immutable. Times are host seconds (CLOCK_MONOTONIC); 0 where the device has no timestamps.
class CommitFeedback final : public foundation::Object {
 public:
  const char* className() const override { return "MTL4CommitFeedback"; }
  Strong<NS::Error> error;
  double gpuStartTime = 0;
  double gpuEndTime = 0;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::CommitFeedback, basanite::metal::CommitFeedback)
