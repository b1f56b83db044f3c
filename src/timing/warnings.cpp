// SPDX-License-Identifier: Apache-2.0
// The rules. Which textures shaders read is not recorded, so only what holds whatever they read is reported.
#include "src/timing/warnings.hpp"

#include "src/timing/text.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace basanite::timing {
namespace {

// MTL::Stages, as the recorder writes them.
constexpr uint64_t kGeometryStages = 1 | 8 | 16; // vertex, object, mesh
constexpr uint64_t kFragmentStages = 2 | 4;      // fragment, tile
constexpr double kSlowCompileShare = 0.1;        // of the median frame
constexpr double kOverlapShare = 0.1;            // of the shorter pass
constexpr double kOverlapFrames = 0.5;           // of the frames in which both run
constexpr double kTurnsShare = 0.05;             // of the time at least one works

bool isFromOutside(const RecordedBarrier& barrier) {
  return barrier.kind == trace::BarrierKind::consumer || barrier.kind == trace::BarrierKind::fenceWait;
}
bool isForOthers(const RecordedBarrier& barrier) {
  return barrier.kind == trace::BarrierKind::producer || barrier.kind == trace::BarrierKind::fenceUpdate;
}
bool stores(const RecordedAttachment& attachment) { return attachment.store != trace::StoreAction::dontCare; }
bool resolves(const RecordedAttachment& attachment) {
  return attachment.store == trace::StoreAction::resolve ||
         attachment.store == trace::StoreAction::storeAndResolve;
}
bool hasWork(const RecordedEncoder& encoder) {
  return encoder.draws != 0 || encoder.dispatches != 0 || encoder.copies != 0;
}

const RecordedAttachment* attachmentOf(const RecordedEncoder& encoder, const RecordedAttachment& wanted) {
  for (const RecordedAttachment& attachment : encoder.attachments)
    if (attachment.texture != 0 && attachment.texture == wanted.texture && attachment.kind == wanted.kind)
      return &attachment;
  return nullptr;
}

class Finder {
 public:
  Finder(const Recording& recording, const PassTable& passes, const FrameStatistics& frames)
      : m_recording(recording), m_passes(passes), m_frames(frames) {}

  std::vector<Warning> find(const Overlap& overlap) {
    for (size_t frame = 0; frame < m_recording.frames.size(); ++frame) {
      m_frame = frame;
      const RecordedFrame& of = m_recording.frames[frame];
      for (size_t i = of.firstCommit; i < of.firstCommit + of.commitCount; ++i) {
        checkCommit(m_recording.commits[i]);
        checkOverlaps(m_recording.commits[i]);
      }
    }
    reportOverlaps();
    checkCompiles();
    checkTurns(overlap);
    std::vector<Warning> warnings;
    for (auto& [key, warning] : m_found) warnings.push_back(std::move(warning));
    std::stable_sort(warnings.begin(), warnings.end(), [](const Warning& a, const Warning& b) {
      return std::tuple(a.kind, b.count) < std::tuple(b.kind, a.count);
    });
    return warnings;
  }

 private:
  using Key = std::tuple<WarningKind, size_t, size_t, std::string>; // kind, pass, other pass, what

  size_t passOf(const RecordedEncoder& encoder) const { return m_passes.indexOf(m_recording, encoder); }
  const std::string& nameOf(size_t pass) const { return m_passes.passes()[pass].name; }
  std::string textureName(const RecordedAttachment& attachment) const {
    const std::string_view label = m_recording.text(attachment.label);
    if (!label.empty()) return "'" + printable(label) + "'";
    switch (attachment.kind) {
    case trace::AttachmentKind::depth:
      return "the depth attachment";
    case trace::AttachmentKind::stencil:
      return "the stencil attachment";
    case trace::AttachmentKind::color:
      break;
    }
    return fmt::format("colour attachment {}", attachment.index);
  }

  // Returns the warning, to be given its words, the first time; else counts.
  Warning* note(WarningKind kind, size_t pass, size_t other = 0, std::string what = {}) {
    const auto [place, isNew] = m_found.try_emplace({kind, pass, other, std::move(what)});
    Warning& warning = place->second;
    ++warning.count;
    if (!isNew) return nullptr;
    warning.kind = kind;
    warning.frame = m_frame;
    if (pass != kNoPass) warning.pass = pass;
    return &warning;
  }

  void checkCommit(const RecordedCommit& commit) {
    if (commit.error != 0 && !m_recording.text(commit.error).empty()) {
      const std::string error = printable(m_recording.text(commit.error));
      if (Warning* warning = note(WarningKind::failedCommit, kNoPass, 0, error)) {
        warning->title = "A commit failed";
        warning->text = error;
      }
    }
    for (size_t i = 0; i < commit.encoders.size(); ++i) {
      const RecordedEncoder& encoder = commit.encoders[i];
      checkEmpty(encoder);
      checkDraining(encoder);
      if (i > 0 && !commit.encoders[i - 1].suspends) checkNeighbours(commit.encoders[i - 1], encoder);
      if (i > 0) checkWaits(commit, i);
    }
  }

  void checkEmpty(const RecordedEncoder& encoder) {
    if (hasWork(encoder) || encoder.suspends || encoder.resumes) return;
    for (const RecordedAttachment& attachment : encoder.attachments)
      if ((attachment.load == trace::LoadAction::clear && stores(attachment)) || resolves(attachment)) return;
    const size_t pass = passOf(encoder);
    if (Warning* warning = note(WarningKind::emptyEncoder, pass)) {
      warning->title = fmt::format("'{}' does nothing", nameOf(pass));
      warning->text =
          "It draws, dispatches, copies, clears and resolves nothing. Leave it out: loading and storing "
          "its attachments still takes time.";
    }
  }

  void checkDraining(const RecordedEncoder& encoder) {
    for (const RecordedBarrier& barrier : encoder.barriers) {
      if (!isFromOutside(barrier) && !isForOthers(barrier)) continue;
      if (!(barrier.afterStages & kFragmentStages) || !(barrier.beforeStages & kGeometryStages)) continue;
      const size_t pass = passOf(encoder);
      if (Warning* warning = note(WarningKind::drainingBarrier, pass)) {
        warning->title = fmt::format("A barrier of '{}' drains the GPU", nameOf(pass));
        warning->text =
            "It makes the vertex, object or mesh stage wait until the fragments of earlier passes are "
            "done, so that nothing overlaps. Where only fragments read what was drawn, wait before "
            "the fragment stage alone.";
      }
    }
  }

  // Nothing but the second encoder itself can come between two neighbours of a commit.
  void checkNeighbours(const RecordedEncoder& first, const RecordedEncoder& second) {
    for (const RecordedAttachment& stored : first.attachments) {
      const RecordedAttachment* next = attachmentOf(second, stored);
      if (!next || !stores(stored)) continue;
      const size_t pass = passOf(first), other = passOf(second);
      const std::string texture = textureName(stored);
      if (next->load != trace::LoadAction::load && !resolves(stored)) {
        if (Warning* warning = note(WarningKind::unusedResult, pass, other, texture)) {
          warning->title = fmt::format("'{}' stores what nobody reads", nameOf(pass));
          warning->text = fmt::format(
              "{} is stored, and the next pass, '{}', {} it. Store nothing, or leave the pass out.", texture,
              nameOf(other), next->load == trace::LoadAction::clear ? "clears" : "drops");
        }
      } else if (next->load == trace::LoadAction::load && stored.load == trace::LoadAction::clear &&
                 !hasWork(first) && !first.resumes) {
        if (Warning* warning = note(WarningKind::clearOnly, pass, other, texture)) {
          warning->title = fmt::format("'{}' only clears", nameOf(pass));
          warning->text =
              fmt::format("It draws nothing, and the next pass, '{}', loads {}. Let that pass clear it.",
                          nameOf(other), texture);
        }
      }
    }
  }

  // Any barrier or fence on the way counts as the wait: which stages it takes is the program's own decision.
  void checkWaits(const RecordedCommit& commit, size_t at) {
    const RecordedEncoder& encoder = commit.encoders[at];
    if (encoder.resumes) return;
    for (const RecordedAttachment& loaded : encoder.attachments) {
      if (loaded.load != trace::LoadAction::load || loaded.texture == 0) continue;
      bool waits = std::any_of(encoder.barriers.begin(), encoder.barriers.end(), isFromOutside);
      for (size_t i = at; i-- > 0 && !waits;) {
        const RecordedEncoder& earlier = commit.encoders[i];
        waits = std::any_of(earlier.barriers.begin(), earlier.barriers.end(), isForOthers);
        const RecordedAttachment* stored = attachmentOf(earlier, loaded);
        if (stored && stores(*stored)) {
          if (!waits) noteMissing(earlier, encoder, loaded);
          break;
        }
        // A consumer barrier holds back the encoders after it too.
        waits |= std::any_of(earlier.barriers.begin(), earlier.barriers.end(),
                             [](const RecordedBarrier& b) { return b.kind == trace::BarrierKind::consumer; });
      }
    }
  }

  void noteMissing(const RecordedEncoder& earlier, const RecordedEncoder& encoder,
                   const RecordedAttachment& loaded) {
    const size_t pass = passOf(encoder), other = passOf(earlier);
    const std::string texture = textureName(loaded);
    if (Warning* warning = note(WarningKind::missingBarrier, pass, other, texture)) {
      warning->title = fmt::format("'{}' waits for nothing", nameOf(pass));
      warning->text =
          fmt::format("It loads {}, which '{}' stores, but no barrier or fence stands between them: Metal "
                      "4 may run both at once. Add a barrier after the fragment stage.",
                      texture, nameOf(other));
    }
  }

  // Of neighbours: those that are not can overlap only if these do.
  void checkOverlaps(const RecordedCommit& commit) {
    for (size_t i = 1; i < commit.encoders.size(); ++i) {
      const Interval a = commit.encoders[i - 1].gpu(), b = commit.encoders[i].gpu();
      if (a.lengthNs() == 0 || b.lengthNs() == 0) continue;
      const size_t first = passOf(commit.encoders[i - 1]), second = passOf(commit.encoders[i]);
      Meeting& meeting = m_meetings[{first, second}];
      ++meeting.count;
      const uint64_t begin = std::max(a.beginNs, b.beginNs), end = std::min(a.endNs, b.endNs);
      const auto shorter = static_cast<double>(std::min(a.lengthNs(), b.lengthNs()));
      if (end <= begin || static_cast<double>(end - begin) < kOverlapShare * shorter) continue;
      if (meeting.overlaps++ == 0) meeting.frame = m_frame;
      meeting.share += static_cast<double>(end - begin) / shorter;
    }
  }

  void reportOverlaps() {
    for (const auto& [pair, meeting] : m_meetings) {
      const auto overlaps = static_cast<double>(meeting.overlaps);
      if (meeting.overlaps == 0 || overlaps < kOverlapFrames * static_cast<double>(meeting.count)) continue;
      m_frame = meeting.frame;
      Warning* warning = note(WarningKind::overlappingPasses, pair.first, pair.second);
      if (!warning) continue;
      warning->count = meeting.overlaps;
      warning->title = fmt::format("'{}' and '{}' overlap", nameOf(pair.first), nameOf(pair.second));
      warning->text = fmt::format(
          "In {} of {} runs, by {:.0f} % of the shorter one on average. That is as fast as it can be; but "
          "each one's time includes work of the other, so do not add them up.",
          meeting.overlaps, meeting.count, 100 * meeting.share / overlaps);
    }
  }

  void checkCompiles() {
    if (m_frames.frames.empty()) return;
    const uint64_t firstEndNs = m_frames.frames.front().endNs;
    const double leastNs = kSlowCompileShare * m_frames.periodNs.median();
    for (const RecordedZone& zone : m_recording.zones) {
      if (zone.kind != trace::ZoneKind::compileLibrary && zone.kind != trace::ZoneKind::compilePipeline)
        continue;
      if (zone.time.beginNs < firstEndNs || static_cast<double>(zone.time.lengthNs()) <= leastNs) continue;
      const auto frame = std::lower_bound(m_frames.frames.begin(), m_frames.frames.end(), zone.time.endNs,
                                          [](const FrameTime& time, uint64_t ns) { return time.endNs < ns; });
      m_frame = static_cast<size_t>(std::min(frame, m_frames.frames.end() - 1) - m_frames.frames.begin());
      const std::string name = printable(m_recording.text(zone.name));
      const bool isLibrary = zone.kind == trace::ZoneKind::compileLibrary;
      if (Warning* warning = note(WarningKind::slowCompile, kNoPass, isLibrary, name)) {
        warning->title = fmt::format("{} compiled in frame {}", isLibrary ? "A library" : "A pipeline",
                                     m_frames.frames[m_frame].index);
        warning->text =
            fmt::format("{} took {:.1f} ms, where a frame takes {:.1f} ms. Make it before the first frame, "
                        "or load it from an archive.",
                        name.empty() ? std::string("It") : "'" + name + "'",
                        static_cast<double>(zone.time.lengthNs()) / 1e6, m_frames.periodNs.median() / 1e6);
      }
    }
  }

  void checkTurns(const Overlap& overlap) {
    const auto busy = static_cast<double>(overlap.bothNs + overlap.gpuNs + overlap.cpuNs);
    if (m_recording.frames.size() < 8 || static_cast<double>(overlap.bothNs) >= kTurnsShare * busy) return;
    if (static_cast<double>(std::min(overlap.gpuNs, overlap.cpuNs)) < 2 * kTurnsShare * busy) return;
    m_frame = m_recording.frames.size() / 2;
    Warning* warning = note(WarningKind::takingTurns, kNoPass);
    if (!warning) return;
    warning->title = "CPU and GPU take turns";
    warning->text = fmt::format(
        "They work at the same time for only {:.0f} % of the time that one of them does. Encode the next "
        "frame while the GPU still draws this one: wait for the frame before the last instead.",
        100 * static_cast<double>(overlap.bothNs) / busy);
  }

  struct Meeting {
    size_t count = 0, overlaps = 0, frame = 0;
    double share = 0; // summed over the overlaps
  };
  static constexpr size_t kNoPass = SIZE_MAX;

  const Recording& m_recording;
  const PassTable& m_passes;
  const FrameStatistics& m_frames;
  std::map<Key, Warning> m_found;
  std::map<std::pair<size_t, size_t>, Meeting> m_meetings; // of passes that follow each other
  size_t m_frame = 0;
};

} // namespace

std::string_view warningName(WarningKind kind) {
  switch (kind) {
  case WarningKind::failedCommit:
    return "failed commit";
  case WarningKind::missingBarrier:
    return "missing barrier";
  case WarningKind::slowCompile:
    return "slow compile";
  case WarningKind::drainingBarrier:
    return "draining barrier";
  case WarningKind::unusedResult:
    return "unused result";
  case WarningKind::clearOnly:
    return "clear only";
  case WarningKind::emptyEncoder:
    return "empty encoder";
  case WarningKind::overlappingPasses:
    return "overlapping passes";
  case WarningKind::takingTurns:
    return "taking turns";
  }
  return "";
}

std::vector<Warning> findWarnings(const Recording& recording, const PassTable& passes,
                                  const FrameStatistics& frames, const Overlap& overlap) {
  return Finder(recording, passes, frames).find(overlap);
}

} // namespace basanite::timing
