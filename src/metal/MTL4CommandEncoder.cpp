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
  finish();
  while (m_groupDepth > 0) popGroup(); // groups left open end with their encoder
  ended = true;
  commandBuffer->encoderEnded(this);
}

bool CommandEncoder4::updateRecord(const PipelineStage& stage, const char* stageName,
                                   StageArguments& arguments, uint64_t& address) {
  auto record = writeArgumentRecord(stage, stageName, arguments.table.get(), commandBuffer->addresses,
                                    commandBuffer->backend->pool(), commandBuffer->errors);
  if (!record) return false;
  stage.forEachObject([&](base::RefCounted* object) { commandBuffer->held.add(object); });
  address = *record;
  arguments.recordedLayout = stage.recordLayout;
  arguments.recordedVersion = arguments.version();
  return true;
}

void CommandEncoder4::pushGroup(std::string_view text) {
  commandBuffer->backend->pushDebugGroup(text);
  ++m_groupDepth;
}

void CommandEncoder4::popGroup() {
  if (m_groupDepth == 0)
    return commandBuffer->errors.report("CommandEncoder::popDebugGroup: no debug group is open.");
  --m_groupDepth;
  commandBuffer->backend->popDebugGroup();
}

namespace {

bool orders(MTL4::VisibilityOptions options) { return options != MTL4::VisibilityOptionNone; }

} // namespace

} // namespace basanite::metal

void MTL4::CommandEncoder::barrierAfterEncoderStages(MTL::Stages afterEncoderStages,
                                                     MTL::Stages beforeEncoderStages,
                                                     MTL4::VisibilityOptions visibilityOptions) {
  if (!this) return;
  auto* self = toImpl(this);
  if (!self->canEncode("CommandEncoder::barrierAfterEncoderStages")) return;
  self->encoderBarrier(afterEncoderStages, beforeEncoderStages, basanite::metal::orders(visibilityOptions));
}

void MTL4::CommandEncoder::barrierAfterQueueStages(MTL::Stages afterQueueStages, MTL::Stages beforeStages,
                                                   MTL4::VisibilityOptions visibilityOptions) {
  if (!this) return;
  auto* self = toImpl(this);
  if (!self->canEncode("CommandEncoder::barrierAfterQueueStages")) return;
  self->consumerBarrier(toVkStages(afterQueueStages), toVkStages(beforeStages),
                        basanite::metal::orders(visibilityOptions));
}

void MTL4::CommandEncoder::barrierAfterStages(MTL::Stages afterStages, MTL::Stages beforeQueueStages,
                                              MTL4::VisibilityOptions visibilityOptions) {
  if (!this) return;
  auto* self = toImpl(this);
  if (!self->canEncode("CommandEncoder::barrierAfterStages")) return;
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
  toImpl(fence)->noteUpdate(toVkStages(afterEncoderStages));
}

void MTL4::CommandEncoder::waitForFence(const MTL::Fence* fence, MTL::Stages beforeEncoderStages) {
  if (!this || !fence || !toImpl(this)->canEncode("CommandEncoder::waitForFence")) return;
  toImpl(this)->consumerBarrier(toImpl(fence)->waitStages(), toVkStages(beforeEncoderStages), true);
}
