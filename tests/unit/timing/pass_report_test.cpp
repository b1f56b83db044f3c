// SPDX-License-Identifier: Apache-2.0
// The table and the JSON of a recording.
#include "src/timing/pass_report.hpp"
#include "src/timing/text.hpp"
#include "tests/unit/timing/sample_recording.hpp"

#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace basanite::timing {
namespace {

using test::SampleRecording;

TEST(PassReport, tableHasALineAPass) {
  SampleRecording game;
  game.play(20);
  const std::string text = passReport(game.recording, Analysis(game.recording));
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "pass        kind     median us   p95 us   max us   share  runs  draws  vertices");
  std::getline(lines, line);
  EXPECT_EQ(line, "scene       render      4000.0  16000.0  16000.0  63.4 %     1      3      3000");
  std::getline(lines, line);
  EXPECT_EQ(line, "bloom       compute     2000.0   2000.0   2000.0  24.4 %     1      3         -");
  EXPECT_NE(text.find("frames    20: median 10.000 ms, p95 22.000 ms, max 22.000 ms; GPU median 7.000 ms; "
                      "slow (over 15.000 ms): 2\n"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find(
          "overhead  +1.2 % GPU time (quartiles -1.0 to +2.0 %), +0.4 % frame time, over 40 frames with"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("warnings"), std::string::npos);
}

TEST(PassReport, longNamesAreShortened) {
  SampleRecording game;
  game.commit({game.pass(std::string(300, 'x'), 5'000'000, 100)});
  std::istringstream lines(passReport(game.recording, Analysis(game.recording), {80}));
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  EXPECT_LE(columnsOf(line), 80u);
}

TEST(PassReport, saysWhatIsMissing) {
  Recording recording;
  recording.fault = "The file a.trace is cut off at byte 20.";
  recording.lostStamps = 3;
  recording.lostRecords = 4;
  recording.warnings = {"The disk is full."};
  const std::string text = passReport(recording, Analysis(recording));
  for (const char* part : {"note: The file a.trace is cut off at byte 20. What comes before is shown.\n",
                           "no completed commit", "3 stamps found no free slot", "4 records were lost",
                           "The disk is full.", "no passes\n", "overhead  not measured"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(PassReport, jsonHasTheSameFigures) {
  SampleRecording game;
  game.play(20);
  RecordedEncoder empty = game.pass("nothing \xff", 300'000'000, 1'000, trace::EncoderKind::compute);
  empty.dispatches = 0;
  game.commit({empty});
  const auto json = nlohmann::json::parse(passReportJson(game.recording, Analysis(game.recording)));
  EXPECT_EQ(json["command"][0], "/opt/game/bin/racer");
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["frames"]["count"], 21);
  EXPECT_EQ(json["passes"][0]["name"], "scene");
  EXPECT_EQ(json["passes"][0]["gpu_ns"]["median"], 4e6);
  EXPECT_EQ(json["passes"][0]["stage_median_ns"]["vertex"], 5e5);
  EXPECT_EQ(json["passes"][0]["per_frame"]["draws"], 3);
  EXPECT_EQ(json["frames"]["slow"][0]["frame"], 9);
  EXPECT_EQ(json["overhead"]["gpu_ratio"], 1.012);
  EXPECT_EQ(json["devices"][0]["clock_error_ns"], 1234);
  ASSERT_EQ(json["warnings"].size(), 1u);
  EXPECT_EQ(json["warnings"][0]["kind"], "empty encoder");
  EXPECT_EQ(json["warnings"][0]["pass"], "nothing \xEF\xBF\xBD");
  EXPECT_EQ(json["warnings"][0]["first_frame"], 20);
}

TEST(PassReport, anEmptyRecordingIsNoTrouble) {
  const auto json = nlohmann::json::parse(passReportJson(Recording(), Analysis(Recording())));
  EXPECT_EQ(json["passes"].size(), 0u);
  EXPECT_TRUE(json["overhead"].is_null());
}

} // namespace
} // namespace basanite::timing
