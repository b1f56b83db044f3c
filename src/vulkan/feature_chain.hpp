// SPDX-License-Identifier: Apache-2.0
// The chain of Vulkan feature structures, used the same way to ask what a device has and to switch it on.
#pragma once

#include "src/vulkan/physical_device.hpp"

namespace basanite::vulkan {

struct FeatureChain {
  FeatureChain() = default;
  FeatureChain(const FeatureChain&) = delete; // the structures point at each other
  FeatureChain& operator=(const FeatureChain&) = delete;

  VkPhysicalDeviceFeatures2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan11Features v11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceVulkan13Features v13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR workgroupLayout{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR};
  VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR localRead{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR};
  VkPhysicalDeviceMeshShaderFeaturesEXT mesh{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT};
  VkPhysicalDeviceRobustness2FeaturesEXT robustness2{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomicFloat{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT};

  VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR barycentric{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR};
  VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT interlock{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT};
  VkPhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT orderedAccess{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_FEATURES_EXT};

  // Links the core structures and those of extensions that the device has. Returns core.
  VkPhysicalDeviceFeatures2* link(const PhysicalDevice& device);
};

// Calls visit(VkBool32& vulkan, const char* name) for every feature that a device must have.
template <class Visit> void visitRequired(FeatureChain& chain, Visit&& visit) {
  VkPhysicalDeviceFeatures& core = chain.core.features;
  visit(core.shaderInt64, "shaderInt64");
  visit(core.independentBlend, "independentBlend");
  visit(core.shaderStorageImageWriteWithoutFormat, "shaderStorageImageWriteWithoutFormat");
  visit(core.shaderSampledImageArrayDynamicIndexing, "shaderSampledImageArrayDynamicIndexing");
  visit(core.shaderStorageImageArrayDynamicIndexing, "shaderStorageImageArrayDynamicIndexing");
  visit(chain.v11.shaderDrawParameters, "shaderDrawParameters");
  visit(chain.v12.bufferDeviceAddress, "bufferDeviceAddress");
  visit(chain.v12.descriptorIndexing, "descriptorIndexing");
  visit(chain.v12.runtimeDescriptorArray, "runtimeDescriptorArray");
  visit(chain.v12.descriptorBindingPartiallyBound, "descriptorBindingPartiallyBound");
  visit(chain.v12.descriptorBindingSampledImageUpdateAfterBind,
        "descriptorBindingSampledImageUpdateAfterBind");
  visit(chain.v12.descriptorBindingStorageImageUpdateAfterBind,
        "descriptorBindingStorageImageUpdateAfterBind");
  visit(chain.v12.descriptorBindingUpdateUnusedWhilePending, "descriptorBindingUpdateUnusedWhilePending");
  visit(chain.v12.shaderSampledImageArrayNonUniformIndexing, "shaderSampledImageArrayNonUniformIndexing");
  visit(chain.v12.shaderStorageImageArrayNonUniformIndexing, "shaderStorageImageArrayNonUniformIndexing");
  visit(chain.v12.timelineSemaphore, "timelineSemaphore");
  visit(chain.v12.hostQueryReset, "hostQueryReset");
  visit(chain.v12.scalarBlockLayout, "scalarBlockLayout");
  visit(chain.v12.vulkanMemoryModel, "vulkanMemoryModel");
  visit(chain.v12.vulkanMemoryModelDeviceScope, "vulkanMemoryModelDeviceScope");
  visit(chain.v13.dynamicRendering, "dynamicRendering");
  visit(chain.v13.synchronization2, "synchronization2");
  visit(chain.v13.maintenance4, "maintenance4");
}

// Calls visit(VkBool32& vulkan, bool& ours) for every optional feature.
template <class Visit> void visitOptional(FeatureChain& chain, DeviceFeatures& ours, Visit&& visit) {
  VkPhysicalDeviceFeatures& core = chain.core.features;
  visit(chain.v12.shaderFloat16, ours.shaderFloat16);
  visit(chain.v12.shaderInt8, ours.shaderInt8);
  visit(core.shaderInt16, ours.shaderInt16);
  visit(core.shaderFloat64, ours.shaderFloat64);
  visit(chain.v12.storageBuffer8BitAccess, ours.storageBuffer8Bit);
  visit(chain.v11.storageBuffer16BitAccess, ours.storageBuffer16Bit);
  visit(chain.workgroupLayout.workgroupMemoryExplicitLayout, ours.workgroupExplicitLayout);
  visit(chain.workgroupLayout.workgroupMemoryExplicitLayout8BitAccess, ours.workgroupExplicitLayout8Bit);
  visit(chain.workgroupLayout.workgroupMemoryExplicitLayout16BitAccess, ours.workgroupExplicitLayout16Bit);
  visit(chain.workgroupLayout.workgroupMemoryExplicitLayoutScalarBlockLayout,
        ours.workgroupExplicitLayoutScalar);
  visit(chain.localRead.dynamicRenderingLocalRead, ours.dynamicRenderingLocalRead);
  visit(chain.mesh.meshShader, ours.meshShader);
  visit(chain.mesh.taskShader, ours.taskShader);
  visit(chain.robustness2.nullDescriptor, ours.nullDescriptor);
  visit(core.fillModeNonSolid, ours.fillModeNonSolid);
  visit(core.depthClamp, ours.depthClamp);
  visit(core.depthBounds, ours.depthBounds);
  visit(core.depthBiasClamp, ours.depthBiasClamp);
  visit(core.multiViewport, ours.multiViewport);
  visit(chain.v12.shaderOutputViewportIndex, ours.shaderOutputViewportIndex);
  visit(chain.v12.shaderOutputLayer, ours.shaderOutputLayer);
  visit(core.samplerAnisotropy, ours.samplerAnisotropy);
  visit(chain.v12.samplerMirrorClampToEdge, ours.samplerMirrorClampToEdge);
  visit(chain.v12.samplerFilterMinmax, ours.samplerFilterMinmax);
  visit(core.dualSrcBlend, ours.dualSrcBlend);
  visit(core.alphaToOne, ours.alphaToOne);
  visit(core.sampleRateShading, ours.sampleRateShading);
  visit(core.imageCubeArray, ours.imageCubeArray);
  visit(core.textureCompressionBC, ours.textureCompressionBC);
  visit(core.textureCompressionETC2, ours.textureCompressionETC2);
  visit(core.textureCompressionASTC_LDR, ours.textureCompressionASTC);
  visit(core.drawIndirectFirstInstance, ours.drawIndirectFirstInstance);
  visit(core.multiDrawIndirect, ours.multiDrawIndirect);
  visit(core.occlusionQueryPrecise, ours.occlusionQueryPrecise);
  visit(core.vertexPipelineStoresAndAtomics, ours.vertexPipelineStoresAndAtomics);
  visit(core.fragmentStoresAndAtomics, ours.fragmentStoresAndAtomics);
  visit(core.shaderStorageImageReadWithoutFormat, ours.shaderStorageImageReadWithoutFormat);
  visit(core.shaderResourceMinLod, ours.shaderResourceMinLod);
  visit(core.geometryShader, ours.geometryShader);
  visit(core.shaderClipDistance, ours.shaderClipDistance);
  visit(chain.v12.descriptorBindingUniformTexelBufferUpdateAfterBind, ours.uniformTexelBufferUpdateAfterBind);
  visit(chain.v12.descriptorBindingStorageTexelBufferUpdateAfterBind, ours.storageTexelBufferUpdateAfterBind);
  visit(chain.v12.shaderUniformTexelBufferArrayDynamicIndexing, ours.uniformTexelBufferDynamicIndexing);
  visit(chain.v12.shaderStorageTexelBufferArrayDynamicIndexing, ours.storageTexelBufferDynamicIndexing);
  visit(chain.v12.shaderUniformTexelBufferArrayNonUniformIndexing, ours.uniformTexelBufferNonUniformIndexing);
  visit(chain.v12.shaderStorageTexelBufferArrayNonUniformIndexing, ours.storageTexelBufferNonUniformIndexing);
  visit(chain.v13.shaderDemoteToHelperInvocation, ours.shaderDemoteToHelperInvocation);
  visit(chain.v12.shaderBufferInt64Atomics, ours.shaderBufferInt64Atomics);
  visit(chain.atomicFloat.shaderBufferFloat32AtomicAdd, ours.shaderBufferFloat32AtomicAdd);
  visit(chain.barycentric.fragmentShaderBarycentric, ours.fragmentBarycentric);
  visit(chain.v12.shaderSubgroupExtendedTypes, ours.shaderSubgroupExtendedTypes);
  visit(chain.v13.subgroupSizeControl, ours.subgroupSizeControl);
  visit(chain.v13.computeFullSubgroups, ours.computeFullSubgroups);
  visit(chain.v11.multiview, ours.multiview);
  visit(chain.interlock.fragmentShaderPixelInterlock, ours.fragmentPixelInterlock);
  visit(chain.orderedAccess.rasterizationOrderColorAttachmentAccess, ours.rasterizationOrderColorAccess);
}

// Names of the extensions behind the optional features that are on.
std::vector<const char*> extensionsFor(const PhysicalDevice& device);

} // namespace basanite::vulkan
