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
  void writeQuery(VkPipelineStageFlagBits2 stage, StampTarget target);
  // Makes relaxed stamps just written true on drivers that misplace them: see workarounds.hpp.
  void settleRelaxed();
  const Workarounds& workarounds() const { return *m_workarounds; }

  // Start and end of this recording, for commit feedback. Null without timestamps on this device.
  const base::Ref<CommandBufferTimes>& times() const { return m_times; }

 private:
  void write(VkPipelineStageFlagBits2 stage, Buffer& buffer, uint64_t offset);
  bool isOfHeap(const StampRun& run) const { return run.buffer != &m_times->buffer(); }
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
