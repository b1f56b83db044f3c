// SPDX-License-Identifier: Apache-2.0
// Tracks: their order, rows, arrows, and what happens to times that make no sense.
#include "src/timing/tracks.hpp"
#include "tests/unit/timing/sample_recording.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace basanite::timing {
namespace {

using test::SampleRecording;

Tracks tracksOf(const Recording& recording) {
  return tracksOf(recording, PassTable(recording), frameStatistics(recording));
}

const Track* find(const Tracks& tracks, const std::string& group, const std::string& name) {
  for (const Track& track : tracks.tracks)
    if (track.group == group && track.name == name) return &track;
  return nullptr;
}

void expectRowsApart(const Tracks& tracks) {
  for (const Track& track : tracks.tracks) {
    std::map<uint32_t, uint64_t> ends;
    uint64_t previous = 0;
    for (const TrackSpan& span : track.spans) {
      EXPECT_GE(span.beginNs, previous);
      previous = span.beginNs;
      EXPECT_LE(span.beginNs, span.endNs);
      EXPECT_LT(span.row, track.rows);
      EXPECT_GE(span.beginNs, ends[span.row]);
      ends[span.row] = span.endNs;
    }
  }
}

TEST(Tracks, showQueuesByStageAndThreads) {
  SampleRecording game;
  game.play(12);
  game.zone(trace::ZoneKind::compilePipeline, "sky", 1'000'000, 2'000'000);
  const Tracks tracks = tracksOf(game.recording);
  std::vector<std::string> names;
  for (const Track& track : tracks.tracks) names.push_back(track.group + "/" + track.name);
  EXPECT_EQ(names, (std::vector<std::string>{"frames/frames", "GPU queue 1 'main'/commits",
                                             "GPU queue 1 'main'/debug groups", "GPU queue 1 'main'/vertex",
                                             "GPU queue 1 'main'/fragment", "GPU queue 1 'main'/compute",
                                             "CPU/main (71)", "CPU/thread 72"}));
  expectRowsApart(tracks);
  const Track* fragments = find(tracks, "GPU queue 1 'main'", "fragment");
  ASSERT_EQ(fragments->spans.size(), 24u);
  EXPECT_EQ(fragments->rows, 1u);
  EXPECT_EQ(tracks.names[fragments->spans[1].name], "scene");
  EXPECT_EQ(fragments->spans[1].pass, 0);
  EXPECT_EQ(fragments->spans[3].frame, 1);
  EXPECT_EQ(fragments->spans[1].encoder->draws, 3u);
  const Track* groups = find(tracks, "GPU queue 1 'main'", "debug groups");
  EXPECT_EQ(groups->rows, 2u); // trees inside opaque
  EXPECT_EQ(tracks.names[groups->spans[1].name], "trees");
  EXPECT_EQ(groups->spans[1].row, 1u);
  EXPECT_EQ(tracks.names[find(tracks, "CPU", "thread 72")->spans[0].name], "compile pipeline: sky");
  EXPECT_EQ(tracks.leftOut, 0u);
  ASSERT_EQ(tracks.counters.size(), 3u); // no heaps
  EXPECT_EQ(tracks.counters[1].values[2].bytes, (2u << 20) + 2 * 4096);
}

TEST(Tracks, arrowsLeadFromTheCallToTheWork) {
  SampleRecording game;
  game.play(3);
  const Tracks tracks = tracksOf(game.recording);
  ASSERT_EQ(tracks.flows.size(), 3u);
  for (const TrackFlow& flow : tracks.flows) {
    const Track &from = tracks.tracks[flow.fromTrack], &to = tracks.tracks[flow.toTrack];
    EXPECT_EQ(from.kind, TrackKind::thread);
    EXPECT_EQ(to.name, "commits");
    EXPECT_EQ(from.spans[flow.fromSpan].endNs, flow.fromNs);
    EXPECT_EQ(to.spans[flow.toSpan].beginNs, flow.toNs);
    EXPECT_EQ(from.spans[flow.fromSpan].frame, to.spans[flow.toSpan].frame);
    EXPECT_EQ(flow.toNs - flow.fromNs, 1'950'000u);
  }
}

TEST(Tracks, overlappingWorkTakesRows) {
  SampleRecording game;
  std::vector<RecordedEncoder> passes;
  for (uint64_t i = 0; i < kMostRows + 5; ++i) passes.push_back(game.pass("p", 5'000'000 + i, 1'000'000));
  game.commit(passes);
  const Tracks tracks = tracksOf(game.recording);
  EXPECT_EQ(find(tracks, "GPU queue 1 'main'", "fragment")->rows, kMostRows);
  EXPECT_EQ(tracks.leftOut, 5u);
  expectRowsApart(tracks);
}

TEST(Tracks, bearTimesThatMakeNoSense) {
  std::mt19937_64 random(3);
  SampleRecording game;
  game.play(6);
  for (RecordedCommit& commit : game.recording.commits) {
    commit.queue = static_cast<uint32_t>(random() % 4);
    commit.gpu = {random(), random()};
    commit.feedback = {random(), random()};
    for (RecordedEncoder& encoder : commit.encoders) {
      for (Interval& stage : encoder.stages) stage = {random(), random()};
      encoder.groups.push_back({static_cast<StringId>(random()),
                                7,
                                static_cast<uint32_t>(random()),
                                static_cast<uint32_t>(random()),
                                {random(), random()},
                                {}});
    }
    commit.groups.push_back({1, 0, UINT32_MAX, UINT32_MAX, {}, {}});
  }
  const Tracks tracks = tracksOf(game.recording);
  expectRowsApart(tracks);
}

TEST(Tracks, anEmptyRecordingHasNone) { EXPECT_TRUE(tracksOf(Recording()).tracks.empty()); }

} // namespace
} // namespace basanite::timing
