// SPDX-License-Identifier: Apache-2.0
// How many samples the draws of one render pass let through, added up in a buffer at the offsets that the app
// names.
#pragma once

#include "src/vulkan/command_buffer.hpp"
#include "src/vulkan/compute_pipeline.hpp"
#include "src/vulkan/query_pool.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace basanite::vulkan {

enum class VisibilityMode : uint8_t { disabled, boolean, counting };

// One result as the kernel sees it (visibility_sum.comp), in upload memory, which it reads when it runs.
struct VisibilityEntry {
  uint64_t target = 0; // GPU address
  uint32_t first = 0;  // of its queries
  uint32_t count = 0;
  uint32_t isBoolean = 0; // 1 for any sample
  uint32_t accumulates =
      0; // added to what the buffer holds; may still be set until the recording is submitted
};

// An occlusion query cannot leave the rendering instance it began in, and a pass may be split or switch
// between offsets and back. So each stretch of draws takes a query of its own, and a kernel behind the pass
// adds up those of each offset. Same thread rule as the command buffer.
class VisibilityResults {
 public:
  static base::Result<base::Ref<ComputePipeline>> createKernel(const base::Ref<Device>& device);

  // `target`: GPU address of the buffer. Without `accumulates` a result is of this pass alone; offsets that
  // the pass does not name stay untouched either way.
  VisibilityResults(CommandBuffer& commands, base::Ref<ComputePipeline> kernel, uint64_t target,
                    bool accumulates);

  // Of later draws. `offset` in bytes, a multiple of 8.
  void setMode(VisibilityMode mode, uint64_t offset);
  // beforeDraw() has something to record.
  bool isStale() const { return m_isStale; }
  // Inside rendering.
  void beforeDraw();
  // Inside rendering, before it ends.
  void pause();
  // Outside rendering, behind the pass; once. The entries by offset, for the parts of a pass that are summed
  // over command buffers: valid until the command pool is reset.
  std::map<uint64_t, VisibilityEntry*> finish();

 private:
  struct Result {
    VisibilityMode mode;
    std::vector<Query> queries;
  };
  CommandBuffer& m_commands;
  base::Ref<ComputePipeline> m_kernel;
  uint64_t m_target;
  bool m_accumulates;
  std::map<uint64_t, Result> m_results; // by offset
  VisibilityMode m_mode = VisibilityMode::disabled;
  uint64_t m_offset = 0;
  bool m_isStale = false;
  Query m_running; // vkPool null: none
};

} // namespace basanite::vulkan
