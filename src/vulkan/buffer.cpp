// SPDX-License-Identifier: Apache-2.0
// Creates and retires buffers.
#include "src/vulkan/buffer.hpp"

#include "src/vulkan/address_map.hpp"
#include "src/vulkan/host_transfer.hpp"
#include "src/vulkan/vma.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <cstring>
#include <fmt/format.h>

namespace basanite::vulkan {
namespace {

constexpr VkBufferUsageFlags kAllUsages =
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
    VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
    VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
    VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
    VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

// Metal programs take for granted that a buffer starts at a generous boundary.
constexpr VkDeviceSize kAlignment = 256;

} // namespace

base::Result<base::Ref<Buffer>> Buffer::create(const base::Ref<Device>& device, uint64_t lengthBytes,
                                               MemoryKind kind, std::string_view label) {
  if (lengthBytes == 0)
    return base::Error{fmt::format("The buffer \"{}\" cannot have a length of 0 bytes.", label)};
  if (lengthBytes > device->limits().maxBufferBytes)
    return base::Error{
        fmt::format("The buffer \"{}\" of {} bytes is longer than the {} bytes that \"{}\" allows.", label,
                    lengthBytes, device->limits().maxBufferBytes, device->physical().name())};

  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = lengthBytes;
  info.usage = kAllUsages;
  VmaAllocationCreateInfo allocationInfo{};
  allocationInfo.usage = VMA_MEMORY_USAGE_AUTO;
  if (kind == MemoryKind::deviceLocal) {
    allocationInfo.usage = VMA_MEMORY_USAGE_AUTO_PREFER_DEVICE;
  } else {
    allocationInfo.flags = VMA_ALLOCATION_CREATE_MAPPED_BIT;
    allocationInfo.flags |= kind == MemoryKind::upload
                                ? VMA_ALLOCATION_CREATE_HOST_ACCESS_SEQUENTIAL_WRITE_BIT
                                : VMA_ALLOCATION_CREATE_HOST_ACCESS_RANDOM_BIT;
    allocationInfo.requiredFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    if (kind == MemoryKind::readback) allocationInfo.preferredFlags = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  }

  auto buffer = base::Ref<Buffer>::adopt(new Buffer(device));
  VmaAllocationInfo allocated{};
  VkResult result = vmaCreateBufferWithAlignment(device->allocator(), &info, &allocationInfo, kAlignment,
                                                 &buffer->m_vkBuffer, &buffer->m_allocation, &allocated);
  if (result != VK_SUCCESS)
    return vulkanError(fmt::format("Creating the buffer \"{}\" of {} bytes", label, lengthBytes), result);
  buffer->m_length = lengthBytes;
  buffer->m_allocatedSize = allocated.size;
  buffer->m_share.take(device->bufferUse(), allocated.size);
  buffer->m_kind = kind;
  buffer->m_contents = kind == MemoryKind::deviceLocal ? nullptr : allocated.pMappedData;

  VkBufferDeviceAddressInfo addressInfo{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
  addressInfo.buffer = buffer->m_vkBuffer;
  buffer->m_gpuAddress = device->fn().vkGetBufferDeviceAddress(device->vkDevice(), &addressInfo);
  device->addressMap().insert(buffer->m_gpuAddress, lengthBytes, buffer->m_vkBuffer, buffer.get());

  if (kind == MemoryKind::shared || kind == MemoryKind::readback)
    std::memset(buffer->m_contents, 0, lengthBytes);
  if (kind == MemoryKind::deviceLocal) device->hostTransfer().zeroBuffer(buffer->m_vkBuffer);
  buffer->setLabel(label);
  return buffer;
}

Buffer::~Buffer() {
  if (!m_vkBuffer) return;
  m_device->addressMap().erase(m_gpuAddress);
  m_device->hostTransfer().forget(m_vkBuffer);
  m_device->retire([device = m_device.get(), vkBuffer = m_vkBuffer, allocation = m_allocation] {
    vmaDestroyBuffer(device->allocator(), vkBuffer, allocation);
  });
}

void Buffer::setLabel(std::string_view label) { m_device->setName(VK_OBJECT_TYPE_BUFFER, m_vkBuffer, label); }

} // namespace basanite::vulkan
