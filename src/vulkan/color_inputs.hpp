// SPDX-License-Identifier: Apache-2.0
// Descriptor sets through which fragment functions read the colour attachments that they draw to.
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/vulkan_api.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace basanite::vulkan {

class Device;

// Sets of one command pool, recycled with it. One thread, as the pool. Only on devices with
// dynamicRenderingLocalRead. Holds a plain reference to the device: it dies when the device retires the pool.
class ColorInputSets {
 public:
  explicit ColorInputSets(Device& device) : m_device(device) {}
  ~ColorInputSets();
  ColorInputSets(const ColorInputSets&) = delete;
  ColorInputSets& operator=(const ColorInputSets&) = delete;

  // A set whose binding n (base::abi::kColorInputSet) shows views[n]; null: nothing. Error: what Vulkan says.
  base::Result<VkDescriptorSet> take(std::span<const VkImageView> views);
  // The GPU is done with every set.
  void reset();

 private:
  Device& m_device;
  std::vector<VkDescriptorPool> m_pools;
  size_t m_taken = 0; // sets, of all pools in order
};

} // namespace basanite::vulkan
