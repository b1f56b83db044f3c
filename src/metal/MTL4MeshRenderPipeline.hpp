// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4MeshRenderPipeline.hpp: what an object/mesh/fragment pipeline is made from.
#pragma once

#include "src/metal/MTL4FunctionDescriptor.hpp"
#include "src/metal/MTL4RenderPipeline.hpp"

#include <Metal/MTL4MeshRenderPipeline.hpp>
#include <Metal/MTLTypes.hpp>

namespace basanite::metal {

struct MeshRenderPipelineDescriptor4Fields {
  Copied<MTL4::FunctionDescriptor> objectFunctionDescriptor;
  Copied<MTL4::FunctionDescriptor> meshFunctionDescriptor;
  Copied<MTL4::FunctionDescriptor> fragmentFunctionDescriptor;
  // 0: what the function's attribute says, else the device's limit.
  NS::UInteger maxTotalThreadsPerObjectThreadgroup = 0;
  NS::UInteger maxTotalThreadsPerMeshThreadgroup = 0;
  NS::UInteger maxTotalThreadgroupsPerMeshGrid = 0;
  MTL::Size requiredThreadsPerObjectThreadgroup = MTL::Size::Make(0, 0, 0); // 0: any
  MTL::Size requiredThreadsPerMeshThreadgroup = MTL::Size::Make(0, 0, 0);
  // Promises of the app's; pipelines are as good without them.
  bool objectThreadgroupSizeIsMultipleOfThreadExecutionWidth = false;
  bool meshThreadgroupSizeIsMultipleOfThreadExecutionWidth = false;
  NS::UInteger payloadMemoryLength = 0; // bytes; 0: what the functions' arguments take
  NS::UInteger rasterSampleCount = 1;
  MTL4::AlphaToCoverageState alphaToCoverageState = MTL4::AlphaToCoverageStateDisabled;
  MTL4::AlphaToOneState alphaToOneState = MTL4::AlphaToOneStateDisabled;
  MTL4::IndirectCommandBufferSupportState supportIndirectCommandBuffers =
      MTL4::IndirectCommandBufferSupportStateDisabled;
  MTL4::LogicalToPhysicalColorAttachmentMappingState colorAttachmentMappingState =
      MTL4::LogicalToPhysicalColorAttachmentMappingStateIdentity;
  bool rasterizationEnabled = true;
  Made<RenderPipelineColorAttachmentArray4> colorAttachments;
  Made<StaticLinkingDescriptor> objectStaticLinkingDescriptor, meshStaticLinkingDescriptor,
      fragmentStaticLinkingDescriptor;
  bool supportObjectBinaryLinking = false, supportMeshBinaryLinking = false,
       supportFragmentBinaryLinking = false;
};
class MeshRenderPipelineDescriptor4 final
    : public PropertyBag<MeshRenderPipelineDescriptor4, MeshRenderPipelineDescriptor4Fields,
                         PipelineDescriptor4> {
 public:
  const char* className() const override { return "MTL4MeshRenderPipelineDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::MeshRenderPipelineDescriptor, basanite::metal::MeshRenderPipelineDescriptor4)
