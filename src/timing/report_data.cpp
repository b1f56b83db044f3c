// SPDX-License-Identifier: Apache-2.0
// Writes columns of integers: smaller than objects, and quick to read in a browser.
#include "src/timing/report_data.hpp"

#include "src/timing/flame.hpp"
#include "src/timing/text.hpp"
#include "src/timing/thinning.hpp"
#include "src/timing/tracks.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace basanite::timing {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kLongestName = 160;          // columns
constexpr size_t kMostNameBytes = 4'000'000;  // of all names together
constexpr size_t kMostCounterValues = 20'000; // each
constexpr size_t kMostFlows = 20'000;
constexpr size_t kMostWarnings = 200;
constexpr size_t kHistoryPoints = 60;

std::string jsonText(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// `"key":[...]` of what `value` gives for each item.
template <class Items, class Value>
void column(std::string& text, std::string_view key, const Items& items, const Value& value) {
  text += fmt::format("\"{}\":[", key);
  bool isFirst = true;
  for (const auto& item : items) {
    if (!isFirst) text += ',';
    isFirst = false;
    fmt::format_to(std::back_inserter(text), "{}", value(item));
  }
  text += ']';
}

// Each value less the one before it.
class Difference {
 public:
  int64_t operator()(uint64_t value) {
    const auto difference = static_cast<int64_t>(value - m_previous);
    m_previous = value;
    return difference;
  }

 private:
  uint64_t m_previous = 0;
};

class Writer {
 public:
  Writer(const Recording& recording, const Analysis& analysis, const ReportOptions& options)
      : m_recording(recording), m_analysis(analysis), m_options(options),
        m_tracks(tracksOf(recording, analysis.passes, analysis.frames)),
        m_thinned(thinned(m_tracks, analysis.frames, options.mostSpans)) {}

  std::string write() {
    m_text = "{";
    m_text += fmt::format("\"length\":{},\"medianFrame\":{:.0f},\"slowLimit\":{:.0f}", m_tracks.lengthNs,
                          m_analysis.frames.periodNs.median(), m_analysis.frames.slowLimitNs);
    writeTracks();
    writeLanes();
    writeFrames();
    writeFlows();
    writeCounters();
    part("tiles", tiles());
    part("passes", passes());
    part("flame", flame());
    part("warnings", warnings());
    part("overlap", Json{{"both", m_analysis.overlap.bothNs},
                         {"gpu", m_analysis.overlap.gpuNs},
                         {"cpu", m_analysis.overlap.cpuNs},
                         {"neither", m_analysis.overlap.neitherNs}});
    part("subtitle", subtitle());
    part("notes", notes());
    Json facts = Json::array();
    for (const auto& [name, value] : factsOf(m_recording)) facts.push_back({name, value});
    facts.push_back({"Events", events()});
    part("facts", facts);
    return std::move(m_text) + "}";
  }

 private:
  void part(std::string_view key, const Json& value) {
    m_text += fmt::format(",\"{}\":{}", key, value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  template <class Items, class Value>
  void part(std::string_view key, const Items& items, const Value& value) {
    m_text += ',';
    column(m_text, key, items, value);
  }

  // Tracks of frames are not shown: the plot and the lines of the timeline do that.
  void writeTracks() {
    Json tracks = Json::array();
    for (const Track& track : m_tracks.tracks) {
      m_shownTrack.push_back(static_cast<uint32_t>(tracks.size()));
      if (track.kind == TrackKind::frames) continue;
      const char* kind = track.kind == TrackKind::stage    ? "gpu"
                         : track.kind == TrackKind::nested ? "group"
                                                           : "cpu";
      // Draws carry their pass: they have its colour and count as its runs only in the tracks of stages.
      tracks.push_back({{"group", shortened(track.group, kLongestName)},
                        {"name", shortened(track.name, kLongestName)},
                        {"kind", kind},
                        {"rows", track.rows}});
    }
    for (size_t i = 0; i < m_tracks.counters.size(); ++i)
      tracks.push_back({{"group", "Memory"},
                        {"name", m_tracks.counters[i].name},
                        {"kind", "counter"},
                        {"rows", 1},
                        {"counter", i}});
    part("tracks", tracks);
  }

  uint32_t nameId(uint32_t name) {
    const auto [place, isNew] = m_nameIds.try_emplace(name, static_cast<uint32_t>(m_names.size()));
    if (!isNew) return place->second;
    if (m_nameBytes > kMostNameBytes) return place->second = kUnnamed;
    m_names.push_back(shortened(m_tracks.names[name], kLongestName));
    m_nameBytes += m_names.back().size();
    return place->second;
  }

  int64_t passId(int64_t pass) const {
    return pass >= static_cast<int64_t>(m_options.mostPasses) ? -1 : pass;
  }

  void writeLanes() {
    m_names = {"(left out: too many names)"};
    m_text += ",\"lanes\":[";
    bool isFirst = true;
    for (const ThinnedLane& lane : m_thinned.lanes) {
      if (!isFirst) m_text += ',';
      isFirst = false;
      m_text += fmt::format("{{\"track\":{},\"row\":{},", m_shownTrack[lane.track], lane.row);
      Difference difference;
      column(m_text, "start", lane.spans, [&](const ThinnedSpan& span) { return difference(span.beginNs); });
      m_text += ',';
      column(m_text, "length", lane.spans, [](const ThinnedSpan& span) { return span.endNs - span.beginNs; });
      m_text += ',';
      column(m_text, "name", lane.spans, [&](const ThinnedSpan& span) { return nameId(span.name); });
      m_text += ',';
      column(m_text, "pass", lane.spans, [&](const ThinnedSpan& span) { return passId(span.pass); });
      m_text += ',';
      column(m_text, "frame", lane.spans, [&](const ThinnedSpan& span) {
        return span.frame < 0
                   ? int64_t{-1}
                   : static_cast<int64_t>(m_recording.frames[static_cast<size_t>(span.frame)].index);
      });
      m_text += ',';
      column(m_text, "count", lane.spans, [](const ThinnedSpan& span) { return span.count; });
      m_text += '}';
    }
    m_text += ']';
    std::vector<uint32_t> waits;
    for (uint32_t name : m_tracks.waitNames)
      if (m_nameIds.count(name)) waits.push_back(m_nameIds[name]);
    part("waits", waits, [](uint32_t name) { return name; });
    part("names", m_names, [](const std::string& name) { return jsonText(name); });
  }

  void writeFrames() {
    const auto& frames = m_analysis.frames.frames;
    m_framesEach = std::max<size_t>(1, (frames.size() + m_options.mostFrames - 1) / m_options.mostFrames);
    std::vector<const FrameTime*> shown;
    for (size_t i = 0; i < frames.size(); i += m_framesEach) {
      const FrameTime* slowest = &frames[i];
      for (size_t j = i; j < std::min(frames.size(), i + m_framesEach); ++j)
        if (frames[j].periodNs > slowest->periodNs) slowest = &frames[j];
      shown.push_back(slowest);
    }
    const auto relative = [&](uint64_t ns) {
      return ns > m_tracks.originHostNs ? ns - m_tracks.originHostNs : 0;
    };
    m_text += ",\"frames\":{";
    Difference difference;
    column(m_text, "end", shown, [&](const FrameTime* time) { return difference(relative(time->endNs)); });
    m_text += ',';
    column(m_text, "number", shown, [](const FrameTime* time) { return time->index; });
    m_text += ',';
    column(m_text, "period", shown, [](const FrameTime* time) { return time->periodNs; });
    m_text += ',';
    column(m_text, "lead", shown, [](const FrameTime* time) {
      return time->endNs > time->beginNs ? time->endNs - time->beginNs : 0;
    });
    m_text += ',';
    column(m_text, "gpu", shown, [](const FrameTime* time) { return time->gpuNs; });
    m_text += ',';
    column(m_text, "slow", shown, [](const FrameTime* time) { return time->isSlow ? 1 : 0; });
    m_text += '}';
  }

  void writeFlows() {
    std::vector<const TrackFlow*> shown;
    for (const TrackFlow& flow : m_tracks.flows) {
      const bool isWhole =
          std::any_of(m_thinned.whole.begin(), m_thinned.whole.end(), [&](const Interval& window) {
            return window.beginNs <= flow.toNs && flow.fromNs <= window.endNs;
          });
      if (m_tracks.flows.size() <= kMostFlows || (isWhole && shown.size() < kMostFlows))
        shown.push_back(&flow);
    }
    const auto rowOf = [&](uint32_t track, uint32_t span) { return m_tracks.tracks[track].spans[span].row; };
    Difference from, to;
    m_text += ",\"flows\":{";
    column(m_text, "from", shown, [&](const TrackFlow* flow) { return from(flow->fromNs); });
    m_text += ',';
    column(m_text, "to", shown, [&](const TrackFlow* flow) { return to(flow->toNs); });
    m_text += ',';
    column(m_text, "fromTrack", shown, [&](const TrackFlow* flow) { return m_shownTrack[flow->fromTrack]; });
    m_text += ',';
    column(m_text, "toTrack", shown, [&](const TrackFlow* flow) { return m_shownTrack[flow->toTrack]; });
    m_text += ',';
    column(m_text, "fromRow", shown,
           [&](const TrackFlow* flow) { return rowOf(flow->fromTrack, flow->fromSpan); });
    m_text += ',';
    column(m_text, "toRow", shown, [&](const TrackFlow* flow) { return rowOf(flow->toTrack, flow->toSpan); });
    m_text += '}';
  }

  // Of each few values the highest is kept.
  void writeCounters() {
    m_text += ",\"counters\":[";
    for (size_t i = 0; i < m_tracks.counters.size(); ++i) {
      const CounterTrack& counter = m_tracks.counters[i];
      const size_t each = (counter.values.size() + kMostCounterValues - 1) / kMostCounterValues;
      std::vector<CounterTrack::Value> shown;
      uint64_t most = 0;
      for (size_t j = 0; j < counter.values.size(); ++j) {
        if (j % each == 0) shown.push_back(counter.values[j]);
        shown.back().bytes = std::max(shown.back().bytes, counter.values[j].bytes);
        most = std::max(most, counter.values[j].bytes);
      }
      m_text += fmt::format("{}{{\"name\":{},\"most\":{},", i > 0 ? "," : "", jsonText(counter.name), most);
      Difference difference;
      column(m_text, "time", shown, [&](const CounterTrack::Value& value) { return difference(value.ns); });
      m_text += ',';
      column(m_text, "value", shown, [](const CounterTrack::Value& value) { return value.bytes; });
      m_text += '}';
    }
    m_text += ']';
  }

  Json tiles() const {
    const auto whole = std::max<double>(1, static_cast<double>(m_analysis.overlap.wholeNs()));
    const FrameStatistics& frames = m_analysis.frames;
    return {{"frames", frames.frames.size()},
            {"frameP95", frames.periodNs.percentile(95)},
            {"gpuMedian", frames.gpuNs.median()},
            {"gpuP95", frames.gpuNs.percentile(95)},
            {"gpuBusy", static_cast<double>(m_analysis.overlap.bothNs + m_analysis.overlap.gpuNs) / whole},
            {"both", static_cast<double>(m_analysis.overlap.bothNs) / whole},
            {"slow", frames.slowCount}};
  }

  Json passes() const {
    Json result = Json::array();
    for (const PassStatistics& pass : m_analysis.passes.passes()) {
      if (result.size() == m_options.mostPasses) break;
      Json stages = Json::array();
      for (size_t stage = 0; stage < trace::kStageCount; ++stage)
        if (pass.stageMedianNs[stage] > 0)
          stages.push_back({stageName(static_cast<trace::Stage>(stage)), pass.stageMedianNs[stage]});
      const bool isRender = pass.kind == trace::EncoderKind::render;
      result.push_back({{"name", shortened(pass.name, kLongestName)},
                        {"kind", encoderKindName(pass.kind)},
                        {"median", pass.gpuNs.median()},
                        {"p95", pass.gpuNs.percentile(95)},
                        {"max", pass.gpuNs.most()},
                        {"total", pass.totalNs},
                        {"share", pass.share},
                        {"runs", pass.runs},
                        {"work", isRender ? pass.draws : pass.dispatches + pass.copies},
                        {"vertices", pass.vertices},
                        {"encode", pass.encodeMedianNs},
                        {"stages", std::move(stages)},
                        {"history", history(pass)}});
    }
    return result;
  }

  // Medians over stretches of the frames in which the pass was measured.
  static Json history(const PassStatistics& pass) {
    Json points = Json::array();
    const size_t count = std::min(kHistoryPoints, pass.frames.size());
    for (size_t i = 0; i < count; ++i) {
      std::vector<double> values;
      for (size_t j = i * pass.frames.size() / count; j < (i + 1) * pass.frames.size() / count; ++j)
        values.push_back(pass.frames[j].gpuNs);
      points.push_back(static_cast<uint64_t>(std::max(0.0, Sample(std::move(values)).median())));
    }
    return points;
  }

  Json flame() const {
    Json result = Json::array();
    for (const FlameNode& node : flameOf(m_recording, m_analysis.passes))
      result.push_back({{"name", shortened(node.name, kLongestName)},
                        {"parent", node.parent},
                        {"pass", passId(node.pass)},
                        {"total", node.totalNs},
                        {"count", node.count}});
    return result;
  }

  Json warnings() const {
    Json result = Json::array();
    for (const Warning& warning : m_analysis.warnings) {
      if (result.size() == kMostWarnings) break;
      const std::string count = warning.count > 1 ? fmt::format(" ({} times)", warning.count) : "";
      result.push_back({{"title", shortened(warning.title, 2 * kLongestName) + count},
                        {"text", shortened(warning.text, 8 * kLongestName)},
                        {"pass", warning.pass ? passId(static_cast<int64_t>(*warning.pass)) : -1},
                        {"frame", warning.frame ? static_cast<int64_t>(*warning.frame / m_framesEach) : -1}});
    }
    return result;
  }

  std::string subtitle() const {
    std::string line;
    for (const RecordedDevice& device : m_recording.devices)
      line += fmt::format("{}{}", line.empty() ? "" : ", ", shortened(printable(device.name), kLongestName));
    return line.empty() ? std::string("GPU times, recorded by Basanite")
                        : "GPU times on " + line + ", recorded by Basanite";
  }

  Json notes() const {
    Json result = notesOf(m_recording);
    if (!m_thinned.isWhole())
      result.push_back(fmt::format(
          "The timeline is thinned: {} of {} events are merged into {} hatched blocks. {} frames (the "
          "slowest, "
          "the median ones, others evenly spread) keep every event; elsewhere those of {:.1f} us and more "
          "do. "
          "Tables and figures are of all events.",
          m_thinned.mergedCount, m_thinned.mergedCount + m_thinned.spanCount - m_thinned.blockCount,
          m_thinned.blockCount, m_thinned.wholeFrames, static_cast<double>(m_thinned.shortestNs) / 1e3));
    if (m_framesEach > 1)
      result.push_back(fmt::format("The plot of frames shows the slowest of each {}.", m_framesEach));
    if (m_tracks.leftOut > 0)
      result.push_back(
          fmt::format("{} events are not drawn: more than {} overlapped them.", m_tracks.leftOut, kMostRows));
    if (m_analysis.passes.passes().size() > m_options.mostPasses)
      result.push_back(fmt::format("The table shows the {} passes of {} that take most.",
                                   m_options.mostPasses, m_analysis.passes.passes().size()));
    if (m_analysis.warnings.size() > kMostWarnings)
      result.push_back(
          fmt::format("The first {} of {} warnings are shown.", kMostWarnings, m_analysis.warnings.size()));
    return result;
  }

  std::string events() const {
    const size_t drawn = m_thinned.spanCount;
    return m_thinned.isWhole()
               ? fmt::format("{}, each of them in the timeline", drawn)
               : fmt::format("{}, drawn as {}", drawn - m_thinned.blockCount + m_thinned.mergedCount, drawn);
  }

  static constexpr uint32_t kUnnamed = 0;

  const Recording& m_recording;
  const Analysis& m_analysis;
  const ReportOptions& m_options;
  Tracks m_tracks;
  Thinned m_thinned;
  std::vector<uint32_t> m_shownTrack; // by track
  std::vector<std::string> m_names;   // those that are shown
  std::unordered_map<uint32_t, uint32_t> m_nameIds;
  size_t m_nameBytes = 0;
  size_t m_framesEach = 1;
  std::string m_text;
};

} // namespace

std::string reportData(const Recording& recording, const Analysis& analysis, const ReportOptions& options) {
  return Writer(recording, analysis, options).write();
}

} // namespace basanite::timing
