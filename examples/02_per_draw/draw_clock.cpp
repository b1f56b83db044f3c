// SPDX-License-Identifier: Apache-2.0
// Writes and reads the timestamps.
#include "examples/02_per_draw/draw_clock.hpp"

#include "examples/support/failure.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace examples::per_draw {
DrawClock::DrawClock(Gpu& gpu, Renderer& renderer, WorkQueue& queue)
    : m_renderer(renderer), m_queue(queue), m_isCpu(gpu.isCpu()) {
  MTL::Device* const device = gpu.device();
  const uint64_t ticksPerSecond = device->queryTimestampFrequency();
  if (ticksPerSecond == 0) fail("the device reports no timestamp frequency.");
  m_nsPerTick = 1e9 / static_cast<double>(ticksPerSecond);

  const size_t draws = renderer.draws().size();
  NS::Error* error = nullptr;
  auto descriptor = NS::TransferPtr(MTL4::CounterHeapDescriptor::alloc()->init());
  descriptor->setType(MTL4::CounterHeapTypeTimestamp);
  descriptor->setCount(draws + 1);
  m_heap = own(device->newCounterHeap(descriptor.get(), &error), "the counter heap", error);
  m_heap->setLabel(MTLSTR("one entry before, and one after each draw"));
  m_allocator = own(device->newCommandAllocator(), "the command allocator");
  m_commandBuffer = own(device->newCommandBuffer(), "the command buffer");
  for (Times* times : {&m_relaxed, &m_precise, &m_alone}) times->resize(draws);
}

template <class Encode> void DrawClock::run(const Encode& encode) {
  const auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  m_allocator->reset();
  m_commandBuffer->beginCommandBuffer(m_allocator.get());
  encode(m_commandBuffer.get());
  m_commandBuffer->endCommandBuffer();
  m_queue.waitFor(m_queue.commit(m_commandBuffer.get()));
}

std::vector<double> DrawClock::resolve(NS::UInteger count) const {
  const auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  NS::Data* const data = m_heap->resolveCounterRange({0, count});
  if (!data || data->length() != count * sizeof(MTL4::TimestampHeapEntry))
    fail(fmt::format("resolveCounterRange gave no data for {} entries.", count));
  const auto* entries = static_cast<const MTL4::TimestampHeapEntry*>(data->bytes());
  std::vector<double> ns;
  for (NS::UInteger i = 0; i < count; ++i) {
    if (entries[i].timestamp == 0) fail(fmt::format("the timestamp at index {} was never written.", i));
    ns.push_back(static_cast<double>(static_cast<int64_t>(entries[i].timestamp - entries[0].timestamp)) *
                 m_nsPerTick);
  }
  return ns;
}

void DrawClock::measurePicture(MTL4::TimestampGranularity granularity, Times& times) {
  run([&](MTL4::CommandBuffer* commandBuffer) {
    m_renderer.encodePicture(commandBuffer, [&](MTL4::RenderCommandEncoder* encoder, size_t draws) {
      encoder->writeTimestamp(granularity, MTL::RenderStageFragment, m_heap.get(), draws);
    });
  });
  const std::vector<double> ns = resolve(times.size() + 1);
  for (size_t i = 0; i < times.size(); ++i) times[i].push_back(ns[i + 1] - ns[i]);
}

// The command buffer's own timestamps: nothing but this pass lies between them.
double DrawClock::measureAlone(const Draw* draw) {
  run([&](MTL4::CommandBuffer* commandBuffer) {
    commandBuffer->writeTimestampIntoHeap(m_heap.get(), 0);
    m_renderer.encodeAlone(commandBuffer, draw);
    commandBuffer->writeTimestampIntoHeap(m_heap.get(), 1);
  });
  return resolve(2)[1];
}

void DrawClock::measureRound() {
  measurePicture(MTL4::TimestampGranularityRelaxed, m_relaxed);
  measurePicture(MTL4::TimestampGranularityPrecise, m_precise);
  m_empty.push_back(measureAlone(nullptr));
  const std::vector<Draw>& draws = m_renderer.draws();
  for (size_t i = 0; i < draws.size(); ++i) m_alone[i].push_back(measureAlone(&draws[i]));
}

void DrawClock::paint() {
  run([&](MTL4::CommandBuffer* commandBuffer) {
    m_renderer.encodePicture(commandBuffer, [](MTL4::RenderCommandEncoder*, size_t) {});
    m_renderer.encodeReadBack(commandBuffer);
  });
}

double DrawClock::typical(std::vector<double> rounds) const {
  const auto place = rounds.begin() + static_cast<std::ptrdiff_t>(rounds.size() / (m_isCpu ? 4 : 2));
  std::nth_element(rounds.begin(), place, rounds.end());
  return *place;
}

std::string DrawClock::statistic() const {
  return fmt::format("{} of {} rounds", m_isCpu ? "lower quartile" : "median", m_empty.size());
}

basanite::timing::Comparison DrawClock::comparison() const {
  basanite::timing::Comparison result;
  result.truth = "alone";
  result.ways = {"relaxed", "precise"};
  const double empty = typical(m_empty);
  const std::vector<Draw>& draws = m_renderer.draws();
  for (size_t i = 0; i < draws.size(); ++i) {
    const double alone = typical(m_alone[i]);
    result.rows.push_back({draws[i].name,
                           draws[i].kind,
                           std::max(0.0, alone - empty),
                           alone,
                           {typical(m_relaxed[i]), typical(m_precise[i])}});
  }
  return result;
}

} // namespace examples::per_draw
