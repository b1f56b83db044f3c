// SPDX-License-Identifier: Apache-2.0
// Paints a landscape in one pass of twenty draws and shows how long each draw took: by relaxed timestamps, by
// precise ones, and in truth.
#include "examples/02_per_draw/draw_clock.hpp"
#include "examples/02_per_draw/landscape.hpp"
#include "examples/02_per_draw/options.hpp"
#include "examples/02_per_draw/renderer.hpp"
#include "examples/support/failure.hpp"
#include "examples/support/gpu.hpp"
#include "examples/support/output.hpp"
#include "examples/support/work_queue.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "src/timing/comparison.hpp"

using namespace examples;
using namespace examples::per_draw;

const char* const examples::kProgramName = "per_draw";

namespace {

constexpr uint32_t kWorkOfCpu = 1;
constexpr uint32_t kWorkOfGpu = 32;

std::filesystem::path shaderFolder(const Options& options) {
  if (!options.shaderFolder.empty()) return options.shaderFolder;
  return NS::Bundle::mainBundle()->bundlePath()->utf8String();
}

} // namespace

int main(int argumentCount, char** arguments) {
  const auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  const Options options = parseOptions(argumentCount, arguments);
  makeFolder(options.outputFolder);

  Gpu gpu;
  fmt::print("device: {}\n", gpu.name());
  if (gpu.isCpu())
    fmt::print("This is lavapipe, Mesa's renderer on the CPU: the times are not those of a GPU.\n");
  std::fflush(stdout);

  const uint32_t work = options.work ? options.work : gpu.isCpu() ? kWorkOfCpu : kWorkOfGpu;
  Renderer renderer(gpu, shaderFolder(options), landscape(options.width, options.height, work), options.width,
                    options.height);
  WorkQueue queue(gpu);
  DrawClock clock(gpu, renderer, queue);
  clock.paint(); // drivers compile on first use: not to be measured
  for (uint32_t round = 0; round < options.frames; ++round) {
    clock.measureRound();
    showProgress("round", round + 1, options.frames);
  }
  clock.paint();

  const basanite::timing::Comparison comparison = clock.comparison();
  writePicture(options.outputFolder / "frame.png", renderer.pixels(), options.width, options.height);
  writeText(options.outputFolder / "draws.json", comparisonJson(comparison, gpu.name()));
  writeText(options.outputFolder / "draws.svg",
            comparisonSvg(comparison, {.title = "20 draws of one render pass, timed draw by draw",
                                       .subtitle = fmt::format("{}; {}x{}, {}", gpu.name(), options.width,
                                                               options.height, clock.statistic())}));
  fmt::print("\n{}\n", comparisonTable(comparison));
  fmt::print("alone: a pass with this draw only; with a lower bound, the same less a pass without draws.\n"
             "misplaced: time that stands on the wrong draw.\n");
  for (const char* file : {"frame.png", "draws.svg", "draws.json"})
    fmt::print("wrote {}\n", (options.outputFolder / file).string());
  return 0;
}
