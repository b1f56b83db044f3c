// SPDX-License-Identifier: Apache-2.0
// Writes event by event, in constant memory beside the tracks.
#include "src/timing/chrome_trace.hpp"

#include "src/timing/output_file.hpp"
#include "src/timing/tracks.hpp"

#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace basanite::timing {
namespace {

std::string jsonText(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Exact, whatever the size.
std::string microseconds(uint64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

std::string_view category(TrackKind kind) {
  switch (kind) {
  case TrackKind::frames:
    return "frame";
  case TrackKind::stage:
    return "gpu";
  case TrackKind::nested:
    return "gpu,group";
  case TrackKind::thread:
    return "cpu";
  }
  return "";
}

class Writer {
 public:
  Writer(OutputFile& file, const Tracks& tracks, const Recording& recording)
      : m_file(file), m_tracks(tracks), m_recording(recording) {
    for (const std::string& name : tracks.names) m_names.push_back(jsonText(name));
  }

  void write() {
    m_file.write("{\"displayTimeUnit\":\"ns\",\"otherData\":{");
    std::string others;
    for (const auto& [name, value] : factsOf(m_recording))
      others += fmt::format("{}{}:{}", others.empty() ? "" : ",", jsonText(name), jsonText(value));
    m_file.write(others + "},\"traceEvents\":[\n");
    nameTracks();
    for (size_t track = 0; track < m_tracks.tracks.size(); ++track)
      for (const TrackSpan& span : m_tracks.tracks[track].spans) writeSpan(track, span);
    writeFlows();
    for (const CounterTrack& counter : m_tracks.counters)
      for (const CounterTrack::Value& value : counter.values)
        event(fmt::format("\"ph\":\"C\",\"name\":{},\"pid\":{},\"ts\":{},\"args\":{{\"bytes\":{}}}",
                          jsonText("memory: " + counter.name), m_programProcess, microseconds(value.ns),
                          value.bytes));
    m_file.write("\n]}\n");
  }

 private:
  void event(const std::string& fields) {
    m_file.write(m_isFirst ? "{" : ",\n{");
    m_isFirst = false;
    m_file.write(fields);
    m_file.write("}");
  }

  void metadata(std::string_view kind, uint32_t process, uint32_t thread, const std::string& arguments) {
    event(fmt::format("\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{{}}}", kind, process,
                      thread, arguments));
  }

  // Ids count from 1: 0 is a process's own thread in some viewers.
  void nameTracks() {
    uint32_t process = 0, thread = 0;
    const std::string* group = nullptr;
    for (const Track& track : m_tracks.tracks) {
      if (!group || *group != track.group) {
        group = &track.group;
        ++process;
        const bool isProgram = track.kind == TrackKind::thread;
        if (isProgram) m_programProcess = process;
        const std::string name = isProgram ? programName(m_recording) : track.group;
        metadata("process_name", process, 0, fmt::format("\"name\":{}", jsonText(name)));
        metadata("process_sort_index", process, 0, fmt::format("\"sort_index\":{}", process));
      }
      m_processes.push_back(process);
      m_firstThreads.push_back(thread + 1);
      for (uint32_t row = 0; row < track.rows; ++row) {
        ++thread;
        const std::string name = row == 0 ? track.name : fmt::format("{} {}", track.name, row + 1);
        metadata("thread_name", process, thread, fmt::format("\"name\":{}", jsonText(name)));
        metadata("thread_sort_index", process, thread, fmt::format("\"sort_index\":{}", thread));
      }
    }
    if (m_programProcess == 0) m_programProcess = process + 1;
  }

  std::string place(size_t track, const TrackSpan& span) const {
    return fmt::format("\"pid\":{},\"tid\":{}", m_processes[track], m_firstThreads[track] + span.row);
  }

  void writeSpan(size_t track, const TrackSpan& span) {
    std::string arguments;
    if (span.frame >= 0)
      arguments = fmt::format("\"frame\":{}", m_recording.frames[static_cast<size_t>(span.frame)].index);
    if (span.encoder && m_tracks.tracks[track].kind == TrackKind::stage)
      arguments +=
          fmt::format(",\"draws\":{},\"vertices\":{},\"dispatches\":{},\"copies\":{}", span.encoder->draws,
                      span.encoder->vertices, span.encoder->dispatches, span.encoder->copies);
    event(fmt::format("\"ph\":\"X\",\"name\":{},\"cat\":\"{}\",{},\"ts\":{},\"dur\":{},\"args\":{{{}}}",
                      m_names[span.name], category(m_tracks.tracks[track].kind), place(track, span),
                      microseconds(span.beginNs), microseconds(span.endNs - span.beginNs), arguments));
  }

  // An arrow binds to the span around its time: the call at its begin, since its end is the next one's.
  void writeFlows() {
    for (size_t i = 0; i < m_tracks.flows.size(); ++i) {
      const TrackFlow& flow = m_tracks.flows[i];
      const TrackSpan &from = m_tracks.tracks[flow.fromTrack].spans[flow.fromSpan],
                      &to = m_tracks.tracks[flow.toTrack].spans[flow.toSpan];
      event(fmt::format("\"ph\":\"s\",\"name\":\"commit\",\"cat\":\"commit\",\"id\":{},{},\"ts\":{}", i + 1,
                        place(flow.fromTrack, from), microseconds(from.beginNs)));
      event(fmt::format(
          "\"ph\":\"f\",\"bp\":\"e\",\"name\":\"commit\",\"cat\":\"commit\",\"id\":{},{},\"ts\":{}", i + 1,
          place(flow.toTrack, to), microseconds(to.beginNs)));
    }
  }

  OutputFile& m_file;
  const Tracks& m_tracks;
  const Recording& m_recording;
  std::vector<std::string> m_names;                  // as JSON
  std::vector<uint32_t> m_processes, m_firstThreads; // of each track
  uint32_t m_programProcess = 0;
  bool m_isFirst = true;
};

} // namespace

base::Result<void> writeChromeTrace(const std::string& path, const Recording& recording,
                                    const Analysis& analysis) {
  const Tracks tracks = tracksOf(recording, analysis.passes, analysis.frames);
  BASANITE_TRY(OutputFile file, OutputFile::create(path, OutputFile::Form::gzip));
  Writer(file, tracks, recording).write();
  return file.finish();
}

} // namespace basanite::timing
