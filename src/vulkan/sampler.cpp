// SPDX-License-Identifier: Apache-2.0
// Creates and retires samplers.
#include "src/vulkan/sampler.hpp"

#include "src/vulkan/descriptor_heap.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace basanite::vulkan {

base::Result<base::Ref<Sampler>> Sampler::create(const base::Ref<Device>& device, const SamplerInfo& info,
                                                 std::string_view label) {
  const DeviceFeatures& features = device->features();
  for (VkSamplerAddressMode mode : {info.addressU, info.addressV, info.addressW})
    if (mode == VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE && !features.samplerMirrorClampToEdge)
      return base::Error{fmt::format("The sampler \"{}\" asks for mirror-clamp-to-edge, which \"{}\" lacks.",
                                     label, device->physical().name())};
  const bool reduces = info.reduction != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
  if (reduces && !features.samplerFilterMinmax)
    return base::Error{
        fmt::format("The sampler \"{}\" takes the least or greatest texel, which \"{}\" cannot "
                    "(samplerFilterMinmax).",
                    label, device->physical().name())};
  if (reduces && info.compare)
    return base::Error{
        fmt::format("The sampler \"{}\" compares and takes the least or greatest texel; Vulkan does "
                    "one of them.",
                    label)};
  if (!info.normalizedCoordinates) {
    auto clamps = [](VkSamplerAddressMode mode) {
      return mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE || mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    };
    if (info.minFilter != info.magFilter || info.mipmapped || info.compare || !clamps(info.addressU) ||
        !clamps(info.addressV))
      return base::Error{
          fmt::format("The sampler \"{}\" has pixel coordinates, which need equal min and mag filters, no "
                      "mip filter, no comparison and clamping in s and t.",
                      label)};
  }

  VkSamplerReductionModeCreateInfo reduction{VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO};
  reduction.reductionMode = info.reduction;
  VkSamplerCreateInfo vkInfo{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  if (reduces) vkInfo.pNext = &reduction;
  vkInfo.minFilter = info.minFilter;
  vkInfo.magFilter = info.magFilter;
  vkInfo.mipmapMode = info.mipmapped ? info.mipmapMode : VK_SAMPLER_MIPMAP_MODE_NEAREST;
  vkInfo.addressModeU = info.addressU;
  vkInfo.addressModeV = info.addressV;
  vkInfo.addressModeW = info.addressW;
  vkInfo.borderColor = info.borderColor;
  vkInfo.compareEnable = info.compare;
  vkInfo.compareOp = info.compareOp;
  vkInfo.unnormalizedCoordinates = !info.normalizedCoordinates;
  if (info.normalizedCoordinates) {
    // Without a mip filter Metal still chooses min or mag by the level of detail; 0.25 keeps level 0 and lets
    // Vulkan choose.
    vkInfo.minLod = info.mipmapped ? info.lodMin : 0.0f;
    vkInfo.maxLod = info.mipmapped ? std::max(info.lodMax, info.lodMin) : 0.25f;
    float bias = device->physical().properties().limits.maxSamplerLodBias;
    vkInfo.mipLodBias = std::clamp(info.lodBias, -bias, bias);
    if (info.maxAnisotropy > 1 && features.samplerAnisotropy) {
      vkInfo.anisotropyEnable = VK_TRUE;
      vkInfo.maxAnisotropy =
          std::min(info.maxAnisotropy, device->physical().properties().limits.maxSamplerAnisotropy);
    }
  }

  auto sampler = base::Ref<Sampler>::adopt(new Sampler(device));
  VkResult result = device->fn().vkCreateSampler(device->vkDevice(), &vkInfo, nullptr, &sampler->m_vkSampler);
  if (result != VK_SUCCESS) return vulkanError(fmt::format("Creating the sampler \"{}\"", label), result);
  device->setName(VK_OBJECT_TYPE_SAMPLER, sampler->m_vkSampler, label);
  BASANITE_TRY(sampler->m_slot, device->descriptorHeap().allocateSampler(sampler->m_vkSampler));
  return sampler;
}

Sampler::~Sampler() {
  if (!m_vkSampler) return;
  m_device->retire([device = m_device.get(), vkSampler = m_vkSampler, slot = m_slot] {
    if (slot) device->descriptorHeap().freeSampler(slot);
    device->fn().vkDestroySampler(device->vkDevice(), vkSampler, nullptr);
  });
}

} // namespace basanite::vulkan
