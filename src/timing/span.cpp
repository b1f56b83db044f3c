// SPDX-License-Identifier: Apache-2.0
// Arithmetic on spans: extents, the median frame, rows for overlapping work.
#include "src/timing/span.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>

namespace basanite::timing {

std::string_view laneName(Lane lane) {
  switch (lane) {
  case Lane::commandBuffer:
    return "command buffer";
  case Lane::vertex:
    return "vertex";
  case Lane::fragment:
    return "fragment";
  case Lane::compute:
    return "compute";
  }
  return "?";
}

std::string_view granularityName(Granularity granularity) {
  switch (granularity) {
  case Granularity::none:
    return "-";
  case Granularity::relaxed:
    return "relaxed";
  case Granularity::precise:
    return "precise";
  }
  return "?";
}

bool isMeasured(const Span& span) { return span.startNs != 0 && span.endNs != 0; }

int64_t durationNs(const Span& span) {
  constexpr uint64_t kLimit = std::numeric_limits<int64_t>::max();
  if (span.endNs >= span.startNs) return static_cast<int64_t>(std::min(span.endNs - span.startNs, kLimit));
  return -static_cast<int64_t>(std::min(span.startNs - span.endNs, kLimit));
}

Extent extentOf(std::span<const Span> spans) {
  Extent extent{std::numeric_limits<uint64_t>::max(), 0};
  for (const Span& span : spans) {
    if (!isMeasured(span)) continue;
    extent.startNs = std::min({extent.startNs, span.startNs, span.endNs});
    extent.endNs = std::max({extent.endNs, span.startNs, span.endNs});
  }
  return extent.endNs == 0 ? Extent{} : extent;
}

std::vector<Span> spansOfFrame(std::span<const Span> spans, uint32_t frame) {
  std::vector<Span> result;
  std::copy_if(spans.begin(), spans.end(), std::back_inserter(result),
               [frame](const Span& span) { return span.frame == frame; });
  return result;
}

std::optional<uint32_t> medianFrame(std::span<const Span> spans) {
  std::map<uint32_t, std::vector<Span>> frames;
  for (const Span& span : spans) frames[span.frame].push_back(span);
  if (frames.empty()) return std::nullopt;

  std::vector<std::pair<uint64_t, uint32_t>> lengths; // extent, frame
  for (const auto& [frame, frameSpans] : frames) lengths.emplace_back(extentOf(frameSpans).lengthNs(), frame);
  const auto middle = lengths.begin() + static_cast<ptrdiff_t>((lengths.size() - 1) / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return middle->second;
}

std::vector<size_t> assignRows(std::span<const Span> spans) {
  std::vector<size_t> order(spans.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::min(spans[a].startNs, spans[a].endNs) < std::min(spans[b].startNs, spans[b].endNs);
  });

  std::vector<size_t> rows(spans.size(), 0);
  std::array<std::vector<uint64_t>, kLaneCount> rowEnds; // per lane: where the last span of each row ends
  for (size_t i : order) {
    const Span& span = spans[i];
    if (!isMeasured(span)) continue;
    const auto [first, last] = std::minmax(span.startNs, span.endNs);
    std::vector<uint64_t>& ends = rowEnds[static_cast<size_t>(span.lane)];
    const auto row = std::find_if(ends.begin(), ends.end(), [&](uint64_t end) { return end <= first; });
    rows[i] = static_cast<size_t>(row - ends.begin());
    if (row == ends.end())
      ends.push_back(last);
    else
      *row = last;
  }
  return rows;
}

} // namespace basanite::timing
