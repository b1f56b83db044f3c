// SPDX-License-Identifier: Apache-2.0
// A VkPhysicalDevice, what it can do, and the choice of one (BASANITE_DEVICE, else the best there is).
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/instance.hpp"
#include "src/vulkan/simulated_clock.hpp"
#include "src/vulkan/vulkan_api.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace basanite::vulkan {

// Optional features. True = supported, and switched on in every Device made from it. (Required ones are not
// listed.)
struct DeviceFeatures {
  bool shaderFloat16 = false;
  bool shaderInt8 = false;
  bool shaderInt16 = false;
  bool shaderFloat64 = false;
  bool storageBuffer8Bit = false;       // 8-bit loads and stores through buffer addresses
  bool storageBuffer16Bit = false;      // 16-bit likewise
  bool workgroupExplicitLayout = false; // VK_KHR_workgroup_memory_explicit_layout
  bool workgroupExplicitLayout8Bit = false;
  bool workgroupExplicitLayout16Bit = false;
  bool workgroupExplicitLayoutScalar = false;
  bool dynamicRenderingLocalRead = false; // VK_KHR_dynamic_rendering_local_read
  bool meshShader = false;                // VK_EXT_mesh_shader
  bool taskShader = false;
  bool calibratedTimestamps = false;    // VK_KHR_ or VK_EXT_calibrated_timestamps
  bool calibratedTimestampsKhr = false; // true: the KHR names, false: the EXT names
  bool nullDescriptor = false;          // VK_EXT_robustness2
  bool fillModeNonSolid = false;
  bool depthClamp = false;
  bool depthBounds = false;
  bool depthBiasClamp = false;
  bool multiViewport = false;
  bool shaderOutputViewportIndex = false;
  bool shaderOutputLayer = false;
  bool samplerAnisotropy = false;
  bool samplerMirrorClampToEdge = false;
  bool samplerFilterMinmax = false;
  bool dualSrcBlend = false;
  bool alphaToOne = false;
  bool sampleRateShading = false;
  bool imageCubeArray = false;
  bool textureCompressionBC = false;
  bool textureCompressionETC2 = false;
  bool textureCompressionASTC = false;
  bool drawIndirectFirstInstance = false;
  bool multiDrawIndirect = false;
  bool occlusionQueryPrecise = false;
  bool vertexPipelineStoresAndAtomics = false;
  bool fragmentStoresAndAtomics = false;
  bool shaderStorageImageReadWithoutFormat = false;
  bool shaderResourceMinLod = false;
  bool shaderDemoteToHelperInvocation = false;
  bool shaderBufferInt64Atomics = false;
  bool shaderBufferFloat32AtomicAdd = false; // VK_EXT_shader_atomic_float
  bool fragmentBarycentric = false;          // VK_KHR_fragment_shader_barycentric
  bool stencilExport = false;                // VK_EXT_shader_stencil_export
  bool sampleLocations = false;              // VK_EXT_sample_locations
  bool fragmentPixelInterlock = false;       // VK_EXT_fragment_shader_interlock
  // VK_EXT_rasterization_order_attachment_access: fragments of one pixel read and write attachments in turn.
  bool rasterizationOrderColorAccess = false;
  bool shaderSubgroupExtendedTypes = false; // group functions of 8-, 16- and 64-bit values
  bool subgroupSizeControl = false;
  bool computeFullSubgroups = false;
  bool multiview = false;
  bool geometryShader = false; // only for [[primitive_id]] in fragment functions
  bool shaderClipDistance = false;
  // Texture buffers in the bindless set need all of these.
  bool uniformTexelBufferUpdateAfterBind = false, storageTexelBufferUpdateAfterBind = false;
  bool uniformTexelBufferDynamicIndexing = false, storageTexelBufferDynamicIndexing = false;
  bool uniformTexelBufferNonUniformIndexing = false, storageTexelBufferNonUniformIndexing = false;

  bool bindlessTexelBuffers() const {
    return uniformTexelBufferUpdateAfterBind && storageTexelBufferUpdateAfterBind &&
           uniformTexelBufferDynamicIndexing && storageTexelBufferDynamicIndexing &&
           uniformTexelBufferNonUniformIndexing && storageTexelBufferNonUniformIndexing;
  }
};

// Limits that the front or the compiler asks for; the rest is in properties().
struct DeviceLimits {
  uint32_t subgroupSize = 0;    // the default size
  uint32_t minSubgroupSize = 0; // equal to subgroupSize where the size cannot be chosen
  uint32_t maxSubgroupSize = 0;
  bool subgroupSizeSelectableInCompute = false;
  uint32_t maxThreadsPerThreadgroup = 0;
  uint32_t maxThreadgroupWidth[3] = {};
  uint32_t maxThreadgroupMemoryBytes = 0;
  uint64_t maxBufferBytes = 0;
  double timestampPeriodNs = 1;    // nanoseconds per tick
  uint32_t timestampValidBits = 0; // of the universal family; 0 = no timestamps
  uint64_t deviceLocalBytes = 0;   // sum of the device-local heaps
  // What a program's own memory must be aligned to, to be used as a buffer; 0: it cannot be
  // (VK_EXT_external_memory_host).
  uint64_t hostPointerAlignment = 0;
  bool unifiedMemory = false;      // integrated or CPU: all memory is near
  VkResolveModeFlags depthResolveModes = 0, stencilResolveModes = 0;
  bool independentResolve = false;             // depth and stencil of one pass in different modes
  bool independentResolveNone = false;         // or only one of them
  VkSampleCountFlags sampleLocationCounts = 0; // sample counts whose positions may be set
};

class PhysicalDevice {
 public:
  // Reads features and limits. Never fails: see missingFeature().
  static PhysicalDevice query(VkPhysicalDevice vkPhysicalDevice);
  // Every device of the machine, usable or not, in the driver's order (for `basanite devices`).
  static base::Result<std::vector<PhysicalDevice>> all();
  // The device that BASANITE_DEVICE names (an index into all(), or part of the name in any case), else the
  // usable discrete GPU with most memory, else an integrated or virtual one, else a CPU device. Error: a
  // sentence that names the device and the missing feature, or what to install when there is none.
  static base::Result<PhysicalDevice> choose();

  VkPhysicalDevice vkPhysicalDevice() const { return m_vkPhysicalDevice; }
  const std::string& name() const { return m_name; }
  const std::string& driverName() const { return m_driverName; } // for example "llvmpipe", "NVIDIA"
  const std::string& driverInfo() const { return m_driverInfo; } // for example "Mesa 25.0.7"
  VkDriverId driverId() const { return m_driverId; }
  const VkPhysicalDeviceProperties& properties() const { return m_properties; }
  // Zero on a device without mesh shaders.
  const VkPhysicalDeviceMeshShaderPropertiesEXT& meshLimits() const { return m_meshLimits; }
  const VkPhysicalDeviceMemoryProperties& memory() const { return m_memory; }
  const DeviceFeatures& features() const { return m_features; }
  const DeviceLimits& limits() const { return m_limits; }
  bool isCpu() const { return m_properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }
  // Identifies the device across processes: 16 bytes of deviceUUID.
  const uint8_t* deviceUuid() const { return m_deviceUuid; }

  // The first requirement that is not met, as a sentence naming device and feature; nothing when the device
  // will do.
  const std::optional<std::string>& missingFeature() const { return m_missing; }

  // The queue family with graphics, compute and transfer, and how many VkQueues it has.
  uint32_t universalFamily() const { return m_universalFamily; }
  uint32_t universalQueueCount() const { return m_universalQueueCount; }

  bool hasExtension(const char* name) const;

  // Set when a test hook makes the timestamp counter act as another device's; the limits then are that
  // device's.
  const std::optional<SimulatedClock>& simulatedClock() const { return m_simulatedClock; }

 private:
  void simulateClock();

  VkPhysicalDevice m_vkPhysicalDevice = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties m_properties{};
  VkPhysicalDeviceMemoryProperties m_memory{};
  VkPhysicalDeviceMeshShaderPropertiesEXT m_meshLimits{};
  DeviceFeatures m_features;
  DeviceLimits m_limits;
  std::string m_name, m_driverName, m_driverInfo;
  VkDriverId m_driverId{};
  uint8_t m_deviceUuid[VK_UUID_SIZE] = {};
  std::vector<std::string> m_extensions; // sorted
  std::optional<std::string> m_missing;
  std::optional<SimulatedClock> m_simulatedClock;
  uint32_t m_universalFamily = 0;
  uint32_t m_universalQueueCount = 0;
};

} // namespace basanite::vulkan
