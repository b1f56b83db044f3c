// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTL4Compiler.hpp.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/property.hpp"

#include <Foundation/NSArray.hpp>
#include <Foundation/NSString.hpp>
#include <Metal/MTL4Compiler.hpp>
#include <Metal/MTL4PipelineDataSetSerializer.hpp>

namespace basanite::metal {

struct CompilerDescriptorFields {
  Copied<NS::String> label;
  Strong<MTL4::PipelineDataSetSerializer> pipelineDataSetSerializer;
};
class CompilerDescriptor final : public PropertyBag<CompilerDescriptor, CompilerDescriptorFields> {
 public:
  const char* className() const override { return "MTL4CompilerDescriptor"; }
};

struct CompilerTaskOptionsFields {
  Copied<NS::Array> lookupArchives; // MTL4::Archive
};
class CompilerTaskOptions final : public PropertyBag<CompilerTaskOptions, CompilerTaskOptionsFields> {
 public:
  const char* className() const override { return "MTL4CompilerTaskOptions"; }
};

// Makes libraries and pipelines, at once or in the background. Thread-safe.
class Compiler4 final : public foundation::Object {
 public:
  Compiler4(Device* owner, const CompilerDescriptor* descriptor) : device(owner) {
    if (!descriptor) return;
    label = descriptor->label;
    pipelineDataSetSerializer = descriptor->pipelineDataSetSerializer;
  }
  const char* className() const override { return "MTL4Compiler"; }

  foundation::Retained<Device> device;
  Copied<NS::String> label;
  Strong<MTL4::PipelineDataSetSerializer> pipelineDataSetSerializer;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::CompilerDescriptor, basanite::metal::CompilerDescriptor)
BASANITE_BRIDGE(MTL4::CompilerTaskOptions, basanite::metal::CompilerTaskOptions)
BASANITE_BRIDGE(MTL4::Compiler, basanite::metal::Compiler4)
