// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLResidencySet.hpp.
#pragma once

#include "src/metal/MTLAllocation.hpp"
#include "src/metal/MTLDevice.hpp"
#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTLResidencySet.hpp>
#include <mutex>
#include <unordered_set>
#include <vector>

namespace basanite::metal {

struct ResidencySetDescriptorFields {
  Copied<NS::String> label;
  NS::UInteger initialCapacity = 0;
};
class ResidencySetDescriptor final
    : public PropertyBag<ResidencySetDescriptor, ResidencySetDescriptorFields> {
 public:
  const char* className() const override { return "MTLResidencySetDescriptor"; }
};

// The allocations that the app wants resident. Vulkan keeps all bound memory resident, so what is left to do
// is to keep the allocations alive and to answer questions about them; changes count at once, pending or not.
// Thread-safe.
class ResidencySet final : public foundation::Object {
 public:
  ResidencySet(Device* owner, const ResidencySetDescriptor& descriptor);
  const char* className() const override { return "MTLResidencySet"; }

  void add(Allocation* allocation);
  void remove(Allocation* allocation);
  void removeAll();
  bool contains(const Allocation* allocation) const;
  std::vector<foundation::Retained<Allocation>> all() const; // in the order they were added

  foundation::Retained<Device> device;
  Copied<NS::String> label;

 private:
  mutable std::mutex m_mutex;
  std::vector<foundation::Retained<Allocation>> m_ordered;
  std::unordered_set<const Allocation*> m_members;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::ResidencySetDescriptor, basanite::metal::ResidencySetDescriptor)
BASANITE_BRIDGE(MTL::ResidencySet, basanite::metal::ResidencySet)
