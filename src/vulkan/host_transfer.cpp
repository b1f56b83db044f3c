// SPDX-License-Identifier: Apache-2.0
// Queues and submits the work that the CPU does to resources outside command buffers.
#include "src/vulkan/host_transfer.hpp"

#include "src/vulkan/buffer.hpp"
#include "src/vulkan/deferred_delete.hpp"
#include "src/vulkan/format_table.hpp"
#include "src/vulkan/image.hpp"
#include "src/vulkan/submitter.hpp"
#include "src/vulkan/vma.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <unordered_set>

namespace basanite::vulkan {
namespace {

constexpr uint64_t kStagingBytes = 1 << 20;
// Free staging buffers above this size go back to the driver.
constexpr uint64_t kKeptStagingBytes = 16 << 20;
// More queued bytes than this are submitted and waited for, so that loading a scene does not double its
// memory.
constexpr uint64_t kDrainBytes = 128 << 20;
// Above the alignment of every texel size, and what depth and stencil copies ask for.
constexpr uint64_t kStagingAlignment = 16;

template <class Handle> uint64_t idOf(Handle handle) { return reinterpret_cast<uint64_t>(handle); }

void fullBarrier(const VolkDeviceTable& fn, VkCommandBuffer vkCommandBuffer, VkPipelineStageFlags2 after,
                 VkPipelineStageFlags2 before) {
  VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  barrier.srcStageMask = after;
  barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.dstStageMask = before;
  barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &barrier;
  fn.vkCmdPipelineBarrier2(vkCommandBuffer, &dependency);
}

// A region's rows as they lie, tightly packed, in staging memory.
struct Packing {
  uint64_t rowBytes = 0;
  uint64_t rows = 0; // of texels or blocks, in one slice
  uint64_t slices = 0;
  uint64_t totalBytes() const { return rowBytes * rows * slices; }
};

base::Result<Packing> packingOf(const Image& image, const ImageTransfer& transfer) {
  const ImageInfo& info = image.info();
  FormatInfo format = formatInfo(info.format);
  if (format.blockBytes == 0)
    return base::Error{
        fmt::format("VkFormat {} cannot be copied by the CPU.", static_cast<int>(info.format))};
  if (info.samples != VK_SAMPLE_COUNT_1_BIT)
    return base::Error{"A multisample texture cannot be copied by the CPU."};
  if (transfer.level >= info.mipLevels || transfer.layer >= info.arrayLayers)
    return base::Error{fmt::format("Level {} of slice {} is outside a texture of {} levels and {} slices.",
                                   transfer.level, transfer.layer, info.mipLevels, info.arrayLayers)};
  auto extentOf = [&](uint32_t base) { return std::max(1u, base >> transfer.level); };
  auto fits = [](int32_t offset, uint32_t extent, uint32_t size) {
    return offset >= 0 && extent > 0 && extent <= size && static_cast<uint32_t>(offset) <= size - extent;
  };
  uint32_t width = extentOf(info.width), height = extentOf(info.height), depth = extentOf(info.depth);
  const VkExtent3D& extent = transfer.extent;
  const VkOffset3D& offset = transfer.offset;
  if (!fits(offset.x, extent.width, width) || !fits(offset.y, extent.height, height) ||
      !fits(offset.z, extent.depth, depth))
    return base::Error{fmt::format(
        "The region at ({}, {}, {}) of {}x{}x{} texels is outside level {}, which has {}x{}x{}.", offset.x,
        offset.y, offset.z, extent.width, extent.height, extent.depth, transfer.level, width, height, depth)};
  Packing packing;
  packing.rowBytes = uint64_t((extent.width + format.blockWidth - 1) / format.blockWidth) *
                     aspectBytes(info.format, transfer.aspect);
  packing.rows = (extent.height + format.blockHeight - 1) / format.blockHeight;
  packing.slices = extent.depth;
  if (packing.rows > 1 && transfer.bytesPerRow < packing.rowBytes)
    return base::Error{fmt::format("{} bytes per row are fewer than the {} that {} texels take.",
                                   transfer.bytesPerRow, packing.rowBytes, extent.width)};
  return packing;
}

VkBufferImageCopy2 regionOf(const ImageTransfer& transfer, uint64_t bufferOffset) {
  VkBufferImageCopy2 region{VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2};
  region.bufferOffset = bufferOffset;
  region.imageSubresource = {transfer.aspect, transfer.level, transfer.layer, 1};
  region.imageOffset = transfer.offset;
  region.imageExtent = transfer.extent;
  return region;
}

} // namespace

base::Result<std::unique_ptr<HostTransfer>> HostTransfer::create(Device& device) {
  auto transfer = std::unique_ptr<HostTransfer>(new HostTransfer(device));
  BASANITE_TRY_VOID(transfer->open());
  return transfer;
}

base::Result<void> HostTransfer::open() {
  VkCommandPoolCreateInfo poolInfo{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  poolInfo.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT | VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  poolInfo.queueFamilyIndex = m_device.queueFamily();
  VkResult result =
      m_device.fn().vkCreateCommandPool(m_device.vkDevice(), &poolInfo, nullptr, &m_vkCommandPool);
  if (result != VK_SUCCESS) return vulkanError("Creating the command pool for host transfers", result);
  VkSemaphoreTypeCreateInfo typeInfo{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  typeInfo.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo semaphoreInfo{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &typeInfo};
  result = m_device.fn().vkCreateSemaphore(m_device.vkDevice(), &semaphoreInfo, nullptr, &m_vkTimeline);
  if (result != VK_SUCCESS) return vulkanError("Creating the timeline of host transfers", result);
  m_device.setName(VK_OBJECT_TYPE_SEMAPHORE, m_vkTimeline, "host transfers");
  return {};
}

HostTransfer::~HostTransfer() {
  for (const Staging& staging : m_staging)
    vmaDestroyBuffer(m_device.allocator(), staging.vkBuffer, staging.allocation);
  m_device.fn().vkDestroyCommandPool(m_device.vkDevice(), m_vkCommandPool, nullptr);
  m_device.fn().vkDestroySemaphore(m_device.vkDevice(), m_vkTimeline, nullptr);
}

// ---- queueing

void HostTransfer::queue(Operation operation) {
  std::lock_guard lock(m_mutex);
  m_operations.push_back(std::move(operation));
}

void HostTransfer::initializeImage(VkImage vkImage, VkImageAspectFlags aspects, VkImageLayout from) {
  std::lock_guard lock(m_mutex);
  m_transitions.push_back({vkImage, aspects, from});
}

void HostTransfer::clearColorImage(VkImage vkImage) {
  queue({idOf(vkImage), [&device = m_device, vkImage](VkCommandBuffer vkCommandBuffer) {
           VkClearColorValue zero{};
           VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                         VK_REMAINING_ARRAY_LAYERS};
           device.fn().vkCmdClearColorImage(vkCommandBuffer, vkImage, VK_IMAGE_LAYOUT_GENERAL, &zero, 1,
                                            &range);
         }});
}

void HostTransfer::zeroBuffer(VkBuffer vkBuffer) {
  queue({idOf(vkBuffer), [&device = m_device, vkBuffer](VkCommandBuffer vkCommandBuffer) {
           device.fn().vkCmdFillBuffer(vkCommandBuffer, vkBuffer, 0, VK_WHOLE_SIZE, 0);
         }});
}

base::Result<void> HostTransfer::uploadBuffer(Buffer& buffer, uint64_t offset, const void* bytes,
                                              uint64_t lengthBytes) {
  if (lengthBytes > buffer.length() || offset > buffer.length() - lengthBytes)
    return base::Error{fmt::format("Bytes {} to {} are outside a buffer of {} bytes.", offset,
                                   offset + lengthBytes, buffer.length())};
  if (lengthBytes == 0) return {};
  {
    std::lock_guard lock(m_mutex);
    BASANITE_TRY(StagingSpan span, stage(lengthBytes));
    std::memcpy(span.contents, bytes, lengthBytes);
    m_operations.push_back({idOf(buffer.vkBuffer()), [&device = m_device, span, vkBuffer = buffer.vkBuffer(),
                                                      offset, lengthBytes](VkCommandBuffer vkCommandBuffer) {
                              VkBufferCopy region{span.offset, offset, lengthBytes};
                              device.fn().vkCmdCopyBuffer(vkCommandBuffer, span.vkBuffer, vkBuffer, 1,
                                                          &region);
                            }});
  }
  return drainWhenLarge();
}

base::Result<void> HostTransfer::uploadImage(Image& image, const ImageTransfer& transfer, const void* bytes) {
  BASANITE_TRY(Packing packing, packingOf(image, transfer));
  {
    std::lock_guard lock(m_mutex);
    BASANITE_TRY(StagingSpan span, stage(packing.totalBytes()));
    uint8_t* destination = span.contents;
    for (uint64_t slice = 0; slice < packing.slices; ++slice)
      for (uint64_t row = 0; row < packing.rows; ++row, destination += packing.rowBytes)
        std::memcpy(destination,
                    static_cast<const uint8_t*>(bytes) + slice * transfer.bytesPerImage +
                        row * transfer.bytesPerRow,
                    packing.rowBytes);
    m_operations.push_back({idOf(image.vkImage()), [&device = m_device, span, vkImage = image.vkImage(),
                                                    transfer](VkCommandBuffer vkCommandBuffer) {
                              VkBufferImageCopy2 region = regionOf(transfer, span.offset);
                              VkCopyBufferToImageInfo2 info{VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2};
                              info.srcBuffer = span.vkBuffer;
                              info.dstImage = vkImage;
                              info.dstImageLayout = VK_IMAGE_LAYOUT_GENERAL;
                              info.regionCount = 1;
                              info.pRegions = &region;
                              device.fn().vkCmdCopyBufferToImage2(vkCommandBuffer, &info);
                            }});
  }
  return drainWhenLarge();
}

void HostTransfer::forget(VkBuffer vkBuffer) { forget(idOf(vkBuffer)); }
void HostTransfer::forget(VkImage vkImage) { forget(idOf(vkImage)); }

void HostTransfer::forget(uint64_t resource) {
  std::lock_guard lock(m_mutex);
  std::erase_if(m_operations, [&](const Operation& operation) { return operation.resource == resource; });
  std::erase_if(m_transitions,
                [&](const Transition& transition) { return idOf(transition.vkImage) == resource; });
}

size_t HostTransfer::pendingCount() const {
  std::lock_guard lock(m_mutex);
  return m_operations.size() + m_transitions.size();
}

// ---- staging memory; all under the lock

base::Result<HostTransfer::Staging> HostTransfer::createStaging(uint64_t lengthBytes, bool readback) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = lengthBytes;
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VmaAllocationCreateInfo allocationInfo{};
  allocationInfo.usage = VMA_MEMORY_USAGE_AUTO_PREFER_HOST;
  allocationInfo.flags = VMA_ALLOCATION_CREATE_MAPPED_BIT;
  allocationInfo.flags |= readback ? VMA_ALLOCATION_CREATE_HOST_ACCESS_RANDOM_BIT
                                   : VMA_ALLOCATION_CREATE_HOST_ACCESS_SEQUENTIAL_WRITE_BIT;
  allocationInfo.requiredFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  Staging staging;
  VmaAllocationInfo allocated{};
  VkResult result = vmaCreateBuffer(m_device.allocator(), &info, &allocationInfo, &staging.vkBuffer,
                                    &staging.allocation, &allocated);
  if (result != VK_SUCCESS)
    return vulkanError(fmt::format("Creating a staging buffer of {} bytes", lengthBytes), result);
  staging.contents = static_cast<uint8_t*>(allocated.pMappedData);
  staging.size = lengthBytes;
  return staging;
}

base::Result<HostTransfer::StagingSpan> HostTransfer::stage(uint64_t lengthBytes) {
  auto take = [&](Staging& staging) {
    StagingSpan span{staging.vkBuffer, staging.used, staging.contents + staging.used};
    staging.used += (lengthBytes + kStagingAlignment - 1) & ~(kStagingAlignment - 1);
    m_queuedBytes += lengthBytes;
    return span;
  };
  for (Staging& staging : m_staging)
    if (staging.busyUntil == 0 && staging.used < staging.size && staging.size - staging.used >= lengthBytes)
      return take(staging);
  BASANITE_TRY(Staging created, createStaging(std::max(lengthBytes, kStagingBytes), false));
  m_staging.push_back(created);
  return take(m_staging.back());
}

void HostTransfer::recycle() {
  m_device.fn().vkGetSemaphoreCounterValue(m_device.vkDevice(), m_vkTimeline, &m_completedValue);
  for (Staging& staging : m_staging)
    if (staging.busyUntil != 0 && staging.busyUntil <= m_completedValue) staging.busyUntil = staging.used = 0;
  std::erase_if(m_staging, [&](const Staging& staging) {
    if (staging.used != 0 || staging.busyUntil != 0 || staging.size <= kKeptStagingBytes) return false;
    vmaDestroyBuffer(m_device.allocator(), staging.vkBuffer, staging.allocation);
    return true;
  });
}

// ---- submission; all under the submitter's lock and ours

base::Result<VkCommandBuffer> HostTransfer::begin() {
  VkCommandBuffer vkCommandBuffer = VK_NULL_HANDLE;
  for (size_t i = 0; i < m_commands.size(); ++i)
    if (m_commands[i].busyUntil <= m_completedValue) {
      vkCommandBuffer = m_commands[i].vkCommandBuffer;
      m_commands.erase(m_commands.begin() + i);
      break;
    }
  if (!vkCommandBuffer) {
    VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    info.commandPool = m_vkCommandPool;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    VkResult result = m_device.fn().vkAllocateCommandBuffers(m_device.vkDevice(), &info, &vkCommandBuffer);
    if (result != VK_SUCCESS) return vulkanError("Allocating a command buffer for host transfers", result);
  }
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  VkResult result = m_device.fn().vkBeginCommandBuffer(vkCommandBuffer, &info);
  if (result != VK_SUCCESS) return vulkanError("Beginning a command buffer for host transfers", result);
  return vkCommandBuffer;
}

base::Result<void> HostTransfer::endAndSubmit(VkCommandBuffer vkCommandBuffer, VkQueue vkQueue) {
  VkResult result = m_device.fn().vkEndCommandBuffer(vkCommandBuffer);
  if (result != VK_SUCCESS) return vulkanError("Ending a command buffer for host transfers", result);
  VkCommandBufferSubmitInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  commands.commandBuffer = vkCommandBuffer;
  // Batches of other VkQueues come in between, so each waits for the one before: values must be signalled in
  // order.
  VkSemaphoreSubmitInfo wait{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
  wait.semaphore = m_vkTimeline;
  wait.value = m_submittedValue;
  wait.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  VkSemaphoreSubmitInfo signal = wait;
  signal.value = m_submittedValue + 1;
  VkSubmitInfo2 submit{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  submit.waitSemaphoreInfoCount = m_submittedValue > m_completedValue ? 1 : 0;
  submit.pWaitSemaphoreInfos = &wait;
  submit.commandBufferInfoCount = 1;
  submit.pCommandBufferInfos = &commands;
  submit.signalSemaphoreInfoCount = 1;
  submit.pSignalSemaphoreInfos = &signal;
  result = m_device.fn().vkQueueSubmit2(vkQueue, 1, &submit, VK_NULL_HANDLE);
  if (result == VK_ERROR_DEVICE_LOST) m_device.markLost();
  if (result != VK_SUCCESS) return vulkanError("Submitting host transfers", result);
  ++m_submittedValue;
  m_commands.push_back({vkCommandBuffer, m_submittedValue});
  return {};
}

base::Result<void> HostTransfer::submitPending(VkQueue vkQueue) {
  recycle();
  if (m_transitions.empty() && m_operations.empty()) return {};
  BASANITE_TRY(VkCommandBuffer vkCommandBuffer, begin());
  const VolkDeviceTable& fn = m_device.fn();

  std::vector<VkImageMemoryBarrier2> barriers;
  for (const Transition& transition : m_transitions) {
    VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    barrier.oldLayout = transition.from;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = transition.vkImage;
    barrier.subresourceRange = {transition.aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
    barriers.push_back(barrier);
  }
  if (!barriers.empty()) {
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.imageMemoryBarrierCount = static_cast<uint32_t>(barriers.size());
    dependency.pImageMemoryBarriers = barriers.data();
    fn.vkCmdPipelineBarrier2(vkCommandBuffer, &dependency);
  }

  if (!m_operations.empty()) {
    constexpr VkPipelineStageFlags2 kTransfer = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    fullBarrier(fn, vkCommandBuffer, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, kTransfer);
    std::unordered_set<uint64_t> touched; // since the last barrier
    for (const Operation& operation : m_operations) {
      if (!touched.insert(operation.resource).second) {
        fullBarrier(fn, vkCommandBuffer, kTransfer, kTransfer);
        touched = {operation.resource};
      }
      operation.record(vkCommandBuffer);
    }
    fullBarrier(fn, vkCommandBuffer, kTransfer, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  }
  BASANITE_TRY_VOID(endAndSubmit(vkCommandBuffer, vkQueue));
  m_transitions.clear();
  m_operations.clear();
  m_queuedBytes = 0;
  for (Staging& staging : m_staging)
    if (staging.used != 0 && staging.busyUntil == 0) staging.busyUntil = m_submittedValue;
  return {};
}

base::Result<HostTransfer::Point> HostTransfer::flush(VkQueue vkQueue) {
  std::lock_guard lock(m_mutex);
  if (m_transitions.empty() && m_operations.empty() && m_submittedValue == m_completedValue) return Point{};
  BASANITE_TRY_VOID(submitPending(vkQueue));
  if (m_submittedValue == m_completedValue) return Point{};
  return Point{m_vkTimeline, m_submittedValue};
}

base::Result<void> HostTransfer::waitFor(uint64_t value) {
  VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &m_vkTimeline;
  info.pValues = &value;
  VkResult result = m_device.fn().vkWaitSemaphores(m_device.vkDevice(), &info, UINT64_MAX);
  if (result == VK_ERROR_DEVICE_LOST) m_device.markLost();
  if (result != VK_SUCCESS) return vulkanError("Waiting for host transfers", result);
  return {};
}

base::Result<void> HostTransfer::drainWhenLarge() {
  {
    std::lock_guard lock(m_mutex);
    if (m_queuedBytes < kDrainBytes) return {};
  }
  uint64_t serial = 0, value = 0;
  auto submitted = m_device.submitter().beginInternal(serial, [&](VkQueue vkQueue) -> base::Result<void> {
    std::lock_guard lock(m_mutex);
    BASANITE_TRY_VOID(submitPending(vkQueue));
    value = m_submittedValue;
    return {};
  });
  base::Result<void> waited = submitted.ok() ? waitFor(value) : submitted;
  m_device.submitter().endInternal(serial);
  return waited;
}

// ---- readback

base::Result<void> HostTransfer::copyToHost(uint64_t lengthBytes,
                                            const std::function<void(VkCommandBuffer, VkBuffer)>& record,
                                            const std::function<void(const uint8_t*)>& take) {
  BASANITE_TRY(Staging staging, createStaging(lengthBytes, true));
  uint64_t serial = 0, value = 0;
  auto submitted = m_device.submitter().beginInternal(serial, [&](VkQueue vkQueue) -> base::Result<void> {
    std::lock_guard lock(m_mutex);
    BASANITE_TRY_VOID(submitPending(vkQueue));
    BASANITE_TRY(VkCommandBuffer vkCommandBuffer, begin());
    fullBarrier(m_device.fn(), vkCommandBuffer, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT);
    record(vkCommandBuffer, staging.vkBuffer);
    fullBarrier(m_device.fn(), vkCommandBuffer, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                VK_PIPELINE_STAGE_2_HOST_BIT | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    BASANITE_TRY_VOID(endAndSubmit(vkCommandBuffer, vkQueue));
    value = m_submittedValue;
    return {};
  });
  base::Result<void> waited = submitted.ok() ? waitFor(value) : submitted;
  if (waited.ok()) take(staging.contents);
  m_device.submitter().endInternal(serial);
  m_device.deferredDelete().collect(m_device.submitter().completedThrough());
  // A lost device may still be using the staging buffer; it is left to the driver's clean-up.
  if (waited.ok()) vmaDestroyBuffer(m_device.allocator(), staging.vkBuffer, staging.allocation);
  return waited;
}

base::Result<void> HostTransfer::readBuffer(Buffer& buffer, uint64_t offset, void* bytes,
                                            uint64_t lengthBytes) {
  if (lengthBytes > buffer.length() || offset > buffer.length() - lengthBytes)
    return base::Error{fmt::format("Bytes {} to {} are outside a buffer of {} bytes.", offset,
                                   offset + lengthBytes, buffer.length())};
  if (lengthBytes == 0) return {};
  return copyToHost(
      lengthBytes,
      [&](VkCommandBuffer vkCommandBuffer, VkBuffer vkStaging) {
        VkBufferCopy region{offset, 0, lengthBytes};
        m_device.fn().vkCmdCopyBuffer(vkCommandBuffer, buffer.vkBuffer(), vkStaging, 1, &region);
      },
      [&](const uint8_t* staged) { std::memcpy(bytes, staged, lengthBytes); });
}

base::Result<void> HostTransfer::readImage(Image& image, const ImageTransfer& transfer, void* bytes) {
  BASANITE_TRY(Packing packing, packingOf(image, transfer));
  return copyToHost(
      packing.totalBytes(),
      [&](VkCommandBuffer vkCommandBuffer, VkBuffer vkStaging) {
        VkBufferImageCopy2 region = regionOf(transfer, 0);
        VkCopyImageToBufferInfo2 info{VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2};
        info.srcImage = image.vkImage();
        info.srcImageLayout = VK_IMAGE_LAYOUT_GENERAL;
        info.dstBuffer = vkStaging;
        info.regionCount = 1;
        info.pRegions = &region;
        m_device.fn().vkCmdCopyImageToBuffer2(vkCommandBuffer, &info);
      },
      [&](const uint8_t* staged) {
        for (uint64_t slice = 0; slice < packing.slices; ++slice)
          for (uint64_t row = 0; row < packing.rows; ++row, staged += packing.rowBytes)
            std::memcpy(static_cast<uint8_t*>(bytes) + slice * transfer.bytesPerImage +
                            row * transfer.bytesPerRow,
                        staged, packing.rowBytes);
      });
}

} // namespace basanite::vulkan
