// SPDX-License-Identifier: Apache-2.0
// A pass of small draws with a stamp behind each, on both sides: what stamp_encode, stamp_cost and
// stamp_count measure.
#pragma once

#include "benchmarks/api/metal.hpp"
#include "benchmarks/api/small_draws.hpp"
#include "benchmarks/raw_vulkan/commands.hpp"

#include <optional>
#include <vector>

namespace basanite::benchmarks {

struct StampedPassTimes {
  double gpuNs = 0;    // of the pass, by stamps ahead of it and behind it
  double encodeNs = 0; // of the command buffer, begin to end
};

// Each side draws the same small triangles into a target of `side` x `side`.
class OurStampedPass {
 public:
  OurStampedPass(Metal& metal, uint32_t mostStamps, uint32_t side);

  // No granularity: no stamps between the draws.
  StampedPassTimes measure(uint32_t draws, std::optional<MTL4::TimestampGranularity> granularity);
  // Encode time of as many stamps of a compute encoder (or, without a granularity, of the command buffer)
  // with nothing between.
  double encodeOutsideNs(uint32_t stamps, std::optional<MTL4::TimestampGranularity> granularity);

 private:
  double encode(uint32_t draws, std::optional<MTL4::TimestampGranularity> granularity);

  Metal& m_metal;
  NS::SharedPtr<MTL::RenderPipelineState> m_pipeline;
  NS::SharedPtr<MTL::Texture> m_target;
  NS::SharedPtr<MTL4::RenderPassDescriptor> m_pass;
  NS::SharedPtr<MTL::Buffer> m_constants;
  NS::SharedPtr<MTL4::ArgumentTable> m_arguments;
  NS::SharedPtr<MTL4::CounterHeap> m_heap;
};

class TwinStampedPass {
 public:
  TwinStampedPass(twin::Device& device, uint32_t mostStamps, uint32_t side);

  // What our relaxed and precise stamps stand beside: the forms that are right on this device,
  // docs/timestamps.md.
  twin::Stamp relaxedForm() const {
    return m_device.isLavapipe() ? twin::Stamp::doubled : twin::Stamp::plain;
  }
  twin::Stamp preciseForm() const {
    return m_device.hasLocalRead() ? twin::Stamp::localReadBarriers : twin::Stamp::split;
  }

  // `copied`: the stamps are brought into a buffer at the end, as ours are.
  StampedPassTimes measure(uint32_t draws, std::optional<twin::Stamp> form, bool copied = true);
  // Encode time of stamps with nothing between them; `barriers` around each.
  double encodeOutsideNs(uint32_t stamps, bool barriers, bool copied);

 private:
  double encode(uint32_t draws, std::optional<twin::Stamp> form, bool copied);

  twin::Device& m_device;
  twin::Commands m_commands;
  twin::Buffer m_results;
  SmallConstants m_constants;
  VkPipeline m_pipeline = VK_NULL_HANDLE;
  twin::Image m_target;
  uint32_t m_last = 0; // index of the stamp behind the pass
};

} // namespace basanite::benchmarks
