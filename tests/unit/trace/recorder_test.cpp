// SPDX-License-Identifier: Apache-2.0
// What threads record is in the file, in order, whatever happens to the threads, the disk and the process.
#include "src/base/host_clock.hpp"
#include "src/timing/recording.hpp"
#include "src/timing/recording_file.hpp"
#include "src/trace/recorder.hpp"
#include "src/trace/zone.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace basanite::trace {
namespace {

class RecorderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(m_folder), std::filesystem::create_directory(m_folder);
  }
  void TearDown() override { std::filesystem::remove_all(m_folder); }

  Options options(const std::string& name = "a.trace") const { return {.path = (m_folder / name).string()}; }
  std::unique_ptr<Recorder> start(const Options& options) {
    auto recorder = Recorder::create(options);
    EXPECT_TRUE(recorder.ok()) << (recorder.ok() ? "" : recorder.error().message);
    return recorder.ok() ? std::move(recorder).value() : nullptr;
  }
  timing::Recording read(const std::string& name = "a.trace") {
    auto recording = timing::readRecording((m_folder / name).string());
    EXPECT_TRUE(recording.ok()) << (recording.ok() ? "" : recording.error().message);
    return recording.ok() ? std::move(recording).value() : timing::Recording{};
  }
  std::filesystem::path m_folder =
      std::filesystem::temp_directory_path() / ("recorder_test_" + std::to_string(getpid()));
};

// Resident memory of this process.
size_t residentBytes() {
  size_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * size_t(sysconf(_SC_PAGESIZE));
}

TEST_F(RecorderTest, SaysWhatTheProcessIs) {
  const uint64_t before = base::hostNowNs();
  Options asked = options();
  asked.precise = true;
  asked.every = Every::draw;
  asked.firstFrame = 3;
  asked.lastFrame = 9;
  start(asked)->finish();
  const timing::Recording recording = read();
  EXPECT_TRUE(recording.complete);
  EXPECT_EQ(recording.fault, "");
  ASSERT_FALSE(recording.commandLine.empty());
  EXPECT_NE(recording.commandLine[0].find("unit_trace"), std::string::npos);
  EXPECT_EQ(recording.processId, uint32_t(getpid()));
  EXPECT_FALSE(recording.version.empty());
  EXPECT_GE(recording.startHostNs, before);
  EXPECT_GE(recording.endHostNs, recording.startHostNs);
  EXPECT_GT(recording.startUnixNs, 1'600'000'000'000'000'000u);
  EXPECT_TRUE(recording.precise);
  EXPECT_EQ(recording.every, Every::draw);
  EXPECT_EQ(recording.firstFrame, 3u);
  EXPECT_EQ(recording.lastFrame, 9u);
}

TEST_F(RecorderTest, KeepsEveryThreadsOrder) {
  auto recorder = start(options());
  constexpr int kThreads = 4, kRecords = 20'000;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      for (int n = 1; n <= kRecords; ++n) recorder->add(EndRecord{uint64_t(i) << 32 | uint64_t(n)});
    });
  for (std::thread& thread : threads) thread.join();
  recorder->finish();
  auto file = timing::RecordingFile::open(recorder->path());
  ASSERT_TRUE(file.ok());
  std::map<uint64_t, uint64_t> last;
  uint64_t records = 0;
  while (auto record = file->next()) {
    if (record->kind != RecordKind::end) continue;
    const uint64_t value = record->as<EndRecord>().hostNs;
    if (value >> 32 >= kThreads) continue; // the recorder's own
    EXPECT_EQ((value & UINT32_MAX), last[value >> 32] + 1);
    last[value >> 32] = value & UINT32_MAX;
    ++records;
  }
  EXPECT_EQ(file->fault(), "");
  EXPECT_EQ(records, uint64_t(kThreads) * kRecords);
}

TEST_F(RecorderTest, GivesEqualTextsOneNumber) {
  auto recorder = start(options());
  const StringId one = recorder->text("one"), two = recorder->text("two");
  EXPECT_NE(one, two);
  EXPECT_EQ(recorder->text("one"), one);
  EXPECT_EQ(recorder->text(""), 0u);
  const StringId longest = recorder->text(std::string(100'000, 'x'));
  recorder->finish();
  const timing::Recording recording = read();
  EXPECT_EQ(recording.text(one), "one");
  EXPECT_EQ(recording.text(two), "two");
  EXPECT_EQ(recording.text(longest).size(), Recorder::kMaxTextBytes);
}

TEST_F(RecorderTest, LabelsThatNeverRepeatTakeBoundedMemory) {
  auto recorder = start(options());
  StringId last = 0;
  for (int i = 0; i < 200'000; ++i) {
    last = recorder->text("frame " + std::to_string(i));
    if (i == 100'000) recorder->warn("half");
  }
  recorder->finish();
  const timing::Recording recording = read();
  EXPECT_EQ(recording.text(last), "frame 199999");
  EXPECT_EQ(recording.warnings, std::vector<std::string>{"half"});
}

TEST_F(RecorderTest, NamesThreads) {
  auto recorder = start(options());
  uint32_t id = 0;
  std::thread([&] {
    pthread_setname_np(pthread_self(), "loader");
    id = Recorder::threadId();
    recorder->warn("from a thread that is gone before the writer comes");
  }).join();
  recorder->finish();
  const timing::Recording recording = read();
  EXPECT_EQ(recording.warnings.size(), 1u);
  bool found = false;
  for (const auto& thread : recording.threads) found |= thread.id == id && thread.name == "loader";
  EXPECT_TRUE(found);
}

TEST_F(RecorderTest, IsReadableWhileItGrowsAndWhenThereIsNoEnd) {
  auto recorder = start(options());
  recorder->warn("early");
  std::this_thread::sleep_for(std::chrono::nanoseconds(3 * Recorder::kFlushIntervalNs));
  const timing::Recording recording = read();
  EXPECT_EQ(recording.warnings.size(), 1u);
  EXPECT_EQ(recording.fault, "");
  EXPECT_FALSE(recording.complete);
}

TEST_F(RecorderTest, TicksAtTheEnd) {
  auto recorder = start(options());
  std::atomic<int> ticks{0};
  recorder->onTick([&] {
    ++ticks;
    recorder->warn("tick");
  });
  recorder->finish();
  EXPECT_EQ(ticks, 1);
  EXPECT_EQ(read().warnings.size(), 1u);
}

TEST_F(RecorderTest, DropsWhatComesAfterTheEnd) {
  auto recorder = start(options());
  recorder->finish();
  recorder->warn("late");
  recorder->finish();
  EXPECT_EQ(recorder->text("late"), 0u);
  EXPECT_TRUE(read().warnings.empty());
}

TEST_F(RecorderTest, CountsLostStamps) {
  auto recorder = start(options());
  recorder->noteLostStamps(3);
  recorder->noteLostStamps(4);
  recorder->finish();
  EXPECT_EQ(read().lostStamps, 7u);
}

TEST_F(RecorderTest, AFileInUseGetsANeighbour) {
  auto first = start(options()), second = start(options());
  EXPECT_EQ(second->path(), first->path() + "." + std::to_string(getpid()));
  first->warn("first");
  second->warn("second");
  first->finish();
  second->finish();
  EXPECT_EQ(read().warnings, std::vector<std::string>{"first"});
  EXPECT_EQ(read("a.trace." + std::to_string(getpid())).warnings, std::vector<std::string>{"second"});
}

TEST_F(RecorderTest, SaysWhyThereIsNoFile) {
  auto none = Recorder::create({.path = "/does/not/exist/a.trace"});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message,
            "The file /does/not/exist/a.trace cannot be written: No such file or directory.");
  auto full = Recorder::create({.path = "/dev/full"});
  ASSERT_FALSE(full.ok());
  EXPECT_EQ(full.error().message, "The file /dev/full cannot be written: No space left on device.");
}

TEST_F(RecorderTest, AFullDiskKeepsWhatWasRecorded) {
  testing::internal::CaptureStderr();
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  auto recorder = start(options());
  recorder->warn("early");
  std::this_thread::sleep_for(std::chrono::nanoseconds(3 * Recorder::kFlushIntervalNs));
  rlimit limit = before;
  limit.rlim_cur = 100'000;
  setrlimit(RLIMIT_FSIZE, &limit);
  for (int i = 0; i < 100'000; ++i) recorder->add(ClockRecord{});
  recorder->finish();
  setrlimit(RLIMIT_FSIZE, &before);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("Recording to " + recorder->path() + " stopped after "), std::string::npos) << log;
  EXPECT_NE(log.find("File too large. What is there is kept."), std::string::npos) << log;
  const timing::Recording recording = read();
  EXPECT_EQ(recording.fault, "");
  EXPECT_FALSE(recording.complete);
  EXPECT_EQ(recording.warnings.size(), 1u);
}

TEST_F(RecorderTest, AKilledProcessLeavesAGoodFile) {
  const Options asked = options();
  const pid_t child = fork();
  if (child == 0) {
    auto recorder = Recorder::create(asked);
    if (!recorder.ok()) _exit(1);
    recorder.value()->warn("alive");
    std::this_thread::sleep_for(std::chrono::nanoseconds(5 * Recorder::kFlushIntervalNs));
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const timing::Recording recording = read();
  EXPECT_EQ(recording.warnings, std::vector<std::string>{"alive"});
  EXPECT_EQ(recording.fault, "");
  EXPECT_FALSE(recording.complete);
}

TEST_F(RecorderTest, AForkedChildRecordsNothingAndEnds) {
  const pid_t outer = fork(); // start() is for the life of a process
  if (outer == 0) {
    auto started = Recorder::start(options());
    if (!started.ok()) _exit(1);
    (*started)->warn("parent");
    const pid_t child = fork();
    if (child == 0) {
      (*started)->warn("child");
      {
        Zone zone(ZoneKind::other);
      }
      std::exit(recorder() == nullptr ? 0 : 3);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
  }
  int status = 0;
  waitpid(outer, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const timing::Recording recording = read();
  EXPECT_EQ(recording.warnings, std::vector<std::string>{"parent"});
  EXPECT_TRUE(recording.complete);
}

TEST_F(RecorderTest, TenMillionEventsInBoundedMemory) {
  constexpr uint64_t kEvents = 10'000'000;
  constexpr size_t kMostBytes = 96 << 20;
  const size_t before = residentBytes();
  size_t most = 0;
  auto recorder = start(options());
  for (uint64_t i = 0; i < kEvents; ++i) {
    recorder->add(EndRecord{i});
    if (i % 100'000 == 0) most = std::max(most, residentBytes());
  }
  recorder->finish();
  auto file = timing::RecordingFile::open(recorder->path());
  ASSERT_TRUE(file.ok());
  uint64_t read = 0, lost = 0;
  while (auto record = file->next()) {
    read += record->kind == RecordKind::end;
    if (record->kind == RecordKind::lost) lost = record->as<LostRecord>().records;
    if (read % 100'000 == 0) most = std::max(most, residentBytes());
  }
  EXPECT_EQ(file->fault(), "");
  EXPECT_EQ(read - 1 + lost, kEvents); // the recorder's own end is one more
  EXPECT_LT(most - std::min(before, most), kMostBytes);
}

} // namespace
} // namespace basanite::trace
