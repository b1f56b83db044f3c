// SPDX-License-Identifier: Apache-2.0
// Counting, immortality and the exported functions that the inline parts of the public headers call.
#include "src/foundation/object.hpp"

#include "src/base/log.hpp"
#include "src/foundation/autorelease_pool.hpp"

#include <Foundation/NSPrivate.hpp>
#include <mutex>

namespace basanite::foundation {

namespace {

// Keeps immortal objects reachable, so that leak checkers tell them from lost ones. Never destroyed: objects
// may become immortal while the process exits.
struct ImmortalObjects {
  std::mutex mutex;
  std::vector<Object*> objects;
};

ImmortalObjects& immortalObjects() {
  static auto* registry = new ImmortalObjects;
  return *registry;
}

} // namespace

void Object::release() {
  if (m_immortal.load(std::memory_order_relaxed)) return;
  if (m_retains.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void Object::autorelease() {
  if (!AutoreleasePool::addToInnermost(this)) makeImmortal();
}

void Object::makeImmortal() {
  if (m_immortal.exchange(true, std::memory_order_relaxed)) return;
  ImmortalObjects& registry = immortalObjects();
  std::lock_guard lock(registry.mutex);
  registry.objects.push_back(this);
}

std::string Object::description() const {
  return fmt::format("<{}: {}>", className(), static_cast<const void*>(this));
}

Object* Object::copy() const {
  base::logError("{} cannot be copied: it does not conform to NSCopying.", className());
  return nullptr;
}

Object* Object::retainedSelf() const {
  auto* self = const_cast<Object*>(this);
  self->retain();
  return self;
}

} // namespace basanite::foundation

using basanite::foundation::Object;

namespace {
Object* objectAt(const void* address) { return static_cast<Object*>(const_cast<void*>(address)); }
} // namespace

void basanite_retain(const void* object) {
  if (object) objectAt(object)->retain();
}
void basanite_release(const void* object) {
  if (object) objectAt(object)->release();
}
void basanite_autorelease(const void* object) {
  if (object) objectAt(object)->autorelease();
}
std::uintptr_t basanite_retain_count(const void* object) {
  return object ? objectAt(object)->retainCount() : 0;
}
void* basanite_copy(const void* object) { return object ? objectAt(object)->copy() : nullptr; }
