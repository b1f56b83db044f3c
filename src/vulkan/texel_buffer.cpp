// SPDX-License-Identifier: Apache-2.0
// Creates and retires texel buffers.
#include "src/vulkan/texel_buffer.hpp"

#include "src/vulkan/descriptor_heap.hpp"
#include "src/vulkan/format_table.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <fmt/format.h>

namespace basanite::vulkan {

base::Result<base::Ref<TexelBuffer>> TexelBuffer::create(const base::Ref<Buffer>& buffer,
                                                         const TexelBufferInfo& info) {
  Device& device = *buffer->device();
  const VkPhysicalDeviceLimits& limits = device.physical().properties().limits;
  if (!device.features().bindlessTexelBuffers())
    return base::Error{
        fmt::format("The device \"{}\" cannot index texture buffers freely (descriptor indexing of "
                    "texel buffers).",
                    device.physical().name())};
  VkFormatFeatureFlags2 features = device.formats().bufferFeatures(info.format);
  bool reads = features & VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT;
  bool writes = features & VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT;
  if (!reads || (info.write && !writes))
    return base::Error{fmt::format("The device \"{}\" has no texture buffers of VkFormat {}{}.",
                                   device.physical().name(), static_cast<int>(info.format),
                                   reads ? " that shaders may write" : "")};
  uint64_t texelBytes = formatInfo(info.format).blockBytes;
  if (info.texels == 0 || info.texels > limits.maxTexelBufferElements)
    return base::Error{fmt::format("A texture buffer has 1 to {} texels on this device, not {}.",
                                   limits.maxTexelBufferElements, info.texels)};
  if (info.offset % limits.minTexelBufferOffsetAlignment != 0)
    return base::Error{fmt::format("The offset {} of a texture buffer is no multiple of {} bytes.",
                                   info.offset, limits.minTexelBufferOffsetAlignment)};
  if (info.offset > buffer->length() || info.texels * texelBytes > buffer->length() - info.offset)
    return base::Error{
        fmt::format("{} texels of {} bytes from offset {} on do not fit the buffer of {} bytes.", info.texels,
                    texelBytes, info.offset, buffer->length())};

  auto made = base::Ref<TexelBuffer>::adopt(new TexelBuffer(buffer));
  BASANITE_TRY(made->m_vkReadView,
               made->makeView(info, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, made->m_vkReadAlias));
  if (info.write) {
    BASANITE_TRY(made->m_vkWriteView,
                 made->makeView(info, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, made->m_vkWriteAlias));
  }
  if (!info.ownSlot) return made;
  BASANITE_TRY(made->m_slot,
               device.descriptorHeap().allocateTexelBuffer(made->m_vkReadView, made->m_vkWriteView));
  return made;
}

base::Result<VkBufferView> TexelBuffer::makeView(const TexelBufferInfo& info, VkBufferUsageFlags usage,
                                                 VkBuffer& vkAlias) {
  Device& device = *m_buffer->device();
  VkBufferCreateInfo aliasInfo{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  aliasInfo.size = m_buffer->length();
  aliasInfo.usage = usage;
  VkExternalMemoryBufferCreateInfo external{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  if (m_buffer->memory().hostImport) aliasInfo.pNext = &external;
  VkResult result = device.fn().vkCreateBuffer(device.vkDevice(), &aliasInfo, nullptr, &vkAlias);
  if (result != VK_SUCCESS) return vulkanError("Creating a texture buffer", result);
  VkMemoryRequirements requirements{};
  device.fn().vkGetBufferMemoryRequirements(device.vkDevice(), vkAlias, &requirements);
  const MemorySpan& memory = m_buffer->memory();
  if (!(requirements.memoryTypeBits >> memory.typeIndex & 1) || memory.offset % requirements.alignment != 0 ||
      requirements.size > memory.memoryBytes - memory.offset)
    return base::Error{"The device cannot show this buffer's memory as a texture buffer."};
  result = device.fn().vkBindBufferMemory(device.vkDevice(), vkAlias, memory.vkMemory, memory.offset);
  if (result != VK_SUCCESS) return vulkanError("Binding a texture buffer", result);

  VkBufferViewCreateInfo viewInfo{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  viewInfo.buffer = vkAlias;
  viewInfo.format = info.format;
  viewInfo.offset = info.offset;
  viewInfo.range = info.texels * formatInfo(info.format).blockBytes;
  VkBufferView vkView = VK_NULL_HANDLE;
  result = device.fn().vkCreateBufferView(device.vkDevice(), &viewInfo, nullptr, &vkView);
  if (result != VK_SUCCESS) return vulkanError("Creating the view of a texture buffer", result);
  return vkView;
}

TexelBuffer::~TexelBuffer() {
  Device* device = m_buffer->device().get();
  device->retire([device, slot = m_slot, readView = m_vkReadView, writeView = m_vkWriteView,
                  readAlias = m_vkReadAlias, writeAlias = m_vkWriteAlias] {
    if (slot) device->descriptorHeap().freeImage(slot);
    device->fn().vkDestroyBufferView(device->vkDevice(), readView, nullptr);
    device->fn().vkDestroyBufferView(device->vkDevice(), writeView, nullptr);
    device->fn().vkDestroyBuffer(device->vkDevice(), readAlias, nullptr);
    device->fn().vkDestroyBuffer(device->vkDevice(), writeAlias, nullptr);
  });
}

} // namespace basanite::vulkan
