// SPDX-License-Identifier: Apache-2.0
// MTL::Resource: what buffers and textures have in common.
#include "src/metal/MTLResource.hpp"

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
