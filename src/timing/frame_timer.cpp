// SPDX-License-Identifier: Apache-2.0
// A counter heap a frame: it is free again when all its entries are written, which is how the end of a frame
// shows.
#include "src/timing/frame_timer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace basanite::timing {

namespace {

constexpr uint32_t kFrameEntries = 2; // begin and end of the frame itself
constexpr uint32_t kRenderEntries = 4;
constexpr uint32_t kComputeEntries = 2;

} // namespace

FrameTimer::Zone::Zone(Zone&& other) noexcept
    : m_timer(std::exchange(other.m_timer, nullptr)), m_render(other.m_render), m_compute(other.m_compute),
      m_frame(other.m_frame), m_index(other.m_index) {}

FrameTimer::Zone::~Zone() {
  if (m_timer) m_timer->endZone(*this);
}

FrameTimer::FrameTimer(MTL::Device* device, const FrameTimerOptions& options)
    : m_device(device), m_options(options), m_ticksPerSecond(device->queryTimestampFrequency()),
      m_entriesWanted(kFrameEntries + options.zones * kRenderEntries) {}

FrameTimer::Slot FrameTimer::makeSlot(uint32_t entries) {
  Slot slot;
  const auto descriptor = NS::TransferPtr(MTL4::CounterHeapDescriptor::alloc()->init());
  descriptor->setType(MTL4::CounterHeapTypeTimestamp);
  descriptor->setCount(entries);
  NS::Error* error = nullptr;
  slot.heap = NS::TransferPtr(m_device->newCounterHeap(descriptor.get(), &error));
  slot.capacity = slot.heap ? entries : 0;
  return slot;
}

void FrameTimer::beginFrame(MTL4::CommandBuffer* commandBuffer) {
  const uint32_t frame = m_frame++;
  m_open.reset();
  if (m_inFlight.size() >= m_options.framesInFlight) {
    ++m_lostFrames;
    return;
  }
  // One that has become too small is let go.
  std::erase_if(m_free, [&](const Slot& slot) { return slot.capacity < m_entriesWanted; });
  Slot slot;
  if (m_free.empty()) {
    slot = makeSlot(m_entriesWanted);
  } else {
    slot = std::move(m_free.back());
    m_free.pop_back();
  }
  if (!slot.heap) {
    ++m_lostFrames;
    return;
  }
  slot.heap->invalidateCounterRange({0, slot.capacity});
  slot.frame = frame;
  slot.used = kFrameEntries;
  slot.lostZones = 0;
  slot.zones.clear();
  m_open = std::move(slot);
  commandBuffer->writeTimestampIntoHeap(m_open->heap.get(), 0);
}

void FrameTimer::endFrame(MTL4::CommandBuffer* commandBuffer) {
  if (!m_open) return;
  commandBuffer->writeTimestampIntoHeap(m_open->heap.get(), 1);
  const size_t open = std::erase_if(m_open->zones, [](const ZoneRecord& zone) { return !zone.ended; });
  m_open->lostZones += static_cast<uint32_t>(open);
  // Room for what this frame would have needed, and half as much again.
  const uint32_t needed = m_open->used + m_open->lostZones * kRenderEntries;
  if (needed > m_open->capacity) m_entriesWanted = std::max(m_entriesWanted, needed + needed / 2);
  m_inFlight.push_back(std::move(*m_open));
  m_open.reset();
}

void FrameTimer::openZone(Zone& zone, std::string_view name) {
  if (!m_open) return;
  const uint32_t entries = zone.m_render ? kRenderEntries : kComputeEntries;
  if (m_open->used + entries > m_open->capacity) {
    ++m_open->lostZones;
    return;
  }
  zone.m_timer = this;
  zone.m_frame = m_open->frame;
  zone.m_index = m_open->zones.size();
  m_open->zones.push_back({std::string(name), zone.m_render != nullptr, false, m_open->used});
  m_open->used += entries;
  stamp(zone, false);
}

FrameTimer::Zone FrameTimer::zone(MTL4::RenderCommandEncoder* encoder, std::string_view name) {
  Zone zone(encoder, nullptr);
  openZone(zone, name);
  return zone;
}

FrameTimer::Zone FrameTimer::zone(MTL4::ComputeCommandEncoder* encoder, std::string_view name) {
  Zone zone(nullptr, encoder);
  openZone(zone, name);
  return zone;
}

void FrameTimer::stamp(const Zone& zone, bool end) {
  const auto granularity = m_options.granularity == Granularity::precise ? MTL4::TimestampGranularityPrecise
                                                                         : MTL4::TimestampGranularityRelaxed;
  MTL4::CounterHeap* const heap = m_open->heap.get();
  const NS::UInteger entry = m_open->zones[zone.m_index].entry + (end ? 1 : 0);
  if (zone.m_compute) return zone.m_compute->writeTimestamp(granularity, heap, entry);
  zone.m_render->writeTimestamp(granularity, MTL::RenderStageVertex, heap, entry);
  zone.m_render->writeTimestamp(granularity, MTL::RenderStageFragment, heap, entry + 2);
}

void FrameTimer::endZone(const Zone& zone) {
  if (!m_open || m_open->frame != zone.m_frame) return; // its frame is closed: endFrame() counted it
  stamp(zone, true);
  m_open->zones[zone.m_index].ended = true;
}

std::vector<uint64_t> FrameTimer::entriesOf(const Slot& slot) const {
  std::vector<uint64_t> entries(slot.used);
  const auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  const NS::Data* data = slot.heap->resolveCounterRange({0, slot.used});
  if (data && data->length() == entries.size() * sizeof(uint64_t))
    std::memcpy(entries.data(), data->bytes(), data->length());
  return entries;
}

TimedFrame FrameTimer::resultOf(const Slot& slot, const std::vector<uint64_t>& entries) const {
  constexpr uint64_t kNsPerSecond = 1'000'000'000;
  const auto nanoseconds = [&](NS::UInteger entry) {
    // In two parts, because the product of all ticks would not fit.
    const uint64_t ticks = entries[entry];
    return ticks / m_ticksPerSecond * kNsPerSecond +
           ticks % m_ticksPerSecond * kNsPerSecond / m_ticksPerSecond;
  };
  TimedFrame result;
  result.frame = slot.frame;
  result.lostZones = slot.lostZones;
  result.spans.push_back(
      {"frame", Lane::commandBuffer, Granularity::none, slot.frame, nanoseconds(0), nanoseconds(1)});
  for (const ZoneRecord& zone : slot.zones) {
    const auto add = [&](Lane lane, NS::UInteger entry) {
      result.spans.push_back(
          {zone.name, lane, m_options.granularity, slot.frame, nanoseconds(entry), nanoseconds(entry + 1)});
      return isMeasured(result.spans.back());
    };
    bool measured = add(zone.render ? Lane::vertex : Lane::compute, zone.entry);
    if (zone.render && !add(Lane::fragment, zone.entry + 2)) measured = false;
    if (!measured) ++result.lostZones;
  }
  return result;
}

std::optional<TimedFrame> FrameTimer::nextFinished() {
  if (m_inFlight.empty()) return std::nullopt;
  const auto isOver = [](const Slot& slot, const std::vector<uint64_t>& entries) {
    const auto written = [&](NS::UInteger first, NS::UInteger count) {
      const auto begin = entries.begin() + static_cast<std::ptrdiff_t>(first);
      return std::find(begin, begin + static_cast<std::ptrdiff_t>(count), 0u) ==
             begin + static_cast<std::ptrdiff_t>(count);
    };
    return written(0, kFrameEntries) &&
           std::all_of(slot.zones.begin(), slot.zones.end(), [&](const ZoneRecord& zone) {
             return written(zone.entry, zone.render ? kRenderEntries : kComputeEntries);
           });
  };
  Slot& oldest = m_inFlight.front();
  const std::vector<uint64_t> entries = entriesOf(oldest);
  const bool over = isOver(oldest, entries);
  // Frames end in the order of their commits, so one that is overtaken by all the others will not come any
  // more.
  const bool overtaken = !over && m_inFlight.size() >= m_options.framesInFlight &&
                         isOver(m_inFlight.back(), entriesOf(m_inFlight.back()));
  if (!over && !overtaken) return std::nullopt;
  TimedFrame result = resultOf(oldest, entries);
  // Stamps may still come to a frame that was given up, so its heap is not used again.
  if (over) m_free.push_back(std::move(oldest));
  m_inFlight.erase(m_inFlight.begin());
  return result;
}

} // namespace basanite::timing
