// SPDX-License-Identifier: Apache-2.0
// MTL4::FunctionDescriptor.
#include "src/metal/MTL4FunctionDescriptor.hpp"

BASANITE_ALLOC_INIT(MTL4::FunctionDescriptor)
