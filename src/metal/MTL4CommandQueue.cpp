// SPDX-License-Identifier: Apache-2.0
// MTL4::CommandQueue: commits, events, residency sets and commit feedback.
#include "src/metal/MTL4CommandQueue.hpp"

#include "src/base/log.hpp"
#include "src/foundation/autorelease_pool.hpp"
#include "src/metal/MTL4CommitFeedback.hpp"
#include "src/metal/MTLEvent.hpp"
#include "src/metal/background.hpp"
#include "src/metal/error.hpp"
#include "src/metal/trace_device.hpp"
#include "src/trace/zone.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>

using basanite::foundation::textOf;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

namespace {

// What a commit must remember until its GPU work is done.
struct CommitRecord {
  foundation::Retained<Device> device;
  FeedbackHandlers handlers;
  std::string error;          // of the encoding; the first of all buffers
  vulkan::ClockSample clocks; // at the commit, when somebody wants feedback
  std::vector<base::Ref<vulkan::CommandBufferTimes>> times;
  std::vector<HeldObjects> held;
  std::vector<std::unique_ptr<LogRecording>> logs;
  std::unique_ptr<CommitTrace> trace; // null: nothing is recorded
  std::vector<IndirectExpansion> expansions;
  // Held by commit() until its own books are closed: the work may end, and a handler begin the buffers again
  // or reset their allocator, before submit() has returned.
  std::mutex open;
};

double hostSeconds(const CommitRecord& record, uint64_t gpuNs) {
  constexpr double kSecondsPerNs = 1e-9;
  return static_cast<double>(record.device->clock->hostNsOf(gpuNs, record.clocks)) * kSecondsPerNs;
}

// When the work ran, in nanoseconds of the heaps' clock; 0: not known.
struct GpuTimes {
  uint64_t startNs = 0, endNs = 0;
};

GpuTimes gpuTimesOf(const CommitRecord& record) {
  uint64_t start = UINT64_MAX, end = 0;
  for (const auto& times : record.times) {
    if (times->startNs() == 0 || times->endNs() == 0) continue;
    start = std::min(start, times->startNs());
    end = std::max(end, times->endNs());
  }
  return end == 0 ? GpuTimes{} : GpuTimes{start, end};
}

void giveFeedback(CommitRecord& record, const vulkan::Completion& completion, const std::string& error,
                  const GpuTimes& times) {
  if (record.handlers.empty()) {
    if (!error.empty()) base::logError("A commit without a feedback handler failed: {}", error);
    return;
  }
  auto feedback = foundation::Retained<CommitFeedback>::adopt(new CommitFeedback);
  if (!error.empty()) {
    NS::Integer code = completion.error && record.device->backend->lost()
                           ? MTL4::CommandQueueErrorDeviceRemoved
                           : MTL4::CommandQueueErrorInternal;
    feedback->error.set(makeError(kCommandQueueErrorDomain, code, error));
  }
  if (times.endNs != 0) {
    feedback->gpuStartTime = hostSeconds(record, times.startNs);
    feedback->gpuEndTime = hostSeconds(record, times.endNs);
  }
  for (const auto& handler : record.handlers) handler(toPublic(feedback.get()));
}

void deliver(CommitRecord& record, const vulkan::Completion& completion) {
  {
    std::lock_guard closed(record.open);
  }
  foundation::AutoreleaseScope pool;
  for (const auto& log : record.logs) log->deliver();
  std::string error = completion.error ? completion.error->message : record.error;
  for (const IndirectExpansion& expansion : record.expansions)
    if (error.empty()) error = faultOf(expansion);
  const GpuTimes times = gpuTimesOf(record);
  if (record.trace) record.trace->feedbackBegins();
  giveFeedback(record, completion, error, times);
  if (record.trace) record.trace->finish(times.startNs, times.endNs, error);
}

} // namespace

base::Result<foundation::Retained<CommandQueue4>>
CommandQueue4::create(Device* device, const CommandQueueDescriptor4* descriptor) {
  auto queue = foundation::Retained<CommandQueue4>::adopt(new CommandQueue4);
  queue->device = foundation::Retained<Device>(device);
  if (descriptor) {
    queue->label = descriptor->label;
    queue->feedbackQueue = descriptor->feedbackQueue;
  }
  BASANITE_TRY(queue->backend, vulkan::Queue::create(device->backend, textOf(queue->label.get())));
  if (device->trace) queue->traceId = device->trace->addQueue(textOf(queue->label.get()));
  return queue;
}

std::string CommandQueue4::whyNot(std::span<CommandBuffer4* const> buffers) {
  std::set<const ResidencySet*> sets;
  {
    std::lock_guard lock(m_mutex);
    for (const auto& set : m_residencySets) sets.insert(set.get());
  }
  std::set<const CommandBuffer4*> seen;
  for (size_t i = 0; i < buffers.size(); ++i) {
    CommandBuffer4* buffer = buffers[i];
    if (!buffer) return fmt::format("the command buffer at index {} is null", i);
    std::string name = fmt::format("the command buffer \"{}\" at index {}", textOf(buffer->label.get()), i);
    if (buffer->device.get() != device.get()) return name + " belongs to another device";
    if (!seen.insert(buffer).second) return name + " is in the commit twice";
    switch (buffer->state) {
    case CommandBuffer4::State::fresh:
      return name + " has never been begun";
    case CommandBuffer4::State::recording:
      return name + " is still open: endCommandBuffer comes first";
    case CommandBuffer4::State::committed:
      return name + " has been committed already and not been begun again";
    case CommandBuffer4::State::ended:
      break;
    }
    const PassShape* suspended =
        i > 0 && buffers[i - 1]->suspendedPass ? &*buffers[i - 1]->suspendedPass : nullptr;
    if (buffer->resumedPass && !suspended)
      return name + " resumes a pass that the buffer before it did not suspend";
    if (suspended && !buffer->resumedPass)
      return name + " does not resume the pass that the buffer before it suspended";
    std::string difference = suspended ? buffer->resumedPass->differenceFrom(*suspended) : std::string();
    if (!difference.empty())
      return fmt::format("{} does not resume the pass that was suspended: {}", name, difference);
    for (const auto& set : buffer->residencySets) sets.insert(set.get());
  }
  if (!buffers.empty() && buffers.back()->suspendedPass)
    return "its last command buffer suspends a pass that nothing resumes";
  if (sets.size() > kMaxResidencySets)
    return fmt::format("its {} different residency sets are more than {}", sets.size(), kMaxResidencySets);
  return {};
}

namespace {

// Parts of one pass may name the same offset: the later ones add to what the first one of them wrote. Only
// the commit sees them together, and the kernels read their entries when they run.
void sumVisibilityOfParts(std::span<CommandBuffer4* const> buffers) {
  std::set<uint64_t> written;
  for (const CommandBuffer4* buffer : buffers) {
    if (!buffer->resumedPass) written.clear();
    for (const auto& [offset, entry] : buffer->visibility)
      if (!written.insert(offset).second) entry->accumulates = 1;
  }
}

} // namespace

void CommandQueue4::commit(std::span<CommandBuffer4* const> buffers, const CommitOptions* options) {
  auto record = std::make_shared<CommitRecord>();
  std::unique_lock open(record->open);
  record->device = device;
  if (options) record->handlers = options->handlers;
  if (!record->handlers.empty()) record->clocks = device->clock->recent();
  vulkan::Batch batch;
  std::string reason = whyNot(buffers);
  if (!reason.empty()) {
    // Nothing runs; the feedback still comes in its turn.
    ErrorKeeper keeper;
    keeper.report("CommandQueue::commit: {}.", reason);
    record->error = keeper.message();
  } else {
    sumVisibilityOfParts(buffers);
    if (device->trace && !buffers.empty())
      record->trace = std::make_unique<CommitTrace>(*device->trace, traceId);
    for (CommandBuffer4* buffer : buffers) {
      buffer->checkExecutions();
      if (record->trace) record->trace->add(*buffer);
      if (buffer->submittable) buffer->backend->appendTo(batch.vkCommandBuffers);
      if (record->error.empty()) record->error = buffer->errors.message();
      if (buffer->submittable && buffer->timestamps.times())
        record->times.push_back(buffer->timestamps.times());
      record->held.push_back(std::move(buffer->held));
      std::move(buffer->expansions.begin(), buffer->expansions.end(), std::back_inserter(record->expansions));
      buffer->expansions.clear();
      if (buffer->log) record->logs.push_back(std::move(buffer->log));
    }
  }
  const bool tells = !record->handlers.empty() || !record->logs.empty();
  auto done = [record, queue = tells ? feedbackQueue : HandlerQueue()](const vulkan::Completion& completion) {
    if (queue)
      queue.run([record, completion] { deliver(*record, completion); });
    else
      deliver(*record, completion);
  };
  auto serial = backend->submit(std::move(batch), done);
  if (record->trace) record->trace->called();
  if (!serial) {
    vulkan::Completion completion{0, serial.error()};
    runInBackground([done, completion] { done(completion); });
    return;
  }
  if (!reason.empty()) return;
  for (CommandBuffer4* buffer : buffers) {
    buffer->allocator->pool->noteSubmitted(*serial);
    buffer->markCommitted();
  }
}

void CommandQueue4::submit(const char* method, vulkan::Batch batch) {
  auto serial = backend->submit(std::move(batch));
  if (!serial) reportMisuse("{}: {}", method, serial.error().message);
}

void CommandQueue4::addResidencySet(ResidencySet* set) {
  if (!set) return;
  size_t count = 0;
  {
    std::lock_guard lock(m_mutex);
    auto same = [&](const auto& held) { return held.get() == set; };
    if (std::any_of(m_residencySets.begin(), m_residencySets.end(), same)) return;
    count = m_residencySets.size();
    if (count < kMaxResidencySets) m_residencySets.emplace_back(set);
  }
  if (count >= kMaxResidencySets)
    reportMisuse(
        "CommandQueue::addResidencySet: the queue \"{}\" has {} residency sets, which is the most it takes.",
        textOf(label.get()), count);
}

void CommandQueue4::removeResidencySet(ResidencySet* set) {
  foundation::Retained<ResidencySet> last; // released outside the lock
  std::lock_guard lock(m_mutex);
  auto found = std::find_if(m_residencySets.begin(), m_residencySets.end(),
                            [&](const auto& held) { return held.get() == set; });
  if (found == m_residencySets.end()) return;
  last = *found;
  m_residencySets.erase(found);
}

} // namespace basanite::metal

using namespace basanite::metal;

BASANITE_ALLOC_INIT(MTL4::CommandQueueDescriptor)
BASANITE_OBJECT(MTL4::CommandQueueDescriptor, NS::String, label, setLabel)
dispatch_queue_t MTL4::CommandQueueDescriptor::feedbackQueue() const {
  if (!this) return {};
  return toImpl(this)->feedbackQueue.handle();
}
void MTL4::CommandQueueDescriptor::setFeedbackQueue(const dispatch_queue_t feedbackQueue) {
  if (this) toImpl(this)->feedbackQueue = HandlerQueue::of(feedbackQueue);
}

BASANITE_ALLOC_INIT(MTL4::CommitOptions)
void MTL4::CommitOptions::addFeedbackHandler(const MTL4::CommitFeedbackHandlerFunction& function) {
  if (this && function) toImpl(this)->handlers.push_back(function);
}

void MTL4::CommandQueue::addResidencySet(const MTL::ResidencySet* residencySet) {
  if (this) toImpl(this)->addResidencySet(residencySet ? toImpl(residencySet) : nullptr);
}
void MTL4::CommandQueue::addResidencySets(const MTL::ResidencySet* const residencySets[],
                                          NS::UInteger count) {
  if (count != 0 && !residencySets) return reportMisuse("CommandQueue::addResidencySets: the array is null.");
  for (NS::UInteger i = 0; i < count; ++i) addResidencySet(residencySets[i]);
}

void MTL4::CommandQueue::commit(const MTL4::CommandBuffer* const commandBuffers[], NS::UInteger count) {
  commit(commandBuffers, count, nullptr);
}
void MTL4::CommandQueue::commit(const MTL4::CommandBuffer* const commandBuffers[], NS::UInteger count,
                                const MTL4::CommitOptions* options) {
  if (!this) return;
  if (count != 0 && !commandBuffers)
    return reportMisuse("CommandQueue::commit: the array of {} command buffers is null.", count);
  std::vector<CommandBuffer4*> buffers;
  for (NS::UInteger i = 0; i < count; ++i)
    buffers.push_back(commandBuffers[i] ? toImpl(commandBuffers[i]) : nullptr);
  toImpl(this)->commit(buffers, options ? toImpl(options) : nullptr);
}

MTL::Device* MTL4::CommandQueue::device() const {
  return this ? toPublic(toImpl(this)->device.get()) : nullptr;
}
BASANITE_OBJECT_GETTER(MTL4::CommandQueue, NS::String, label)

void MTL4::CommandQueue::removeResidencySet(const MTL::ResidencySet* residencySet) {
  if (this && residencySet) toImpl(this)->removeResidencySet(toImpl(residencySet));
}
void MTL4::CommandQueue::removeResidencySets(const MTL::ResidencySet* const residencySets[],
                                             NS::UInteger count) {
  if (count != 0 && !residencySets)
    return reportMisuse("CommandQueue::removeResidencySets: the array is null.");
  for (NS::UInteger i = 0; i < count; ++i) removeResidencySet(residencySets[i]);
}

void MTL4::CommandQueue::signalEvent(const MTL::Event* event, uint64_t value) {
  constexpr const char* kMethod = "CommandQueue::signalEvent";
  if (!this) return;
  if (!event) return reportMisuse("{}: the event is null.", kMethod);
  basanite::trace::Zone zone(basanite::trace::ZoneKind::queueSignal);
  zone.describe(textOf(toImpl(event)->label.get()), value, toImpl(this)->traceId);
  basanite::vulkan::Batch batch;
  batch.signals.push_back({toImpl(event)->semaphore, value});
  toImpl(this)->submit(kMethod, std::move(batch));
}
void MTL4::CommandQueue::wait(const MTL::Event* event, uint64_t value) {
  constexpr const char* kMethod = "CommandQueue::wait";
  if (!this) return;
  if (!event) return reportMisuse("{}: the event is null.", kMethod);
  basanite::trace::Zone zone(basanite::trace::ZoneKind::queueWait);
  zone.describe(textOf(toImpl(event)->label.get()), value, toImpl(this)->traceId);
  basanite::vulkan::Batch batch;
  batch.waits.push_back({toImpl(event)->semaphore, value});
  toImpl(this)->submit(kMethod, std::move(batch));
}
