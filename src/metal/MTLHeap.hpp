// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLHeap.hpp.
#pragma once

#include "src/metal/MTLAllocation.hpp"
#include "src/metal/MTLBuffer.hpp"
#include "src/metal/MTLTexture.hpp"
#include "src/vulkan/memory_heap.hpp"

#include <Metal/MTLHeap.hpp>
#include <atomic>
#include <optional>

namespace basanite::metal {

struct HeapDescriptorFields {
  NS::UInteger size = 0;
  MTL::StorageMode storageMode = MTL::StorageModePrivate;
  MTL::CPUCacheMode cpuCacheMode = MTL::CPUCacheModeDefaultCache;
  MTL::HazardTrackingMode hazardTrackingMode = MTL::HazardTrackingModeDefault;
  MTL::HeapType type = MTL::HeapTypeAutomatic;
  MTL::SparsePageSize sparsePageSize = MTL::SparsePageSize16; // of sparse heaps only
  MTL::SparsePageSize maxCompatiblePlacementSparsePageSize{}; // 0: of no placement sparse resource
};
class HeapDescriptor final : public PropertyBag<HeapDescriptor, HeapDescriptorFields> {
 public:
  const char* className() const override { return "MTLHeapDescriptor"; }
};

// What a resource takes of a heap, in bytes.
struct HeapNeed {
  NS::UInteger size = 0, alignment = 0;
};

// One block of memory. Resources made from it keep it alive and start with what lay there. Thread-safe.
class Heap final : public Allocation {
 public:
  // Error: what is wrong with the descriptor, with value and limit; out of memory.
  static base::Result<foundation::Retained<Heap>> create(Device* device,
                                                         const HeapDescriptorFields& descriptor);
  static base::Result<HeapNeed> bufferNeed(Device* device, NS::UInteger length, MTL::ResourceOptions options);
  static base::Result<HeapNeed> textureNeed(Device* device, const TextureDescriptorFields& descriptor);

  // `offset`: for placement heaps, and only for them. Error: another storage mode than the heap's, no room,
  // an offset that is not aligned.
  base::Result<foundation::Retained<Buffer>>
  makeBuffer(NS::UInteger length, MTL::ResourceOptions resourceOptions, std::optional<NS::UInteger> offset);
  base::Result<foundation::Retained<Texture>> makeTexture(const TextureDescriptorFields& descriptor,
                                                          std::optional<NS::UInteger> offset);

  const char* className() const override { return "MTLHeap"; }
  uint64_t allocatedSize() const override { return backend->size(); }

  foundation::Retained<Device> device;
  Copied<NS::String> label;
  MTL::HeapType type = MTL::HeapTypeAutomatic;
  MTL::ResourceOptions options = 0;
  base::Ref<vulkan::MemoryHeap> backend;
  std::atomic<uint64_t> heldBytes{0}; // of resources that are not aliasable
  std::atomic<MTL::PurgeableState> purgeableState{MTL::PurgeableStateNonVolatile};

 private:
  Heap(Device* owner, const HeapDescriptorFields& descriptor);
  base::Result<HeapPlace> place(const HeapNeed& need, std::optional<NS::UInteger> offset);
  base::Result<void> checkOptions(MTL::ResourceOptions resourceOptions) const;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::HeapDescriptor, basanite::metal::HeapDescriptor)
BASANITE_BRIDGE(MTL::Heap, basanite::metal::Heap)
