// SPDX-License-Identifier: Apache-2.0
// Links feature structures and lists the extensions they need.
#include "src/vulkan/feature_chain.hpp"

namespace basanite::vulkan {
namespace {

template <class Structure> void append(VkPhysicalDeviceFeatures2& head, Structure& structure) {
  structure.pNext = head.pNext;
  head.pNext = &structure;
}

} // namespace

VkPhysicalDeviceFeatures2* FeatureChain::link(const PhysicalDevice& device) {
  core.pNext = nullptr;
  append(core, v11);
  append(core, v12);
  append(core, v13);
  if (device.hasExtension(VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME))
    append(core, workgroupLayout);
  if (device.hasExtension(VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME)) append(core, localRead);
  if (device.hasExtension(VK_EXT_MESH_SHADER_EXTENSION_NAME)) append(core, mesh);
  if (device.hasExtension(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME)) append(core, robustness2);
  if (device.hasExtension(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME)) append(core, atomicFloat);
  if (device.hasExtension(VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME)) append(core, barycentric);
  if (device.hasExtension(VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME)) append(core, interlock);
  if (device.hasExtension(VK_EXT_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_EXTENSION_NAME))
    append(core, orderedAccess);
  return &core;
}

std::vector<const char*> extensionsFor(const PhysicalDevice& device) {
  const DeviceFeatures& features = device.features();
  std::vector<const char*> names;
  auto add = [&](const char* name) {
    if (device.hasExtension(name)) names.push_back(name);
  };
  add(VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME);
  add(VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME);
  add(VK_EXT_MESH_SHADER_EXTENSION_NAME);
  add(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME);
  add(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
  add(VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME);
  add(VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME);
  add(VK_EXT_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_EXTENSION_NAME);
  add(VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME);
  add(VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME);
  add(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
  if (features.calibratedTimestamps)
    names.push_back(features.calibratedTimestampsKhr ? VK_KHR_CALIBRATED_TIMESTAMPS_EXTENSION_NAME
                                                     : VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  return names;
}

} // namespace basanite::vulkan
