// SPDX-License-Identifier: Apache-2.0
// MTL::ResidencySetDescriptor and MTL::ResidencySet.
#include "src/metal/MTLResidencySet.hpp"
#include "src/metal/validation.hpp"

#include <Foundation/NSArray.hpp>
#include <algorithm>

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

ResidencySet::ResidencySet(Device* owner, const ResidencySetDescriptor& descriptor)
    : device(owner), label(descriptor.label) {
  // A hint only: a capacity without measure must not take the process down.
  constexpr NS::UInteger kMostReserved = 1 << 16;
  NS::UInteger capacity = std::min<NS::UInteger>(descriptor.initialCapacity, kMostReserved);
  m_ordered.reserve(capacity);
  m_members.reserve(capacity);
}

void ResidencySet::add(Allocation* allocation) {
  if (!allocation) return;
  std::lock_guard lock(m_mutex);
  if (m_members.insert(allocation).second) m_ordered.emplace_back(allocation);
}

void ResidencySet::remove(Allocation* allocation) {
  foundation::Retained<Allocation> last; // released outside the lock
  std::lock_guard lock(m_mutex);
  if (m_members.erase(allocation) == 0) return;
  auto found = std::find_if(m_ordered.begin(), m_ordered.end(),
                            [&](const auto& held) { return held.get() == allocation; });
  last = *found;
  m_ordered.erase(found);
}

void ResidencySet::removeAll() {
  std::vector<foundation::Retained<Allocation>> old;
  std::lock_guard lock(m_mutex);
  old.swap(m_ordered);
  m_members.clear();
}

bool ResidencySet::contains(const Allocation* allocation) const {
  std::lock_guard lock(m_mutex);
  return m_members.count(allocation) != 0;
}

std::vector<foundation::Retained<Allocation>> ResidencySet::all() const {
  std::lock_guard lock(m_mutex);
  return m_ordered;
}

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL::ResidencySetDescriptor)
BASANITE_VALUE(MTL::ResidencySetDescriptor, NS::UInteger, initialCapacity, setInitialCapacity)
BASANITE_OBJECT(MTL::ResidencySetDescriptor, NS::String, label, setLabel)

void MTL::ResidencySet::addAllocation(const MTL::Allocation* allocation) {
  if (!this) return;
  if (allocation) toImpl(this)->add(toImpl(allocation));
}
void MTL::ResidencySet::addAllocations(const MTL::Allocation* const allocations[], NS::UInteger count) {
  if (count != 0 && !allocations)
    return basanite::metal::reportMisuse("ResidencySet::addAllocations: the array is null.");
  for (NS::UInteger i = 0; i < count; ++i) addAllocation(allocations[i]);
}
NS::Array* MTL::ResidencySet::allAllocations() const {
  if (!this) return {};
  auto held = toImpl(this)->all();
  std::vector<MTL::Allocation*> allocations;
  for (const auto& allocation : held) allocations.push_back(toPublic(allocation.get()));
  return basanite::metal::autoreleasedArray(allocations);
}
uint64_t MTL::ResidencySet::allocatedSize() const {
  if (!this) return {};
  uint64_t bytes = 0;
  for (const auto& allocation : toImpl(this)->all()) bytes += allocation->allocatedSize();
  return bytes;
}
NS::UInteger MTL::ResidencySet::allocationCount() const {
  if (!this) return {};
  return toImpl(this)->all().size();
}
// Nothing is pending: see the class comment.
void MTL::ResidencySet::commit() {}
bool MTL::ResidencySet::containsAllocation(const MTL::Allocation* anAllocation) {
  if (!this) return {};
  return anAllocation && toImpl(this)->contains(toImpl(anAllocation));
}
MTL::Device* MTL::ResidencySet::device() const {
  if (!this) return {};
  return toPublic(toImpl(this)->device.get());
}
// All memory is resident from its creation to its end.
void MTL::ResidencySet::endResidency() {}
BASANITE_OBJECT_GETTER(MTL::ResidencySet, NS::String, label)
void MTL::ResidencySet::removeAllAllocations() {
  if (!this) return;
  toImpl(this)->removeAll();
}
void MTL::ResidencySet::removeAllocation(const MTL::Allocation* allocation) {
  if (!this) return;
  if (allocation) toImpl(this)->remove(toImpl(allocation));
}
void MTL::ResidencySet::removeAllocations(const MTL::Allocation* const allocations[], NS::UInteger count) {
  if (count != 0 && !allocations)
    return basanite::metal::reportMisuse("ResidencySet::removeAllocations: the array is null.");
  for (NS::UInteger i = 0; i < count; ++i) removeAllocation(allocations[i]);
}
void MTL::ResidencySet::requestResidency() {}
