// SPDX-License-Identifier: Apache-2.0
// Draws and dispatches of numbered commands, of which only those in a range run that the GPU reads from memory.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/command_pool.hpp"
#include "src/vulkan/compute_pipeline.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>

namespace basanite::vulkan {

class CommandBuffer;

// Each draw takes its arguments from an entry in upload memory; ahead of them all a kernel zeroes the entries of
// commands that are outside the range. Same thread rule as the command buffer.
class RangeMask {
 public:
  static base::Result<base::Ref<ComputePipeline>> createKernel(const base::Ref<Device>& device);

  // `range`: GPU address of the first command and the count of commands, 32 bits each. `mostEntries`: at least 1.
  RangeMask(CommandBuffer& commands, base::Ref<ComputePipeline> kernel, uint64_t range, uint64_t mostEntries);

  // Records the kernel, with barriers for a range that indirect commands may read, and for commands behind it. Outside
  // rendering, before the first add().
  void record();
  // Of the entries that follow.
  void setCommand(uint32_t index) { m_command = index; }
  // Up to five words, as Vulkan's indirect commands have them. Nothing when the entries are used up or could not be
  // made, which the command buffer has then been told.
  std::optional<UploadSpan> add(std::initializer_list<uint32_t> arguments);

 private:
  struct Entry {
    uint32_t arguments[5];
    uint32_t command;
    uint32_t reserved[2];
  };
  struct Parameters;

  CommandBuffer& m_commands;
  base::Ref<ComputePipeline> m_kernel;
  UploadSpan m_memory;                // the parameters and the entries
  Parameters* m_parameters = nullptr; // null: no memory
  uint64_t m_mostEntries;
  uint32_t m_command = 0;
};

} // namespace basanite::vulkan
