// SPDX-License-Identifier: Apache-2.0
// Writes, resolves and checks the timestamps.
#include "examples/01_stage_timings/stage_clock.hpp"

#include "examples/support/failure.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace examples::stage_timings {

using basanite::timing::Granularity;
using basanite::timing::Lane;
using basanite::timing::Span;

static_assert(sizeof(MTL4::TimestampHeapEntry) == sizeof(uint64_t));

namespace {

const char* nameOf(Pass pass) {
  switch (pass) {
  case Pass::wholeFrame:
    return "frame";
  case Pass::shadowMap:
    return "shadow map";
  case Pass::scene:
    return "scene";
  case Pass::toneMap:
    return "tone map";
  }
  return "?";
}

} // namespace

StageClock::StageClock(Gpu& gpu, uint32_t frames) : m_granularities(frames) {
  MTL::Device* const device = gpu.device();
  const NS::UInteger entrySize = device->sizeOfCounterHeapEntry(MTL4::CounterHeapTypeTimestamp);
  if (entrySize != sizeof(MTL4::TimestampHeapEntry))
    fail(fmt::format("the device resolves a timestamp to {} bytes instead of {}.", entrySize,
                     sizeof(MTL4::TimestampHeapEntry)));
  m_ticksPerSecond = device->queryTimestampFrequency();
  if (m_ticksPerSecond == 0) fail("the device reports no timestamp frequency.");

  NS::Error* error = nullptr;
  const NS::UInteger count = frames * kEntriesPerFrame;
  auto descriptor = NS::TransferPtr(MTL4::CounterHeapDescriptor::alloc()->init());
  descriptor->setType(MTL4::CounterHeapTypeTimestamp);
  descriptor->setCount(count);
  m_heap = own(device->newCounterHeap(descriptor.get(), &error), "the counter heap", error);
  m_heap->setLabel(MTLSTR("stage timestamps"));
  m_heap->invalidateCounterRange({0, count});

  m_resolvedByGpu = gpu.newBuffer(count * entrySize, "timestamps resolved by the GPU");
  m_resolvedByCpu.resize(count);
}

NS::UInteger StageClock::entryOf(Pass pass, Lane lane, End end) const {
  const auto measure = std::find_if(kMeasures.begin(), kMeasures.end(),
                                    [&](const Measure& m) { return m.pass == pass && m.lane == lane; });
  return m_frame * kEntriesPerFrame + 2 * static_cast<NS::UInteger>(measure - kMeasures.begin()) + end;
}

void StageClock::beginFrame(MTL4::CommandBuffer* commandBuffer, uint32_t frame,
                            MTL4::TimestampGranularity granularity) {
  m_frame = frame;
  m_granularities[frame] = granularity;
  commandBuffer->writeTimestampIntoHeap(m_heap.get(), entryOf(Pass::wholeFrame, Lane::commandBuffer, start));
}

void StageClock::endFrame(MTL4::CommandBuffer* commandBuffer) {
  commandBuffer->writeTimestampIntoHeap(m_heap.get(), entryOf(Pass::wholeFrame, Lane::commandBuffer, finish));
}

void StageClock::stamp(MTL4::RenderCommandEncoder* encoder, Pass pass, End end) {
  const MTL4::TimestampGranularity granularity = m_granularities[m_frame];
  encoder->writeTimestamp(granularity, MTL::RenderStageVertex, m_heap.get(),
                          entryOf(pass, Lane::vertex, end));
  encoder->writeTimestamp(granularity, MTL::RenderStageFragment, m_heap.get(),
                          entryOf(pass, Lane::fragment, end));
}

void StageClock::stamp(MTL4::ComputeCommandEncoder* encoder, Pass pass, End end) {
  encoder->writeTimestamp(m_granularities[m_frame], m_heap.get(), entryOf(pass, Lane::compute, end));
}

void StageClock::beginPass(MTL4::RenderCommandEncoder* encoder, Pass pass) { stamp(encoder, pass, start); }
void StageClock::endPass(MTL4::RenderCommandEncoder* encoder, Pass pass) { stamp(encoder, pass, finish); }
void StageClock::beginPass(MTL4::ComputeCommandEncoder* encoder, Pass pass) { stamp(encoder, pass, start); }
void StageClock::endPass(MTL4::ComputeCommandEncoder* encoder, Pass pass) { stamp(encoder, pass, finish); }

void StageClock::resolveOnCpu(uint32_t frame) {
  const NS::Range range = entriesOf(frame);
  const NS::Data* data = m_heap->resolveCounterRange(range);
  if (!data || data->length() != range.length * sizeof(uint64_t))
    fail(fmt::format("resolveCounterRange gave no data for the {} entries from {}.", range.length,
                     range.location));
  std::memcpy(&m_resolvedByCpu[range.location], data->bytes(), data->length());
}

void StageClock::resolveOnGpu(MTL4::CommandBuffer* commandBuffer, uint32_t frame) {
  const NS::Range range = entriesOf(frame);
  const MTL4::BufferRange destination(m_resolvedByGpu->gpuAddress() + range.location * sizeof(uint64_t),
                                      range.length * sizeof(uint64_t));
  commandBuffer->resolveCounterHeap(m_heap.get(), range, destination, nullptr, nullptr);
}

StageClock::Verdict StageClock::compare() const {
  const auto* byGpu = static_cast<const uint64_t*>(m_resolvedByGpu->contents());
  Verdict verdict;
  for (size_t i = 0; i < m_resolvedByCpu.size(); ++i) {
    const uint64_t byCpu = m_resolvedByCpu[i];
    const Measure& measure = kMeasures[i % kEntriesPerFrame / 2];
    const std::string entry = fmt::format("{} of {} ({}) in frame {}", i % 2 == start ? "start" : "end",
                                          nameOf(measure.pass), laneName(measure.lane), i / kEntriesPerFrame);
    ++verdict.entries;
    if (byCpu != byGpu[i]) {
      ++verdict.different;
      if (verdict.firstFault.empty())
        verdict.firstFault =
            fmt::format("the {} reads {} on the CPU and {} on the GPU", entry, byCpu, byGpu[i]);
    } else if (byCpu == 0) {
      ++verdict.missing;
      if (verdict.firstFault.empty()) verdict.firstFault = fmt::format("the {} was never written", entry);
    }
  }
  return verdict;
}

uint64_t StageClock::nanoseconds(uint64_t ticks) const {
  constexpr uint64_t kNsPerSecond = 1'000'000'000;
  // In two parts, because the product of all ticks would not fit.
  return ticks / m_ticksPerSecond * kNsPerSecond + ticks % m_ticksPerSecond * kNsPerSecond / m_ticksPerSecond;
}

std::vector<Span> StageClock::spans() const {
  std::vector<Span> spans;
  for (uint32_t frame = 0; frame < m_granularities.size(); ++frame) {
    const Granularity granularity = m_granularities[frame] == MTL4::TimestampGranularityPrecise
                                        ? Granularity::precise
                                        : Granularity::relaxed;
    const uint64_t* entries = &m_resolvedByCpu[frame * kEntriesPerFrame];
    for (size_t i = 0; i < kMeasures.size(); ++i)
      spans.push_back({nameOf(kMeasures[i].pass), kMeasures[i].lane,
                       kMeasures[i].lane == Lane::commandBuffer ? Granularity::none : granularity, frame,
                       nanoseconds(entries[2 * i]), nanoseconds(entries[2 * i + 1])});
  }
  return spans;
}

} // namespace examples::stage_timings
