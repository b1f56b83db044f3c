// SPDX-License-Identifier: Apache-2.0
// A command queue whose commits are numbered, waited for, and heard of.
#pragma once

#include "examples/support/gpu.hpp"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace examples {

// What the queue says of each commit, collected on the thread that Metal calls back on.
class CommitLog {
 public:
  // Takes the place of a handler. The log must outlive the call.
  MTL4::CommitFeedbackHandlerFunction handler();
  // The first error so far.
  std::optional<std::string> error();
  // GPU seconds of every commit, once `count` of them have been heard of. Fails after a while.
  std::vector<double> waitForDurations(size_t count);

 private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::vector<double> m_durations;
  std::optional<std::string> m_error;
};

// Used by one thread. Fails with a sentence when the GPU reports an error or does not finish.
class WorkQueue {
 public:
  // What has been allocated so far is resident for its work.
  explicit WorkQueue(Gpu& gpu);

  // The number of the commit: 1, 2, ...
  uint64_t commit(const MTL4::CommandBuffer* commandBuffer);
  uint64_t commits() const { return m_commits; }
  void waitFor(uint64_t commitNumber);
  // GPU seconds of each commit, from the queue's feedback.
  std::vector<double> gpuSeconds();

 private:
  CommitLog m_log;        // outlives the queue below
  uint64_t m_commits = 0; // the event's value after the latest commit
  NS::SharedPtr<MTL4::CommandQueue> m_queue;
  NS::SharedPtr<MTL::SharedEvent> m_event;
};

} // namespace examples
