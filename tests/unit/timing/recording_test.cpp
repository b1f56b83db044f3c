// SPDX-License-Identifier: Apache-2.0
// Reading recordings: whole ones, ones that are cut off anywhere, damaged ones, and what is none.
#include "src/timing/recording.hpp"
#include "src/timing/recording_file.hpp"
#include "tests/unit/timing/recording_builder.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <unistd.h>

namespace basanite::timing {
namespace {

using test::RecordingBuilder;

class RecordingTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(m_path); }
  const std::string& file(std::string_view bytes) {
    RecordingBuilder::writeBytes(m_path, bytes);
    return m_path;
  }
  std::string refusal(std::string_view bytes) {
    auto recording = readRecording(file(bytes));
    return recording.ok() ? "" : recording.error().message;
  }

  std::string m_path =
      (std::filesystem::temp_directory_path() / ("recording_test_" + std::to_string(getpid()) + ".trace"))
          .string();
};

trace::EncoderRecord pass(ObjectId id, ObjectId commit, StringId label, uint64_t beginGpuNs) {
  trace::EncoderRecord record;
  record.encoder = id;
  record.commit = commit;
  record.label = label;
  record.draws = 2;
  record.vertices = 300;
  record.encodeBeginHostNs = 900;
  record.encodeEndHostNs = 950;
  record.beginGpuNs = {beginGpuNs, 0, 0, beginGpuNs + 10, 0};
  record.endGpuNs = {beginGpuNs + 100, 0, 0, beginGpuNs + 110, 0};
  return record;
}

trace::CommitRecord commit(ObjectId id, uint64_t frame) {
  trace::CommitRecord record;
  record.commit = id;
  record.frame = frame;
  record.queue = 1;
  record.callBeginHostNs = 1'000;
  record.callEndHostNs = 1'100;
  record.startGpuNs = 50;
  record.endGpuNs = 400;
  record.stamped = 1;
  return record;
}

// Two frames with a pass each; the second has a debug group, a barrier and a draw. GPU times are 1,000 behind
// the host's.
RecordingBuilder sample() {
  RecordingBuilder builder;
  builder.chunk(7);
  const StringId app = builder.text(std::string_view("./app\0--fast", 12)), version = builder.text("0.1");
  const StringId gpu = builder.text("GPU"), shadow = builder.text("shadow map"),
                 trees = builder.text("trees");
  trace::ProcessRecord process;
  process.commandLine = app;
  process.version = version;
  process.processId = 42;
  builder.add(process);
  trace::DeviceRecord device;
  device.device = 1;
  device.name = gpu;
  builder.add(device);
  builder.add(trace::QueueRecord{1, 1, shadow, 0});
  builder.add(trace::ClockRecord{1, 0, 1'001, 1, 3});
  builder.add(trace::ClockRecord{1, 0, 2'001, 1'001, 5});
  builder.chunk(8);
  builder.add(pass(2, 2, shadow, 200));
  builder.add(trace::BarrierRecord{2, 1, 2, 0, trace::BarrierKind::consumer, 0, 0});
  trace::GroupRecord group;
  group.commit = 2;
  group.encoder = 2;
  group.label = trees;
  group.beginGpuNs = 210;
  group.endGpuNs = 250;
  group.count = 1;
  builder.add(group);
  trace::DrawRecord draw;
  draw.encoder = 2;
  draw.beginGpuNs = 210;
  draw.endGpuNs = 250;
  builder.add(draw);
  builder.add(commit(2, 1));
  builder.chunk(9); // the first commit's feedback came later
  builder.add(pass(1, 1, shadow, 100));
  builder.add(commit(1, 0));
  builder.add(trace::ZoneRecord{500, 700, 0, 9, trees, trace::ZoneKind::compilePipeline, 0, 0, 0});
  builder.add(trace::LostRecord{4, 5});
  builder.add(trace::EndRecord{9'000});
  return builder;
}

TEST_F(RecordingTest, PutsRecordsTogether) {
  auto result = readRecording(file(sample().bytes()));
  ASSERT_TRUE(result.ok()) << result.error().message;
  const Recording& recording = *result;
  EXPECT_EQ(recording.commandLine, (std::vector<std::string>{"./app", "--fast"}));
  EXPECT_EQ(recording.version, "0.1");
  EXPECT_EQ(recording.processId, 42u);
  EXPECT_TRUE(recording.complete);
  EXPECT_EQ(recording.fault, "");
  EXPECT_EQ(recording.endHostNs, 9'000u);
  ASSERT_EQ(recording.devices.size(), 1u);
  EXPECT_EQ(recording.devices[0].name, "GPU");
  EXPECT_EQ(recording.devices[0].clockErrorNs, 5u);
  ASSERT_EQ(recording.commits.size(), 2u);
  EXPECT_EQ(recording.commits[0].id, 1u);
  const RecordedCommit& second = recording.commits[1];
  EXPECT_EQ(second.gpu, (Interval{1'050, 1'400}));
  ASSERT_EQ(second.encoders.size(), 1u);
  const RecordedEncoder& encoder = second.encoders[0];
  EXPECT_EQ(recording.nameOf(encoder), "shadow map");
  EXPECT_EQ(encoder.stages[size_t(trace::Stage::vertex)], (Interval{1'200, 1'300}));
  EXPECT_EQ(encoder.gpu(), (Interval{1'200, 1'310}));
  EXPECT_FALSE(encoder.stages[size_t(trace::Stage::mesh)].isMeasured());
  ASSERT_EQ(encoder.barriers.size(), 1u);
  EXPECT_EQ(encoder.barriers[0].beforeStages, 2u);
  ASSERT_EQ(encoder.groups.size(), 1u);
  EXPECT_EQ(recording.text(encoder.groups[0].label), "trees");
  EXPECT_EQ(encoder.groups[0].gpu, (Interval{1'210, 1'250}));
  ASSERT_EQ(encoder.commands.size(), 1u);
  EXPECT_EQ(encoder.commands[0].gpu, (Interval{1'210, 1'250}));
  ASSERT_EQ(recording.frames.size(), 2u);
  EXPECT_EQ(recording.frames[1].index, 1u);
  EXPECT_EQ(recording.frames[1].host, (Interval{900, 1'100}));
  EXPECT_TRUE(recording.frames[1].stamped);
  ASSERT_EQ(recording.zones.size(), 1u);
  EXPECT_EQ(recording.lostStamps, 4u);
  EXPECT_EQ(recording.lostRecords, 5u);
}

TEST_F(RecordingTest, SkipsKindsAndFieldsOfLaterWriters) {
  RecordingBuilder builder;
  builder.chunk(1);
  builder.raw(std::string_view("\xff\x7f\x10\0\0\0\0\0ABCDEFGH", 16));                 // kind 32767
  builder.raw(std::string_view("\x12\0\x18\0\0\0\0\0\x07\0\0\0\0\0\0\0ABCDEFGH", 24)); // a longer EndRecord
  auto recording = readRecording(file(builder.bytes()));
  ASSERT_TRUE(recording.ok());
  EXPECT_EQ(recording->fault, "");
  EXPECT_EQ(recording->endHostNs, 7u);
}

TEST_F(RecordingTest, NamesWhatIsNoRecording) {
  EXPECT_EQ(refusal(""), "The file " + m_path + " is empty or cannot be read.");
  EXPECT_EQ(refusal("GIF89a and more than a header"),
            "The file " + m_path + " is not a recording of Basanite.");
  EXPECT_EQ(refusal("BSNTRACE\x01"), "The file " + m_path + " ends after 9 bytes, inside its header of 16.");
  std::string other = sample().bytes();
  other[8] = 77;
  EXPECT_EQ(refusal(other),
            "The file " + m_path + " is a recording of version 77; this program reads version 1.");
  auto missing = readRecording("/does/not/exist");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().message, "The file /does/not/exist cannot be opened: No such file or directory.");
}

TEST_F(RecordingTest, ReadsWhatIsThereOfAFileCutOffAnywhere) {
  const std::string whole = sample().bytes();
  size_t commits = 0;
  for (size_t length = sizeof(trace::FileHeader); length < whole.size(); ++length) {
    auto recording = readRecording(file(std::string_view(whole).substr(0, length)));
    ASSERT_TRUE(recording.ok()) << length;
    EXPECT_FALSE(recording->complete) << length;
    EXPECT_GE(recording->commits.size(), commits) << length;
    commits = recording->commits.size();
  }
  EXPECT_EQ(commits, 2u);
  auto recording = readRecording(file(std::string_view(whole).substr(0, whole.size() - 3)));
  EXPECT_EQ(recording->fault,
            "The file " + m_path + " is cut off at byte " + std::to_string(whole.size() - 3) + ".");
}

TEST_F(RecordingTest, SurvivesDamage) {
  const std::string whole = sample().bytes();
  std::mt19937 random(1);
  for (int round = 0; round < 3'000; ++round) {
    std::string damaged = whole;
    for (int i = random() % 8; i >= 0; --i)
      damaged[sizeof(trace::FileHeader) + random() % (whole.size() - sizeof(trace::FileHeader))] =
          static_cast<char>(random());
    auto recording = readRecording(file(damaged));
    ASSERT_TRUE(recording.ok());
    for (const RecordedCommit& commit : recording->commits)
      for (const RecordedEncoder& encoder : commit.encoders) EXPECT_FALSE(recording->nameOf(encoder).empty());
  }
}

TEST_F(RecordingTest, SaysWhereItIsDamaged) {
  RecordingBuilder builder;
  builder.chunk(1);
  builder.add(trace::EndRecord{1});
  builder.raw(std::string(8, '\0'));
  EXPECT_EQ(readRecording(file(builder.bytes()))->fault,
            "The file " + m_path + " is damaged at byte 40: no record fits there.");
  std::string huge = builder.bytes().substr(0, 16) + std::string("\1\0\0\0\0\0\0\x10", 8);
  EXPECT_EQ(readRecording(file(huge))->fault,
            "The file " + m_path +
                " is damaged at byte 16: a chunk of 268435456 bytes, where 1048576 are the most.");
}

} // namespace
} // namespace basanite::timing
