// SPDX-License-Identifier: Apache-2.0
// Orders and submits the batches of all queues.
#include "src/vulkan/submitter.hpp"

#include "src/base/env.hpp"
#include "src/vulkan/device.hpp"
#include "src/vulkan/host_transfer.hpp"
#include "src/vulkan/queue.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>

namespace basanite::vulkan {

base::Result<std::unique_ptr<Submitter>> Submitter::create(Device& device, uint32_t queueCount) {
  auto submitter = std::unique_ptr<Submitter>(new Submitter(device));
  for (uint32_t i = 0; i < queueCount; ++i) {
    VkQueue vkQueue = VK_NULL_HANDLE;
    device.fn().vkGetDeviceQueue(device.vkDevice(), device.queueFamily(), i, &vkQueue);
    submitter->m_hardwareQueues.push_back(vkQueue);
  }
  submitter->m_lostAtSerial = static_cast<uint64_t>(base::envNumber("BASANITE_TEST_LOSE_DEVICE").value_or(0));
  return submitter;
}

Submitter::~Submitter() = default;

void Submitter::addQueue(Queue& queue) {
  std::lock_guard lock(m_mutex);
  auto state = std::make_unique<QueueState>();
  state->queue = &queue;
  state->vkQueue = m_hardwareQueues[m_nextHardwareQueue++ % m_hardwareQueues.size()];
  m_queues.push_back(std::move(state));
}

std::vector<uint64_t> Submitter::removeQueue(Queue& queue) {
  std::vector<uint64_t> dropped;
  std::unique_ptr<QueueState> removed;
  {
    std::lock_guard lock(m_mutex);
    auto found = std::find_if(m_queues.begin(), m_queues.end(),
                              [&](const auto& state) { return state->queue == &queue; });
    if (found == m_queues.end()) return dropped;
    removed = std::move(*found);
    m_queues.erase(found);
  }
  for (const Held& held : removed->held) dropped.push_back(held.serial);
  return dropped;
}

uint64_t Submitter::takeSerial(VkSemaphore vkTimeline) {
  std::lock_guard lock(m_serialMutex);
  m_inFlight.emplace(++m_lastSerial, vkTimeline);
  return m_lastSerial;
}

void Submitter::completed(uint64_t serial) {
  std::lock_guard lock(m_serialMutex);
  m_inFlight.erase(serial);
}

uint64_t Submitter::lastSerial() const {
  std::lock_guard lock(m_serialMutex);
  return m_lastSerial;
}

uint64_t Submitter::completedThrough() const {
  std::lock_guard lock(m_serialMutex);
  return m_inFlight.empty() ? m_lastSerial : m_inFlight.begin()->first - 1;
}

bool Submitter::running(uint64_t serial) const {
  std::lock_guard lock(m_serialMutex);
  auto found = m_inFlight.find(serial);
  if (found == m_inFlight.end()) return false;
  if (!found->second) return true;
  uint64_t reached = 0;
  m_device.fn().vkGetSemaphoreCounterValue(m_device.vkDevice(), found->second, &reached);
  return reached < serial;
}

bool Submitter::ready(const Batch& batch) const {
  return std::all_of(batch.waits.begin(), batch.waits.end(),
                     [](const TimelinePoint& wait) { return wait.semaphore->promised() >= wait.value; });
}

base::Result<uint64_t> Submitter::submit(Queue& queue, Batch batch) {
  std::lock_guard lock(m_mutex);
  if (m_device.lost()) return vulkanError("Submitting to the GPU", VK_ERROR_DEVICE_LOST);
  auto found = std::find_if(m_queues.begin(), m_queues.end(),
                            [&](const auto& state) { return state->queue == &queue; });
  QueueState& state = **found;
  Held held{takeSerial(queue.vkTimeline()), std::move(batch)};
  const uint64_t serial = held.serial;
  if (!state.held.empty() || !ready(held.batch)) {
    state.held.push_back(std::move(held));
    return serial;
  }
  auto result = handOver(state, held);
  if (!result.ok()) {
    completed(serial);
    return std::move(result).error();
  }
  pump();
  return serial;
}

base::Result<void> Submitter::handOver(QueueState& state, Held& held) {
  auto pointInfo = [](VkSemaphore vkSemaphore, uint64_t value) {
    VkSemaphoreSubmitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
    info.semaphore = vkSemaphore;
    info.value = value;
    info.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    return info;
  };
  BASANITE_TRY(HostTransfer::Point transfers, m_device.hostTransfer().flush(state.vkQueue));
  std::vector<VkSemaphoreSubmitInfo> waits, signals;
  for (const TimelinePoint& wait : held.batch.waits)
    waits.push_back(pointInfo(wait.semaphore->vkSemaphore(), wait.value));
  if (transfers.vkSemaphore) waits.push_back(pointInfo(transfers.vkSemaphore, transfers.value));
  for (const TimelinePoint& signal : held.batch.signals) {
    // Timelines cannot go back, so a value that is not news is dropped; one batch signals a semaphore once.
    if (signal.value <= signal.semaphore->promised()) continue;
    auto same = std::find_if(signals.begin(), signals.end(), [&](const VkSemaphoreSubmitInfo& info) {
      return info.semaphore == signal.semaphore->vkSemaphore();
    });
    if (same == signals.end())
      signals.push_back(pointInfo(signal.semaphore->vkSemaphore(), signal.value));
    else
      same->value = std::max(same->value, signal.value);
  }
  signals.push_back(pointInfo(state.queue->vkTimeline(), held.serial));
  std::vector<VkCommandBufferSubmitInfo> commands;
  for (VkCommandBuffer vkCommandBuffer : held.batch.vkCommandBuffers) {
    VkCommandBufferSubmitInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
    info.commandBuffer = vkCommandBuffer;
    commands.push_back(info);
  }
  VkSubmitInfo2 submit{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  submit.waitSemaphoreInfoCount = static_cast<uint32_t>(waits.size());
  submit.pWaitSemaphoreInfos = waits.data();
  submit.commandBufferInfoCount = static_cast<uint32_t>(commands.size());
  submit.pCommandBufferInfos = commands.data();
  submit.signalSemaphoreInfoCount = static_cast<uint32_t>(signals.size());
  submit.pSignalSemaphoreInfos = signals.data();
  const bool actsLost = m_lostAtSerial != 0 && held.serial >= m_lostAtSerial;
  VkResult result = actsLost ? VK_ERROR_DEVICE_LOST
                             : m_device.fn().vkQueueSubmit2(state.vkQueue, 1, &submit, VK_NULL_HANDLE);
  if (result == VK_ERROR_DEVICE_LOST) m_device.markLost();
  if (result != VK_SUCCESS) return vulkanError("Submitting to the GPU", result);
  for (const TimelinePoint& signal : held.batch.signals) signal.semaphore->promise(signal.value);
  return {};
}

void Submitter::pump() {
  bool progress = true;
  while (progress) {
    progress = false;
    for (const auto& state : m_queues)
      while (!state->held.empty() && ready(state->held.front().batch)) {
        Held held = std::move(state->held.front());
        state->held.pop_front();
        auto result = handOver(*state, held);
        if (!result.ok()) state->queue->refuse(held.serial, result.error());
        progress = true;
      }
  }
}

base::Result<void> Submitter::hostSignal(Semaphore& semaphore, uint64_t value) {
  std::lock_guard lock(m_mutex);
  if (value <= semaphore.promised()) return {};
  VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  info.semaphore = semaphore.vkSemaphore();
  info.value = value;
  VkResult result = m_device.fn().vkSignalSemaphore(m_device.vkDevice(), &info);
  if (result != VK_SUCCESS) return vulkanError("Signalling an event", result);
  semaphore.promise(value);
  pump();
  return {};
}

base::Result<void> Submitter::waitIdle() {
  std::lock_guard lock(m_mutex);
  for (VkQueue vkQueue : m_hardwareQueues) {
    VkResult result = m_device.fn().vkQueueWaitIdle(vkQueue);
    if (result == VK_ERROR_DEVICE_LOST) m_device.markLost();
    if (result != VK_SUCCESS) return vulkanError("Waiting for the GPU", result);
  }
  return {};
}

} // namespace basanite::vulkan
