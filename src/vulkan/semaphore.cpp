// SPDX-License-Identifier: Apache-2.0
// Timeline semaphores: creation, host signal, host wait.
#include "src/vulkan/semaphore.hpp"

#include "src/vulkan/instance.hpp"
#include "src/vulkan/submitter.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace basanite::vulkan {

namespace {

// The validation layer (1.3.239, synchronization checks on) blocks for ten seconds when one thread comes back
// from a wait while another is still inside the host signal that ended it. Under validation the two are kept
// apart.
class LayerGuard {
 public:
  LayerGuard() {
    auto instance = Instance::get();
    if (instance.ok() && (*instance)->validation()) m_lock = std::unique_lock(s_mutex);
  }
  bool validating() const { return m_lock.owns_lock(); }

 private:
  static inline std::mutex s_mutex;
  std::unique_lock<std::mutex> m_lock;
};

} // namespace

base::Result<base::Ref<Semaphore>> Semaphore::create(const base::Ref<Device>& device, uint64_t initialValue,
                                                     std::string_view label) {
  auto semaphore = base::Ref<Semaphore>::adopt(new Semaphore(device));
  VkSemaphoreTypeCreateInfo typeInfo{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  typeInfo.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  typeInfo.initialValue = initialValue;
  VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &typeInfo};
  VkResult result =
      device->fn().vkCreateSemaphore(device->vkDevice(), &info, nullptr, &semaphore->m_vkSemaphore);
  if (result != VK_SUCCESS) return vulkanError(fmt::format("Creating the event \"{}\"", label), result);
  semaphore->m_promised = initialValue;
  device->setName(VK_OBJECT_TYPE_SEMAPHORE, semaphore->m_vkSemaphore, label);
  return semaphore;
}

Semaphore::~Semaphore() {
  if (!m_vkSemaphore) return;
  m_device->retireAfterNextSubmission([device = m_device.get(), vkSemaphore = m_vkSemaphore] {
    device->fn().vkDestroySemaphore(device->vkDevice(), vkSemaphore, nullptr);
  });
}

uint64_t Semaphore::value() const {
  LayerGuard guard;
  uint64_t value = 0;
  m_device->fn().vkGetSemaphoreCounterValue(m_device->vkDevice(), m_vkSemaphore, &value);
  m_hostSignals.load(std::memory_order_acquire);
  return value;
}

base::Result<void> Semaphore::signal(uint64_t value) {
  LayerGuard guard;
  m_hostSignals.fetch_add(1, std::memory_order_release);
  return m_device->submitter().hostSignal(*this, value);
}

base::Result<bool> Semaphore::wait(uint64_t value, uint64_t timeoutNs) const {
  return waitAny({{this, value}}, timeoutNs);
}

base::Result<bool> Semaphore::waitAny(const std::vector<SemaphoreValue>& points, uint64_t timeoutNs) {
  Device* device = points.front().semaphore->m_device.get();
  std::vector<VkSemaphore> vkSemaphores;
  std::vector<uint64_t> values;
  for (const SemaphoreValue& point : points) {
    vkSemaphores.push_back(point.semaphore->m_vkSemaphore);
    values.push_back(point.value);
  }
  // In slices, so that a device lost meanwhile ends the wait.
  constexpr uint64_t kSliceNs = 100'000'000;
  constexpr std::chrono::microseconds kPollInterval(200);
  VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.flags = points.size() > 1 ? VK_SEMAPHORE_WAIT_ANY_BIT : 0;
  info.semaphoreCount = static_cast<uint32_t>(points.size());
  info.pSemaphores = vkSemaphores.data();
  info.pValues = values.data();
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  while (true) {
    uint64_t passedNs = timeoutNs == 0 ? 0 : (Clock::now() - start).count();
    uint64_t leftNs = timeoutNs > passedNs ? timeoutNs - passedNs : 0;
    VkResult result = VK_TIMEOUT;
    bool polling = false;
    {
      LayerGuard guard;
      polling = guard.validating();
      if (polling) result = device->fn().vkWaitSemaphores(device->vkDevice(), &info, 0);
    }
    if (!polling)
      result = device->fn().vkWaitSemaphores(device->vkDevice(), &info, std::min(leftNs, kSliceNs));
    if (result == VK_SUCCESS) {
      for (const SemaphoreValue& point : points)
        point.semaphore->m_hostSignals.load(std::memory_order_acquire);
      return true;
    }
    if (result == VK_ERROR_DEVICE_LOST) device->markLost();
    if (result != VK_TIMEOUT) return vulkanError("Waiting for an event", result);
    if (device->lost()) return vulkanError("Waiting for an event", VK_ERROR_DEVICE_LOST);
    if (leftNs <= (polling ? 0 : kSliceNs)) return false;
    if (polling) std::this_thread::sleep_for(kPollInterval);
  }
}

} // namespace basanite::vulkan
