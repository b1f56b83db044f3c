// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <Metal/Metal.hpp>

namespace examples::stage_timings {

struct Options {
  std::filesystem::path outputFolder = "out/stage_timings";
  std::filesystem::path meshFile = "build/assets/bunny/index.js";
  std::filesystem::path shaderFolder; // empty: beside the program
  uint32_t frames = 30;
  uint32_t width = 960; // pixels
  uint32_t height = 540;
  // Frame n takes entry n modulo the size.
  std::vector<MTL4::TimestampGranularity> granularities = {MTL4::TimestampGranularityPrecise,
                                                           MTL4::TimestampGranularityRelaxed};

  MTL4::TimestampGranularity granularityOf(uint32_t frame) const {
    return granularities[frame % granularities.size()];
  }
};

// Prints the usage and exits on --help; fails with a sentence on anything it does not understand.
Options parseOptions(int argumentCount, const char* const* arguments);

} // namespace examples::stage_timings
