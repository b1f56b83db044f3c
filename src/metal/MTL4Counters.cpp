// SPDX-License-Identifier: Apache-2.0
// MTL4::CounterHeapDescriptor and MTL4::CounterHeap.
#include "src/metal/MTL4Counters.hpp"

#include "src/metal/validation.hpp"

#include <Foundation/NSData.hpp>
#include <vector>

using basanite::foundation::textOf;
using basanite::foundation::toImpl;

namespace basanite::metal {

bool CounterHeap::contains(const NS::Range& range) const {
  NS::UInteger location = range.location, length = range.length;
  return location <= backend->count() && length <= backend->count() - location;
}

namespace {

void reportRange(const char* method, const CounterHeap& heap, const NS::Range& range) {
  reportMisuse(
      "CounterHeap::{}: the range of {} entries from index {} is not inside the heap \"{}\" of {} entries.",
      method, NS::UInteger(range.length), NS::UInteger(range.location), textOf(heap.label.get()),
      heap.backend->count());
}

} // namespace

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL4::CounterHeapDescriptor)
BASANITE_VALUE(MTL4::CounterHeapDescriptor, NS::UInteger, count, setCount)
BASANITE_VALUE(MTL4::CounterHeapDescriptor, MTL4::CounterHeapType, type, setType)

NS::UInteger MTL4::CounterHeap::count() const { return this ? toImpl(this)->backend->count() : 0; }
BASANITE_OBJECT_GETTER(MTL4::CounterHeap, NS::String, label)
void MTL4::CounterHeap::setLabel(const NS::String* label) {
  if (!this) return;
  toImpl(this)->label.set(label);
  toImpl(this)->backend->setLabel(textOf(label));
}
MTL4::CounterHeapType MTL4::CounterHeap::type() const { return MTL4::CounterHeapTypeTimestamp; }

void MTL4::CounterHeap::invalidateCounterRange(NS::Range range) {
  if (!this) return;
  auto* self = toImpl(this);
  if (!self->contains(range)) return basanite::metal::reportRange("invalidateCounterRange", *self, range);
  self->backend->invalidate(static_cast<uint32_t>(range.location), static_cast<uint32_t>(range.length));
}

NS::Data* MTL4::CounterHeap::resolveCounterRange(NS::Range range) {
  if (!this) return nullptr;
  auto* self = toImpl(this);
  if (!self->contains(range)) {
    basanite::metal::reportRange("resolveCounterRange", *self, range);
    return nullptr;
  }
  std::vector<std::byte> bytes(range.length * basanite::vulkan::CounterHeap::kEntryBytes);
  self->backend->read(static_cast<uint32_t>(range.location), static_cast<uint32_t>(range.length),
                      bytes.data());
  NS::Data* data = basanite::foundation::adoptData(std::move(bytes));
  basanite::foundation::objectOf(data)->autorelease();
  return data;
}
