// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTL4Compiler.hpp.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTL4Compiler.hpp>

namespace basanite::metal {

struct CompilerDescriptorFields {
  Copied<NS::String> label;
};
class CompilerDescriptor final : public PropertyBag<CompilerDescriptor, CompilerDescriptorFields> {
 public:
  const char* className() const override { return "MTL4CompilerDescriptor"; }
};

// Makes libraries and pipelines, at once or in the background. Thread-safe.
class Compiler4 final : public foundation::Object {
 public:
  Compiler4(Device* owner, const CompilerDescriptor* descriptor) : device(owner) {
    if (descriptor) label = descriptor->label;
  }
  const char* className() const override { return "MTL4Compiler"; }

  foundation::Retained<Device> device;
  Copied<NS::String> label;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::CompilerDescriptor, basanite::metal::CompilerDescriptor)
BASANITE_BRIDGE(MTL4::Compiler, basanite::metal::Compiler4)
