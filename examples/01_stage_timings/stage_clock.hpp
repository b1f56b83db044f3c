// SPDX-License-Identifier: Apache-2.0
// The timestamps of the program: where each is written, and both ways to read them back.
#pragma once

#include "examples/support/gpu.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "src/timing/span.hpp"

namespace examples::stage_timings {

enum class Pass : uint8_t { wholeFrame, shadowMap, scene, toneMap };

// One counter heap with a block of entries for each frame, so that no entry is written twice and frames in
// flight never touch each other's. Used by one thread.
class StageClock {
 public:
  StageClock(Gpu& gpu, uint32_t frames);

  // Encoding, in the order of the frame. Of a render pass the vertex and the fragment stage are stamped;
  // begin...() belongs before the first draw and end...() after the last.
  void beginFrame(MTL4::CommandBuffer* commandBuffer, uint32_t frame, MTL4::TimestampGranularity granularity);
  void beginPass(MTL4::RenderCommandEncoder* encoder, Pass pass);
  void endPass(MTL4::RenderCommandEncoder* encoder, Pass pass);
  void beginPass(MTL4::ComputeCommandEncoder* encoder, Pass pass);
  void endPass(MTL4::ComputeCommandEncoder* encoder, Pass pass);
  void endFrame(MTL4::CommandBuffer* commandBuffer);

  // Reads a frame's entries on the CPU and keeps them. The frame's work must have finished.
  void resolveOnCpu(uint32_t frame);
  // Lets the GPU copy a frame's entries into a buffer. The frame's work must have finished before this is
  // committed, so the copy needs no barrier.
  void resolveOnGpu(MTL4::CommandBuffer* commandBuffer, uint32_t frame);

  // How the two copies of all frames compare. Both must have been made, and the GPU's be finished.
  struct Verdict {
    uint32_t entries = 0;
    uint32_t different = 0; // read differently by CPU and GPU
    uint32_t missing = 0;   // never written by the GPU
    std::string firstFault; // a sentence on the first entry of either kind
    bool ok() const { return different == 0 && missing == 0; }
  };
  Verdict compare() const;

  // Everything read on the CPU, as spans in nanoseconds.
  std::vector<basanite::timing::Span> spans() const;

 private:
  // The entries of a frame: a pair for each of these.
  struct Measure {
    Pass pass;
    basanite::timing::Lane lane;
  };
  static constexpr std::array<Measure, 6> kMeasures = {{
      {Pass::wholeFrame, basanite::timing::Lane::commandBuffer},
      {Pass::shadowMap, basanite::timing::Lane::vertex},
      {Pass::shadowMap, basanite::timing::Lane::fragment},
      {Pass::scene, basanite::timing::Lane::vertex},
      {Pass::scene, basanite::timing::Lane::fragment},
      {Pass::toneMap, basanite::timing::Lane::compute},
  }};
  static constexpr NS::UInteger kEntriesPerFrame = 2 * kMeasures.size();
  enum End : NS::UInteger { start, finish };

  NS::UInteger entryOf(Pass pass, basanite::timing::Lane lane, End end) const;
  void stamp(MTL4::RenderCommandEncoder* encoder, Pass pass, End end);
  void stamp(MTL4::ComputeCommandEncoder* encoder, Pass pass, End end);
  static NS::Range entriesOf(uint32_t frame) { return {frame * kEntriesPerFrame, kEntriesPerFrame}; }
  uint64_t nanoseconds(uint64_t ticks) const;

  NS::SharedPtr<MTL4::CounterHeap> m_heap;
  NS::SharedPtr<MTL::Buffer> m_resolvedByGpu;
  std::vector<uint64_t> m_resolvedByCpu;                   // ticks
  std::vector<MTL4::TimestampGranularity> m_granularities; // of each frame
  uint64_t m_ticksPerSecond = 0;
  uint32_t m_frame = 0; // being encoded
};

} // namespace examples::stage_timings
