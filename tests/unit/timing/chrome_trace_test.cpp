// SPDX-License-Identifier: Apache-2.0
// The Chrome trace of a recording against the format's rules and the recording.
#include "src/timing/chrome_trace.hpp"
#include "tests/unit/timing/sample_recording.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

namespace basanite::timing {
namespace {

using test::SampleRecording;
using Json = nlohmann::json;

class ChromeTrace : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(m_path); }

  Json write(const Recording& recording) {
    const auto done = writeChromeTrace(m_path, recording, Analysis(recording));
    EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message);
    gzFile file = gzopen(m_path.c_str(), "rb");
    EXPECT_EQ(gzdirect(file), 0); // it is compressed
    std::string text;
    char block[4096];
    for (int count; (count = gzread(file, block, sizeof(block))) > 0;)
      text.append(block, static_cast<size_t>(count));
    gzclose(file);
    return Json::parse(text);
  }

  std::string m_path =
      (std::filesystem::temp_directory_path() / ("chrome_trace_test_" + std::to_string(getpid()))).string();
};

// What the format asks of each kind of event; spans of a track must not overlap, or viewers drop them.
void expectValid(const Json& trace) {
  std::set<std::pair<int, int>> named;
  std::map<std::pair<int, int>, double> ends;
  std::map<int, int> arrows;
  for (const Json& event : trace["traceEvents"]) {
    const std::string kind = event["ph"];
    const std::pair<int, int> track = {event["pid"], event.value("tid", 0)};
    EXPECT_TRUE(event["name"].is_string());
    if (kind == "M") {
      if (event["name"] == "thread_name") named.insert(track);
      continue;
    }
    EXPECT_TRUE(event["ts"].is_number());
    EXPECT_GE(event["ts"], 0);
    if (kind == "C") {
      EXPECT_TRUE(event["args"]["bytes"].is_number());
      continue;
    }
    EXPECT_TRUE(named.count(track));
    if (kind == "X") {
      EXPECT_GE(event["ts"].get<double>() + 1e-4, ends[track]);
      ends[track] = event["ts"].get<double>() + event["dur"].get<double>();
      EXPECT_GE(event["dur"], 0);
    } else if (kind == "s") {
      EXPECT_EQ(++arrows[event["id"]], 1);
    } else {
      EXPECT_EQ(kind, "f");
      EXPECT_EQ(event["bp"], "e");
      EXPECT_EQ(++arrows[event["id"]], 2);
    }
  }
  for (const auto& [id, ends_] : arrows) EXPECT_EQ(ends_, 2) << id;
}

TEST_F(ChromeTrace, showsTheRecording) {
  SampleRecording game;
  game.play(12);
  const Json trace = write(game.recording);
  expectValid(trace);
  const auto count = [&](const auto& wanted) {
    return std::count_if(trace["traceEvents"].begin(), trace["traceEvents"].end(), wanted);
  };
  EXPECT_EQ(count([](const Json& e) { return e["ph"] == "X" && e["name"] == "scene" && e["cat"] == "gpu"; }),
            24); // two stages
  EXPECT_EQ(count([](const Json& e) { return e["ph"] == "s"; }), 12);
  EXPECT_EQ(count([](const Json& e) { return e["ph"] == "X" && e["cat"] == "frame"; }), 12);
  EXPECT_EQ(count([](const Json& e) { return e["ph"] == "C" && e["name"] == "memory: textures"; }), 12);
  EXPECT_EQ(count([](const Json& e) { return e["name"] == "process_name" && e["args"]["name"] == "racer"; }),
            1);
  EXPECT_EQ(trace["otherData"]["Device"], "Test GPU");
  const auto fragments =
      std::find_if(trace["traceEvents"].begin(), trace["traceEvents"].end(), [](const Json& e) {
        return e["ph"] == "X" && e["name"] == "scene" && e["cat"] == "gpu" && e["dur"] == 4000;
      });
  ASSERT_NE(fragments, trace["traceEvents"].end());
  EXPECT_EQ((*fragments)["args"],
            (Json{{"frame", 0}, {"draws", 3}, {"vertices", 3000}, {"dispatches", 0}, {"copies", 0}}));
  EXPECT_EQ((*fragments)["ts"], 4000); // the recording begins with its first call
}

TEST_F(ChromeTrace, overlappingWorkHasTracksOfItsOwn) {
  SampleRecording game;
  game.commit({game.pass("a", 5'000'000, 1'000'000), game.pass("b\xff\"", 5'500'000, 1'000'000)});
  const Json trace = write(game.recording);
  expectValid(trace);
  EXPECT_NE(trace.dump().find("fragment 2"), std::string::npos);
}

TEST_F(ChromeTrace, anEmptyRecordingIsATraceToo) { expectValid(write(Recording())); }

TEST_F(ChromeTrace, aFolderThatIsNotThereIsASentence) {
  const auto done = writeChromeTrace("/nowhere/at/all.gz", Recording(), Analysis(Recording()));
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().message.find("/nowhere/at/all.gz cannot be written"), std::string::npos);
}

} // namespace
} // namespace basanite::timing
