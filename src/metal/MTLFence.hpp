// SPDX-License-Identifier: Apache-2.0
// Internal class of MTLFence.hpp.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/property.hpp"
#include "src/vulkan/vulkan_api.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTLFence.hpp>
#include <atomic>

namespace basanite::metal {

// Orders encoders of one queue. A wait becomes a global barrier from the stages of the last update to those
// of the wait: the update has been recorded earlier in submission order, and a barrier covers all that is
// earlier there.
class Fence final : public foundation::Object {
 public:
  explicit Fence(Device* owner) : device(owner) {}
  const char* className() const override { return "MTLFence"; }

  foundation::Retained<Device> device;
  Copied<NS::String> label;

  void noteUpdate(VkPipelineStageFlags2 stages) { m_stages.fetch_or(stages); }
  // What a wait must wait for: the stages of every update so far, since threads may encode in another order
  // than the GPU runs; everything when the update has yet to be encoded.
  VkPipelineStageFlags2 waitStages() const {
    VkPipelineStageFlags2 stages = m_stages.load();
    return stages ? stages : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  }

 private:
  std::atomic<VkPipelineStageFlags2> m_stages{0};
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::Fence, basanite::metal::Fence)
