// SPDX-License-Identifier: Apache-2.0
// MTL4::ComputeCommandEncoder: dispatches, barriers and timestamps. The copies are in compute_blit.cpp.
#include "src/metal/MTL4ComputeCommandEncoder.hpp"

#include "src/metal/enum_map.hpp"

#include <Metal/MTLComputeCommandEncoder.hpp>
#include <algorithm>
#include <limits>

using basanite::foundation::textOf;
using basanite::foundation::toImpl;

namespace basanite::metal {

namespace {

constexpr NS::UInteger kThreadgroupLengthMultiple = 16;

std::string nameOf(const ComputePipelineState& pipeline) {
  std::string_view label = textOf(pipeline.label.get());
  return std::string(label.empty() ? std::string_view(pipeline.backend->label()) : label);
}

bool isEmpty(const MTL::Size& size) { return size.width == 0 || size.height == 0 || size.depth == 0; }

bool fitsInt32(const MTL::Size& size) {
  constexpr NS::UInteger kMax = std::numeric_limits<uint32_t>::max();
  return size.width <= kMax && size.height <= kMax && size.depth <= kMax;
}

vulkan::Extent toExtent(const MTL::Size& size) {
  return {static_cast<uint32_t>(size.width), static_cast<uint32_t>(size.height),
          static_cast<uint32_t>(size.depth)};
}

} // namespace

void ComputeCommandEncoder4::setPipeline(ComputePipelineState* pipeline) {
  if (!pipeline)
    return commandBuffer->errors.report("ComputeCommandEncoder::setComputePipelineState: the state is null.");
  if (m_pipeline.get() == pipeline) return;
  m_recordedStage = nullptr; // would outlive the old state, and a new one may be made at its address
  m_pipeline = foundation::Retained<ComputePipelineState>(pipeline);
}

void ComputeCommandEncoder4::setThreadgroupLength(NS::UInteger lengthBytes, NS::UInteger index) {
  constexpr const char* kMethod = "ComputeCommandEncoder::setThreadgroupMemoryLength";
  if (index >= kMaxBufferBindings)
    return commandBuffer->errors.report("{}: index {} is past the {} threadgroup arguments.", kMethod, index,
                                        kMaxBufferBindings);
  if (lengthBytes % kThreadgroupLengthMultiple != 0)
    return commandBuffer->errors.report("{}: {} bytes are not a multiple of {}.", kMethod, lengthBytes,
                                        kThreadgroupLengthMultiple);
  NS::UInteger limit = commandBuffer->device->backend->limits().maxThreadgroupMemoryBytes;
  if (lengthBytes > limit)
    return commandBuffer->errors.report("{}: {} bytes are more than the device's {} of threadgroup memory.",
                                        kMethod, lengthBytes, limit);
  vulkan::ThreadgroupLength entry{static_cast<uint32_t>(index), static_cast<uint32_t>(lengthBytes)};
  auto place = std::lower_bound(m_lengths.begin(), m_lengths.end(), entry,
                                [](const auto& a, const auto& b) { return a.index < b.index; });
  if (place != m_lengths.end() && place->index == entry.index)
    *place = entry;
  else
    m_lengths.insert(place, entry);
}

bool ComputeCommandEncoder4::prepareDispatch(const char* method, MTL::Size size) {
  if (!canEncode(method)) return false;
  ErrorKeeper& errors = commandBuffer->errors;
  if (!m_pipeline) {
    errors.report("{}: no compute pipeline state has been set.", method);
    return false;
  }
  const ComputePipelineState& pipeline = *m_pipeline;
  NS::UInteger width = size.width, height = size.height, depth = size.depth;
  if (isEmpty(size) || !fitsInt32(size)) {
    errors.report("{}: a threadgroup of {} x {} x {} threads is not possible.", method, width, height, depth);
    return false;
  }
  if (width * height * depth > pipeline.maxTotalThreadsPerThreadgroup) {
    errors.report("{}: a threadgroup of {} x {} x {} has {} threads; the pipeline \"{}\" takes {}.", method,
                  width, height, depth, width * height * depth, nameOf(pipeline),
                  pipeline.maxTotalThreadsPerThreadgroup);
    return false;
  }
  MTL::Size required = pipeline.requiredThreadsPerThreadgroup;
  if (!isEmpty(required) &&
      (required.width != width || required.height != height || required.depth != depth)) {
    errors.report("{}: the pipeline \"{}\" requires threadgroups of {} x {} x {} threads, not {} x {} x {}.",
                  method, nameOf(pipeline), NS::UInteger(required.width), NS::UInteger(required.height),
                  NS::UInteger(required.depth), width, height, depth);
    return false;
  }
  for (uint32_t index : pipeline.threadgroupArguments) {
    bool given = std::any_of(m_lengths.begin(), m_lengths.end(),
                             [&](const auto& length) { return length.index == index && length.bytes > 0; });
    if (given) continue;
    errors.report("{}: the pipeline \"{}\" reads threadgroup({}), but no length was set for it.", method,
                  nameOf(pipeline), index);
    return false;
  }
  uint64_t version = m_table ? m_table->version : 0;
  if (m_recordedStage != &pipeline.stage || m_recordedVersion != version) {
    auto record = writeArgumentRecord(pipeline.stage, "kernel", m_table.get(), commandBuffer->addresses,
                                      commandBuffer->backend->pool(), errors);
    if (!record) return false;
    pipeline.stage.forEachObject([&](base::RefCounted* object) { commandBuffer->held.add(object); });
    m_constants.vertexRecord = *record;
    m_recordedStage = &pipeline.stage;
    m_recordedVersion = version;
  }
  commandBuffer->held.add(pipeline.backend.get());
  beforeCommand();
  return true;
}

void ComputeCommandEncoder4::beforeCommand() {
  if (!m_hasOpeningStamp) return;
  m_hasOpeningStamp = false;
  // A stamp waits for all earlier work; commands that did not wait for the stamp could be over before it is
  // taken.
  commandBuffer->backend->barrier(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                  false);
}

std::vector<vulkan::ThreadgroupLength> ComputeCommandEncoder4::readLengths() const {
  std::vector<vulkan::ThreadgroupLength> lengths;
  const auto& read = m_pipeline->threadgroupArguments;
  for (const auto& length : m_lengths) {
    if (std::find(read.begin(), read.end(), length.index) != read.end()) lengths.push_back(length);
  }
  return lengths;
}

void ComputeCommandEncoder4::dispatchIndirect(const char* method, MTL::GPUAddress arguments,
                                              MTL::Size threadsPerThreadgroup) {
  if (!canEncode(method)) return;
  auto location =
      commandBuffer->findArguments(method, arguments, sizeof(MTL::DispatchThreadgroupsIndirectArguments));
  if (!location || !prepareDispatch(method, threadsPerThreadgroup)) return;
  stages |= MTL::StageDispatch;
  commandBuffer->backend->dispatchIndirect(*m_pipeline->backend, m_constants, location->vkBuffer,
                                           location->offset, toExtent(threadsPerThreadgroup), readLengths());
}

void ComputeCommandEncoder4::dispatch(const char* method, MTL::Size size, MTL::Size threadsPerThreadgroup,
                                      bool countsThreads) {
  if (!prepareDispatch(method, threadsPerThreadgroup)) return;
  if (!fitsInt32(size))
    return commandBuffer->errors.report("{}: a grid of {} x {} x {} is more than 32 bits can count.", method,
                                        NS::UInteger(size.width), NS::UInteger(size.height),
                                        NS::UInteger(size.depth));
  stages |= MTL::StageDispatch;
  if (isEmpty(size)) return; // an empty grid is legal and runs nothing
  std::vector<vulkan::ThreadgroupLength> lengths = readLengths();
  vulkan::CommandBuffer& commands = *commandBuffer->backend;
  if (countsThreads)
    commands.dispatchThreads(*m_pipeline->backend, m_constants, toExtent(size),
                             toExtent(threadsPerThreadgroup), lengths);
  else
    commands.dispatchThreadgroups(*m_pipeline->backend, m_constants, toExtent(size),
                                  toExtent(threadsPerThreadgroup), lengths);
}

bool ComputeCommandEncoder4::beginBlit(const char* method) {
  if (!canEncode(method)) return false;
  beforeCommand();
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
