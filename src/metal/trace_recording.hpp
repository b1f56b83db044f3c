// SPDX-License-Identifier: Apache-2.0
// What BASANITE_TRACE keeps of one recorded command buffer until its work has run: encoders, their stamps,
// their names.
#pragma once

#include "src/base/ref.hpp"
#include "src/trace/recorder.hpp"
#include "src/vulkan/stamp_ring.hpp"
#include "src/vulkan/timestamp_recorder.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

namespace basanite::metal {

class RecordingTrace;
struct RenderPassDescriptor4Fields;

// A place for one of our stamps, counted through the recording.
using StampSlot = uint32_t;
constexpr StampSlot kNoStamp = UINT32_MAX;

// One encoder. Same thread rule as its command buffer, until the commit.
class EncoderTrace {
 public:
  EncoderTrace(RecordingTrace& owner, trace::EncoderKind kind);

  void addAttachments(const RenderPassDescriptor4Fields& pass);
  void addBarrier(trace::BarrierKind kind, uint64_t afterStages, uint64_t beforeStages);
  // A command that was recorded. The slot for a stamp behind it; null where single commands are not stamped.
  StampSlot* addCommand(trace::CommandKind kind, uint64_t vertices, std::string_view pipeline);
  // The slot for a stamp at the group's begin or end; null where there is no such group.
  StampSlot* pushGroup(std::string_view label);
  StampSlot* popGroup();
  bool hasOpenGroup() const { return !m_openGroups.empty(); }
  // Which stages the encoder turned out to have.
  void addStage(trace::Stage stage) { m_stages |= 1u << static_cast<unsigned>(stage); }
  void close(std::string_view label);

  // The stages' begin is one place, as nothing of a pass comes before its opening stamps.
  StampSlot begin = kNoStamp;
  // Behind the stages ahead of rasterization, and behind all of them.
  StampSlot geometryEnd = kNoStamp, end = kNoStamp;
  trace::EncoderRecord record;

 private:
  friend class RecordingTrace;
  struct Group {
    trace::GroupRecord record;
    StampSlot begin = kNoStamp, end = kNoStamp;
  };
  struct Command {
    trace::DrawRecord record;
    StampSlot end = kNoStamp;
  };
  uint32_t commandCount() const { return record.draws + record.dispatches + record.copies; }

  RecordingTrace& m_owner;
  unsigned m_stages = 0; // bits by trace::Stage
  std::vector<trace::AttachmentRecord> m_attachments;
  std::vector<trace::BarrierRecord> m_barriers;
  std::vector<Group> m_groups; // in order of their begins
  std::vector<size_t> m_openGroups;
  std::vector<Command> m_commands; // with every=draw
};

// One recording; goes with the commit, and is dropped with a recording that never is.
class RecordingTrace {
 public:
  // Without stamps where `ring` is null.
  RecordingTrace(trace::Recorder& recorder, base::Ref<vulkan::StampRing> ring);
  RecordingTrace(const RecordingTrace&) = delete;
  RecordingTrace& operator=(const RecordingTrace&) = delete;

  trace::Recorder& recorder() const { return m_recorder; }
  bool stamped() const { return static_cast<bool>(m_ring); }
  bool everyCommand() const { return m_recorder.options().every == trace::Every::draw; }
  vulkan::Granularity granularity() const {
    return m_recorder.options().precise ? vulkan::Granularity::precise : vulkan::Granularity::relaxed;
  }

  EncoderTrace& addEncoder(trace::EncoderKind kind) { return m_encoders.emplace_back(*this, kind); }
  size_t encoderCount() const { return m_encoders.size(); }
  // Groups of the command buffer.
  void pushGroup(std::string_view label);
  void popGroup();

  // A place for a stamp, kept in `slot`; nothing where this recording has none, or all are in use, which is
  // counted.
  std::optional<vulkan::StampTarget> take(StampSlot& slot);

  // Once the work has run: everything into the file. `firstEncoder`: how many the commit has from earlier
  // buffers.
  void emit(trace::ObjectId commit, uint32_t commandBuffer, uint32_t firstEncoder);

 private:
  uint64_t value(StampSlot slot) const;
  void emit(EncoderTrace& encoder, trace::ObjectId commit, uint32_t commandBuffer, uint32_t index);

  trace::Recorder& m_recorder;
  base::Ref<vulkan::StampRing> m_ring;
  std::vector<base::Ref<vulkan::StampBlock>> m_blocks;
  uint32_t m_slotCount = 0;
  bool m_full = false; // a place was asked for in vain
  std::deque<EncoderTrace> m_encoders;
  std::vector<trace::GroupRecord> m_groups;
  std::vector<size_t> m_openGroups;
};

} // namespace basanite::metal
