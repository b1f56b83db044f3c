// SPDX-License-Identifier: Apache-2.0
// A VkBuffer with its memory, its GPU address and, for shared storage, its host pointer.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/device.hpp"

#include <string_view>

typedef struct VmaAllocation_T* VmaAllocation;

namespace basanite::vulkan {

enum class MemoryKind : uint8_t {
  shared,      // host visible, coherent, mapped for the buffer's life
  deviceLocal, // Metal's private and memoryless
  readback,    // shared, in memory that the host reads fast
  upload,      // shared, but written by the host in order and never read by it; contents start undefined
};

// Contents start as zeroes, as Metal says (kind upload excepted). Every usage is allowed. Registered in the
// device's address map. Destruction is safe while the GPU still uses the buffer (deferred).
class Buffer final : public base::RefCounted {
 public:
  // lengthBytes >= 1. Error: out of memory or above the limit, with both numbers.
  static base::Result<base::Ref<Buffer>> create(const base::Ref<Device>& device, uint64_t lengthBytes,
                                                MemoryKind kind, std::string_view label = {});

  VkBuffer vkBuffer() const { return m_vkBuffer; }
  uint64_t length() const { return m_length; }
  uint64_t allocatedSize() const { return m_allocatedSize; }
  uint64_t gpuAddress() const { return m_gpuAddress; } // never 0
  void* contents() const { return m_contents; }        // null for deviceLocal
  MemoryKind kind() const { return m_kind; }
  void setLabel(std::string_view label);

 private:
  explicit Buffer(base::Ref<Device> device) : m_device(std::move(device)) {}
  ~Buffer() override;

  base::Ref<Device> m_device;
  VkBuffer m_vkBuffer = VK_NULL_HANDLE;
  VmaAllocation m_allocation = nullptr;
  uint64_t m_length = 0;
  uint64_t m_allocatedSize = 0;
  MemoryShare m_share;
  uint64_t m_gpuAddress = 0;
  void* m_contents = nullptr;
  MemoryKind m_kind = MemoryKind::shared;
};

} // namespace basanite::vulkan
