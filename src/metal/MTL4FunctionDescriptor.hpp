// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4FunctionDescriptor.hpp: the base of the descriptions of a shader function.
#pragma once

#include "src/metal/property.hpp"

#include <Metal/MTL4FunctionDescriptor.hpp>

namespace basanite::metal {

struct FunctionDescriptor4Fields {};
class FunctionDescriptor4 : public PropertyBag<FunctionDescriptor4, FunctionDescriptor4Fields> {
 public:
  const char* className() const override { return "MTL4FunctionDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::FunctionDescriptor, basanite::metal::FunctionDescriptor4)
