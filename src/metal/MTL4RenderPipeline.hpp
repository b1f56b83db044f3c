// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTL4RenderPipeline.hpp: what a vertex/fragment pipeline is made from.
#pragma once

#include "src/metal/MTL4FunctionDescriptor.hpp"
#include "src/metal/MTL4LinkingDescriptor.hpp"
#include "src/metal/MTL4PipelineState.hpp"
#include "src/metal/MTLRenderPass.hpp"
#include "src/metal/MTLVertexDescriptor.hpp"

#include <Metal/MTL4RenderPipeline.hpp>
#include <Metal/MTLPixelFormat.hpp>
#include <Metal/MTLRenderPipeline.hpp>

namespace basanite::metal {

// Of MTL4::BinaryFunction, a list a stage.
struct RenderBinaryFunctionsFields {
  Copied<NS::Array> vertexAdditionalBinaryFunctions, fragmentAdditionalBinaryFunctions,
      tileAdditionalBinaryFunctions, objectAdditionalBinaryFunctions, meshAdditionalBinaryFunctions;
};
class RenderBinaryFunctionsDescriptor final
    : public PropertyBag<RenderBinaryFunctionsDescriptor, RenderBinaryFunctionsFields> {
 public:
  const char* className() const override { return "MTL4RenderPipelineBinaryFunctionsDescriptor"; }
};

struct RenderPipelineColorAttachment4Fields {
  MTL::PixelFormat pixelFormat = MTL::PixelFormatInvalid;
  MTL4::BlendState blendingState = MTL4::BlendStateDisabled;
  MTL::BlendFactor sourceRGBBlendFactor = MTL::BlendFactorOne;
  MTL::BlendFactor destinationRGBBlendFactor = MTL::BlendFactorZero;
  MTL::BlendOperation rgbBlendOperation = MTL::BlendOperationAdd;
  MTL::BlendFactor sourceAlphaBlendFactor = MTL::BlendFactorOne;
  MTL::BlendFactor destinationAlphaBlendFactor = MTL::BlendFactorZero;
  MTL::BlendOperation alphaBlendOperation = MTL::BlendOperationAdd;
  MTL::ColorWriteMask writeMask = MTL::ColorWriteMaskAll;
};
class RenderPipelineColorAttachment4 final
    : public PropertyBag<RenderPipelineColorAttachment4, RenderPipelineColorAttachment4Fields> {
 public:
  const char* className() const override { return "MTL4RenderPipelineColorAttachmentDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::RenderPipelineBinaryFunctionsDescriptor,
                basanite::metal::RenderBinaryFunctionsDescriptor)
BASANITE_BRIDGE(MTL4::RenderPipelineColorAttachmentDescriptor,
                basanite::metal::RenderPipelineColorAttachment4)

namespace basanite::metal {

class RenderPipelineColorAttachmentArray4 final
    : public DescriptorArray<RenderPipelineColorAttachmentArray4, RenderPipelineColorAttachment4,
                             kMaxColorAttachments> {
 public:
  const char* className() const override { return "MTL4RenderPipelineColorAttachmentDescriptorArray"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::RenderPipelineColorAttachmentDescriptorArray,
                basanite::metal::RenderPipelineColorAttachmentArray4)

namespace basanite::metal {

struct RenderPipelineDescriptor4Fields {
  Copied<MTL4::FunctionDescriptor> vertexFunctionDescriptor;
  Copied<MTL4::FunctionDescriptor> fragmentFunctionDescriptor;
  Copied<MTL::VertexDescriptor> vertexDescriptor;
  NS::UInteger rasterSampleCount = 1;
  MTL4::AlphaToCoverageState alphaToCoverageState = MTL4::AlphaToCoverageStateDisabled;
  MTL4::AlphaToOneState alphaToOneState = MTL4::AlphaToOneStateDisabled;
  bool rasterizationEnabled = true;
  MTL4::LogicalToPhysicalColorAttachmentMappingState colorAttachmentMappingState =
      MTL4::LogicalToPhysicalColorAttachmentMappingStateIdentity;
  MTL::PrimitiveTopologyClass inputPrimitiveTopology = MTL::PrimitiveTopologyClassUnspecified;
  MTL4::IndirectCommandBufferSupportState supportIndirectCommandBuffers =
      MTL4::IndirectCommandBufferSupportStateDisabled;
  Made<RenderPipelineColorAttachmentArray4> colorAttachments;
  Made<StaticLinkingDescriptor> vertexStaticLinkingDescriptor, fragmentStaticLinkingDescriptor;
  bool supportVertexBinaryLinking = false, supportFragmentBinaryLinking = false;
};
class RenderPipelineDescriptor4 final
    : public PropertyBag<RenderPipelineDescriptor4, RenderPipelineDescriptor4Fields, PipelineDescriptor4> {
 public:
  const char* className() const override { return "MTL4RenderPipelineDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::RenderPipelineDescriptor, basanite::metal::RenderPipelineDescriptor4)
