// SPDX-License-Identifier: Apache-2.0
// Fixture of the counter tests: work of a chosen cost on every encoder, entries read back, feedback times.
#pragma once

#include "tests/support/metal_fixture.hpp"

#include <chrono>
#include <vector>

namespace basanite::tests {

constexpr MTL4::TimestampGranularity kRelaxed = MTL4::TimestampGranularityRelaxed;
constexpr MTL4::TimestampGranularity kPrecise = MTL4::TimestampGranularityPrecise;
constexpr MTL::RenderStages kVertex = MTL::RenderStageVertex;
constexpr MTL::RenderStages kFragment = MTL::RenderStageFragment;

// What a commit's feedback said, and the host's clock around commit and wait.
struct CommitTimes {
  std::string error; // "" = none
  double gpuStartSeconds = 0, gpuEndSeconds = 0;
  double hostNs = 0;
  double gpuNs() const { return (gpuEndSeconds - gpuStartSeconds) * 1e9; }
};

class CountersFixture : public MetalFixture {
 protected:
  // ---- entries
  std::vector<uint64_t> entries(MTL4::CounterHeap* heap, NS::UInteger first, NS::UInteger count);
  std::vector<uint64_t> entries(MTL4::CounterHeap* heap) { return entries(heap, 0, heap->count()); }
  // Entry b less entry a, in ns; negative when they are the wrong way round.
  double between(MTL4::CounterHeap* heap, NS::UInteger a, NS::UInteger b);
  MTL4::BufferRange whole(MTL::Buffer* buffer) {
    return MTL4::BufferRange::Make(buffer->gpuAddress(), buffer->length());
  }

  // ---- work. Costs are steps of a loop in the shader; 0 is next to nothing.
  // A dispatch of 4,096 threads of `steps` each.
  void burn(MTL4::ComputeCommandEncoder* encoder, uint32_t steps);
  // A full-screen triangle, drawn `instances` times over, of `steps` a fragment.
  void fill(MTL4::RenderCommandEncoder* encoder, uint32_t steps, NS::UInteger instances = 1);
  // The same with a table of its own, for threads that encode at once: make it beforehand.
  NS::SharedPtr<MTL4::ArgumentTable> fillTable(uint32_t steps);
  void fill(MTL4::RenderCommandEncoder* encoder, MTL4::ArgumentTable* table, NS::UInteger instances = 1);
  // A draw of many vertices of `steps` each that covers no pixel.
  void vertices(MTL4::RenderCommandEncoder* encoder, uint32_t steps);
  // Steps of burn() that take about `ns` on this device now; the same for fill() on target().
  uint32_t burnStepsFor(double ns);
  uint32_t fillStepsFor(double ns);
  // What they take alone, between precise stamps: the least of some runs. A machine's pace changes, so a test
  // that asks "at least the draw's time" measures before and after its own runs and takes the less.
  double burnNs(uint32_t steps);
  double fillNs(uint32_t steps);
  // An RGBA8 target of m_targetSize squared: several of lavapipe's 64x64 tiles. Set the size before the first
  // use.
  MTL::Texture* target();
  NS::UInteger m_targetSize = 256;
  MTL4::RenderCommandEncoder* openPass(MTL4::CommandBuffer* commands) {
    return commands->renderCommandEncoder(clearPass(target()));
  }

  // ---- running
  // As runCommands(), with the times. `beforeCommit` runs between the recording and the commit.
  CommitTimes timedRun(const std::function<void(MTL4::CommandBuffer*)>& record,
                       const std::function<void()>& beforeCommit = nullptr);
  static double nowNs() {
    return double(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
  }
  // Calls `attempt` until it is true, at most `times` times: a shared machine disturbs some attempts, a wrong
  // stamp all.
  static bool atLeastOnce(int times, const std::function<bool()>& attempt);

 private:
  // The address of a `steps` constant; every value keeps its place.
  uint64_t stepsAddress(uint32_t steps);
  void makePipelines();
  double burnOnceNs(uint32_t steps);
  double fillOnceNs(uint32_t steps);

  NS::SharedPtr<MTL::ComputePipelineState> m_burn;
  NS::SharedPtr<MTL::RenderPipelineState> m_fill, m_vertices;
  NS::SharedPtr<MTL::Buffer> m_burnt, m_steps;
  NS::SharedPtr<MTL::Texture> m_target;
  std::vector<uint32_t> m_knownSteps;
  NS::SharedPtr<MTL4::ArgumentTable> m_arguments;
  NS::SharedPtr<MTL4::CounterHeap> m_ownStamps; // of the runs that measure a cost
};

} // namespace basanite::tests
