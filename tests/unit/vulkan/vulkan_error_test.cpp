// SPDX-License-Identifier: Apache-2.0
// Sentences for VkResult.
#include "src/vulkan/vulkan_error.hpp"

#include <gtest/gtest.h>

namespace basanite::vulkan {
namespace {

TEST(VulkanError, IsASentenceWithTheRegistryName) {
  EXPECT_EQ(vulkanError("Creating the buffer \"mesh\" of 4096 bytes", VK_ERROR_OUT_OF_DEVICE_MEMORY).message,
            "Creating the buffer \"mesh\" of 4096 bytes failed: out of device memory "
            "(VK_ERROR_OUT_OF_DEVICE_MEMORY).");
  EXPECT_EQ(vulkanError("This", static_cast<VkResult>(-12345)).message, "This failed: VkResult -12345.");
  EXPECT_STREQ(resultName(VK_ERROR_DEVICE_LOST), "VK_ERROR_DEVICE_LOST");
}

} // namespace
} // namespace basanite::vulkan
