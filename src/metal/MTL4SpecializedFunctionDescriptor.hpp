// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4SpecializedFunctionDescriptor.hpp: a function with values for its function constants.
#pragma once

#include "src/metal/MTL4FunctionDescriptor.hpp"
#include "src/metal/MTLFunctionConstantValues.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTL4SpecializedFunctionDescriptor.hpp>

namespace basanite::metal {

struct SpecializedFunctionDescriptorFields {
  Copied<MTL4::FunctionDescriptor> functionDescriptor;
  Copied<NS::String> specializedName;
  Copied<MTL::FunctionConstantValues> constantValues;
};
class SpecializedFunctionDescriptor final
    : public PropertyBag<SpecializedFunctionDescriptor, SpecializedFunctionDescriptorFields,
                         FunctionDescriptor4> {
 public:
  const char* className() const override { return "MTL4SpecializedFunctionDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::SpecializedFunctionDescriptor, basanite::metal::SpecializedFunctionDescriptor)
