// SPDX-License-Identifier: Apache-2.0
// Prints the sentence and exits.
#include "examples/support/failure.hpp"

#include <cstdio>
#include <cstdlib>

namespace examples {

void fail(const std::string& sentence) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\n", kProgramName, sentence.c_str());
  std::exit(1);
}

void failUsage(const std::string& sentence) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s (see --help).\n", kProgramName, sentence.c_str());
  std::exit(2);
}

} // namespace examples
