// SPDX-License-Identifier: Apache-2.0
// What counts as a change between two recordings, and what does not.
#include "src/timing/recording_comparison.hpp"
#include "tests/unit/timing/sample_recording.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace basanite::timing {
namespace {

using test::SampleRecording;

// Frames of a scene and a sky whose times scatter by a few percent.
Recording noisy(unsigned seed, size_t frames, double sceneUs, double skyUs) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(1, 0.04);
  SampleRecording game;
  for (size_t i = 0; i < frames; ++i) {
    const uint64_t begin = (i + 1) * 10'000'000;
    const auto scene = static_cast<uint64_t>(sceneUs * 1000 * noise(random));
    game.commit({game.pass("scene", begin, scene),
                 game.pass("sky", begin + scene, static_cast<uint64_t>(skyUs * 1000 * noise(random)))});
  }
  return game.recording;
}

std::map<std::string, Verdict> verdicts(const RecordingComparison& comparison) {
  std::map<std::string, Verdict> result;
  for (const PassChange& pass : comparison.passes) result[pass.name] = pass.verdict;
  return result;
}

TEST(RecordingComparison, scatterIsNoChange) {
  size_t alarms = 0;
  for (unsigned seed = 0; seed < 50; ++seed)
    alarms += compareRecordings(noisy(seed, 60, 3000, 500), noisy(seed + 1000, 60, 3000, 500), 0).isSlower();
  EXPECT_LE(alarms, 3u);
}

TEST(RecordingComparison, aSlowerPassIsFound) {
  const RecordingComparison comparison =
      compareRecordings(noisy(1, 60, 3000, 500), noisy(2, 60, 3300, 500), 0.05);
  EXPECT_TRUE(comparison.isSlower());
  EXPECT_EQ(verdicts(comparison),
            (std::map<std::string, Verdict>{
                {"all GPU work", Verdict::slower}, {"scene", Verdict::slower}, {"sky", Verdict::same}}));
  EXPECT_NEAR(comparison.passes[1].change, 0.1, 0.03);
  EXPECT_LT(comparison.passes[1].probability, kSignificance);
}

TEST(RecordingComparison, aChangeBelowTheThresholdIsNone) {
  EXPECT_FALSE(compareRecordings(noisy(1, 60, 3000, 500), noisy(2, 60, 3300, 500), 0.2).isSlower());
}

TEST(RecordingComparison, aFasterPassIsNoAlarm) {
  const RecordingComparison comparison =
      compareRecordings(noisy(1, 60, 3000, 500), noisy(2, 60, 3000, 400), 0.05);
  EXPECT_FALSE(comparison.isSlower());
  EXPECT_EQ(verdicts(comparison)["sky"], Verdict::faster);
}

TEST(RecordingComparison, passesComeAndGo) {
  SampleRecording one, other;
  for (uint64_t i = 1; i < 20; ++i) {
    one.commit({one.pass("old", i * 10'000'000, 1'000'000)});
    other.commit({other.pass("new", i * 10'000'000, 1'000'000)});
  }
  EXPECT_EQ(verdicts(compareRecordings(one.recording, other.recording, 0)),
            (std::map<std::string, Verdict>{
                {"all GPU work", Verdict::same}, {"old", Verdict::onlyBefore}, {"new", Verdict::onlyAfter}}));
}

TEST(RecordingComparison, twoFramesProveNothing) {
  const RecordingComparison comparison =
      compareRecordings(noisy(1, 2, 3000, 500), noisy(2, 2, 9000, 500), 0.05);
  EXPECT_FALSE(comparison.isSlower());
  EXPECT_EQ(verdicts(comparison)["scene"], Verdict::tooFew);
}

TEST(RecordingComparison, tableAndJsonSayTheSame) {
  const RecordingComparison comparison =
      compareRecordings(noisy(1, 60, 3000, 500), noisy(2, 60, 6000, 500), 0.05);
  const std::string table = recordingComparisonTable(comparison);
  EXPECT_NE(table.find("slower\n"), std::string::npos) << table;
  const auto json = nlohmann::json::parse(recordingComparisonJson(comparison));
  EXPECT_EQ(json["slower"], true);
  EXPECT_EQ(json["passes"][1]["name"], "scene");
  EXPECT_EQ(json["passes"][1]["verdict"], "slower");
  EXPECT_EQ(json["passes"][1]["frames"][0], 60);
}

TEST(RecordingComparison, nothingIsNoTrouble) {
  EXPECT_FALSE(compareRecordings(Recording(), Recording(), 0).isSlower());
}

} // namespace
} // namespace basanite::timing
