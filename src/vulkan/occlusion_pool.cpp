// SPDX-License-Identifier: Apache-2.0
// Chunks of occlusion queries, grown on demand and kept over resets.
#include "src/vulkan/occlusion_pool.hpp"

#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>

namespace basanite::vulkan {

namespace {
constexpr uint32_t kChunkQueries = 256;
constexpr uint64_t kBytesPerQuery = 16; // value and availability, as drivers commonly store them
} // namespace

OcclusionPool& OcclusionPool::of(CommandPool& pool) {
  constexpr auto kKind = ResidentKind::occlusionQueries;
  if (!pool.resident(kKind))
    pool.setResident(std::unique_ptr<PoolResident>(new OcclusionPool(pool.device())), kKind);
  return static_cast<OcclusionPool&>(*pool.resident(kKind));
}

OcclusionPool::~OcclusionPool() {
  for (VkQueryPool vkPool : m_chunks) m_device.fn().vkDestroyQueryPool(m_device.vkDevice(), vkPool, nullptr);
}

base::Result<Query> OcclusionPool::take() {
  const uint32_t chunk = m_used / kChunkQueries;
  if (chunk == m_chunks.size()) {
    VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = VK_QUERY_TYPE_OCCLUSION;
    info.queryCount = kChunkQueries;
    VkQueryPool vkPool = VK_NULL_HANDLE;
    VkResult result = m_device.fn().vkCreateQueryPool(m_device.vkDevice(), &info, nullptr, &vkPool);
    if (result != VK_SUCCESS) return vulkanError("Creating a pool of occlusion queries", result);
    m_device.fn().vkResetQueryPool(m_device.vkDevice(), vkPool, 0, kChunkQueries);
    m_chunks.push_back(vkPool);
  }
  Query query{m_chunks[chunk], m_used % kChunkQueries};
  ++m_used;
  return query;
}

void OcclusionPool::reset() {
  for (uint32_t first = 0; first < m_used; first += kChunkQueries)
    m_device.fn().vkResetQueryPool(m_device.vkDevice(), m_chunks[first / kChunkQueries], 0,
                                   std::min(kChunkQueries, m_used - first));
  m_used = 0;
}

uint64_t OcclusionPool::allocatedBytes() const { return m_chunks.size() * kChunkQueries * kBytesPerQuery; }

} // namespace basanite::vulkan
