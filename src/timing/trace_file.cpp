// SPDX-License-Identifier: Apache-2.0
// Writes spans as Chrome trace events.
#include "src/timing/trace_file.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace basanite::timing {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kProcessId = 1;

double microseconds(uint64_t ns) { return static_cast<double>(ns) / 1000.0; }

Json metadata(std::string_view name, int threadId, Json arguments) {
  return {
      {"ph", "M"}, {"name", name}, {"pid", kProcessId}, {"tid", threadId}, {"args", std::move(arguments)}};
}

Json completeEvent(const Span& span, int threadId, uint64_t originNs) {
  const int64_t duration = durationNs(span);
  Json event = {{"ph", "X"},
                {"name", span.pass},
                {"cat", laneName(span.lane)},
                {"pid", kProcessId},
                {"tid", threadId},
                {"ts", microseconds(span.startNs - originNs)},
                {"dur", microseconds(static_cast<uint64_t>(std::max<int64_t>(duration, 0)))},
                {"args",
                 {{"frame", span.frame},
                  {"granularity", granularityName(span.granularity)},
                  {"start_ns", span.startNs},
                  {"end_ns", span.endNs},
                  {"duration_ns", duration}}}};
  if (duration < 0) event["args"]["note"] = "the end lies before the start";
  return event;
}

} // namespace

std::string traceJson(std::span<const Span> spans, const TraceOptions& options) {
  const uint64_t originNs = extentOf(spans).startNs;
  const std::vector<size_t> rows = assignRows(spans);

  // Tracks appear in the order of lanes and rows; their ids count from 1 because 0 is the process's own in
  // some viewers.
  std::map<std::pair<Lane, size_t>, int> threadIds;
  for (size_t i = 0; i < spans.size(); ++i)
    if (isMeasured(spans[i])) threadIds[{spans[i].lane, rows[i]}] = 0;
  int nextThreadId = 1;
  for (auto& [track, threadId] : threadIds) threadId = nextThreadId++;

  Json events = Json::array();
  events.push_back(metadata("process_name", 0, {{"name", options.processName}}));
  for (const auto& [track, threadId] : threadIds) {
    const auto [lane, row] = track;
    const std::string name =
        row == 0 ? std::string(laneName(lane)) : fmt::format("{} {}", laneName(lane), row + 1);
    events.push_back(metadata("thread_name", threadId, {{"name", name}}));
    events.push_back(metadata("thread_sort_index", threadId, {{"sort_index", threadId}}));
  }
  for (size_t i = 0; i < spans.size(); ++i)
    if (isMeasured(spans[i]))
      events.push_back(completeEvent(spans[i], threadIds.at({spans[i].lane, rows[i]}), originNs));

  Json trace = {{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}};
  if (!options.deviceName.empty()) trace["otherData"] = {{"device", options.deviceName}};
  return trace.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace basanite::timing
