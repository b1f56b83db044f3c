// SPDX-License-Identifier: Apache-2.0
// The autorelease pools of a thread: a stack of pools, each with the objects to release when it ends.
#pragma once

#include "src/foundation/object.hpp"

#include <memory>

namespace basanite::foundation {

// Pushed, drained and destroyed on one thread. Destroying an open pool drains it.
class AutoreleasePool final : public Object {
 public:
  // Becomes the calling thread's innermost pool.
  void push();
  // Releases the objects, the last added first, until none is left (destructors may add more), and leaves the
  // stack. Pools above this one are drained first. No-op when not pushed or drained already. On another
  // thread: logs, and leaves the objects to the pool's own thread, which releases them with its next outer
  // pool or when it ends.
  void drain();
  // Takes over one reference. Only on the pool's thread.
  void add(Object* object);

  // Hands one reference to the calling thread's innermost pool; false when it has none.
  static bool addToInnermost(Object* object);
  // Prints the calling thread's pools to standard error.
  static void show();

  const char* className() const override { return "NSAutoreleasePool"; }

  struct Frame; // one pool's place on the stack of its thread

 private:
  ~AutoreleasePool() override;

  std::shared_ptr<Frame> m_frame;
};

// A pool for a scope of the library's own: around every call of an app's handler on a thread of ours.
class AutoreleaseScope {
 public:
  AutoreleaseScope() : m_pool(new AutoreleasePool) { m_pool->push(); }
  ~AutoreleaseScope() { m_pool->release(); }
  AutoreleaseScope(const AutoreleaseScope&) = delete;
  AutoreleaseScope& operator=(const AutoreleaseScope&) = delete;

 private:
  AutoreleasePool* m_pool;
};

} // namespace basanite::foundation
