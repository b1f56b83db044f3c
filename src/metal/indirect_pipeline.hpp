// SPDX-License-Identifier: Apache-2.0
// A pipeline as executions of GPU-encoded commands see it, and the list of those that such commands may name.
#pragma once

#include "src/base/result.hpp"
#include "src/metal/pipeline_stage.hpp"
#include "src/vulkan/buffer.hpp"
#include "src/vulkan/compute_pipeline.hpp"
#include "src/vulkan/graphics_pipeline.hpp"

#include <Metal/MTLPixelFormat.hpp>
#include <Metal/MTLRenderPipeline.hpp>
#include <Metal/MTLTypes.hpp>
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace basanite::metal {

// Immutable; any thread. Goes with its pipeline state: keeping that alive while commands name it is the app's duty.
struct IndirectPipeline {
  std::string name;
  base::Ref<vulkan::GraphicsPipeline> graphics; // null for kernels
  base::Ref<vulkan::ComputePipeline> compute;   // null for draws
  PipelineStage first;                          // vertex stage or kernel
  std::optional<PipelineStage> second;          // fragment stage
  base::Ref<vulkan::Buffer> layout;             // base::abi::IndirectLayout and its entries
  // Of draws.
  std::array<MTL::PixelFormat, 8> colorFormats{};
  NS::UInteger sampleCount = 1;
  MTL::PrimitiveTopologyClass topology = MTL::PrimitiveTopologyClassUnspecified;
  // Of kernels.
  MTL::Size requiredThreads = MTL::Size::Make(0, 0, 0); // all 0: any
  std::vector<uint32_t> threadgroupArguments;

  // False when a function takes textures or samplers, of which commands have none.
  bool takesBuffersOnly() const;
  template <class Hold> void forEachObject(Hold hold) const {
    if (graphics) hold(graphics.get());
    if (compute) hold(compute.get());
    hold(layout.get());
    first.forEachObject(hold);
    if (second) second->forEachObject(hold);
  }
  // Fills `layout`. Error: no memory.
  base::Result<void> makeLayout(const base::Ref<vulkan::Device>& device);
};

// Puts it on the list.
void noteIndirectPipeline(const vulkan::Device& device, const std::shared_ptr<const IndirectPipeline>& pipeline);
// Those of the device that are still there.
std::vector<std::shared_ptr<const IndirectPipeline>> indirectPipelines(const vulkan::Device& device);

// Thread-safe.
class LazyIndirectPipeline {
 public:
  template <class Make> base::Result<std::shared_ptr<const IndirectPipeline>> get(Make make) {
    std::lock_guard lock(m_mutex);
    if (!m_pipeline) {
      BASANITE_TRY(std::shared_ptr<IndirectPipeline> made, make());
      m_pipeline = std::move(made);
    }
    return m_pipeline;
  }

 private:
  std::mutex m_mutex;
  std::shared_ptr<const IndirectPipeline> m_pipeline;
};

} // namespace basanite::metal
