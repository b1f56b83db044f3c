// SPDX-License-Identifier: Apache-2.0
// MTL4::RenderPassDescriptor.
#include "src/metal/MTL4RenderPass.hpp"

#include <algorithm>

using basanite::foundation::toImpl;

BASANITE_ALLOC_INIT(MTL4::RenderPassDescriptor)
BASANITE_OBJECT_GETTER(MTL4::RenderPassDescriptor, MTL::RenderPassColorAttachmentDescriptorArray,
                       colorAttachments)
BASANITE_VALUE(MTL4::RenderPassDescriptor, NS::UInteger, defaultRasterSampleCount,
               setDefaultRasterSampleCount)
BASANITE_OBJECT(MTL4::RenderPassDescriptor, MTL::RenderPassDepthAttachmentDescriptor, depthAttachment,
                setDepthAttachment)
BASANITE_OBJECT(MTL4::RenderPassDescriptor, MTL::RasterizationRateMap, rasterizationRateMap,
                setRasterizationRateMap)
BASANITE_VALUE(MTL4::RenderPassDescriptor, NS::UInteger, renderTargetArrayLength, setRenderTargetArrayLength)
BASANITE_VALUE(MTL4::RenderPassDescriptor, NS::UInteger, renderTargetHeight, setRenderTargetHeight)
BASANITE_VALUE(MTL4::RenderPassDescriptor, NS::UInteger, renderTargetWidth, setRenderTargetWidth)
NS::UInteger MTL4::RenderPassDescriptor::getSamplePositions(MTL::SamplePosition* positions,
                                                            NS::UInteger count) {
  if (!this) return 0;
  const auto& own = toImpl(this)->samplePositions;
  if (positions) std::copy_n(own.begin(), std::min<size_t>(count, own.size()), positions);
  return own.size();
}
void MTL4::RenderPassDescriptor::setSamplePositions(const MTL::SamplePosition* positions,
                                                    NS::UInteger count) {
  if (!this) return;
  if (positions)
    toImpl(this)->samplePositions.assign(positions, positions + count);
  else
    toImpl(this)->samplePositions.clear();
}
BASANITE_VALUE(MTL4::RenderPassDescriptor, bool, supportColorAttachmentMapping,
               setSupportColorAttachmentMapping)
BASANITE_OBJECT(MTL4::RenderPassDescriptor, MTL::RenderPassStencilAttachmentDescriptor, stencilAttachment,
                setStencilAttachment)
BASANITE_OBJECT(MTL4::RenderPassDescriptor, MTL::Buffer, visibilityResultBuffer, setVisibilityResultBuffer)
BASANITE_VALUE(MTL4::RenderPassDescriptor, MTL::VisibilityResultType, visibilityResultType,
               setVisibilityResultType)
