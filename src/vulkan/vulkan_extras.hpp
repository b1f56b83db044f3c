// SPDX-License-Identifier: Apache-2.0
// Vulkan declarations that are newer than the oldest headers we build with (1.3.239); values are from the
// registry.
#pragma once

#include <vulkan/vulkan_core.h>

#ifndef VK_KHR_dynamic_rendering_local_read
#define VK_KHR_dynamic_rendering_local_read 1
#define VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME "VK_KHR_dynamic_rendering_local_read"
constexpr VkStructureType VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR =
    static_cast<VkStructureType>(1000232000);
constexpr VkImageLayout VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ_KHR = static_cast<VkImageLayout>(1000232000);
struct VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR {
  VkStructureType sType;
  void* pNext;
  VkBool32 dynamicRenderingLocalRead;
};
#endif

#ifndef VK_KHR_calibrated_timestamps
#define VK_KHR_calibrated_timestamps 1
#define VK_KHR_CALIBRATED_TIMESTAMPS_EXTENSION_NAME "VK_KHR_calibrated_timestamps"
// Structures and function signatures are those of VK_EXT_calibrated_timestamps; only the functions' names end
// in KHR.
#endif
