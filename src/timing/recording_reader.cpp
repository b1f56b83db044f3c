// SPDX-License-Identifier: Apache-2.0
// Puts the records of a file together: encoders into their commits, commits into frames, GPU times onto the
// host's clock.
#include "src/timing/recording.hpp"

#include "src/timing/clock_line.hpp"
#include "src/timing/recording_file.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace basanite::timing {

Interval RecordedEncoder::gpu() const {
  Interval all;
  for (const Interval& stage : stages) {
    if (!stage.isMeasured()) continue;
    all.beginNs = all.beginNs == 0 ? stage.beginNs : std::min(all.beginNs, stage.beginNs);
    all.endNs = std::max(all.endNs, stage.endNs);
  }
  return all;
}

std::string_view Recording::nameOf(const RecordedEncoder& encoder) const {
  const std::string_view label = text(encoder.label);
  if (!label.empty()) return label;
  return encoder.kind == trace::EncoderKind::render ? "render pass" : "compute pass";
}

namespace {

class Assembler {
 public:
  void add(const RawRecord& record);
  Recording finish(const RecordingFile& file) &&;

 private:
  struct Place {
    ObjectId commit;
    size_t index; // in m_pending of it
  };
  // Ids are given out in order, so one that is further ahead is damage.
  static constexpr StringId kMaxStringsAhead = 4096;

  void addString(const RawRecord& record);
  void addEncoder(const trace::EncoderRecord& record);
  void addGroup(const trace::GroupRecord& record);
  void addCommit(const trace::CommitRecord& record);
  RecordedEncoder* encoderOf(ObjectId id);
  void putOnHostClock();
  void makeFrames();

  Recording m_recording;
  std::unordered_map<ObjectId, std::vector<RecordedEncoder>> m_pending; // by commit, until that comes
  std::unordered_map<ObjectId, std::vector<RecordedGroup>> m_pendingGroups;
  std::unordered_map<ObjectId, Place> m_places; // of pending encoders
  std::map<uint32_t, ClockLine> m_clocks;       // by device
};

void Assembler::addString(const RawRecord& record) {
  const auto head = record.as<trace::StringRecord>();
  if (head.id == 0 || head.id > m_recording.strings.size() + kMaxStringsAhead) return;
  if (head.id >= m_recording.strings.size()) m_recording.strings.resize(head.id + 1);
  m_recording.strings[head.id] = record.text();
}

void Assembler::addEncoder(const trace::EncoderRecord& record) {
  RecordedEncoder encoder;
  encoder.id = record.encoder;
  encoder.kind = record.kind;
  encoder.label = record.label;
  encoder.commandBuffer = record.commandBuffer;
  encoder.thread = record.thread;
  encoder.encoding = {record.encodeBeginHostNs, record.encodeEndHostNs};
  for (size_t i = 0; i < trace::kStageCount; ++i)
    encoder.stages[i] = {record.beginGpuNs[i], record.endGpuNs[i]};
  encoder.vertices = record.vertices;
  encoder.draws = record.draws;
  encoder.dispatches = record.dispatches;
  encoder.copies = record.copies;
  encoder.barrierCount = record.barriers;
  encoder.width = record.width;
  encoder.height = record.height;
  encoder.samples = record.samples;
  encoder.suspends = record.suspends != 0;
  encoder.resumes = record.resumes != 0;
  auto& siblings = m_pending[record.commit];
  m_places[record.encoder] = {record.commit, siblings.size()};
  siblings.push_back(std::move(encoder));
}

RecordedEncoder* Assembler::encoderOf(ObjectId id) {
  const auto place = m_places.find(id);
  return place == m_places.end() ? nullptr : &m_pending[place->second.commit][place->second.index];
}

void Assembler::addGroup(const trace::GroupRecord& record) {
  const RecordedGroup group{record.label,
                            record.depth,
                            record.first,
                            record.count,
                            {record.beginGpuNs, record.endGpuNs},
                            {record.beginHostNs, record.endHostNs}};
  if (record.encoder == 0)
    m_pendingGroups[record.commit].push_back(group);
  else if (RecordedEncoder* encoder = encoderOf(record.encoder))
    encoder->groups.push_back(group);
}

void Assembler::addCommit(const trace::CommitRecord& record) {
  RecordedCommit commit;
  commit.id = record.commit;
  commit.frame = record.frame;
  commit.queue = record.queue;
  commit.thread = record.thread;
  commit.feedbackThread = record.feedbackThread;
  commit.label = record.label;
  commit.error = record.error;
  commit.commandBufferCount = record.commandBufferCount;
  commit.stamped = record.stamped != 0;
  commit.presents = record.presents != 0;
  commit.call = {record.callBeginHostNs, record.callEndHostNs};
  commit.gpu = {record.startGpuNs, record.endGpuNs};
  commit.feedback = {record.feedbackBeginHostNs, record.feedbackEndHostNs};
  if (auto encoders = m_pending.extract(record.commit)) {
    for (const RecordedEncoder& encoder : encoders.mapped()) m_places.erase(encoder.id);
    commit.encoders = std::move(encoders.mapped());
  }
  if (auto groups = m_pendingGroups.extract(record.commit)) commit.groups = std::move(groups.mapped());
  m_recording.commits.push_back(std::move(commit));
}

void Assembler::add(const RawRecord& raw) {
  Recording& recording = m_recording;
  const auto text = [&](StringId id) { return std::string(recording.text(id)); };
  switch (raw.kind) {
  case trace::RecordKind::string:
    return addString(raw);
  case trace::RecordKind::process: {
    const auto record = raw.as<trace::ProcessRecord>();
    const std::string line = text(record.commandLine);
    recording.commandLine.clear();
    for (size_t at = 0; at < line.size();) {
      const size_t end = std::min(line.find('\0', at), line.size());
      recording.commandLine.push_back(line.substr(at, end - at));
      at = end + 1;
    }
    recording.version = text(record.version);
    recording.processId = record.processId;
    recording.startHostNs = record.startHostNs;
    recording.startUnixNs = record.startUnixNs;
    recording.firstFrame = record.firstFrame;
    recording.lastFrame = record.lastFrame;
    recording.precise = record.precise != 0;
    recording.every = record.every;
    return;
  }
  case trace::RecordKind::device: {
    const auto record = raw.as<trace::DeviceRecord>();
    RecordedDevice device;
    device.id = record.device;
    device.name = text(record.name);
    device.driver = text(record.driver);
    device.workaround = text(record.workaround);
    device.nsPerTick = record.nsPerTick;
    device.validBits = record.validBits;
    device.calibrated = record.calibrated != 0;
    recording.devices.push_back(std::move(device));
    return;
  }
  case trace::RecordKind::thread: {
    const auto record = raw.as<trace::ThreadRecord>();
    recording.threads.push_back({record.thread, text(record.name)});
    return;
  }
  case trace::RecordKind::queue: {
    const auto record = raw.as<trace::QueueRecord>();
    recording.queues.push_back({record.queue, record.device, text(record.label)});
    return;
  }
  case trace::RecordKind::clock: {
    const auto record = raw.as<trace::ClockRecord>();
    m_clocks[record.device].add({record.hostNs, record.gpuNs, record.errorNs});
    return;
  }
  case trace::RecordKind::commit:
    return addCommit(raw.as<trace::CommitRecord>());
  case trace::RecordKind::encoder:
    return addEncoder(raw.as<trace::EncoderRecord>());
  case trace::RecordKind::attachment: {
    const auto record = raw.as<trace::AttachmentRecord>();
    if (RecordedEncoder* encoder = encoderOf(record.encoder))
      encoder->attachments.push_back(
          {record.kind, record.load, record.store, record.index, record.texture, record.label});
    return;
  }
  case trace::RecordKind::barrier: {
    const auto record = raw.as<trace::BarrierRecord>();
    if (RecordedEncoder* encoder = encoderOf(record.encoder))
      encoder->barriers.push_back({record.kind, record.afterStages, record.beforeStages, record.beforeDraw});
    return;
  }
  case trace::RecordKind::draw: {
    const auto record = raw.as<trace::DrawRecord>();
    if (RecordedEncoder* encoder = encoderOf(record.encoder))
      encoder->commands.push_back({record.kind,
                                   record.index,
                                   record.pipeline,
                                   record.vertices,
                                   {record.beginGpuNs, record.endGpuNs}});
    return;
  }
  case trace::RecordKind::group:
    return addGroup(raw.as<trace::GroupRecord>());
  case trace::RecordKind::zone: {
    const auto record = raw.as<trace::ZoneRecord>();
    recording.zones.push_back({record.kind,
                               record.failed != 0,
                               record.thread,
                               record.queue,
                               record.name,
                               record.value,
                               {record.beginHostNs, record.endHostNs}});
    return;
  }
  case trace::RecordKind::memory: {
    const auto record = raw.as<trace::MemoryRecord>();
    recording.memory.push_back({record.hostNs, record.bufferBytes, record.textureBytes, record.heapBytes,
                                record.driverBytes, record.bufferCount, record.textureCount});
    return;
  }
  case trace::RecordKind::overhead: {
    const auto record = raw.as<trace::OverheadRecord>();
    recording.overhead = {record.framesWith,  record.framesWithout, record.gpuRatio,
                          record.gpuRatioLow, record.gpuRatioHigh,  record.periodRatio};
    return;
  }
  case trace::RecordKind::lost: {
    const auto record = raw.as<trace::LostRecord>();
    recording.lostStamps = record.stamps;
    recording.lostRecords = record.records;
    return;
  }
  case trace::RecordKind::warning:
    recording.warnings.push_back(text(raw.as<trace::WarningRecord>().text));
    return;
  case trace::RecordKind::end:
    recording.endHostNs = raw.as<trace::EndRecord>().hostNs;
    return;
  }
  // Kinds of a later writer are passed over.
}

void Assembler::putOnHostClock() {
  for (RecordedDevice& device : m_recording.devices) {
    ClockLine& clock = m_clocks[device.id];
    clock.finish();
    device.clockErrorNs = clock.errorNs();
    device.clockDriftPpm = clock.driftPpm();
  }
  std::map<uint32_t, const ClockLine*> clockOfQueue;
  for (const RecordedQueue& queue : m_recording.queues)
    if (auto clock = m_clocks.find(queue.device); clock != m_clocks.end())
      clockOfQueue[queue.id] = &clock->second;
  for (RecordedCommit& commit : m_recording.commits) {
    const auto found = clockOfQueue.find(commit.queue);
    static const ClockLine s_none;
    const ClockLine& clock = found == clockOfQueue.end() ? s_none : *found->second;
    const auto convert = [&](Interval& interval) {
      interval = {clock.hostNs(interval.beginNs), clock.hostNs(interval.endNs)};
    };
    convert(commit.gpu);
    for (RecordedGroup& group : commit.groups) convert(group.gpu);
    for (RecordedEncoder& encoder : commit.encoders) {
      for (Interval& stage : encoder.stages) convert(stage);
      for (RecordedGroup& group : encoder.groups) convert(group.gpu);
      for (RecordedDraw& draw : encoder.commands) convert(draw.gpu);
    }
  }
}

void extend(Interval& all, const Interval& part) {
  if (!part.isMeasured()) return;
  all.beginNs = all.beginNs == 0 ? part.beginNs : std::min(all.beginNs, part.beginNs);
  all.endNs = std::max(all.endNs, part.endNs);
}

void Assembler::makeFrames() {
  const auto& commits = m_recording.commits;
  for (size_t i = 0; i < commits.size(); ++i) {
    const RecordedCommit& commit = commits[i];
    if (m_recording.frames.empty() || m_recording.frames.back().index != commit.frame) {
      RecordedFrame frame;
      frame.index = commit.frame;
      frame.firstCommit = i;
      frame.stamped = true;
      m_recording.frames.push_back(frame);
    }
    RecordedFrame& frame = m_recording.frames.back();
    ++frame.commitCount;
    frame.stamped &= commit.stamped;
    extend(frame.gpu, commit.gpu);
    extend(frame.host, commit.call);
    for (const RecordedEncoder& encoder : commit.encoders) extend(frame.host, encoder.encoding);
  }
}

Recording Assembler::finish(const RecordingFile& file) && {
  if (m_recording.strings.empty()) m_recording.strings.emplace_back();
  m_recording.fault = file.fault();
  m_recording.complete = file.ended();
  putOnHostClock();
  auto& recording = m_recording;
  std::stable_sort(recording.commits.begin(), recording.commits.end(),
                   [](const RecordedCommit& a, const RecordedCommit& b) { return a.id < b.id; });
  std::stable_sort(
      recording.zones.begin(), recording.zones.end(),
      [](const RecordedZone& a, const RecordedZone& b) { return a.time.beginNs < b.time.beginNs; });
  std::stable_sort(recording.memory.begin(), recording.memory.end(),
                   [](const RecordedMemory& a, const RecordedMemory& b) { return a.hostNs < b.hostNs; });
  makeFrames();
  return std::move(m_recording);
}

} // namespace

base::Result<Recording> readRecording(const std::string& path) {
  BASANITE_TRY(RecordingFile file, RecordingFile::open(path));
  Assembler assembler;
  while (auto record = file.next()) assembler.add(*record);
  return std::move(assembler).finish(file);
}

} // namespace basanite::timing
