// SPDX-License-Identifier: Apache-2.0
// Copies, fills, blits and mipmaps of a command buffer.
#include "src/vulkan/command_buffer.hpp"
#include "src/vulkan/format_table.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace basanite::vulkan {

void CommandBuffer::copyBuffer(VkBuffer vkSource, uint64_t sourceOffset, VkBuffer vkDestination,
                               uint64_t destinationOffset, uint64_t lengthBytes) {
  if (lengthBytes == 0) return;
  VkBufferCopy region{sourceOffset, destinationOffset, lengthBytes};
  m_device->fn().vkCmdCopyBuffer(m_vkMain, vkSource, vkDestination, 1, &region);
}

void CommandBuffer::fillBuffer(VkBuffer vkBuffer, uint64_t offset, uint64_t lengthBytes, uint8_t value) {
  // Vulkan fills whole aligned words; the ragged ends are copied.
  const uint64_t end = offset + lengthBytes;
  const uint64_t wordsBegin = std::min((offset + 3) & ~uint64_t(3), end);
  const uint64_t wordsEnd = std::max(end & ~uint64_t(3), wordsBegin);
  if (wordsEnd > wordsBegin)
    m_device->fn().vkCmdFillBuffer(m_vkMain, vkBuffer, wordsBegin, wordsEnd - wordsBegin,
                                   value * 0x01010101u);
  if (wordsBegin == offset && wordsEnd == end) return;
  auto span = m_pool->upload(4);
  if (!span.ok()) {
    fail(span.error());
    return;
  }
  std::memset(span.value().contents, value, 4);
  copyBuffer(span.value().vkBuffer, span.value().offset, vkBuffer, offset, wordsBegin - offset);
  copyBuffer(span.value().vkBuffer, span.value().offset, vkBuffer, wordsEnd, end - wordsEnd);
}

void CommandBuffer::copyBufferToImage(VkBuffer vkSource, Image& destination,
                                      std::span<const VkBufferImageCopy2> regions) {
  if (regions.empty()) return;
  VkCopyBufferToImageInfo2 info{VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2};
  info.srcBuffer = vkSource;
  info.dstImage = destination.vkImage();
  info.dstImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  info.regionCount = static_cast<uint32_t>(regions.size());
  info.pRegions = regions.data();
  m_device->fn().vkCmdCopyBufferToImage2(m_vkMain, &info);
}

void CommandBuffer::copyImageToBuffer(Image& source, VkBuffer vkDestination,
                                      std::span<const VkBufferImageCopy2> regions) {
  if (regions.empty()) return;
  VkCopyImageToBufferInfo2 info{VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2};
  info.srcImage = source.vkImage();
  info.srcImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  info.dstBuffer = vkDestination;
  info.regionCount = static_cast<uint32_t>(regions.size());
  info.pRegions = regions.data();
  m_device->fn().vkCmdCopyImageToBuffer2(m_vkMain, &info);
}

void CommandBuffer::copyImage(Image& source, Image& destination, std::span<const VkImageCopy2> regions) {
  if (regions.empty()) return;
  VkCopyImageInfo2 info{VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2};
  info.srcImage = source.vkImage();
  info.srcImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  info.dstImage = destination.vkImage();
  info.dstImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  info.regionCount = static_cast<uint32_t>(regions.size());
  info.pRegions = regions.data();
  m_device->fn().vkCmdCopyImage2(m_vkMain, &info);
}

void CommandBuffer::blitImage(Image& source, Image& destination, std::span<const VkImageBlit2> regions,
                              VkFilter filter) {
  if (regions.empty()) return;
  VkBlitImageInfo2 info{VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2};
  info.srcImage = source.vkImage();
  info.srcImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  info.dstImage = destination.vkImage();
  info.dstImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  info.regionCount = static_cast<uint32_t>(regions.size());
  info.pRegions = regions.data();
  info.filter = filter;
  m_device->fn().vkCmdBlitImage2(m_vkMain, &info);
}

void CommandBuffer::generateMipmaps(Image& image, uint32_t baseLevel, uint32_t levelCount, uint32_t baseLayer,
                                    uint32_t layerCount) {
  const ImageInfo& info = image.info();
  constexpr VkFormatFeatureFlags2 kBlit = VK_FORMAT_FEATURE_2_BLIT_SRC_BIT | VK_FORMAT_FEATURE_2_BLIT_DST_BIT;
  if ((m_device->formats().features(info.format) & kBlit) != kBlit || info.samples != VK_SAMPLE_COUNT_1_BIT) {
    fail(base::Error{fmt::format(
        "Mipmaps of a texture of VkFormat {} with {} samples cannot be generated on \"{}\".",
        static_cast<int>(info.format), static_cast<int>(info.samples), m_device->physical().name())});
    return;
  }
  VkFilter filter = m_device->formats().filterable(info.format) ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
  auto extentOf = [&](uint32_t level) {
    return VkOffset3D{static_cast<int32_t>(std::max(1u, info.width >> level)),
                      static_cast<int32_t>(std::max(1u, info.height >> level)),
                      static_cast<int32_t>(std::max(1u, info.depth >> level))};
  };
  for (uint32_t level = baseLevel + 1; level < baseLevel + levelCount; ++level) {
    if (level > baseLevel + 1) barrier(VK_PIPELINE_STAGE_2_BLIT_BIT, VK_PIPELINE_STAGE_2_BLIT_BIT);
    VkImageBlit2 region{VK_STRUCTURE_TYPE_IMAGE_BLIT_2};
    region.srcSubresource = {image.aspects(), level - 1, baseLayer, layerCount};
    region.dstSubresource = {image.aspects(), level, baseLayer, layerCount};
    region.srcOffsets[1] = extentOf(level - 1);
    region.dstOffsets[1] = extentOf(level);
    blitImage(image, image, {&region, 1}, filter);
  }
}

} // namespace basanite::vulkan
