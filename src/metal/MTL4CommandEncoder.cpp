// SPDX-License-Identifier: Apache-2.0
// MTL4::CommandEncoder: barriers, fences, debug groups and the end.
#include "src/metal/MTL4CommandEncoder.hpp"

#include "src/metal/enum_map.hpp"

using basanite::foundation::textOf;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;
using basanite::metal::toVkStages;

namespace basanite::metal {

void CommandEncoder4::reportEnded(const char* method) {
  if (commandBuffer)
    commandBuffer->report("{}: the encoder \"{}\" was used after endEncoding.", method, textOf(label.get()));
  else
    reportMisuse("{}: the encoder \"{}\" was used after its recording was over.", method,
                 textOf(label.get()));
}

void CommandEncoder4::endEncoding() {
  if (!canEncode("CommandEncoder::endEncoding")) return;
  if (trace) stampTraceEnd();
  finish();
  while (m_groupDepth > 0) popGroup(); // groups left open end with their encoder
  if (trace) trace->close(textOf(label.get()));
  ended = true;
  commandBuffer->encoderEnded(this);
}

void CommandEncoder4::openTrace(trace::EncoderKind kind) {
  if (!commandBuffer->trace) return;
  trace = &commandBuffer->trace->addEncoder(kind);
  // A pass without draws has its load and store actions.
  trace->addStage(kind == trace::EncoderKind::render ? trace::Stage::fragment : trace::Stage::compute);
  stampTrace(trace->begin);
}

void CommandEncoder4::stampTrace(StampSlot& slot) {
  RecordingTrace& recording = *commandBuffer->trace;
  if (auto target = recording.take(slot)) placeStamp(recording.granularity(), *target);
}

void CommandEncoder4::stampTraceEnd() {
  while (trace->hasOpenGroup()) stampTrace(*trace->popGroup());
  if (trace->record.kind == trace::EncoderKind::render) stampTrace(trace->geometryEnd);
  stampTrace(trace->end);
}

bool CommandEncoder4::updateRecord(const PipelineStage& stage, const char* stageName,
                                   StageArguments& arguments, uint64_t& address) {
  if (updateUsualRecord(stage, arguments, address)) return true;
  if (!writeArgumentRecord(stage, stageName, arguments.table.get(), commandBuffer->addresses,
                           commandBuffer->backend->pool(), commandBuffer->log.get(), commandBuffer->errors,
                           address))
    return false;
  noteRecord(stage, arguments);
  return true;
}

void CommandEncoder4::pushGroup(std::string_view text) {
  commandBuffer->backend->pushDebugGroup(text);
  ++m_groupDepth;
  if (trace) stampTrace(*trace->pushGroup(text));
}

void CommandEncoder4::popGroup() {
  if (m_groupDepth == 0)
    return commandBuffer->errors.report("CommandEncoder::popDebugGroup: no debug group is open.");
  --m_groupDepth;
  if (trace)
    if (StampSlot* slot = trace->popGroup()) stampTrace(*slot);
  commandBuffer->backend->popDebugGroup();
}

namespace {

bool orders(MTL4::VisibilityOptions options) { return options != MTL4::VisibilityOptionNone; }

void traceBarrier(CommandEncoder4& encoder, trace::BarrierKind kind, MTL::Stages after, MTL::Stages before) {
  if (encoder.trace) encoder.trace->addBarrier(kind, after, before);
}

} // namespace

} // namespace basanite::metal

void MTL4::CommandEncoder::barrierAfterEncoderStages(MTL::Stages afterEncoderStages,
                                                     MTL::Stages beforeEncoderStages,
                                                     MTL4::VisibilityOptions visibilityOptions) {
  if (!this) return;
  auto* self = toImpl(this);
  if (!self->canEncode("CommandEncoder::barrierAfterEncoderStages")) return;
  basanite::metal::traceBarrier(*self, basanite::trace::BarrierKind::encoder, afterEncoderStages,
                                beforeEncoderStages);
  self->encoderBarrier(afterEncoderStages, beforeEncoderStages, basanite::metal::orders(visibilityOptions));
}

void MTL4::CommandEncoder::barrierAfterQueueStages(MTL::Stages afterQueueStages, MTL::Stages beforeStages,
                                                   MTL4::VisibilityOptions visibilityOptions) {
  if (!this) return;
  auto* self = toImpl(this);
  if (!self->canEncode("CommandEncoder::barrierAfterQueueStages")) return;
  basanite::metal::traceBarrier(*self, basanite::trace::BarrierKind::consumer, afterQueueStages,
                                beforeStages);
  self->consumerBarrier(toVkStages(afterQueueStages), toVkStages(beforeStages),
                        basanite::metal::orders(visibilityOptions));
}

void MTL4::CommandEncoder::barrierAfterStages(MTL::Stages afterStages, MTL::Stages beforeQueueStages,
                                              MTL4::VisibilityOptions visibilityOptions) {
  if (!this) return;
  auto* self = toImpl(this);
  if (!self->canEncode("CommandEncoder::barrierAfterStages")) return;
  basanite::metal::traceBarrier(*self, basanite::trace::BarrierKind::producer, afterStages,
                                beforeQueueStages);
  self->producerBarrier(toVkStages(afterStages), toVkStages(beforeQueueStages),
                        basanite::metal::orders(visibilityOptions));
}

MTL4::CommandBuffer* MTL4::CommandEncoder::commandBuffer() const {
  return this && toImpl(this)->commandBuffer ? toPublic(toImpl(this)->commandBuffer) : nullptr;
}

void MTL4::CommandEncoder::endEncoding() {
  if (this) toImpl(this)->endEncoding();
}

void MTL4::CommandEncoder::insertDebugSignpost(const NS::String* string) {
  if (this && toImpl(this)->canEncode("CommandEncoder::insertDebugSignpost"))
    toImpl(this)->commandBuffer->backend->insertDebugLabel(textOf(string));
}

BASANITE_OBJECT_GETTER(MTL4::CommandEncoder, NS::String, label)
void MTL4::CommandEncoder::setLabel(const NS::String* label) {
  if (!this) return;
  auto* self = toImpl(this);
  self->label.set(label);
  if (label && !self->ended && self->commandBuffer)
    self->commandBuffer->backend->insertDebugLabel(textOf(label));
}

void MTL4::CommandEncoder::popDebugGroup() {
  if (this && toImpl(this)->canEncode("CommandEncoder::popDebugGroup")) toImpl(this)->popGroup();
}
void MTL4::CommandEncoder::pushDebugGroup(const NS::String* string) {
  if (this && toImpl(this)->canEncode("CommandEncoder::pushDebugGroup"))
    toImpl(this)->pushGroup(textOf(string));
}

void MTL4::CommandEncoder::updateFence(const MTL::Fence* fence, MTL::Stages afterEncoderStages) {
  if (!this || !fence || !toImpl(this)->canEncode("CommandEncoder::updateFence")) return;
  basanite::metal::traceBarrier(*toImpl(this), basanite::trace::BarrierKind::fenceUpdate, afterEncoderStages,
                                0);
  toImpl(fence)->noteUpdate(toVkStages(afterEncoderStages));
}

void MTL4::CommandEncoder::waitForFence(const MTL::Fence* fence, MTL::Stages beforeEncoderStages) {
  if (!this || !fence || !toImpl(this)->canEncode("CommandEncoder::waitForFence")) return;
  basanite::metal::traceBarrier(*toImpl(this), basanite::trace::BarrierKind::fenceWait, 0,
                                beforeEncoderStages);
  toImpl(this)->consumerBarrier(toImpl(fence)->waitStages(), toVkStages(beforeEncoderStages), true);
}
