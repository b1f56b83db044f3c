// SPDX-License-Identifier: Apache-2.0
// Adds up the encoders of a recording by pass and frame.
#include "src/timing/pass_statistics.hpp"

#include "src/timing/text.hpp"

#include <algorithm>
#include <numeric>

namespace basanite::timing {
namespace {

// One pass while it is added up. A frame is open until the pass turns up in another one.
class Sum {
 public:
  void add(const RecordedEncoder& encoder, size_t frame) {
    if (!m_open || m_frame != frame) close();
    m_open = true;
    m_frame = frame;
    const Interval gpu = encoder.gpu();
    m_isMeasured |= gpu.isMeasured();
    m_gpuNs += static_cast<double>(gpu.lengthNs());
    m_encodeNs += static_cast<double>(encoder.encoding.lengthNs());
    for (size_t stage = 0; stage < trace::kStageCount; ++stage)
      m_stageNs[stage] += static_cast<double>(encoder.stages[stage].lengthNs());
    m_work.runs += 1;
    m_work.draws += encoder.draws;
    m_work.dispatches += encoder.dispatches;
    m_work.copies += encoder.copies;
    m_work.vertices += static_cast<double>(encoder.vertices);
  }

  PassStatistics finish(std::string_view name, trace::EncoderKind kind) && {
    close();
    PassStatistics& pass = m_work;
    pass.name = printable(name);
    pass.kind = kind;
    std::vector<double> gpuNs;
    for (const PassFrame& frame : pass.frames) gpuNs.push_back(frame.gpuNs);
    pass.gpuNs = Sample(std::move(gpuNs));
    pass.totalNs = pass.gpuNs.sum();
    pass.encodeMedianNs = Sample(std::move(m_encodes)).median();
    for (size_t stage = 0; stage < trace::kStageCount; ++stage)
      pass.stageMedianNs[stage] = Sample(std::move(m_stages[stage])).median();
    for (double* value : {&pass.runs, &pass.draws, &pass.vertices, &pass.dispatches, &pass.copies})
      *value /= std::max(1.0, m_framesRun);
    return std::move(pass);
  }

 private:
  void close() {
    if (!m_open) return;
    m_open = false;
    m_framesRun += 1;
    m_encodes.push_back(m_encodeNs);
    if (m_isMeasured) {
      m_work.frames.push_back({m_frame, m_gpuNs});
      for (size_t stage = 0; stage < trace::kStageCount; ++stage)
        if (m_stageNs[stage] > 0) m_stages[stage].push_back(m_stageNs[stage]);
    }
    m_isMeasured = false;
    m_gpuNs = m_encodeNs = 0;
    m_stageNs.fill(0);
  }

  PassStatistics m_work; // sums, until finish() divides them
  std::vector<double> m_encodes;
  std::array<std::vector<double>, trace::kStageCount> m_stages;
  double m_framesRun = 0;
  bool m_open = false, m_isMeasured = false; // of the open frame, as are the following
  size_t m_frame = 0;
  double m_gpuNs = 0, m_encodeNs = 0;
  std::array<double, trace::kStageCount> m_stageNs{};
};

} // namespace

std::string_view stageName(trace::Stage stage) {
  constexpr std::array<std::string_view, trace::kStageCount> kNames = {"vertex", "object", "mesh", "fragment",
                                                                       "compute"};
  return kNames[static_cast<size_t>(stage)];
}

std::string_view encoderKindName(trace::EncoderKind kind) {
  return kind == trace::EncoderKind::render ? "render" : "compute";
}

PassTable::PassTable(const Recording& recording) {
  std::vector<Sum> sums;
  for (size_t frame = 0; frame < recording.frames.size(); ++frame) {
    const RecordedFrame& of = recording.frames[frame];
    for (size_t i = of.firstCommit; i < of.firstCommit + of.commitCount; ++i) {
      for (const RecordedEncoder& encoder : recording.commits[i].encoders) {
        const auto [place, isNew] =
            m_indices.try_emplace({recording.nameOf(encoder), encoder.kind}, sums.size());
        if (isNew) sums.emplace_back();
        sums[place->second].add(encoder, frame);
      }
    }
  }

  std::vector<PassStatistics> passes(sums.size());
  for (const auto& [key, index] : m_indices)
    passes[index] = std::move(sums[index]).finish(key.first, key.second);
  double totalNs = 0;
  for (const PassStatistics& pass : passes) totalNs += pass.totalNs;
  std::vector<size_t> order(passes.size()), place(passes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return passes[a].totalNs > passes[b].totalNs; });
  for (size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    PassStatistics& pass = passes[order[i]];
    pass.share = totalNs > 0 ? pass.totalNs / totalNs : 0;
    m_passes.push_back(std::move(pass));
  }
  for (auto& [key, index] : m_indices) index = place[index];
}

size_t PassTable::indexOf(const Recording& recording, const RecordedEncoder& encoder) const {
  return m_indices.at({recording.nameOf(encoder), encoder.kind});
}

} // namespace basanite::timing
