// SPDX-License-Identifier: Apache-2.0
// What BASANITE_TRACE needs of a device: the ring of stamps, the count of frames, pairs of its clock, its
// memory.
#pragma once

#include "src/metal/trace_recording.hpp"
#include "src/trace/overhead.hpp"
#include "src/vulkan/clock.hpp"
#include "src/vulkan/device.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace basanite::metal {

class CommandBuffer4;
class DeviceTrace;

// A commit on its way: made when it is called, emitted when its feedback has been given.
class CommitTrace {
 public:
  CommitTrace(DeviceTrace& device, uint32_t queue);

  // The call's end; no later than finish().
  void called();
  // The feedback handlers are about to run.
  void feedbackBegins();
  // The work has run (times of the heaps' clock, 0: not known) and the handlers have. `error`: of the
  // feedback.
  void finish(uint64_t startGpuNs, uint64_t endGpuNs, std::string_view error);

  // Takes over what its command buffers have kept.
  void add(CommandBuffer4& commandBuffer);

 private:
  DeviceTrace& m_device;
  trace::CommitRecord m_record;
  std::vector<std::unique_ptr<RecordingTrace>> m_recordings;
};

// Thread-safe. Lives as long as the process, as its device does.
class DeviceTrace {
 public:
  // Null where BASANITE_TRACE is not set, or asks for what cannot be had; that is logged, and the program
  // goes on. `device` and `clock` live as long as the process.
  static DeviceTrace* create(const base::Ref<vulkan::Device>& device, vulkan::Clock& clock);

  trace::Recorder& recorder() const { return m_recorder; }
  // A number for a new queue.
  uint32_t addQueue(std::string_view label);
  // For a command buffer that begins.
  std::unique_ptr<RecordingTrace> beginRecording();

 private:
  friend class CommitTrace;
  DeviceTrace(trace::Recorder& recorder, const base::Ref<vulkan::Device>& device, vulkan::Clock& clock);
  void describe();
  void tick();
  void recordMemory();

  trace::Recorder& m_recorder;
  base::Ref<vulkan::Device> m_device;
  vulkan::Clock& m_clock;
  base::Ref<vulkan::StampRing> m_ring; // null: the device has no timestamps
  trace::OverheadMeter m_overhead;
  uint32_t m_id = 0;
  bool m_unpaired = false;           // and that was said; of tick()
  std::atomic<uint64_t> m_frames{0}; // begun by a commit
};

} // namespace basanite::metal
