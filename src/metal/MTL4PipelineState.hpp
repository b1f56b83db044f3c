// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4PipelineState.hpp: the base of Metal 4 pipeline descriptors.
#pragma once

#include "src/base/result.hpp"
#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTL4PipelineState.hpp>

namespace basanite::metal {

struct PipelineOptionsFields {
  MTL4::ShaderReflection shaderReflection = MTL4::ShaderReflectionNone;
  MTL::ShaderValidation shaderValidation =
      MTL::ShaderValidationDefault; // as on Apple's, without a say of its own
};
class PipelineOptions final : public PropertyBag<PipelineOptions, PipelineOptionsFields> {
 public:
  const char* className() const override { return "MTL4PipelineOptions"; }
};

struct PipelineDescriptor4Fields {
  Copied<NS::String> label;
  Copied<MTL4::PipelineOptions> options;
};
class PipelineDescriptor4 : public PropertyBag<PipelineDescriptor4, PipelineDescriptor4Fields> {
 public:
  const char* className() const override { return "MTL4PipelineDescriptor"; }

  // What pipelines are to tell of their functions. Error: a number that is no option.
  base::Result<MTL4::ShaderReflection> reflection() const;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::PipelineOptions, basanite::metal::PipelineOptions)
BASANITE_BRIDGE(MTL4::PipelineDescriptor, basanite::metal::PipelineDescriptor4)
