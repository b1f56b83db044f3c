// SPDX-License-Identifier: Apache-2.0
// One block of device memory that buffers and images are placed in by offset: what Metal's heaps are made of.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/device.hpp"
#include "src/vulkan/memory.hpp"

#include <mutex>
#include <optional>
#include <string_view>

typedef struct VmaAllocation_T* VmaAllocation;
typedef struct VmaVirtualBlock_T* VmaVirtualBlock;
typedef struct VmaVirtualAllocation_T* VmaVirtualAllocation;

namespace basanite::vulkan {

// The device's address map knows the heap as one range, since what is placed in it may overlap. Contents
// start undefined. Thread-safe; destruction is deferred.
class MemoryHeap final : public base::RefCounted {
 public:
  // A piece that take() handed out.
  struct Piece {
    uint64_t offset = 0;
    VmaVirtualAllocation handle = nullptr;
  };

  // kind: shared or deviceLocal. Error: a size of 0, out of memory, or above the limit, with both numbers.
  static base::Result<base::Ref<MemoryHeap>> create(const base::Ref<Device>& device, uint64_t sizeBytes,
                                                    MemoryKind kind, std::string_view label = {});

  // What a buffer of this length takes in a heap; linear and optimal resources may then be neighbours.
  static MemoryNeed bufferNeed(const Device& device, uint64_t lengthBytes);
  // Rounds so that the neighbours may be anything.
  static MemoryNeed padded(const Device& device, const VkMemoryRequirements& requirements);

  // A free piece, or nothing when no gap is large enough.
  std::optional<Piece> take(uint64_t sizeBytes, uint64_t alignment);
  void give(const Piece& piece);
  // Bytes of the largest piece of this alignment that take() would find; at least, where gaps are not
  // aligned.
  uint64_t largestFree(uint64_t alignment) const;
  uint64_t usedBytes() const; // of the pieces taken

  uint64_t size() const { return m_size; }
  uint64_t gpuAddress() const { return m_gpuAddress; } // of the heap's first byte
  void* contents() const { return m_contents; }        // null for deviceLocal
  MemoryKind kind() const { return m_kind; }
  const MemorySpan& memory() const { return m_memory; }
  const base::Ref<Device>& device() const { return m_device; }
  void setLabel(std::string_view label);

 private:
  explicit MemoryHeap(base::Ref<Device> device) : m_device(std::move(device)) {}
  ~MemoryHeap() override;

  base::Ref<Device> m_device;
  VmaAllocation m_allocation = nullptr;
  VkBuffer m_vkBuffer = VK_NULL_HANDLE; // all of it, so that an address in it leads to a buffer
  MemorySpan m_memory;
  uint64_t m_size = 0, m_gpuAddress = 0;
  void* m_contents = nullptr;
  MemoryKind m_kind = MemoryKind::shared;
  mutable std::mutex m_mutex;
  VmaVirtualBlock m_pieces = nullptr; // guarded by m_mutex
};

} // namespace basanite::vulkan
