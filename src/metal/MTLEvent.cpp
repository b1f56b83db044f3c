// SPDX-License-Identifier: Apache-2.0
// MTL::Event, MTL::SharedEvent, their handles and listeners.
#include "src/metal/MTLEvent.hpp"

#include "src/metal/event_watcher.hpp"
#include "src/metal/validation.hpp"
#include "src/trace/zone.hpp"

#include <limits>

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

MTL::Device* MTL::Event::device() const {
  if (!this) return {};
  return basanite::foundation::toPublic(toImpl(this)->device.get());
}
BASANITE_OBJECT(MTL::Event, NS::String, label, setLabel)

// A value that is not above the current one changes nothing.
void MTL::SharedEvent::setSignaledValue(uint64_t signaledValue) {
  if (!this) return;
  // A thread that waited for the value may release the event before this call returns.
  auto semaphore = toImpl(this)->semaphore;
  auto result = semaphore->signal(signaledValue);
  if (!result) basanite::metal::reportMisuse("SharedEvent::setSignaledValue: {}", result.error().message);
}
uint64_t MTL::SharedEvent::signaledValue() const {
  if (!this) return {};
  return toImpl(this)->semaphore->value();
}
bool MTL::SharedEvent::waitUntilSignaledValue(uint64_t value, uint64_t milliseconds) {
  if (!this) return {};
  constexpr uint64_t kForever = std::numeric_limits<uint64_t>::max();
  constexpr uint64_t kNsPerMs = 1'000'000;
  uint64_t timeoutNs = milliseconds > kForever / kNsPerMs ? kForever : milliseconds * kNsPerMs;
  basanite::trace::Zone zone(basanite::trace::ZoneKind::waitForEvent);
  zone.describe(basanite::foundation::textOf(toImpl(this)->label.get()), value);
  auto result = toImpl(this)->semaphore->wait(value, timeoutNs);
  if (!result)
    basanite::metal::reportMisuse("SharedEvent::waitUntilSignaledValue: {}", result.error().message);
  return result && *result;
}

// ---- listeners

MTL::SharedEventHandle* MTL::SharedEvent::newSharedEventHandle() {
  if (!this) return {};
  auto* handle = new basanite::metal::SharedEventHandle;
  handle->device = toImpl(this)->device;
  handle->semaphore = toImpl(this)->semaphore;
  handle->label = toImpl(this)->label;
  return toPublic(handle);
}

// The function is called once, on the listener's queue, when the value is reached, which may be so already.
void MTL::SharedEvent::notifyListener(const MTL::SharedEventListener* listener, uint64_t value,
                                      const MTL::SharedEventNotificationFunction& function) {
  if (!this) return;
  if (!listener || !function)
    return basanite::metal::reportMisuse("SharedEvent::notifyListener: the {} is null.",
                                         listener ? "function" : "listener");
  basanite::foundation::Retained<basanite::metal::SharedEvent> event(toImpl(this));
  basanite::metal::HandlerQueue queue = toImpl(listener)->queue;
  auto reached = [event, queue, value, function] {
    queue.run([event, value, function] { function(toPublic(event.get()), value); });
  };
  auto result = basanite::metal::EventWatcher::of(event->device->backend)
                    .watch(event->semaphore, value, std::move(reached));
  if (!result) basanite::metal::reportMisuse("SharedEvent::notifyListener: {}", result.error().message);
}

BASANITE_ALLOC_INIT(MTL::SharedEventHandle)
BASANITE_OBJECT_GETTER(MTL::SharedEventHandle, NS::String, label)

MTL::SharedEventListener* MTL::SharedEventListener::alloc() {
  return toPublic(new basanite::metal::SharedEventListener);
}
dispatch_queue_t MTL::SharedEventListener::dispatchQueue() const {
  if (!this) return {};
  return toImpl(this)->queue.handle();
}
MTL::SharedEventListener* MTL::SharedEventListener::init() {
  if (this && !toImpl(this)->queue) toImpl(this)->queue = basanite::metal::HandlerQueue::make();
  return this;
}
MTL::SharedEventListener* MTL::SharedEventListener::init(const dispatch_queue_t dispatchQueue) {
  if (this) toImpl(this)->queue = basanite::metal::HandlerQueue::of(dispatchQueue);
  return init();
}
MTL::SharedEventListener* MTL::SharedEventListener::sharedListener() {
  static MTL::SharedEventListener* s_shared = alloc()->init();
  return s_shared;
}
