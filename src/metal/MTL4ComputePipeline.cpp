// SPDX-License-Identifier: Apache-2.0
// MTL4::ComputePipelineDescriptor.
#include "src/metal/MTL4ComputePipeline.hpp"

BASANITE_ALLOC_INIT(MTL4::ComputePipelineDescriptor)
BASANITE_OBJECT(MTL4::ComputePipelineDescriptor, MTL4::FunctionDescriptor, computeFunctionDescriptor,
                setComputeFunctionDescriptor)
BASANITE_VALUE(MTL4::ComputePipelineDescriptor, NS::UInteger, maxTotalThreadsPerThreadgroup,
               setMaxTotalThreadsPerThreadgroup)
BASANITE_VALUE(MTL4::ComputePipelineDescriptor, MTL::Size, requiredThreadsPerThreadgroup,
               setRequiredThreadsPerThreadgroup)
BASANITE_VALUE(MTL4::ComputePipelineDescriptor, bool, threadGroupSizeIsMultipleOfThreadExecutionWidth,
               setThreadGroupSizeIsMultipleOfThreadExecutionWidth)
BASANITE_VALUE(MTL4::ComputePipelineDescriptor, MTL4::IndirectCommandBufferSupportState,
               supportIndirectCommandBuffers, setSupportIndirectCommandBuffers)
BASANITE_OBJECT(MTL4::ComputePipelineDescriptor, MTL4::StaticLinkingDescriptor, staticLinkingDescriptor,
                setStaticLinkingDescriptor)
BASANITE_VALUE(MTL4::ComputePipelineDescriptor, bool, supportBinaryLinking, setSupportBinaryLinking)
void MTL4::ComputePipelineDescriptor::reset() {
  if (!this) return;
  auto* self = basanite::foundation::toImpl(this);
  self->resetFields();
  self->PipelineDescriptor4::resetFields();
}
