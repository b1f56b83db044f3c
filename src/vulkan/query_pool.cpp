// SPDX-License-Identifier: Apache-2.0
// Chunks of queries, grown on demand and kept over resets.
#include "src/vulkan/query_pool.hpp"

#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>

namespace basanite::vulkan {

namespace {
constexpr uint64_t kBytesPerQuery = 16; // value and availability, as drivers commonly store them
} // namespace

QueryPool& QueryPool::of(CommandPool& pool) {
  if (!pool.resident()) pool.setResident(std::unique_ptr<PoolResident>(new QueryPool(pool.device())));
  return static_cast<QueryPool&>(*pool.resident());
}

QueryPool::~QueryPool() {
  for (const Chunks* chunks : {&m_stamps, &m_unread, &m_occlusion})
    for (VkQueryPool vkPool : chunks->vkPools)
      m_device.fn().vkDestroyQueryPool(m_device.vkDevice(), vkPool, nullptr);
}

base::Result<void> QueryPool::grow(Chunks& chunks) {
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = chunks.type;
  info.queryCount = kChunkQueries;
  VkQueryPool vkPool = VK_NULL_HANDLE;
  VkResult result = m_device.fn().vkCreateQueryPool(m_device.vkDevice(), &info, nullptr, &vkPool);
  if (result != VK_SUCCESS) return vulkanError("Creating a pool of queries", result);
  m_device.fn().vkResetQueryPool(m_device.vkDevice(), vkPool, 0, kChunkQueries);
  chunks.vkPools.push_back(vkPool);
  chunks.capacity += kChunkQueries;
  return {};
}

void QueryPool::reset() {
  for (Chunks* chunks : {&m_stamps, &m_unread, &m_occlusion}) {
    for (uint32_t first = 0; first < chunks->used; first += kChunkQueries) {
      m_device.fn().vkResetQueryPool(m_device.vkDevice(), chunks->vkPools[first / kChunkQueries], 0,
                                     std::min(kChunkQueries, chunks->used - first));
    }
    chunks->used = 0;
  }
}

uint64_t QueryPool::allocatedBytes() const {
  return (uint64_t(m_stamps.capacity) + m_unread.capacity + m_occlusion.capacity) * kBytesPerQuery;
}

void copyQueries(const Device& device, VkCommandBuffer vkCommands, std::span<const Query> queries,
                 VkBuffer vkBuffer, uint64_t offset) {
  for (size_t first = 0; first < queries.size();) {
    const Query& start = queries[first];
    uint32_t run = 1;
    while (first + run < queries.size() && queries[first + run].vkPool == start.vkPool &&
           queries[first + run].index == start.index + run)
      ++run;
    // WAIT is safe: this recording wrote them.
    device.fn().vkCmdCopyQueryPoolResults(vkCommands, start.vkPool, start.index, run, vkBuffer,
                                          offset + first * sizeof(uint64_t), sizeof(uint64_t),
                                          VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    first += run;
  }
}

} // namespace basanite::vulkan
