// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTL4CommandQueue.hpp: queues, and what goes with a commit.
#pragma once

#include "src/metal/MTL4CommandBuffer.hpp"
#include "src/metal/MTLDevice.hpp"
#include "src/metal/MTLResidencySet.hpp"
#include "src/metal/dispatch_queue.hpp"
#include "src/metal/property.hpp"
#include "src/vulkan/queue.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTL4CommandQueue.hpp>
#include <mutex>
#include <span>
#include <vector>

namespace basanite::metal {

constexpr size_t kMaxResidencySets = 32;

struct CommandQueueDescriptor4Fields {
  Copied<NS::String> label;
  HandlerQueue feedbackQueue; // empty: feedback comes on a library thread
};
class CommandQueueDescriptor4 final
    : public PropertyBag<CommandQueueDescriptor4, CommandQueueDescriptor4Fields> {
 public:
  const char* className() const override { return "MTL4CommandQueueDescriptor"; }
};

using FeedbackHandlers = std::vector<MTL4::CommitFeedbackHandlerFunction>;

// One thread at a time.
class CommitOptions final : public foundation::Object {
 public:
  const char* className() const override { return "MTL4CommitOptions"; }
  FeedbackHandlers handlers;
};

// Thread-safe.
class CommandQueue4 final : public foundation::Object {
 public:
  static base::Result<foundation::Retained<CommandQueue4>> create(Device* device,
                                                                  const CommandQueueDescriptor4* descriptor);
  const char* className() const override { return "MTL4CommandQueue"; }

  // All or none of the buffers is handed over; `options` may be null. Feedback comes on a library thread, in
  // order.
  void commit(std::span<CommandBuffer4* const> buffers, const CommitOptions* options);
  // A wait or a signal between commits.
  void submit(const char* method, vulkan::Batch batch);

  void addResidencySet(ResidencySet* set);
  void removeResidencySet(ResidencySet* set);

  foundation::Retained<Device> device;
  base::Ref<vulkan::Queue> backend;
  Copied<NS::String> label;
  HandlerQueue feedbackQueue; // fixed once the queue is made
  uint32_t traceId = 0; // in a recording; 0: nothing is recorded

 private:
  // The reason why the buffers cannot be committed; empty when they can.
  std::string whyNot(std::span<CommandBuffer4* const> buffers);

  std::mutex m_mutex;
  std::vector<foundation::Retained<ResidencySet>> m_residencySets; // guarded by m_mutex
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::CommandQueueDescriptor, basanite::metal::CommandQueueDescriptor4)
BASANITE_BRIDGE(MTL4::CommitOptions, basanite::metal::CommitOptions)
BASANITE_BRIDGE(MTL4::CommandQueue, basanite::metal::CommandQueue4)
