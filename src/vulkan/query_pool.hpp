// SPDX-License-Identifier: Apache-2.0
// Transient queries of one command pool: each is written once and recycled when the pool is reset.
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/command_pool.hpp"

#include <span>
#include <vector>

namespace basanite::vulkan {

// One written query.
struct Query {
  VkQueryPool vkPool = VK_NULL_HANDLE;
  uint32_t index = 0;
};

// A Vulkan query must be reset before each write and may not be reset inside rendering, while Metal rewrites
// any heap index at any time. So a Metal stamp takes a fresh query here and is copied to its entry
// afterwards; the queries are reset by the host (hostQueryReset), all at once, with the pool they live in.
// One thread at a time.
class QueryPool final : public PoolResident {
 public:
  // The queries of `pool`, made on first use.
  static QueryPool& of(CommandPool& pool);
  ~QueryPool() override;

  // Whether writeTimestamp() finds a query; makeRoom() sees to it. Error: no memory for more queries.
  bool hasRoom() const { return m_stamps.hasRoom(); }
  base::Result<void> makeRoom() { return grow(m_stamps); }
  // Writes the time at which all earlier commands have completed `stage` (one bit) into a fresh query. Inside
  // rendering or not. Only when hasRoom().
  Query writeTimestamp(VkCommandBuffer vkCommands, VkPipelineStageFlagBits2 stage) {
    return write(m_stamps, vkCommands, stage);
  }
  // The same for a value that nobody reads. Such queries lie apart, so that those of stamps stay neighbours
  // and are copied in long runs. Error: no memory for more queries.
  base::Result<void> writeUnread(VkCommandBuffer vkCommands, VkPipelineStageFlagBits2 stage) {
    if (!m_unread.hasRoom()) BASANITE_TRY_VOID(grow(m_unread));
    write(m_unread, vkCommands, stage);
    return {};
  }
  // An occlusion query that is not begun. Error: no memory for more queries.
  base::Result<Query> takeOcclusion() {
    if (!m_occlusion.hasRoom()) BASANITE_TRY_VOID(grow(m_occlusion));
    return m_occlusion.take();
  }

  void reset() override;
  uint64_t allocatedBytes() const override;

 private:
  static constexpr uint32_t kChunkQueries = 1024;
  struct Chunks {
    VkQueryType type;
    std::vector<VkQueryPool> vkPools;
    uint32_t capacity = 0; // over all pools
    uint32_t used = 0;     // queries taken

    // Programs stamp every draw, so what a stamp needs is inline.
    bool hasRoom() const { return used < capacity; }
    Query take() {
      const uint32_t position = used++;
      return {vkPools[position / kChunkQueries], position % kChunkQueries};
    }
  };
  explicit QueryPool(Device& device) : m_device(device) {}
  // The one call site of vkCmdWriteTimestamp2 for stamps.
  Query write(Chunks& chunks, VkCommandBuffer vkCommands, VkPipelineStageFlagBits2 stage) {
    const Query query = chunks.take();
    m_device.fn().vkCmdWriteTimestamp2(vkCommands, stage, query.vkPool, query.index);
    return query;
  }
  base::Result<void> grow(Chunks& chunks);

  Device& m_device;
  Chunks m_stamps{VK_QUERY_TYPE_TIMESTAMP};
  Chunks m_unread{VK_QUERY_TYPE_TIMESTAMP};
  Chunks m_occlusion{VK_QUERY_TYPE_OCCLUSION};
};

// Copies the values of `queries`, all written earlier in the same recording, as 64-bit words to `offset` in
// the buffer, one behind the other. Neighbouring queries become one copy. Outside rendering.
void copyQueries(const Device& device, VkCommandBuffer vkCommands, std::span<const Query> queries,
                 VkBuffer vkBuffer, uint64_t offset);

} // namespace basanite::vulkan
