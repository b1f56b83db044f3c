// SPDX-License-Identifier: Apache-2.0
// The autorelease pools of a thread.
#include "src/foundation/autorelease_pool.hpp"

#include "src/base/log.hpp"

#include <cstdio>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace basanite::foundation {

// Apart from the pool's object, because the app may release that on another thread while the frame is still
// on its own thread's stack. Everything but `thread` is touched by that thread only.
struct AutoreleasePool::Frame {
  const std::thread::id thread = std::this_thread::get_id();
  std::vector<Object*> objects;
  std::shared_ptr<Frame> outer;
  bool isPushed = true;
};

namespace {

using Frame = AutoreleasePool::Frame;

// A pointer without a destructor: the main thread's pools are still there while the process exits.
thread_local std::shared_ptr<Frame>* t_innermost = nullptr;

std::shared_ptr<Frame>& innermost() {
  if (!t_innermost) t_innermost = new std::shared_ptr<Frame>;
  return *t_innermost;
}

void drainInnermost() {
  const std::shared_ptr<Frame> frame = innermost();
  while (!frame->objects.empty()) {
    Object* object = frame->objects.back();
    frame->objects.pop_back();
    object->release();
    // Pools that a destructor pushed and left.
    while (innermost() != frame) drainInnermost();
  }
  frame->isPushed = false;
  innermost() = std::move(frame->outer);
}

// Drains what a thread leaves behind when it ends. Not on the main thread: the process is going away there,
// and its objects stay as they are, as on Apple's systems.
struct ThreadExit {
  ~ThreadExit() {
    while (innermost()) drainInnermost();
    delete std::exchange(t_innermost, nullptr);
  }
};

void drainAtThreadExit() {
  if (static_cast<pid_t>(syscall(SYS_gettid)) == getpid()) return;
  thread_local ThreadExit exit;
  static_cast<void>(exit);
}

} // namespace

void AutoreleasePool::push() {
  if (m_frame) return;
  drainAtThreadExit();
  m_frame = std::make_shared<Frame>();
  m_frame->outer = innermost();
  innermost() = m_frame;
}

void AutoreleasePool::drain() {
  const std::shared_ptr<Frame> frame = std::exchange(m_frame, nullptr);
  if (!frame) return;
  if (frame->thread != std::this_thread::get_id()) {
    base::logError(
        "An NSAutoreleasePool was drained on another thread than the one that made it; its objects "
        "stay alive until that thread drains an outer pool or ends.");
    return;
  }
  while (frame->isPushed) drainInnermost();
}

void AutoreleasePool::add(Object* object) {
  if (m_frame && m_frame->isPushed)
    m_frame->objects.push_back(object);
  else
    object->autorelease();
}

bool AutoreleasePool::addToInnermost(Object* object) {
  if (!t_innermost || !*t_innermost) return false;
  (*t_innermost)->objects.push_back(object);
  return true;
}

AutoreleasePool::~AutoreleasePool() { drain(); }

void AutoreleasePool::show() {
  const Frame* innermostFrame = t_innermost ? t_innermost->get() : nullptr;
  if (!innermostFrame) std::fputs("no autorelease pool on this thread\n", stderr);
  for (const Frame* frame = innermostFrame; frame; frame = frame->outer.get()) {
    std::fprintf(stderr, "autorelease pool %p: %zu objects\n", static_cast<const void*>(frame),
                 frame->objects.size());
    for (const Object* object : frame->objects) {
      std::fprintf(stderr, "  %p %s, retain count %u\n", static_cast<const void*>(object),
                   object->className(), object->retainCount());
    }
  }
}

} // namespace basanite::foundation
