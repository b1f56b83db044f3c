// SPDX-License-Identifier: Apache-2.0
// Command buffers and upload memory of one allocator.
#include "src/vulkan/command_pool.hpp"

#include "src/vulkan/submitter.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace basanite::vulkan {
namespace {

constexpr uint64_t kChunkBytes = 64 << 10;
// Vulkan tells no sizes of command buffers; what a short recording takes on the drivers we know.
constexpr uint64_t kCommandBufferBytes = 16 << 10;

} // namespace

base::Result<base::Ref<CommandPool>> CommandPool::create(const base::Ref<Device>& device,
                                                         std::string_view label) {
  auto pool = base::Ref<CommandPool>::adopt(new CommandPool(device));
  VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  info.queueFamilyIndex = device->queueFamily();
  VkResult result =
      device->fn().vkCreateCommandPool(device->vkDevice(), &info, nullptr, &pool->m_vkCommandPool);
  if (result != VK_SUCCESS)
    return vulkanError(fmt::format("Creating the command allocator \"{}\"", label), result);
  device->setName(VK_OBJECT_TYPE_COMMAND_POOL, pool->m_vkCommandPool, label);
  return pool;
}

CommandPool::~CommandPool() {
  if (!m_vkCommandPool) return;
  // The resident's queries die with the commands that write them.
  m_device->retire([device = m_device.get(), vkCommandPool = m_vkCommandPool,
                    resident = std::shared_ptr<PoolResident>(std::move(m_resident)),
                    colorInputs = std::shared_ptr<ColorInputSets>(std::move(m_colorInputs))]() mutable {
    device->fn().vkDestroyCommandPool(device->vkDevice(), vkCommandPool, nullptr);
    resident.reset();
    colorInputs.reset();
  });
}

base::Result<VkCommandBuffer> CommandPool::takeCommandBuffer() {
  if (m_commandBuffersTaken == m_commandBuffers.size()) {
    VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    info.commandPool = m_vkCommandPool;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    VkCommandBuffer vkCommandBuffer = VK_NULL_HANDLE;
    VkResult result = m_device->fn().vkAllocateCommandBuffers(m_device->vkDevice(), &info, &vkCommandBuffer);
    if (result != VK_SUCCESS) return vulkanError("Allocating a command buffer", result);
    m_commandBuffers.push_back(vkCommandBuffer);
  }
  return m_commandBuffers[m_commandBuffersTaken++];
}

void CommandPool::useChunk(size_t index) {
  Buffer& chunk = *m_chunks[index];
  m_chunksUsed = index + 1;
  m_current = chunk.vkBuffer();
  m_contents = static_cast<uint8_t*>(chunk.contents());
  m_gpuAddress = chunk.gpuAddress();
  m_currentSize = chunk.length();
  m_used = 0;
}

base::Result<UploadSpan> CommandPool::uploadFromNewChunk(uint64_t lengthBytes) {
  // Chunks of earlier recordings come first, in order; one that is too small for this request is passed over.
  size_t index = m_chunksUsed;
  while (index < m_chunks.size() && m_chunks[index]->length() < lengthBytes) ++index;
  if (index == m_chunks.size()) {
    // Each chunk doubles the last one, so that long recordings need few.
    uint64_t size =
        m_chunks.empty() ? kChunkBytes : std::min<uint64_t>(m_chunks.back()->length() * 2, 16 << 20);
    BASANITE_TRY(auto chunk,
                 Buffer::create(m_device, std::max(size, lengthBytes), MemoryKind::upload, "upload chunk"));
    m_chunks.push_back(std::move(chunk));
  }
  std::swap(m_chunks[m_chunksUsed], m_chunks[index]);
  useChunk(m_chunksUsed);
  m_used = lengthBytes;
  return UploadSpan{m_contents, m_gpuAddress, m_current, 0};
}

base::Result<base::Ref<CommandBufferTimes>> CommandPool::takeTimes() {
  for (const auto& slots : m_timeSlots)
    if (auto times = slots->take()) return times;
  BASANITE_TRY(auto slots, TimeSlots::create(m_device));
  m_timeSlots.push_back(slots);
  return slots->take();
}

base::Result<void> CommandPool::reset() {
  VkResult result = m_device->fn().vkResetCommandPool(m_device->vkDevice(), m_vkCommandPool, 0);
  if (result != VK_SUCCESS) return vulkanError("Resetting a command allocator", result);
  m_commandBuffersTaken = 0;
  m_chunksUsed = 0;
  m_current = VK_NULL_HANDLE;
  m_currentSize = m_used = 0;
  m_submissions.clear();
  if (m_resident) m_resident->reset();
  m_colorInputs->reset();
  return {};
}

uint64_t CommandPool::allocatedSize() const {
  uint64_t bytes = m_commandBuffers.size() * kCommandBufferBytes;
  for (const auto& chunk : m_chunks) bytes += chunk->allocatedSize();
  for (const auto& slots : m_timeSlots) bytes += slots->buffer().allocatedSize();
  if (m_resident) bytes += m_resident->allocatedBytes();
  return bytes;
}

void CommandPool::noteSubmitted(uint64_t serial) {
  // Without resets the list would grow for ever.
  constexpr size_t kTidyAbove = 16;
  if (m_submissions.size() >= kTidyAbove)
    std::erase_if(m_submissions, [&](uint64_t earlier) { return !m_device->submitter().running(earlier); });
  m_submissions.push_back(serial);
}

bool CommandPool::busy() const {
  return std::any_of(m_submissions.begin(), m_submissions.end(),
                     [&](uint64_t serial) { return m_device->submitter().running(serial); });
}

} // namespace basanite::vulkan
