// SPDX-License-Identifier: Apache-2.0
// Frames in flight: encodes, commits and waits.
#pragma once

#include "examples/01_stage_timings/gpu.hpp"
#include "examples/01_stage_timings/options.hpp"
#include "examples/01_stage_timings/renderer.hpp"
#include "examples/01_stage_timings/stage_clock.hpp"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace stage_timings {

constexpr uint32_t kFramesInFlight = 3;

// What the queue says of each commit, collected on the thread that Metal calls back on.
class CommitLog {
 public:
  // Takes the place of a handler. The log must outlive the call.
  MTL4::CommitFeedbackHandlerFunction handler();
  // The first error so far.
  std::optional<std::string> error();
  // GPU seconds of every commit, once `count` of them have been heard of. Fails after a while.
  std::vector<double> waitForDurations(size_t count);

 private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::vector<double> m_durations;
  std::optional<std::string> m_error;
};

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
  void commit();
  void waitFor(uint64_t commitNumber);

  Renderer& m_renderer;
  StageClock& m_clock;
  CommitLog m_log;        // outlives the queue below
  uint64_t m_commits = 0; // the event's value after the latest commit
  NS::SharedPtr<MTL4::CommandQueue> m_queue;
  NS::SharedPtr<MTL4::CommandBuffer> m_commandBuffer; // one is enough: it is free again after each commit
  std::array<NS::SharedPtr<MTL4::CommandAllocator>, kFramesInFlight> m_allocators;
  NS::SharedPtr<MTL::SharedEvent> m_event;
};

} // namespace stage_timings
