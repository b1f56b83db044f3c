// SPDX-License-Identifier: Apache-2.0
// What BASANITE_TRACE asks for: FILE[,precise][,every=draw|pass][,frames=A..B].
#pragma once

#include "src/base/result.hpp"
#include "src/trace/format.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace basanite::trace {

struct Options {
  std::string path; // "%p" in it has become the process's id
  bool precise = false;
  Every every = Every::pass;
  uint64_t firstFrame = 0;
  uint64_t lastFrame = UINT64_MAX; // inclusive
};

// Error: a sentence that names the part that makes no sense, and what is possible.
base::Result<Options> parseOptions(std::string_view text);

} // namespace basanite::trace
