// SPDX-License-Identifier: Apache-2.0
// Pairs the passes of two recordings and tests their times.
#include "src/timing/recording_comparison.hpp"

#include "src/timing/columns.hpp"
#include "src/timing/text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace basanite::timing {
namespace {

constexpr size_t kLongestName = 48; // columns in the table

std::string_view verdictName(Verdict verdict) {
  switch (verdict) {
  case Verdict::same:
    return "same";
  case Verdict::faster:
    return "faster";
  case Verdict::slower:
    return "slower";
  case Verdict::onlyBefore:
    return "gone";
  case Verdict::onlyAfter:
    return "new";
  case Verdict::tooFew:
    return "too few frames";
  }
  return "";
}

// The least probability that samples of these sizes can have is 2 over the number of ways to share the ranks
// out.
bool canBeSignificant(size_t before, size_t after) {
  double ways = 1;
  for (size_t i = 1; i <= std::min(before, after) && ways < 1e6; ++i)
    ways *= static_cast<double>(before + after - i + 1) / static_cast<double>(i);
  return 2 / ways < kSignificance;
}

Sample wholeFrames(const Recording& recording, const FrameStatistics& frames) {
  std::vector<double> times;
  for (size_t i = 0; i < frames.frames.size(); ++i)
    if (recording.frames[i].stamped && frames.frames[i].gpuNs > 0)
      times.push_back(static_cast<double>(frames.frames[i].gpuNs));
  return Sample(std::move(times));
}

struct Pair {
  const PassStatistics* before = nullptr;
  const PassStatistics* after = nullptr;
};

PassChange changeOf(std::string name, std::string_view kind, const Sample& before, const Sample& after) {
  PassChange change;
  change.name = std::move(name);
  change.kind = kind;
  change.framesBefore = before.size();
  change.framesAfter = after.size();
  change.beforeNs = before.median();
  change.afterNs = after.median();
  if (change.beforeNs > 0 && !after.empty()) change.change = change.afterNs / change.beforeNs - 1;
  if (before.empty() || after.empty())
    change.verdict = before.empty() ? Verdict::onlyAfter : Verdict::onlyBefore;
  else if (!canBeSignificant(before.size(), after.size()))
    change.verdict = Verdict::tooFew;
  change.probability = mannWhitney(before, after);
  return change;
}

} // namespace

bool RecordingComparison::isSlower() const {
  return std::any_of(passes.begin(), passes.end(),
                     [](const PassChange& pass) { return pass.verdict == Verdict::slower; });
}

RecordingComparison compareRecordings(const Recording& before, const Recording& after, double threshold) {
  const PassTable passesBefore(before), passesAfter(after);
  RecordingComparison comparison;
  comparison.threshold = threshold;
  comparison.passes.push_back(changeOf("all GPU work", "frame", wholeFrames(before, frameStatistics(before)),
                                       wholeFrames(after, frameStatistics(after))));
  std::map<std::pair<std::string_view, trace::EncoderKind>, const PassStatistics*> old;
  for (const PassStatistics& pass : passesBefore.passes()) old[{pass.name, pass.kind}] = &pass;
  std::vector<Pair> pairs;
  for (const PassStatistics& pass : passesAfter.passes()) {
    const auto found = old.find({pass.name, pass.kind});
    pairs.push_back({found == old.end() ? nullptr : found->second, &pass});
    if (found != old.end()) old.erase(found);
  }
  for (const PassStatistics& pass : passesBefore.passes())
    if (old.count({pass.name, pass.kind})) pairs.push_back({&pass, nullptr});
  for (const Pair& pair : pairs) {
    const PassStatistics& any = pair.after ? *pair.after : *pair.before;
    comparison.passes.push_back(changeOf(any.name, encoderKindName(any.kind),
                                         pair.before ? pair.before->gpuNs : Sample(),
                                         pair.after ? pair.after->gpuNs : Sample()));
  }

  // Only those that can answer count among the questions asked.
  std::vector<double> probabilities;
  for (const PassChange& pass : comparison.passes)
    if (pass.verdict == Verdict::same) probabilities.push_back(pass.probability);
  probabilities = holmAdjusted(probabilities);
  size_t next = 0;
  for (PassChange& pass : comparison.passes) {
    if (pass.verdict != Verdict::same) continue;
    pass.probability = probabilities[next++];
    if (pass.probability < kSignificance && std::abs(pass.change) > threshold)
      pass.verdict = pass.change > 0 ? Verdict::slower : Verdict::faster;
  }
  return comparison;
}

std::string recordingComparisonTable(const RecordingComparison& comparison) {
  std::vector<std::vector<std::string>> rows = {
      {"pass", "kind", "before us", "after us", "change", "chance", "verdict"}};
  for (const PassChange& pass : comparison.passes) {
    const bool hasBefore = pass.framesBefore > 0, hasAfter = pass.framesAfter > 0;
    rows.push_back({shortened(pass.name, kLongestName), pass.kind,
                    hasBefore ? fmt::format("{:.1f}", pass.beforeNs / 1e3) : std::string("-"),
                    hasAfter ? fmt::format("{:.1f}", pass.afterNs / 1e3) : std::string("-"),
                    hasBefore && hasAfter ? fmt::format("{:+.1f} %", 100 * pass.change) : std::string("-"),
                    hasBefore && hasAfter ? fmt::format("{:.3f}", pass.probability) : std::string("-"),
                    std::string(verdictName(pass.verdict))});
  }
  return alignedRows(rows, [](size_t column) { return column >= 2; });
}

std::string recordingComparisonJson(const RecordingComparison& comparison) {
  using Json = nlohmann::ordered_json;
  Json root = {{"threshold", comparison.threshold},
               {"significance", kSignificance},
               {"slower", comparison.isSlower()}};
  root["passes"] = Json::array();
  for (const PassChange& pass : comparison.passes)
    root["passes"].push_back({{"name", pass.name},
                              {"kind", pass.kind},
                              {"frames", {pass.framesBefore, pass.framesAfter}},
                              {"median_ns", {pass.beforeNs, pass.afterNs}},
                              {"change", pass.change},
                              {"probability", pass.probability},
                              {"verdict", verdictName(pass.verdict)}});
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace basanite::timing
