// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLEvent.hpp: events are timeline semaphores.
#pragma once

#include "src/metal/MTLDevice.hpp"
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

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::Event, basanite::metal::Event)
BASANITE_BRIDGE(MTL::SharedEvent, basanite::metal::SharedEvent)
