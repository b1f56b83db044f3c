// SPDX-License-Identifier: Apache-2.0
// Lays a recording out in tracks.
#include "src/timing/tracks.hpp"

#include "src/timing/text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace basanite::timing {
namespace {

constexpr uint32_t kNoSpan = UINT32_MAX;

std::string_view zoneName(trace::ZoneKind kind) {
  switch (kind) {
  case trace::ZoneKind::compileLibrary:
    return "compile library";
  case trace::ZoneKind::compilePipeline:
    return "compile pipeline";
  case trace::ZoneKind::waitForEvent:
    return "wait for event";
  case trace::ZoneKind::queueWait:
    return "queue waits for event";
  case trace::ZoneKind::queueSignal:
    return "queue signals event";
  case trace::ZoneKind::present:
    return "present";
  case trace::ZoneKind::upload:
    return "upload";
  case trace::ZoneKind::other:
    break;
  }
  return "";
}

std::string_view commandName(trace::CommandKind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"draw", "mesh draw", "dispatch", "copy"};
  const auto index = static_cast<size_t>(kind);
  return index < kNames.size() ? kNames[index] : "command";
}

class Builder {
 public:
  Builder(const Recording& recording, const PassTable& passes, const FrameStatistics& frames)
      : m_recording(recording), m_passes(passes), m_frames(frames) {}

  Tracks build() {
    findExtent();
    addFrames();
    for (size_t frame = 0; frame < m_recording.frames.size(); ++frame) {
      const RecordedFrame& of = m_recording.frames[frame];
      for (size_t i = of.firstCommit; i < of.firstCommit + of.commitCount; ++i)
        addCommit(m_recording.commits[i], static_cast<int32_t>(frame));
    }
    for (const RecordedZone& zone : m_recording.zones) addZone(zone);
    collect();
    addCounters();
    return std::move(m_tracks);
  }

 private:
  // What keeps tracks in the order in which they are shown: frames, queues by id, threads by id.
  enum Section : uint32_t { kFrames, kQueue, kThread };
  enum Line : uint32_t { kCommits, kGroups, kFirstStage, kDraws = kFirstStage + trace::kStageCount };
  struct Place {
    Section section;
    uint32_t id;
    uint32_t line;
    auto operator<=>(const Place&) const = default;
  };
  // Flows name their ends by these until every track is sorted.
  struct Draft {
    Track track;
    std::vector<uint32_t> marks; // of each span: its flow, or kNoSpan
  };

  uint64_t relative(uint64_t hostNs) const {
    return hostNs > m_tracks.originHostNs ? hostNs - m_tracks.originHostNs : 0;
  }

  void findExtent() {
    uint64_t first = UINT64_MAX, last = 0;
    const auto take = [&](const Interval& interval) {
      if (!interval.isMeasured()) return;
      first = std::min(first, interval.beginNs);
      last = std::max(last, interval.endNs);
    };
    for (const RecordedCommit& commit : m_recording.commits) {
      take(commit.call);
      take(commit.gpu);
      take(commit.feedback);
      for (const RecordedEncoder& encoder : commit.encoders) {
        take(encoder.encoding);
        take(encoder.gpu());
      }
    }
    for (const RecordedZone& zone : m_recording.zones) take(zone.time);
    if (first == UINT64_MAX) first = m_recording.startHostNs;
    m_tracks.originHostNs = first;
    m_tracks.lengthNs = relative(last);
  }

  uint32_t nameId(std::string_view name) {
    const auto found = m_names.find(name);
    if (found != m_names.end()) return found->second;
    const auto id = static_cast<uint32_t>(m_tracks.names.size());
    m_tracks.names.push_back(printable(name));
    m_names.emplace(name, id);
    return id;
  }
  // A recorder gives each text one id, so that most names need no look-up by text.
  uint32_t nameId(StringId text) {
    if (text >= m_nameOfText.size()) m_nameOfText.resize(size_t{text} + 1, kNoSpan);
    uint32_t& id = m_nameOfText[text];
    if (id == kNoSpan) id = nameId(m_recording.text(text));
    return id;
  }
  uint32_t nameOr(StringId text, std::string_view otherwise) {
    return text < m_recording.strings.size() && !m_recording.strings[text].empty() ? nameId(text)
                                                                                   : nameId(otherwise);
  }

  Draft& draft(Section section, uint32_t id, uint32_t line) { return m_drafts[{section, id, line}]; }

  void add(Draft& draft, const Interval& time, uint32_t name, int32_t pass, int32_t frame,
           const RecordedEncoder* encoder = nullptr, uint32_t mark = kNoSpan) {
    if (!time.isMeasured()) return;
    const uint64_t begin = relative(time.beginNs);
    draft.track.spans.push_back(
        {begin, std::max(begin, relative(time.endNs)), name, pass, 0, frame, encoder});
    draft.marks.push_back(mark);
  }

  void addFrames() {
    Draft& frames = draft(kFrames, 0, 0);
    for (size_t i = 0; i < m_frames.frames.size(); ++i) {
      const FrameTime& time = m_frames.frames[i];
      const std::string name = fmt::format("frame {}{}", time.index, time.isSlow ? ", slow" : "");
      add(frames, {time.endNs - time.periodNs, time.endNs}, nameId(name), -1, static_cast<int32_t>(i));
    }
  }

  void addCommit(const RecordedCommit& commit, int32_t frame) {
    const auto flow = static_cast<uint32_t>(m_flowCount++);
    const uint32_t name = nameOr(commit.label, "commit");
    add(draft(kQueue, commit.queue, kCommits), commit.gpu, name, -1, frame, nullptr, flow);
    Draft& thread = draft(kThread, commit.thread, 0);
    add(thread, commit.call, nameId("commit"), -1, frame, nullptr, flow);
    if (commit.feedback.lengthNs() > 0)
      add(draft(kThread, commit.feedbackThread, 0), commit.feedback, nameId("feedback handlers"), -1, frame);
    for (const RecordedGroup& group : commit.groups) addGroup(commit, group, frame, nullptr);
    for (const RecordedEncoder& encoder : commit.encoders) addEncoder(commit, encoder, frame);
  }

  void addGroup(const RecordedCommit& commit, const RecordedGroup& group, int32_t frame,
                const RecordedEncoder* encoder) {
    Interval time = group.gpu;
    if (!encoder && !time.isMeasured()) time = encodersOf(commit, group);
    add(draft(kQueue, commit.queue, kGroups), time, nameOr(group.label, "group"), -1, frame, encoder);
  }

  static Interval encodersOf(const RecordedCommit& commit, const RecordedGroup& group) {
    Interval all;
    const size_t end = std::min<size_t>(commit.encoders.size(), size_t{group.first} + group.count);
    for (size_t i = group.first; i < end; ++i) {
      const Interval gpu = commit.encoders[i].gpu();
      if (!gpu.isMeasured()) continue;
      all.beginNs = all.beginNs == 0 ? gpu.beginNs : std::min(all.beginNs, gpu.beginNs);
      all.endNs = std::max(all.endNs, gpu.endNs);
    }
    return all;
  }

  void addEncoder(const RecordedCommit& commit, const RecordedEncoder& encoder, int32_t frame) {
    const auto pass = static_cast<int32_t>(m_passes.indexOf(m_recording, encoder));
    const uint32_t name = nameOr(encoder.label, m_recording.nameOf(encoder));
    for (uint32_t stage = 0; stage < trace::kStageCount; ++stage)
      if (encoder.stages[stage].isMeasured())
        add(draft(kQueue, commit.queue, kFirstStage + stage), encoder.stages[stage], name, pass, frame,
            &encoder);
    for (const RecordedGroup& group : encoder.groups) addGroup(commit, group, frame, &encoder);
    for (const RecordedDraw& draw : encoder.commands)
      if (draw.gpu.isMeasured())
        add(draft(kQueue, commit.queue, kDraws), draw.gpu, nameOr(draw.pipeline, commandName(draw.kind)),
            pass, frame, &encoder);
    add(draft(kThread, encoder.thread, 0), encoder.encoding, name, pass, frame);
  }

  void addZone(const RecordedZone& zone) {
    const std::string_view kind = zoneName(zone.kind), text = m_recording.text(zone.name);
    uint32_t name = nameId(text.empty() ? (kind.empty() ? "zone" : kind) : text);
    if (!kind.empty() && !text.empty()) name = nameId(fmt::format("{}: {}", kind, text));
    if (zone.kind == trace::ZoneKind::waitForEvent) m_waitNames.insert(name);
    add(draft(kThread, zone.thread, 0), zone.time, name, -1, -1);
  }

  // Earlier spans first, and of those that begin together the longest: it holds the others.
  void sort(Draft& draft) {
    std::vector<uint32_t> order(draft.track.spans.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto& spans = draft.track.spans;
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return spans[a].beginNs != spans[b].beginNs ? spans[a].beginNs < spans[b].beginNs
                                                  : spans[a].endNs > spans[b].endNs;
    });
    Draft sorted;
    std::array<uint64_t, kMostRows> rowEnds{};
    uint32_t rows = 0;
    for (uint32_t index : order) {
      TrackSpan span = spans[index];
      uint32_t row = 0;
      while (row < rows && rowEnds[row] > span.beginNs) ++row;
      if (row == kMostRows) {
        ++m_tracks.leftOut;
        continue;
      }
      rows = std::max(rows, row + 1);
      rowEnds[row] = span.endNs;
      span.row = row;
      sorted.track.spans.push_back(span);
      sorted.marks.push_back(draft.marks[index]);
    }
    draft.track.spans = std::move(sorted.track.spans);
    draft.marks = std::move(sorted.marks);
    draft.track.rows = rows;
  }

  void nameTrack(const Place& place, Track& track) {
    if (place.section == kFrames) {
      track.kind = TrackKind::frames;
      track.group = track.name = "frames";
      return;
    }
    if (place.section == kThread) {
      track.kind = TrackKind::thread;
      track.group = "CPU";
      track.name = fmt::format("thread {}", place.id);
      for (const RecordedThread& thread : m_recording.threads)
        if (thread.id == place.id && !thread.name.empty())
          track.name = fmt::format("{} ({})", printable(thread.name), place.id);
      return;
    }
    track.group = fmt::format("GPU queue {}", place.id);
    for (const RecordedQueue& queue : m_recording.queues)
      if (queue.id == place.id && !queue.label.empty())
        track.group = fmt::format("GPU queue {} '{}'", place.id, printable(queue.label));
    track.kind = TrackKind::nested;
    if (place.line == kCommits)
      track.name = "commits";
    else if (place.line == kGroups)
      track.name = "debug groups";
    else if (place.line == kDraws)
      track.name = "draws";
    else {
      track.kind = TrackKind::stage;
      track.name = stageName(static_cast<trace::Stage>(place.line - kFirstStage));
    }
  }

  void collect() {
    m_tracks.flows.resize(m_flowCount);
    std::vector<uint8_t> ends(m_flowCount); // bit 0: the call is there, bit 1: the work
    for (auto& [place, draft] : m_drafts) {
      if (draft.track.spans.empty()) continue;
      sort(draft);
      nameTrack(place, draft.track);
      const auto trackIndex = static_cast<uint32_t>(m_tracks.tracks.size());
      for (uint32_t i = 0; i < draft.marks.size(); ++i) {
        if (draft.marks[i] == kNoSpan) continue;
        TrackFlow& flow = m_tracks.flows[draft.marks[i]];
        const bool isCall = place.section == kThread;
        (isCall ? flow.fromNs : flow.toNs) =
            isCall ? draft.track.spans[i].endNs : draft.track.spans[i].beginNs;
        (isCall ? flow.fromTrack : flow.toTrack) = trackIndex;
        (isCall ? flow.fromSpan : flow.toSpan) = i;
        ends[draft.marks[i]] |= isCall ? 1 : 2;
      }
      m_tracks.spanCount += draft.track.spans.size();
      m_tracks.tracks.push_back(std::move(draft.track));
    }
    size_t kept = 0;
    for (size_t i = 0; i < ends.size(); ++i)
      if (ends[i] == 3) m_tracks.flows[kept++] = m_tracks.flows[i];
    m_tracks.flows.resize(kept);
    std::stable_sort(m_tracks.flows.begin(), m_tracks.flows.end(),
                     [](const TrackFlow& a, const TrackFlow& b) { return a.fromNs < b.fromNs; });
    m_tracks.waitNames.assign(m_waitNames.begin(), m_waitNames.end());
  }

  void addCounters() {
    const auto add = [&](const char* name, uint64_t RecordedMemory::* bytes) {
      CounterTrack counter{name, {}};
      bool isUsed = false;
      for (const RecordedMemory& memory : m_recording.memory) {
        counter.values.push_back({relative(memory.hostNs), memory.*bytes});
        isUsed |= memory.*bytes != 0;
      }
      if (isUsed) m_tracks.counters.push_back(std::move(counter));
    };
    add("buffers", &RecordedMemory::bufferBytes);
    add("textures", &RecordedMemory::textureBytes);
    add("heaps", &RecordedMemory::heapBytes);
    add("from the driver", &RecordedMemory::driverBytes);
  }

  const Recording& m_recording;
  const PassTable& m_passes;
  const FrameStatistics& m_frames;
  Tracks m_tracks;
  std::map<Place, Draft> m_drafts;
  std::map<std::string, uint32_t, std::less<>> m_names;
  std::vector<uint32_t> m_nameOfText; // by StringId
  std::set<uint32_t> m_waitNames;
  size_t m_flowCount = 0;
};

} // namespace

Tracks tracksOf(const Recording& recording, const PassTable& passes, const FrameStatistics& frames) {
  return Builder(recording, passes, frames).build();
}

} // namespace basanite::timing
