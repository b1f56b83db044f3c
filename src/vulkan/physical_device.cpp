// SPDX-License-Identifier: Apache-2.0
// Reads a device's features and limits and chooses the device to run on.
#include "src/vulkan/physical_device.hpp"

#include "src/base/env.hpp"
#include "src/vulkan/feature_chain.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fmt/format.h>

namespace basanite::vulkan {
namespace {

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

int rankOf(VkPhysicalDeviceType type) {
  switch (type) {
  case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
    return 4;
  case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
    return 3;
  case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
    return 2;
  case VK_PHYSICAL_DEVICE_TYPE_OTHER:
    return 1;
  default:
    return 0;
  }
}

std::string listOf(const std::vector<PhysicalDevice>& devices) {
  std::string text;
  for (size_t i = 0; i < devices.size(); ++i)
    text += fmt::format("{}{} \"{}\"", i ? ", " : "", i, devices[i].name());
  return text;
}

base::Result<PhysicalDevice> usable(const PhysicalDevice& device) {
  if (device.missingFeature()) return base::Error{*device.missingFeature()};
  return device;
}

} // namespace

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
    if (!supported && !device.m_missing)
      device.m_missing = fmt::format("The device \"{}\" lacks the Vulkan feature {}.", device.m_name, name);
  });
  visitOptional(chain, device.m_features, [](VkBool32& supported, bool& ours) { ours = supported; });
  // The EXT name first: both are the same, and older layers know only that one.
  const bool ext = device.hasExtension(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  device.m_features.calibratedTimestampsKhr =
      !ext && device.hasExtension(VK_KHR_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  device.m_features.calibratedTimestamps = ext || device.m_features.calibratedTimestampsKhr;

  VkPhysicalDeviceVulkan13Properties properties13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES};
  VkPhysicalDeviceVulkan12Properties properties12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES,
                                                  &properties13};
  VkPhysicalDeviceVulkan11Properties properties11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES,
                                                  &properties12};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &properties11};
  vkGetPhysicalDeviceProperties2(vkPhysicalDevice, &properties);
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
  limits.timestampPeriodNs = vk.timestampPeriod;
  limits.timestampValidBits = families[family].timestampValidBits;
  for (uint32_t i = 0; i < device.m_memory.memoryHeapCount; ++i)
    if (device.m_memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
      limits.deviceLocalBytes += device.m_memory.memoryHeaps[i].size;
  limits.unifiedMemory =
      device.m_properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU || device.isCpu();
  return device;
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

  if (auto wanted = base::envText("BASANITE_DEVICE")) {
    bool isIndex =
        std::all_of(wanted->begin(), wanted->end(), [](unsigned char c) { return std::isdigit(c); });
    if (isIndex && wanted->size() < 6) {
      size_t index = std::stoul(*wanted);
      if (index < devices.size()) return usable(devices[index]);
    } else {
      for (const PhysicalDevice& device : devices)
        if (lowerCase(device.name()).find(lowerCase(*wanted)) != std::string::npos) return usable(device);
    }
    return base::Error{
        fmt::format("BASANITE_DEVICE={} matches no Vulkan device; there are: {}.", *wanted, listOf(devices))};
  }

  const PhysicalDevice* best = nullptr;
  auto better = [](const PhysicalDevice& a, const PhysicalDevice& b) {
    int rankA = rankOf(a.properties().deviceType), rankB = rankOf(b.properties().deviceType);
    if (rankA != rankB) return rankA > rankB;
    return a.limits().deviceLocalBytes > b.limits().deviceLocalBytes;
  };
  for (const PhysicalDevice& device : devices)
    if (!device.missingFeature() && (!best || better(device, *best))) best = &device;
  if (best) return *best;

  std::string reasons;
  for (const PhysicalDevice& device : devices) reasons += " " + *device.missingFeature();
  return base::Error{"No Vulkan device of this machine can run Metal 4 programs." + reasons +
                     " Install a newer driver; mesa-vulkan-drivers 25 has lavapipe, which runs on the CPU."};
}

} // namespace basanite::vulkan
