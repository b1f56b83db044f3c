// SPDX-License-Identifier: Apache-2.0
// Frames in flight: encodes, commits and waits.
#pragma once

#include "examples/01_stage_timings/options.hpp"
#include "examples/01_stage_timings/renderer.hpp"
#include "examples/01_stage_timings/stage_clock.hpp"
#include "examples/support/gpu.hpp"
#include "examples/support/work_queue.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace examples::stage_timings {

constexpr uint32_t kFramesInFlight = 3;

// Used by one thread. Fails with a sentence when the GPU reports an error or does not finish.
class FrameLoop {
 public:
  FrameLoop(Gpu& gpu, Renderer& renderer, StageClock& clock);

  // Draws all frames, reads the picture back and resolves every timestamp in both ways. `onFrame` is told how
  // many frames have been committed.
  void run(const Options& options, const std::function<void(uint32_t)>& onFrame);

  // GPU seconds of each frame, from the queue's feedback.
  std::vector<double> gpuSecondsOfFrames();

 private:
  void drawFrame(uint32_t frame, const Options& options);
  void finish(const Options& options);

  Renderer& m_renderer;
  StageClock& m_clock;
  WorkQueue m_queue;
  NS::SharedPtr<MTL4::CommandBuffer> m_commandBuffer; // one is enough: it is free again after each commit
  std::array<NS::SharedPtr<MTL4::CommandAllocator>, kFramesInFlight> m_allocators;
};

} // namespace examples::stage_timings
