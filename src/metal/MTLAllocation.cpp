// SPDX-License-Identifier: Apache-2.0
// MTL::Allocation.
#include "src/metal/MTLAllocation.hpp"

NS::UInteger MTL::Allocation::allocatedSize() const {
  if (!this) return {};
  return basanite::foundation::toImpl(this)->allocatedSize();
}
