// SPDX-License-Identifier: Apache-2.0
// The bindless set and its slots.
#include "src/vulkan/descriptor_heap.hpp"

#include "src/base/shader_abi.hpp"
#include "src/vulkan/device.hpp"
#include "src/vulkan/graphics_pipeline.hpp"
#include "src/vulkan/host_transfer.hpp"
#include "src/vulkan/vma.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace basanite::vulkan {
namespace {

constexpr uint32_t kImageCapacity = 65536; // half of it where there are texture buffers
constexpr uint32_t kSamplerCapacity = 2048;

// An image slot's state in a byte; 0 is a slot that nobody has.
constexpr uint8_t kLive = 1, kNull = 2, kSampled = 4, kStorage = 8, kMultisampled = 16;
constexpr int kTypeShift = 5;
constexpr int kTexelBuffer = 7; // in place of a VkImageViewType
static_assert(VK_IMAGE_VIEW_TYPE_CUBE_ARRAY < kTexelBuffer && kTexelBuffer < 1 << (8 - kTypeShift));
constexpr uint8_t kNullState = kLive | kNull | kSampled | kStorage;

uint8_t pack(bool sampled, bool storage, int type, bool multisampled) {
  return static_cast<uint8_t>(kLive | (sampled ? kSampled : 0) | (storage ? kStorage : 0) |
                              (multisampled ? kMultisampled : 0) | type << kTypeShift);
}

} // namespace

ImageDemand::ImageDemand(VkImageViewType type, bool multisampled, bool writes)
    : m_mask(static_cast<uint8_t>(0xff & ~(writes ? kSampled : kStorage))),
      m_bits(pack(!writes, writes, type, multisampled)) {}

base::Result<std::unique_ptr<DescriptorHeap>> DescriptorHeap::create(Device& device) {
  auto heap = std::unique_ptr<DescriptorHeap>(new DescriptorHeap(device));
  BASANITE_TRY_VOID(heap->open());
  return heap;
}

base::Result<void> DescriptorHeap::open() {
  VkPhysicalDeviceVulkan12Properties limits{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits};
  vkGetPhysicalDeviceProperties2(m_device.physical().vkPhysicalDevice(), &properties);
  m_samplerSlots.capacity = std::min({kSamplerCapacity, limits.maxPerStageDescriptorUpdateAfterBindSamplers,
                                      limits.maxDescriptorSetUpdateAfterBindSamplers,
                                      properties.properties.limits.maxSamplerAllocationCount});
  m_imageSlots.capacity =
      std::min({kImageCapacity, limits.maxPerStageDescriptorUpdateAfterBindSampledImages,
                limits.maxPerStageDescriptorUpdateAfterBindStorageImages,
                limits.maxDescriptorSetUpdateAfterBindSampledImages,
                limits.maxDescriptorSetUpdateAfterBindStorageImages,
                (limits.maxPerStageUpdateAfterBindResources - m_samplerSlots.capacity) / 2});
  m_texelBuffers = m_device.features().bindlessTexelBuffers();
  // Texture buffers count as images, and share the numbers of their slots.
  if (m_texelBuffers) m_imageSlots.capacity /= 2;

  m_imageStates = std::make_unique<std::atomic<uint8_t>[]>(m_imageSlots.capacity);
  m_samplerStates = std::make_unique<std::atomic<uint8_t>[]>(m_samplerSlots.capacity);

  const VkDevice vkDevice = m_device.vkDevice();
  const VolkDeviceTable& fn = m_device.fn();
  const uint32_t bindingCount = m_texelBuffers ? 5 : 3;
  VkDescriptorSetLayoutBinding bindings[5] = {
      {base::abi::kSampledImageBinding, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, m_imageSlots.capacity,
       VK_SHADER_STAGE_ALL, nullptr},
      {base::abi::kStorageImageBinding, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, m_imageSlots.capacity,
       VK_SHADER_STAGE_ALL, nullptr},
      {base::abi::kSamplerBinding, VK_DESCRIPTOR_TYPE_SAMPLER, m_samplerSlots.capacity, VK_SHADER_STAGE_ALL,
       nullptr},
      {base::abi::kUniformTexelBufferBinding, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, m_imageSlots.capacity,
       VK_SHADER_STAGE_ALL, nullptr},
      {base::abi::kStorageTexelBufferBinding, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, m_imageSlots.capacity,
       VK_SHADER_STAGE_ALL, nullptr},
  };
  constexpr VkDescriptorBindingFlags kFlags = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
                                              VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                                              VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT;
  VkDescriptorBindingFlags flags[5] = {kFlags, kFlags, kFlags, kFlags, kFlags};
  VkDescriptorSetLayoutBindingFlagsCreateInfo flagsInfo{
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO};
  flagsInfo.bindingCount = bindingCount;
  flagsInfo.pBindingFlags = flags;
  VkDescriptorSetLayoutCreateInfo layoutInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &flagsInfo};
  layoutInfo.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
  layoutInfo.bindingCount = bindingCount;
  layoutInfo.pBindings = bindings;
  VkResult result = fn.vkCreateDescriptorSetLayout(vkDevice, &layoutInfo, nullptr, &m_vkSetLayout);
  if (result != VK_SUCCESS) return vulkanError("Creating the descriptor set layout", result);

  VkDescriptorPoolSize sizes[5] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, m_imageSlots.capacity},
                                   {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, m_imageSlots.capacity},
                                   {VK_DESCRIPTOR_TYPE_SAMPLER, m_samplerSlots.capacity},
                                   {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, m_imageSlots.capacity},
                                   {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, m_imageSlots.capacity}};
  VkDescriptorPoolCreateInfo poolInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  poolInfo.flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT;
  poolInfo.maxSets = 1;
  poolInfo.poolSizeCount = bindingCount;
  poolInfo.pPoolSizes = sizes;
  result = fn.vkCreateDescriptorPool(vkDevice, &poolInfo, nullptr, &m_vkPool);
  if (result != VK_SUCCESS) return vulkanError("Creating the descriptor pool", result);

  VkDescriptorSetAllocateInfo setInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  setInfo.descriptorPool = m_vkPool;
  setInfo.descriptorSetCount = 1;
  setInfo.pSetLayouts = &m_vkSetLayout;
  result = fn.vkAllocateDescriptorSets(vkDevice, &setInfo, &m_vkSet);
  if (result != VK_SUCCESS) return vulkanError("Allocating the descriptor set", result);

  m_pushConstantStages = VK_SHADER_STAGE_ALL;
  VkPushConstantRange range{m_pushConstantStages, 0, sizeof(base::abi::PushConstants)};
  VkPipelineLayoutCreateInfo pipelineLayoutInfo{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  static_assert(base::abi::kColorInputSet == 1);
  if (m_device.features().dynamicRenderingLocalRead) BASANITE_TRY_VOID(createColorInputLayout());
  const VkDescriptorSetLayout layouts[] = {m_vkSetLayout, m_vkColorInputLayout};
  pipelineLayoutInfo.setLayoutCount = m_vkColorInputLayout ? 2 : 1;
  pipelineLayoutInfo.pSetLayouts = layouts;
  pipelineLayoutInfo.pushConstantRangeCount = 1;
  pipelineLayoutInfo.pPushConstantRanges = &range;
  result = fn.vkCreatePipelineLayout(vkDevice, &pipelineLayoutInfo, nullptr, &m_vkPipelineLayout);
  if (result != VK_SUCCESS) return vulkanError("Creating the pipeline layout", result);

  VkSamplerCreateInfo samplerInfo{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  samplerInfo.addressModeU = samplerInfo.addressModeV = samplerInfo.addressModeW =
      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  result = fn.vkCreateSampler(vkDevice, &samplerInfo, nullptr, &m_vkNullSampler);
  if (result != VK_SUCCESS) return vulkanError("Creating the default sampler", result);
  VkDescriptorImageInfo samplerWrite{m_vkNullSampler, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = m_vkSet;
  write.dstBinding = base::abi::kSamplerBinding;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER;
  write.pImageInfo = &samplerWrite;
  fn.vkUpdateDescriptorSets(vkDevice, 1, &write, 0, nullptr);
  m_samplerStates[0] = 1;

  if (!m_device.features().nullDescriptor) BASANITE_TRY_VOID(createNullImage());
  writeNull(0);
  m_device.setName(VK_OBJECT_TYPE_DESCRIPTOR_SET, m_vkSet, "bindless set");
  return {};
}

base::Result<void> DescriptorHeap::createColorInputLayout() {
  std::array<VkDescriptorSetLayoutBinding, kMaxColorAttachments> bindings;
  std::array<VkDescriptorBindingFlags, kMaxColorAttachments> flags;
  for (uint32_t i = 0; i < kMaxColorAttachments; ++i)
    bindings[i] = {i, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
  flags.fill(VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT);
  VkDescriptorSetLayoutBindingFlagsCreateInfo flagsInfo{
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO};
  flagsInfo.bindingCount = kMaxColorAttachments;
  flagsInfo.pBindingFlags = flags.data();
  VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &flagsInfo};
  info.bindingCount = kMaxColorAttachments;
  info.pBindings = bindings.data();
  VkResult result =
      m_device.fn().vkCreateDescriptorSetLayout(m_device.vkDevice(), &info, nullptr, &m_vkColorInputLayout);
  if (result != VK_SUCCESS) return vulkanError("Creating the layout of colour inputs", result);
  return {};
}

base::Result<void> DescriptorHeap::createNullImage() {
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.extent = {1, 1, 1};
  info.mipLevels = 1;
  info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  VmaAllocationCreateInfo allocationInfo{};
  allocationInfo.usage = VMA_MEMORY_USAGE_AUTO;
  VkResult result = vmaCreateImage(m_device.allocator(), &info, &allocationInfo, &m_vkNullImage,
                                   &m_nullAllocation, nullptr);
  if (result != VK_SUCCESS) return vulkanError("Creating the null texture", result);
  VkImageViewCreateInfo viewInfo{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  viewInfo.image = m_vkNullImage;
  viewInfo.viewType = VK_IMAGE_VIEW_TYPE_2D;
  viewInfo.format = info.format;
  viewInfo.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  result = m_device.fn().vkCreateImageView(m_device.vkDevice(), &viewInfo, nullptr, &m_vkNullView);
  if (result != VK_SUCCESS) return vulkanError("Creating the null texture's view", result);
  m_device.hostTransfer().initializeImage(m_vkNullImage, VK_IMAGE_ASPECT_COLOR_BIT);
  m_device.hostTransfer().clearColorImage(m_vkNullImage);
  if (!m_texelBuffers) return {};

  VkBufferCreateInfo bufferInfo{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  bufferInfo.size = 16;
  bufferInfo.usage = VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
                     VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  result = vmaCreateBuffer(m_device.allocator(), &bufferInfo, &allocationInfo, &m_vkNullBuffer,
                           &m_nullBufferAllocation, nullptr);
  if (result != VK_SUCCESS) return vulkanError("Creating the null texture buffer", result);
  m_device.hostTransfer().zeroBuffer(m_vkNullBuffer);
  VkBufferViewCreateInfo bufferViewInfo{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  bufferViewInfo.buffer = m_vkNullBuffer;
  bufferViewInfo.format = info.format;
  bufferViewInfo.range = VK_WHOLE_SIZE;
  result =
      m_device.fn().vkCreateBufferView(m_device.vkDevice(), &bufferViewInfo, nullptr, &m_vkNullBufferView);
  if (result != VK_SUCCESS) return vulkanError("Creating the null texture buffer's view", result);
  return {};
}

DescriptorHeap::~DescriptorHeap() {
  const VkDevice vkDevice = m_device.vkDevice();
  const VolkDeviceTable& fn = m_device.fn();
  fn.vkDestroyImageView(vkDevice, m_vkNullView, nullptr);
  fn.vkDestroyBufferView(vkDevice, m_vkNullBufferView, nullptr);
  if (m_vkNullBuffer) vmaDestroyBuffer(m_device.allocator(), m_vkNullBuffer, m_nullBufferAllocation);
  if (m_vkNullImage) vmaDestroyImage(m_device.allocator(), m_vkNullImage, m_nullAllocation);
  fn.vkDestroySampler(vkDevice, m_vkNullSampler, nullptr);
  fn.vkDestroyPipelineLayout(vkDevice, m_vkPipelineLayout, nullptr);
  fn.vkDestroyDescriptorPool(vkDevice, m_vkPool, nullptr);
  fn.vkDestroyDescriptorSetLayout(vkDevice, m_vkSetLayout, nullptr);
  fn.vkDestroyDescriptorSetLayout(vkDevice, m_vkColorInputLayout, nullptr);
}

std::optional<uint32_t> DescriptorHeap::Slots::take(uint32_t count) {
  if (count == 1 && !free.empty()) {
    uint32_t slot = free.back();
    free.pop_back();
    return slot;
  }
  if (capacity - next >= count) {
    uint32_t slot = next;
    next += count;
    return slot;
  }
  std::sort(free.begin(), free.end());
  size_t run = 0; // length of the run of neighbours that ends at i
  for (size_t i = 0; i < free.size(); ++i) {
    run = i > 0 && free[i] == free[i - 1] + 1 ? run + 1 : 1;
    if (run < count) continue;
    uint32_t slot = free[i] + 1 - count;
    free.erase(free.begin() + (i + 1 - count), free.begin() + (i + 1));
    return slot;
  }
  return std::nullopt;
}

void DescriptorHeap::writeNull(uint32_t slot) {
  writeImage(slot, VK_NULL_HANDLE, VK_NULL_HANDLE);
  writeTexelBuffer(slot, VK_NULL_HANDLE, VK_NULL_HANDLE);
  m_imageStates[slot].store(kNullState, std::memory_order_relaxed);
}

ImageSlotState DescriptorHeap::imageState(uint64_t slot) const {
  if (slot >= m_imageSlots.capacity) return {};
  uint8_t bits = m_imageStates[slot].load(std::memory_order_relaxed);
  const bool texelBuffer = bits >> kTypeShift == kTexelBuffer;
  return {(bits & kLive) != 0,
          (bits & kNull) != 0,
          (bits & kSampled) != 0,
          (bits & kStorage) != 0,
          (bits & kMultisampled) != 0,
          texelBuffer,
          texelBuffer ? VK_IMAGE_VIEW_TYPE_1D : static_cast<VkImageViewType>(bits >> kTypeShift)};
}

void DescriptorHeap::writeImage(uint32_t slot, VkImageView vkSampledView, VkImageView vkStorageView) {
  VkDescriptorImageInfo images[2] = {
      {VK_NULL_HANDLE, vkSampledView ? vkSampledView : m_vkNullView, VK_IMAGE_LAYOUT_GENERAL},
      {VK_NULL_HANDLE, vkStorageView ? vkStorageView : m_vkNullView, VK_IMAGE_LAYOUT_GENERAL}};
  VkWriteDescriptorSet writes[2] = {{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET},
                                    {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET}};
  for (int i = 0; i < 2; ++i) {
    writes[i].dstSet = m_vkSet;
    writes[i].dstBinding = i == 0 ? base::abi::kSampledImageBinding : base::abi::kStorageImageBinding;
    writes[i].dstArrayElement = slot;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = i == 0 ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    writes[i].pImageInfo = &images[i];
  }
  m_device.fn().vkUpdateDescriptorSets(m_device.vkDevice(), 2, writes, 0, nullptr);
}

void DescriptorHeap::writeTexelBuffer(uint32_t slot, VkBufferView vkReadView, VkBufferView vkWriteView) {
  if (!m_texelBuffers) return;
  const VkBufferView views[2] = {vkReadView ? vkReadView : m_vkNullBufferView,
                                 vkWriteView ? vkWriteView : m_vkNullBufferView};
  VkWriteDescriptorSet writes[2] = {{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET},
                                    {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET}};
  for (int i = 0; i < 2; ++i) {
    writes[i].dstSet = m_vkSet;
    writes[i].dstBinding =
        i == 0 ? base::abi::kUniformTexelBufferBinding : base::abi::kStorageTexelBufferBinding;
    writes[i].dstArrayElement = slot;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType =
        i == 0 ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    writes[i].pTexelBufferView = &views[i];
  }
  m_device.fn().vkUpdateDescriptorSets(m_device.vkDevice(), 2, writes, 0, nullptr);
}

base::Result<uint32_t> DescriptorHeap::allocateImage(VkImageView vkSampledView, VkImageView vkStorageView,
                                                     VkImageViewType type, bool multisampled) {
  std::lock_guard lock(m_mutex);
  auto slot = m_imageSlots.take(1);
  if (!slot)
    return base::Error{fmt::format("All {} texture slots of the device are in use.", m_imageSlots.capacity)};
  writeImage(*slot, vkSampledView, vkStorageView);
  m_imageStates[*slot].store(pack(vkSampledView, vkStorageView, type, multisampled),
                             std::memory_order_relaxed);
  return *slot;
}

base::Result<uint32_t> DescriptorHeap::allocateTexelBuffer(VkBufferView vkReadView,
                                                           VkBufferView vkWriteView) {
  std::lock_guard lock(m_mutex);
  auto slot = m_imageSlots.take(1);
  if (!slot)
    return base::Error{fmt::format("All {} texture slots of the device are in use.", m_imageSlots.capacity)};
  writeTexelBuffer(*slot, vkReadView, vkWriteView);
  m_imageStates[*slot].store(pack(vkReadView, vkWriteView, kTexelBuffer, false), std::memory_order_relaxed);
  return *slot;
}

void DescriptorHeap::setImage(uint32_t slot, VkImageView vkSampledView, VkImageView vkStorageView,
                              VkImageViewType type, bool multisampled) {
  std::lock_guard lock(m_mutex);
  writeImage(slot, vkSampledView, vkStorageView);
  m_imageStates[slot].store(pack(vkSampledView, vkStorageView, type, multisampled),
                            std::memory_order_relaxed);
}

void DescriptorHeap::setTexelBuffer(uint32_t slot, VkBufferView vkReadView, VkBufferView vkWriteView) {
  std::lock_guard lock(m_mutex);
  writeTexelBuffer(slot, vkReadView, vkWriteView);
  m_imageStates[slot].store(pack(vkReadView, vkWriteView, kTexelBuffer, false), std::memory_order_relaxed);
}

void DescriptorHeap::setNull(uint32_t slot) {
  std::lock_guard lock(m_mutex);
  writeNull(slot);
}

base::Result<uint32_t> DescriptorHeap::allocateImageRange(uint32_t count) {
  std::lock_guard lock(m_mutex);
  auto first = count ? m_imageSlots.take(count) : std::nullopt;
  if (!first)
    return base::Error{fmt::format("There is no run of {} free texture slots among the device's {}.", count,
                                   m_imageSlots.capacity)};
  for (uint32_t i = 0; i < count; ++i) writeNull(*first + i);
  return *first;
}

void DescriptorHeap::freeImage(uint32_t slot, uint32_t count) {
  std::lock_guard lock(m_mutex);
  for (uint32_t i = 0; i < count; ++i) {
    m_imageStates[slot + i].store(0, std::memory_order_relaxed);
    m_imageSlots.free.push_back(slot + i);
  }
}

base::Result<uint32_t> DescriptorHeap::allocateSampler(VkSampler vkSampler) {
  std::lock_guard lock(m_mutex);
  auto slot = m_samplerSlots.take(1);
  if (!slot)
    return base::Error{
        fmt::format("All {} sampler slots of the device are in use.", m_samplerSlots.capacity)};
  VkDescriptorImageInfo image{vkSampler, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = m_vkSet;
  write.dstBinding = base::abi::kSamplerBinding;
  write.dstArrayElement = *slot;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER;
  write.pImageInfo = &image;
  m_device.fn().vkUpdateDescriptorSets(m_device.vkDevice(), 1, &write, 0, nullptr);
  m_samplerStates[*slot].store(1, std::memory_order_relaxed);
  return *slot;
}

void DescriptorHeap::freeSampler(uint32_t slot) {
  std::lock_guard lock(m_mutex);
  m_samplerStates[slot].store(0, std::memory_order_relaxed);
  m_samplerSlots.free.push_back(slot);
}

} // namespace basanite::vulkan
