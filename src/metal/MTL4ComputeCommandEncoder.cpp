// SPDX-License-Identifier: Apache-2.0
// MTL4::ComputeCommandEncoder: dispatches, barriers and timestamps. The copies are in compute_blit.cpp.
#include "src/metal/MTL4ComputeCommandEncoder.hpp"

#include "src/metal/enum_map.hpp"

#include <Metal/MTLComputeCommandEncoder.hpp>

using basanite::foundation::toImpl;

namespace basanite::metal {

namespace {

vulkan::Extent toExtent(const Counts& counts) {
  const auto n = counts.narrow();
  return {n[0], n[1], n[2]};
}

} // namespace

void ComputeCommandEncoder4::setPipeline(ComputePipelineState* pipeline) {
  if (!pipeline)
    return commandBuffer->errors.report("ComputeCommandEncoder::setComputePipelineState: the state is null.");
  m_pipeline = foundation::Retained<ComputePipelineState>(pipeline);
}

void ComputeCommandEncoder4::setThreadgroupLength(NS::UInteger lengthBytes, NS::UInteger index) {
  m_threadgroupArguments.set("ComputeCommandEncoder::setThreadgroupMemoryLength", lengthBytes, index,
                             commandBuffer->device->backend->limits().maxThreadgroupMemoryBytes,
                             commandBuffer->errors);
}

std::optional<std::vector<vulkan::ThreadgroupLength>>
ComputeCommandEncoder4::prepareDispatch(const char* method, const Counts& threadsPerThreadgroup) {
  if (!canEncode(method)) return std::nullopt;
  ErrorKeeper& errors = commandBuffer->errors;
  if (!m_pipeline) {
    errors.report("{}: no compute pipeline state has been set.", method);
    return std::nullopt;
  }
  const ComputePipelineState& pipeline = *m_pipeline;
  if (!checkThreadgroup(method, pipeline.name(), threadsPerThreadgroup,
                        {"kernel", pipeline.maxTotalThreadsPerThreadgroup,
                         pipeline.requiredThreadsPerThreadgroup,
                         commandBuffer->device->backend->limits().maxThreadgroupWidth},
                        errors))
    return std::nullopt;
  auto lengths = m_threadgroupArguments.lengthsOf(method, "kernel", pipeline.name(),
                                                  pipeline.threadgroupArguments, errors);
  if (!lengths) return std::nullopt;
  if (!m_arguments.recorded(pipeline.stage) &&
      !updateRecord(pipeline.stage, "kernel", m_arguments, m_constants.vertexRecord))
    return std::nullopt;
  commandBuffer->held.add(pipeline.backend.get());
  beforeCommand(trace::CommandKind::dispatch);
  return lengths;
}

void ComputeCommandEncoder4::stampBehindCommand() {
  if (StampSlot* slot = std::exchange(m_behindCommand, nullptr)) stampTrace(*slot);
}

void ComputeCommandEncoder4::beforeCommand(trace::CommandKind kind) {
  if (trace) {
    stampBehindCommand();
    const bool dispatches = kind == trace::CommandKind::dispatch && m_pipeline;
    m_behindCommand = trace->addCommand(kind, 0, dispatches ? m_pipeline->name() : std::string_view());
  }
  awaitOpeningStamp();
}

void ComputeCommandEncoder4::awaitOpeningStamp() {
  if (!m_hasOpeningStamp) return;
  m_hasOpeningStamp = false;
  // A stamp waits for all earlier work; commands that did not wait for the stamp could be over before it is
  // taken.
  commandBuffer->backend->barrier(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                  false);
}

void ComputeCommandEncoder4::dispatchIndirect(const char* method, MTL::GPUAddress arguments,
                                              MTL::Size threadsPerThreadgroup) {
  if (!canEncode(method)) return;
  auto location =
      commandBuffer->findArguments(method, arguments, sizeof(MTL::DispatchThreadgroupsIndirectArguments));
  if (!location) return;
  const Counts threads(threadsPerThreadgroup);
  auto lengths = prepareDispatch(method, threads);
  if (!lengths) return;
  stages |= MTL::StageDispatch;
  commandBuffer->backend->dispatchIndirect(*m_pipeline->backend, m_constants, location->vkBuffer,
                                           location->offset, toExtent(threads), *lengths);
}

void ComputeCommandEncoder4::dispatch(const char* method, MTL::Size size, MTL::Size threadsPerThreadgroup,
                                      bool countsThreads) {
  const Counts threads(threadsPerThreadgroup), counts(size);
  auto lengths = prepareDispatch(method, threads);
  if (!lengths) return;
  if (!counts.fits32Bits())
    return commandBuffer->errors.report("{}: a grid of {} x {} x {} is more than 32 bits can count.", method,
                                        counts.axis[0], counts.axis[1], counts.axis[2]);
  stages |= MTL::StageDispatch;
  if (counts.empty()) return; // an empty grid is legal and runs nothing
  vulkan::CommandBuffer& commands = *commandBuffer->backend;
  if (countsThreads)
    commands.dispatchThreads(*m_pipeline->backend, m_constants, toExtent(counts), toExtent(threads),
                             *lengths);
  else
    commands.dispatchThreadgroups(*m_pipeline->backend, m_constants, toExtent(counts), toExtent(threads),
                                  *lengths);
}

bool ComputeCommandEncoder4::beginBlit(const char* method) {
  if (!canEncode(method)) return false;
  beforeCommand(trace::CommandKind::copy);
  stages |= MTL::StageBlit;
  return true;
}

void ComputeCommandEncoder4::writeTimestamp(MTL4::TimestampGranularity granularity,
                                            const MTL4::CounterHeap* heap, NS::UInteger index) {
  constexpr const char* kMethod = "ComputeCommandEncoder::writeTimestamp";
  if (!canEncode(kMethod)) return;
  if (!knows(kMethod, granularity)) return;
  auto target = commandBuffer->stampTarget(kMethod, heap, index);
  if (!target) return;
  commandBuffer->timestamps.stamp(toGranularity(granularity), *target);
  m_hasOpeningStamp = stages == 0 && granularity == MTL4::TimestampGranularityRelaxed;
}

void ComputeCommandEncoder4::placeStamp(vulkan::Granularity granularity, vulkan::StampTarget target) {
  stampBehindCommand();
  commandBuffer->timestamps.stamp(granularity, target);
  m_hasOpeningStamp = stages == 0 && granularity == vulkan::Granularity::relaxed;
}

void ComputeCommandEncoder4::stampSoFar(vulkan::StampTarget target) {
  commandBuffer->timestamps.stamp(vulkan::Granularity::relaxed, target);
}

void ComputeCommandEncoder4::consumerBarrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before,
                                             bool memory) {
  commandBuffer->backend->barrier(after, before, memory);
}

void ComputeCommandEncoder4::producerBarrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before,
                                             bool memory) {
  // Later commands of this encoder wait as well, which is more than was asked for, and legal.
  commandBuffer->backend->barrier(after, before, memory);
}

void ComputeCommandEncoder4::encoderBarrier(MTL::Stages after, MTL::Stages before, bool memory) {
  constexpr MTL::Stages kLegal = MTL::StageDispatch | MTL::StageBlit | MTL::StageAccelerationStructure;
  if (after == 0 || before == 0 || ((after | before) & ~kLegal) != 0)
    return commandBuffer->errors.report(
        "CommandEncoder::barrierAfterEncoderStages: a compute encoder has the stages "
        "dispatch, blit and acceleration structure ({:#x}), not {:#x} and {:#x}.",
        static_cast<uint64_t>(kLegal), static_cast<uint64_t>(after), static_cast<uint64_t>(before));
  commandBuffer->backend->barrier(toVkStages(after), toVkStages(before), memory);
}

} // namespace basanite::metal

void MTL4::ComputeCommandEncoder::dispatchThreadgroups(MTL::GPUAddress indirectBuffer,
                                                       MTL::Size threadsPerThreadgroup) {
  if (this)
    toImpl(this)->dispatchIndirect("ComputeCommandEncoder::dispatchThreadgroups", indirectBuffer,
                                   threadsPerThreadgroup);
}
void MTL4::ComputeCommandEncoder::dispatchThreadgroups(MTL::Size threadgroupsPerGrid,
                                                       MTL::Size threadsPerThreadgroup) {
  if (this)
    toImpl(this)->dispatch("ComputeCommandEncoder::dispatchThreadgroups", threadgroupsPerGrid,
                           threadsPerThreadgroup, false);
}
void MTL4::ComputeCommandEncoder::dispatchThreads(MTL::Size threadsPerGrid, MTL::Size threadsPerThreadgroup) {
  if (this)
    toImpl(this)->dispatch("ComputeCommandEncoder::dispatchThreads", threadsPerGrid, threadsPerThreadgroup,
                           true);
}

void MTL4::ComputeCommandEncoder::setArgumentTable(const MTL4::ArgumentTable* argumentTable) {
  if (this && toImpl(this)->canEncode("ComputeCommandEncoder::setArgumentTable"))
    toImpl(this)->setArgumentTable(argumentTable ? toImpl(argumentTable) : nullptr);
}
void MTL4::ComputeCommandEncoder::setComputePipelineState(const MTL::ComputePipelineState* state) {
  if (this && toImpl(this)->canEncode("ComputeCommandEncoder::setComputePipelineState"))
    toImpl(this)->setPipeline(state ? toImpl(state) : nullptr);
}
void MTL4::ComputeCommandEncoder::setThreadgroupMemoryLength(NS::UInteger length, NS::UInteger index) {
  if (this && toImpl(this)->canEncode("ComputeCommandEncoder::setThreadgroupMemoryLength"))
    toImpl(this)->setThreadgroupLength(length, index);
}
MTL::Stages MTL4::ComputeCommandEncoder::stages() { return this ? toImpl(this)->stages : MTL::Stages(0); }
void MTL4::ComputeCommandEncoder::writeTimestamp(MTL4::TimestampGranularity granularity,
                                                 const MTL4::CounterHeap* counterHeap, NS::UInteger index) {
  if (this) toImpl(this)->writeTimestamp(granularity, counterHeap, index);
}
