// SPDX-License-Identifier: Apache-2.0
// Hands batches of all queues to the device's VkQueues, in order per queue, each with a device-wide serial.
//
// Several Metal queues may share one VkQueue, where a batch that waits for a later signal would block the
// very work that signals it. So a batch is held here until every value it waits for has been signalled or
// handed to Vulkan.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/semaphore.hpp"
#include "src/vulkan/vulkan_api.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace basanite::vulkan {

class Device;
class Queue;

// A value of a timeline.
struct TimelinePoint {
  base::Ref<Semaphore> semaphore;
  uint64_t value = 0;
};

// What one vkQueueSubmit2 does: waits, command buffers in order, signals.
struct Batch {
  std::vector<TimelinePoint> waits;
  std::vector<VkCommandBuffer> vkCommandBuffers;
  std::vector<TimelinePoint> signals;
};

// Thread-safe.
class Submitter {
 public:
  static base::Result<std::unique_ptr<Submitter>> create(Device& device, uint32_t queueCount);
  ~Submitter();

  // Called by Queue. Gives the batch its serial and submits it now or, behind an unpromised wait, later.
  base::Result<uint64_t> submit(Queue& queue, Batch batch);
  void addQueue(Queue& queue);
  // Returns the serials of batches that are still held; they never run.
  std::vector<uint64_t> removeQueue(Queue& queue);
  // Signals from the host, unless the value is reached or promised already, and submits what can go now.
  base::Result<void> hostSignal(Semaphore& semaphore, uint64_t value);
  // Called by a queue's completion thread, in order per queue.
  void completed(uint64_t serial);

  // The newest serial given out (0: none yet).
  uint64_t lastSerial() const;
  // Every submission with a serial up to this one has completed.
  uint64_t completedThrough() const;
  // The GPU has not finished this submission. Asks the queue's timeline itself: the completion thread hears
  // of the end a little later than an app that waited for an event behind it.
  bool running(uint64_t serial) const;

  // Waits for everything handed to Vulkan. Error: device lost.
  base::Result<void> waitIdle();

  // Runs `use(VkQueue)` with exclusive access to the VkQueue that internal work goes to. Resources released
  // meanwhile stay alive until endInternal().
  template <class Use> auto beginInternal(uint64_t& serial, Use&& use) {
    std::lock_guard lock(m_mutex);
    serial = takeSerial(VK_NULL_HANDLE);
    return use(m_hardwareQueues[0]);
  }
  // The internal work has completed (or was never submitted).
  void endInternal(uint64_t serial) { completed(serial); }
  uint32_t hardwareQueueCount() const { return static_cast<uint32_t>(m_hardwareQueues.size()); }

 private:
  struct Held {
    uint64_t serial;
    Batch batch;
  };
  struct QueueState {
    Queue* queue;
    VkQueue vkQueue;
    std::deque<Held> held; // in order; the front waits for a promise
  };
  explicit Submitter(Device& device) : m_device(device) {}
  bool ready(const Batch& batch) const;
  base::Result<void> handOver(QueueState& state, Held& held);
  void pump();
  uint64_t takeSerial(VkSemaphore vkTimeline);

  Device& m_device;
  mutable std::mutex m_mutex; // every vkQueueSubmit2, all held batches, all promises
  std::vector<VkQueue> m_hardwareQueues;
  uint32_t m_nextHardwareQueue = 0;
  std::vector<std::unique_ptr<QueueState>> m_queues;
  mutable std::mutex m_serialMutex;
  uint64_t m_lastSerial = 0;
  // Of the submission at which the device acts as lost (BASANITE_TEST_LOSE_DEVICE), counted from 1; 0: none.
  uint64_t m_lostAtSerial = 0;
  // Serial to the timeline that reaches it, null for internal work. An entry keeps its queue alive: the queue
  // waits for its completions.
  std::map<uint64_t, VkSemaphore> m_inFlight;
};

} // namespace basanite::vulkan
