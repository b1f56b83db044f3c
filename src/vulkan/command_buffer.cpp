// SPDX-License-Identifier: Apache-2.0
// Recording: life cycle, binding, render state, draws and dispatches. Transfers are in
// command_buffer_transfer.cpp.
#include "src/vulkan/command_buffer.hpp"

#include "src/vulkan/descriptor_heap.hpp"
#include "src/vulkan/grid_parts.hpp"
#include "src/vulkan/range_mask.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace basanite::vulkan {

namespace {

// More would take longer to record than anyone waits, and far longer to run.
constexpr uint64_t kMaxDispatchPieces = 1 << 20;

} // namespace

base::Ref<CommandBuffer> CommandBuffer::create(const base::Ref<Device>& device) {
  return base::Ref<CommandBuffer>::adopt(new CommandBuffer(device));
}

// ---- life cycle

base::Result<void> CommandBuffer::begin(const base::Ref<CommandPool>& pool) {
  if (m_recording)
    return base::Error{fmt::format("The command buffer \"{}\" is recording already.", m_label)};
  BASANITE_TRY(VkCommandBuffer vkMain, pool->takeCommandBuffer());
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  VkResult result = m_device->fn().vkBeginCommandBuffer(vkMain, &info);
  if (result != VK_SUCCESS)
    return vulkanError(fmt::format("Beginning the command buffer \"{}\"", m_label), result);
  m_pool = pool;
  m_vkMain = vkMain;
  m_vkPrologue = VK_NULL_HANDLE;
  m_recording = true;
  m_error.reset();
  m_vkGraphicsPipeline = m_vkComputePipeline = VK_NULL_HANDLE;
  m_vkColorInputs = VK_NULL_HANDLE;
  m_graphicsSetBound = m_computeSetBound = m_constantsPushed = false;
  m_hasFragmentStage = true;
  m_hasMeshStages = false;
  m_device->setName(VK_OBJECT_TYPE_COMMAND_BUFFER, m_vkMain, m_label);
  return {};
}

base::Result<void> CommandBuffer::end() {
  if (!m_recording) return base::Error{fmt::format("The command buffer \"{}\" is not recording.", m_label)};
  m_recording = false;
  const VolkDeviceTable& fn = m_device->fn();
  if (m_vkPrologue) {
    VkMemoryBarrier2 barrier =
        memoryBarrier(VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                      VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.memoryBarrierCount = 1;
    dependency.pMemoryBarriers = &barrier;
    fn.vkCmdPipelineBarrier2(m_vkPrologue, &dependency);
    VkResult result = fn.vkEndCommandBuffer(m_vkPrologue);
    if (result != VK_SUCCESS)
      fail(vulkanError(fmt::format("Ending the command buffer \"{}\"", m_label), result));
  }
  VkResult result = fn.vkEndCommandBuffer(m_vkMain);
  if (result != VK_SUCCESS)
    fail(vulkanError(fmt::format("Ending the command buffer \"{}\"", m_label), result));
  if (m_error) return *m_error;
  return {};
}

void CommandBuffer::appendTo(std::vector<VkCommandBuffer>& vkCommandBuffers) const {
  if (m_vkPrologue) vkCommandBuffers.push_back(m_vkPrologue);
  vkCommandBuffers.push_back(m_vkMain);
}

VkCommandBuffer CommandBuffer::vkPrologue() {
  if (m_vkPrologue) return m_vkPrologue;
  auto taken = m_pool->takeCommandBuffer();
  if (!taken.ok()) {
    fail(taken.error());
    return VK_NULL_HANDLE;
  }
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  VkResult result = m_device->fn().vkBeginCommandBuffer(taken.value(), &info);
  if (result != VK_SUCCESS) {
    fail(vulkanError(fmt::format("Beginning the prologue of the command buffer \"{}\"", m_label), result));
    return VK_NULL_HANDLE;
  }
  m_vkPrologue = taken.value();
  return m_vkPrologue;
}

void CommandBuffer::setLabel(std::string_view label) {
  m_label = label;
  if (m_recording) m_device->setName(VK_OBJECT_TYPE_COMMAND_BUFFER, m_vkMain, m_label);
}

void CommandBuffer::fail(base::Error error) {
  if (!m_error) m_error = std::move(error);
}

// ---- debug labels

void CommandBuffer::pushDebugGroup(std::string_view label) {
  if (!m_device->debugUtils()) return;
  std::string text(label);
  VkDebugUtilsLabelEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
  info.pLabelName = text.c_str();
  vkCmdBeginDebugUtilsLabelEXT(m_vkMain, &info);
}

void CommandBuffer::popDebugGroup() {
  if (m_device->debugUtils()) vkCmdEndDebugUtilsLabelEXT(m_vkMain);
}

void CommandBuffer::insertDebugLabel(std::string_view label) {
  if (!m_device->debugUtils()) return;
  std::string text(label);
  VkDebugUtilsLabelEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
  info.pLabelName = text.c_str();
  vkCmdInsertDebugUtilsLabelEXT(m_vkMain, &info);
}

// ---- synchronization

void CommandBuffer::barrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before, bool memory) {
  VkMemoryBarrier2 barrier = memoryBarrier(after, before, memory);
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &barrier;
  m_device->fn().vkCmdPipelineBarrier2(m_vkMain, &dependency);
}

// ---- binding

void CommandBuffer::bindSet(VkPipelineBindPoint bindPoint) {
  bool& bound = bindPoint == VK_PIPELINE_BIND_POINT_GRAPHICS ? m_graphicsSetBound : m_computeSetBound;
  if (bound) return;
  bound = true;
  const DescriptorHeap& heap = m_device->descriptorHeap();
  VkDescriptorSet vkSet = heap.vkSet();
  m_device->fn().vkCmdBindDescriptorSets(m_vkMain, bindPoint, heap.vkPipelineLayout(), 0, 1, &vkSet, 0,
                                         nullptr);
}

void CommandBuffer::bindGraphics(const GraphicsPipeline& pipeline, VkPipeline vkVariant) {
  bindSet(VK_PIPELINE_BIND_POINT_GRAPHICS);
  if (m_vkGraphicsPipeline == vkVariant) return;
  // lavapipe drops a stage's share of constants pushed while no such stage was bound.
  const bool hasFragmentStage = pipeline.hasFragmentStage();
  if ((hasFragmentStage && !m_hasFragmentStage) || pipeline.isMesh() != m_hasMeshStages)
    m_constantsPushed = false;
  m_hasFragmentStage = hasFragmentStage;
  m_hasMeshStages = pipeline.isMesh();
  m_vkGraphicsPipeline = vkVariant;
  m_device->fn().vkCmdBindPipeline(m_vkMain, VK_PIPELINE_BIND_POINT_GRAPHICS, vkVariant);
}

void CommandBuffer::bindCompute(VkPipeline vkPipeline) {
  bindSet(VK_PIPELINE_BIND_POINT_COMPUTE);
  if (m_vkComputePipeline == vkPipeline) return;
  m_vkComputePipeline = vkPipeline;
  m_device->fn().vkCmdBindPipeline(m_vkMain, VK_PIPELINE_BIND_POINT_COMPUTE, vkPipeline);
}

void CommandBuffer::bindColorInputs(VkDescriptorSet vkSet) {
  if (m_vkColorInputs == vkSet) return;
  m_vkColorInputs = vkSet;
  m_device->fn().vkCmdBindDescriptorSets(m_vkMain, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                         m_device->descriptorHeap().vkPipelineLayout(),
                                         base::abi::kColorInputSet, 1, &vkSet, 0, nullptr);
}

void CommandBuffer::pushConstants(const base::abi::PushConstants& constants) {
  // Whole words from the first that differs to the last; a draw mostly changes its records only.
  constexpr size_t kWords = sizeof(base::abi::PushConstants) / sizeof(uint64_t);
  static_assert(kWords * sizeof(uint64_t) == sizeof(base::abi::PushConstants));
  const auto* bytes = reinterpret_cast<const unsigned char*>(&constants);
  size_t first = 0, end = kWords;
  if (m_constantsPushed) {
    const auto* lastBytes = reinterpret_cast<const unsigned char*>(&m_constants);
    const auto differs = [&](size_t word) {
      return std::memcmp(bytes + word * sizeof(uint64_t), lastBytes + word * sizeof(uint64_t),
                         sizeof(uint64_t)) != 0;
    };
    while (first < end && !differs(first)) ++first;
    if (first == end) return;
    while (!differs(end - 1)) --end;
  }
  m_constants = constants;
  m_constantsPushed = true;
  const DescriptorHeap& heap = m_device->descriptorHeap();
  m_device->fn().vkCmdPushConstants(m_vkMain, heap.vkPipelineLayout(), heap.pushConstantStages(),
                                    static_cast<uint32_t>(first * sizeof(uint64_t)),
                                    static_cast<uint32_t>((end - first) * sizeof(uint64_t)),
                                    bytes + first * sizeof(uint64_t));
}

void CommandBuffer::pushWords(const base::abi::PushConstants& constants, uint32_t first, uint32_t count) {
  if (!m_constantsPushed) return pushConstants(constants);
  const size_t offset = first * sizeof(uint64_t), length = count * sizeof(uint64_t);
  const auto* bytes = reinterpret_cast<const unsigned char*>(&constants) + offset;
  std::memcpy(reinterpret_cast<unsigned char*>(&m_constants) + offset, bytes, length);
  const DescriptorHeap& heap = m_device->descriptorHeap();
  m_device->fn().vkCmdPushConstants(m_vkMain, heap.vkPipelineLayout(), heap.pushConstantStages(),
                                    static_cast<uint32_t>(offset), static_cast<uint32_t>(length), bytes);
}

// ---- compute

bool CommandBuffer::bindVariant(ComputePipeline& pipeline, LocalSize size,
                                std::span<const ThreadgroupLength> lengths) {
  auto variant = pipeline.variant(size, lengths);
  if (!variant.ok()) {
    fail(variant.error());
    return false;
  }
  bindCompute(variant.value());
  return true;
}

void CommandBuffer::dispatch(base::abi::PushConstants& constants, Extent threadgroups, Extent base) {
  // VUID-vkCmdDispatchBase-groupCountX-00424 and its kin: the limit holds for base and count together. What
  // lies beyond runs as pieces whose position the shader adds.
  const uint32_t* limit = m_device->physical().properties().limits.maxComputeWorkGroupCount;
  const uint64_t begin[3] = {base.x, base.y, base.z};
  const uint64_t end[3] = {begin[0] + threadgroups.x, begin[1] + threadgroups.y, begin[2] + threadgroups.z};
  if (!m_mask && end[0] <= limit[0] && end[1] <= limit[1] && end[2] <= limit[2]) {
    pushConstants(constants);
    m_device->fn().vkCmdDispatchBase(m_vkMain, base.x, base.y, base.z, threadgroups.x, threadgroups.y,
                                     threadgroups.z);
    return;
  }
  uint64_t pieces = 1;
  for (int axis = 0; axis < 3; ++axis) pieces *= (end[axis] - begin[axis] + limit[axis] - 1) / limit[axis];
  if (pieces > kMaxDispatchPieces)
    return fail(basanite::base::Error{fmt::format(
        "A dispatch of {} x {} x {} threadgroups takes {} dispatches of the device \"{}\", which has {} "
        "x {} x {} in one; {} is the most.",
        threadgroups.x, threadgroups.y, threadgroups.z, pieces, m_device->physical().name(), limit[0],
        limit[1], limit[2], kMaxDispatchPieces)});
  for (uint64_t z = begin[2]; z < end[2]; z += limit[2])
    for (uint64_t y = begin[1]; y < end[1]; y += limit[1])
      for (uint64_t x = begin[0]; x < end[0]; x += limit[0]) {
        constants.threadgroupOrigin[0] = static_cast<uint32_t>(x);
        constants.threadgroupOrigin[1] = static_cast<uint32_t>(y);
        constants.threadgroupOrigin[2] = static_cast<uint32_t>(z);
        pushConstants(constants);
        auto count = [](uint64_t rest, uint32_t most) {
          return static_cast<uint32_t>(std::min<uint64_t>(rest, most));
        };
        const uint32_t piece[3] = {count(end[0] - x, limit[0]), count(end[1] - y, limit[1]),
                                   count(end[2] - z, limit[2])};
        if (!m_mask)
          m_device->fn().vkCmdDispatch(m_vkMain, piece[0], piece[1], piece[2]);
        else if (auto at = m_mask->add({piece[0], piece[1], piece[2]}))
          m_device->fn().vkCmdDispatchIndirect(m_vkMain, at->vkBuffer, at->offset);
      }
  for (uint32_t& origin : constants.threadgroupOrigin) origin = 0;
}

void CommandBuffer::dispatchThreadgroups(ComputePipeline& pipeline, base::abi::PushConstants constants,
                                         Extent threadgroups, Extent threadsPerThreadgroup,
                                         std::span<const ThreadgroupLength> lengths) {
  const Extent& local = threadsPerThreadgroup;
  if (!bindVariant(pipeline, {local.x, local.y, local.z}, lengths)) return;
  const uint32_t groups[3] = {threadgroups.x, threadgroups.y, threadgroups.z};
  const uint32_t size[3] = {local.x, local.y, local.z};
  for (int axis = 0; axis < 3; ++axis) {
    constants.threadsPerGrid[axis] = groups[axis] * size[axis];
    constants.threadgroupsPerGrid[axis] = groups[axis];
    constants.fullThreadgroupSize[axis] = size[axis];
  }
  if (threadgroups.x && threadgroups.y && threadgroups.z) dispatch(constants, threadgroups);
}

void CommandBuffer::dispatchThreads(ComputePipeline& pipeline, base::abi::PushConstants constants,
                                    Extent threads, Extent threadsPerThreadgroup,
                                    std::span<const ThreadgroupLength> lengths) {
  const std::array<uint32_t, 3> grid = {threads.x, threads.y, threads.z};
  const std::array<uint32_t, 3> size = {threadsPerThreadgroup.x, threadsPerThreadgroup.y,
                                        threadsPerThreadgroup.z};
  std::array<uint32_t, 3> full, rest;
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] == 0) {
      fail(base::Error{fmt::format("A dispatch of the kernel \"{}\" has threadgroups of {}x{}x{} threads.",
                                   pipeline.label(), size[0], size[1], size[2])});
      return;
    }
    if (grid[axis] == 0) return;
    full[axis] = grid[axis] / size[axis];
    rest[axis] = grid[axis] % size[axis];
    constants.threadsPerGrid[axis] = grid[axis];
    constants.threadgroupsPerGrid[axis] = full[axis] + (rest[axis] ? 1 : 0);
    constants.fullThreadgroupSize[axis] = size[axis];
  }
  for (const GridPart& part : GridParts(full, rest, size)) {
    const auto& [count, first, local] = part;
    if (!bindVariant(pipeline, {local[0], local[1], local[2]}, lengths)) return;
    dispatch(constants, {count[0], count[1], count[2]}, {first[0], first[1], first[2]});
  }
}

void CommandBuffer::dispatchIndirect(ComputePipeline& pipeline, base::abi::PushConstants constants,
                                     VkBuffer vkBuffer, uint64_t offset, Extent threadsPerThreadgroup,
                                     std::span<const ThreadgroupLength> lengths) {
  const Extent& local = threadsPerThreadgroup;
  if (!bindVariant(pipeline, {local.x, local.y, local.z}, lengths)) return;
  const uint32_t size[3] = {local.x, local.y, local.z};
  for (int axis = 0; axis < 3; ++axis) {
    constants.threadsPerGrid[axis] = constants.threadgroupsPerGrid[axis] = 0;
    constants.fullThreadgroupSize[axis] = size[axis];
  }
  pushConstants(constants);
  m_device->fn().vkCmdDispatchIndirect(m_vkMain, vkBuffer, offset);
}

// ---- render state

void CommandBuffer::setDefaultRenderState() {
  const float black[4] = {};
  setCullMode(VK_CULL_MODE_NONE);
  setFrontFace(VK_FRONT_FACE_CLOCKWISE);
  setTopology(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  setDepthBias(0, 0, 0);
  setDepthBounds(0, 1);
  setDepthState(false, false, VK_COMPARE_OP_ALWAYS);
  setStencilState(std::nullopt, std::nullopt);
  setStencilReference(0, 0);
  setBlendConstants(black);
}

void CommandBuffer::setViewports(std::span<const VkViewport> viewports) {
  m_device->fn().vkCmdSetViewportWithCount(m_vkMain, static_cast<uint32_t>(viewports.size()),
                                           viewports.data());
}

void CommandBuffer::setScissors(std::span<const VkRect2D> scissors) {
  m_device->fn().vkCmdSetScissorWithCount(m_vkMain, static_cast<uint32_t>(scissors.size()), scissors.data());
}

void CommandBuffer::setCullMode(VkCullModeFlags mode) { m_device->fn().vkCmdSetCullMode(m_vkMain, mode); }

void CommandBuffer::setFrontFace(VkFrontFace face) { m_device->fn().vkCmdSetFrontFace(m_vkMain, face); }

void CommandBuffer::setTopology(VkPrimitiveTopology topology) {
  bool strip =
      topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP || topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  m_device->fn().vkCmdSetPrimitiveTopology(m_vkMain, topology);
  m_device->fn().vkCmdSetPrimitiveRestartEnable(m_vkMain, strip);
}

void CommandBuffer::setDepthBias(float constant, float slope, float clamp) {
  if (!m_device->features().depthBiasClamp) clamp = 0;
  m_device->fn().vkCmdSetDepthBiasEnable(m_vkMain, constant != 0 || slope != 0);
  m_device->fn().vkCmdSetDepthBias(m_vkMain, constant, clamp, slope);
}

void CommandBuffer::setDepthBounds(float low, float high) {
  bool on = low > 0 || high < 1;
  if (on && !m_device->features().depthBounds) {
    fail(base::Error{fmt::format("The depth bounds {} to {} cannot be tested: \"{}\" lacks the feature.", low,
                                 high, m_device->physical().name())});
    return;
  }
  m_device->fn().vkCmdSetDepthBoundsTestEnable(m_vkMain, on);
  m_device->fn().vkCmdSetDepthBounds(m_vkMain, low, high);
}

void CommandBuffer::setDepthState(bool test, bool write, VkCompareOp compare) {
  // Vulkan writes depth only where the test is on.
  m_device->fn().vkCmdSetDepthTestEnable(m_vkMain, test || write);
  m_device->fn().vkCmdSetDepthWriteEnable(m_vkMain, write);
  m_device->fn().vkCmdSetDepthCompareOp(m_vkMain, test ? compare : VK_COMPARE_OP_ALWAYS);
}

void CommandBuffer::setStencilState(const std::optional<StencilFace>& front,
                                    const std::optional<StencilFace>& back) {
  const VolkDeviceTable& fn = m_device->fn();
  fn.vkCmdSetStencilTestEnable(m_vkMain, front || back);
  auto set = [&](VkStencilFaceFlags faces, const StencilFace& face) {
    fn.vkCmdSetStencilOp(m_vkMain, faces, face.failOp, face.passOp, face.depthFailOp, face.compareOp);
    fn.vkCmdSetStencilCompareMask(m_vkMain, faces, face.readMask);
    fn.vkCmdSetStencilWriteMask(m_vkMain, faces, face.writeMask);
  };
  set(VK_STENCIL_FACE_FRONT_BIT, front.value_or(StencilFace{}));
  set(VK_STENCIL_FACE_BACK_BIT, back.value_or(StencilFace{}));
}

void CommandBuffer::setStencilReference(uint32_t front, uint32_t back) {
  m_device->fn().vkCmdSetStencilReference(m_vkMain, VK_STENCIL_FACE_FRONT_BIT, front);
  m_device->fn().vkCmdSetStencilReference(m_vkMain, VK_STENCIL_FACE_BACK_BIT, back);
}

void CommandBuffer::setBlendConstants(const float rgba[4]) {
  m_device->fn().vkCmdSetBlendConstants(m_vkMain, rgba);
}

void CommandBuffer::setSampleLocations(std::span<const VkSampleLocationEXT> locations) {
  VkSampleLocationsInfoEXT info{VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT};
  info.sampleLocationsPerPixel = static_cast<VkSampleCountFlagBits>(locations.size());
  info.sampleLocationGridSize = {1, 1};
  info.sampleLocationsCount = static_cast<uint32_t>(locations.size());
  info.pSampleLocations = locations.data();
  m_device->fn().vkCmdSetSampleLocationsEXT(m_vkMain, &info);
}

// ---- draws

void CommandBuffer::drawMasked(uint32_t vertexCount, uint32_t instanceCount, uint32_t firstVertex,
                               uint32_t firstInstance) {
  if (auto at = m_mask->add({vertexCount, instanceCount, firstVertex, firstInstance}))
    drawIndirect(at->vkBuffer, at->offset);
}

void CommandBuffer::bindIndexBuffer(VkBuffer vkBuffer, uint64_t offset, VkIndexType type) {
  m_device->fn().vkCmdBindIndexBuffer(m_vkMain, vkBuffer, offset, type);
}

void CommandBuffer::drawIndexedMasked(uint32_t indexCount, uint32_t instanceCount, uint32_t firstIndex,
                                      int32_t baseVertex, uint32_t firstInstance) {
  if (auto at = m_mask->add(
          {indexCount, instanceCount, firstIndex, static_cast<uint32_t>(baseVertex), firstInstance}))
    drawIndexedIndirect(at->vkBuffer, at->offset);
}

void CommandBuffer::drawIndirect(VkBuffer vkBuffer, uint64_t offset, uint32_t count, uint32_t strideBytes) {
  m_device->fn().vkCmdDrawIndirect(m_vkMain, vkBuffer, offset, count, strideBytes);
}

void CommandBuffer::drawIndexedIndirect(VkBuffer vkBuffer, uint64_t offset, uint32_t count,
                                        uint32_t strideBytes) {
  m_device->fn().vkCmdDrawIndexedIndirect(m_vkMain, vkBuffer, offset, count, strideBytes);
}

void CommandBuffer::drawMesh(Extent threadgroups) {
  if (m_mask) [[unlikely]] {
    if (auto at = m_mask->add({threadgroups.x, threadgroups.y, threadgroups.z}))
      drawMeshIndirect(at->vkBuffer, at->offset);
    return;
  }
  m_device->fn().vkCmdDrawMeshTasksEXT(m_vkMain, threadgroups.x, threadgroups.y, threadgroups.z);
}

void CommandBuffer::drawMeshIndirect(VkBuffer vkBuffer, uint64_t offset) {
  m_device->fn().vkCmdDrawMeshTasksIndirectEXT(m_vkMain, vkBuffer, offset, 1,
                                               sizeof(VkDrawMeshTasksIndirectCommandEXT));
}

} // namespace basanite::vulkan
