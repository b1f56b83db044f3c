// SPDX-License-Identifier: Apache-2.0
// Draws a bunny with Metal 4 and shows where the GPU's time goes: timestamps around each stage of each pass.
#include "examples/01_stage_timings/frame_loop.hpp"
#include "examples/01_stage_timings/mesh.hpp"
#include "examples/01_stage_timings/options.hpp"
#include "examples/01_stage_timings/renderer.hpp"
#include "examples/01_stage_timings/report.hpp"
#include "examples/01_stage_timings/stage_clock.hpp"
#include "examples/support/failure.hpp"
#include "examples/support/gpu.hpp"
#include "examples/support/output.hpp"

#include <algorithm>

#include <fmt/format.h>

using namespace examples;
using namespace examples::stage_timings;

const char* const examples::kProgramName = "stage_timings";

namespace {

std::filesystem::path shaderFolder(const Options& options) {
  if (!options.shaderFolder.empty()) return options.shaderFolder;
  return NS::Bundle::mainBundle()->bundlePath()->utf8String();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Whether every timestamp was written and reads the same on the CPU and on the GPU.
bool reportAgreement(const StageClock::Verdict& verdict) {
  if (verdict.ok()) {
    fmt::print("{} timestamps read alike by resolveCounterRange and resolveCounterHeap.\n", verdict.entries);
    return true;
  }
  fmt::print(stderr,
             "stage_timings: of {} timestamps {} read differently by resolveCounterRange and "
             "resolveCounterHeap, and {} were never written; first, {}.\n",
             verdict.entries, verdict.different, verdict.missing, verdict.firstFault);
  return false;
}

} // namespace

int main(int argumentCount, char** arguments) {
  const auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  const Options options = parseOptions(argumentCount, arguments);
  const Mesh bunny = loadBunny(options.meshFile);
  makeFolder(options.outputFolder);

  Gpu gpu;
  fmt::print("device: {}\n", gpu.name());
  if (gpu.isCpu())
    fmt::print("This is lavapipe, Mesa's renderer on the CPU: the times are not those of a GPU.\n");

  StageClock clock(gpu, options.frames);
  Renderer renderer(gpu, shaderFolder(options), bunny, options.width, options.height, kFramesInFlight);
  FrameLoop loop(gpu, renderer, clock);
  loop.run(options, [&](uint32_t frame) { showProgress("frame", frame, options.frames); });

  const auto spans = clock.spans();
  writePicture(options.outputFolder / "frame.png", renderer.readBack()->contents(), options.width,
               options.height);
  writeTimings(options.outputFolder, spans, gpu.name());
  printTables(spans);
  fmt::print("\nGPU time of a frame by commit feedback: {:.3f} ms (median)\n",
             1e3 * median(loop.gpuSecondsOfFrames()));
  const bool agree = reportAgreement(clock.compare());
  for (const char* file : {"frame.png", "timings.json", "timings.svg"})
    fmt::print("wrote {}\n", (options.outputFolder / file).string());
  return agree ? 0 : 1;
}
