// SPDX-License-Identifier: Apache-2.0
// The page of a report: what it holds, that it holds together, and how long recordings are thinned.
#include "src/timing/flame.hpp"
#include "src/timing/report_html.hpp"
#include "src/timing/thinning.hpp"
#include "tests/unit/timing/sample_recording.hpp"

#include <random>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace basanite::timing {
namespace {

using test::SampleRecording;
using Json = nlohmann::json;

Json dataOf(const Recording& recording, const ReportOptions& options = {}) {
  return Json::parse(reportData(recording, Analysis(recording), options));
}

// What model.js relies on.
void expectWhole(const Json& data) {
  const size_t tracks = data["tracks"].size(), names = data["names"].size(), passes = data["passes"].size();
  for (const Json& track : data["tracks"]) {
    EXPECT_TRUE(track["group"].is_string() && track["name"].is_string());
    EXPECT_TRUE(std::set<std::string>({"gpu", "group", "cpu", "counter"}).count(track["kind"]));
  }
  for (const Json& lane : data["lanes"]) {
    ASSERT_LT(lane["track"], tracks);
    EXPECT_LT(lane["row"], data["tracks"][lane["track"].get<size_t>()]["rows"]);
    const size_t count = lane["start"].size();
    uint64_t start = 0, previousEnd = 0;
    for (const char* key : {"length", "name", "pass", "frame", "count"}) ASSERT_EQ(lane[key].size(), count);
    for (size_t i = 0; i < count; ++i) {
      start += lane["start"][i].get<uint64_t>();
      EXPECT_GE(start, previousEnd);
      previousEnd = start + lane["length"][i].get<uint64_t>();
      EXPECT_LT(lane["name"][i], names);
      EXPECT_LT(lane["pass"][i], static_cast<int64_t>(passes));
      EXPECT_GE(lane["count"][i], 1);
    }
  }
  const size_t frames = data["frames"]["end"].size();
  for (const char* key : {"number", "period", "lead", "gpu", "slow"})
    ASSERT_EQ(data["frames"][key].size(), frames);
  const Json& flows = data["flows"];
  for (const char* key : {"to", "fromTrack", "toTrack", "fromRow", "toRow"})
    ASSERT_EQ(flows[key].size(), flows["from"].size());
  for (size_t i = 0; i < flows["from"].size(); ++i) EXPECT_LT(flows["fromTrack"][i], tracks);
  for (size_t i = 1; i < data["flame"].size(); ++i) EXPECT_LT(data["flame"][i]["parent"], i);
  for (const Json& warning : data["warnings"]) EXPECT_LT(warning["frame"], static_cast<int64_t>(frames));
  for (const Json& counter : data["counters"]) EXPECT_EQ(counter["time"].size(), counter["value"].size());
}

size_t eventsIn(const Json& data) {
  size_t events = 0;
  for (const Json& lane : data["lanes"])
    for (const Json& count : lane["count"]) events += count.get<size_t>();
  return events;
}

TEST(ReportHtml, dataShowsTheRecording) {
  SampleRecording game;
  game.play(20);
  const Json data = dataOf(game.recording);
  expectWhole(data);
  EXPECT_EQ(data["tiles"]["frames"], 20);
  EXPECT_EQ(data["tiles"]["slow"], 2);
  EXPECT_EQ(data["passes"][0]["name"], "scene");
  EXPECT_EQ(data["passes"][0]["history"].size(), 20u);
  EXPECT_EQ(data["passes"][0]["stages"][0], Json::array({"vertex", 5e5}));
  EXPECT_EQ(data["flows"]["from"].size(), 20u);
  EXPECT_EQ(data["medianFrame"], SampleRecording::kFrameNs);
  EXPECT_TRUE(data["notes"].empty());
  EXPECT_EQ(data["tracks"].back()["group"], "Memory");
  // Of each frame: a commit, its call, the handlers, three groups, three encodings, four stages.
  EXPECT_EQ(eventsIn(data), 20u * 13);
}

TEST(ReportHtml, longRecordingsAreThinnedAndSaySo) {
  SampleRecording game;
  game.play(3'000);
  const size_t events = eventsIn(dataOf(game.recording));
  const Json data = dataOf(game.recording, {4'000, 500, 2});
  expectWhole(data);
  EXPECT_EQ(eventsIn(data), events);
  size_t spans = 0;
  for (const Json& lane : data["lanes"]) spans += lane["start"].size();
  EXPECT_LE(spans, 4'000u);
  EXPECT_EQ(data["frames"]["end"].size(), 500u);
  EXPECT_EQ(data["tiles"]["frames"], 3'000);
  EXPECT_EQ(data["passes"].size(), 2u);
  ASSERT_EQ(data["notes"].size(), 3u);
  EXPECT_NE(data["notes"][0].get<std::string>().find("The timeline is thinned"), std::string::npos);
  EXPECT_EQ(data["notes"][1], "The plot of frames shows the slowest of each 6.");
  EXPECT_EQ(data["notes"][2], "The table shows the 2 passes of 3 that take most.");
  // No slow frame is lost in the plot.
  size_t slow = 0;
  for (const Json& value : data["frames"]["slow"]) slow += value.get<size_t>();
  EXPECT_EQ(slow, 300u);
}

TEST(ReportHtml, wholeFramesKeepEverySpan) {
  SampleRecording game;
  game.play(2'000);
  const PassTable passes(game.recording);
  const FrameStatistics frames = frameStatistics(game.recording);
  const Tracks tracks = tracksOf(game.recording, passes, frames);
  const Thinned result = thinned(tracks, frames, 3'000);
  EXPECT_FALSE(result.isWhole());
  ASSERT_GT(result.wholeFrames, 10u);
  ASSERT_FALSE(result.whole.empty());
  const Interval window = result.whole.front();
  size_t kept = 0, there = 0;
  for (const Track& track : tracks.tracks)
    for (const TrackSpan& span : track.spans)
      there +=
          track.kind != TrackKind::frames && span.endNs >= window.beginNs && span.beginNs <= window.endNs;
  for (const ThinnedLane& lane : result.lanes)
    for (const ThinnedSpan& span : lane.spans)
      if (span.endNs >= window.beginNs && span.beginNs <= window.endNs) {
        EXPECT_EQ(span.count, 1u);
        ++kept;
      }
  EXPECT_EQ(kept, there);
  bool hasSlow = false;
  for (const FrameTime& time : frames.frames)
    hasSlow |= time.isSlow && time.endNs - tracks.originHostNs >= window.beginNs &&
               time.endNs - tracks.originHostNs <= window.endNs;
  for (const Interval& each : result.whole)
    for (const FrameTime& time : frames.frames)
      hasSlow |= time.isSlow && time.endNs - tracks.originHostNs == each.endNs;
  EXPECT_TRUE(hasSlow);
}

TEST(ReportHtml, nothingIsMergedWithinTheBudget) {
  SampleRecording game;
  game.play(50);
  const FrameStatistics frames = frameStatistics(game.recording);
  EXPECT_TRUE(
      thinned(tracksOf(game.recording, PassTable(game.recording), frames), frames, 50 * 13).isWhole());
}

TEST(ReportHtml, flameAddsUpAlongPaths) {
  SampleRecording game;
  game.play(10);
  const PassTable passes(game.recording);
  const std::vector<FlameNode> flame = flameOf(game.recording, passes);
  std::set<std::string> paths;
  for (const FlameNode& node : flame) {
    std::string path = node.name;
    for (int64_t at = node.parent; at > 0; at = flame[static_cast<size_t>(at)].parent)
      path = flame[static_cast<size_t>(at)].name + "/" + path;
    paths.insert(path + " " + std::to_string(static_cast<uint64_t>(node.totalNs / 1e6)));
  }
  EXPECT_EQ(paths,
            (std::set<std::string>{"all passes 82", "scene 52", "scene/opaque 30", "scene/opaque/trees 10",
                                   "post 20", "post/bloom 20", "shadow map 10"}));
}

TEST(ReportHtml, pageIsSelfContained) {
  SampleRecording game;
  game.recording.commandLine[0] = "/bin/<b>@DATA@&";
  game.play(5);
  const std::string page = reportHtml(game.recording, Analysis(game.recording));
  EXPECT_NE(page.find("<title>&lt;b&gt;@DATA@&amp;</title>"), std::string::npos);
  EXPECT_EQ(page.find("@TITLE@"), std::string::npos);
  EXPECT_EQ(page.find("<b>@"), std::string::npos);
  for (const char* outside : {"https://", "src=\"http", "@import", "url("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page.substr(0, 15), "<!DOCTYPE html>");
  EXPECT_EQ(page.substr(page.size() - 8), "</html>\n");
}

TEST(ReportHtml, anEmptyRecordingIsAPageToo) {
  const Json data = dataOf(Recording());
  expectWhole(data);
  EXPECT_GT(reportHtml(Recording(), Analysis(Recording())).size(), 10'000u);
}

// Names and times of any kind, as a damaged file has them.
TEST(ReportHtml, bearsWhatMakesNoSense) {
  std::mt19937_64 random(17);
  for (int round = 0; round < 20; ++round) {
    SampleRecording game;
    game.play(1 + random() % 12);
    for (int i = 0; i < 200; ++i)
      game.recording.strings.push_back(std::string(random() % 9, static_cast<char>(random())));
    for (RecordedCommit& commit : game.recording.commits) {
      if (random() % 2) commit.gpu = {random(), random()};
      if (random() % 2) commit.call = {random(), random()};
      commit.label = static_cast<StringId>(random() % 300);
      commit.error = static_cast<StringId>(random() % 300);
      for (RecordedEncoder& encoder : commit.encoders) {
        encoder.kind = static_cast<trace::EncoderKind>(random() % 4);
        encoder.label = static_cast<StringId>(random());
        encoder.stages[random() % trace::kStageCount] = {random(), random()};
        encoder.commands.push_back(
            {static_cast<trace::CommandKind>(random()), 0, 3, random(), {random(), random()}});
        encoder.groups.push_back({static_cast<StringId>(random() % 300),
                                  static_cast<uint32_t>(random() % 9),
                                  static_cast<uint32_t>(random()),
                                  static_cast<uint32_t>(random()),
                                  {random(), random()},
                                  {}});
      }
    }
    game.recording.memory.push_back({random(), random(), random(), random(), random(), 0, 0});
    expectWhole(dataOf(game.recording, {40, 3, 2}));
  }
}

} // namespace
} // namespace basanite::timing
