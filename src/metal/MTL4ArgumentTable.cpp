// SPDX-License-Identifier: Apache-2.0
// MTL4::ArgumentTableDescriptor and MTL4::ArgumentTable.
#include "src/metal/MTL4ArgumentTable.hpp"

#include "src/metal/validation.hpp"

#include <atomic>

using basanite::foundation::toImpl;

namespace basanite::metal {

uint64_t ArgumentTable::firstVersion() {
  static std::atomic<uint64_t> s_range{0};
  return s_range.fetch_add(1, std::memory_order_relaxed) * (kVersionsOfTable + 1) + 1;
}

ArgumentTable::ArgumentTable(Device* owner, const ArgumentTableDescriptor& descriptor)
    : device(owner), label(descriptor.label), initialized(descriptor.initializeBindings),
      version(firstVersion()) {
  Slot initial{0, initialized};
  buffers.assign(descriptor.maxBufferBindCount, initial);
  textures.assign(descriptor.maxTextureBindCount, initial);
  samplers.assign(descriptor.maxSamplerStateBindCount, initial);
}

void ArgumentTable::reportIndex(size_t count, const char* kind, NS::UInteger index) {
  reportMisuse("ArgumentTable: {} index {} is past the {} {} bindings that the table \"{}\" was made with.",
               kind, index, count, kind, foundation::textOf(label.get()));
}

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL4::ArgumentTableDescriptor)
BASANITE_VALUE(MTL4::ArgumentTableDescriptor, bool, initializeBindings, setInitializeBindings)
BASANITE_OBJECT(MTL4::ArgumentTableDescriptor, NS::String, label, setLabel)
BASANITE_VALUE(MTL4::ArgumentTableDescriptor, NS::UInteger, maxBufferBindCount, setMaxBufferBindCount)
BASANITE_VALUE(MTL4::ArgumentTableDescriptor, NS::UInteger, maxSamplerStateBindCount,
               setMaxSamplerStateBindCount)
BASANITE_VALUE(MTL4::ArgumentTableDescriptor, NS::UInteger, maxTextureBindCount, setMaxTextureBindCount)

MTL::Device* MTL4::ArgumentTable::device() const {
  if (!this) return {};
  return basanite::foundation::toPublic(toImpl(this)->device.get());
}
BASANITE_OBJECT_GETTER(MTL4::ArgumentTable, NS::String, label)
void MTL4::ArgumentTable::setAddress(MTL::GPUAddress gpuAddress, NS::UInteger bindingIndex) {
  if (!this) return;
  auto* self = toImpl(this);
  self->set(self->buffers, "buffer", bindingIndex, gpuAddress);
}
// What is not bound by address, but stands among the buffers: tables of functions.
void MTL4::ArgumentTable::setResource(MTL::ResourceID resourceID, NS::UInteger bindingIndex) {
  if (!this) return;
  auto* self = toImpl(this);
  self->set(self->buffers, "buffer", bindingIndex, resourceID._impl);
}
void MTL4::ArgumentTable::setSamplerState(MTL::ResourceID resourceID, NS::UInteger bindingIndex) {
  if (!this) return;
  auto* self = toImpl(this);
  self->set(self->samplers, "sampler", bindingIndex, resourceID._impl);
}
void MTL4::ArgumentTable::setTexture(MTL::ResourceID resourceID, NS::UInteger bindingIndex) {
  if (!this) return;
  auto* self = toImpl(this);
  self->set(self->textures, "texture", bindingIndex, resourceID._impl);
}
