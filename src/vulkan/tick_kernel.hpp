// SPDX-License-Identifier: Apache-2.0
// The kernel that turns queries into heap entries on devices whose ticks are not nanoseconds of 64 bits.
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/command_buffer.hpp"
#include "src/vulkan/compute_pipeline.hpp"
#include "src/vulkan/query_pool.hpp"
#include "src/vulkan/simulated_clock.hpp"
#include "src/vulkan/tick_scale.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace basanite::vulkan {

// What a device's ticks are.
struct TickFormat {
  uint32_t bits = 64;
  TickScale nsPerTick;
  std::optional<SimulatedClock> simulated; // the queries hold its device's nanoseconds

  static TickFormat of(const PhysicalDevice& device);
};

// Immutable after creation; thread-safe but for the command buffers it records into.
//
// A counter of few bits goes round while nobody looks. A count that the host keeps up to date in memory
// (`reference`, read when the kernel runs) tells the turn of the newest stamp of a recording, which is taken
// right before; the others follow backwards in steps. So stamps may be as old as they like and the GPU may
// have idled or waited as long as it likes; only two neighbouring stamps of one recording must be less than
// 7/8 of a turn apart (36 bits of 52 ns: 52 minutes).
class TickKernel {
 public:
  static base::Result<std::unique_ptr<TickKernel>> create(const base::Ref<Device>& device);

  // Outside rendering: copies the queries to upload memory of the command pool and converts them, behind all
  // transfers and kernels recorded earlier on the queue; transfers and kernels that follow see the entries,
  // and so does the host. `queries` in order of recording, the last one taken just now; for each the GPU
  // address of the 8 bytes that get its nanoseconds (0: none). `reference`: GPU address of the extended tick
  // count of about now; may be 0 with 64 valid bits. Out of memory: the command buffer fails.
  void record(CommandBuffer& commands, std::span<const Query> queries, std::span<const uint64_t> destinations,
              uint64_t reference) const;

  // The conversion alone: of ticks that lie at the GPU address `ticks`, one for each destination, and that
  // transfers and kernels recorded earlier have written.
  void convert(CommandBuffer& commands, const TickFormat& format, uint64_t ticks,
               std::span<const uint64_t> destinations, uint64_t reference) const;

 private:
  explicit TickKernel(const PhysicalDevice& device) : m_format(TickFormat::of(device)) {}

  TickFormat m_format;
  base::Ref<ComputePipeline> m_pipeline;
};

} // namespace basanite::vulkan
