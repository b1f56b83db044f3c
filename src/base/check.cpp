// SPDX-License-Identifier: Apache-2.0
// The failing end of BASANITE_CHECK.
#include "src/base/check.hpp"

#include "src/base/log.hpp"

#include <cstdlib>

namespace basanite::base {

void checkFailed(const char* file, int line, const char* condition, const char* sentence) {
  logError("{} ({}:{}: {} is false; this is a fault of Basanite's own)", sentence, file, line, condition);
  std::abort();
}

} // namespace basanite::base
