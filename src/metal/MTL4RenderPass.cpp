// SPDX-License-Identifier: Apache-2.0
// MTL4::RenderPassDescriptor.
#include "src/metal/MTL4RenderPass.hpp"

BASANITE_ALLOC_INIT(MTL4::RenderPassDescriptor)
BASANITE_OBJECT_GETTER(MTL4::RenderPassDescriptor, MTL::RenderPassColorAttachmentDescriptorArray,
                       colorAttachments)
BASANITE_VALUE(MTL4::RenderPassDescriptor, NS::UInteger, defaultRasterSampleCount,
               setDefaultRasterSampleCount)
BASANITE_OBJECT(MTL4::RenderPassDescriptor, MTL::RenderPassDepthAttachmentDescriptor, depthAttachment,
                setDepthAttachment)
BASANITE_VALUE(MTL4::RenderPassDescriptor, NS::UInteger, renderTargetArrayLength, setRenderTargetArrayLength)
BASANITE_VALUE(MTL4::RenderPassDescriptor, NS::UInteger, renderTargetHeight, setRenderTargetHeight)
BASANITE_VALUE(MTL4::RenderPassDescriptor, NS::UInteger, renderTargetWidth, setRenderTargetWidth)
BASANITE_OBJECT(MTL4::RenderPassDescriptor, MTL::RenderPassStencilAttachmentDescriptor, stencilAttachment,
                setStencilAttachment)
BASANITE_OBJECT(MTL4::RenderPassDescriptor, MTL::Buffer, visibilityResultBuffer, setVisibilityResultBuffer)
BASANITE_VALUE(MTL4::RenderPassDescriptor, MTL::VisibilityResultType, visibilityResultType,
               setVisibilityResultType)
