// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4LibraryDescriptor.hpp: source text and how to compile it.
#pragma once

#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTL4LibraryDescriptor.hpp>
#include <Metal/MTLLibrary.hpp>

namespace basanite::metal {

struct LibraryDescriptor4Fields {
  Copied<NS::String> source;
  Copied<MTL::CompileOptions> options;
  Copied<NS::String> name;
};
class LibraryDescriptor4 final : public PropertyBag<LibraryDescriptor4, LibraryDescriptor4Fields> {
 public:
  const char* className() const override { return "MTL4LibraryDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::LibraryDescriptor, basanite::metal::LibraryDescriptor4)
