// SPDX-License-Identifier: Apache-2.0
// MTL4::MeshRenderPipelineDescriptor.
#include "src/metal/MTL4MeshRenderPipeline.hpp"

BASANITE_ALLOC_INIT(MTL4::MeshRenderPipelineDescriptor)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, MTL4::AlphaToCoverageState, alphaToCoverageState,
               setAlphaToCoverageState)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, MTL4::AlphaToOneState, alphaToOneState, setAlphaToOneState)
BASANITE_OBJECT_GETTER(MTL4::MeshRenderPipelineDescriptor, MTL4::RenderPipelineColorAttachmentDescriptorArray,
                       colorAttachments)
BASANITE_OBJECT(MTL4::MeshRenderPipelineDescriptor, MTL4::FunctionDescriptor, fragmentFunctionDescriptor,
                setFragmentFunctionDescriptor)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, NS::UInteger, maxTotalThreadgroupsPerMeshGrid,
               setMaxTotalThreadgroupsPerMeshGrid)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, NS::UInteger, maxTotalThreadsPerMeshThreadgroup,
               setMaxTotalThreadsPerMeshThreadgroup)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, NS::UInteger, maxTotalThreadsPerObjectThreadgroup,
               setMaxTotalThreadsPerObjectThreadgroup)
BASANITE_OBJECT(MTL4::MeshRenderPipelineDescriptor, MTL4::FunctionDescriptor, meshFunctionDescriptor,
                setMeshFunctionDescriptor)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, bool, meshThreadgroupSizeIsMultipleOfThreadExecutionWidth,
               setMeshThreadgroupSizeIsMultipleOfThreadExecutionWidth)
BASANITE_OBJECT(MTL4::MeshRenderPipelineDescriptor, MTL4::FunctionDescriptor, objectFunctionDescriptor,
                setObjectFunctionDescriptor)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, bool,
               objectThreadgroupSizeIsMultipleOfThreadExecutionWidth,
               setObjectThreadgroupSizeIsMultipleOfThreadExecutionWidth)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, NS::UInteger, payloadMemoryLength, setPayloadMemoryLength)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, MTL4::LogicalToPhysicalColorAttachmentMappingState,
               colorAttachmentMappingState, setColorAttachmentMappingState)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, NS::UInteger, rasterSampleCount, setRasterSampleCount)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, bool, rasterizationEnabled, setRasterizationEnabled)
BASANITE_VALUE_GETTER(MTL4::MeshRenderPipelineDescriptor, bool, isRasterizationEnabled, rasterizationEnabled)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, MTL::Size, requiredThreadsPerMeshThreadgroup,
               setRequiredThreadsPerMeshThreadgroup)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, MTL::Size, requiredThreadsPerObjectThreadgroup,
               setRequiredThreadsPerObjectThreadgroup)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, MTL4::IndirectCommandBufferSupportState,
               supportIndirectCommandBuffers, setSupportIndirectCommandBuffers)
BASANITE_OBJECT(MTL4::MeshRenderPipelineDescriptor, MTL4::StaticLinkingDescriptor,
                objectStaticLinkingDescriptor, setObjectStaticLinkingDescriptor)
BASANITE_OBJECT(MTL4::MeshRenderPipelineDescriptor, MTL4::StaticLinkingDescriptor,
                meshStaticLinkingDescriptor, setMeshStaticLinkingDescriptor)
BASANITE_OBJECT(MTL4::MeshRenderPipelineDescriptor, MTL4::StaticLinkingDescriptor,
                fragmentStaticLinkingDescriptor, setFragmentStaticLinkingDescriptor)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, bool, supportObjectBinaryLinking,
               setSupportObjectBinaryLinking)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, bool, supportMeshBinaryLinking,
               setSupportMeshBinaryLinking)
BASANITE_VALUE(MTL4::MeshRenderPipelineDescriptor, bool, supportFragmentBinaryLinking,
               setSupportFragmentBinaryLinking)
void MTL4::MeshRenderPipelineDescriptor::reset() {
  if (!this) return;
  auto* self = basanite::foundation::toImpl(this);
  self->resetFields();
  self->PipelineDescriptor4::resetFields();
}
