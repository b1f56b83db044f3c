// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTL4BinaryFunction.hpp and MTL4BinaryFunctionDescriptor.hpp: a visible function that
// pipelines can be linked with. It is kept as bitcode; machine code comes into being with the pipelines.
#pragma once

#include "src/metal/MTL4FunctionDescriptor.hpp"
#include "src/metal/function_lookup.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTL4BinaryFunction.hpp>
#include <Metal/MTL4BinaryFunctionDescriptor.hpp>

namespace basanite::metal {

struct BinaryFunctionDescriptorFields {
  Copied<MTL4::FunctionDescriptor> functionDescriptor;
  Copied<NS::String> name;
  MTL4::BinaryFunctionOptions options = MTL4::BinaryFunctionOptionNone;
};
class BinaryFunctionDescriptor final
    : public PropertyBag<BinaryFunctionDescriptor, BinaryFunctionDescriptorFields> {
 public:
  const char* className() const override { return "MTL4BinaryFunctionDescriptor"; }
};

// Immutable; any thread.
class BinaryFunction final : public foundation::Object {
 public:
  // A null descriptor is an error. Error: as findFunction().
  static base::Result<foundation::Retained<BinaryFunction>>
  create(const BinaryFunctionDescriptor* descriptor);

  const char* className() const override { return "MTL4BinaryFunction"; }

  FoundFunction function;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::BinaryFunctionDescriptor, basanite::metal::BinaryFunctionDescriptor)
BASANITE_BRIDGE(MTL4::BinaryFunction, basanite::metal::BinaryFunction)
