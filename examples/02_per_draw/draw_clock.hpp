// SPDX-License-Identifier: Apache-2.0
// Times the draws of the picture in three ways: relaxed stamps, precise stamps, each draw alone.
#pragma once

#include "examples/02_per_draw/renderer.hpp"
#include "examples/support/work_queue.hpp"

#include <string>
#include <vector>

#include "src/timing/comparison.hpp"

namespace examples::per_draw {

// Used by one thread. Every measurement is a command buffer of its own on an idle GPU.
class DrawClock {
 public:
  DrawClock(Gpu& gpu, Renderer& renderer, WorkQueue& queue);

  // Measures everything once: a picture a granularity, each draw in a pass alone, and a pass without draws.
  void measureRound();
  // The picture once more without any stamp, read back to the renderer's pixels.
  void paint();

  // One value of all rounds. On a CPU device that is the lower quartile, since whatever else the machine
  // does only adds; on a GPU the median. The truth of a draw lies between its pass alone and that
  // less a pass without draws, since a part of the pass's own cost may be the draw's.
  basanite::timing::Comparison comparison() const;
  // "median of 15 rounds".
  std::string statistic() const;

 private:
  using Times = std::vector<std::vector<double>>; // [draw][round], in ns

  void measurePicture(MTL4::TimestampGranularity granularity, Times& times);
  double measureAlone(const Draw* draw);
  // Runs what `encode` encodes and waits for it.
  template <class Encode> void run(const Encode& encode);
  double typical(std::vector<double> rounds) const;
  // The first `count` entries, in ns since the first. Fails when one was not written.
  std::vector<double> resolve(NS::UInteger count) const;

  Renderer& m_renderer;
  WorkQueue& m_queue;
  bool m_isCpu;
  double m_nsPerTick = 1;
  NS::SharedPtr<MTL4::CounterHeap> m_heap;
  NS::SharedPtr<MTL4::CommandAllocator> m_allocator;
  NS::SharedPtr<MTL4::CommandBuffer> m_commandBuffer;
  Times m_relaxed, m_precise, m_alone;
  std::vector<double> m_empty; // [round]
};

} // namespace examples::per_draw
