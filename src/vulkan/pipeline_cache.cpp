// SPDX-License-Identifier: Apache-2.0
// The pipeline cache and shader modules.
#include "src/vulkan/pipeline_cache.hpp"

#include "src/vulkan/device.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <cstring>
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

base::Result<std::vector<uint8_t>> PipelineCache::data() const {
  std::vector<uint8_t> bytes;
  // Pipelines of other threads may come in between the two calls.
  for (VkResult result = VK_INCOMPLETE; result == VK_INCOMPLETE;) {
    size_t size = 0;
    result = m_device.fn().vkGetPipelineCacheData(m_device.vkDevice(), m_vkPipelineCache, &size, nullptr);
    if (result == VK_SUCCESS) {
      bytes.resize(size);
      result =
          m_device.fn().vkGetPipelineCacheData(m_device.vkDevice(), m_vkPipelineCache, &size, bytes.data());
      bytes.resize(size);
    }
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
      return vulkanError("Reading the pipeline cache", result);
  }
  return bytes;
}

void PipelineCache::merge(std::span<const uint8_t> data) {
  VkPipelineCacheHeaderVersionOne header;
  if (data.size() < sizeof(header)) return;
  std::memcpy(&header, data.data(), sizeof(header));
  const VkPhysicalDeviceProperties& properties = m_device.physical().properties();
  if (header.headerVersion != VK_PIPELINE_CACHE_HEADER_VERSION_ONE ||
      header.vendorID != properties.vendorID || header.deviceID != properties.deviceID ||
      std::memcmp(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE) != 0)
    return;
  VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  VkPipelineCache other = VK_NULL_HANDLE;
  if (m_device.fn().vkCreatePipelineCache(m_device.vkDevice(), &info, nullptr, &other) != VK_SUCCESS) return;
  m_device.fn().vkMergePipelineCaches(m_device.vkDevice(), m_vkPipelineCache, 1, &other);
  m_device.fn().vkDestroyPipelineCache(m_device.vkDevice(), other, nullptr);
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
