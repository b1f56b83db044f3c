// SPDX-License-Identifier: Apache-2.0
// Copies run once per command buffer (and before a resolve), so stamps cost no barrier of their own.
#include "src/vulkan/timestamp_recorder.hpp"

#include <algorithm>

namespace basanite::vulkan {

void TimestampRecorder::begin(CommandBuffer& commands) {
  m_commands = &commands;
  m_workarounds = &workaroundsFor(commands.device().physical().driverId());
  m_hasTimestamps = commands.device().limits().timestampValidBits > 0;
  m_written.clear();
  m_heldHeaps.clear();
  m_times = nullptr;
  if (!m_hasTimestamps) return;
  auto times = commands.pool().takeTimes();
  if (!times.ok()) return commands.fail(std::move(times).error());
  m_times = std::move(times).value();
  writeTime(0);
}

void TimestampRecorder::finish() {
  if (m_times) writeTime(8);
  flush();
}

void TimestampRecorder::stamp(Granularity granularity, StampTarget target) {
  constexpr auto everything = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  const bool precise = granularity == Granularity::precise;
  if (precise) m_commands->barrier(everything, everything, false);
  writeQuery(everything, std::move(target));
  if (precise)
    m_commands->barrier(everything, everything, false);
  else
    settleRelaxed();
}

void TimestampRecorder::resolve(CounterHeap& heap, uint32_t first, uint32_t count, VkBuffer vkDestination, uint64_t offset) {
  flush();
  // Copies of this and of every earlier command buffer of the queue come first, whatever fences the app gave.
  m_commands->barrier(VK_PIPELINE_STAGE_2_TRANSFER_BIT, VK_PIPELINE_STAGE_2_TRANSFER_BIT);
  m_commands->copyBuffer(heap.buffer().vkBuffer(), uint64_t(first) * CounterHeap::kEntryBytes, vkDestination, offset,
                         uint64_t(count) * CounterHeap::kEntryBytes);
}

void TimestampRecorder::writeQuery(VkPipelineStageFlagBits2 stage, StampTarget target) {
  auto query = QueryPool::of(m_commands->pool()).writeTimestamp(m_commands->vkMain(), stage);
  if (!query.ok()) return m_commands->fail(std::move(query).error());
  if (m_heldHeaps.empty() || m_heldHeaps.back().get() != target.heap.get()) m_heldHeaps.push_back(target.heap);
  m_written.push_back({*query, std::move(target)});
}

void TimestampRecorder::settleRelaxed() {
  if (m_workarounds->relaxedStamp != RelaxedStamp::doubled) return;
  auto thrownAway = QueryPool::of(m_commands->pool()).writeTimestamp(m_commands->vkMain(),
                                                                     VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  if (!thrownAway.ok()) m_commands->fail(std::move(thrownAway).error());
}

void TimestampRecorder::writeTime(uint64_t offset) {
  auto query = QueryPool::of(m_commands->pool()).writeTimestamp(m_commands->vkMain(), VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  if (!query.ok()) return m_commands->fail(std::move(query).error());
  settleRelaxed();
  // WAIT is safe: the query was written just before in this command buffer.
  m_commands->device().fn().vkCmdCopyQueryPoolResults(m_commands->vkMain(), query->vkPool, query->index, 1,
                                                      m_times->vkBuffer(), m_times->offset() + offset, 8,
                                                      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  if (offset > 0) m_commands->barrier(VK_PIPELINE_STAGE_2_TRANSFER_BIT, VK_PIPELINE_STAGE_2_HOST_BIT);
}

void TimestampRecorder::flush() {
  if (m_written.empty()) return;
  // Of several stamps at one entry the last one wins, so only that one is copied; then runs of neighbours become one copy.
  std::stable_sort(m_written.begin(), m_written.end(), [](const Written& a, const Written& b) {
    if (a.target.heap.get() != b.target.heap.get()) return a.target.heap.get() < b.target.heap.get();
    return a.target.index < b.target.index;
  });
  std::vector<const Written*> last;
  last.reserve(m_written.size());
  for (const Written& stamp : m_written) {
    const bool sameEntry = !last.empty() && last.back()->target.heap.get() == stamp.target.heap.get() &&
                           last.back()->target.index == stamp.target.index;
    if (sameEntry)
      last.back() = &stamp;
    else
      last.push_back(&stamp);
  }
  // Earlier command buffers of the queue may have copied to the same entries: queue order decides.
  m_commands->barrier(VK_PIPELINE_STAGE_2_TRANSFER_BIT, VK_PIPELINE_STAGE_2_TRANSFER_BIT);
  for (size_t first = 0; first < last.size();) {
    const Written& start = *last[first];
    uint32_t run = 1;
    while (first + run < last.size()) {
      const Written& next = *last[first + run];
      if (next.target.heap.get() != start.target.heap.get() || next.target.index != start.target.index + run ||
          next.query.vkPool != start.query.vkPool || next.query.index != start.query.index + run)
        break;
      ++run;
    }
    m_commands->device().fn().vkCmdCopyQueryPoolResults(
        m_commands->vkMain(), start.query.vkPool, start.query.index, run, start.target.heap->buffer().vkBuffer(),
        uint64_t(start.target.index) * CounterHeap::kEntryBytes, CounterHeap::kEntryBytes,
        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    first += run;
  }
  m_commands->barrier(VK_PIPELINE_STAGE_2_TRANSFER_BIT, VK_PIPELINE_STAGE_2_HOST_BIT);
  m_written.clear();
}

} // namespace basanite::vulkan
