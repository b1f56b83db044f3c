// SPDX-License-Identifier: Apache-2.0
// Frame times and the overlap of CPU and GPU.
#include "src/timing/frame_statistics.hpp"

#include <algorithm>

namespace basanite::timing {
namespace {

uint64_t lengthOf(const std::vector<Interval>& intervals) {
  uint64_t sum = 0;
  for (const Interval& interval : intervals) sum += interval.lengthNs();
  return sum;
}

// Of two lists made by united().
uint64_t commonLength(const std::vector<Interval>& a, const std::vector<Interval>& b) {
  uint64_t sum = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const uint64_t begin = std::max(a[i].beginNs, b[j].beginNs), end = std::min(a[i].endNs, b[j].endNs);
    if (end > begin) sum += end - begin;
    if (a[i].endNs < b[j].endNs)
      ++i;
    else
      ++j;
  }
  return sum;
}

bool isWork(trace::ZoneKind kind) {
  return kind != trace::ZoneKind::waitForEvent && kind != trace::ZoneKind::queueWait;
}

} // namespace

std::vector<Interval> united(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& interval) { return interval.lengthNs() == 0; });
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.beginNs < b.beginNs; });
  std::vector<Interval> result;
  for (const Interval& interval : intervals) {
    if (!result.empty() && interval.beginNs <= result.back().endNs)
      result.back().endNs = std::max(result.back().endNs, interval.endNs);
    else
      result.push_back(interval);
  }
  return result;
}

FrameStatistics frameStatistics(const Recording& recording) {
  FrameStatistics statistics;
  std::vector<double> periods, gpus;
  uint64_t previousEnd = 0;
  for (const RecordedFrame& frame : recording.frames) {
    FrameTime time;
    time.index = frame.index;
    time.beginNs = frame.host.isMeasured() ? frame.host.beginNs : frame.gpu.beginNs;
    if (frame.gpu.isMeasured()) time.beginNs = std::min(time.beginNs, frame.gpu.beginNs);
    time.endNs = std::max(previousEnd, frame.gpu.isMeasured() ? frame.gpu.endNs : frame.host.endNs);
    const uint64_t start = previousEnd != 0 ? previousEnd : std::min(time.beginNs, time.endNs);
    time.periodNs = time.endNs - start;
    std::vector<Interval> work;
    for (size_t i = frame.firstCommit; i < frame.firstCommit + frame.commitCount; ++i)
      work.push_back(recording.commits[i].gpu);
    time.gpuNs = lengthOf(united(std::move(work)));
    previousEnd = time.endNs;
    periods.push_back(static_cast<double>(time.periodNs));
    gpus.push_back(static_cast<double>(time.gpuNs));
    statistics.frames.push_back(time);
  }
  statistics.periodNs = Sample(std::move(periods));
  statistics.gpuNs = Sample(std::move(gpus));
  statistics.slowLimitNs = kSlowFactor * statistics.periodNs.median();
  for (FrameTime& time : statistics.frames) {
    time.isSlow = static_cast<double>(time.periodNs) > statistics.slowLimitNs && statistics.slowLimitNs > 0;
    statistics.slowCount += time.isSlow;
  }
  return statistics;
}

Overlap overlapOf(const Recording& recording) {
  std::vector<Interval> cpu, gpu;
  for (const RecordedCommit& commit : recording.commits) {
    gpu.push_back(commit.gpu);
    cpu.push_back(commit.call);
    cpu.push_back(commit.feedback);
    for (const RecordedEncoder& encoder : commit.encoders) cpu.push_back(encoder.encoding);
  }
  for (const RecordedZone& zone : recording.zones)
    if (isWork(zone.kind)) cpu.push_back(zone.time);
  cpu = united(std::move(cpu));
  gpu = united(std::move(gpu));
  Overlap overlap;
  if (cpu.empty() && gpu.empty()) return overlap;
  uint64_t begin = UINT64_MAX, end = 0;
  for (const auto* list : {&cpu, &gpu}) {
    if (list->empty()) continue;
    begin = std::min(begin, list->front().beginNs);
    end = std::max(end, list->back().endNs);
  }
  overlap.bothNs = commonLength(cpu, gpu);
  overlap.gpuNs = lengthOf(gpu) - overlap.bothNs;
  overlap.cpuNs = lengthOf(cpu) - overlap.bothNs;
  overlap.neitherNs = end - begin - overlap.bothNs - overlap.gpuNs - overlap.cpuNs;
  return overlap;
}

} // namespace basanite::timing
