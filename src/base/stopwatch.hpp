// SPDX-License-Identifier: Apache-2.0
// How long something took on the host, for log messages.
#pragma once

#include <chrono>

namespace basanite::base {

class Stopwatch {
 public:
  // Milliseconds since it was made.
  double elapsedMs() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_start).count();
  }

 private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

} // namespace basanite::base
