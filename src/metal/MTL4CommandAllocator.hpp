// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTL4CommandAllocator.hpp.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/property.hpp"
#include "src/vulkan/command_pool.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTL4CommandAllocator.hpp>
#include <atomic>

namespace basanite::metal {

struct CommandAllocatorDescriptorFields {
  Copied<NS::String> label;
};
class CommandAllocatorDescriptor final
    : public PropertyBag<CommandAllocatorDescriptor, CommandAllocatorDescriptorFields> {
 public:
  const char* className() const override { return "MTL4CommandAllocatorDescriptor"; }
};

// One thread at a time.
class CommandAllocator final : public foundation::Object {
 public:
  static base::Result<foundation::Retained<CommandAllocator>>
  create(Device* device, const CommandAllocatorDescriptor* descriptor);
  const char* className() const override { return "MTL4CommandAllocator"; }

  foundation::Retained<Device> device;
  base::Ref<vulkan::CommandPool> pool;
  Copied<NS::String> label;
  std::atomic<bool> serving{false}; // a command buffer is open on it
  // Recordings begun and neither committed nor dropped, the open one included; commit may come from another
  // thread.
  std::atomic<uint32_t> uncommittedCount{0};
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::CommandAllocatorDescriptor, basanite::metal::CommandAllocatorDescriptor)
BASANITE_BRIDGE(MTL4::CommandAllocator, basanite::metal::CommandAllocator)
