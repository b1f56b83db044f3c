// SPDX-License-Identifier: Apache-2.0
// A small pool of threads, started one by one as jobs come in.
#include "src/metal/background.hpp"

#include "src/foundation/autorelease_pool.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace basanite::metal {

namespace {

class Workers {
 public:
  // Ends at process exit: jobs that run are finished, jobs that wait are dropped with the process they belong
  // to.
  ~Workers() {
    {
      std::lock_guard lock(m_mutex);
      m_stopping = true;
      m_jobs.clear();
    }
    m_wake.notify_all();
    for (std::thread& thread : m_threads) thread.join();
  }

  void add(std::function<void()> job) {
    {
      std::lock_guard lock(m_mutex);
      if (m_stopping) return;
      m_jobs.push_back(std::move(job));
      size_t most = std::clamp(std::thread::hardware_concurrency(), 1u, 4u);
      if (m_idle < m_jobs.size() && m_threads.size() < most) m_threads.emplace_back([this] { work(); });
    }
    m_wake.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock(m_mutex);
    while (true) {
      ++m_idle;
      m_wake.wait(lock, [this] { return m_stopping || !m_jobs.empty(); });
      --m_idle;
      if (m_stopping) return;
      std::function<void()> job = std::move(m_jobs.front());
      m_jobs.pop_front();
      lock.unlock();
      {
        foundation::AutoreleaseScope pool;
        job();
        job = nullptr; // what it holds goes here, not under the lock
      }
      lock.lock();
    }
  }

  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::deque<std::function<void()>> m_jobs;
  std::vector<std::thread> m_threads;
  size_t m_idle = 0;
  bool m_stopping = false;
};

} // namespace

void runInBackground(std::function<void()> job) {
  static Workers s_workers;
  s_workers.add(std::move(job));
}

} // namespace basanite::metal
