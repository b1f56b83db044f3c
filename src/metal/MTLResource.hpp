// SPDX-License-Identifier: Apache-2.0
// Internal class of MTLResource.hpp: the base of buffers and textures.
#pragma once

#include "src/metal/MTLAllocation.hpp"
#include "src/metal/MTLDevice.hpp"
#include "src/metal/heap_place.hpp"
#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTLResource.hpp>
#include <string_view>

namespace basanite::metal {

// The three parts of MTL::ResourceOptions.
MTL::CPUCacheMode cpuCacheModeOf(MTL::ResourceOptions options);
MTL::StorageMode storageModeOf(MTL::ResourceOptions options);
MTL::HazardTrackingMode hazardTrackingModeOf(MTL::ResourceOptions options);
MTL::ResourceOptions makeResourceOptions(MTL::StorageMode storage, MTL::CPUCacheMode cache,
                                         MTL::HazardTrackingMode hazard);

class Resource : public Allocation {
 public:
  Resource(Device* owner, MTL::ResourceOptions resourceOptions) : device(owner), options(resourceOptions) {}
  // Passes the name on to the backend's objects.
  virtual void labelChanged(std::string_view text) = 0;

  // Where its bytes lie in a heap, its own or that of what it shows.
  virtual HeapPlace& home() { return place; }

  foundation::Retained<Device> device;
  HeapPlace place;
  std::atomic<MTL::PurgeableState> purgeableState{MTL::PurgeableStateNonVolatile};
  MTL::ResourceOptions options = 0;
  Copied<NS::String> label;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::Resource, basanite::metal::Resource)
