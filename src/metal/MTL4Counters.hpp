// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTL4Counters.hpp: counter heaps.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/property.hpp"
#include "src/vulkan/counter_heap.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTL4Counters.hpp>

namespace basanite::metal {

struct CounterHeapDescriptorFields {
  MTL4::CounterHeapType type = MTL4::CounterHeapTypeInvalid;
  NS::UInteger count = 0;
};
class CounterHeapDescriptor final : public PropertyBag<CounterHeapDescriptor, CounterHeapDescriptorFields> {
 public:
  const char* className() const override { return "MTL4CounterHeapDescriptor"; }
};

class CounterHeap final : public foundation::Object {
 public:
  explicit CounterHeap(base::Ref<vulkan::CounterHeap> heap) : backend(std::move(heap)) {}
  const char* className() const override { return "MTL4CounterHeap"; }
  // False when the range does not lie inside the heap.
  bool contains(const NS::Range& range) const;

  base::Ref<vulkan::CounterHeap> backend;
  Copied<NS::String> label;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::CounterHeapDescriptor, basanite::metal::CounterHeapDescriptor)
BASANITE_BRIDGE(MTL4::CounterHeap, basanite::metal::CounterHeap)
