// SPDX-License-Identifier: Apache-2.0
// MTL4::SpecializedFunctionDescriptor.
#include "src/metal/MTL4SpecializedFunctionDescriptor.hpp"

BASANITE_ALLOC_INIT(MTL4::SpecializedFunctionDescriptor)
BASANITE_OBJECT(MTL4::SpecializedFunctionDescriptor, MTL::FunctionConstantValues, constantValues,
                setConstantValues)
BASANITE_OBJECT(MTL4::SpecializedFunctionDescriptor, MTL4::FunctionDescriptor, functionDescriptor,
                setFunctionDescriptor)
BASANITE_OBJECT(MTL4::SpecializedFunctionDescriptor, NS::String, specializedName, setSpecializedName)
