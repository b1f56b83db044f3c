// SPDX-License-Identifier: Apache-2.0
// Executes an indirect command buffer that the GPU has written (src/base/indirect_abi.hpp): kernels turn its records into
// arguments of Vulkan's indirect draws and dispatches.
//
// Vulkan binds pipelines, sets topologies and local sizes on the CPU, which does not know what a record asks for. So every
// command is recorded once for each *candidate*: a pipeline with a kind of command and what else the CPU must know of it. A
// kernel gives arguments to the candidate that the record asks for, and nothing to the others.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/buffer.hpp"
#include "src/vulkan/command_pool.hpp"
#include "src/vulkan/compute_pipeline.hpp"

#include <cstdint>
#include <span>

namespace basanite::vulkan {

class CommandBuffer;

struct ExpandCandidate {
  uint64_t pipeline = 0;      // GPU address of its IndirectLayout
  uint32_t type = 0;          // a bit of MTL::IndirectCommandType; every dispatch is ConcurrentDispatch here
  uint32_t primitiveType = 0; // of draws
  uint32_t threads[3] = {};   // of a dispatch's threadgroups
  uint32_t reserved = 0;
};

// Why a command was left out; the first one of an execution is kept.
enum class ExpandFault : uint32_t {
  none,
  noPipeline,    // no candidate is what the record asks for
  noBuffer,      // a: index, b: 0 for the vertex stage or the kernel, 1 for the fragment stage
  unevenGrid,    // a: threads of the grid along an axis, b: of a threadgroup
  tooManyIndices // a: indices of the command, b: the most of all commands together
};
struct ExpandStatus {
  ExpandFault fault;
  uint32_t command, a, b;
  uint32_t reserved[3];
  uint32_t indices; // taken
};

struct ExpandInfo {
  uint64_t records = 0; // GPU addresses; the record of command 0
  uint64_t range = 0;   // of a first command and a count, 32 bits each; 0: all of the commands below
  uint32_t first = 0, count = 0; // commands
  uint32_t recordBytes = 0;
  uint32_t firstBuffers = 0, secondBuffers = 0; // places in a record
  uint32_t firstWords = 0, secondWords = 0;     // of the longest argument records of any candidate
  bool inheritsBuffers = false, inheritsPipeline = false;
  bool indexed = false; // commands may have indices
  std::span<const ExpandCandidate> candidates;
};

struct ExpandKernels {
  base::Ref<ComputePipeline> expand, copyIndices;
  static base::Result<ExpandKernels> create(const base::Ref<Device>& device);
};

// One execution. Same thread rule as the command buffer.
class CommandExpander {
 public:
  static constexpr uint32_t kMostIndices = 1 << 24; // of all commands of an execution together
  static constexpr uint32_t kMostCommands = 65535;  // of an execution

  // Error: more commands than that; no memory.
  static base::Result<CommandExpander> create(const base::Ref<Device>& device, CommandPool& pool, const ExpandInfo& info);

  // The kernels, with a barrier in front for records that the app's barriers made fit for indirect commands, and one behind
  // for draws and dispatches. Outside rendering.
  void record(CommandBuffer& commands, const ExpandKernels& kernels) const;

  VkBuffer vkArguments() const { return m_scratch->vkBuffer(); }
  // Of Vulkan's arguments, for the command with number `id` from the first one on.
  uint64_t argumentsOffset(uint32_t id, uint32_t candidate) const {
    return (uint64_t(id) * m_candidates + candidate) * kEntryBytes;
  }
  // GPU addresses of the command's argument records.
  uint64_t firstRecord(uint32_t id) const { return m_records + uint64_t(id) * (m_firstWords + m_secondWords) * 8; }
  uint64_t secondRecord(uint32_t id) const { return firstRecord(id) + uint64_t(m_firstWords) * 8; }
  // 32 bits an index; null unless commands may have indices.
  const Buffer* indices() const { return m_indices.get(); }
  // Holds an ExpandStatus, for the host to read once the recording has run.
  const base::Ref<Buffer>& status() const { return m_status; }
  // Calls `hold` with what the GPU needs until then.
  template <class Hold> void forEachObject(Hold hold) const {
    hold(m_scratch.get());
    if (m_indices) hold(m_indices.get());
  }

 private:
  static constexpr uint64_t kEntryBytes = 32;

  base::Ref<Buffer> m_scratch, m_indices, m_status;
  UploadSpan m_parameters, m_copyParameters;
  uint32_t m_count = 0, m_candidates = 0, m_firstWords = 0, m_secondWords = 0;
  uint64_t m_records = 0;
};

} // namespace basanite::vulkan
