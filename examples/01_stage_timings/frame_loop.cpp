// SPDX-License-Identifier: Apache-2.0
// Keeps three frames in flight with a shared event, and collects the queue's feedback.
#include "examples/01_stage_timings/frame_loop.hpp"

#include "examples/01_stage_timings/failure.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace stage_timings {
namespace {

constexpr std::chrono::seconds kPatience{120};
constexpr uint64_t kPollMilliseconds = 100;

} // namespace

MTL4::CommitFeedbackHandlerFunction CommitLog::handler() {
  return [this](MTL4::CommitFeedback* feedback) {
    const NS::Error* error = feedback->error();
    const std::lock_guard lock(m_mutex);
    m_durations.push_back(feedback->GPUEndTime() - feedback->GPUStartTime());
    if (error && !m_error) m_error = error->localizedDescription()->utf8String();
    m_changed.notify_all();
  };
}

std::optional<std::string> CommitLog::error() {
  const std::lock_guard lock(m_mutex);
  return m_error;
}

std::vector<double> CommitLog::waitForDurations(size_t count) {
  std::unique_lock lock(m_mutex);
  if (!m_changed.wait_for(lock, kPatience, [&] { return m_durations.size() >= count; }))
    fail(fmt::format("the queue gave feedback on {} of {} commits within {} seconds.", m_durations.size(),
                     count, kPatience.count()));
  return m_durations;
}

FrameLoop::FrameLoop(Gpu& gpu, Renderer& renderer, StageClock& clock) : m_renderer(renderer), m_clock(clock) {
  MTL::Device* const device = gpu.device();
  m_queue = own(device->newMTL4CommandQueue(), "the command queue");
  m_commandBuffer = own(device->newCommandBuffer(), "the command buffer");
  for (auto& allocator : m_allocators) allocator = own(device->newCommandAllocator(), "a command allocator");
  m_event = own(device->newSharedEvent(), "the shared event");
  gpu.makeResident(m_queue.get());
}

void FrameLoop::run(const Options& options, const std::function<void(uint32_t)>& onFrame) {
  for (uint32_t frame = 0; frame < options.frames; ++frame) {
    const auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    drawFrame(frame, options);
    onFrame(frame + 1);
  }
  const auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  finish(options);
}

// Frame n is the commit n + 1, and reuses what frame n - 3 has finished with: its allocator and its uniforms.
// Frame n - 3's timestamps are complete then too, so the CPU reads them, and this frame's commands begin by
// copying them.
void FrameLoop::drawFrame(uint32_t frame, const Options& options) {
  const uint32_t slot = frame % kFramesInFlight;
  const std::optional<uint32_t> finished =
      frame >= kFramesInFlight ? std::optional(frame - kFramesInFlight) : std::nullopt;
  if (finished) {
    waitFor(*finished + 1);
    m_clock.resolveOnCpu(*finished);
  }

  MTL4::CommandAllocator* const allocator = m_allocators[slot].get();
  allocator->reset();
  m_commandBuffer->beginCommandBuffer(allocator);
  m_commandBuffer->setLabel(string(fmt::format("frame {}", frame)));
  if (finished) m_clock.resolveOnGpu(m_commandBuffer.get(), *finished);

  const float aspect = static_cast<float>(options.width) / static_cast<float>(options.height);
  m_clock.beginFrame(m_commandBuffer.get(), frame, options.granularityOf(frame));
  m_renderer.encodeFrame(m_commandBuffer.get(), frameUniforms(frame, options.frames, aspect), slot, m_clock);
  m_clock.endFrame(m_commandBuffer.get());
  m_commandBuffer->endCommandBuffer();
  commit();
}

// Waits for the last frames, then lets one more commit copy the picture and the timestamps that are left.
void FrameLoop::finish(const Options& options) {
  waitFor(m_commits);
  m_allocators[0]->reset();
  m_commandBuffer->beginCommandBuffer(m_allocators[0].get());
  m_commandBuffer->setLabel(MTLSTR("read back"));
  const uint32_t firstLeft = options.frames - std::min(options.frames, kFramesInFlight);
  for (uint32_t frame = firstLeft; frame < options.frames; ++frame) {
    m_clock.resolveOnCpu(frame);
    m_clock.resolveOnGpu(m_commandBuffer.get(), frame);
  }
  m_renderer.encodeReadBack(m_commandBuffer.get());
  m_commandBuffer->endCommandBuffer();
  commit();
  waitFor(m_commits);
}

void FrameLoop::commit() {
  auto options = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
  options->addFeedbackHandler(m_log.handler());
  const MTL4::CommandBuffer* commandBuffers[] = {m_commandBuffer.get()};
  m_queue->commit(commandBuffers, 1, options.get());
  m_queue->signalEvent(m_event.get(), ++m_commits);
}

void FrameLoop::waitFor(uint64_t commitNumber) {
  const auto start = std::chrono::steady_clock::now();
  while (!m_event->waitUntilSignaledValue(commitNumber, kPollMilliseconds)) {
    if (const std::optional<std::string> error = m_log.error()) fail("the GPU reports an error: " + *error);
    if (std::chrono::steady_clock::now() - start > kPatience)
      fail(fmt::format("the GPU did not finish commit {} within {} seconds.", commitNumber,
                       kPatience.count()));
  }
  if (const std::optional<std::string> error = m_log.error()) fail("the GPU reports an error: " + *error);
}

std::vector<double> FrameLoop::gpuSecondsOfFrames() {
  std::vector<double> durations = m_log.waitForDurations(m_commits);
  if (const std::optional<std::string> error = m_log.error()) fail("the GPU reports an error: " + *error);
  durations.pop_back(); // the commit that only read back
  return durations;
}

} // namespace stage_timings
