// SPDX-License-Identifier: Apache-2.0
// Creates and retires buffers.
#include "src/vulkan/buffer.hpp"

#include "src/vulkan/address_map.hpp"
#include "src/vulkan/host_transfer.hpp"
#include "src/vulkan/memory_heap.hpp"
#include "src/vulkan/vma.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace basanite::vulkan {
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
  info.usage = kBufferUsages;
  VmaAllocationCreateInfo allocationInfo{};
  allocationInfo.usage = VMA_MEMORY_USAGE_AUTO;
  // Textures over the buffer are bound to the same memory.
  allocationInfo.flags = VMA_ALLOCATION_CREATE_CAN_ALIAS_BIT;
  if (kind == MemoryKind::deviceLocal) {
    allocationInfo.usage = VMA_MEMORY_USAGE_AUTO_PREFER_DEVICE;
  } else {
    allocationInfo.flags |= VMA_ALLOCATION_CREATE_MAPPED_BIT;
    allocationInfo.flags |= kind == MemoryKind::upload
                                ? VMA_ALLOCATION_CREATE_HOST_ACCESS_SEQUENTIAL_WRITE_BIT
                                : VMA_ALLOCATION_CREATE_HOST_ACCESS_RANDOM_BIT;
    allocationInfo.requiredFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    if (kind == MemoryKind::readback) allocationInfo.preferredFlags = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  }

  auto buffer = base::Ref<Buffer>::adopt(new Buffer(device));
  VmaAllocationInfo allocated{};
  VkResult result =
      vmaCreateBufferWithAlignment(device->allocator(), &info, &allocationInfo, kBufferAlignment,
                                   &buffer->m_vkBuffer, &buffer->m_allocation, &allocated);
  if (result != VK_SUCCESS)
    return vulkanError(fmt::format("Creating the buffer \"{}\" of {} bytes", label, lengthBytes), result);
  VmaAllocationInfo2 placed{};
  vmaGetAllocationInfo2(device->allocator(), buffer->m_allocation, &placed);
  buffer->m_memory = {allocated.deviceMemory, allocated.offset, placed.blockSize, allocated.memoryType,
                      false};
  buffer->m_length = lengthBytes;
  buffer->m_allocatedSize = allocated.size;
  buffer->m_share.take(device->bufferUse(), allocated.size);
  buffer->m_kind = kind;
  buffer->m_contents = kind == MemoryKind::deviceLocal ? nullptr : allocated.pMappedData;

  buffer->m_gpuAddress = buffer->readAddress();
  device->addressMap().insert(buffer->m_gpuAddress, lengthBytes, buffer->m_vkBuffer, buffer.get());

  if (kind == MemoryKind::shared || kind == MemoryKind::readback)
    std::memset(buffer->m_contents, 0, lengthBytes);
  if (kind == MemoryKind::deviceLocal) device->hostTransfer().zeroBuffer(buffer->m_vkBuffer);
  buffer->setLabel(label);
  return buffer;
}

base::Result<base::Ref<Buffer>> Buffer::createIn(const base::Ref<MemoryHeap>& heap, uint64_t offset,
                                                 uint64_t lengthBytes) {
  const base::Ref<Device>& device = heap->device();
  MemoryNeed need = MemoryHeap::bufferNeed(*device, std::max<uint64_t>(lengthBytes, 1));
  if (lengthBytes == 0 || offset > heap->size() || lengthBytes > heap->size() - offset)
    return base::Error{fmt::format("{} bytes from offset {} on do not fit the heap of {} bytes.", lengthBytes,
                                   offset, heap->size())};
  if (offset % need.alignment != 0)
    return base::Error{fmt::format(
        "The offset {} is no multiple of the {} bytes that a buffer is aligned to.", offset, need.alignment)};
  if (!(need.typeBits >> heap->memory().typeIndex & 1))
    return base::Error{"The device cannot place buffers in the memory of this heap."};

  auto buffer = base::Ref<Buffer>::adopt(new Buffer(device));
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = lengthBytes;
  info.usage = kBufferUsages;
  VkResult result = device->fn().vkCreateBuffer(device->vkDevice(), &info, nullptr, &buffer->m_vkBuffer);
  if (result != VK_SUCCESS)
    return vulkanError(fmt::format("Creating a buffer of {} bytes in a heap", lengthBytes), result);
  buffer->m_heap = heap;
  VkMemoryRequirements requirements{};
  device->fn().vkGetBufferMemoryRequirements(device->vkDevice(), buffer->m_vkBuffer, &requirements);
  buffer->m_memory = heap->memory();
  buffer->m_memory.offset += offset;
  if (requirements.size > buffer->m_memory.memoryBytes - buffer->m_memory.offset)
    return base::Error{
        fmt::format("A buffer of {} bytes takes {} here, more than the heap of {} bytes has from "
                    "offset {} on.",
                    lengthBytes, requirements.size, heap->size(), offset)};
  result = device->fn().vkBindBufferMemory(device->vkDevice(), buffer->m_vkBuffer, buffer->m_memory.vkMemory,
                                           buffer->m_memory.offset);
  if (result != VK_SUCCESS) return vulkanError("Placing a buffer in a heap", result);
  buffer->m_length = lengthBytes;
  buffer->m_allocatedSize = requirements.size;
  buffer->m_kind = heap->kind();
  if (heap->contents()) buffer->m_contents = static_cast<uint8_t*>(heap->contents()) + offset;
  // The address map knows heaps as a whole.
  buffer->m_gpuAddress = heap->gpuAddress() + offset;
  if (buffer->readAddress() != buffer->m_gpuAddress)
    return base::Error{
        "The device gives a buffer in a heap an address of its own, which Basanite does not support."};
  return buffer;
}

base::Result<base::Ref<Buffer>> Buffer::createOver(const base::Ref<Device>& device, void* bytes,
                                                   uint64_t lengthBytes, std::function<void()> release) {
  uint64_t alignment = device->limits().hostPointerAlignment;
  if (alignment == 0)
    return base::Error{fmt::format("The device \"{}\" cannot use a program's own memory as a buffer "
                                   "(VK_EXT_external_memory_host).",
                                   device->physical().name())};
  if (lengthBytes == 0 || lengthBytes % alignment != 0 || reinterpret_cast<uintptr_t>(bytes) % alignment != 0)
    return base::Error{fmt::format("Memory at {} of {} bytes cannot be used without a copy: both must be "
                                   "multiples of {} bytes.",
                                   bytes, lengthBytes, alignment)};
  if (lengthBytes > device->limits().maxBufferBytes)
    return base::Error{fmt::format("A buffer of {} bytes is longer than the {} bytes that \"{}\" allows.",
                                   lengthBytes, device->limits().maxBufferBytes, device->physical().name())};
  constexpr auto kHostMemory = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  VkMemoryHostPointerPropertiesEXT properties{VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
  VkResult result =
      device->fn().vkGetMemoryHostPointerPropertiesEXT(device->vkDevice(), kHostMemory, bytes, &properties);
  if (result != VK_SUCCESS) return vulkanError("Looking at a program's own memory", result);

  auto buffer = base::Ref<Buffer>::adopt(new Buffer(device));
  VkExternalMemoryBufferCreateInfo external{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external.handleTypes = kHostMemory;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, &external};
  info.size = lengthBytes;
  info.usage = kBufferUsages;
  result = device->fn().vkCreateBuffer(device->vkDevice(), &info, nullptr, &buffer->m_vkBuffer);
  if (result != VK_SUCCESS) return vulkanError("Creating a buffer over a program's own memory", result);
  VkMemoryRequirements requirements{};
  device->fn().vkGetBufferMemoryRequirements(device->vkDevice(), buffer->m_vkBuffer, &requirements);
  const VkPhysicalDeviceMemoryProperties& types = device->physical().memory();
  uint32_t usable = requirements.memoryTypeBits & properties.memoryTypeBits, type = 0;
  constexpr VkMemoryPropertyFlags kNear =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  while (type < types.memoryTypeCount &&
         (!(usable >> type & 1) || (types.memoryTypes[type].propertyFlags & kNear) != kNear))
    ++type;
  if (type == types.memoryTypeCount || requirements.size > lengthBytes)
    return base::Error{fmt::format("The device \"{}\" cannot use the memory at {} as a buffer.",
                                   device->physical().name(), bytes)};
  VkImportMemoryHostPointerInfoEXT import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT};
  import.handleType = kHostMemory;
  import.pHostPointer = bytes;
  VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, &import};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo allocateInfo{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
  allocateInfo.allocationSize = lengthBytes;
  allocateInfo.memoryTypeIndex = type;
  result = device->fn().vkAllocateMemory(device->vkDevice(), &allocateInfo, nullptr, &buffer->m_vkImported);
  if (result == VK_SUCCESS)
    result = device->fn().vkBindBufferMemory(device->vkDevice(), buffer->m_vkBuffer, buffer->m_vkImported, 0);
  if (result != VK_SUCCESS) return vulkanError("Taking a program's own memory as a buffer", result);
  buffer->m_memory = {buffer->m_vkImported, 0, lengthBytes, type, true};
  buffer->m_length = lengthBytes;
  buffer->m_allocatedSize = lengthBytes;
  buffer->m_contents = bytes;
  buffer->m_gpuAddress = buffer->readAddress();
  device->addressMap().insert(buffer->m_gpuAddress, lengthBytes, buffer->m_vkBuffer, buffer.get());
  buffer->m_release = std::move(release);
  return buffer;
}

uint64_t Buffer::readAddress() const {
  VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
  info.buffer = m_vkBuffer;
  return m_device->fn().vkGetBufferDeviceAddress(m_device->vkDevice(), &info);
}

Buffer::~Buffer() {
  if (!m_vkBuffer) return;
  if (m_gpuAddress && !m_heap) m_device->addressMap().erase(m_gpuAddress);
  m_device->hostTransfer().forget(m_vkBuffer);
  m_device->retire([device = m_device.get(), vkBuffer = m_vkBuffer, allocation = m_allocation,
                    vkImported = m_vkImported, release = std::move(m_release)] {
    if (allocation) return vmaDestroyBuffer(device->allocator(), vkBuffer, allocation);
    device->fn().vkDestroyBuffer(device->vkDevice(), vkBuffer, nullptr);
    device->fn().vkFreeMemory(device->vkDevice(), vkImported, nullptr);
    if (release) release();
  });
}

void Buffer::setLabel(std::string_view label) { m_device->setName(VK_OBJECT_TYPE_BUFFER, m_vkBuffer, label); }

} // namespace basanite::vulkan
