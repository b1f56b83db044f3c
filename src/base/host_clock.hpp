// SPDX-License-Identifier: Apache-2.0
// The host's clock, to which the GPU's is paired and on which recordings are.
#pragma once

#include <cstdint>
#include <time.h>

namespace basanite::base {

// CLOCK_MONOTONIC in nanoseconds.
inline uint64_t hostNowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec);
}

} // namespace basanite::base
