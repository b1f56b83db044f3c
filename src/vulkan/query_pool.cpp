// SPDX-License-Identifier: Apache-2.0
// Chunks of queries, grown on demand and kept over resets.
#include "src/vulkan/query_pool.hpp"

#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>

namespace basanite::vulkan {

namespace {
constexpr uint32_t kChunkQueries = 1024;
constexpr uint64_t kBytesPerQuery = 16; // value and availability, as drivers commonly store them
} // namespace

QueryPool& QueryPool::of(CommandPool& pool) {
  if (!pool.resident()) pool.setResident(std::unique_ptr<PoolResident>(new QueryPool(pool.device())));
  return static_cast<QueryPool&>(*pool.resident());
}

QueryPool::~QueryPool() {
  for (VkQueryPool vkPool : m_chunks) m_device.fn().vkDestroyQueryPool(m_device.vkDevice(), vkPool, nullptr);
}

base::Result<Query> QueryPool::writeTimestamp(VkCommandBuffer vkCommands, VkPipelineStageFlagBits2 stage) {
  const uint32_t chunk = m_used / kChunkQueries;
  if (chunk == m_chunks.size()) {
    VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = kChunkQueries;
    VkQueryPool vkPool = VK_NULL_HANDLE;
    VkResult result = m_device.fn().vkCreateQueryPool(m_device.vkDevice(), &info, nullptr, &vkPool);
    if (result != VK_SUCCESS) return vulkanError("Creating a pool of timestamp queries", result);
    m_device.fn().vkResetQueryPool(m_device.vkDevice(), vkPool, 0, kChunkQueries);
    m_chunks.push_back(vkPool);
  }
  Query query{m_chunks[chunk], m_used % kChunkQueries};
  ++m_used;
  m_device.fn().vkCmdWriteTimestamp2(vkCommands, stage, query.vkPool, query.index);
  return query;
}

void QueryPool::reset() {
  for (uint32_t first = 0; first < m_used; first += kChunkQueries) {
    m_device.fn().vkResetQueryPool(m_device.vkDevice(), m_chunks[first / kChunkQueries], 0,
                                    std::min(kChunkQueries, m_used - first));
  }
  m_used = 0;
}

uint64_t QueryPool::allocatedBytes() const { return m_chunks.size() * kChunkQueries * kBytesPerQuery; }

} // namespace basanite::vulkan
