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
constexpr VkStructureType VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR =
    static_cast<VkStructureType>(1000232001);
constexpr VkStructureType VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR =
    static_cast<VkStructureType>(1000232002);
struct VkRenderingAttachmentLocationInfoKHR {
  VkStructureType sType;
  const void* pNext;
  uint32_t colorAttachmentCount;
  const uint32_t* pColorAttachmentLocations;
};
struct VkRenderingInputAttachmentIndexInfoKHR {
  VkStructureType sType;
  const void* pNext;
  uint32_t colorAttachmentCount;
  const uint32_t* pColorAttachmentInputIndices;
  const uint32_t* pDepthInputAttachmentIndex;
  const uint32_t* pStencilInputAttachmentIndex;
};
typedef void(VKAPI_PTR* PFN_vkCmdSetRenderingAttachmentLocationsKHR)(
    VkCommandBuffer, const VkRenderingAttachmentLocationInfoKHR*);
typedef void(VKAPI_PTR* PFN_vkCmdSetRenderingInputAttachmentIndicesKHR)(
    VkCommandBuffer, const VkRenderingInputAttachmentIndexInfoKHR*);
#endif

#ifndef VK_KHR_calibrated_timestamps
#define VK_KHR_calibrated_timestamps 1
#define VK_KHR_CALIBRATED_TIMESTAMPS_EXTENSION_NAME "VK_KHR_calibrated_timestamps"
// Structures and function signatures are those of VK_EXT_calibrated_timestamps; only the functions' names end
// in KHR.
#endif
