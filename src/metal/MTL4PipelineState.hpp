// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4PipelineState.hpp: the base of Metal 4 pipeline descriptors.
#pragma once

#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTL4PipelineState.hpp>

namespace basanite::metal {

struct PipelineDescriptor4Fields {
  Copied<NS::String> label;
};
class PipelineDescriptor4 : public PropertyBag<PipelineDescriptor4, PipelineDescriptor4Fields> {
 public:
  const char* className() const override { return "MTL4PipelineDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::PipelineDescriptor, basanite::metal::PipelineDescriptor4)
