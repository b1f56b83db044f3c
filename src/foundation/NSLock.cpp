// SPDX-License-Identifier: Apache-2.0
// NS::Condition, and the lock and unlock of NS::Locking.
#include "src/foundation/date.hpp"

#include <Foundation/NSLock.hpp>
#include <condition_variable>
#include <mutex>

namespace basanite::foundation {

class Condition final : public Object {
 public:
  std::mutex mutex;
  std::condition_variable signal;

  const char* className() const override { return "NSCondition"; }
};

} // namespace basanite::foundation

BASANITE_BRIDGE(NS::Condition, basanite::foundation::Condition)

using basanite::foundation::toImpl;

void basanite_lock(const void* lock) {
  if (auto* condition = toImpl(static_cast<const NS::Condition*>(lock))) condition->mutex.lock();
}

void basanite_unlock(const void* lock) {
  if (auto* condition = toImpl(static_cast<const NS::Condition*>(lock))) condition->mutex.unlock();
}

NS::Condition* NS::Condition::alloc() {
  return basanite::foundation::toPublic(new basanite::foundation::Condition);
}

NS::Condition* NS::Condition::init() { return this; }

// The caller holds the lock, as with NSCondition; waiting gives it up and takes it again.
void NS::Condition::wait() {
  auto* condition = toImpl(this);
  if (!condition) return;
  std::unique_lock lock(condition->mutex, std::adopt_lock);
  condition->signal.wait(lock);
  lock.release();
}

bool NS::Condition::waitUntilDate(NS::Date* pLimit) {
  auto* condition = toImpl(this);
  if (!condition || !pLimit) return false;
  std::unique_lock lock(condition->mutex, std::adopt_lock);
  const bool signalled =
      condition->signal.wait_until(lock, toImpl(pLimit)->time()) == std::cv_status::no_timeout;
  lock.release();
  return signalled;
}

void NS::Condition::signal() {
  if (auto* condition = toImpl(this)) condition->signal.notify_one();
}

void NS::Condition::broadcast() {
  if (auto* condition = toImpl(this)) condition->signal.notify_all();
}
