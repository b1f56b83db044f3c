// SPDX-License-Identifier: Apache-2.0
// A VkBuffer with its memory, its GPU address and, for shared storage, its host pointer.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/device.hpp"
#include "src/vulkan/memory_heap.hpp"

#include <functional>
#include <string_view>

typedef struct VmaAllocation_T* VmaAllocation;

namespace basanite::vulkan {

// Contents start as zeroes, as Metal says (kind upload excepted). Every usage is allowed. Registered in the
// device's address map. Destruction is safe while the GPU still uses the buffer (deferred).
class Buffer final : public base::RefCounted {
 public:
  // lengthBytes >= 1. Error: out of memory or above the limit, with both numbers.
  static base::Result<base::Ref<Buffer>> create(const base::Ref<Device>& device, uint64_t lengthBytes,
                                                MemoryKind kind, std::string_view label = {});

  // In a heap, from `offset` on; contents are what lay there. Error: it does not fit, is not aligned, or the
  // device places buffers by rules that heaps cannot follow.
  static base::Result<base::Ref<Buffer>> createIn(const base::Ref<MemoryHeap>& heap, uint64_t offset,
                                                  uint64_t lengthBytes);
  // Over host memory, which stays the caller's: `release` is called once the GPU is done with it, on any
  // thread. Error: no VK_EXT_external_memory_host; an address or a length that is no multiple of what the
  // device asks for. `release` is not called then.
  static base::Result<base::Ref<Buffer>> createOver(const base::Ref<Device>& device, void* bytes,
                                                    uint64_t lengthBytes, std::function<void()> release);

  VkBuffer vkBuffer() const { return m_vkBuffer; }
  uint64_t length() const { return m_length; }
  uint64_t allocatedSize() const { return m_allocatedSize; }
  uint64_t gpuAddress() const { return m_gpuAddress; } // never 0
  void* contents() const { return m_contents; }        // null for deviceLocal
  MemoryKind kind() const { return m_kind; }
  // Where its first byte is: what else shows these bytes is bound there and keeps the buffer alive.
  const MemorySpan& memory() const { return m_memory; }
  const base::Ref<Device>& device() const { return m_device; }
  void setLabel(std::string_view label);

 private:
  explicit Buffer(base::Ref<Device> device) : m_device(std::move(device)) {}
  ~Buffer() override;
  uint64_t readAddress() const;

  base::Ref<Device> m_device;
  VkBuffer m_vkBuffer = VK_NULL_HANDLE;
  MemorySpan m_memory;
  // Who owns the memory: this allocation, the heap, or an imported VkDeviceMemory with `m_release`.
  VmaAllocation m_allocation = nullptr;
  base::Ref<MemoryHeap> m_heap;
  VkDeviceMemory m_vkImported = VK_NULL_HANDLE;
  std::function<void()> m_release;
  uint64_t m_length = 0;
  uint64_t m_allocatedSize = 0;
  MemoryShare m_share;
  uint64_t m_gpuAddress = 0;
  void* m_contents = nullptr;
  MemoryKind m_kind = MemoryKind::shared;
};

} // namespace basanite::vulkan
