// SPDX-License-Identifier: Apache-2.0
// MTL::Resource: what buffers and textures have in common.
#include "src/metal/MTLResource.hpp"

#include "src/metal/MTLHeap.hpp"
#include "src/metal/purgeable.hpp"

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

// MTL::ResourceOptions keeps the cache mode in bits 0-3, the storage mode in 4-7 and the hazard tracking mode
// in 8-9.
MTL::CPUCacheMode cpuCacheModeOf(MTL::ResourceOptions options) {
  return static_cast<MTL::CPUCacheMode>(options & 0xf);
}
MTL::StorageMode storageModeOf(MTL::ResourceOptions options) {
  return static_cast<MTL::StorageMode>((options >> 4) & 0xf);
}
MTL::HazardTrackingMode hazardTrackingModeOf(MTL::ResourceOptions options) {
  return static_cast<MTL::HazardTrackingMode>((options >> 8) & 0x3);
}
MTL::ResourceOptions makeResourceOptions(MTL::StorageMode storage, MTL::CPUCacheMode cache,
                                         MTL::HazardTrackingMode hazard) {
  return static_cast<MTL::ResourceOptions>(cache) | static_cast<MTL::ResourceOptions>(storage) << 4 |
         static_cast<MTL::ResourceOptions>(hazard) << 8;
}

} // namespace basanite::metal

NS::UInteger MTL::Resource::allocatedSize() const {
  if (!this) return {};
  return toImpl(this)->allocatedSize();
}
MTL::CPUCacheMode MTL::Resource::cpuCacheMode() const {
  if (!this) return {};
  return basanite::metal::cpuCacheModeOf(toImpl(this)->options);
}
MTL::Device* MTL::Resource::device() const {
  if (!this) return {};
  return toPublic(toImpl(this)->device.get());
}
MTL::HazardTrackingMode MTL::Resource::hazardTrackingMode() const {
  if (!this) return {};
  return basanite::metal::hazardTrackingModeOf(toImpl(this)->options);
}
MTL::Heap* MTL::Resource::heap() const {
  if (!this) return {};
  return toPublic(toImpl(this)->home().heap());
}
NS::UInteger MTL::Resource::heapOffset() const {
  if (!this) return {};
  return toImpl(this)->home().offset();
}
bool MTL::Resource::isAliasable() {
  if (!this) return {};
  return toImpl(this)->home().aliasable();
}
void MTL::Resource::makeAliasable() {
  if (!this) return;
  if (!toImpl(this)->home().heap())
    return basanite::metal::reportMisuse("Resource::makeAliasable: the resource \"{}\" lies in no heap.",
                                         basanite::foundation::textOf(toImpl(this)->label.get()));
  toImpl(this)->home().makeAliasable();
}
// Who pays for memory is a question of Apple's kernel.
kern_return_t MTL::Resource::setOwner(task_id_token_t) {
  constexpr kern_return_t kNotSupported = 46;
  return kNotSupported;
}
MTL::PurgeableState MTL::Resource::setPurgeableState(MTL::PurgeableState state) {
  if (!this) return {};
  return basanite::metal::exchangePurgeableState("Resource::setPurgeableState", toImpl(this)->purgeableState,
                                                 state);
}
BASANITE_OBJECT_GETTER(MTL::Resource, NS::String, label)
void MTL::Resource::setLabel(const NS::String* label) {
  if (!this) return;
  auto* self = toImpl(this);
  self->label.set(label);
  self->labelChanged(basanite::foundation::textOf(label));
}
MTL::ResourceOptions MTL::Resource::resourceOptions() const {
  if (!this) return {};
  return toImpl(this)->options;
}
MTL::StorageMode MTL::Resource::storageMode() const {
  if (!this) return {};
  return basanite::metal::storageModeOf(toImpl(this)->options);
}
