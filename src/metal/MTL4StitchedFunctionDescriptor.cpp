// SPDX-License-Identifier: Apache-2.0
// MTL4::StitchedFunctionDescriptor.
#include "src/metal/MTL4StitchedFunctionDescriptor.hpp"

BASANITE_ALLOC_INIT(MTL4::StitchedFunctionDescriptor)
BASANITE_OBJECT(MTL4::StitchedFunctionDescriptor, MTL::FunctionStitchingGraph, functionGraph,
                setFunctionGraph)
BASANITE_OBJECT(MTL4::StitchedFunctionDescriptor, NS::Array, functionDescriptors, setFunctionDescriptors)
