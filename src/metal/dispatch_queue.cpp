// SPDX-License-Identifier: Apache-2.0
// Serial queues over the library's threads, and the door to a program's libdispatch.
#include "src/metal/dispatch_queue.hpp"

#include "src/metal/background.hpp"
#include "src/metal/validation.hpp"

#include <deque>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <utility>

namespace basanite::metal {

class HandlerQueue::Queue {
 public:
  virtual ~Queue() = default;
  virtual dispatch_queue_t handle() = 0;
  virtual void run(std::function<void()> job) = 0;
};

namespace {

// Ours, by their handles.
struct Registry {
  std::mutex mutex;
  std::map<void*, std::weak_ptr<HandlerQueue::Queue>> queues; // guarded by mutex
};
Registry& registry() {
  static auto* s_registry = new Registry; // queues may outlive static objects
  return *s_registry;
}

class SerialQueue final : public HandlerQueue::Queue, public std::enable_shared_from_this<SerialQueue> {
 public:
  ~SerialQueue() override {
    std::lock_guard lock(registry().mutex);
    registry().queues.erase(this);
  }
  dispatch_queue_t handle() override { return reinterpret_cast<dispatch_queue_t>(this); }
  void run(std::function<void()> job) override {
    {
      std::lock_guard lock(m_mutex);
      m_jobs.push_back(std::move(job));
      if (std::exchange(m_running, true)) return;
    }
    runInBackground([self = shared_from_this()] { self->drain(); });
  }

 private:
  void drain() {
    while (true) {
      std::function<void()> job;
      {
        std::lock_guard lock(m_mutex);
        if (m_jobs.empty()) {
          m_running = false;
          return;
        }
        job = std::move(m_jobs.front());
        m_jobs.pop_front();
      }
      job();
    }
  }

  std::mutex m_mutex;
  std::deque<std::function<void()>> m_jobs; // guarded by m_mutex
  bool m_running = false;                   // guarded by m_mutex: somebody drains
};

// libdispatch's functions, by name: nothing here is linked with it.
struct Dispatch {
  using Work = void (*)(void*);
  void (*retain)(void*) = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_DEFAULT, "dispatch_retain"));
  void (*release)(void*) = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_DEFAULT, "dispatch_release"));
  void (*async)(void*, void*,
                Work) = reinterpret_cast<void (*)(void*, void*, Work)>(dlsym(RTLD_DEFAULT,
                                                                             "dispatch_async_f"));
  bool there() const { return retain && release && async; }
};

class ProgramQueue final : public HandlerQueue::Queue {
 public:
  ProgramQueue(const Dispatch& dispatch, dispatch_queue_t queue) : m_dispatch(dispatch), m_queue(queue) {
    m_dispatch.retain(m_queue);
  }
  ~ProgramQueue() override { m_dispatch.release(m_queue); }
  dispatch_queue_t handle() override { return m_queue; }
  void run(std::function<void()> job) override {
    m_dispatch.async(m_queue, new std::function<void()>(std::move(job)), [](void* context) {
      std::unique_ptr<std::function<void()>> work(static_cast<std::function<void()>*>(context));
      (*work)();
    });
  }

 private:
  Dispatch m_dispatch;
  dispatch_queue_t m_queue;
};

} // namespace

HandlerQueue HandlerQueue::make() {
  auto queue = std::make_shared<SerialQueue>();
  {
    std::lock_guard lock(registry().mutex);
    registry().queues[queue.get()] = queue;
  }
  HandlerQueue result;
  result.m_queue = std::move(queue);
  return result;
}

HandlerQueue HandlerQueue::of(dispatch_queue_t handle) {
  HandlerQueue result;
  if (!handle) return result;
  {
    std::lock_guard lock(registry().mutex);
    auto known = registry().queues.find(handle);
    if (known != registry().queues.end()) result.m_queue = known->second.lock();
  }
  if (result) return result;
  Dispatch dispatch;
  if (dispatch.there()) {
    result.m_queue = std::make_shared<ProgramQueue>(dispatch, handle);
    return result;
  }
  reportMisuse(
      "The dispatch queue at {} is none of Basanite's, and the program is linked with no libdispatch: "
      "another queue stands in.",
      static_cast<void*>(handle));
  return make();
}

dispatch_queue_t HandlerQueue::handle() const { return m_queue ? m_queue->handle() : nullptr; }
void HandlerQueue::run(std::function<void()> job) const { m_queue->run(std::move(job)); }

} // namespace basanite::metal
