// SPDX-License-Identifier: Apache-2.0
// Copies and conversions run once per command buffer (and before a resolve), so stamps cost no barrier of
// their own.
#include "src/vulkan/timestamp_recorder.hpp"

#include <algorithm>
#include <unordered_set>
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

bool before(const StampRun& a, const StampRun& b) {
  return std::pair(a.buffer, a.offset) < std::pair(b.buffer, b.offset);
}

// Whether no two of the runs, sorted, hold the same place.
bool areApart(const std::vector<StampRun>& sorted) {
  return std::adjacent_find(sorted.begin(), sorted.end(), [](const StampRun& a, const StampRun& b) {
           return a.buffer == b.buffer && a.end() > b.offset;
         }) == sorted.end();
}

std::vector<StampRun> oneByOne(const std::vector<StampRun>& runs) {
  std::vector<StampRun> single;
  for (const StampRun& run : runs)
    for (uint32_t i = 0; i < run.count; ++i)
      single.push_back({{run.first.vkPool, run.first.index + i},
                        1,
                        run.buffer,
                        run.offset + uint64_t(i) * CounterHeap::kEntryBytes});
  return single;
}

// The last stamp of each place, of runs in order of recording.
std::vector<StampRun> newestOfEachPlace(const std::vector<StampRun>& recorded) {
  std::vector<StampRun> runs = recorded;
  sortStretches(runs.begin(), runs.end(), before);
  if (areApart(runs)) return runs;
  std::vector<StampRun> single = oneByOne(recorded);
  sortStretches(single.begin(), single.end(), before);
  runs.clear();
  for (size_t i = 0; i < single.size(); ++i) {
    if (i + 1 < single.size() && !before(single[i], single[i + 1])) continue;
    if (!runs.empty() && runs.back().isFollowedBy(single[i].first, *single[i].buffer, single[i].offset))
      ++runs.back().count;
    else
      runs.push_back(single[i]);
  }
  return runs;
}

} // namespace

void TimestampRecorder::begin(CommandBuffer& commands, const Clock& clock) {
  m_commands = &commands;
  m_clock = &clock;
  m_workarounds = &workaroundsFor(commands.device().physical().driverId());
  m_queries = &QueryPool::of(commands.pool());
  m_runs.clear();
  m_times = nullptr;
  if (commands.device().limits().timestampValidBits == 0) return;
  auto times = commands.pool().takeTimes();
  if (!times.ok()) return commands.fail(std::move(times).error());
  m_times = std::move(times).value();
  write(kEverything, m_times->buffer(), m_times->offset());
  settleRelaxed();
}

void TimestampRecorder::finish() {
  if (!m_times) return;
  write(kEverything, m_times->buffer(), m_times->offset() + sizeof(uint64_t));
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
  if (std::any_of(m_runs.begin(), m_runs.end(), [&](const StampRun& run) { return isOfHeap(run); })) flush();
  // Copies of this and of every earlier command buffer of the queue come first, whatever fences the app gave.
  m_commands->barrier(VK_PIPELINE_STAGE_2_TRANSFER_BIT, VK_PIPELINE_STAGE_2_TRANSFER_BIT);
  m_commands->copyBuffer(heap.buffer().vkBuffer(), uint64_t(first) * CounterHeap::kEntryBytes, vkDestination,
                         offset, uint64_t(count) * CounterHeap::kEntryBytes);
}

bool TimestampRecorder::makeRoom() {
  auto room = m_queries->makeRoom();
  if (!room.ok()) m_commands->fail(std::move(room).error());
  return room.ok();
}

void TimestampRecorder::writeUnread() {
  auto written = m_queries->writeUnread(m_commands->vkMain(), kEverything);
  if (!written.ok()) m_commands->fail(std::move(written).error());
}

void TimestampRecorder::flush() {
  if (m_runs.empty()) return;
  if (m_clock->kernel())
    convertQueries();
  else
    copyQueries();
  m_runs.clear();
}

// WAIT is safe: each query was written by this recording.
void TimestampRecorder::copyQueries() {
  // Earlier command buffers of the queue may have copied to the same entries: queue order decides.
  m_commands->barrier(VK_PIPELINE_STAGE_2_TRANSFER_BIT, VK_PIPELINE_STAGE_2_TRANSFER_BIT);
  for (const StampRun& run : newestOfEachPlace(m_runs))
    m_commands->device().fn().vkCmdCopyQueryPoolResults(
        m_commands->vkMain(), run.first.vkPool, run.first.index, run.count, run.buffer->vkBuffer(),
        run.offset, CounterHeap::kEntryBytes, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  m_commands->barrier(VK_PIPELINE_STAGE_2_TRANSFER_BIT, VK_PIPELINE_STAGE_2_HOST_BIT);
}

void TimestampRecorder::convertQueries() {
  std::vector<Query> queries;
  std::vector<uint64_t> destinations;
  for (const StampRun& stamp : oneByOne(m_runs)) {
    queries.push_back(stamp.first);
    destinations.push_back(stamp.buffer->gpuAddress() + stamp.offset);
  }
  // The kernel writes the entries in no order, so all but the last stamp of each go nowhere.
  std::unordered_set<uint64_t> written(destinations.size());
  for (size_t i = destinations.size(); i-- > 0;)
    if (!written.insert(destinations[i]).second) destinations[i] = 0;
  // It counts back from a stamp of now; the end of a recording is one.
  if (isOfHeap(m_runs.back())) {
    if (!m_queries->hasRoom() && !makeRoom()) return;
    queries.push_back(m_queries->writeTimestamp(m_commands->vkMain(), kEverything));
    destinations.push_back(0);
  }
  m_clock->kernel()->record(*m_commands, queries, destinations, m_clock->referenceAddress());
}

} // namespace basanite::vulkan
