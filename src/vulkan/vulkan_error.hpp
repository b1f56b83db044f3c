// SPDX-License-Identifier: Apache-2.0
// VkResult to sentence.
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/vulkan_api.hpp"

#include <string_view>

namespace basanite::vulkan {

// The result's registry name, for example "VK_ERROR_OUT_OF_DEVICE_MEMORY".
const char* resultName(VkResult result);

// "<what> failed: <plain words> (<registry name>)." `what` says the action and its object, for example
// "Creating the buffer \"mesh\" of 4096 bytes".
base::Error vulkanError(std::string_view what, VkResult result);

} // namespace basanite::vulkan
