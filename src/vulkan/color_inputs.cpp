// SPDX-License-Identifier: Apache-2.0
// Allocates and writes the sets of colour inputs.
#include "src/vulkan/color_inputs.hpp"

#include "src/vulkan/descriptor_heap.hpp"
#include "src/vulkan/device.hpp"
#include "src/vulkan/graphics_pipeline.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <array>

namespace basanite::vulkan {

namespace {

constexpr uint32_t kSetsPerPool = 32;

} // namespace

ColorInputSets::~ColorInputSets() {
  for (VkDescriptorPool vkPool : m_pools)
    m_device.fn().vkDestroyDescriptorPool(m_device.vkDevice(), vkPool, nullptr);
}

void ColorInputSets::reset() {
  for (VkDescriptorPool vkPool : m_pools) m_device.fn().vkResetDescriptorPool(m_device.vkDevice(), vkPool, 0);
  m_taken = 0;
}

base::Result<VkDescriptorSet> ColorInputSets::take(std::span<const VkImageView> views) {
  const VolkDeviceTable& fn = m_device.fn();
  if (m_taken / kSetsPerPool == m_pools.size()) {
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, kSetsPerPool * kMaxColorAttachments};
    VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    info.maxSets = kSetsPerPool;
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    VkDescriptorPool vkPool = VK_NULL_HANDLE;
    VkResult result = fn.vkCreateDescriptorPool(m_device.vkDevice(), &info, nullptr, &vkPool);
    if (result != VK_SUCCESS) return vulkanError("Creating a descriptor pool for colour inputs", result);
    m_pools.push_back(vkPool);
  }
  const VkDescriptorSetLayout vkLayout = m_device.descriptorHeap().vkColorInputLayout();
  VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = m_pools[m_taken / kSetsPerPool];
  info.descriptorSetCount = 1;
  info.pSetLayouts = &vkLayout;
  VkDescriptorSet vkSet = VK_NULL_HANDLE;
  VkResult result = fn.vkAllocateDescriptorSets(m_device.vkDevice(), &info, &vkSet);
  if (result != VK_SUCCESS) return vulkanError("Allocating a set of colour inputs", result);
  ++m_taken;
  std::array<VkDescriptorImageInfo, kMaxColorAttachments> images;
  std::array<VkWriteDescriptorSet, kMaxColorAttachments> writes;
  uint32_t count = 0;
  for (uint32_t i = 0; i < views.size(); ++i) {
    if (!views[i]) continue;
    images[count] = {VK_NULL_HANDLE, views[i], VK_IMAGE_LAYOUT_GENERAL};
    writes[count] = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    writes[count].dstSet = vkSet;
    writes[count].dstBinding = i;
    writes[count].descriptorCount = 1;
    writes[count].descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    writes[count].pImageInfo = &images[count];
    ++count;
  }
  fn.vkUpdateDescriptorSets(m_device.vkDevice(), count, writes.data(), 0, nullptr);
  return vkSet;
}

} // namespace basanite::vulkan
