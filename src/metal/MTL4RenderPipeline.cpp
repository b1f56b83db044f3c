// SPDX-License-Identifier: Apache-2.0
// MTL4::RenderPipelineDescriptor and its colour attachments.
#include "src/metal/MTL4RenderPipeline.hpp"

using basanite::foundation::toImpl;

BASANITE_ALLOC_INIT(MTL4::RenderPipelineColorAttachmentDescriptor)
BASANITE_VALUE(MTL4::RenderPipelineColorAttachmentDescriptor, MTL::BlendOperation, alphaBlendOperation,
               setAlphaBlendOperation)
BASANITE_VALUE(MTL4::RenderPipelineColorAttachmentDescriptor, MTL4::BlendState, blendingState,
               setBlendingState)
BASANITE_VALUE(MTL4::RenderPipelineColorAttachmentDescriptor, MTL::BlendFactor, destinationAlphaBlendFactor,
               setDestinationAlphaBlendFactor)
BASANITE_VALUE(MTL4::RenderPipelineColorAttachmentDescriptor, MTL::BlendFactor, destinationRGBBlendFactor,
               setDestinationRGBBlendFactor)
BASANITE_VALUE(MTL4::RenderPipelineColorAttachmentDescriptor, MTL::PixelFormat, pixelFormat, setPixelFormat)
BASANITE_VALUE(MTL4::RenderPipelineColorAttachmentDescriptor, MTL::BlendOperation, rgbBlendOperation,
               setRgbBlendOperation)
BASANITE_VALUE(MTL4::RenderPipelineColorAttachmentDescriptor, MTL::BlendFactor, sourceAlphaBlendFactor,
               setSourceAlphaBlendFactor)
BASANITE_VALUE(MTL4::RenderPipelineColorAttachmentDescriptor, MTL::BlendFactor, sourceRGBBlendFactor,
               setSourceRGBBlendFactor)
BASANITE_VALUE(MTL4::RenderPipelineColorAttachmentDescriptor, MTL::ColorWriteMask, writeMask, setWriteMask)
void MTL4::RenderPipelineColorAttachmentDescriptor::reset() {
  if (!this) return;
  toImpl(this)->resetFields();
}

BASANITE_ALLOC_INIT(MTL4::RenderPipelineColorAttachmentDescriptorArray)
MTL4::RenderPipelineColorAttachmentDescriptor*
MTL4::RenderPipelineColorAttachmentDescriptorArray::object(NS::UInteger attachmentIndex) {
  if (!this) return {};
  return toImpl(this)->object(attachmentIndex);
}
void MTL4::RenderPipelineColorAttachmentDescriptorArray::setObject(
    const MTL4::RenderPipelineColorAttachmentDescriptor* attachment, NS::UInteger attachmentIndex) {
  if (!this) return;
  toImpl(this)->setObject(attachment, attachmentIndex);
}
void MTL4::RenderPipelineColorAttachmentDescriptorArray::reset() {
  if (!this) return;
  toImpl(this)->reset();
}

BASANITE_ALLOC_INIT(MTL4::RenderPipelineDescriptor)
BASANITE_VALUE(MTL4::RenderPipelineDescriptor, MTL4::AlphaToCoverageState, alphaToCoverageState,
               setAlphaToCoverageState)
BASANITE_VALUE(MTL4::RenderPipelineDescriptor, MTL4::AlphaToOneState, alphaToOneState, setAlphaToOneState)
BASANITE_OBJECT_GETTER(MTL4::RenderPipelineDescriptor, MTL4::RenderPipelineColorAttachmentDescriptorArray,
                       colorAttachments)
BASANITE_OBJECT(MTL4::RenderPipelineDescriptor, MTL4::FunctionDescriptor, fragmentFunctionDescriptor,
                setFragmentFunctionDescriptor)
BASANITE_VALUE(MTL4::RenderPipelineDescriptor, MTL::PrimitiveTopologyClass, inputPrimitiveTopology,
               setInputPrimitiveTopology)
BASANITE_VALUE(MTL4::RenderPipelineDescriptor, MTL4::LogicalToPhysicalColorAttachmentMappingState,
               colorAttachmentMappingState, setColorAttachmentMappingState)
BASANITE_VALUE(MTL4::RenderPipelineDescriptor, NS::UInteger, rasterSampleCount, setRasterSampleCount)
BASANITE_VALUE(MTL4::RenderPipelineDescriptor, bool, rasterizationEnabled, setRasterizationEnabled)
BASANITE_VALUE_GETTER(MTL4::RenderPipelineDescriptor, bool, isRasterizationEnabled, rasterizationEnabled)
BASANITE_OBJECT(MTL4::RenderPipelineDescriptor, MTL::VertexDescriptor, vertexDescriptor, setVertexDescriptor)
BASANITE_OBJECT(MTL4::RenderPipelineDescriptor, MTL4::FunctionDescriptor, vertexFunctionDescriptor,
                setVertexFunctionDescriptor)
BASANITE_VALUE(MTL4::RenderPipelineDescriptor, MTL4::IndirectCommandBufferSupportState,
               supportIndirectCommandBuffers, setSupportIndirectCommandBuffers)
BASANITE_OBJECT(MTL4::RenderPipelineDescriptor, MTL4::StaticLinkingDescriptor, vertexStaticLinkingDescriptor,
                setVertexStaticLinkingDescriptor)
BASANITE_OBJECT(MTL4::RenderPipelineDescriptor, MTL4::StaticLinkingDescriptor,
                fragmentStaticLinkingDescriptor, setFragmentStaticLinkingDescriptor)
BASANITE_VALUE(MTL4::RenderPipelineDescriptor, bool, supportVertexBinaryLinking,
               setSupportVertexBinaryLinking)
BASANITE_VALUE(MTL4::RenderPipelineDescriptor, bool, supportFragmentBinaryLinking,
               setSupportFragmentBinaryLinking)
void MTL4::RenderPipelineDescriptor::reset() {
  if (!this) return;
  auto* self = toImpl(this);
  self->resetFields();
  self->PipelineDescriptor4::resetFields();
}
