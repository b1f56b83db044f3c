// SPDX-License-Identifier: Apache-2.0
// Internal class of MTLComputePipeline.hpp: the state object that compute encoders dispatch with.
#pragma once

#include "src/metal/MTL4ComputePipeline.hpp"
#include "src/metal/MTLAllocation.hpp"
#include "src/metal/MTLDevice.hpp"
#include "src/metal/function_lookup.hpp"
#include "src/metal/indirect_pipeline.hpp"
#include "src/metal/pipeline_code.hpp"
#include "src/metal/pipeline_stage.hpp"
#include "src/metal/reflection.hpp"
#include "src/metal/stage_links.hpp"
#include "src/vulkan/compute_pipeline.hpp"

#include <Metal/MTLComputePipeline.hpp>

namespace basanite::metal {

// Immutable; any thread.
class ComputePipelineState final : public Allocation {
 public:
  // Error: what is missing in the descriptor, or the shader compiler's or the backend's sentence.
  static base::Result<foundation::Retained<ComputePipelineState>>
  create(Device* device, const ComputePipelineDescriptor4& descriptor, const CodeOrigin& origin,
         std::shared_ptr<const StageLinks> links);
  // The same pipeline, linked with more functions, which its tables' new entries may lead to. Error: it was
  // made without supportBinaryLinking; as addLinks().
  base::Result<foundation::Retained<ComputePipelineState>> withFunctions(const NS::Array* functions) const;
  // With the defaults of a descriptor.
  static base::Result<foundation::Retained<ComputePipelineState>> create(Device* device,
                                                                         const Function& function);

  const char* className() const override { return "MTLComputePipelineState"; }
  // The driver does not tell how much memory a pipeline takes.
  uint64_t allocatedSize() const override { return 0; }

  // For messages: the label, else the kernel's name.
  std::string_view name() const {
    const std::string_view given = foundation::textOf(label.get());
    return given.empty() ? std::string_view(backend->label()) : given;
  }

  foundation::Retained<Device> device;
  base::Ref<vulkan::ComputePipeline> backend;
  Copied<NS::String> label;
  PipelineStage stage;
  NS::UInteger maxTotalThreadsPerThreadgroup = 0;
  MTL::Size requiredThreadsPerThreadgroup = MTL::Size::Make(0, 0, 0); // 0: any size
  NS::UInteger staticThreadgroupBytes = 0;
  // What executions of commands that the GPU encodes must know of it; made on first use. Error: it was made
  // without supportIndirectCommandBuffers, or has a mesh function; no memory.
  base::Result<std::shared_ptr<const IndirectPipeline>> indirectPipeline() const {
    return m_indirect.get([this] { return makeIndirectPipeline(); });
  }
  bool supportsIndirect = false;              // commands of indirect command buffers may dispatch with it
  std::vector<uint32_t> threadgroupArguments; // indices of its dynamic [[threadgroup(n)]] arguments
  foundation::Retained<ComputePipelineReflection> reflection; // null: the descriptor did not ask for it
  foundation::Retained<ComputePipelineDescriptor4> made;      // from this; null: from a function alone
  std::shared_ptr<const StageLinks> links;                    // never null

 private:
  base::Result<std::shared_ptr<IndirectPipeline>> makeIndirectPipeline() const;
  mutable LazyIndirectPipeline m_indirect;
  static base::Result<foundation::Retained<ComputePipelineState>>
  create(Device* device, const FoundFunction& kernel, const ComputePipelineDescriptor4& descriptor,
         const CodeOrigin& origin);
};

// A null descriptor is an error. `dynamic` may be null.
base::Result<foundation::Retained<ComputePipelineState>>
makeComputePipeline(Device* device, const ComputePipelineDescriptor4* descriptor, const CodeOrigin& origin,
                    const StageDynamicLinkingDescriptor* dynamic = nullptr);

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::ComputePipelineState, basanite::metal::ComputePipelineState)
