// SPDX-License-Identifier: Apache-2.0
// A command buffer with one stamp, submitted whenever the time is wanted.
#include "src/vulkan/clock_probe.hpp"

#include "src/base/host_clock.hpp"
#include "src/vulkan/barrier.hpp"
#include "src/vulkan/submitter.hpp"
#include "src/vulkan/vulkan_error.hpp"

namespace basanite::vulkan {

namespace {
constexpr const char* kWhat = "Reading the device's clock by a stamp";
} // namespace

base::Result<std::unique_ptr<ClockProbe>> ClockProbe::create(const base::Ref<Device>& device) {
  auto probe = std::unique_ptr<ClockProbe>(new ClockProbe(device));
  BASANITE_TRY_VOID(probe->open());
  return probe;
}

base::Result<void> ClockProbe::open() {
  const VolkDeviceTable& fn = m_device->fn();
  VkDevice vkDevice = m_device->vkDevice();
  BASANITE_TRY(m_result, Buffer::create(m_device, sizeof(uint64_t), MemoryKind::readback, "clock probe"));

  VkQueryPoolCreateInfo queryInfo{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  queryInfo.queryType = VK_QUERY_TYPE_TIMESTAMP;
  queryInfo.queryCount = 1;
  VkResult result = fn.vkCreateQueryPool(vkDevice, &queryInfo, nullptr, &m_vkQueryPool);
  VkSemaphoreTypeCreateInfo typeInfo{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  typeInfo.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo semaphoreInfo{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &typeInfo};
  if (result == VK_SUCCESS) result = fn.vkCreateSemaphore(vkDevice, &semaphoreInfo, nullptr, &m_vkTimeline);
  VkCommandPoolCreateInfo poolInfo{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  poolInfo.queueFamilyIndex = m_device->queueFamily();
  if (result == VK_SUCCESS) result = fn.vkCreateCommandPool(vkDevice, &poolInfo, nullptr, &m_vkCommandPool);
  VkCommandBufferAllocateInfo allocateInfo{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocateInfo.commandPool = m_vkCommandPool;
  allocateInfo.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocateInfo.commandBufferCount = 1;
  if (result == VK_SUCCESS) result = fn.vkAllocateCommandBuffers(vkDevice, &allocateInfo, &m_vkCommandBuffer);
  VkCommandBufferBeginInfo beginInfo{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  if (result == VK_SUCCESS) result = fn.vkBeginCommandBuffer(m_vkCommandBuffer, &beginInfo);
  if (result != VK_SUCCESS) return vulkanError(kWhat, result);

  fn.vkCmdResetQueryPool(m_vkCommandBuffer, m_vkQueryPool, 0, 1);
  fn.vkCmdWriteTimestamp2(m_vkCommandBuffer, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, m_vkQueryPool, 0);
  fn.vkCmdCopyQueryPoolResults(m_vkCommandBuffer, m_vkQueryPool, 0, 1, m_result->vkBuffer(), 0,
                               sizeof(uint64_t), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  VkMemoryBarrier2 barrier = memoryBarrier(VK_PIPELINE_STAGE_2_TRANSFER_BIT, VK_PIPELINE_STAGE_2_HOST_BIT);
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &barrier;
  fn.vkCmdPipelineBarrier2(m_vkCommandBuffer, &dependency);
  result = fn.vkEndCommandBuffer(m_vkCommandBuffer);
  if (result != VK_SUCCESS) return vulkanError(kWhat, result);
  return {};
}

ClockProbe::~ClockProbe() {
  const VolkDeviceTable& fn = m_device->fn();
  VkDevice vkDevice = m_device->vkDevice();
  while (m_submitted && !m_device->lost()) {
    auto done = reached(100'000'000);
    if (!done.ok() || *done) break;
  }
  fn.vkDestroyCommandPool(vkDevice, m_vkCommandPool, nullptr);
  fn.vkDestroySemaphore(vkDevice, m_vkTimeline, nullptr);
  fn.vkDestroyQueryPool(vkDevice, m_vkQueryPool, nullptr);
}

base::Result<bool> ClockProbe::reached(uint64_t timeoutNs) {
  VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &m_vkTimeline;
  info.pValues = &m_submitted;
  VkResult result = m_device->fn().vkWaitSemaphores(m_device->vkDevice(), &info, timeoutNs);
  if (result == VK_ERROR_DEVICE_LOST) m_device->markLost();
  if (result != VK_SUCCESS && result != VK_TIMEOUT) return vulkanError(kWhat, result);
  return result == VK_SUCCESS;
}

base::Result<std::optional<ClockProbe::Reading>> ClockProbe::read(uint64_t patienceNs) {
  if (m_device->lost()) return vulkanError(kWhat, VK_ERROR_DEVICE_LOST);
  if (m_submitted) {
    BASANITE_TRY(bool idle, reached(0));
    if (!idle) return std::optional<Reading>();
  }
  VkCommandBufferSubmitInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  commands.commandBuffer = m_vkCommandBuffer;
  VkSemaphoreSubmitInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
  signal.semaphore = m_vkTimeline;
  signal.value = m_submitted + 1;
  signal.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  VkSubmitInfo2 submit{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  submit.commandBufferInfoCount = 1;
  submit.pCommandBufferInfos = &commands;
  submit.signalSemaphoreInfoCount = 1;
  submit.pSignalSemaphoreInfos = &signal;
  Reading reading;
  uint64_t serial = 0;
  VkResult result = m_device->submitter().beginInternal(serial, [&](VkQueue vkQueue) {
    reading.hostBeforeNs = base::hostNowNs();
    return m_device->fn().vkQueueSubmit2(vkQueue, 1, &submit, VK_NULL_HANDLE);
  });
  // It uses nothing but what lives as long as the probe, which waits for it.
  m_device->submitter().endInternal(serial);
  if (result == VK_ERROR_DEVICE_LOST) m_device->markLost();
  if (result != VK_SUCCESS) return vulkanError(kWhat, result);
  m_submitted = signal.value;
  BASANITE_TRY(bool written, reached(patienceNs));
  reading.hostAfterNs = base::hostNowNs();
  if (!written) return std::optional<Reading>();
  reading.ticks = *static_cast<const volatile uint64_t*>(m_result->contents());
  return std::optional<Reading>(reading);
}

} // namespace basanite::vulkan
