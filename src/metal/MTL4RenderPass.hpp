// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4RenderPass.hpp: what a Metal 4 render pass draws into.
#pragma once

#include "src/metal/MTLBuffer.hpp"
#include "src/metal/MTLRasterizationRate.hpp"
#include "src/metal/MTLRenderPass.hpp"

#include <Metal/MTL4RenderPass.hpp>

namespace basanite::metal {

struct RenderPassDescriptor4Fields {
  Made<RenderPassColorAttachmentDescriptorArray> colorAttachments;
  Made<RenderPassDepthAttachmentDescriptor> depthAttachment;
  Made<RenderPassStencilAttachmentDescriptor> stencilAttachment;
  NS::UInteger renderTargetArrayLength = 0;
  NS::UInteger renderTargetWidth = 0;  // 0: from the attachments
  NS::UInteger renderTargetHeight = 0; // 0: from the attachments
  NS::UInteger defaultRasterSampleCount = 0;
  Strong<MTL::Buffer> visibilityResultBuffer;
  MTL::VisibilityResultType visibilityResultType = MTL::VisibilityResultTypeReset;
  bool supportColorAttachmentMapping = false;
  Strong<MTL::RasterizationRateMap> rasterizationRateMap; // of rate 1, so without effect
  std::vector<MTL::SamplePosition> samplePositions;       // empty: the device's
};
class RenderPassDescriptor4 final : public PropertyBag<RenderPassDescriptor4, RenderPassDescriptor4Fields> {
 public:
  const char* className() const override { return "MTL4RenderPassDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::RenderPassDescriptor, basanite::metal::RenderPassDescriptor4)
