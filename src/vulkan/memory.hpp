// SPDX-License-Identifier: Apache-2.0
// What buffers, images and heaps say of the device memory behind them.
#pragma once

#include "src/vulkan/vulkan_api.hpp"

#include <cstdint>

namespace basanite::vulkan {

enum class MemoryKind : uint8_t {
  shared,      // host visible, coherent, mapped for the buffer's life
  deviceLocal, // Metal's private and memoryless
  readback,    // shared, in memory that the host reads fast
  upload,      // shared, but written by the host in order and never read by it; contents start undefined
};

// Where something begins in a VkDeviceMemory.
struct MemorySpan {
  VkDeviceMemory vkMemory = VK_NULL_HANDLE;
  uint64_t offset = 0;      // bytes
  uint64_t memoryBytes = 0; // of all of vkMemory
  uint32_t typeIndex = 0;
  bool hostImport = false; // a program's own memory: what is bound to it must say so when it is created
};

// What something needs of memory, in bytes.
struct MemoryNeed {
  uint64_t size = 0, alignment = 1;
  uint32_t typeBits = 0; // bit n: memory type n will do
};

// Every buffer has them all.
constexpr VkBufferUsageFlags kBufferUsages =
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
    VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
    VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
    VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
    VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

// Metal programs take for granted that a buffer starts at a generous boundary.
constexpr VkDeviceSize kBufferAlignment = 256;

} // namespace basanite::vulkan
