// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstdint>
#include <filesystem>

namespace examples::per_draw {

struct Options {
  std::filesystem::path outputFolder = "out/per_draw";
  std::filesystem::path shaderFolder; // empty: beside the program
  uint32_t frames = 15;
  uint32_t width = 960; // pixels
  uint32_t height = 540;
  uint32_t work = 0; // 0: by the device
};

// Prints the usage and exits on --help; prints one sentence and exits with code 2 on anything it does not
// understand.
Options parseOptions(int argumentCount, char** arguments);

} // namespace examples::per_draw
