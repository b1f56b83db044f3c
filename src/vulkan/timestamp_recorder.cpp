// SPDX-License-Identifier: Apache-2.0
// Copies and conversions run once per command buffer (and before a resolve), so stamps cost no barrier of
// their own.
#include "src/vulkan/timestamp_recorder.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace basanite::vulkan {

namespace {

constexpr VkPipelineStageFlagBits2 kEverything = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;

// Sorts by merging the stretches that are in order already, for few long ones in linear time: stamps are
// mostly recorded in the order of their places, with a few strewn in between. Equal ones keep their order.
template <class Iterator, class Before>
void sortStretches(Iterator first, Iterator last, const Before& before) {
  std::vector<Iterator> starts{first};
  for (Iterator at = std::is_sorted_until(first, last, before); at != last;
       at = std::is_sorted_until(at, last, before))
    starts.push_back(at);
  starts.push_back(last);
  while (starts.size() > 2) {
    size_t kept = 0;
    for (size_t i = 0; i + 1 < starts.size(); i += 2) {
      if (i + 2 < starts.size()) std::inplace_merge(starts[i], starts[i + 1], starts[i + 2], before);
      starts[kept++] = starts[i];
    }
    starts.resize(kept);
    starts.push_back(last);
  }
}

} // namespace

void TimestampRecorder::begin(CommandBuffer& commands, const Clock& clock) {
  m_commands = &commands;
  m_clock = &clock;
  m_workarounds = &workaroundsFor(commands.device().physical().driverId());
  m_written.clear();
  m_times = nullptr;
  if (commands.device().limits().timestampValidBits == 0) return;
  auto times = commands.pool().takeTimes();
  if (!times.ok()) return commands.fail(std::move(times).error());
  m_times = std::move(times).value();
  write(kEverything, m_times->buffer(), m_times->offset(), nullptr);
  settleRelaxed();
}

void TimestampRecorder::finish() {
  if (!m_times) return;
  write(kEverything, m_times->buffer(), m_times->offset() + sizeof(uint64_t), nullptr);
  settleRelaxed();
  flush();
}

void TimestampRecorder::stamp(Granularity granularity, StampTarget target) {
  const bool precise = granularity == Granularity::precise;
  if (precise) m_commands->barrier(kEverything, kEverything, false);
  writeQuery(kEverything, target);
  if (precise)
    m_commands->barrier(kEverything, kEverything, false);
  else
    settleRelaxed();
}

void TimestampRecorder::resolve(CounterHeap& heap, uint32_t first, uint32_t count, VkBuffer vkDestination,
                                uint64_t offset) {
  const bool stamped =
      std::any_of(m_written.begin(), m_written.end(), [](const Written& stamp) { return stamp.heap; });
  if (stamped) flush();
  // Copies of this and of every earlier command buffer of the queue come first, whatever fences the app gave.
  m_commands->barrier(VK_PIPELINE_STAGE_2_TRANSFER_BIT, VK_PIPELINE_STAGE_2_TRANSFER_BIT);
  m_commands->copyBuffer(heap.buffer().vkBuffer(), uint64_t(first) * CounterHeap::kEntryBytes, vkDestination,
                         offset, uint64_t(count) * CounterHeap::kEntryBytes);
}

void TimestampRecorder::writeQuery(VkPipelineStageFlagBits2 stage, StampTarget target) {
  Buffer& buffer = target.heap->buffer();
  write(stage, buffer, uint64_t(target.index) * CounterHeap::kEntryBytes, target.heap);
}

void TimestampRecorder::write(VkPipelineStageFlagBits2 stage, Buffer& buffer, uint64_t offset,
                              const CounterHeap* heap) {
  auto query = QueryPool::of(m_commands->pool()).writeTimestamp(m_commands->vkMain(), stage);
  if (!query.ok()) return m_commands->fail(std::move(query).error());
  m_written.push_back({*query, &buffer, offset, heap});
}

void TimestampRecorder::settleRelaxed() {
  if (m_workarounds->relaxedStamp != RelaxedStamp::doubled) return;
  auto written = QueryPool::of(m_commands->pool()).writeUnread(m_commands->vkMain(), kEverything);
  if (!written.ok()) m_commands->fail(std::move(written).error());
}

// Positions in m_written by place, at each place the last one recorded.
std::vector<uint32_t> TimestampRecorder::newestOfEachEntry() const {
  std::vector<uint32_t> order(m_written.size());
  std::iota(order.begin(), order.end(), 0u);
  auto place = [&](uint32_t position) {
    return std::pair(m_written[position].buffer, m_written[position].offset);
  };
  auto before = [&](uint32_t a, uint32_t b) { return place(a) < place(b); };
  // The recording's own start and end go first: then the usual stamps, of ascending indices of one heap, are
  // in order.
  const auto heaps = std::stable_partition(order.begin(), order.end(),
                                           [&](uint32_t position) { return !m_written[position].heap; });
  sortStretches(heaps, order.end(), before);
  size_t kept = 0;
  for (uint32_t position : order) {
    if (kept > 0 && place(order[kept - 1]) == place(position)) --kept;
    order[kept++] = position;
  }
  order.resize(kept);
  return order;
}

void TimestampRecorder::flush() {
  if (m_written.empty()) return;
  const std::vector<uint32_t> stamps = newestOfEachEntry();
  if (m_clock->kernel())
    convertQueries(stamps);
  else
    copyQueries(stamps);
  m_written.clear();
}

// Neighbouring queries for neighbouring entries become one copy. WAIT is safe: each query was written by this
// recording.
void TimestampRecorder::copyQueries(const std::vector<uint32_t>& stamps) {
  // Earlier command buffers of the queue may have copied to the same entries: queue order decides.
  m_commands->barrier(VK_PIPELINE_STAGE_2_TRANSFER_BIT, VK_PIPELINE_STAGE_2_TRANSFER_BIT);
  for (size_t first = 0; first < stamps.size();) {
    const Written& start = m_written[stamps[first]];
    uint32_t run = 1;
    while (first + run < stamps.size()) {
      const Written& next = m_written[stamps[first + run]];
      if (next.buffer != start.buffer || next.offset != start.offset + run * CounterHeap::kEntryBytes ||
          next.query.vkPool != start.query.vkPool || next.query.index != start.query.index + run)
        break;
      ++run;
    }
    m_commands->device().fn().vkCmdCopyQueryPoolResults(
        m_commands->vkMain(), start.query.vkPool, start.query.index, run, start.buffer->vkBuffer(),
        start.offset, CounterHeap::kEntryBytes, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    first += run;
  }
  m_commands->barrier(VK_PIPELINE_STAGE_2_TRANSFER_BIT, VK_PIPELINE_STAGE_2_HOST_BIT);
}

void TimestampRecorder::convertQueries(const std::vector<uint32_t>& stamps) {
  std::vector<Query> queries;
  queries.reserve(m_written.size() + 1);
  for (const Written& stamp : m_written) queries.push_back(stamp.query);
  std::vector<uint64_t> destinations(m_written.size(), 0);
  for (uint32_t position : stamps) {
    const Written& stamp = m_written[position];
    destinations[position] = stamp.buffer->gpuAddress() + stamp.offset;
  }
  // The kernel counts back from a stamp of now; the end of a recording is one.
  if (m_written.back().heap) {
    auto now = QueryPool::of(m_commands->pool()).writeTimestamp(m_commands->vkMain(), kEverything);
    if (!now.ok()) return m_commands->fail(std::move(now).error());
    queries.push_back(*now);
    destinations.push_back(0);
  }
  m_clock->kernel()->record(*m_commands, queries, destinations, m_clock->referenceAddress());
}

} // namespace basanite::vulkan
