// SPDX-License-Identifier: Apache-2.0
// MTL4::CommandAllocatorDescriptor and MTL4::CommandAllocator.
#include "src/metal/MTL4CommandAllocator.hpp"

#include "src/metal/validation.hpp"

using basanite::foundation::textOf;
using basanite::foundation::toImpl;
using basanite::metal::reportMisuse;

namespace basanite::metal {

base::Result<foundation::Retained<CommandAllocator>>
CommandAllocator::create(Device* device, const CommandAllocatorDescriptor* descriptor) {
  auto allocator = foundation::Retained<CommandAllocator>::adopt(new CommandAllocator);
  allocator->device = foundation::Retained<Device>(device);
  if (descriptor) allocator->label = descriptor->label;
  BASANITE_TRY(allocator->pool,
               vulkan::CommandPool::create(device->backend, foundation::textOf(allocator->label.get())));
  return allocator;
}

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL4::CommandAllocatorDescriptor)
BASANITE_OBJECT(MTL4::CommandAllocatorDescriptor, NS::String, label, setLabel)

uint64_t MTL4::CommandAllocator::allocatedSize() { return this ? toImpl(this)->pool->allocatedSize() : 0; }
MTL::Device* MTL4::CommandAllocator::device() const {
  if (!this) return {};
  return basanite::foundation::toPublic(toImpl(this)->device.get());
}
BASANITE_OBJECT_GETTER(MTL4::CommandAllocator, NS::String, label)
void MTL4::CommandAllocator::reset() {
  if (!this) return;
  auto* self = toImpl(this);
  if (self->serving)
    return reportMisuse("CommandAllocator::reset: a command buffer is open on the allocator \"{}\".",
                        textOf(self->label.get()));
  if (uint32_t count = self->uncommittedCount; count > 0)
    return reportMisuse(
        "CommandAllocator::reset: {} command buffers recorded from the allocator \"{}\" have not been "
        "committed.",
        count, textOf(self->label.get()));
  if (self->pool->busy())
    return reportMisuse(
        "CommandAllocator::reset: the GPU still runs command buffers of the allocator \"{}\".",
        textOf(self->label.get()));
  auto result = self->pool->reset();
  if (!result) reportMisuse("CommandAllocator::reset: {}", result.error().message);
}
