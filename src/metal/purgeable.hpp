// SPDX-License-Identifier: Apache-2.0
// Purgeable states: kept and told, never acted on, since memory is not taken from a process here.
#pragma once

#include "src/metal/validation.hpp"

#include <Metal/MTLResource.hpp>
#include <atomic>

namespace basanite::metal {

// Returns the state before, as Metal does; KeepCurrent only asks. A number that is no state is reported.
inline MTL::PurgeableState exchangePurgeableState(const char* method,
                                                  std::atomic<MTL::PurgeableState>& current,
                                                  MTL::PurgeableState wanted) {
  if (wanted == MTL::PurgeableStateKeepCurrent) return current;
  if (wanted < MTL::PurgeableStateKeepCurrent || wanted > MTL::PurgeableStateEmpty) {
    reportMisuse("{}: {} is no purgeable state.", method, static_cast<uint64_t>(wanted));
    return current;
  }
  return current.exchange(wanted);
}

} // namespace basanite::metal
