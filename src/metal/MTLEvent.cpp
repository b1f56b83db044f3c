// SPDX-License-Identifier: Apache-2.0
// MTL::Event and MTL::SharedEvent.
#include "src/metal/MTLEvent.hpp"

#include "src/metal/validation.hpp"
#include "src/trace/zone.hpp"

#include <limits>

using basanite::foundation::toImpl;

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
