// SPDX-License-Identifier: Apache-2.0
// MTL::FunctionDescriptor.
#include "src/metal/MTLFunctionDescriptor.hpp"

BASANITE_ALLOC_INIT(MTL::FunctionDescriptor)
MTL::FunctionDescriptor* MTL::FunctionDescriptor::functionDescriptor() {
  return basanite::foundation::toPublicAutoreleased(new basanite::metal::FunctionDescriptor);
}
BASANITE_OBJECT(MTL::FunctionDescriptor, MTL::FunctionConstantValues, constantValues, setConstantValues)
BASANITE_OBJECT(MTL::FunctionDescriptor, NS::String, name, setName)
BASANITE_OBJECT(MTL::FunctionDescriptor, NS::String, specializedName, setSpecializedName)
