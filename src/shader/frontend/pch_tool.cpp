// SPDX-License-Identifier: Apache-2.0
// Build-time tool: writes the precompiled metal_stdlib to the path it is given.
#include "src/shader/frontend/frontend.hpp"

#include <cstdio>

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT\n", arguments[0]);
    return 2;
  }
  auto result = basanite::shader::frontend::writeStandardLibraryPch(arguments[1]);
  if (result) return 0;
  std::fprintf(stderr, "%s", result.error().message.c_str());
  return 1;
}
