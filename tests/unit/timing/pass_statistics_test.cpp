// SPDX-License-Identifier: Apache-2.0
// Statistics of passes and frames against figures counted by hand.
#include "src/timing/frame_statistics.hpp"
#include "src/timing/pass_statistics.hpp"
#include "tests/unit/timing/sample_recording.hpp"

#include <gtest/gtest.h>

namespace basanite::timing {
namespace {

using test::SampleRecording;

TEST(PassStatistics, addsUpEachPassOverFrames) {
  SampleRecording game;
  game.play(20);
  const PassTable table(game.recording);
  ASSERT_EQ(table.passes().size(), 3u);
  const PassStatistics &scene = table.passes()[0], &bloom = table.passes()[1], &shadow = table.passes()[2];
  EXPECT_EQ(scene.name, "scene");
  EXPECT_EQ(bloom.name, "bloom");
  EXPECT_EQ(bloom.kind, trace::EncoderKind::compute);
  EXPECT_EQ(shadow.name, "shadow map");
  EXPECT_EQ(scene.gpuNs.size(), 20u);
  EXPECT_EQ(scene.gpuNs.median(), 4e6);
  EXPECT_EQ(scene.gpuNs.percentile(95), 16e6); // the 19th of 20
  EXPECT_EQ(scene.gpuNs.percentile(90), 4e6);
  EXPECT_EQ(scene.gpuNs.most(), 16e6);
  EXPECT_EQ(scene.totalNs, 20 * 4e6 + 2 * 12e6);
  EXPECT_DOUBLE_EQ(scene.share, 104.0 / (104 + 40 + 20));
  EXPECT_EQ(scene.stageMedianNs[size_t(trace::Stage::vertex)], 5e5);
  EXPECT_EQ(scene.stageMedianNs[size_t(trace::Stage::mesh)], 0);
  EXPECT_EQ(scene.runs, 1);
  EXPECT_EQ(scene.draws, 3);
  EXPECT_EQ(scene.vertices, 3'000);
  EXPECT_EQ(bloom.dispatches, 3);
  EXPECT_EQ(scene.encodeMedianNs, 1e5);
  EXPECT_EQ(table.indexOf(game.recording, game.recording.commits[3].encoders[2]), 1u);
}

TEST(PassStatistics, sumsRunsOfOneNameWithinAFrame) {
  SampleRecording game;
  game.commit({game.pass("blur", 5'000'000, 100), game.pass("blur", 5'000'200, 300)});
  game.commit({game.pass("blur", 15'000'000, 500)});
  const PassTable table(game.recording);
  ASSERT_EQ(table.passes().size(), 1u);
  EXPECT_EQ(table.passes()[0].gpuNs.sorted(), (std::vector<double>{400, 500}));
  EXPECT_EQ(table.passes()[0].runs, 1.5);
  EXPECT_EQ(table.passes()[0].draws, 4.5);
}

// One name for a render and a compute pass is two passes; no label is a name of its own.
TEST(PassStatistics, tellsKindsApart) {
  SampleRecording game;
  game.commit({game.pass("x", 5'000'000, 100), game.pass("x", 5'000'200, 300, trace::EncoderKind::compute),
               game.pass("", 5'000'600, 50)});
  const PassTable table(game.recording);
  ASSERT_EQ(table.passes().size(), 3u);
  EXPECT_EQ(table.passes()[0].kind, trace::EncoderKind::compute);
  EXPECT_EQ(table.passes()[2].name, "render pass");
}

TEST(PassStatistics, framesWithoutStampsCountForTheWorkAlone) {
  SampleRecording game;
  game.commit({game.pass("scene", 5'000'000, 100)});
  RecordedEncoder bare = game.pass("scene", 15'000'000, 100);
  bare.stages = {};
  bare.draws = 5;
  game.commit({bare});
  const PassTable table(game.recording);
  EXPECT_EQ(table.passes()[0].gpuNs.size(), 1u);
  EXPECT_EQ(table.passes()[0].draws, 4);
  EXPECT_EQ(table.passes()[0].frames[0].frame, 0u);
}

TEST(FrameStatistics, periodsRunFromEndToEnd) {
  SampleRecording game;
  game.play(20);
  const FrameStatistics frames = frameStatistics(game.recording);
  ASSERT_EQ(frames.frames.size(), 20u);
  EXPECT_EQ(frames.frames[1].periodNs, SampleRecording::kFrameNs);
  EXPECT_EQ(frames.frames[1].gpuNs, 7'000'000u);
  EXPECT_EQ(frames.frames[9].periodNs, 22'000'000u);
  EXPECT_TRUE(frames.frames[9].isSlow);
  EXPECT_FALSE(frames.frames[10].isSlow);
  EXPECT_EQ(frames.slowCount, 2u);
  EXPECT_EQ(frames.slowLimitNs, 1.5e7);
  // The first one begins with its encoding, which began with the recording.
  EXPECT_EQ(frames.frames[0].periodNs, 10'000'000u);
}

TEST(FrameStatistics, overlapDividesTheWholeTime) {
  SampleRecording game;
  // GPU 5 to 9 ms; the CPU encodes from 2.0 ms, calls at 3 ms; a compile from 8 to 10 ms.
  game.commit({game.pass("scene", 5'000'000, 4'000'000)});
  game.zone(trace::ZoneKind::compilePipeline, "sky", 8'000'000, 2'000'000);
  game.zone(trace::ZoneKind::waitForEvent, "fence", 3'000'000, 5'000'000);
  const Overlap overlap = overlapOf(game.recording);
  EXPECT_EQ(overlap.bothNs, 1'000'000u);
  EXPECT_EQ(overlap.gpuNs, 3'000'000u);
  EXPECT_EQ(overlap.cpuNs, 100'000u + 50'000u + 1'000'000u);
  EXPECT_EQ(overlap.wholeNs(), 8'000'000u);
}

TEST(FrameStatistics, unitedIntervalsAreSortedAndApart) {
  const std::vector<Interval> result = united({{30, 40}, {10, 20}, {0, 5}, {20, 25}, {35, 36}, {9, 7}});
  EXPECT_EQ(result, (std::vector<Interval>{{10, 25}, {30, 40}}));
}

TEST(FrameStatistics, nothingIsNoTrouble) {
  const Recording empty;
  EXPECT_EQ(frameStatistics(empty).slowCount, 0u);
  EXPECT_EQ(overlapOf(empty).wholeNs(), 0u);
  EXPECT_TRUE(PassTable(empty).passes().empty());
}

} // namespace
} // namespace basanite::timing
