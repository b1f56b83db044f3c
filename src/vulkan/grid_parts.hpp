// SPDX-License-Identifier: Apache-2.0
// A grid of threads that is no whole number of threadgroups: the parts that run with threadgroups of one
// size.
#pragma once

#include <array>
#include <cstdint>

namespace basanite::vulkan {

// Neighbouring threadgroups of one size; counts and sizes are at least 1.
struct GridPart {
  std::array<uint32_t, 3> threadgroups; // how many
  std::array<uint32_t, 3> first;        // position of the first one in the grid
  std::array<uint32_t, 3> threads;      // of each
};

// Metal's dispatchThreads and drawMeshThreads: threadgroups at the grid's far edges are smaller. Vulkan
// dispatches have one size, so the grid runs as the inner part and up to seven more.
class GridParts {
 public:
  // `full`: threadgroups of size `size` (at least 1) along each axis; `rest`: threads left over for one more
  // along it, below `size`. Parts without a thread are left out: none for an empty grid.
  GridParts(const std::array<uint32_t, 3>& full, const std::array<uint32_t, 3>& rest,
            const std::array<uint32_t, 3>& size) {
    for (int edges = 0; edges < 8; ++edges) { // bit n: the left-over side of axis n
      GridPart part{};
      bool empty = false;
      for (int axis = 0; axis < 3; ++axis) {
        const bool edge = edges >> axis & 1;
        part.threadgroups[axis] = edge ? 1 : full[axis];
        part.first[axis] = edge ? full[axis] : 0;
        part.threads[axis] = edge ? rest[axis] : size[axis];
        empty = empty || part.threadgroups[axis] == 0 || part.threads[axis] == 0;
      }
      if (!empty) m_parts[m_count++] = part;
    }
  }
  const GridPart* begin() const { return m_parts.data(); }
  const GridPart* end() const { return m_parts.data() + m_count; }

 private:
  std::array<GridPart, 8> m_parts{};
  uint32_t m_count = 0;
};

} // namespace basanite::vulkan
