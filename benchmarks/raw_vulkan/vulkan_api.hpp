// SPDX-License-Identifier: Apache-2.0
// The Vulkan API as the twins use it: volk's global functions, loaded for the one device of the process.
#pragma once

#include <volk.h>

// Newer than the oldest headers we build with (1.3.239); values are from the registry.
#ifndef VK_KHR_dynamic_rendering_local_read
#define VK_KHR_dynamic_rendering_local_read 1
#define VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME "VK_KHR_dynamic_rendering_local_read"
constexpr VkStructureType VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR =
    static_cast<VkStructureType>(1000232000);
struct VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR {
  VkStructureType sType;
  void* pNext;
  VkBool32 dynamicRenderingLocalRead;
};
#endif

namespace basanite::benchmarks::twin {

// Ends the process with a sentence that names the call, unless it succeeded.
void check(VkResult result, const char* call);

} // namespace basanite::benchmarks::twin
