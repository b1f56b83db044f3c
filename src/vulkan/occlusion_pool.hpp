// SPDX-License-Identifier: Apache-2.0
// Transient occlusion queries of one command pool, recycled when the pool is reset.
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/command_pool.hpp"
#include "src/vulkan/query_pool.hpp"

#include <vector>

namespace basanite::vulkan {

// One thread at a time. The host resets the queries, all at once, with the pool they live in.
class OcclusionPool final : public PoolResident {
 public:
  // The queries of `pool`, made on first use.
  static OcclusionPool& of(CommandPool& pool);
  ~OcclusionPool() override;

  // A query that has been reset and is not begun. Error: no memory for more queries.
  base::Result<Query> take();

  void reset() override;
  uint64_t allocatedBytes() const override;

 private:
  explicit OcclusionPool(Device& device) : m_device(device) {}

  Device& m_device;
  std::vector<VkQueryPool> m_chunks;
  uint32_t m_used = 0; // queries taken, over all chunks
};

} // namespace basanite::vulkan
