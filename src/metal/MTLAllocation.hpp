// SPDX-License-Identifier: Apache-2.0
// Internal class of MTLAllocation.hpp: anything that has GPU memory of its own.
#pragma once

#include "src/foundation/object.hpp"

#include <Metal/MTLAllocation.hpp>

namespace basanite::metal {

class Allocation : public foundation::Object {
 public:
  virtual uint64_t allocatedSize() const = 0; // bytes
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::Allocation, basanite::metal::Allocation)
