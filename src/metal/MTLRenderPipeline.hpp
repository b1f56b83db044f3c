// SPDX-License-Identifier: Apache-2.0
// Internal class of MTLRenderPipeline.hpp: the state object that render encoders draw with.
#pragma once

#include "src/metal/MTL4RenderPipeline.hpp"
#include "src/metal/MTLAllocation.hpp"
#include "src/metal/MTLDevice.hpp"
#include "src/metal/indirect_pipeline.hpp"
#include "src/metal/pipeline_code.hpp"
#include "src/metal/pipeline_stage.hpp"
#include "src/metal/reflection.hpp"
#include "src/metal/render_links.hpp"
#include "src/vulkan/graphics_pipeline.hpp"

#include <Metal/MTLRenderPipeline.hpp>
#include <array>
#include <optional>

namespace basanite::metal {

class MeshRenderPipelineDescriptor4;

// What a mesh pipeline has in place of a vertex stage.
struct MeshStages {
  std::optional<PipelineStage> object;
  PipelineStage mesh;
  NS::UInteger maxThreadsPerObjectThreadgroup = 0; // 0: there is no object stage
  NS::UInteger maxThreadsPerMeshThreadgroup = 0;
  NS::UInteger maxThreadgroupsPerMeshGrid = 0;
  MTL::Size requiredObjectThreads{}, requiredMeshThreads{}; // 0: any
  std::vector<uint32_t> objectThreadgroupArguments;         // indices of [[threadgroup(n)]] arguments
  NS::UInteger objectStaticBytes = 0;                       // threadgroup variables and payload
};

// Immutable; any thread.
class RenderPipelineState final : public Allocation {
 public:
  // Error: what is missing in the descriptor, or the shader compiler's or the backend's sentence.
  static base::Result<foundation::Retained<RenderPipelineState>>
  create(Device* device, const RenderPipelineDescriptor4& descriptor, const CodeOrigin& origin,
         RenderLinks links);

  static base::Result<foundation::Retained<RenderPipelineState>>
  create(Device* device, const MeshRenderPipelineDescriptor4& descriptor, const CodeOrigin& origin,
         RenderLinks links);

  // The same pipeline, linked with more functions, which its tables' new entries may lead to. A null
  // descriptor is an error. Error: as addRenderLinks().
  base::Result<foundation::Retained<RenderPipelineState>>
  withFunctions(const RenderBinaryFunctionsDescriptor* functions) const;

  // `base` with what it leaves unspecialized taken from the descriptor, and at its default where that leaves
  // it open as well. Error: nothing to specialize, the wrong kind of descriptor, or what create() says of
  // colour attachments.
  static base::Result<foundation::Retained<RenderPipelineState>>
  specialize(Device* device, const RenderPipelineState* base, const PipelineDescriptor4* descriptor);

  const char* className() const override { return "MTLRenderPipelineState"; }
  // The driver does not tell how much memory a pipeline takes.
  uint64_t allocatedSize() const override { return 0; }

  // The label, or what the backend calls it.
  std::string_view name() const;

  foundation::Retained<Device> device;
  base::Ref<vulkan::GraphicsPipeline> backend;
  Copied<NS::String> label;
  PipelineStage vertex; // of no use where there is a mesh
  std::optional<MeshStages> mesh;
  std::optional<PipelineStage> fragment;
  std::array<MTL::PixelFormat, kMaxColorAttachments> colorFormats{}; // Invalid: the pipeline names none
  // What the fragment function writes; all none without one.
  std::array<shader::ColorClass, kMaxColorAttachments> fragmentColors{};
  std::array<shader::ColorClass, kMaxColorAttachments> fragmentInputs{}; // and what it reads of them
  bool readsColors = false;                                              // any
  bool inheritsColorMap = false; // the encoder says which color is which
  NS::UInteger sampleCount = 1;
  MTL::PrimitiveTopologyClass topology = MTL::PrimitiveTopologyClassUnspecified; // that it promises to draw
  // What executions of commands that the GPU encodes must know of it; made on first use. Error: it was made without
  // supportIndirectCommandBuffers, or has a mesh function; no memory.
  base::Result<std::shared_ptr<const IndirectPipeline>> indirectPipeline() const {
    return m_indirect.get([this] { return makeIndirectPipeline(); });
  }
  bool supportsIndirect = false; // commands of indirect command buffers may draw with it
  foundation::Retained<PipelineDescriptor4> openDescriptor;  // with unspecialized state; null: there is none
  bool specialized = false;                                  // made by specialize()
  foundation::Retained<RenderPipelineReflection> reflection; // null: the descriptor did not ask for it
  foundation::Retained<foundation::Object> made;             // from this descriptor
  RenderLinks links;

 private:
  base::Result<std::shared_ptr<IndirectPipeline>> makeIndirectPipeline() const;
  mutable LazyIndirectPipeline m_indirect;
  // Formats and blending of the attachments (null: there are none). Error: a format that cannot be drawn to,
  // or that does not hold what the fragment function writes (fragmentColors, fragment).
  base::Result<void> takeColors(const RenderPipelineColorAttachmentArray4* colors,
                                vulkan::GraphicsPipelineInfo& info);
  // Makes the fragment stage, if there is one.
  base::Result<void> takeFragment(const std::optional<shader::StageBinary>& binary,
                                  const std::optional<FoundFunction>& function);
};

// Whether an attachment leaves a field to specialization.
bool hasOpenState(const RenderPipelineColorAttachmentArray4* colors);

// Of whichever kind of render pipeline the descriptor is for; a null one is an error. `dynamic` may be null.
base::Result<foundation::Retained<RenderPipelineState>>
makeRenderPipeline(Device* device, const PipelineDescriptor4* descriptor, const CodeOrigin& origin,
                   const RenderDynamicLinkingDescriptor* dynamic = nullptr);

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::RenderPipelineState, basanite::metal::RenderPipelineState)
