// SPDX-License-Identifier: Apache-2.0
// A resource's place in a heap.
#pragma once

#include "src/foundation/object.hpp"
#include "src/vulkan/memory_heap.hpp"

#include <atomic>
#include <cstdint>
#include <optional>

namespace basanite::metal {

class Heap;

// Holds bytes of a heap for one resource, and the heap alive. Empty for a resource with memory of its own.
class HeapPlace {
 public:
  HeapPlace();
  // `piece`: of an automatic heap; without one the app chose the offset.
  HeapPlace(Heap* heap, uint64_t offset, uint64_t sizeBytes, std::optional<vulkan::MemoryHeap::Piece> piece);
  HeapPlace(HeapPlace&& other) noexcept;
  HeapPlace& operator=(HeapPlace&& other) noexcept;
  ~HeapPlace();

  Heap* heap() const { return m_heap.get(); } // null: empty
  uint64_t offset() const { return m_offset; }
  bool aliasable() const { return m_heap && !m_holds; }
  // Other resources may take the bytes from now on, while this one still shows them. Thread-safe.
  void makeAliasable();

 private:
  foundation::Retained<Heap> m_heap;
  uint64_t m_offset = 0, m_sizeBytes = 0;
  std::optional<vulkan::MemoryHeap::Piece> m_piece;
  std::atomic<bool> m_holds{false};
};

} // namespace basanite::metal
