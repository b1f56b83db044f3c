// SPDX-License-Identifier: Apache-2.0
// Internal class of MTLFunctionDescriptor.hpp: a function to be made by a library.
#pragma once

#include "src/metal/MTLFunctionConstantValues.hpp"
#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTLFunctionDescriptor.hpp>

namespace basanite::metal {

struct FunctionDescriptorFields {
  Copied<NS::String> name;
  Copied<NS::String> specializedName;
  Copied<MTL::FunctionConstantValues> constantValues;
};
class FunctionDescriptor final : public PropertyBag<FunctionDescriptor, FunctionDescriptorFields> {
 public:
  const char* className() const override { return "MTLFunctionDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::FunctionDescriptor, basanite::metal::FunctionDescriptor)
