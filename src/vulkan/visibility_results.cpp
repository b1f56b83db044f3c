// SPDX-License-Identifier: Apache-2.0
// Begins and ends occlusion queries, and records the kernel that adds them up.
#include "src/vulkan/visibility_results.hpp"

#include "src/vulkan/query_pool.hpp"
#include "src/vulkan/visibility_sum_spirv.hpp" // generated at build time

namespace basanite::vulkan {

namespace {

constexpr uint32_t kThreads = 32;
constexpr uint64_t kWordBytes = sizeof(uint64_t);

// As in visibility_sum.comp; the entries follow.
struct Parameters {
  uint64_t samples = 0;
  uint64_t count = 0;
};
static_assert(sizeof(Parameters) == 16 && sizeof(VisibilityEntry) == 24);

} // namespace

base::Result<base::Ref<ComputePipeline>> VisibilityResults::createKernel(const base::Ref<Device>& device) {
  return ComputePipeline::create(device, {.spirv = kVisibilitySumSpirv, .label = "visibility results"},
                                 {kThreads, 1, 1});
}

VisibilityResults::VisibilityResults(CommandBuffer& commands, base::Ref<ComputePipeline> kernel,
                                     uint64_t target, bool accumulates)
    : m_commands(commands), m_kernel(std::move(kernel)), m_target(target), m_accumulates(accumulates) {}

void VisibilityResults::setMode(VisibilityMode mode, uint64_t offset) {
  if (mode == m_mode && (mode == VisibilityMode::disabled || offset == m_offset)) return;
  m_mode = mode;
  m_offset = offset;
  m_isStale = true;
  // A result that no draw adds to is 0, so it must be there.
  if (mode != VisibilityMode::disabled) m_results[offset].mode = mode;
}

void VisibilityResults::beforeDraw() {
  pause();
  m_isStale = false;
  if (m_mode == VisibilityMode::disabled) return;
  auto query = QueryPool::of(m_commands.pool()).takeOcclusion();
  if (!query.ok()) return m_commands.fail(std::move(query).error());
  m_running = *query;
  m_results[m_offset].queries.push_back(m_running);
  const VkQueryControlFlags flags = m_mode == VisibilityMode::counting ? VK_QUERY_CONTROL_PRECISE_BIT : 0;
  m_commands.device().fn().vkCmdBeginQuery(m_commands.vkMain(), m_running.vkPool, m_running.index, flags);
}

void VisibilityResults::pause() {
  if (!m_running.vkPool) return;
  m_commands.device().fn().vkCmdEndQuery(m_commands.vkMain(), m_running.vkPool, m_running.index);
  m_running = {};
  m_isStale = m_mode != VisibilityMode::disabled;
}

std::map<uint64_t, VisibilityEntry*> VisibilityResults::finish() {
  std::map<uint64_t, VisibilityEntry*> made;
  if (m_results.empty()) return made;
  std::vector<Query> queries;
  for (const auto& [offset, result] : m_results)
    queries.insert(queries.end(), result.queries.begin(), result.queries.end());
  CommandPool& pool = m_commands.pool();
  auto samples = pool.upload((queries.size() + 1) * kWordBytes); // never nothing
  auto memory = pool.upload(sizeof(Parameters) + m_results.size() * sizeof(VisibilityEntry));
  for (const auto* span : {&samples, &memory}) {
    if (span->ok()) continue;
    m_commands.fail(span->error());
    return made;
  }
  auto* parameters = static_cast<Parameters*>(memory->contents);
  *parameters = {samples->gpuAddress, m_results.size()};
  auto* entry = reinterpret_cast<VisibilityEntry*>(parameters + 1);
  uint32_t first = 0;
  for (const auto& [offset, result] : m_results) {
    const auto count = static_cast<uint32_t>(result.queries.size());
    *entry = {m_target + offset, first, count, result.mode == VisibilityMode::boolean, m_accumulates};
    first += count;
    made.emplace(offset, entry++);
  }

  copyQueries(m_commands.device(), m_commands.vkMain(), queries, samples->vkBuffer, samples->offset);
  // In Metal results are the fragment stage's work: what the app ordered before or behind that must hold for
  // the kernel.
  m_commands.barrier(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
  base::abi::PushConstants constants;
  constants.vertexRecord = memory->gpuAddress;
  const auto groups = static_cast<uint32_t>((m_results.size() + kThreads - 1) / kThreads);
  m_commands.dispatchThreadgroups(*m_kernel, constants, {groups, 1, 1}, {kThreads, 1, 1});
  m_commands.barrier(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                     VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT);
  return made;
}

} // namespace basanite::vulkan
