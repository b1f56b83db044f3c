// SPDX-License-Identifier: Apache-2.0
// Recording; see the header.
#include "benchmarks/raw_vulkan/commands.hpp"

#include "benchmarks/harness/options.hpp"

namespace basanite::benchmarks::twin {

namespace {

constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
// What a barrier inside rendering may name.
constexpr VkPipelineStageFlags2 kFramebufferStages =
    VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
    VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;

VkRenderingAttachmentInfo attachment(const Image& image, bool load, VkClearValue clear) {
  VkRenderingAttachmentInfo info{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  info.imageView = image.vkView;
  info.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  info.loadOp = load ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR;
  info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  info.clearValue = clear;
  return info;
}

void executionBarrier(VkCommandBuffer vkCommands) {
  VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  memory.srcStageMask = kFramebufferStages;
  memory.dstStageMask = kFramebufferStages;
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &memory;
  vkCmdPipelineBarrier2(vkCommands, &dependency);
}

} // namespace

Commands::Commands(Device& device, uint32_t stamps) : m_device(device), m_capacity(stamps) {
  m_vkPool = device.makeCommandPool();
  VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = m_vkPool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  check(vkAllocateCommandBuffers(device.vkDevice(), &allocate, &vk), "vkAllocateCommandBuffers");
  if (stamps) m_vkQueries = device.makeTimestamps(stamps);
}

void Commands::prepare() {
  check(vkResetCommandPool(m_device.vkDevice(), m_vkPool, 0), "vkResetCommandPool");
  if (m_written) vkResetQueryPool(m_device.vkDevice(), m_vkQueries, 0, m_written);
  m_written = 0;
}

void Commands::begin() {
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(vkBeginCommandBuffer(vk, &info), "vkBeginCommandBuffer");
}

void Commands::beginRendering(const Target& target) {
  VkClearValue clearColor{};
  VkClearValue clearDepth{};
  clearDepth.depthStencil.depth = 1;
  VkRenderingAttachmentInfo color, depth;
  VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.layerCount = 1;
  if (target.color) {
    color = attachment(*target.color, target.load, clearColor);
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &color;
    info.renderArea.extent = target.color->extent;
  }
  if (target.depth) {
    depth = attachment(*target.depth, target.load, clearDepth);
    info.pDepthAttachment = &depth;
    info.renderArea.extent = target.depth->extent;
  }
  vkCmdBeginRendering(vk, &info);
  const VkExtent2D extent = info.renderArea.extent;
  // Metal's clip space has y up.
  const VkViewport viewport{0, float(extent.height), float(extent.width), -float(extent.height), 0, 1};
  vkCmdSetViewport(vk, 0, 1, &viewport);
  vkCmdSetScissor(vk, 0, 1, &info.renderArea);
}

void Commands::barrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before) {
  VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  memory.srcStageMask = after;
  memory.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
  memory.dstStageMask = before;
  memory.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &memory;
  vkCmdPipelineBarrier2(vk, &dependency);
}

uint32_t Commands::write(VkPipelineStageFlags2 stage) {
  if (m_written == m_capacity) fail("a twin writes more timestamps than it has queries.");
  vkCmdWriteTimestamp2(vk, stage, m_vkQueries, m_written);
  return m_written++;
}

uint32_t Commands::stampOutside() {
  barrier(kAll, kAll);
  const uint32_t index = write(kAll);
  barrier(kAll, kAll);
  return index;
}

uint32_t Commands::stampInside(Stamp form, const Target& target) {
  switch (form) {
  case Stamp::plain:
    return write(kAll);
  case Stamp::doubled: {
    const uint32_t index = write(kAll);
    write(kAll);
    return index;
  }
  case Stamp::localReadBarriers: {
    executionBarrier(vk);
    const uint32_t index = write(kAll);
    executionBarrier(vk);
    return index;
  }
  case Stamp::split:
    break;
  }
  endRendering();
  const uint32_t index = write(kAll);
  barrier(kAll, kAll);
  beginRendering({target.color, target.depth, true});
  return index;
}

std::vector<uint64_t> Commands::ticks() const {
  std::vector<uint64_t> ticks(m_written);
  if (!m_written) return ticks;
  check(vkGetQueryPoolResults(m_device.vkDevice(), m_vkQueries, 0, m_written, ticks.size() * 8, ticks.data(),
                              8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
  return ticks;
}

std::vector<double> Commands::stamps() const {
  const std::vector<uint64_t> all = ticks();
  std::vector<double> ns;
  for (uint64_t tick : all) ns.push_back(double(int64_t(tick - all[0])) * m_device.timestampPeriodNs());
  return ns;
}

void Commands::copyStampsIn(VkCommandBuffer vkCommands, const Buffer& destination) const {
  if (!m_written) return;
  vkCmdCopyQueryPoolResults(vkCommands, m_vkQueries, 0, m_written, destination.vkBuffer, 0, 8,
                            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
}

} // namespace basanite::benchmarks::twin
