// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTL4ArgumentTable.hpp: arrays of 64-bit words, snapshotted at each draw and dispatch.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTL4ArgumentTable.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

namespace basanite::metal {

constexpr NS::UInteger kMaxBufferBindings = 31;
constexpr NS::UInteger kMaxTextureBindings = 128;
constexpr NS::UInteger kMaxSamplerBindings = 16;

struct ArgumentTableDescriptorFields {
  Copied<NS::String> label;
  NS::UInteger maxBufferBindCount = 0;
  NS::UInteger maxTextureBindCount = 0;
  NS::UInteger maxSamplerStateBindCount = 0;
  bool initializeBindings = false;
};
class ArgumentTableDescriptor final
    : public PropertyBag<ArgumentTableDescriptor, ArgumentTableDescriptorFields> {
 public:
  const char* className() const override { return "MTL4ArgumentTableDescriptor"; }
};

// One thread at a time; encoders of several threads may read one that stays as it is.
class ArgumentTable final : public foundation::Object {
 public:
  struct Slot {
    uint64_t value = 0; // GPU address, or index in the bindless arrays
    bool set = false;   // false: the app has never written it, and it was not initialised to null
  };

  ArgumentTable(Device* owner, const ArgumentTableDescriptor& descriptor);
  const char* className() const override { return "MTL4ArgumentTable"; }

  // An index past the end is reported and changes nothing.
  void set(std::vector<Slot>& slots, const char* kind, NS::UInteger index, uint64_t value) {
    if (index >= slots.size()) [[unlikely]]
      return reportIndex(slots.size(), kind, index);
    Slot& slot = slots[index];
    if (slot.set && slot.value == value) return;
    slot = {value, true};
    if ((++version & kVersionsOfTable) == 0) [[unlikely]]
      version = firstVersion();
  }

  foundation::Retained<Device> device;
  Copied<NS::String> label;
  std::vector<Slot> buffers, textures, samplers;
  const bool initialized; // initializeBindings: what the app has not set is null
  // Another one after every change, never 0, and of no other table: equal versions mean equal contents.
  uint64_t version = 0;

 private:
  // A table counts in a range of its own, so that a change costs no atomic operation.
  static constexpr uint64_t kVersionsOfTable = 0xffff'ffff;
  static uint64_t firstVersion();
  void reportIndex(size_t count, const char* kind, NS::UInteger index);
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::ArgumentTableDescriptor, basanite::metal::ArgumentTableDescriptor)
BASANITE_BRIDGE(MTL4::ArgumentTable, basanite::metal::ArgumentTable)
