// SPDX-License-Identifier: Apache-2.0
// Which accesses belong to which stages.
#include "src/vulkan/barrier.hpp"

namespace basanite::vulkan {
namespace {

constexpr VkPipelineStageFlags2 kShaderStages =
    VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT |
    VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT |
    VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT | VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT;
constexpr VkPipelineStageFlags2 kFragmentTests =
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
constexpr VkPipelineStageFlags2 kTransferStages =
    VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT |
    VK_PIPELINE_STAGE_2_CLEAR_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT;
constexpr VkPipelineStageFlags2 kEverything =
    VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT;

} // namespace

VkAccessFlags2 writeAccessOf(VkPipelineStageFlags2 stages) {
  if (stages & kEverything) return VK_ACCESS_2_MEMORY_WRITE_BIT;
  VkAccessFlags2 access = 0;
  if (stages & kShaderStages) access |= VK_ACCESS_2_SHADER_WRITE_BIT;
  if (stages & kFragmentTests) access |= VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  if (stages & VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT)
    access |= VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
  if (stages & kTransferStages) access |= VK_ACCESS_2_TRANSFER_WRITE_BIT;
  if (stages & VK_PIPELINE_STAGE_2_HOST_BIT) access |= VK_ACCESS_2_HOST_WRITE_BIT;
  return access;
}

VkAccessFlags2 anyAccessOf(VkPipelineStageFlags2 stages) {
  if (stages & kEverything) return VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  VkAccessFlags2 access = writeAccessOf(stages);
  if (stages & kShaderStages) access |= VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT;
  if (stages & kFragmentTests) access |= VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
  if (stages & VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT)
    access |= VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT;
  if (stages & VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT) access |= VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT;
  if (stages & kTransferStages) access |= VK_ACCESS_2_TRANSFER_READ_BIT;
  if (stages & VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT) access |= VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT;
  if (stages & (VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT))
    access |= VK_ACCESS_2_INDEX_READ_BIT;
  if (stages & VK_PIPELINE_STAGE_2_HOST_BIT) access |= VK_ACCESS_2_HOST_READ_BIT;
  return access;
}

VkMemoryBarrier2 memoryBarrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before, bool memory) {
  VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  barrier.srcStageMask = after;
  barrier.dstStageMask = before;
  if (memory) {
    barrier.srcAccessMask = writeAccessOf(after);
    barrier.dstAccessMask = anyAccessOf(before);
  }
  return barrier;
}

} // namespace basanite::vulkan
