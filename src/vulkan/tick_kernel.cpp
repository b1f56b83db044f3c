// SPDX-License-Identifier: Apache-2.0
// Makes and dispatches tick_kernel.comp.
#include "src/vulkan/tick_kernel.hpp"

#include "src/vulkan/tick_kernel_spirv.hpp" // generated at build time

#include <cstring>

namespace basanite::vulkan {

namespace {

constexpr uint32_t kThreads = 128;
constexpr uint64_t kWordBytes = sizeof(uint64_t);

// As in tick_kernel.comp.
struct Parameters {
  uint64_t ticks = 0;
  uint64_t destinations = 0;
  uint64_t reference = 0;
  uint64_t nsMultiplier = 0;
  uint64_t simulatedMultiplier = 0;
  uint64_t simulatedFirstTick = 0;
  uint32_t nsShift = 0;
  uint32_t simulatedShift = 0;
  uint32_t bits = 0;
  uint32_t count = 0;
};
static_assert(sizeof(Parameters) == 64);

} // namespace

TickFormat TickFormat::of(const PhysicalDevice& device) {
  const DeviceLimits& limits = device.limits();
  return {limits.timestampValidBits, TickScale::nsPerTick(static_cast<float>(limits.timestampPeriodNs)),
          device.simulatedClock()};
}

base::Result<std::unique_ptr<TickKernel>> TickKernel::create(const base::Ref<Device>& device) {
  auto kernel = std::unique_ptr<TickKernel>(new TickKernel(device->physical()));
  BASANITE_TRY(kernel->m_pipeline,
               ComputePipeline::create(device, {.spirv = kTickKernelSpirv, .label = "timestamp ticks"},
                                       {kThreads, 1, 1}));
  return kernel;
}

void TickKernel::record(CommandBuffer& commands, std::span<const Query> queries,
                        std::span<const uint64_t> destinations, uint64_t reference) const {
  if (queries.empty()) return;
  auto ticks = commands.pool().upload(queries.size() * kWordBytes);
  if (!ticks.ok()) return commands.fail(std::move(ticks).error());
  copyQueries(commands.device(), commands.vkMain(), queries, ticks->vkBuffer, ticks->offset);
  convert(commands, m_format, ticks->gpuAddress, destinations, reference);
}

void TickKernel::convert(CommandBuffer& commands, const TickFormat& format, uint64_t ticks,
                         std::span<const uint64_t> destinations, uint64_t reference) const {
  auto addresses = commands.pool().upload(destinations.size_bytes());
  if (!addresses.ok()) return commands.fail(std::move(addresses).error());
  auto parameters = commands.pool().upload(sizeof(Parameters));
  if (!parameters.ok()) return commands.fail(std::move(parameters).error());
  std::memcpy(addresses->contents, destinations.data(), destinations.size_bytes());
  const auto& simulated = format.simulated;
  *static_cast<Parameters*>(parameters->contents) = {
      .ticks = ticks,
      .destinations = addresses->gpuAddress,
      .reference = reference ? reference : ticks, // always loaded, with 64 bits not looked at
      .nsMultiplier = format.nsPerTick.multiplier,
      .simulatedMultiplier = simulated ? simulated->ticksPerNs.multiplier : 0,
      .simulatedFirstTick = simulated ? simulated->firstTick : 0,
      .nsShift = format.nsPerTick.shift,
      .simulatedShift = simulated ? simulated->ticksPerNs.shift : 0,
      .bits = format.bits,
      .count = static_cast<uint32_t>(destinations.size())};
  constexpr VkPipelineStageFlags2 kWriters =
      VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  commands.barrier(kWriters, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
  base::abi::PushConstants constants;
  constants.vertexRecord = parameters->gpuAddress;
  commands.dispatchThreadgroups(*m_pipeline, constants, {1, 1, 1}, {kThreads, 1, 1});
  commands.barrier(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, kWriters | VK_PIPELINE_STAGE_2_HOST_BIT);
}

} // namespace basanite::vulkan
