// SPDX-License-Identifier: Apache-2.0
// Keeps three frames in flight.
#include "examples/01_stage_timings/frame_loop.hpp"

#include "examples/support/failure.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace examples::stage_timings {
FrameLoop::FrameLoop(Gpu& gpu, Renderer& renderer, StageClock& clock)
    : m_renderer(renderer), m_clock(clock), m_queue(gpu) {
  MTL::Device* const device = gpu.device();
  m_commandBuffer = own(device->newCommandBuffer(), "the command buffer");
  for (auto& allocator : m_allocators) allocator = own(device->newCommandAllocator(), "a command allocator");
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
    m_queue.waitFor(*finished + 1);
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
  m_queue.commit(m_commandBuffer.get());
}

// Waits for the last frames, then lets one more commit copy the picture and the timestamps that are left.
void FrameLoop::finish(const Options& options) {
  m_queue.waitFor(m_queue.commits());
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
  m_queue.waitFor(m_queue.commit(m_commandBuffer.get()));
}

std::vector<double> FrameLoop::gpuSecondsOfFrames() {
  std::vector<double> durations = m_queue.gpuSeconds();
  durations.pop_back(); // the commit that only read back
  return durations;
}

} // namespace examples::stage_timings
