// SPDX-License-Identifier: Apache-2.0
// The autorelease pools of a thread: a stack of pools, each with the objects to release when it ends.
#pragma once

#include "src/foundation/object.hpp"

namespace basanite::foundation {

// Used by one thread, the one that pushed it. Destroying an open pool drains it.
class AutoreleasePool final : public Object {
 public:
  // Becomes the calling thread's innermost pool.
  void push();
  // Releases the objects, the last added first, until none is left (destructors may add more), and leaves the
  // stack. Pools above this one are drained first. No-op when not pushed or drained already.
  void drain();
  // Takes over one reference.
  void add(Object* object) { m_objects.push_back(object); }

  // The calling thread's innermost pool, or null.
  static AutoreleasePool* innermost();
  // Prints the calling thread's pools to standard error.
  static void show();

  const char* className() const override { return "NSAutoreleasePool"; }

 private:
  ~AutoreleasePool() override;

  std::vector<Object*> m_objects;
  AutoreleasePool* m_outer = nullptr;
  bool m_pushed = false;
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
