// SPDX-License-Identifier: Apache-2.0
// Which of several devices to run on, from what is known of each: apart from Vulkan, so that it can be tested without one.
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/vulkan_api.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace basanite::vulkan {

struct DeviceCandidate {
  std::string name;
  VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
  uint64_t deviceLocalBytes = 0;
  std::optional<std::string> missing; // the sentence why it will not do
};

// The index of the candidate that `wanted` names (an index, or part of a name in any case), else of the usable discrete GPU
// with most memory, else of an integrated, virtual or other one, else of a CPU device. Error: a sentence that lists what
// there is, or says what the wanted device, or every device, lacks.
base::Result<size_t> pickDevice(std::span<const DeviceCandidate> candidates, const std::optional<std::string>& wanted);

// "The device "..." lacks the Vulkan feature ...."
std::string missingFeatureSentence(const std::string& device, const char* feature);

} // namespace basanite::vulkan
