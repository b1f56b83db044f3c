// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4CommandEncoder.hpp: what render and compute encoders have in common.
#pragma once

#include "src/metal/MTL4CommandBuffer.hpp"
#include "src/metal/MTLFence.hpp"
#include "src/metal/MTLIndirectCommandBuffer.hpp"
#include "src/metal/enum_check.hpp"
#include "src/metal/pipeline_stage.hpp"

#include <Metal/MTL4CommandEncoder.hpp>
#include <optional>

namespace basanite::metal {

// One thread, as its command buffer, which keeps it until the next begin. Commands after the end are reported
// and dropped.
class CommandEncoder4 : public foundation::Object {
 public:
  explicit CommandEncoder4(CommandBuffer4* owner) : commandBuffer(owner) {}

  // True while commands are taken. Else `method` is reported on the command buffer.
  bool canEncode(const char* method) {
    if (!ended && commandBuffer) [[likely]]
      return true;
    reportEnded(method);
    return false;
  }
  // False, with the report, when an argument of `method` is a number that is none of its enumeration's.
  template <class E> bool knows(const char* method, E value) {
    if (isKnown(value)) [[likely]]
      return true;
    commandBuffer->errors.report("{}: {}.", method, unknownEnumerator("the argument", value));
    return false;
  }
  void endEncoding();
  void pushGroup(std::string_view text);
  void popGroup();
  // The recording is over: the encoder must not touch the command buffer again.
  void detach() {
    commandBuffer = nullptr;
    trace = nullptr;
  }

  // ---- for BASANITE_TRACE
  // Once, before any command.
  void openTrace(trace::EncoderKind kind);
  // Writes a stamp for the recording, here.
  void stampTrace(StampSlot& slot);
  EncoderTrace* trace = nullptr; // null: nothing is recorded

  // A wait of later work in this encoder, and in later ones, for earlier work of the queue.
  virtual void consumerBarrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before, bool memory) = 0;
  // A wait of later encoders for work up to here.
  virtual void producerBarrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before, bool memory) = 0;
  // A stamp of the command buffer while this encoder is open: complete when everything encoded so far is.
  virtual void stampSoFar(vulkan::StampTarget target) = 0;
  // A wait between commands of this encoder; reports stages that this kind of encoder cannot wait for.
  virtual void encoderBarrier(MTL::Stages after, MTL::Stages before, bool memory) = 0;

  CommandBuffer4* commandBuffer; // null after detach()
  Copied<NS::String> label;
  bool ended = false;

 protected:
  // Records what is outstanding.
  virtual void finish() = 0;
  // The buffer, where commands of the wanted kind can be executed or changed in this command buffer; else
  // null, after the report.
  IndirectCommandBuffer* openIndirect(const char* method, const MTL::IndirectCommandBuffer* buffer);
  // False, with a report, when the range is not inside the buffer.
  bool checkCommands(const char* method, const IndirectCommandBuffer& buffer, const NS::Range& range);
  // A stamp behind what is encoded so far; the first one holds back what follows it.
  virtual void placeStamp(vulkan::Granularity granularity, vulkan::StampTarget target) = 0;
  // The commands in range, or all of them for a range in memory; nothing when it was reported.
  std::optional<IndirectRange> executionRange(const char* method, const IndirectCommandBuffer& buffer,
                                              const IndirectRange& range);
  // An expander for these candidates, with its kernels and what it needs held; nothing when it was reported.
  std::optional<vulkan::CommandExpander> makeExpander(const char* method, IndirectCommandBuffer& buffer,
                                                      const IndirectRange& range, vulkan::ExpandInfo info,
                                                      vulkan::ExpandKernels& kernels);
  // A fresh record of the stage at `address`, with what it needs held; false when it was reported.
  bool updateRecord(const PipelineStage& stage, const char* stageName, StageArguments& arguments,
                    uint64_t& address);
  // The same where nothing is out of the ordinary; false, with nothing reported, leaves it to updateRecord().
  bool updateUsualRecord(const PipelineStage& stage, StageArguments& arguments, uint64_t& address) {
    if (!writeUsualRecord(stage, arguments.table.get(), commandBuffer->addresses,
                          commandBuffer->backend->pool(), address))
      return false;
    noteRecord(stage, arguments);
    return true;
  }

 private:
  void noteRecord(const PipelineStage& stage, StageArguments& arguments) {
    stage.forEachObject([&](base::RefCounted* object) { commandBuffer->held.add(object); });
    arguments.recordedLayout = stage.recordLayout;
    arguments.recordedVersion = arguments.version();
  }
  void reportEnded(const char* method);
  void stampTraceEnd();

  uint32_t m_groupDepth = 0;
};

// Of a granularity that is known.
constexpr vulkan::Granularity toGranularity(MTL4::TimestampGranularity granularity) {
  return granularity == MTL4::TimestampGranularityPrecise ? vulkan::Granularity::precise
                                                          : vulkan::Granularity::relaxed;
}

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::CommandEncoder, basanite::metal::CommandEncoder4)
