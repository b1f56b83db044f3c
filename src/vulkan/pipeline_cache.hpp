// SPDX-License-Identifier: Apache-2.0
// The device's VkPipelineCache, in memory, and shader modules.
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/vulkan_api.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace basanite::vulkan {

class Device;

// Thread-safe (the cache object is internally synchronized).
class PipelineCache {
 public:
  static base::Result<std::unique_ptr<PipelineCache>> create(Device& device);
  ~PipelineCache();
  VkPipelineCache vkPipelineCache() const { return m_vkPipelineCache; }

  // What the driver has compiled so far, for another process on the same device and driver.
  base::Result<std::vector<uint8_t>> data() const;
  // Takes such data in; that of another device or driver is left alone.
  void merge(std::span<const uint8_t> data);

 private:
  explicit PipelineCache(Device& device) : m_device(device) {}
  Device& m_device;
  VkPipelineCache m_vkPipelineCache = VK_NULL_HANDLE;
};

// A module of validated SPIR-V. The caller destroys it with the device's vkDestroyShaderModule.
base::Result<VkShaderModule> createShaderModule(Device& device, std::span<const uint32_t> spirv,
                                                std::string_view label);

} // namespace basanite::vulkan
