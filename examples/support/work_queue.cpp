// SPDX-License-Identifier: Apache-2.0
// Signals a shared event behind every commit, and collects the queue's feedback.
#include "examples/support/work_queue.hpp"

#include "examples/support/failure.hpp"

#include <chrono>

#include <fmt/format.h>

namespace examples {
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

WorkQueue::WorkQueue(Gpu& gpu) {
  m_queue = own(gpu.device()->newMTL4CommandQueue(), "the command queue");
  m_event = own(gpu.device()->newSharedEvent(), "the shared event");
  gpu.makeResident(m_queue.get());
}

uint64_t WorkQueue::commit(const MTL4::CommandBuffer* commandBuffer) {
  auto options = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
  options->addFeedbackHandler(m_log.handler());
  const MTL4::CommandBuffer* commandBuffers[] = {commandBuffer};
  m_queue->commit(commandBuffers, 1, options.get());
  m_queue->signalEvent(m_event.get(), ++m_commits);
  return m_commits;
}

void WorkQueue::waitFor(uint64_t commitNumber) {
  const auto start = std::chrono::steady_clock::now();
  while (!m_event->waitUntilSignaledValue(commitNumber, kPollMilliseconds)) {
    if (const std::optional<std::string> error = m_log.error()) fail("the GPU reports an error: " + *error);
    if (std::chrono::steady_clock::now() - start > kPatience)
      fail(fmt::format("the GPU did not finish commit {} within {} seconds.", commitNumber,
                       kPatience.count()));
  }
  if (const std::optional<std::string> error = m_log.error()) fail("the GPU reports an error: " + *error);
}

std::vector<double> WorkQueue::gpuSeconds() {
  std::vector<double> durations = m_log.waitForDurations(m_commits);
  if (const std::optional<std::string> error = m_log.error()) fail("the GPU reports an error: " + *error);
  return durations;
}

} // namespace examples
