// SPDX-License-Identifier: Apache-2.0
// The autorelease pools of a thread.
#include "src/foundation/autorelease_pool.hpp"

#include "src/base/log.hpp"

#include <cstdio>
#include <sys/syscall.h>
#include <unistd.h>

namespace basanite::foundation {

namespace {

thread_local AutoreleasePool* t_innermost = nullptr;

// Drains what a thread leaves behind when it ends. Not on the main thread: the process is going away there,
// and its objects stay as they are, as on Apple's systems.
struct ThreadExit {
  ~ThreadExit() {
    while (AutoreleasePool* pool = t_innermost) pool->drain();
  }
};

void drainAtThreadExit() {
  static const pid_t mainThread = getpid();
  if (static_cast<pid_t>(syscall(SYS_gettid)) == mainThread) return;
  thread_local ThreadExit exit;
  static_cast<void>(exit);
}

} // namespace

AutoreleasePool* AutoreleasePool::innermost() { return t_innermost; }

void AutoreleasePool::push() {
  if (m_pushed) return;
  drainAtThreadExit();
  m_outer = t_innermost;
  m_pushed = true;
  t_innermost = this;
}

void AutoreleasePool::drain() {
  if (!m_pushed) return;
  bool onThisThread = false;
  for (AutoreleasePool* pool = t_innermost; pool; pool = pool->m_outer) onThisThread |= pool == this;
  if (!onThisThread) {
    base::logError("An NSAutoreleasePool was drained on another thread than the one that made it; its {} "
                   "objects stay alive.",
                   m_objects.size());
    for (Object* object : m_objects) object->makeImmortal();
    m_objects.clear();
    return;
  }
  while (t_innermost != this) t_innermost->drain();
  while (!m_objects.empty()) {
    Object* object = m_objects.back();
    m_objects.pop_back();
    object->release();
  }
  t_innermost = m_outer;
  m_outer = nullptr;
  m_pushed = false;
}

AutoreleasePool::~AutoreleasePool() { drain(); }

void AutoreleasePool::show() {
  if (!t_innermost) std::fputs("no autorelease pool on this thread\n", stderr);
  for (const AutoreleasePool* pool = t_innermost; pool; pool = pool->m_outer) {
    std::fprintf(stderr, "autorelease pool %p: %zu objects\n", static_cast<const void*>(pool),
                 pool->m_objects.size());
    for (const Object* object : pool->m_objects) {
      std::fprintf(stderr, "  %p %s, retain count %u\n", static_cast<const void*>(object),
                   object->className(), object->retainCount());
    }
  }
}

} // namespace basanite::foundation
