// SPDX-License-Identifier: Apache-2.0
// Access masks that belong to pipeline stages: Metal names stages only, Vulkan wants accesses too.
#pragma once

#include "src/vulkan/vulkan_api.hpp"

namespace basanite::vulkan {

// Every kind of write that commands in these stages can make.
VkAccessFlags2 writeAccessOf(VkPipelineStageFlags2 stages);
// Every kind of read or write that commands in these stages can make (later writes must see earlier ones in
// order).
VkAccessFlags2 anyAccessOf(VkPipelineStageFlags2 stages);

// One global barrier. `memory` false: execution only (MTL4::VisibilityOptionNone).
VkMemoryBarrier2 memoryBarrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before, bool memory = true);

} // namespace basanite::vulkan
