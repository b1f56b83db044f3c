// SPDX-License-Identifier: Apache-2.0
// MTL4::LibraryDescriptor.
#include "src/metal/MTL4LibraryDescriptor.hpp"

BASANITE_ALLOC_INIT(MTL4::LibraryDescriptor)
BASANITE_OBJECT(MTL4::LibraryDescriptor, NS::String, name, setName)
BASANITE_OBJECT(MTL4::LibraryDescriptor, MTL::CompileOptions, options, setOptions)
BASANITE_OBJECT(MTL4::LibraryDescriptor, NS::String, source, setSource)
