// SPDX-License-Identifier: Apache-2.0
// The table and the JSON of a recording.
#include "src/timing/pass_report.hpp"

#include "src/timing/columns.hpp"
#include "src/timing/text.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace basanite::timing {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kNarrowestName = 12;
constexpr size_t kFirstFigure = 2; // column

std::string microseconds(double ns) { return fmt::format("{:.1f}", ns / 1e3); }
std::string milliseconds(double ns) { return fmt::format("{:.3f} ms", ns / 1e6); }
std::string rounded(double count) {
  return count == std::floor(count) || count >= 100 ? fmt::format("{:.0f}", count)
                                                    : fmt::format("{:.1f}", count);
}

std::string passLines(const PassTable& table, size_t maxColumns) {
  if (table.passes().empty()) return "no passes\n";
  std::vector<std::vector<std::string>> rows = {
      {"pass", "kind", "median us", "p95 us", "max us", "share", "runs", "draws", "vertices"}};
  for (const PassStatistics& pass : table.passes()) {
    std::vector<std::string> row = {pass.name, std::string(encoderKindName(pass.kind))};
    if (pass.frames.empty())
      row.insert(row.end(), {"-", "not measured", "-", "-"});
    else
      row.insert(row.end(), {microseconds(pass.gpuNs.median()), microseconds(pass.gpuNs.percentile(95)),
                             microseconds(pass.gpuNs.most()), fmt::format("{:.1f} %", 100 * pass.share)});
    const bool isRender = pass.kind == trace::EncoderKind::render;
    row.insert(row.end(), {rounded(pass.runs), rounded(isRender ? pass.draws : pass.dispatches + pass.copies),
                           isRender ? rounded(pass.vertices) : "-"});
    rows.push_back(std::move(row));
  }
  size_t others = 0;
  for (size_t column = 1; column < rows[0].size(); ++column) others += kColumnGap + columnWidth(rows, column);
  const size_t room = std::max(kNarrowestName, maxColumns > others ? maxColumns - others : 0);
  for (auto& row : rows) row[0] = shortened(row[0], room);
  return alignedRows(rows, [](size_t column) { return column >= kFirstFigure; });
}

std::string summaryLines(const Recording& recording, const Analysis& analysis) {
  const FrameStatistics& frames = analysis.frames;
  std::string text;
  if (!frames.frames.empty())
    text +=
        fmt::format("frames    {}: median {}, p95 {}, max {}; GPU median {}; slow (over {}): {}\n",
                    frames.frames.size(), milliseconds(frames.periodNs.median()),
                    milliseconds(frames.periodNs.percentile(95)), milliseconds(frames.periodNs.most()),
                    milliseconds(frames.gpuNs.median()), milliseconds(frames.slowLimitNs), frames.slowCount);
  if (const auto whole = static_cast<double>(analysis.overlap.wholeNs()); whole > 0) {
    const auto percent = [&](uint64_t ns) { return 100 * static_cast<double>(ns) / whole; };
    text += fmt::format(
        "overlap   CPU and GPU {:.0f} %, GPU alone {:.0f} %, CPU alone {:.0f} %, neither {:.0f} %\n",
        percent(analysis.overlap.bothNs), percent(analysis.overlap.gpuNs), percent(analysis.overlap.cpuNs),
        percent(analysis.overlap.neitherNs));
  }
  for (const auto& [name, value] : factsOf(recording))
    if (name == "Device" || name == "Overhead" || name == "Clock error" || name == "Stamps") {
      std::string key = name;
      key[0] = static_cast<char>(key[0] - 'A' + 'a');
      text += fmt::format("{:<{}}{}\n", key, key.size() < 9 ? 10 : key.size() + 1, value);
    }
  return text;
}

Json sampleJson(const Sample& sample) {
  return {{"median", sample.median()},
          {"p95", sample.percentile(95)},
          {"max", sample.most()},
          {"min", sample.least()}};
}

Json passJson(const PassStatistics& pass) {
  Json stages = Json::object();
  for (size_t stage = 0; stage < trace::kStageCount; ++stage)
    if (pass.stageMedianNs[stage] > 0)
      stages[std::string(stageName(static_cast<trace::Stage>(stage)))] = pass.stageMedianNs[stage];
  return {{"name", pass.name},
          {"kind", encoderKindName(pass.kind)},
          {"measured_frames", pass.frames.size()},
          {"gpu_ns", sampleJson(pass.gpuNs)},
          {"total_ns", pass.totalNs},
          {"share", pass.share},
          {"stage_median_ns", std::move(stages)},
          {"encode_median_ns", pass.encodeMedianNs},
          {"per_frame",
           {{"runs", pass.runs},
            {"draws", pass.draws},
            {"vertices", pass.vertices},
            {"dispatches", pass.dispatches},
            {"copies", pass.copies}}}};
}

} // namespace

std::string passReport(const Recording& recording, const Analysis& analysis,
                       const PassReportOptions& options) {
  std::string text;
  for (const std::string& note : notesOf(recording)) text += "note: " + note + "\n";
  text += passLines(analysis.passes, options.maxColumns) + summaryLines(recording, analysis);
  if (analysis.warnings.empty()) return text;
  text += "\nwarnings\n";
  for (const Warning& warning : analysis.warnings)
    text += fmt::format("{:>6} x  {}: {}\n", warning.count, warning.title, warning.text);
  return text;
}

std::string passReportJson(const Recording& recording, const Analysis& analysis) {
  const FrameStatistics& frames = analysis.frames;
  Json root;
  root["command"] = Json::array();
  for (const std::string& word : recording.commandLine) root["command"].push_back(printable(word));
  root["basanite"] = printable(recording.version);
  root["complete"] = recording.complete && recording.fault.empty();
  root["notes"] = notesOf(recording);
  root["devices"] = Json::array();
  for (const RecordedDevice& device : recording.devices)
    root["devices"].push_back({{"name", printable(device.name)},
                               {"driver", printable(device.driver)},
                               {"clock_error_ns", device.clockErrorNs},
                               {"clock_drift_ppm", device.clockDriftPpm}});
  root["granularity"] = recording.precise ? "precise" : "relaxed";
  root["every"] = recording.every == trace::Every::draw ? "draw" : "pass";
  const RecordedOverhead& overhead = recording.overhead;
  root["overhead"] = nullptr;
  if (overhead.framesWith > 0 && overhead.framesWithout > 0)
    root["overhead"] = {{"gpu_ratio", overhead.gpuRatio},
                        {"gpu_ratio_quartiles", {overhead.gpuRatioLow, overhead.gpuRatioHigh}},
                        {"period_ratio", overhead.periodRatio},
                        {"frames_with", overhead.framesWith},
                        {"frames_without", overhead.framesWithout}};
  root["lost"] = {{"stamps", recording.lostStamps}, {"records", recording.lostRecords}};
  root["frames"] = {{"count", frames.frames.size()},
                    {"period_ns", sampleJson(frames.periodNs)},
                    {"gpu_ns", sampleJson(frames.gpuNs)},
                    {"slow_limit_ns", frames.slowLimitNs},
                    {"slow", Json::array()}};
  for (const FrameTime& time : frames.frames)
    if (time.isSlow)
      root["frames"]["slow"].push_back(
          {{"frame", time.index}, {"period_ns", time.periodNs}, {"gpu_ns", time.gpuNs}});
  root["overlap_ns"] = {{"both", analysis.overlap.bothNs},
                        {"gpu", analysis.overlap.gpuNs},
                        {"cpu", analysis.overlap.cpuNs},
                        {"neither", analysis.overlap.neitherNs}};
  root["passes"] = Json::array();
  for (const PassStatistics& pass : analysis.passes.passes()) root["passes"].push_back(passJson(pass));
  root["warnings"] = Json::array();
  for (const Warning& warning : analysis.warnings) {
    Json entry = {{"kind", warningName(warning.kind)},
                  {"title", warning.title},
                  {"text", warning.text},
                  {"count", warning.count}};
    if (warning.pass) entry["pass"] = analysis.passes.passes()[*warning.pass].name;
    if (warning.frame) entry["first_frame"] = frames.frames[*warning.frame].index;
    root["warnings"].push_back(std::move(entry));
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace basanite::timing
