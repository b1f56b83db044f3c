// SPDX-License-Identifier: Apache-2.0
// The pipeline cache and shader modules.
#include "src/vulkan/pipeline_cache.hpp"

#include "src/vulkan/device.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <fmt/format.h>

namespace basanite::vulkan {

base::Result<std::unique_ptr<PipelineCache>> PipelineCache::create(Device& device) {
  auto cache = std::unique_ptr<PipelineCache>(new PipelineCache(device));
  VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VkResult result =
      device.fn().vkCreatePipelineCache(device.vkDevice(), &info, nullptr, &cache->m_vkPipelineCache);
  if (result != VK_SUCCESS) return vulkanError("Creating the pipeline cache", result);
  return cache;
}

PipelineCache::~PipelineCache() {
  m_device.fn().vkDestroyPipelineCache(m_device.vkDevice(), m_vkPipelineCache, nullptr);
}

base::Result<VkShaderModule> createShaderModule(Device& device, std::span<const uint32_t> spirv,
                                                std::string_view label) {
  if (spirv.empty()) return base::Error{fmt::format("The shader \"{}\" is empty.", label)};
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = spirv.size_bytes();
  info.pCode = spirv.data();
  VkShaderModule vkModule = VK_NULL_HANDLE;
  VkResult result = device.fn().vkCreateShaderModule(device.vkDevice(), &info, nullptr, &vkModule);
  if (result != VK_SUCCESS) return vulkanError(fmt::format("Creating the shader \"{}\"", label), result);
  device.setName(VK_OBJECT_TYPE_SHADER_MODULE, vkModule, label);
  return vkModule;
}

} // namespace basanite::vulkan
