// SPDX-License-Identifier: Apache-2.0
// The twins' device: what a hand-written Vulkan 1.3 program would make, and nothing in between.
//
// Everything made by a Device belongs to it and lives as long as it. One thread. Failures end the process
// with a sentence.
#pragma once

#include "benchmarks/raw_vulkan/vulkan_api.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace basanite::benchmarks::twin {

struct Buffer {
  VkBuffer vkBuffer = VK_NULL_HANDLE;
  VkDeviceAddress address = 0;
  void* contents = nullptr; // mapped for as long as the device lives
  VkDeviceSize lengthBytes = 0;
};

struct Image {
  VkImage vkImage = VK_NULL_HANDLE;
  VkImageView vkView = VK_NULL_HANDLE;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkExtent2D extent{};
};

struct GraphicsRecipe {
  std::span<const uint32_t> vertex;
  std::span<const uint32_t> fragment; // empty: none
  VkFormat color = VK_FORMAT_UNDEFINED;
  VkFormat depth = VK_FORMAT_UNDEFINED; // given: depth test less-or-equal with writes
  uint32_t vertexStrideBytes = 0;       // 0: no vertex buffer
  std::vector<VkVertexInputAttributeDescription> attributes;
};

constexpr uint32_t kPushConstantBytes = 128;
constexpr VkShaderStageFlags kPushConstantStages =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;

class Device {
 public:
  // `name`: the whole name of the physical device; the first such device is taken.
  explicit Device(const std::string& name);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  VkDevice vkDevice() const { return m_vkDevice; }
  uint32_t queueFamily() const { return m_queueFamily; }
  bool isLavapipe() const { return m_driver == VK_DRIVER_ID_MESA_LLVMPIPE; }
  bool hasLocalRead() const { return m_localRead; }
  double timestampPeriodNs() const { return m_timestampPeriodNs; }
  // Set 0 = sampled images, storage images, one comparison sampler; 128 bytes of push constants for all
  // stages.
  VkPipelineLayout vkLayout() const { return m_vkLayout; }
  VkDescriptorSet vkSet() const { return m_vkSet; }

  // Mapped; device local where such memory can be mapped.
  Buffer makeBuffer(VkDeviceSize lengthBytes);
  // Device local, in GENERAL layout when this returns.
  Image makeImage(VkExtent2D extent, VkFormat format, VkImageUsageFlags usage);
  VkPipeline makeGraphics(const GraphicsRecipe& recipe);
  VkPipeline makeCompute(std::span<const uint32_t> spirv);
  VkQueryPool makeTimestamps(uint32_t count); // reset and ready to write
  VkCommandPool makeCommandPool();

  void setSampled(uint32_t index, const Image& image);
  void setStorage(uint32_t index, const Image& image);

  // Submits and waits until the GPU is done.
  void run(VkCommandBuffer vkCommands);
  // The texels of an image in GENERAL layout, tightly packed.
  std::vector<uint8_t> readBack(const Image& image, uint32_t bytesPerTexel);

 private:
  void pickPhysicalDevice(const std::string& name);
  void makeDevice();
  void makeLayout();
  void setImage(uint32_t binding, uint32_t index, VkDescriptorType type, const Image& image);
  VkDeviceMemory allocate(const VkMemoryRequirements& requirements, VkMemoryPropertyFlags wanted,
                          bool addressed);
  VkShaderModule makeModule(std::span<const uint32_t> spirv);
  void runOnce(const std::function<void(VkCommandBuffer)>& record);

  VkInstance m_vkInstance = VK_NULL_HANDLE;
  VkPhysicalDevice m_vkPhysicalDevice = VK_NULL_HANDLE;
  VkDriverId m_driver{};
  bool m_localRead = false;
  double m_timestampPeriodNs = 1;
  uint32_t m_queueFamily = 0;
  VkPhysicalDeviceMemoryProperties m_memory{};
  VkDevice m_vkDevice = VK_NULL_HANDLE;
  VkQueue m_vkQueue = VK_NULL_HANDLE;
  VkFence m_vkFence = VK_NULL_HANDLE;
  VkCommandPool m_vkPool = VK_NULL_HANDLE; // of runOnce()
  VkPipelineLayout m_vkLayout = VK_NULL_HANDLE;
  VkDescriptorSet m_vkSet = VK_NULL_HANDLE;
  std::vector<std::function<void()>> m_destroy; // run in reverse
};

} // namespace basanite::benchmarks::twin
