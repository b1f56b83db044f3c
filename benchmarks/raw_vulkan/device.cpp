// SPDX-License-Identifier: Apache-2.0
// Instance, device, memory and descriptors; pipelines are in pipeline.cpp.
#include "benchmarks/raw_vulkan/device.hpp"

#include "benchmarks/harness/options.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace basanite::benchmarks::twin {

namespace {

constexpr uint32_t kImages = 16;
constexpr uint64_t kForever = ~uint64_t(0);

std::vector<VkExtensionProperties> extensionsOf(VkPhysicalDevice vkPhysicalDevice) {
  uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(vkPhysicalDevice, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateDeviceExtensionProperties(vkPhysicalDevice, nullptr, &count, extensions.data());
  return extensions;
}

} // namespace

void check(VkResult result, const char* call) {
  if (result != VK_SUCCESS) fail(fmt::format("the twin's {} returned {}.", call, static_cast<int>(result)));
}

Device::Device(const std::string& name) {
  check(volkInitialize(), "volkInitialize");
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  check(vkCreateInstance(&info, nullptr, &m_vkInstance), "vkCreateInstance");
  volkLoadInstanceOnly(m_vkInstance);
  pickPhysicalDevice(name);
  makeDevice();
  makeLayout();
}

Device::~Device() {
  vkDeviceWaitIdle(m_vkDevice);
  for (auto destroy = m_destroy.rbegin(); destroy != m_destroy.rend(); ++destroy) (*destroy)();
  vkDestroyDevice(m_vkDevice, nullptr);
  vkDestroyInstance(m_vkInstance, nullptr);
}

void Device::pickPhysicalDevice(const std::string& name) {
  uint32_t count = 0;
  check(vkEnumeratePhysicalDevices(m_vkInstance, &count, nullptr), "vkEnumeratePhysicalDevices");
  std::vector<VkPhysicalDevice> devices(count);
  check(vkEnumeratePhysicalDevices(m_vkInstance, &count, devices.data()), "vkEnumeratePhysicalDevices");
  for (VkPhysicalDevice candidate : devices) {
    VkPhysicalDeviceVulkan12Properties properties12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &properties12};
    vkGetPhysicalDeviceProperties2(candidate, &properties);
    if (name != properties.properties.deviceName) continue;
    m_vkPhysicalDevice = candidate;
    m_driver = properties12.driverID;
    m_timestampPeriodNs = properties.properties.limits.timestampPeriod;
    break;
  }
  if (!m_vkPhysicalDevice) fail(fmt::format("the twin finds no Vulkan device named '{}'.", name));
  vkGetPhysicalDeviceMemoryProperties(m_vkPhysicalDevice, &m_memory);

  vkGetPhysicalDeviceQueueFamilyProperties(m_vkPhysicalDevice, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(m_vkPhysicalDevice, &count, families.data());
  constexpr VkQueueFlags kWanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  auto family = std::find_if(families.begin(), families.end(), [](const VkQueueFamilyProperties& f) {
    return (f.queueFlags & kWanted) == kWanted;
  });
  if (family == families.end())
    fail(fmt::format("the device '{}' has no queue for graphics and compute.", name));
  if (!family->timestampValidBits) fail(fmt::format("the queue of '{}' has no timestamps.", name));
  m_queueFamily = static_cast<uint32_t>(family - families.begin());
}

void Device::makeDevice() {
  std::vector<const char*> extensions;
  for (const VkExtensionProperties& extension : extensionsOf(m_vkPhysicalDevice))
    if (!std::strcmp(extension.extensionName, VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME))
      extensions.push_back(VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME);
  m_localRead = !extensions.empty();

  VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR localRead{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR, nullptr, VK_TRUE};
  VkPhysicalDeviceVulkan13Features features13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  features13.pNext = m_localRead ? &localRead : nullptr;
  features13.dynamicRendering = VK_TRUE;
  features13.synchronization2 = VK_TRUE;
  features13.maintenance4 = VK_TRUE;
  VkPhysicalDeviceVulkan12Features features12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                              &features13};
  features12.bufferDeviceAddress = VK_TRUE;
  features12.descriptorIndexing = VK_TRUE;
  features12.runtimeDescriptorArray = VK_TRUE;
  features12.descriptorBindingPartiallyBound = VK_TRUE;
  features12.descriptorBindingSampledImageUpdateAfterBind = VK_TRUE;
  features12.descriptorBindingStorageImageUpdateAfterBind = VK_TRUE;
  features12.hostQueryReset = VK_TRUE;
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features12};
  features.features.shaderInt64 = VK_TRUE;

  const float priority = 1;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = m_queueFamily;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  check(vkCreateDevice(m_vkPhysicalDevice, &info, nullptr, &m_vkDevice), "vkCreateDevice");
  // Straight to the driver, past the loader: that is the limit to measure against.
  volkLoadDevice(m_vkDevice);
  vkGetDeviceQueue(m_vkDevice, m_queueFamily, 0, &m_vkQueue);

  VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  check(vkCreateFence(m_vkDevice, &fence, nullptr, &m_vkFence), "vkCreateFence");
  m_destroy.push_back([this] { vkDestroyFence(m_vkDevice, m_vkFence, nullptr); });
  m_vkPool = makeCommandPool();
}

void Device::makeLayout() {
  VkSamplerCreateInfo samplerInfo{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  samplerInfo.magFilter = VK_FILTER_LINEAR;
  samplerInfo.minFilter = VK_FILTER_LINEAR;
  samplerInfo.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  samplerInfo.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  samplerInfo.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  samplerInfo.compareEnable = VK_TRUE;
  samplerInfo.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  VkSampler vkSampler = VK_NULL_HANDLE;
  check(vkCreateSampler(m_vkDevice, &samplerInfo, nullptr, &vkSampler), "vkCreateSampler");

  const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, kImages, VK_SHADER_STAGE_ALL, nullptr},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, kImages, VK_SHADER_STAGE_ALL, nullptr},
      {2, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL, &vkSampler},
  };
  constexpr VkDescriptorBindingFlags kBindless =
      VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT | VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
  const VkDescriptorBindingFlags flags[] = {kBindless, kBindless, 0};
  VkDescriptorSetLayoutBindingFlagsCreateInfo flagsInfo{
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 3, flags};
  VkDescriptorSetLayoutCreateInfo setInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &flagsInfo};
  setInfo.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
  setInfo.bindingCount = 3;
  setInfo.pBindings = bindings;
  VkDescriptorSetLayout vkSetLayout = VK_NULL_HANDLE;
  check(vkCreateDescriptorSetLayout(m_vkDevice, &setInfo, nullptr, &vkSetLayout),
        "vkCreateDescriptorSetLayout");

  const VkPushConstantRange range{kPushConstantStages, 0, kPushConstantBytes};
  VkPipelineLayoutCreateInfo layoutInfo{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layoutInfo.setLayoutCount = 1;
  layoutInfo.pSetLayouts = &vkSetLayout;
  layoutInfo.pushConstantRangeCount = 1;
  layoutInfo.pPushConstantRanges = &range;
  check(vkCreatePipelineLayout(m_vkDevice, &layoutInfo, nullptr, &m_vkLayout), "vkCreatePipelineLayout");

  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, kImages},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, kImages},
                                        {VK_DESCRIPTOR_TYPE_SAMPLER, 1}};
  VkDescriptorPoolCreateInfo poolInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  poolInfo.flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT;
  poolInfo.maxSets = 1;
  poolInfo.poolSizeCount = 3;
  poolInfo.pPoolSizes = sizes;
  VkDescriptorPool vkDescriptorPool = VK_NULL_HANDLE;
  check(vkCreateDescriptorPool(m_vkDevice, &poolInfo, nullptr, &vkDescriptorPool), "vkCreateDescriptorPool");
  VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  allocate.descriptorPool = vkDescriptorPool;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &vkSetLayout;
  check(vkAllocateDescriptorSets(m_vkDevice, &allocate, &m_vkSet), "vkAllocateDescriptorSets");
  m_destroy.push_back([this, vkSampler, vkSetLayout, vkDescriptorPool] {
    vkDestroyDescriptorPool(m_vkDevice, vkDescriptorPool, nullptr);
    vkDestroyPipelineLayout(m_vkDevice, m_vkLayout, nullptr);
    vkDestroyDescriptorSetLayout(m_vkDevice, vkSetLayout, nullptr);
    vkDestroySampler(m_vkDevice, vkSampler, nullptr);
  });
}

VkDeviceMemory Device::allocate(const VkMemoryRequirements& requirements, VkMemoryPropertyFlags wanted,
                                bool addressed) {
  // Device-local memory first, also for what the host maps: a GPU reads it fastest.
  for (VkMemoryPropertyFlags flags : {wanted | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, wanted}) {
    uint32_t type = 0;
    while (type < m_memory.memoryTypeCount && (!(requirements.memoryTypeBits >> type & 1) ||
                                               (m_memory.memoryTypes[type].propertyFlags & flags) != flags))
      ++type;
    if (type == m_memory.memoryTypeCount) continue;
    VkMemoryAllocateFlagsInfo address{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, nullptr,
                                      VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, 0};
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, addressed ? &address : nullptr};
    info.allocationSize = requirements.size;
    info.memoryTypeIndex = type;
    VkDeviceMemory vkMemory = VK_NULL_HANDLE;
    check(vkAllocateMemory(m_vkDevice, &info, nullptr, &vkMemory), "vkAllocateMemory");
    m_destroy.push_back([this, vkMemory] { vkFreeMemory(m_vkDevice, vkMemory, nullptr); });
    return vkMemory;
  }
  fail(fmt::format("the twin's device has no memory type with the properties {:#x}.", wanted));
}

Buffer Device::makeBuffer(VkDeviceSize lengthBytes) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = lengthBytes;
  info.usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
               VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  Buffer buffer;
  buffer.lengthBytes = lengthBytes;
  check(vkCreateBuffer(m_vkDevice, &info, nullptr, &buffer.vkBuffer), "vkCreateBuffer");
  VkMemoryRequirements requirements;
  vkGetBufferMemoryRequirements(m_vkDevice, buffer.vkBuffer, &requirements);
  VkDeviceMemory vkMemory = allocate(
      requirements, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, true);
  check(vkBindBufferMemory(m_vkDevice, buffer.vkBuffer, vkMemory, 0), "vkBindBufferMemory");
  check(vkMapMemory(m_vkDevice, vkMemory, 0, VK_WHOLE_SIZE, 0, &buffer.contents), "vkMapMemory");
  VkBufferDeviceAddressInfo address{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer.vkBuffer};
  buffer.address = vkGetBufferDeviceAddress(m_vkDevice, &address);
  m_destroy.push_back([this, buffer] { vkDestroyBuffer(m_vkDevice, buffer.vkBuffer, nullptr); });
  return buffer;
}

Image Device::makeImage(VkExtent2D extent, VkFormat format, VkImageUsageFlags usage) {
  const bool depth = format == VK_FORMAT_D32_SFLOAT;
  const VkImageAspectFlags aspect = depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {extent.width, extent.height, 1};
  info.mipLevels = 1;
  info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  Image image;
  image.format = format;
  image.extent = extent;
  check(vkCreateImage(m_vkDevice, &info, nullptr, &image.vkImage), "vkCreateImage");
  VkMemoryRequirements requirements;
  vkGetImageMemoryRequirements(m_vkDevice, image.vkImage, &requirements);
  VkDeviceMemory vkMemory = allocate(requirements, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, false);
  check(vkBindImageMemory(m_vkDevice, image.vkImage, vkMemory, 0), "vkBindImageMemory");

  VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view.image = image.vkImage;
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = format;
  view.subresourceRange = {aspect, 0, 1, 0, 1};
  check(vkCreateImageView(m_vkDevice, &view, nullptr, &image.vkView), "vkCreateImageView");
  m_destroy.push_back([this, image] {
    vkDestroyImageView(m_vkDevice, image.vkView, nullptr);
    vkDestroyImage(m_vkDevice, image.vkImage, nullptr);
  });

  runOnce([&](VkCommandBuffer vkCommands) {
    VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.image = image.vkImage;
    barrier.subresourceRange = {aspect, 0, 1, 0, 1};
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.imageMemoryBarrierCount = 1;
    dependency.pImageMemoryBarriers = &barrier;
    vkCmdPipelineBarrier2(vkCommands, &dependency);
  });
  return image;
}

VkCommandPool Device::makeCommandPool() {
  VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  info.queueFamilyIndex = m_queueFamily;
  VkCommandPool vkPool = VK_NULL_HANDLE;
  check(vkCreateCommandPool(m_vkDevice, &info, nullptr, &vkPool), "vkCreateCommandPool");
  m_destroy.push_back([this, vkPool] { vkDestroyCommandPool(m_vkDevice, vkPool, nullptr); });
  return vkPool;
}

VkQueryPool Device::makeTimestamps(uint32_t count) {
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = count;
  VkQueryPool vkQueries = VK_NULL_HANDLE;
  check(vkCreateQueryPool(m_vkDevice, &info, nullptr, &vkQueries), "vkCreateQueryPool");
  vkResetQueryPool(m_vkDevice, vkQueries, 0, count);
  m_destroy.push_back([this, vkQueries] { vkDestroyQueryPool(m_vkDevice, vkQueries, nullptr); });
  return vkQueries;
}

void Device::setSampled(uint32_t index, const Image& image) {
  setImage(0, index, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, image);
}

void Device::setStorage(uint32_t index, const Image& image) {
  setImage(1, index, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, image);
}

void Device::setImage(uint32_t binding, uint32_t index, VkDescriptorType type, const Image& image) {
  const VkDescriptorImageInfo info{VK_NULL_HANDLE, image.vkView, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = m_vkSet;
  write.dstBinding = binding;
  write.dstArrayElement = index;
  write.descriptorCount = 1;
  write.descriptorType = type;
  write.pImageInfo = &info;
  vkUpdateDescriptorSets(m_vkDevice, 1, &write, 0, nullptr);
}

void Device::run(VkCommandBuffer vkCommands) {
  VkCommandBufferSubmitInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, nullptr, vkCommands, 0};
  VkSubmitInfo2 submit{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  submit.commandBufferInfoCount = 1;
  submit.pCommandBufferInfos = &commands;
  check(vkQueueSubmit2(m_vkQueue, 1, &submit, m_vkFence), "vkQueueSubmit2");
  check(vkWaitForFences(m_vkDevice, 1, &m_vkFence, VK_TRUE, kForever), "vkWaitForFences");
  check(vkResetFences(m_vkDevice, 1, &m_vkFence), "vkResetFences");
}

void Device::runOnce(const std::function<void(VkCommandBuffer)>& record) {
  VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = m_vkPool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  VkCommandBuffer vkCommands = VK_NULL_HANDLE;
  check(vkAllocateCommandBuffers(m_vkDevice, &allocate, &vkCommands), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  check(vkBeginCommandBuffer(vkCommands, &begin), "vkBeginCommandBuffer");
  record(vkCommands);
  check(vkEndCommandBuffer(vkCommands), "vkEndCommandBuffer");
  run(vkCommands);
  vkFreeCommandBuffers(m_vkDevice, m_vkPool, 1, &vkCommands);
}

std::vector<uint8_t> Device::readBack(const Image& image, uint32_t bytesPerTexel) {
  const size_t lengthBytes = size_t(image.extent.width) * image.extent.height * bytesPerTexel;
  const Buffer buffer = makeBuffer(lengthBytes);
  runOnce([&](VkCommandBuffer vkCommands) {
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {image.extent.width, image.extent.height, 1};
    vkCmdCopyImageToBuffer(vkCommands, image.vkImage, VK_IMAGE_LAYOUT_GENERAL, buffer.vkBuffer, 1, &region);
  });
  const auto* bytes = static_cast<const uint8_t*>(buffer.contents);
  return {bytes, bytes + lengthBytes};
}

} // namespace basanite::benchmarks::twin
