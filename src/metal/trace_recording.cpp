// SPDX-License-Identifier: Apache-2.0
// Keeps records as they are to be written; only the times are filled in once the GPU has them.
#include "src/metal/trace_recording.hpp"

#include "src/base/host_clock.hpp"
#include "src/metal/MTL4RenderPass.hpp"
#include "src/metal/MTLTexture.hpp"

#include <algorithm>
#include <utility>

using basanite::foundation::textOf;
using basanite::foundation::toImpl;

namespace basanite::metal {

namespace {

trace::LoadAction loadActionOf(MTL::LoadAction action) {
  switch (action) {
  case MTL::LoadActionLoad:
    return trace::LoadAction::load;
  case MTL::LoadActionClear:
    return trace::LoadAction::clear;
  default:
    return trace::LoadAction::dontCare;
  }
}

trace::StoreAction storeActionOf(MTL::StoreAction action) {
  switch (action) {
  case MTL::StoreActionStore:
    return trace::StoreAction::store;
  case MTL::StoreActionMultisampleResolve:
    return trace::StoreAction::resolve;
  case MTL::StoreActionStoreAndMultisampleResolve:
    return trace::StoreAction::storeAndResolve;
  case MTL::StoreActionUnknown:
    return trace::StoreAction::unknown;
  default:
    return trace::StoreAction::dontCare;
  }
}

} // namespace

EncoderTrace::EncoderTrace(RecordingTrace& owner, trace::EncoderKind kind) : m_owner(owner) {
  record.encoder = trace::Recorder::nextObjectId();
  record.kind = kind;
  record.thread = trace::Recorder::threadId();
  record.encodeBeginHostNs = base::hostNowNs();
}

void EncoderTrace::addAttachments(const RenderPassDescriptor4Fields& pass) {
  const auto add = [&](trace::AttachmentKind kind, uint32_t index, const RenderPassAttachmentFields* fields) {
    if (!fields || !fields->texture.get()) return;
    const Texture& texture = *toImpl(fields->texture.get());
    trace::AttachmentRecord attachment;
    attachment.encoder = record.encoder;
    attachment.texture = reinterpret_cast<uintptr_t>(texture.image.get());
    attachment.label = m_owner.recorder().text(textOf(texture.label.get()));
    attachment.index = index;
    attachment.kind = kind;
    attachment.load = loadActionOf(fields->loadAction);
    attachment.store = storeActionOf(fields->storeAction);
    m_attachments.push_back(attachment);
  };
  if (const auto* colors = pass.colorAttachments.ifMade())
    for (size_t i = 0; i < kMaxColorAttachments; ++i)
      add(trace::AttachmentKind::color, static_cast<uint32_t>(i), colors->ifMade(i));
  add(trace::AttachmentKind::depth, 0, pass.depthAttachment.ifMade());
  add(trace::AttachmentKind::stencil, 0, pass.stencilAttachment.ifMade());
}

void EncoderTrace::addBarrier(trace::BarrierKind kind, uint64_t afterStages, uint64_t beforeStages) {
  ++record.barriers;
  m_barriers.push_back({record.encoder, afterStages, beforeStages, commandCount(), kind, 0, 0});
}

StampSlot* EncoderTrace::addCommand(trace::CommandKind kind, uint64_t vertices, std::string_view pipeline) {
  const uint32_t index = commandCount();
  switch (kind) {
  case trace::CommandKind::draw:
  case trace::CommandKind::meshDraw:
    ++record.draws;
    record.vertices += vertices;
    break;
  case trace::CommandKind::dispatch:
    ++record.dispatches;
    break;
  case trace::CommandKind::copy:
    ++record.copies;
    break;
  }
  if (!m_owner.everyCommand()) return nullptr;
  Command& command = m_commands.emplace_back();
  command.record.encoder = record.encoder;
  command.record.index = index;
  command.record.kind = kind;
  command.record.vertices = vertices;
  command.record.pipeline = m_owner.recorder().text(pipeline);
  return &command.end;
}

StampSlot* EncoderTrace::pushGroup(std::string_view label) {
  m_openGroups.push_back(m_groups.size());
  Group& group = m_groups.emplace_back();
  group.record.encoder = record.encoder;
  group.record.label = m_owner.recorder().text(label);
  group.record.depth = static_cast<uint32_t>(m_openGroups.size() - 1);
  group.record.first = commandCount();
  group.record.beginHostNs = base::hostNowNs();
  return &group.begin;
}

StampSlot* EncoderTrace::popGroup() {
  if (m_openGroups.empty()) return nullptr;
  Group& group = m_groups[m_openGroups.back()];
  m_openGroups.pop_back();
  group.record.count = commandCount() - group.record.first;
  group.record.endHostNs = base::hostNowNs();
  return &group.end;
}

void EncoderTrace::close(std::string_view label) {
  record.label = m_owner.recorder().text(label);
  record.encodeEndHostNs = base::hostNowNs();
}

RecordingTrace::RecordingTrace(trace::Recorder& recorder, base::Ref<vulkan::StampRing> ring)
    : m_recorder(recorder), m_ring(std::move(ring)) {}

void RecordingTrace::pushGroup(std::string_view label) {
  m_openGroups.push_back(m_groups.size());
  trace::GroupRecord& group = m_groups.emplace_back();
  group.label = m_recorder.text(label);
  group.depth = static_cast<uint32_t>(m_openGroups.size() - 1);
  group.first = static_cast<uint32_t>(m_encoders.size());
  group.beginHostNs = base::hostNowNs();
}

void RecordingTrace::popGroup() {
  if (m_openGroups.empty()) return;
  trace::GroupRecord& group = m_groups[m_openGroups.back()];
  m_openGroups.pop_back();
  group.count = static_cast<uint32_t>(m_encoders.size()) - group.first;
  group.endHostNs = base::hostNowNs();
}

std::optional<vulkan::StampTarget> RecordingTrace::take(StampSlot& slot) {
  if (!m_ring) return std::nullopt;
  const uint32_t index = m_slotCount % vulkan::StampBlock::kEntries;
  if (index == 0 && !m_full) {
    if (auto block = m_ring->take())
      m_blocks.push_back(std::move(block));
    else
      m_full = true;
  }
  if (m_full) {
    m_recorder.noteLostStamps(1);
    return std::nullopt;
  }
  slot = m_slotCount++;
  vulkan::StampBlock& block = *m_blocks.back();
  return vulkan::StampTarget{&block.heap(), block.first() + index};
}

uint64_t RecordingTrace::value(StampSlot slot) const {
  if (slot == kNoStamp) return 0;
  return m_blocks[slot / vulkan::StampBlock::kEntries]->value(slot % vulkan::StampBlock::kEntries);
}

void RecordingTrace::emit(trace::ObjectId commit, uint32_t commandBuffer, uint32_t firstEncoder) {
  uint32_t index = firstEncoder;
  for (EncoderTrace& encoder : m_encoders) emit(encoder, commit, commandBuffer, index++);
  for (trace::GroupRecord& group : m_groups) {
    group.commit = commit;
    for (uint32_t i = group.first; i < group.first + group.count; ++i) {
      const uint64_t begin = value(m_encoders[i].begin), end = value(m_encoders[i].end);
      if (begin == 0 || end == 0) continue;
      group.beginGpuNs = group.beginGpuNs == 0 ? begin : std::min(group.beginGpuNs, begin);
      group.endGpuNs = std::max(group.endGpuNs, end);
    }
    group.first += firstEncoder;
    m_recorder.add(group);
  }
}

void RecordingTrace::emit(EncoderTrace& encoder, trace::ObjectId commit, uint32_t commandBuffer,
                          uint32_t index) {
  trace::EncoderRecord& record = encoder.record;
  record.commit = commit;
  record.commandBuffer = commandBuffer;
  record.index = index;
  const uint64_t begin = value(encoder.begin), end = value(encoder.end);
  for (size_t stage = 0; stage < trace::kStageCount; ++stage) {
    if ((encoder.m_stages >> stage & 1) == 0) continue;
    const bool geometry = stage <= static_cast<size_t>(trace::Stage::mesh);
    record.beginGpuNs[stage] = begin;
    record.endGpuNs[stage] = geometry ? value(encoder.geometryEnd) : end;
  }
  m_recorder.add(record);
  for (const trace::AttachmentRecord& attachment : encoder.m_attachments) m_recorder.add(attachment);
  for (const trace::BarrierRecord& barrier : encoder.m_barriers) m_recorder.add(barrier);
  for (EncoderTrace::Group& group : encoder.m_groups) {
    group.record.commit = commit;
    group.record.beginGpuNs = value(group.begin);
    group.record.endGpuNs = value(group.end);
    m_recorder.add(group.record);
  }
  uint64_t before = begin;
  for (EncoderTrace::Command& command : encoder.m_commands) {
    command.record.beginGpuNs = before;
    command.record.endGpuNs = before = value(command.end);
    m_recorder.add(command.record);
  }
}

} // namespace basanite::metal
