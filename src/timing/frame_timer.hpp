// SPDX-License-Identifier: Apache-2.0
// Times a program's frames from inside, with the timestamps of its own Metal: zones in scope, times a few
// frames later.
#pragma once

#include "src/timing/span.hpp"

#include <Metal/Metal.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::timing {

struct FrameTimerOptions {
  Granularity granularity = Granularity::relaxed; // or precise
  uint32_t zones = 32;                            // a frame, to begin with; it grows to what frames use
  uint32_t framesInFlight = 16; // frames whose work is not over; one more goes without times
};

// What a frame's zones took. Times as in Span; a frame begins where its command buffer does.
struct TimedFrame {
  uint32_t frame = 0;      // counted from 0
  std::vector<Span> spans; // "frame" first, then in order of their begins
  uint32_t lostZones = 0;  // that found no entry, were open at the end, or whose stamps never came
};

// Never waits for the GPU: a frame's times are there when all its stamps are. One thread; outlives its zones.
class FrameTimer {
 public:
  // A pass, or a part of one, from its making to its end in scope. Ends ahead of its encoder's endEncoding.
  class Zone {
   public:
    Zone(Zone&& other) noexcept;
    Zone& operator=(Zone&&) = delete;
    ~Zone();

   private:
    friend class FrameTimer;
    Zone(MTL4::RenderCommandEncoder* render, MTL4::ComputeCommandEncoder* compute)
        : m_render(render), m_compute(compute) {}
    FrameTimer* m_timer = nullptr; // null: nothing is to be stamped
    MTL4::RenderCommandEncoder* m_render;
    MTL4::ComputeCommandEncoder* m_compute;
    uint32_t m_frame = 0;
    size_t m_index = 0; // of the zone in its frame
  };

  // The device must outlive it.
  explicit FrameTimer(MTL::Device* device, const FrameTimerOptions& options = {});

  // Around the encoding of a frame into a command buffer that is begun; no encoder is open.
  void beginFrame(MTL4::CommandBuffer* commandBuffer);
  void endFrame(MTL4::CommandBuffer* commandBuffer);

  // Of a render pass the vertex and the fragment stage are stamped. Between beginFrame() and endFrame().
  [[nodiscard]] Zone zone(MTL4::RenderCommandEncoder* encoder, std::string_view name);
  [[nodiscard]] Zone zone(MTL4::ComputeCommandEncoder* encoder, std::string_view name);

  // The oldest frame that is over, once; nothing while there is none. A frame whose stamps do not come (it
  // was never committed, or the device is lost) is given up when framesInFlight later ones are over, with its
  // zones lost.
  std::optional<TimedFrame> nextFinished();

  // Frames that went without times, because too many were in flight or there was no memory for their stamps.
  uint32_t lostFrames() const { return m_lostFrames; }

 private:
  struct ZoneRecord {
    std::string name;
    bool render = false;
    bool ended = false;
    NS::UInteger entry = 0; // of its first stamp: begin and end, of a pass for both stages
  };
  struct Slot {
    NS::SharedPtr<MTL4::CounterHeap> heap;
    uint32_t capacity = 0; // entries
    uint32_t used = 0;
    uint32_t frame = 0;
    uint32_t lostZones = 0;
    std::vector<ZoneRecord> zones;
  };
  Slot makeSlot(uint32_t entries);
  void openZone(Zone& zone, std::string_view name);
  void stamp(const Zone& zone, bool end);
  void endZone(const Zone& zone);
  std::vector<uint64_t> entriesOf(const Slot& slot) const;
  TimedFrame resultOf(const Slot& slot, const std::vector<uint64_t>& entries) const;

  MTL::Device* m_device;
  FrameTimerOptions m_options;
  uint64_t m_ticksPerSecond;
  uint32_t m_frame = 0; // the next one
  uint32_t m_lostFrames = 0;
  uint32_t m_entriesWanted;     // for a new slot
  std::optional<Slot> m_open;   // of the frame that is being encoded
  std::vector<Slot> m_inFlight; // oldest first
  std::vector<Slot> m_free;
};

} // namespace basanite::timing
