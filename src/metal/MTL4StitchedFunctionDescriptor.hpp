// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4StitchedFunctionDescriptor.hpp: a visible function that a graph makes of others.
#pragma once

#include "src/metal/MTL4FunctionDescriptor.hpp"
#include "src/metal/function_lookup.hpp"

#include <Foundation/NSArray.hpp>
#include <Metal/MTL4StitchedFunctionDescriptor.hpp>
#include <Metal/MTLFunctionStitching.hpp>

namespace basanite::metal {

struct StitchedFunctionDescriptorFields {
  Copied<MTL::FunctionStitchingGraph> functionGraph;
  Copied<NS::Array> functionDescriptors; // of MTL4::FunctionDescriptor
};
class StitchedFunctionDescriptor final
    : public PropertyBag<StitchedFunctionDescriptor, StitchedFunctionDescriptorFields, FunctionDescriptor4> {
 public:
  const char* className() const override { return "MTL4StitchedFunctionDescriptor"; }
};

// Error: what is missing in the descriptor; as stitch().
base::Result<FoundFunction> findStitchedFunction(const StitchedFunctionDescriptor& descriptor);

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::StitchedFunctionDescriptor, basanite::metal::StitchedFunctionDescriptor)
