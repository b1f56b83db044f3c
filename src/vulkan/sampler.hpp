// SPDX-License-Identifier: Apache-2.0
// A VkSampler and its place in the bindless set.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/device.hpp"

namespace basanite::vulkan {

struct SamplerInfo {
  VkFilter minFilter = VK_FILTER_NEAREST;
  VkFilter magFilter = VK_FILTER_NEAREST;
  bool mipmapped = false; // false: level 0 of the view only, whatever the LOD says
  VkSamplerMipmapMode mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
  VkSamplerAddressMode addressU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  VkSamplerAddressMode addressV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  VkSamplerAddressMode addressW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  VkBorderColor borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
  bool compare = false;
  VkCompareOp compareOp = VK_COMPARE_OP_NEVER;
  float maxAnisotropy = 1; // clamped to the device's limit; ignored without the feature
  float lodMin = 0, lodMax = VK_LOD_CLAMP_NONE, lodBias = 0;
  bool normalizedCoordinates = true;
  VkSamplerReductionMode reduction = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
};

// Immutable. Destruction is deferred, slot included.
class Sampler final : public base::RefCounted {
 public:
  // Error: no free slot, an address mode the device lacks, or what Vulkan forbids for unnormalized
  // coordinates.
  static base::Result<base::Ref<Sampler>> create(const base::Ref<Device>& device, const SamplerInfo& info,
                                                 std::string_view label = {});
  // The index in the bindless sampler array, which is Metal's gpuResourceID of a sampler. Never 0.
  uint32_t slot() const { return m_slot; }
  VkSampler vkSampler() const { return m_vkSampler; }

 private:
  explicit Sampler(base::Ref<Device> device) : m_device(std::move(device)) {}
  ~Sampler() override;

  base::Ref<Device> m_device;
  VkSampler m_vkSampler = VK_NULL_HANDLE;
  uint32_t m_slot = 0;
};

} // namespace basanite::vulkan
