// SPDX-License-Identifier: Apache-2.0
// Reads a device's features and limits and chooses the device to run on.
#include "src/vulkan/physical_device.hpp"

#include "src/base/env.hpp"
#include "src/vulkan/device_choice.hpp"
#include "src/vulkan/feature_chain.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace basanite::vulkan {

bool PhysicalDevice::hasExtension(const char* name) const {
  return std::binary_search(m_extensions.begin(), m_extensions.end(), std::string(name));
}

PhysicalDevice PhysicalDevice::query(VkPhysicalDevice vkPhysicalDevice) {
  PhysicalDevice device;
  device.m_vkPhysicalDevice = vkPhysicalDevice;
  vkGetPhysicalDeviceProperties(vkPhysicalDevice, &device.m_properties);
  vkGetPhysicalDeviceMemoryProperties(vkPhysicalDevice, &device.m_memory);
  device.m_name = device.m_properties.deviceName;

  uint32_t version = device.m_properties.apiVersion;
  if (version < VK_API_VERSION_1_3) {
    device.m_missing =
        fmt::format("The device \"{}\" supports Vulkan {}.{}, and 1.3 is needed.", device.m_name,
                    VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version));
    return device;
  }

  uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(vkPhysicalDevice, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateDeviceExtensionProperties(vkPhysicalDevice, nullptr, &count, extensions.data());
  for (uint32_t i = 0; i < count; ++i) device.m_extensions.emplace_back(extensions[i].extensionName);
  std::sort(device.m_extensions.begin(), device.m_extensions.end());

  FeatureChain chain;
  vkGetPhysicalDeviceFeatures2(vkPhysicalDevice, chain.link(device));
  visitRequired(chain, [&](VkBool32& supported, const char* name) {
    if (!supported && !device.m_missing) device.m_missing = missingFeatureSentence(device.m_name, name);
  });
  visitOptional(chain, device.m_features, [](VkBool32& supported, bool& ours) { ours = supported; });
  if (base::envFlag("BASANITE_TEST_NO_MESH_SHADERS"))
    device.m_features.meshShader = device.m_features.taskShader = false;
  device.m_features.stencilExport = device.hasExtension(VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME);
  device.m_features.sampleLocations = device.hasExtension(VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME);
  // The EXT name first: both are the same, and older layers know only that one.
  const bool ext = device.hasExtension(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  device.m_features.calibratedTimestampsKhr =
      !ext && device.hasExtension(VK_KHR_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  device.m_features.calibratedTimestamps =
      (ext || device.m_features.calibratedTimestampsKhr) && !calibratedTimestampsHidden();

  VkPhysicalDeviceVulkan13Properties properties13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES};
  VkPhysicalDeviceVulkan12Properties properties12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES,
                                                  &properties13};
  VkPhysicalDeviceVulkan11Properties properties11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES,
                                                  &properties12};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &properties11};
  if (device.m_features.meshShader) {
    device.m_meshLimits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT;
    properties13.pNext = &device.m_meshLimits;
  }
  VkPhysicalDeviceSampleLocationsPropertiesEXT locations{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLE_LOCATIONS_PROPERTIES_EXT};
  if (device.m_features.sampleLocations) {
    locations.pNext = properties.pNext;
    properties.pNext = &locations;
  }
  VkPhysicalDeviceExternalMemoryHostPropertiesEXT hostMemory{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT, properties.pNext};
  if (device.hasExtension(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME)) properties.pNext = &hostMemory;
  vkGetPhysicalDeviceProperties2(vkPhysicalDevice, &properties);
  device.m_limits.hostPointerAlignment = hostMemory.minImportedHostPointerAlignment;
  device.m_driverName = properties12.driverName;
  device.m_driverInfo = properties12.driverInfo;
  device.m_driverId = properties12.driverID;
  std::memcpy(device.m_deviceUuid, properties11.deviceUUID, VK_UUID_SIZE);

  uint32_t familyCount = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(vkPhysicalDevice, &familyCount, nullptr);
  std::vector<VkQueueFamilyProperties> families(familyCount);
  vkGetPhysicalDeviceQueueFamilyProperties(vkPhysicalDevice, &familyCount, families.data());
  constexpr VkQueueFlags kUniversal = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  uint32_t family = 0;
  while (family < familyCount && (families[family].queueFlags & kUniversal) != kUniversal) ++family;
  if (family == familyCount) {
    if (!device.m_missing)
      device.m_missing =
          fmt::format("The device \"{}\" has no queue that does both graphics and compute.", device.m_name);
    return device;
  }
  device.m_universalFamily = family;
  device.m_universalQueueCount = families[family].queueCount;

  const VkPhysicalDeviceLimits& vk = device.m_properties.limits;
  DeviceLimits& limits = device.m_limits;
  limits.subgroupSize = properties11.subgroupSize;
  limits.subgroupSizeSelectableInCompute =
      device.m_features.subgroupSizeControl &&
      (properties13.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT);
  limits.minSubgroupSize =
      limits.subgroupSizeSelectableInCompute ? properties13.minSubgroupSize : properties11.subgroupSize;
  limits.maxSubgroupSize =
      limits.subgroupSizeSelectableInCompute ? properties13.maxSubgroupSize : properties11.subgroupSize;
  limits.maxThreadsPerThreadgroup = vk.maxComputeWorkGroupInvocations;
  for (int i = 0; i < 3; ++i) limits.maxThreadgroupWidth[i] = vk.maxComputeWorkGroupSize[i];
  limits.maxThreadgroupMemoryBytes = vk.maxComputeSharedMemorySize;
  limits.maxBufferBytes = std::min(properties13.maxBufferSize, properties11.maxMemoryAllocationSize);
  limits.depthResolveModes = properties12.supportedDepthResolveModes;
  limits.stencilResolveModes = properties12.supportedStencilResolveModes;
  limits.independentResolve = properties12.independentResolve;
  limits.independentResolveNone = properties12.independentResolveNone;
  limits.sampleLocationCounts = locations.sampleLocationSampleCounts;
  limits.timestampPeriodNs = vk.timestampPeriod;
  limits.timestampValidBits = families[family].timestampValidBits;
  device.simulateClock();
  for (uint32_t i = 0; i < device.m_memory.memoryHeapCount; ++i)
    if (device.m_memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
      limits.deviceLocalBytes += device.m_memory.memoryHeaps[i].size;
  limits.unifiedMemory =
      device.m_properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU || device.isCpu();
  return device;
}

void PhysicalDevice::simulateClock() {
  auto simulated = SimulatedClock::fromEnvironment();
  if (!simulated.ok()) {
    if (!m_missing) m_missing = simulated.error().message;
    return;
  }
  // What the hook makes of a counter presumes that it counts 64-bit nanoseconds.
  if (!*simulated || m_limits.timestampPeriodNs != 1.0 || m_limits.timestampValidBits != 64) return;
  m_simulatedClock = **simulated;
  m_limits.timestampPeriodNs = m_simulatedClock->periodNs;
  m_limits.timestampValidBits = m_simulatedClock->validBits;
}

base::Result<std::vector<PhysicalDevice>> PhysicalDevice::all() {
  BASANITE_TRY(Instance * instance, Instance::get());
  BASANITE_TRY(auto vkDevices, instance->enumerate());
  std::vector<PhysicalDevice> devices;
  for (VkPhysicalDevice vkPhysicalDevice : vkDevices) devices.push_back(query(vkPhysicalDevice));
  return devices;
}

base::Result<PhysicalDevice> PhysicalDevice::choose() {
  BASANITE_TRY(auto devices, all());
  std::vector<DeviceCandidate> candidates;
  for (const PhysicalDevice& device : devices)
    candidates.push_back({device.name(), device.properties().deviceType, device.limits().deviceLocalBytes,
                          device.missingFeature()});
  BASANITE_TRY(size_t index, pickDevice(candidates, base::envText("BASANITE_DEVICE")));
  return devices[index];
}

} // namespace basanite::vulkan
