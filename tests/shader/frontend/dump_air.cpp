// SPDX-License-Identifier: Apache-2.0
// Prints the AIR text of a Metal source file and how long it took: a tool for writing expectations.
#include "tests/shader/frontend/frontend_fixture.hpp"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s FILE.metal\n", arguments[0]);
    return 2;
  }
  std::ifstream file(arguments[1]);
  std::stringstream text;
  text << file.rdbuf();
  basanite::shader::SourceOptions options;
  options.name = arguments[1];
  auto begin = std::chrono::steady_clock::now();
  auto program = basanite::shader::frontend::compileSource(text.str(), options);
  double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  if (!program) {
    std::fprintf(stderr, "%s", program.error().message.c_str());
    return 1;
  }
  std::fprintf(stderr, "%s%.1f ms\n", program->warnings.c_str(), ms);
  std::printf("%s", basanite::shader::frontend::airText(*program).c_str());
  return 0;
}
