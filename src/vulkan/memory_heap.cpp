// SPDX-License-Identifier: Apache-2.0
// Allocates heaps, keeps account of their pieces, and retires them.
#include "src/vulkan/memory_heap.hpp"

#include "src/vulkan/address_map.hpp"
#include "src/vulkan/vma.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace basanite::vulkan {
namespace {

uint64_t roundUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

VkBufferCreateInfo bufferInfo(uint64_t lengthBytes) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = lengthBytes;
  info.usage = kBufferUsages;
  return info;
}

VkMemoryRequirements requirementsOf(const Device& device, const VkBufferCreateInfo& info) {
  VkDeviceBufferMemoryRequirements query{VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS};
  query.pCreateInfo = &info;
  VkMemoryRequirements2 requirements{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  device.fn().vkGetDeviceBufferMemoryRequirements(device.vkDevice(), &query, &requirements);
  return requirements.memoryRequirements;
}

// The memory types that an ordinary texture could be placed in.
uint32_t imageTypeBits(const Device& device) {
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.extent = {64, 64, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  VkDeviceImageMemoryRequirements query{VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS};
  query.pCreateInfo = &info;
  VkMemoryRequirements2 requirements{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  device.fn().vkGetDeviceImageMemoryRequirements(device.vkDevice(), &query, &requirements);
  return requirements.memoryRequirements.memoryTypeBits;
}

uint32_t typesWith(const Device& device, VkMemoryPropertyFlags flags) {
  const VkPhysicalDeviceMemoryProperties& memory = device.physical().memory();
  uint32_t bits = 0;
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i)
    if ((memory.memoryTypes[i].propertyFlags & flags) == flags) bits |= 1u << i;
  return bits;
}

} // namespace

MemoryNeed MemoryHeap::padded(const Device& device, const VkMemoryRequirements& requirements) {
  uint64_t granularity = device.physical().properties().limits.bufferImageGranularity;
  MemoryNeed need;
  need.alignment = std::max<uint64_t>(requirements.alignment, granularity);
  need.size = roundUp(requirements.size, granularity);
  need.typeBits = requirements.memoryTypeBits;
  return need;
}

MemoryNeed MemoryHeap::bufferNeed(const Device& device, uint64_t lengthBytes) {
  VkMemoryRequirements requirements = requirementsOf(device, bufferInfo(lengthBytes));
  requirements.alignment = std::max(requirements.alignment, kBufferAlignment);
  MemoryNeed need = padded(device, requirements);
  need.size = roundUp(need.size, kBufferAlignment);
  return need;
}

base::Result<base::Ref<MemoryHeap>> MemoryHeap::create(const base::Ref<Device>& device, uint64_t sizeBytes,
                                                       MemoryKind kind, std::string_view label) {
  if (sizeBytes == 0)
    return base::Error{fmt::format("The heap \"{}\" cannot have a size of 0 bytes.", label)};
  if (sizeBytes > device->limits().maxBufferBytes)
    return base::Error{
        fmt::format("The heap \"{}\" of {} bytes is larger than the {} bytes that \"{}\" allows.", label,
                    sizeBytes, device->limits().maxBufferBytes, device->physical().name())};
  auto heap = base::Ref<MemoryHeap>::adopt(new MemoryHeap(device));
  heap->m_kind = kind;
  heap->m_size = sizeBytes;

  VkBufferCreateInfo info = bufferInfo(sizeBytes);
  VkMemoryRequirements requirements = requirementsOf(*device, info);
  VmaAllocationCreateInfo allocationInfo{};
  // Memory of its own: offsets in the heap are then as well aligned as offsets in the memory.
  allocationInfo.flags = VMA_ALLOCATION_CREATE_DEDICATED_MEMORY_BIT;
  if (kind == MemoryKind::deviceLocal) {
    allocationInfo.preferredFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  } else {
    allocationInfo.flags |= VMA_ALLOCATION_CREATE_MAPPED_BIT;
    allocationInfo.requiredFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  }
  // Where the device has memory that serves textures too; NVIDIA's keeps them out of what the host sees.
  if (uint32_t both = requirements.memoryTypeBits & imageTypeBits(*device) &
                      typesWith(*device, allocationInfo.requiredFlags))
    requirements.memoryTypeBits = both;
  VmaAllocationInfo allocated{};
  VkResult result =
      vmaAllocateMemory(device->allocator(), &requirements, &allocationInfo, &heap->m_allocation, &allocated);
  if (result == VK_SUCCESS)
    result = device->fn().vkCreateBuffer(device->vkDevice(), &info, nullptr, &heap->m_vkBuffer);
  if (result == VK_SUCCESS)
    result = device->fn().vkBindBufferMemory(device->vkDevice(), heap->m_vkBuffer, allocated.deviceMemory,
                                             allocated.offset);
  if (result != VK_SUCCESS)
    return vulkanError(fmt::format("Creating the heap \"{}\" of {} bytes", label, sizeBytes), result);
  heap->m_memory = {allocated.deviceMemory, allocated.offset, allocated.offset + allocated.size,
                    allocated.memoryType, false};
  heap->m_contents = kind == MemoryKind::deviceLocal ? nullptr : allocated.pMappedData;

  VmaVirtualBlockCreateInfo blockInfo{};
  blockInfo.size = sizeBytes;
  result = vmaCreateVirtualBlock(&blockInfo, &heap->m_pieces);
  if (result != VK_SUCCESS) return vulkanError("Creating a heap's table of pieces", result);

  VkBufferDeviceAddressInfo addressInfo{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
  addressInfo.buffer = heap->m_vkBuffer;
  heap->m_gpuAddress = device->fn().vkGetBufferDeviceAddress(device->vkDevice(), &addressInfo);
  device->addressMap().insert(heap->m_gpuAddress, sizeBytes, heap->m_vkBuffer, nullptr);
  heap->setLabel(label);
  return heap;
}

MemoryHeap::~MemoryHeap() {
  if (m_gpuAddress) m_device->addressMap().erase(m_gpuAddress);
  if (m_pieces) {
    vmaClearVirtualBlock(m_pieces);
    vmaDestroyVirtualBlock(m_pieces);
  }
  m_device->retire([device = m_device.get(), vkBuffer = m_vkBuffer, allocation = m_allocation] {
    device->fn().vkDestroyBuffer(device->vkDevice(), vkBuffer, nullptr);
    if (allocation) vmaFreeMemory(device->allocator(), allocation);
  });
}

std::optional<MemoryHeap::Piece> MemoryHeap::take(uint64_t sizeBytes, uint64_t alignment) {
  VmaVirtualAllocationCreateInfo info{};
  info.size = sizeBytes;
  info.alignment = alignment;
  Piece piece;
  std::lock_guard lock(m_mutex);
  if (vmaVirtualAllocate(m_pieces, &info, &piece.handle, &piece.offset) != VK_SUCCESS) return std::nullopt;
  return piece;
}

void MemoryHeap::give(const Piece& piece) {
  std::lock_guard lock(m_mutex);
  vmaVirtualFree(m_pieces, piece.handle);
}

uint64_t MemoryHeap::largestFree(uint64_t alignment) const {
  VmaDetailedStatistics statistics{};
  std::lock_guard lock(m_mutex);
  vmaCalculateVirtualBlockStatistics(m_pieces, &statistics);
  if (statistics.unusedRangeCount == 0) return 0;
  VmaVirtualAllocationCreateInfo info{};
  info.size = statistics.unusedRangeSizeMax;
  info.alignment = alignment;
  VmaVirtualAllocation handle = nullptr;
  if (vmaVirtualAllocate(m_pieces, &info, &handle, nullptr) == VK_SUCCESS) {
    vmaVirtualFree(m_pieces, handle);
    return info.size;
  }
  return info.size >= alignment ? info.size - (alignment - 1) : 0;
}

uint64_t MemoryHeap::usedBytes() const {
  VmaStatistics statistics{};
  std::lock_guard lock(m_mutex);
  vmaGetVirtualBlockStatistics(m_pieces, &statistics);
  return statistics.allocationBytes;
}

void MemoryHeap::setLabel(std::string_view label) {
  m_device->setName(VK_OBJECT_TYPE_BUFFER, m_vkBuffer, label);
}

} // namespace basanite::vulkan
