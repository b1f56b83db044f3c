// SPDX-License-Identifier: Apache-2.0
// Opens a VkDevice with everything it supports, and closes it in order.
#include "src/vulkan/device.hpp"

#include "src/vulkan/address_map.hpp"
#include "src/vulkan/deferred_delete.hpp"
#include "src/vulkan/descriptor_heap.hpp"
#include "src/vulkan/feature_chain.hpp"
#include "src/vulkan/format_table.hpp"
#include "src/vulkan/host_transfer.hpp"
#include "src/vulkan/pipeline_cache.hpp"
#include "src/vulkan/submitter.hpp"
#include "src/vulkan/vma.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace basanite::vulkan {
namespace {

// More Metal queues than this share VkQueues.
constexpr uint32_t kMaxHardwareQueues = 4;

} // namespace

Device::Device(const PhysicalDevice& physicalDevice) : m_physical(physicalDevice) {}

base::Result<base::Ref<Device>> Device::create(const PhysicalDevice& physicalDevice) {
  if (physicalDevice.missingFeature()) return base::Error{*physicalDevice.missingFeature()};
  auto device = base::Ref<Device>::adopt(new Device(physicalDevice));
  BASANITE_TRY_VOID(device->open());
  return device;
}

base::Result<void> Device::open() {
  BASANITE_TRY(Instance * instance, Instance::get());
  m_debugUtils = instance->debugUtils();

  FeatureChain chain;
  chain.link(m_physical);
  visitRequired(chain, [](VkBool32& feature, const char*) { feature = VK_TRUE; });
  DeviceFeatures features = m_physical.features();
  visitOptional(chain, features, [](VkBool32& feature, bool& supported) { feature = supported; });

  uint32_t queueCount = std::min(m_physical.universalQueueCount(), kMaxHardwareQueues);
  std::vector<float> priorities(queueCount, 1.0f);
  VkDeviceQueueCreateInfo queueInfo{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queueInfo.queueFamilyIndex = m_physical.universalFamily();
  queueInfo.queueCount = queueCount;
  queueInfo.pQueuePriorities = priorities.data();

  std::vector<const char*> extensions = extensionsFor(m_physical);
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &chain.core};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queueInfo;
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  VkResult result = vkCreateDevice(m_physical.vkPhysicalDevice(), &info, nullptr, &m_vkDevice);
  if (result != VK_SUCCESS)
    return vulkanError(fmt::format("Opening the device \"{}\"", m_physical.name()), result);
  volkLoadDeviceTable(&m_fn, m_vkDevice);
  if (features.dynamicRenderingLocalRead) {
    auto load = [&](const char* name) { return vkGetDeviceProcAddr(m_vkDevice, name); };
    m_localRead.setLocations = reinterpret_cast<PFN_vkCmdSetRenderingAttachmentLocationsKHR>(
        load("vkCmdSetRenderingAttachmentLocationsKHR"));
    m_localRead.setInputIndices = reinterpret_cast<PFN_vkCmdSetRenderingInputAttachmentIndicesKHR>(
        load("vkCmdSetRenderingInputAttachmentIndicesKHR"));
  }

  VmaVulkanFunctions functions{};
  functions.vkGetInstanceProcAddr = vkGetInstanceProcAddr;
  functions.vkGetDeviceProcAddr = vkGetDeviceProcAddr;
  VmaAllocatorCreateInfo allocatorInfo{};
  allocatorInfo.flags = VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT;
  allocatorInfo.physicalDevice = m_physical.vkPhysicalDevice();
  allocatorInfo.device = m_vkDevice;
  allocatorInfo.instance = instance->vkInstance();
  allocatorInfo.vulkanApiVersion = VK_API_VERSION_1_3;
  allocatorInfo.pVulkanFunctions = &functions;
  result = vmaCreateAllocator(&allocatorInfo, &m_allocator);
  if (result != VK_SUCCESS) return vulkanError("Creating the memory allocator", result);

  m_addressMap = std::make_unique<AddressMap>();
  m_deferredDelete = std::make_unique<DeferredDelete>();
  m_formats = std::make_unique<FormatTable>(m_physical.vkPhysicalDevice());
  BASANITE_TRY(m_submitter, Submitter::create(*this, queueCount));
  BASANITE_TRY(m_hostTransfer, HostTransfer::create(*this));
  BASANITE_TRY(m_descriptorHeap, DescriptorHeap::create(*this));
  BASANITE_TRY(m_pipelineCache, PipelineCache::create(*this));
  setName(VK_OBJECT_TYPE_DEVICE, m_vkDevice, m_physical.name());
  return {};
}

Device::~Device() {
  if (!m_vkDevice) return;
  m_fn.vkDeviceWaitIdle(m_vkDevice);
  m_hostTransfer.reset();
  if (m_deferredDelete) m_deferredDelete->collect(UINT64_MAX);
  m_pipelineCache.reset();
  m_descriptorHeap.reset();
  m_submitter.reset();
  if (m_allocator) vmaDestroyAllocator(m_allocator);
  m_fn.vkDestroyDevice(m_vkDevice, nullptr);
}

void Device::setNameRaw(VkObjectType type, uint64_t handle, std::string_view name) const {
  if (!m_debugUtils || name.empty() || !handle) return;
  std::string text(name);
  VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
  info.objectType = type;
  info.objectHandle = handle;
  info.pObjectName = text.c_str();
  vkSetDebugUtilsObjectNameEXT(m_vkDevice, &info);
}

void Device::retire(std::function<void()> deleter) {
  // The serial is read before the completed one: a submission in between must count as in flight.
  uint64_t lastSerial = m_submitter->lastSerial();
  m_deferredDelete->push(lastSerial, m_submitter->completedThrough(), std::move(deleter));
}

void Device::retireAfterNextSubmission(std::function<void()> deleter) {
  m_deferredDelete->push(m_submitter->lastSerial() + 1, m_submitter->completedThrough(), std::move(deleter));
}

base::Result<void> Device::waitIdle() {
  BASANITE_TRY_VOID(m_submitter->waitIdle());
  m_deferredDelete->collect(m_submitter->completedThrough());
  return {};
}

uint64_t Device::allocatedBytes() const {
  VmaBudget budgets[VK_MAX_MEMORY_HEAPS];
  vmaGetHeapBudgets(m_allocator, budgets);
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < m_physical.memory().memoryHeapCount; ++i)
    bytes += budgets[i].statistics.allocationBytes;
  return bytes;
}

} // namespace basanite::vulkan
