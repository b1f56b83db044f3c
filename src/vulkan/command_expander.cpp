// SPDX-License-Identifier: Apache-2.0
// Lays out the scratch memory of an execution and records its kernels.
#include "src/vulkan/command_expander.hpp"

#include "src/vulkan/command_buffer.hpp"
#include "src/vulkan/copy_indices_spirv.hpp"    // generated at build time
#include "src/vulkan/expand_commands_spirv.hpp" // generated at build time

#include <algorithm>
#include <fmt/format.h>

namespace basanite::vulkan {

namespace {

constexpr uint32_t kThreads = 64;
constexpr uint64_t kJobBytes = 16;

// Room for indices: new memory is cleared, so short lists take less.
uint32_t mostIndices(uint32_t commands) {
  constexpr uint64_t kLeast = 1 << 22, kOfCommand = 1 << 16;
  return static_cast<uint32_t>(
      std::clamp<uint64_t>(commands * kOfCommand, kLeast, CommandExpander::kMostIndices));
}

// As in expand_commands.comp; the candidates follow.
struct ExpandParameters {
  uint64_t records, range, entries, arguments, jobs, status;
  uint32_t first, count, recordBytes, candidateCount;
  uint32_t firstBuffers, secondBuffers, firstWords, secondWords;
  uint32_t inheritsBuffers, inheritsPipeline, mostIndices, reserved;
};
// As in copy_indices.comp.
struct CopyParameters {
  uint64_t jobs, indices;
};

} // namespace

base::Result<ExpandKernels> ExpandKernels::create(const base::Ref<Device>& device) {
  ExpandKernels kernels;
  const LocalSize size{kThreads, 1, 1};
  BASANITE_TRY(
      kernels.expand,
      ComputePipeline::create(device, {.spirv = kExpandCommandsSpirv, .label = "expand commands"}, size));
  BASANITE_TRY(kernels.copyIndices,
               ComputePipeline::create(device, {.spirv = kCopyIndicesSpirv, .label = "copy indices"}, size));
  return kernels;
}

base::Result<CommandExpander> CommandExpander::create(const base::Ref<Device>& device, CommandPool& pool,
                                                      const ExpandInfo& info) {
  static_assert(sizeof(ExpandParameters) == 96 && sizeof(ExpandCandidate) == 32 &&
                sizeof(ExpandStatus) == 32);
  if (info.count > kMostCommands)
    return base::Error{
        fmt::format("an execution of commands that the GPU may have encoded has {} of them; {} is the most",
                    info.count, kMostCommands)};
  CommandExpander made;
  made.m_count = info.count;
  made.m_candidates = static_cast<uint32_t>(info.candidates.size());
  made.m_firstWords = info.firstWords;
  made.m_secondWords = info.secondWords;
  const uint64_t entryBytes = uint64_t(info.count) * made.m_candidates * kEntryBytes;
  const uint64_t recordBytes = uint64_t(info.count) * (info.firstWords + info.secondWords) * sizeof(uint64_t);
  const uint64_t jobBytes = uint64_t(info.count) * kJobBytes;
  BASANITE_TRY(made.m_scratch,
               Buffer::create(device, std::max<uint64_t>(entryBytes + recordBytes + jobBytes, 1),
                              MemoryKind::deviceLocal, "expanded commands"));
  if (info.indexed) {
    BASANITE_TRY(made.m_indices, Buffer::create(device, uint64_t(mostIndices(info.count)) * sizeof(uint32_t),
                                                MemoryKind::deviceLocal, "indices of commands"));
  }
  BASANITE_TRY(made.m_status,
               Buffer::create(device, sizeof(ExpandStatus), MemoryKind::readback, "faults of commands"));
  made.m_records = made.m_scratch->gpuAddress() + entryBytes;
  const uint64_t jobs = made.m_records + recordBytes;

  BASANITE_TRY(made.m_parameters, pool.upload(sizeof(ExpandParameters) + info.candidates.size_bytes()));
  auto* parameters = static_cast<ExpandParameters*>(made.m_parameters.contents);
  *parameters = {info.records,
                 info.range,
                 made.m_scratch->gpuAddress(),
                 made.m_records,
                 jobs,
                 made.m_status->gpuAddress(),
                 info.first,
                 info.count,
                 info.recordBytes,
                 made.m_candidates,
                 info.firstBuffers,
                 info.secondBuffers,
                 info.firstWords,
                 info.secondWords,
                 info.inheritsBuffers,
                 info.inheritsPipeline,
                 info.indexed ? mostIndices(info.count) : 0,
                 0};
  std::copy(info.candidates.begin(), info.candidates.end(),
            reinterpret_cast<ExpandCandidate*>(parameters + 1));
  if (info.indexed) {
    BASANITE_TRY(made.m_copyParameters, pool.upload(sizeof(CopyParameters)));
    *static_cast<CopyParameters*>(made.m_copyParameters.contents) = {jobs, made.m_indices->gpuAddress()};
  }
  return made;
}

void CommandExpander::record(CommandBuffer& commands, const ExpandKernels& kernels) const {
  constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  // The app's barriers hold for the stage that would read commands.
  commands.barrier(VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, kCompute);
  base::abi::PushConstants constants;
  constants.vertexRecord = m_parameters.gpuAddress;
  commands.dispatchThreadgroups(*kernels.expand, constants, {(m_count + kThreads - 1) / kThreads, 1, 1},
                                {kThreads, 1, 1});
  VkPipelineStageFlags2 readers =
      VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
      VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | kCompute | VK_PIPELINE_STAGE_2_HOST_BIT;
  if (m_indices) {
    commands.barrier(kCompute, kCompute);
    constants.vertexRecord = m_copyParameters.gpuAddress;
    commands.dispatchThreadgroups(*kernels.copyIndices, constants, {m_count, 1, 1}, {kThreads, 1, 1});
    readers |= VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT;
  }
  commands.barrier(kCompute, readers);
}

} // namespace basanite::vulkan
