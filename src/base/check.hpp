// SPDX-License-Identifier: Apache-2.0
// BASANITE_CHECK: an invariant of ours. A failure is a bug in Basanite, so it aborts with the place and a sentence.
#pragma once

namespace basanite::base {
[[noreturn]] void checkFailed(const char* file, int line, const char* condition, const char* sentence);
}

#define BASANITE_CHECK(condition, sentence)                                                                  \
  ((condition) ? (void)0 : ::basanite::base::checkFailed(__FILE__, __LINE__, #condition, sentence))
