// SPDX-License-Identifier: Apache-2.0
// Compiles and keeps the variants of a kernel.
#include "src/vulkan/compute_pipeline.hpp"

#include "src/base/log.hpp"
#include "src/base/stopwatch.hpp"
#include "src/vulkan/descriptor_heap.hpp"
#include "src/vulkan/pipeline_cache.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <fmt/format.h>
#include <mutex>

namespace basanite::vulkan {

base::Result<base::Ref<ComputePipeline>> ComputePipeline::create(const base::Ref<Device>& device,
                                                                 const ComputePipelineInfo& info,
                                                                 LocalSize expectedSize) {
  auto pipeline = base::Ref<ComputePipeline>::adopt(new ComputePipeline(device));
  pipeline->m_label = info.label;
  const DeviceLimits& limits = device->limits();
  if (limits.subgroupSizeSelectableInCompute && info.requiredSubgroupSize >= limits.minSubgroupSize &&
      info.requiredSubgroupSize <= limits.maxSubgroupSize)
    pipeline->m_requiredSubgroupSize = info.requiredSubgroupSize;
  BASANITE_TRY(pipeline->m_vkModule, createShaderModule(*device, info.spirv, info.label));
  BASANITE_TRY_VOID([&]() -> base::Result<void> {
    auto variant = pipeline->variant(expectedSize);
    if (!variant.ok()) return std::move(variant).error();
    return {};
  }());
  return pipeline;
}

ComputePipeline::~ComputePipeline() {
  m_device->retire([device = m_device.get(), vkModule = m_vkModule, variants = std::move(m_variants)] {
    for (const auto& [key, vkPipeline] : variants)
      device->fn().vkDestroyPipeline(device->vkDevice(), vkPipeline, nullptr);
    device->fn().vkDestroyShaderModule(device->vkDevice(), vkModule, nullptr);
  });
}

size_t ComputePipeline::variantCount() const {
  std::shared_lock lock(m_mutex);
  return m_variants.size();
}

base::Result<VkPipeline> ComputePipeline::variant(LocalSize size,
                                                  std::span<const ThreadgroupLength> lengths) {
  Key key{size, {lengths.begin(), lengths.end()}};
  {
    std::shared_lock lock(m_mutex);
    auto found = m_variants.find(key);
    if (found != m_variants.end()) return found->second;
  }
  const DeviceLimits& limits = m_device->limits();
  uint64_t threads = uint64_t(size.x) * size.y * size.z;
  if (threads == 0 || threads > limits.maxThreadsPerThreadgroup || size.x > limits.maxThreadgroupWidth[0] ||
      size.y > limits.maxThreadgroupWidth[1] || size.z > limits.maxThreadgroupWidth[2])
    return base::Error{fmt::format("A threadgroup of {}x{}x{} threads ({} in all) does not fit \"{}\", which "
                                   "allows {}x{}x{} and {} in all (kernel \"{}\").",
                                   size.x, size.y, size.z, threads, m_device->physical().name(),
                                   limits.maxThreadgroupWidth[0], limits.maxThreadgroupWidth[1],
                                   limits.maxThreadgroupWidth[2], limits.maxThreadsPerThreadgroup, m_label)};

  // Held while compiling: a second thread that wants the same variant waits for it instead of compiling it
  // again.
  std::unique_lock lock(m_mutex);
  auto found = m_variants.find(key);
  if (found != m_variants.end()) return found->second;
  BASANITE_TRY(VkPipeline vkPipeline, compile(key));
  m_variants.emplace(std::move(key), vkPipeline);
  return vkPipeline;
}

base::Result<VkPipeline> ComputePipeline::compile(const Key& key) {
  const ShapeConstants constants(key.size, key.lengths);
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup{
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
  subgroup.requiredSubgroupSize = m_requiredSubgroupSize;
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  // Edge threadgroups are dispatched from a base (see CommandBuffer::dispatchThreads).
  info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.pNext = m_requiredSubgroupSize ? &subgroup : nullptr;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = m_vkModule;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = constants.info();
  info.layout = m_device->descriptorHeap().vkPipelineLayout();
  VkPipeline vkPipeline = VK_NULL_HANDLE;
  const base::Stopwatch watch;
  VkResult result = m_device->fn().vkCreateComputePipelines(
      m_device->vkDevice(), m_device->pipelineCache().vkPipelineCache(), 1, &info, nullptr, &vkPipeline);
  if (result != VK_SUCCESS)
    return vulkanError(fmt::format("Compiling the kernel \"{}\" for threadgroups of {}x{}x{}", m_label,
                                   key.size.x, key.size.y, key.size.z),
                       result);
  base::logInfo("The driver compiled the kernel \"{}\" for threadgroups of {}x{}x{} in {:.1f} ms.", m_label,
                key.size.x, key.size.y, key.size.z, watch.elapsedMs());
  m_device->setName(VK_OBJECT_TYPE_PIPELINE, vkPipeline, m_label);
  return vkPipeline;
}

} // namespace basanite::vulkan
