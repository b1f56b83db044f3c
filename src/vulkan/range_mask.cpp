// SPDX-License-Identifier: Apache-2.0
// Writes the entries, and records the kernel that looks at them when it runs.
#include "src/vulkan/range_mask.hpp"

#include "src/vulkan/command_buffer.hpp"
#include "src/vulkan/range_mask_spirv.hpp" // generated at build time

#include <algorithm>
#include <fmt/format.h>

namespace basanite::vulkan {

namespace {

constexpr uint32_t kThreads = 64;

} // namespace

// As in range_mask.comp; the entries follow.
struct RangeMask::Parameters {
  uint64_t range = 0;
  uint64_t count = 0;
};

base::Result<base::Ref<ComputePipeline>> RangeMask::createKernel(const base::Ref<Device>& device) {
  return ComputePipeline::create(device, {.spirv = kRangeMaskSpirv, .label = "range of commands"}, {kThreads, 1, 1});
}

RangeMask::RangeMask(CommandBuffer& commands, base::Ref<ComputePipeline> kernel, uint64_t range, uint64_t mostEntries)
    : m_commands(commands), m_kernel(std::move(kernel)), m_mostEntries(mostEntries) {
  static_assert(sizeof(Parameters) == 16 && sizeof(Entry) == 32);
  auto memory = commands.pool().upload(sizeof(Parameters) + mostEntries * sizeof(Entry));
  if (!memory) {
    commands.fail(memory.error());
    return;
  }
  m_memory = *memory;
  m_parameters = static_cast<Parameters*>(m_memory.contents);
  *m_parameters = {range, 0};
}

void RangeMask::record() {
  if (!m_parameters) return;
  // The app's barriers hold for the stage that would read a range.
  m_commands.barrier(VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
  base::abi::PushConstants constants;
  constants.vertexRecord = m_memory.gpuAddress;
  const auto groups = static_cast<uint32_t>((m_mostEntries + kThreads - 1) / kThreads);
  m_commands.dispatchThreadgroups(*m_kernel, constants, {groups, 1, 1}, {kThreads, 1, 1});
  m_commands.barrier(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT);
}

std::optional<UploadSpan> RangeMask::add(std::initializer_list<uint32_t> arguments) {
  if (!m_parameters) return std::nullopt;
  if (m_parameters->count == m_mostEntries) {
    m_commands.fail(base::Error{fmt::format(
        "Commands whose range is in memory take more than {} draws or dispatches of the device \"{}\".", m_mostEntries,
        m_commands.device().physical().name())});
    return std::nullopt;
  }
  const uint64_t offset = sizeof(Parameters) + m_parameters->count * sizeof(Entry);
  auto* entry = reinterpret_cast<Entry*>(static_cast<uint8_t*>(m_memory.contents) + offset);
  *entry = {};
  std::copy(arguments.begin(), arguments.end(), entry->arguments);
  entry->command = m_command;
  ++m_parameters->count;
  return UploadSpan{entry, m_memory.gpuAddress + offset, m_memory.vkBuffer, m_memory.offset + offset};
}

} // namespace basanite::vulkan
