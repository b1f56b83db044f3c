// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4ComputePipeline.hpp: what a compute pipeline is made from.
#pragma once

#include "src/metal/MTL4FunctionDescriptor.hpp"
#include "src/metal/MTL4LinkingDescriptor.hpp"
#include "src/metal/MTL4PipelineState.hpp"

#include <Metal/MTL4ComputePipeline.hpp>

namespace basanite::metal {

struct ComputePipelineDescriptor4Fields {
  Copied<MTL4::FunctionDescriptor> computeFunctionDescriptor;
  bool threadGroupSizeIsMultipleOfThreadExecutionWidth =
      false; // a promise of the app; nothing here relies on it
  MTL4::IndirectCommandBufferSupportState supportIndirectCommandBuffers =
      MTL4::IndirectCommandBufferSupportStateDisabled;
  NS::UInteger maxTotalThreadsPerThreadgroup = 0; // 0: from the shader's attribute or the device
  MTL::Size requiredThreadsPerThreadgroup = MTL::Size(0, 0, 0); // 0: any size
  Made<StaticLinkingDescriptor> staticLinkingDescriptor;
  bool supportBinaryLinking = false;
};
class ComputePipelineDescriptor4 final
    : public PropertyBag<ComputePipelineDescriptor4, ComputePipelineDescriptor4Fields, PipelineDescriptor4> {
 public:
  const char* className() const override { return "MTL4ComputePipelineDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::ComputePipelineDescriptor, basanite::metal::ComputePipelineDescriptor4)
