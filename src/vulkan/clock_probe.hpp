// SPDX-License-Identifier: Apache-2.0
// Reads the GPU's clock by a stamp in a submission of its own: for devices without calibrated timestamps.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/buffer.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace basanite::vulkan {

// One thread at a time.
class ClockProbe {
 public:
  // The stamp was written between the two host times (CLOCK_MONOTONIC).
  struct Reading {
    uint64_t hostBeforeNs = 0;
    uint64_t hostAfterNs = 0;
    uint64_t ticks = 0; // as the driver hands them out
  };

  static base::Result<std::unique_ptr<ClockProbe>> create(const base::Ref<Device>& device);
  // Waits until the last stamp has been written.
  ~ClockProbe();

  // Submits a stamp and waits for it. Nothing when the GPU has not come to it within `patienceNs`, or not to
  // the one of an earlier call yet. Error: device lost.
  base::Result<std::optional<Reading>> read(uint64_t patienceNs);

 private:
  explicit ClockProbe(base::Ref<Device> device) : m_device(std::move(device)) {}
  base::Result<void> open();
  base::Result<bool> reached(uint64_t timeoutNs);

  base::Ref<Device> m_device;
  base::Ref<Buffer> m_result; // the stamp, 8 bytes
  VkCommandPool m_vkCommandPool = VK_NULL_HANDLE;
  VkCommandBuffer m_vkCommandBuffer = VK_NULL_HANDLE; // recorded once, submitted again and again
  VkQueryPool m_vkQueryPool = VK_NULL_HANDLE;
  VkSemaphore m_vkTimeline = VK_NULL_HANDLE;
  uint64_t m_submitted = 0; // the timeline's value after the last submission
};

} // namespace basanite::vulkan
