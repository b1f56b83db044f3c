// SPDX-License-Identifier: Apache-2.0
// The stamps of one recording: writes queries where they are asked for and copies them into their heaps
// outside rendering.
#pragma once

#include "src/vulkan/clock.hpp"
#include "src/vulkan/command_buffer.hpp"
#include "src/vulkan/command_buffer_times.hpp"
#include "src/vulkan/counter_heap.hpp"
#include "src/vulkan/query_pool.hpp"
#include "src/vulkan/workarounds.hpp"

#include <vector>

namespace basanite::vulkan {

enum class Granularity : uint8_t { relaxed, precise };

// Where a stamp is to land. The heap lives until the recording has run: whoever records sees to it.
struct StampTarget {
  CounterHeap* heap = nullptr;
  uint32_t index = 0; // below heap->count()
};

// Stamps of one recording whose queries lie one behind the other and go to places that do: one copy.
struct StampRun {
  Query first;
  uint32_t count;
  Buffer* buffer;  // of a heap, or of the recording's times
  uint64_t offset; // of the first 8 bytes in it
  uint64_t end() const { return offset + uint64_t(count) * CounterHeap::kEntryBytes; }
  // Whether a stamp carries it on.
  bool isFollowedBy(const Query& query, const Buffer& other, uint64_t otherOffset) const {
    return end() == otherOffset && first.index + count == query.index && first.vkPool == query.vkPool &&
           buffer == &other;
  }
};

// One a Metal command buffer, same thread rule. Between begin() and finish() it records into that buffer.
class TimestampRecorder {
 public:
  // Right after CommandBuffer::begin(). Writes the buffer's start stamp. Forgets the previous recording.
  void begin(CommandBuffer& commands, const Clock& clock);
  // Right before CommandBuffer::end(), outside rendering. Writes the end stamp and copies what is still to be
  // copied.
  void finish();

  // A stamp outside rendering, after everything recorded earlier (command buffer and compute encoder).
  // Precise drains the GPU before and after it; relaxed does not.
  void stamp(Granularity granularity, StampTarget target);

  // The same entries written by earlier stamps of this queue, copied to a buffer. Outside rendering, after
  // the caller's waits. `count` entries from `first` on; the destination holds them.
  void resolve(CounterHeap& heap, uint32_t first, uint32_t count, VkBuffer vkDestination, uint64_t offset);

  // ---- for RenderScope
  // Writes a query at this place for the target; it is copied by a later flush().
  void writeQuery(VkPipelineStageFlagBits2 stage, StampTarget target) {
    write(stage, target.heap->buffer(), uint64_t(target.index) * CounterHeap::kEntryBytes);
  }
  // Makes relaxed stamps just written true on drivers that misplace them: see workarounds.hpp.
  void settleRelaxed() {
    if (m_workarounds->relaxedStamp == RelaxedStamp::doubled) writeUnread();
  }
  const Workarounds& workarounds() const { return *m_workarounds; }

  // Start and end of this recording, for commit feedback. Null without timestamps on this device.
  const base::Ref<CommandBufferTimes>& times() const { return m_times; }

 private:
  // Programs stamp every draw, so what that needs is inline.
  void write(VkPipelineStageFlagBits2 stage, Buffer& buffer, uint64_t offset) {
    if (!m_queries->hasRoom() && !makeRoom()) [[unlikely]]
      return;
    const Query query = m_queries->writeTimestamp(m_commands->vkMain(), stage);
    if (!m_runs.empty() && m_runs.back().isFollowedBy(query, buffer, offset)) [[likely]]
      ++m_runs.back().count;
    else
      m_runs.push_back({query, 1, &buffer, offset});
  }
  void writeUnread();
  // False when there is no memory for more queries; then the command buffer has failed.
  bool makeRoom();
  // There are no times where their memory could not be had.
  bool isOfHeap(const StampRun& run) const { return !m_times || run.buffer != &m_times->buffer(); }
  void flush();
  void copyQueries();
  void convertQueries();

  CommandBuffer* m_commands = nullptr;
  const Clock* m_clock = nullptr;
  const Workarounds* m_workarounds = nullptr;
  QueryPool* m_queries = nullptr; // of the command buffer's pool
  std::vector<StampRun> m_runs;   // not yet copied, in order of recording
  base::Ref<CommandBufferTimes> m_times;
};

} // namespace basanite::vulkan
