// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4ComputeCommandEncoder.hpp: dispatches and blits.
#pragma once

#include "src/metal/MTL4ArgumentTable.hpp"
#include "src/metal/MTL4CommandEncoder.hpp"
#include "src/metal/MTLComputePipeline.hpp"
#include "src/metal/threadgroup_arguments.hpp"

#include <Metal/MTL4ComputeCommandEncoder.hpp>
#include <optional>
#include <vector>

namespace basanite::metal {

class ComputeCommandEncoder4 final : public CommandEncoder4 {
 public:
  explicit ComputeCommandEncoder4(CommandBuffer4* owner) : CommandEncoder4(owner) {}
  const char* className() const override { return "MTL4ComputeCommandEncoder"; }

  void setPipeline(ComputePipelineState* pipeline);
  void setArgumentTable(ArgumentTable* table) {
    m_arguments.table = foundation::Retained<ArgumentTable>(table);
  }
  void setThreadgroupLength(NS::UInteger lengthBytes, NS::UInteger index);
  // `size` counts threadgroups, or threads when `countsThreads`.
  void dispatch(const char* method, MTL::Size size, MTL::Size threadsPerThreadgroup, bool countsThreads);
  // Threadgroup counts from memory.
  void dispatchIndirect(const char* method, MTL::GPUAddress arguments, MTL::Size threadsPerThreadgroup);
  void writeTimestamp(MTL4::TimestampGranularity granularity, const MTL4::CounterHeap* heap,
                      NS::UInteger index);

  // In indirect_execute.cpp: each command as if it had been encoded here, and the encoder's own state is what
  // it was afterwards; then what else an encoder does with indirect command buffers.
  void executeCommands(const MTL::IndirectCommandBuffer* buffer, const IndirectRange& range);
  void resetCommands(const MTL::IndirectCommandBuffer* buffer, const NS::Range& range);
  void copyCommands(const MTL::IndirectCommandBuffer* source, const NS::Range& range,
                    const MTL::IndirectCommandBuffer* destination, NS::UInteger index);
  void optimizeCommands(const MTL::IndirectCommandBuffer* buffer, const NS::Range& range);

  // Blit helpers: the encoder takes `method` and `stages` includes blit from here on.
  bool beginBlit(const char* method);

  void stampSoFar(vulkan::StampTarget target) override;
  void consumerBarrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before, bool memory) override;
  void producerBarrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before, bool memory) override;
  void encoderBarrier(MTL::Stages after, MTL::Stages before, bool memory) override;

  MTL::Stages stages = 0; // of the commands so far

 private:
  // Before each command: it waits for the stamps that opened the encoder.
  void beforeCommand(trace::CommandKind kind);
  void awaitOpeningStamp();
  // Everything a dispatch needs; gives the threadgroup lengths that the kernel reads, since only those select
  // its variant. Nothing when it must not run, which has then been reported.
  std::optional<std::vector<vulkan::ThreadgroupLength>> prepareDispatch(const char* method,
                                                                        const Counts& threadsPerThreadgroup);
  // Of buffers of which one at least may be encoded by the GPU.
  base::Result<void> copyRecords(IndirectCommandBuffer& from, const NS::Range& range,
                                 IndirectCommandBuffer& to, NS::UInteger index);
  // In indirect_expand.cpp: commands that the GPU may have encoded.
  void executeExpanded(const char* method, IndirectCommandBuffer& buffer, const IndirectRange& range);
  void finish() override {}
  void placeStamp(vulkan::Granularity granularity, vulkan::StampTarget target) override;
  // Stamps behind the last command what follows it is about to be encoded.
  void stampBehindCommand();

  foundation::Retained<ComputePipelineState> m_pipeline;
  StageArguments m_arguments;
  ThreadgroupArguments m_threadgroupArguments;
  bool m_hasOpeningStamp = false;       // relaxed, with no command behind it yet
  StampSlot* m_behindCommand = nullptr; // of the last command, for the recording; null: none is due
  base::abi::PushConstants m_constants;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::ComputeCommandEncoder, basanite::metal::ComputeCommandEncoder4)
