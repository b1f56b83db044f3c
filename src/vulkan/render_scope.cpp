// SPDX-License-Identifier: Apache-2.0
// Begins, splits and ends dynamic rendering, and finds the true place for every stamp in it.
#include "src/vulkan/render_scope.hpp"

#include "src/base/env.hpp"

#include <algorithm>

namespace basanite::vulkan {

namespace {

constexpr VkPipelineStageFlags2 kAllCommands = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
// What a barrier inside rendering may name (VUID-vkCmdPipelineBarrier2-None-09554).
constexpr VkPipelineStageFlags2 kFramebufferSpace =
    VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
    VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkPipelineStageFlags2 kAttachmentStages = VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
                                                    VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT |
                                                    VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;

constexpr uint32_t kDepthBit = 1u << kMaxColorTargets, kStencilBit = kDepthBit << 1;

VkRenderingAttachmentInfo attachmentInfo(const RenderTarget& target, bool resumed, bool resolves) {
  VkRenderingAttachmentInfo info{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  info.imageView = target.vkView;
  info.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  if (resolves) {
    info.resolveMode = target.resolveMode;
    info.resolveImageView = target.vkResolveView;
    info.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  }
  info.loadOp = resumed ? VK_ATTACHMENT_LOAD_OP_LOAD : target.load;
  info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  info.clearValue = target.clear;
  return info;
}

void executionBarrierInRendering(CommandBuffer& commands) {
  VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  memory.srcStageMask = kFramebufferSpace;
  memory.dstStageMask = kFramebufferSpace;
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &memory;
  commands.device().fn().vkCmdPipelineBarrier2(commands.vkMain(), &dependency);
}

} // namespace

RenderScope::RenderScope(CommandBuffer& commands, TimestampRecorder& timestamps, const RenderTargets& targets)
    : m_commands(commands), m_timestamps(timestamps), m_targets(targets) {
  static const bool s_splits = base::envFlag("BASANITE_TEST_SPLIT_PASSES");
  m_isolatesByBarrier = !s_splits && commands.device().features().dynamicRenderingLocalRead &&
                        timestamps.workarounds().localReadBarrierIsolates;
  m_ordersColors = commands.device().features().rasterizationOrderColorAccess;
}

void RenderScope::barrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before, bool memory) {
  if (!m_resumed && !m_open) return m_commands.barrier(after, before, memory);
  if (m_open) {
    close();
    writeHeld(Followed::byOther);
  }
  // The parts of one pass touch the same attachments, and nothing orders two rendering instances by itself.
  m_commands.barrier(after | kAttachmentStages, before | kAttachmentStages);
}

void RenderScope::prepareDraw() {
  if (!m_open) {
    // Ahead of the pass: behind all that it had to wait for, in front of its first stage.
    writeHeld(Followed::byDraws);
    open();
  } else if (!m_held.empty()) {
    if (!m_heldPrecise) {
      writeQueries();
      m_timestamps.settleRelaxed();
    } else if (m_isolatesByBarrier) {
      executionBarrierInRendering(m_commands);
      writeQueries(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
      executionBarrierInRendering(m_commands);
    } else {
      close();
      writeHeld(Followed::byDraws);
      m_commands.barrier(kAttachmentStages, kAttachmentStages);
      open();
    }
  }
  if (m_visibility && m_visibility->isStale()) m_visibility->beforeDraw();
}

void RenderScope::end() {
  if (!m_open && !m_resumed) {
    // No draw: the stamps mark a moment of the pass all the same, and the load actions still happen.
    writeHeld(Followed::byOther);
    open();
  }
  if (m_open) close();
  resolveRest();
  writeHeld(Followed::byOther);
}

uint32_t RenderScope::resolving() const {
  uint32_t bits = 0;
  auto add = [&](const RenderTarget& target, uint32_t bit) {
    if (target.vkResolveView && target.resolves) bits |= bit;
  };
  for (uint32_t i = 0; i < m_targets.colorCount; ++i) add(m_targets.colors[i], 1u << i);
  add(m_targets.depth, kDepthBit);
  add(m_targets.stencil, kStencilBit);
  return bits;
}

void RenderScope::resolveRest() {
  const uint32_t rest = resolving() & ~m_partResolves;
  std::array<VkRenderingAttachmentInfo, kMaxColorTargets> colors;
  uint32_t colorCount = 0;
  for (uint32_t i = 0; i < m_targets.colorCount; ++i)
    if (rest & 1u << i) colors[colorCount++] = attachmentInfo(m_targets.colors[i], true, true);
  if (colorCount) resolvePart({colors.data(), colorCount}, nullptr, nullptr);
  if (rest & kDepthBit) {
    const VkRenderingAttachmentInfo depth = attachmentInfo(m_targets.depth, true, true);
    resolvePart({}, &depth, nullptr);
  }
  if (rest & kStencilBit) {
    const VkRenderingAttachmentInfo stencil = attachmentInfo(m_targets.stencil, true, true);
    resolvePart({}, nullptr, &stencil);
  }
}

void RenderScope::resolvePart(std::span<const VkRenderingAttachmentInfo> colors,
                              const VkRenderingAttachmentInfo* depth,
                              const VkRenderingAttachmentInfo* stencil) {
  m_commands.barrier(kAttachmentStages, kAttachmentStages);
  VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea = m_targets.area;
  info.layerCount = m_targets.layerCount;
  info.colorAttachmentCount = static_cast<uint32_t>(colors.size());
  info.pColorAttachments = colors.data();
  info.pDepthAttachment = depth;
  info.pStencilAttachment = stencil;
  m_commands.device().fn().vkCmdBeginRendering(m_commands.vkMain(), &info);
  m_commands.device().fn().vkCmdEndRendering(m_commands.vkMain());
}

void RenderScope::open() {
  m_partResolves = resolving();
  if (m_targets.resolvesAspectsApart) m_partResolves &= ~(kDepthBit | kStencilBit);
  std::array<VkRenderingAttachmentInfo, kMaxColorTargets> colors{};
  for (uint32_t i = 0; i < m_targets.colorCount; ++i)
    colors[i] = attachmentInfo(m_targets.colors[i], m_resumed, m_partResolves & 1u << i);
  VkRenderingAttachmentInfo depth = attachmentInfo(m_targets.depth, m_resumed, m_partResolves & kDepthBit);
  VkRenderingAttachmentInfo stencil =
      attachmentInfo(m_targets.stencil, m_resumed, m_partResolves & kStencilBit);
  VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea = m_targets.area;
  info.layerCount = m_targets.layerCount;
  info.colorAttachmentCount = m_targets.colorCount;
  info.pColorAttachments = colors.data();
  if (m_targets.depth.vkView) info.pDepthAttachment = &depth;
  if (m_targets.stencil.vkView) info.pStencilAttachment = &stencil;
  m_commands.device().fn().vkCmdBeginRendering(m_commands.vkMain(), &info);
  m_open = true;
  m_partLocations = kOwnColorLocations; // which every rendering begins with
  m_colorsRead = false;
}

void RenderScope::moveColors() {
  const auto locations = vkLocations(m_locations);
  VkRenderingAttachmentLocationInfoKHR outputs{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR};
  outputs.colorAttachmentCount = m_targets.colorCount;
  outputs.pColorAttachmentLocations = locations.data();
  VkRenderingInputAttachmentIndexInfoKHR inputs{VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR};
  inputs.colorAttachmentCount = m_targets.colorCount;
  inputs.pColorAttachmentInputIndices = locations.data();
  const LocalReadFunctions& functions = m_commands.device().localRead();
  functions.setLocations(m_commands.vkMain(), &outputs);
  functions.setInputIndices(m_commands.vkMain(), &inputs);
  m_partLocations = m_locations;
}

void RenderScope::orderColors(bool readsColors) {
  m_colorsRead = readsColors;
  VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  memory.srcStageMask =
      VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
  memory.dstStageMask = memory.srcStageMask;
  memory.srcAccessMask = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
  memory.dstAccessMask = VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
                         VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &memory;
  m_commands.device().fn().vkCmdPipelineBarrier2(m_commands.vkMain(), &dependency);
}

void RenderScope::close() {
  if (m_visibility) m_visibility->pause();
  m_commands.device().fn().vkCmdEndRendering(m_commands.vkMain());
  m_open = false;
  m_resumed = true;
}

// Outside rendering, where a barrier may name every stage.
void RenderScope::writeHeld(Followed by) {
  if (m_held.empty()) return;
  const bool precise = m_heldPrecise;
  if (precise) m_commands.barrier(kAllCommands, kAllCommands, false);
  writeQueries(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  // A stamp waits for all earlier work; draws that follow it would not, and could be over before it is taken.
  if (precise || by == Followed::byDraws)
    m_commands.barrier(kAllCommands, kAllCommands, false);
  else
    m_timestamps.settleRelaxed();
}

void RenderScope::writeQueries(std::optional<VkPipelineStageFlagBits2> stage) {
  for (const Held& stamp : m_held) m_timestamps.writeQuery(stage.value_or(stamp.stage), stamp.target);
  m_held.clear();
  m_heldPrecise = false;
}

} // namespace basanite::vulkan
