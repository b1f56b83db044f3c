// SPDX-License-Identifier: Apache-2.0
// Chooses the frames that stay whole and how much of the rest is merged.
#include "src/timing/thinning.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace basanite::timing {
namespace {

constexpr uint64_t kFirstShortestNs = 250;
constexpr uint64_t kLongestBlock = 16; // times the shortest span that stands alone

bool isIn(const std::vector<Interval>& windows, uint64_t beginNs, uint64_t endNs) {
  const auto next = std::partition_point(windows.begin(), windows.end(),
                                         [&](const Interval& window) { return window.endNs < beginNs; });
  return next != windows.end() && next->beginNs <= endNs;
}

// One lane, merged, span by span; calls `put` with each that remains.
template <class Put>
void merge(const std::vector<const TrackSpan*>& spans, const std::vector<Interval>& whole,
           uint64_t shortestNs, const Put& put) {
  ThinnedSpan block;
  uint64_t longestNs = 0;
  bool isOpen = false;
  const auto close = [&] {
    if (std::exchange(isOpen, false)) put(block);
  };
  for (const TrackSpan* span : spans) {
    const uint64_t lengthNs = span->endNs - span->beginNs;
    const bool alone = lengthNs >= shortestNs || isIn(whole, span->beginNs, span->endNs);
    if (isOpen && !alone && span->beginNs - block.endNs < shortestNs &&
        (span->endNs - block.beginNs) / kLongestBlock < shortestNs) {
      block.endNs = span->endNs;
      ++block.count;
      if (lengthNs > longestNs) {
        longestNs = lengthNs;
        block.name = span->name;
        block.pass = span->pass;
        block.frame = span->frame;
      }
      continue;
    }
    close();
    block = {span->beginNs, span->endNs, span->name, span->pass, span->frame, 1};
    longestNs = lengthNs;
    isOpen = true;
    if (alone) close();
  }
  close();
}

// Frames worth keeping, the most telling first, none twice.
std::vector<size_t> candidates(const FrameStatistics& statistics, size_t wanted) {
  const auto& frames = statistics.frames;
  std::vector<size_t> bySlowness(frames.size());
  std::iota(bySlowness.begin(), bySlowness.end(), size_t{0});
  std::stable_sort(bySlowness.begin(), bySlowness.end(),
                   [&](size_t a, size_t b) { return frames[a].periodNs > frames[b].periodNs; });
  std::vector<size_t> order;
  std::vector<bool> taken(frames.size());
  const auto take = [&](size_t frame) {
    if (taken[frame]) return;
    taken[frame] = true;
    order.push_back(frame);
  };
  for (size_t i = 0; i < bySlowness.size() && i < std::max<size_t>(wanted / 4, 4); ++i) take(bySlowness[i]);
  for (size_t i = 0; i < bySlowness.size() && i < std::max<size_t>(wanted / 4, 4); ++i)
    take(bySlowness[std::min(bySlowness.size() / 2 + i, bySlowness.size() - 1)]);
  const size_t step = std::max<size_t>(1, frames.size() / std::max<size_t>(wanted, 1));
  for (size_t frame = 0; frame < frames.size(); frame += step) take(frame);
  return order;
}

std::vector<Interval> wholeWindows(const Tracks& tracks, const FrameStatistics& statistics, size_t room,
                                   size_t& frameCount) {
  std::vector<size_t> spansOf(statistics.frames.size());
  for (const Track& track : tracks.tracks)
    for (const TrackSpan& span : track.spans)
      if (span.frame >= 0) ++spansOf[static_cast<size_t>(span.frame)];
  const size_t mean = std::max<size_t>(1, tracks.spanCount / std::max<size_t>(1, spansOf.size()));
  std::vector<Interval> windows;
  size_t used = 0;
  for (size_t frame : candidates(statistics, room / mean)) {
    // What overlaps the frame is kept too: about as much again.
    if (used + 2 * spansOf[frame] > room) continue;
    used += 2 * spansOf[frame];
    ++frameCount;
    const FrameTime& time = statistics.frames[frame];
    const auto relative = [&](uint64_t ns) {
      return ns > tracks.originHostNs ? ns - tracks.originHostNs : 0;
    };
    const uint64_t begin = relative(std::min(time.beginNs, time.endNs - time.periodNs));
    windows.push_back({begin, std::max(relative(time.endNs), begin)});
  }
  std::sort(windows.begin(), windows.end(),
            [](const Interval& a, const Interval& b) { return a.beginNs < b.beginNs; });
  std::vector<Interval> apart;
  for (const Interval& window : windows) {
    if (!apart.empty() && window.beginNs <= apart.back().endNs)
      apart.back().endNs = std::max(apart.back().endNs, window.endNs);
    else
      apart.push_back(window);
  }
  return apart;
}

} // namespace

Thinned thinned(const Tracks& tracks, const FrameStatistics& frames, size_t budget) {
  std::map<std::pair<uint32_t, uint32_t>, std::vector<const TrackSpan*>> lanes;
  size_t total = 0;
  for (uint32_t track = 0; track < tracks.tracks.size(); ++track) {
    if (tracks.tracks[track].kind == TrackKind::frames) continue;
    for (const TrackSpan& span : tracks.tracks[track].spans) lanes[{track, span.row}].push_back(&span);
    total += tracks.tracks[track].spans.size();
  }
  Thinned result;
  if (total > budget) {
    result.whole = wholeWindows(tracks, frames, budget / 2, result.wholeFrames);
    result.shortestNs = kFirstShortestNs;
    for (;;) {
      size_t count = 0;
      for (const auto& [place, spans] : lanes)
        merge(spans, result.whole, result.shortestNs, [&](const ThinnedSpan&) { ++count; });
      if (count <= budget || result.shortestNs > tracks.lengthNs / 2) break;
      result.shortestNs *= 2;
    }
  }
  for (const auto& [place, spans] : lanes) {
    ThinnedLane lane{place.first, place.second, {}};
    merge(spans, result.whole, result.shortestNs, [&](const ThinnedSpan& span) {
      if (span.count > 1) {
        result.mergedCount += span.count;
        ++result.blockCount;
      }
      lane.spans.push_back(span);
    });
    result.spanCount += lane.spans.size();
    result.lanes.push_back(std::move(lane));
  }
  return result;
}

} // namespace basanite::timing
