// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4LibraryFunctionDescriptor.hpp: a function named in a library.
#pragma once

#include "src/metal/MTL4FunctionDescriptor.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTL4LibraryFunctionDescriptor.hpp>
#include <Metal/MTLLibrary.hpp>

namespace basanite::metal {

struct LibraryFunctionDescriptorFields {
  Copied<NS::String> name;
  Strong<MTL::Library> library;
};
class LibraryFunctionDescriptor final
    : public PropertyBag<LibraryFunctionDescriptor, LibraryFunctionDescriptorFields, FunctionDescriptor4> {
 public:
  const char* className() const override { return "MTL4LibraryFunctionDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::LibraryFunctionDescriptor, basanite::metal::LibraryFunctionDescriptor)
