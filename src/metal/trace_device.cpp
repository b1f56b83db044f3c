// SPDX-License-Identifier: Apache-2.0
// Reads BASANITE_TRACE once and tells the recorder what only the device knows.
#include "src/metal/trace_device.hpp"

#include "src/base/env.hpp"
#include "src/base/host_clock.hpp"
#include "src/base/log.hpp"
#include "src/metal/MTL4CommandBuffer.hpp"
#include "src/vulkan/workarounds.hpp"

#include <utility>

using basanite::foundation::textOf;

namespace basanite::metal {

namespace {

// The process's recorder, started by its first device.
trace::Recorder* recorderOfProcess() {
  static trace::Recorder* const s_recorder = []() -> trace::Recorder* {
    const auto text = base::envText("BASANITE_TRACE");
    if (!text) return nullptr;
    auto options = trace::parseOptions(*text);
    if (!options) {
      base::logError("Nothing is recorded. BASANITE_TRACE={}: {}", *text, options.error().message);
      return nullptr;
    }
    auto recorder = trace::Recorder::start(*options);
    if (!recorder) base::logError("Nothing is recorded. {}", recorder.error().message);
    return recorder ? *recorder : nullptr;
  }();
  return s_recorder;
}

} // namespace

DeviceTrace* DeviceTrace::create(const base::Ref<vulkan::Device>& device, vulkan::Clock& clock) {
  trace::Recorder* recorder = recorderOfProcess();
  if (!recorder) return nullptr;
  auto* created = new DeviceTrace(*recorder, device, clock);
  created->describe();
  created->tick();
  recorder->onTick([created] { created->tick(); });
  return created;
}

DeviceTrace::DeviceTrace(trace::Recorder& recorder, const base::Ref<vulkan::Device>& device,
                         vulkan::Clock& clock)
    : m_recorder(recorder), m_device(device), m_clock(clock), m_overhead(recorder.options()) {
  static std::atomic<uint32_t> s_last{0};
  m_id = ++s_last;
  if (device->limits().timestampValidBits != 0) m_ring = vulkan::StampRing::create(device);
}

void DeviceTrace::describe() {
  const vulkan::PhysicalDevice& physical = m_device->physical();
  trace::DeviceRecord record;
  record.device = m_id;
  record.name = m_recorder.text(physical.name());
  record.driver = m_recorder.text(fmt::format("{} {}", physical.driverName(), physical.driverInfo()));
  record.workaround = m_recorder.text(vulkan::workaroundsFor(physical.driverId()).driver);
  record.nsPerTick = m_device->limits().timestampPeriodNs;
  record.validBits = m_device->limits().timestampValidBits;
  record.calibrated = m_device->features().calibratedTimestamps ? 1 : 0;
  m_recorder.add(record);
  if (!m_ring)
    m_recorder.warn(
        fmt::format("The device {} has no timestamps, so GPU times are missing.", physical.name()));
}

void DeviceTrace::tick() {
  if (m_ring) {
    const vulkan::ClockSample sample = m_clock.sample();
    if (sample.errorNs != vulkan::ClockSample::kUnknownError)
      m_recorder.add(trace::ClockRecord{m_id, 0, sample.hostNs, sample.gpuNs, sample.errorNs});
    else if (!std::exchange(m_unpaired, true))
      m_recorder.warn(
          "The GPU's clock cannot be paired with the host's, so GPU times may lie anywhere beside "
          "those of the host.");
  }
  recordMemory();
  if (auto overhead = m_overhead.result()) m_recorder.add(*overhead);
}

void DeviceTrace::recordMemory() {
  trace::MemoryRecord memory;
  memory.hostNs = base::hostNowNs();
  memory.bufferBytes = m_device->bufferUse().bytes;
  memory.bufferCount = m_device->bufferUse().count;
  memory.textureBytes = m_device->imageUse().bytes;
  memory.textureCount = m_device->imageUse().count;
  memory.driverBytes = m_device->allocatedBytes();
  m_recorder.add(memory);
}

uint32_t DeviceTrace::addQueue(std::string_view label) {
  static std::atomic<uint32_t> s_last{0};
  const uint32_t queue = ++s_last;
  m_recorder.add(trace::QueueRecord{queue, m_id, m_recorder.text(label), 0});
  return queue;
}

std::unique_ptr<RecordingTrace> DeviceTrace::beginRecording() {
  const bool stamps = m_overhead.stamps(m_frames.load(std::memory_order_relaxed));
  return std::make_unique<RecordingTrace>(m_recorder, stamps ? m_ring : nullptr);
}

CommitTrace::CommitTrace(DeviceTrace& device, uint32_t queue) : m_device(device) {
  static std::atomic<uint64_t> s_last{0};
  m_record.commit = ++s_last;
  m_record.queue = queue;
  m_record.frame = device.m_frames.fetch_add(1, std::memory_order_relaxed);
  m_record.thread = trace::Recorder::threadId();
  m_record.stamped = device.m_ring ? 1 : 0;
  m_record.callBeginHostNs = base::hostNowNs();
  if (m_record.frame == 0) device.recordMemory(); // a short run has no tick between its start and its end
}

void CommitTrace::add(CommandBuffer4& commandBuffer) {
  if (m_record.commandBufferCount++ == 0)
    m_record.label = m_device.m_recorder.text(textOf(commandBuffer.label.get()));
  if (!commandBuffer.trace) return;
  m_record.encoderCount += static_cast<uint32_t>(commandBuffer.trace->encoderCount());
  if (!commandBuffer.trace->stamped()) m_record.stamped = 0;
  m_recordings.push_back(std::move(commandBuffer.trace));
}

void CommitTrace::called() { m_record.callEndHostNs = base::hostNowNs(); }

void CommitTrace::feedbackBegins() {
  m_record.feedbackBeginHostNs = base::hostNowNs();
  m_record.feedbackThread = trace::Recorder::threadId();
}

void CommitTrace::finish(uint64_t startGpuNs, uint64_t endGpuNs, std::string_view error) {
  m_record.feedbackEndHostNs = base::hostNowNs();
  m_record.startGpuNs = startGpuNs;
  m_record.endGpuNs = endGpuNs;
  m_device.m_overhead.add(m_record.frame, m_record.stamped != 0, endGpuNs - startGpuNs,
                          m_record.callBeginHostNs);
  trace::Recorder& recorder = m_device.m_recorder;
  const trace::Options& options = recorder.options();
  if (m_record.frame < options.firstFrame || m_record.frame > options.lastFrame) return;
  m_record.error = recorder.text(error);
  uint32_t commandBuffer = 0, encoders = 0;
  for (const auto& recording : m_recordings) {
    recording->emit(m_record.commit, commandBuffer++, encoders);
    encoders += static_cast<uint32_t>(recording->encoderCount());
  }
  recorder.add(m_record);
}

} // namespace basanite::metal
