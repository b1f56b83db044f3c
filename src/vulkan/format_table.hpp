// SPDX-License-Identifier: Apache-2.0
// What a VkFormat is (size, aspects) and what the device can do with it. Metal's names are the front's
// business.
#pragma once

#include "src/vulkan/vulkan_api.hpp"

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace basanite::vulkan {

enum class FormatClass : uint8_t { floating, signedInteger, unsignedInteger, depthStencil };

struct FormatInfo {
  uint32_t blockBytes = 0; // of one texel or block; for combined depth-stencil formats that of the depth
                           // aspect. 0: unknown format
  uint32_t blockWidth = 1;
  uint32_t blockHeight = 1;
  VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
  FormatClass formatClass = FormatClass::floating;

  bool compressed() const { return blockWidth > 1; }
  bool isDepth() const { return aspects & VK_IMAGE_ASPECT_DEPTH_BIT; }
  bool isStencil() const { return aspects & VK_IMAGE_ASPECT_STENCIL_BIT; }
};

// The static facts; blockBytes == 0 for a format that no Metal pixel format maps to.
FormatInfo formatInfo(VkFormat format);

// Bytes of one texel or block of one aspect in a buffer (stencil: 1).
uint32_t aspectBytes(VkFormat format, VkImageAspectFlags aspect);

// The device's features per format, read once each. Thread-safe.
class FormatTable {
 public:
  explicit FormatTable(VkPhysicalDevice vkPhysicalDevice) : m_vkPhysicalDevice(vkPhysicalDevice) {}

  // Optimal-tiling features.
  VkFormatFeatureFlags2 features(VkFormat format) const { return properties(format).optimalTilingFeatures; }
  VkFormatFeatureFlags2 linearFeatures(VkFormat format) const {
    return properties(format).linearTilingFeatures;
  }
  VkFormatFeatureFlags2 bufferFeatures(VkFormat format) const { return properties(format).bufferFeatures; }
  bool sampled(VkFormat format) const { return features(format) & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT; }
  bool storage(VkFormat format) const { return features(format) & VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT; }
  bool filterable(VkFormat format) const {
    return features(format) & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
  }
  bool blendable(VkFormat format) const {
    return features(format) & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT;
  }
  bool renderable(VkFormat format) const {
    return features(format) &
           (VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT);
  }

 private:
  VkFormatProperties3 properties(VkFormat format) const;

  VkPhysicalDevice m_vkPhysicalDevice;
  mutable std::mutex m_mutex;
  mutable std::unordered_map<uint32_t, VkFormatProperties3> m_properties;
};

} // namespace basanite::vulkan
