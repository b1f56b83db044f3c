// SPDX-License-Identifier: Apache-2.0
// Internal class of MTLRenderPipeline.hpp: the state object that render encoders draw with.
#pragma once

#include "src/metal/MTL4RenderPipeline.hpp"
#include "src/metal/MTLAllocation.hpp"
#include "src/metal/MTLDevice.hpp"
#include "src/metal/pipeline_stage.hpp"
#include "src/vulkan/graphics_pipeline.hpp"

#include <Metal/MTLRenderPipeline.hpp>
#include <array>
#include <optional>

namespace basanite::metal {

// Immutable; any thread.
class RenderPipelineState final : public Allocation {
 public:
  // Error: what is missing in the descriptor, or the shader compiler's or the backend's sentence.
  static base::Result<foundation::Retained<RenderPipelineState>>
  create(Device* device, const RenderPipelineDescriptor4& descriptor);

  const char* className() const override { return "MTLRenderPipelineState"; }
  // The driver does not tell how much memory a pipeline takes.
  uint64_t allocatedSize() const override { return 0; }

  foundation::Retained<Device> device;
  base::Ref<vulkan::GraphicsPipeline> backend;
  Copied<NS::String> label;
  PipelineStage vertex;
  std::optional<PipelineStage> fragment;
  std::array<MTL::PixelFormat, kMaxColorAttachments> colorFormats{}; // Invalid: the pipeline names none
  NS::UInteger sampleCount = 1;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::RenderPipelineState, basanite::metal::RenderPipelineState)
