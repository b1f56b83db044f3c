// SPDX-License-Identifier: Apache-2.0
// A queue's submissions and the thread that sees them complete.
#include "src/vulkan/queue.hpp"

#include "src/vulkan/deferred_delete.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace basanite::vulkan {

// Shared by the queue and its thread. Everything is guarded by `mutex` but the device and timeline, which the
// thread uses only while an entry is pending: the queue, which owns both, waits for those.
struct Queue::Completer {
  struct Entry {
    uint64_t serial;
    CompletionHandler handler;
  };
  Device* device = nullptr;
  const Semaphore* timeline = nullptr;
  std::mutex submitMutex; // keeps entries in serial order
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Entry> pending;
  std::map<uint64_t, base::Error> refused;
  bool stop = false;
  std::thread thread;

  static void run(const std::shared_ptr<Completer>& completer);
  // Waits for the front entry and runs its handler. `lock` holds `mutex`, before and after.
  void completeFront(std::unique_lock<std::mutex>& lock);
};

void Queue::Completer::completeFront(std::unique_lock<std::mutex>& lock) {
  const uint64_t serial = pending.front().serial;
  Completion completion{serial, std::nullopt};
  while (true) {
    auto refusal = refused.find(serial);
    if (refusal != refused.end()) {
      completion.error = std::move(refusal->second);
      refused.erase(refusal);
      break;
    }
    lock.unlock();
    auto reached = timeline->wait(serial, 50'000'000);
    lock.lock();
    if (!reached.ok()) completion.error = reached.error();
    if (!reached.ok() || reached.value()) break;
  }
  // The handler is destroyed before the next entry counts as done: it may own what the queue's user frees
  // afterwards.
  CompletionHandler handler = std::move(pending.front().handler);
  lock.unlock();
  device->submitter().completed(serial);
  device->deferredDelete().collect(device->submitter().completedThrough());
  if (handler) handler(completion);
  handler = nullptr;
  lock.lock();
  // A destructor that ran inside the handler has dealt with all entries.
  if (!pending.empty() && pending.front().serial == serial) pending.pop_front();
  changed.notify_all();
}

void Queue::Completer::run(const std::shared_ptr<Completer>& completer) {
  std::unique_lock lock(completer->mutex);
  while (true) {
    completer->changed.wait(lock, [&] { return completer->stop || !completer->pending.empty(); });
    if (completer->pending.empty()) return;
    completer->completeFront(lock);
    if (completer->stop && completer->pending.empty()) return;
  }
}

base::Result<base::Ref<Queue>> Queue::create(const base::Ref<Device>& device, std::string_view label) {
  auto queue = base::Ref<Queue>::adopt(new Queue(device));
  BASANITE_TRY(queue->m_timeline, Semaphore::create(device, 0, label));
  queue->m_completer = std::make_shared<Completer>();
  queue->m_completer->device = device.get();
  queue->m_completer->timeline = queue->m_timeline.get();
  device->submitter().addQueue(*queue);
  return queue;
}

Queue::~Queue() {
  if (!m_completer) return;
  for (uint64_t serial : m_device->submitter().removeQueue(*this))
    refuse(serial,
           base::Error{
               "The command queue went away while its work waited for an event that nothing signalled."});
  std::shared_ptr<Completer> completer = m_completer;
  std::unique_lock lock(completer->mutex);
  completer->stop = true;
  completer->changed.notify_all();
  if (!completer->thread.joinable()) return;
  if (completer->thread.get_id() != std::this_thread::get_id()) {
    lock.unlock();
    completer->thread.join();
    return;
  }
  // The last reference went in a handler on the completion thread. The entry being handled is the front; the
  // thread finds nothing left when the handler returns, and touches neither queue nor device any more.
  completer->pending.pop_front();
  while (!completer->pending.empty()) completer->completeFront(lock);
  completer->thread.detach();
}

base::Result<uint64_t> Queue::submit(Batch batch, CompletionHandler onComplete) {
  std::lock_guard submitLock(m_completer->submitMutex);
  BASANITE_TRY(uint64_t serial, m_device->submitter().submit(*this, std::move(batch)));
  std::lock_guard lock(m_completer->mutex);
  m_completer->pending.push_back({serial, std::move(onComplete)});
  if (!m_completer->thread.joinable()) m_completer->thread = std::thread(Completer::run, m_completer);
  m_completer->changed.notify_all();
  return serial;
}

base::Result<bool> Queue::wait(uint64_t serial, uint64_t timeoutNs) {
  constexpr uint64_t kSliceNs = 50'000'000;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  while (true) {
    uint64_t passedNs = (Clock::now() - start).count();
    uint64_t leftNs = timeoutNs > passedNs ? timeoutNs - passedNs : 0;
    BASANITE_TRY(bool reached, m_timeline->wait(serial, std::min(leftNs, kSliceNs)));
    if (reached) return true;
    std::lock_guard lock(m_completer->mutex);
    auto refusal = m_completer->refused.find(serial);
    if (refusal != m_completer->refused.end()) return refusal->second;
    if (leftNs <= kSliceNs) return false;
  }
}

void Queue::waitIdle() {
  std::unique_lock lock(m_completer->mutex);
  m_completer->changed.wait(lock, [&] { return m_completer->pending.empty(); });
}

void Queue::refuse(uint64_t serial, base::Error error) {
  std::lock_guard lock(m_completer->mutex);
  m_completer->refused.emplace(serial, std::move(error));
}

} // namespace basanite::vulkan
