// SPDX-License-Identifier: Apache-2.0
// The watcher's thread.
#include "src/metal/event_watcher.hpp"

#include "src/base/log.hpp"

#include <map>
#include <memory>

namespace basanite::metal {

EventWatcher& EventWatcher::of(const base::Ref<vulkan::Device>& device) {
  static std::mutex s_mutex;
  static std::map<vulkan::Device*, std::unique_ptr<EventWatcher>> s_watchers;
  std::lock_guard lock(s_mutex);
  auto& watcher = s_watchers[device.get()];
  if (!watcher) watcher = std::make_unique<EventWatcher>(device);
  return *watcher;
}

EventWatcher::~EventWatcher() {
  if (!m_thread.joinable()) return;
  {
    std::lock_guard lock(m_mutex);
    m_stopping = true;
    (void)m_wake->signal(++m_wakeValue);
  }
  m_thread.join();
}

base::Result<void> EventWatcher::watch(base::Ref<vulkan::Semaphore> semaphore, uint64_t value,
                                       std::function<void()> reached) {
  std::lock_guard lock(m_mutex);
  if (!m_wake) {
    BASANITE_TRY(m_wake, vulkan::Semaphore::create(m_device, 0, "event watcher"));
  }
  m_watches.push_back({std::move(semaphore), value, std::move(reached)});
  if (!m_thread.joinable()) m_thread = std::thread([this] { run(); });
  return m_wake->signal(++m_wakeValue);
}

void EventWatcher::run() {
  while (true) {
    std::vector<Watch> ended;
    std::vector<base::Ref<vulkan::Semaphore>> semaphores; // alive during the wait
    std::vector<vulkan::SemaphoreValue> points;
    {
      std::lock_guard lock(m_mutex);
      if (m_stopping) return;
      std::vector<Watch> open;
      for (Watch& watch : m_watches) {
        if (watch.semaphore->value() >= watch.value) {
          ended.push_back(std::move(watch));
          continue;
        }
        semaphores.push_back(watch.semaphore);
        points.push_back({watch.semaphore.get(), watch.value});
        open.push_back(std::move(watch));
      }
      m_watches = std::move(open);
      points.push_back({m_wake.get(), m_wakeValue + 1});
    }
    for (Watch& watch : ended) watch.reached();
    ended.clear();
    auto result = vulkan::Semaphore::waitAny(points, UINT64_MAX);
    if (result) continue;
    base::logError("Listeners of shared events are called no more: {}", result.error().message);
    return;
  }
}

} // namespace basanite::metal
