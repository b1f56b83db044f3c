// SPDX-License-Identifier: Apache-2.0
// Each warning where it is due, and none where it is not.
#include "src/timing/analysis.hpp"
#include "tests/unit/timing/sample_recording.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace basanite::timing {
namespace {

using test::SampleRecording;
using trace::LoadAction, trace::StoreAction;

constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kVertex = 1, kFragment = 2, kDispatch = 1 << 27;

std::vector<WarningKind> kindsOf(const Recording& recording) {
  std::vector<WarningKind> kinds;
  for (const Warning& warning : Analysis(recording).warnings) kinds.push_back(warning.kind);
  return kinds;
}

using Kinds = std::vector<WarningKind>;

class Warnings : public testing::Test {
 protected:
  // Two passes of one commit that both draw into the same texture.
  void twoPasses(LoadAction secondLoad, std::vector<RecordedBarrier> ofFirst,
                 std::vector<RecordedBarrier> ofSecond, LoadAction firstLoad = LoadAction::clear,
                 uint32_t firstDraws = 1) {
    RecordedEncoder first = game.pass("opaque", 5 * kMs, kMs), second = game.pass("glass", 6 * kMs, kMs);
    first.attachments = {game.attachment("colours", firstLoad, StoreAction::store)};
    second.attachments = {game.attachment("colours", secondLoad, StoreAction::store)};
    first.draws = firstDraws;
    first.barriers = std::move(ofFirst);
    second.barriers = std::move(ofSecond);
    game.commit({first, second});
  }
  static RecordedBarrier barrier(trace::BarrierKind kind, uint64_t after = kFragment,
                                 uint64_t before = kFragment) {
    return {kind, after, before, 0};
  }

  SampleRecording game;
};

TEST_F(Warnings, aGameWithoutFaultsHasNone) {
  game.play(20);
  EXPECT_EQ(kindsOf(game.recording), Kinds{});
}

TEST_F(Warnings, loadingWithoutABarrier) {
  twoPasses(LoadAction::load, {}, {});
  const std::vector<Warning> warnings = Analysis(game.recording).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].kind, WarningKind::missingBarrier);
  EXPECT_EQ(warnings[0].title, "'glass' waits for nothing");
  EXPECT_NE(warnings[0].text.find("'colours', which 'opaque' stores"), std::string::npos) << warnings[0].text;
  EXPECT_EQ(warnings[0].frame, 0u);
}

TEST_F(Warnings, barriersAndFencesOnTheWayAreWaits) {
  using trace::BarrierKind;
  twoPasses(LoadAction::load, {}, {barrier(BarrierKind::consumer)});
  twoPasses(LoadAction::load, {}, {barrier(BarrierKind::fenceWait)});
  twoPasses(LoadAction::load, {barrier(BarrierKind::producer)}, {});
  EXPECT_EQ(kindsOf(game.recording), Kinds{});
  twoPasses(LoadAction::load, {barrier(BarrierKind::consumer)}, {barrier(BarrierKind::encoder)});
  EXPECT_EQ(kindsOf(game.recording), Kinds{WarningKind::missingBarrier});
}

TEST_F(Warnings, aWarningIsCountedNotRepeated) {
  for (int i = 0; i < 3; ++i) twoPasses(LoadAction::load, {}, {});
  const std::vector<Warning> warnings = Analysis(game.recording).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].count, 3u);
}

TEST_F(Warnings, aResultThatTheNextPassClears) {
  twoPasses(LoadAction::clear, {}, {});
  EXPECT_EQ(kindsOf(game.recording), Kinds{WarningKind::unusedResult});
}

// A shader may have read it on the way: what is between is not known, so nothing is said.
TEST_F(Warnings, aResultThatAnotherPassMayReadIsNotReported) {
  RecordedEncoder first = game.pass("a", 5 * kMs, kMs), reader = game.pass("b", 6 * kMs, kMs),
                  last = game.pass("c", 7 * kMs, kMs);
  first.attachments = last.attachments = {game.attachment("colours", LoadAction::clear, StoreAction::store)};
  reader.attachments = {game.attachment("other", LoadAction::clear, StoreAction::store)};
  game.commit({first, reader, last});
  game.commit({first});
  game.commit({last});
  EXPECT_EQ(kindsOf(game.recording), Kinds{});
}

TEST_F(Warnings, aPassThatOnlyClears) {
  twoPasses(LoadAction::load, {}, {barrier(trace::BarrierKind::consumer)}, LoadAction::clear, 0);
  EXPECT_EQ(kindsOf(game.recording), Kinds{WarningKind::clearOnly});
}

TEST_F(Warnings, anEmptyEncoder) {
  RecordedEncoder empty = game.pass("nothing", 5 * kMs, kMs, trace::EncoderKind::compute);
  empty.dispatches = 0;
  RecordedEncoder resolve = game.pass("resolve", 6 * kMs, kMs);
  resolve.draws = 0;
  resolve.attachments = {game.attachment("colours", LoadAction::load, StoreAction::resolve)};
  game.commit({empty, resolve});
  const std::vector<Warning> warnings = Analysis(game.recording).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].title, "'nothing' does nothing");
}

TEST_F(Warnings, aBarrierThatDrains) {
  RecordedEncoder scene = game.pass("scene", 5 * kMs, kMs);
  scene.barriers = {barrier(trace::BarrierKind::consumer, kFragment, kFragment),
                    barrier(trace::BarrierKind::consumer, kDispatch, kVertex),
                    barrier(trace::BarrierKind::encoder, kFragment, kVertex)};
  game.commit({scene});
  EXPECT_EQ(kindsOf(game.recording), Kinds{});
  scene.barriers = {barrier(trace::BarrierKind::consumer, kFragment, kVertex | kFragment)};
  game.commit({scene});
  EXPECT_EQ(kindsOf(game.recording), Kinds{WarningKind::drainingBarrier});
}

TEST_F(Warnings, passesThatOverlapMostOfTheTime) {
  for (uint64_t i = 0; i < 4; ++i)
    game.commit({game.pass("a", (10 * i + 5) * kMs, 2 * kMs),
                 game.pass("b", (10 * i + (i < 3 ? 6 : 7)) * kMs, 2 * kMs)});
  const std::vector<Warning> warnings = Analysis(game.recording).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].kind, WarningKind::overlappingPasses);
  EXPECT_EQ(warnings[0].count, 3u);
  EXPECT_NE(warnings[0].text.find("3 of 4 runs, by 50 %"), std::string::npos) << warnings[0].text;
}

TEST_F(Warnings, aPipelineThatIsMadeWhileFramesRun) {
  game.play(8);
  game.zone(trace::ZoneKind::compilePipeline, "early", 0, 3 * kMs);       // before the first frame
  game.zone(trace::ZoneKind::compilePipeline, "cached", 41 * kMs, 5'000); // too short to matter
  EXPECT_EQ(kindsOf(game.recording), Kinds{});
  game.zone(trace::ZoneKind::compilePipeline, "sky", 42 * kMs, 30 * kMs);
  const std::vector<Warning> warnings = Analysis(game.recording).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].kind, WarningKind::slowCompile);
  EXPECT_EQ(warnings[0].frame, 7u); // at 72 ms; frame 7 ends at 80 ms
  EXPECT_NE(warnings[0].text.find("'sky' took 30.0 ms"), std::string::npos) << warnings[0].text;
}

TEST_F(Warnings, cpuAndGpuThatTakeTurns) {
  for (uint64_t i = 0; i < 10; ++i) {
    RecordedEncoder scene = game.pass("scene", (20 * i + 10) * kMs, 8 * kMs);
    scene.encoding = SampleRecording::at((20 * i + 1) * kMs, 8 * kMs);
    game.commit({scene});
  }
  EXPECT_EQ(kindsOf(game.recording), Kinds{WarningKind::takingTurns});
}

TEST_F(Warnings, aCommitThatFailed) {
  game.play(1);
  game.recording.commits[0].error = game.text("The command buffer 'x' has an error.");
  EXPECT_EQ(kindsOf(game.recording), Kinds{WarningKind::failedCommit});
}

} // namespace
} // namespace basanite::timing
