// SPDX-License-Identifier: Apache-2.0
// MTL4::LibraryFunctionDescriptor.
#include "src/metal/MTL4LibraryFunctionDescriptor.hpp"

BASANITE_ALLOC_INIT(MTL4::LibraryFunctionDescriptor)
BASANITE_OBJECT(MTL4::LibraryFunctionDescriptor, MTL::Library, library, setLibrary)
BASANITE_OBJECT(MTL4::LibraryFunctionDescriptor, NS::String, name, setName)
