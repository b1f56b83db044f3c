// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLEvent.hpp: events are timeline semaphores.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/dispatch_queue.hpp"
#include "src/metal/property.hpp"
#include "src/vulkan/semaphore.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTLEvent.hpp>

namespace basanite::metal {

class Event : public foundation::Object {
 public:
  Event(Device* owner, base::Ref<vulkan::Semaphore> backend) : device(owner), semaphore(std::move(backend)) {}
  const char* className() const override { return "MTLEvent"; }

  foundation::Retained<Device> device;
  base::Ref<vulkan::Semaphore> semaphore;
  Copied<NS::String> label;
};

class SharedEvent final : public Event {
 public:
  using Event::Event;
  const char* className() const override { return "MTLSharedEvent"; }
};

// A way to the event for whoever is given it: within this process.
class SharedEventHandle final : public foundation::Object {
 public:
  const char* className() const override { return "MTLSharedEventHandle"; }
  foundation::Retained<Device> device; // null in a handle that no event made
  base::Ref<vulkan::Semaphore> semaphore;
  Copied<NS::String> label;
};

// The queue that notifications come on.
class SharedEventListener final : public foundation::Object {
 public:
  const char* className() const override { return "MTLSharedEventListener"; }
  HandlerQueue queue;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::SharedEventHandle, basanite::metal::SharedEventHandle)
BASANITE_BRIDGE(MTL::SharedEventListener, basanite::metal::SharedEventListener)
BASANITE_BRIDGE(MTL::Event, basanite::metal::Event)
BASANITE_BRIDGE(MTL::SharedEvent, basanite::metal::SharedEvent)
