// SPDX-License-Identifier: Apache-2.0
// One clock for entries, sampleTimestamps and commit feedback: here on the device as it is, and in child
// processes on the device acting as one with longer ticks, a counter that wraps, or no calibrated timestamps.
#include "tests/api/counters_fixture.hpp"
#include "tests/api/counters_scenario.hpp"
#include "tests/support/child_process.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>
#include <thread>
#include <time.h>

namespace basanite::tests {
namespace {

double hookNumber(const char* variable, double otherwise) {
  const char* text = std::getenv(variable);
  return text && *text ? std::strtod(text, nullptr) : otherwise;
}

double tickNs() { return hookNumber("BASANITE_TEST_TIMESTAMP_PERIOD", 1); }
// How long the device's counter takes for one turn.
double turnNs() { return tickNs() * std::pow(2.0, hookNumber("BASANITE_TEST_TIMESTAMP_BITS", 64)); }
// How far a sample may be off: the pair's own error, and ticks cut off on both sides.
double sampleErrorNs() {
  const bool isCalibrated = hookNumber("BASANITE_TEST_NO_CALIBRATED_TIMESTAMPS", 0) == 0;
  return isCalibrated ? 20'000 + 2 * tickNs() : 1'000'000;
}

struct Sample {
  MTL::Timestamp cpu = 0, gpu = 0;
};

// What must hold on any clock: it runs in this process and, with hooks set, in children.
class CounterClock : public CountersFixture {
 protected:
  Sample sample() {
    Sample now;
    m_device->sampleTimestamps(&now.cpu, &now.gpu);
    EXPECT_NE(now.cpu, 0u);
    EXPECT_NE(now.gpu, 0u);
    return now;
  }

  // Two stamps of one recording must be less than 7/8 of a turn apart, and the host must find the time to
  // follow the counter. With turns of a tenth of a second a busy machine may not; with longer ones there is
  // no excuse.
  static int attempts() { return turnNs() < 1e9 ? 5 : 1; }

  void expectWithin(uint64_t stamp, const Sample& before, const Sample& after, const char* what) {
    EXPECT_NE(stamp, 0u) << what;
    EXPECT_GE(double(stamp), double(before.gpu) - sampleErrorNs())
        << what << ", sampled before at " << before.gpu;
    EXPECT_LE(double(stamp), double(after.gpu) + sampleErrorNs())
        << what << ", sampled after at " << after.gpu;
  }
};

TEST_F(CounterClock, EntriesRiseForOverASecondAndLastAsLongAsTheHostSays) {
  constexpr NS::UInteger kPerCommit = 4, kCommits = 60;
  auto heap = counterHeap(kPerCommit * kCommits);
  const uint32_t steps = burnStepsFor(2e6);
  bool isRight = atLeastOnce(attempts(), [&] {
    const Sample first = sample();
    for (NS::UInteger commit = 0; commit < kCommits; ++commit) {
      EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                  const NS::UInteger at = commit * kPerCommit;
                  commands->writeTimestampIntoHeap(heap.get(), at);
                  auto* encoder = commands->computeCommandEncoder();
                  encoder->writeTimestamp(kPrecise, heap.get(), at + 1);
                  burn(encoder, steps);
                  encoder->writeTimestamp(kPrecise, heap.get(), at + 2);
                  encoder->endEncoding();
                  commands->writeTimestampIntoHeap(heap.get(), at + 3);
                }),
                "");
      std::this_thread::sleep_for(std::chrono::milliseconds(18));
    }
    const Sample last = sample();
    const auto stamps = entries(heap.get());
    const double gpuNs = double(stamps.back() - stamps.front()), hostNs = double(last.cpu - first.cpu);
    std::printf("%.3f s by the entries, %.3f s by the host, steps back: %d\n", gpuNs / 1e9, hostNs / 1e9,
                int(!std::is_sorted(stamps.begin(), stamps.end())));
    return hostNs > 1e9 && stamps[0] != 0 && std::is_sorted(stamps.begin(), stamps.end()) &&
           gpuNs <= hostNs * 1.0001 && gpuNs >= hostNs - 200e6 &&
           double(stamps.front()) >= double(first.gpu) - sampleErrorNs() &&
           double(stamps.back()) <= double(last.gpu) + sampleErrorNs();
  });
  EXPECT_TRUE(isRight);
}

TEST_F(CounterClock, OneCommandBufferMayGoOverSeveralTurns) {
  constexpr NS::UInteger kWork = 16;
  auto heap = counterHeap(kWork + 1);
  const uint32_t steps = burnStepsFor(20e6);
  bool isRight = atLeastOnce(attempts(), [&] {
    const Sample before = sample();
    const CommitTimes times = timedRun([&](MTL4::CommandBuffer* commands) {
      auto* encoder = commands->computeCommandEncoder();
      encoder->writeTimestamp(kPrecise, heap.get(), 0);
      for (NS::UInteger i = 1; i <= kWork; ++i) {
        burn(encoder, steps);
        encoder->writeTimestamp(kPrecise, heap.get(), i);
      }
      encoder->endEncoding();
    });
    EXPECT_EQ(times.error, "");
    const Sample after = sample();
    const auto stamps = entries(heap.get());
    const double gpuNs = double(stamps.back() - stamps.front());
    std::printf("%.1f ms by the entries, %.1f by the feedback, %.1f by the host\n", gpuNs / 1e6,
                times.gpuNs() / 1e6, times.hostNs / 1e6);
    return std::is_sorted(stamps.begin(), stamps.end()) && gpuNs > 0.5 * times.hostNs &&
           gpuNs <= times.hostNs && std::abs(times.gpuNs() - gpuNs) < 0.1 * gpuNs + sampleErrorNs() &&
           double(stamps.front()) >= double(before.gpu) - sampleErrorNs() &&
           double(stamps.back()) <= double(after.gpu) + sampleErrorNs();
  });
  EXPECT_TRUE(isRight);
}

TEST_F(CounterClock, BothResolvesAgreeInTheMiddleAndAtTheEnd) {
  auto heap = counterHeap(6);
  auto middle = sharedBuffer(6 * 8), end = sharedBuffer(6 * 8);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              for (NS::UInteger i = 0; i < 3; ++i) commands->writeTimestampIntoHeap(heap.get(), i);
              commands->resolveCounterHeap(heap.get(), NS::Range::Make(0, 6), whole(middle.get()), nullptr,
                                           nullptr);
              for (NS::UInteger i = 2; i < 5; ++i) commands->writeTimestampIntoHeap(heap.get(), i);
              commands->resolveCounterHeap(heap.get(), NS::Range::Make(0, 6), whole(end.get()), nullptr,
                                           nullptr);
            }),
            "");
  const auto early = contents<uint64_t>(middle.get()), late = contents<uint64_t>(end.get());
  EXPECT_EQ(entries(heap.get()), late);
  EXPECT_NE(early[0], 0u);
  EXPECT_TRUE(std::is_sorted(early.begin(), early.begin() + 3));
  EXPECT_EQ(early[3], 0u);
  EXPECT_EQ(early[0], late[0]);
  EXPECT_EQ(early[1], late[1]);
  EXPECT_GT(late[2], early[2]) << "written again after the first resolve";
  EXPECT_TRUE(std::is_sorted(late.begin(), late.begin() + 5));
  EXPECT_EQ(late[5], 0u);
}

TEST_F(CounterClock, B61StampsLieBetweenTheSamplesAroundTheirCommit) {
  auto heap = counterHeap(2);
  for (int round = 0; round < 20; ++round) {
    const Sample before = sample();
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                commands->writeTimestampIntoHeap(heap.get(), 0);
                commands->writeTimestampIntoHeap(heap.get(), 1);
              }),
              "");
    const Sample after = sample();
    ASSERT_LT(before.cpu, after.cpu);
    expectWithin(entries(heap.get())[0], before, after, "first");
    expectWithin(entries(heap.get())[1], before, after, "second");
  }
}

TEST_F(CounterClock, FeedbackTimesAreTheHostsAndAgreeWithStamps) {
  auto heap = counterHeap(2);
  const uint32_t steps = burnStepsFor(5e6);
  for (int round = 0; round < 5; ++round) {
    const Sample before = sample();
    const CommitTimes times = timedRun([&](MTL4::CommandBuffer* commands) {
      auto* encoder = commands->computeCommandEncoder();
      encoder->writeTimestamp(kPrecise, heap.get(), 0);
      burn(encoder, steps);
      encoder->writeTimestamp(kPrecise, heap.get(), 1);
      encoder->endEncoding();
    });
    const Sample after = sample();
    EXPECT_EQ(times.error, "");
    const double slack = sampleErrorNs(), start = times.gpuStartSeconds * 1e9,
                 end = times.gpuEndSeconds * 1e9;
    EXPECT_GE(start, double(before.cpu) - slack);
    EXPECT_LE(end, double(after.cpu) + slack);
    // The stamps, brought to the host's clock by the sample before.
    const auto stamps = entries(heap.get());
    const double first = double(before.cpu) + double(int64_t(stamps[0] - before.gpu));
    const double last = double(before.cpu) + double(int64_t(stamps[1] - before.gpu));
    EXPECT_LE(start, first + slack);
    EXPECT_GE(end, last - slack);
    EXPECT_LE(last - first, end - start + slack);
  }
}

TEST_F(CounterClock, B13TheRateOfTheEntriesIsTheHosts) {
  auto heap = counterHeap(1);
  // A stamp and the middle of the narrowest of some brackets around it.
  auto pair = [&] {
    Sample narrowest;
    double width = 1e18;
    for (int round = 0; round < 10; ++round) {
      const Sample before = sample();
      EXPECT_EQ(runCommands(
                    [&](MTL4::CommandBuffer* commands) { commands->writeTimestampIntoHeap(heap.get(), 0); }),
                "");
      const Sample after = sample();
      if (double(after.cpu - before.cpu) >= width) continue;
      width = double(after.cpu - before.cpu);
      narrowest = {before.cpu + (after.cpu - before.cpu) / 2, entries(heap.get())[0]};
    }
    return narrowest;
  };
  const bool isRight = atLeastOnce(attempts(), [&] {
    const Sample first = pair();
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const Sample last = pair();
    const double ratio = double(last.gpu - first.gpu) / double(last.cpu - first.cpu);
    std::printf("entries run at %.6f of the host's rate\n", ratio);
    return std::abs(ratio - 1) < 0.01;
  });
  EXPECT_TRUE(isRight);
}

TEST_F(CounterClock, WorkThatWaitsLongAfterItsCommitIsStampedWhenItRuns) {
  auto heap = counterHeap(1);
  auto gate = NS::TransferPtr(m_device->newSharedEvent()), done = NS::TransferPtr(m_device->newSharedEvent());
  bool isRight = atLeastOnce(attempts(), [&] {
    const uint64_t value = gate->signaledValue() + 1;
    m_allocator->reset();
    m_commands->beginCommandBuffer(m_allocator.get());
    m_commands->writeTimestampIntoHeap(heap.get(), 0);
    m_commands->endCommandBuffer();
    std::this_thread::sleep_for(std::chrono::milliseconds(230)); // recorded long before the commit
    const MTL4::CommandBuffer* list[] = {m_commands.get()};
    m_queue->wait(gate.get(), value);
    m_queue->commit(list, 1);
    m_queue->signalEvent(done.get(), value);
    std::this_thread::sleep_for(std::chrono::milliseconds(470)); // and committed long before it can run
    const Sample before = sample();
    gate->setSignaledValue(value);
    EXPECT_TRUE(done->waitUntilSignaledValue(value, 60'000));
    const Sample after = sample();
    const double stamp = double(entries(heap.get())[0]);
    return stamp >= double(before.gpu) - sampleErrorNs() && stamp <= double(after.gpu) + sampleErrorNs();
  });
  EXPECT_TRUE(isRight);
}

TEST_F(CounterClock, B73StampsOfTwoQueuesCompare) {
  auto other = NS::TransferPtr(m_device->newMTL4CommandQueue());
  auto allocator = NS::TransferPtr(m_device->newCommandAllocator());
  auto commands = NS::TransferPtr(m_device->newCommandBuffer());
  auto event = NS::TransferPtr(m_device->newSharedEvent()),
       done = NS::TransferPtr(m_device->newSharedEvent());
  auto heap = counterHeap(2);
  for (uint64_t round = 1; round <= 20; ++round) {
    m_allocator->reset();
    allocator->reset();
    m_commands->beginCommandBuffer(m_allocator.get());
    m_commands->writeTimestampIntoHeap(heap.get(), 0);
    m_commands->endCommandBuffer();
    commands->beginCommandBuffer(allocator.get());
    commands->writeTimestampIntoHeap(heap.get(), 1);
    commands->endCommandBuffer();
    const MTL4::CommandBuffer* first[] = {m_commands.get()};
    const MTL4::CommandBuffer* second[] = {commands.get()};
    other->wait(event.get(), round);
    other->commit(second, 1);
    other->signalEvent(done.get(), round);
    m_queue->commit(first, 1);
    m_queue->signalEvent(event.get(), round);
    ASSERT_TRUE(done->waitUntilSignaledValue(round, 60'000));
    const auto stamps = entries(heap.get());
    ASSERT_NE(stamps[0], 0u);
    ASSERT_GE(stamps[1], stamps[0]) << round;
  }
}

TEST_F(CounterClock, SamplesRiseAndNullArgumentsAreAllowed) {
  Sample previous = sample();
  for (int i = 0; i < 1000; ++i) {
    const Sample next = sample();
    ASSERT_GE(next.cpu, previous.cpu);
    ASSERT_GE(double(next.gpu), double(previous.gpu) - tickNs());
    previous = next;
  }
  MTL::Timestamp cpu = 0, gpu = 0;
  m_device->sampleTimestamps(&cpu, nullptr);
  m_device->sampleTimestamps(nullptr, &gpu);
  m_device->sampleTimestamps(nullptr, nullptr);
  EXPECT_GE(cpu, previous.cpu);
  EXPECT_GE(double(gpu), double(previous.gpu) - tickNs());
}

TEST_F(CounterClock, TheSampledCpuTimeIsClockMonotonic) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const double hostNs = double(now.tv_sec) * 1e9 + double(now.tv_nsec);
  const Sample sampled = sample();
  EXPECT_GE(double(sampled.cpu), hostNs);
  EXPECT_LT(double(sampled.cpu), hostNs + 1e9);
}

TEST_F(CounterClock, B63SamplesFromFourThreadsAllReturnSoon) {
  constexpr int kThreads = 4, kCalls = 2'500;
  struct Worst {
    double wallNs = 0, undisturbedNs = 0;
  };
  Worst worst[kThreads];
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      for (int call = 0; call < kCalls; ++call) {
        rusage before{}, after{};
        getrusage(RUSAGE_THREAD, &before);
        const double start = nowNs();
        MTL::Timestamp cpu = 0, gpu = 0;
        m_device->sampleTimestamps(&cpu, &gpu);
        const double taken = nowNs() - start;
        getrusage(RUSAGE_THREAD, &after);
        ASSERT_NE(cpu, 0u);
        ASSERT_NE(gpu, 0u);
        worst[thread].wallNs = std::max(worst[thread].wallNs, taken);
        // A call that lost its core to another process says nothing about the call.
        if (after.ru_nivcsw == before.ru_nivcsw && after.ru_nvcsw == before.ru_nvcsw)
          worst[thread].undisturbedNs = std::max(worst[thread].undisturbedNs, taken);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const Worst& each : worst) {
    std::printf("worst call %.3f ms, %.3f ms with the core to itself\n", each.wallNs / 1e6,
                each.undisturbedNs / 1e6);
    EXPECT_LT(each.undisturbedNs, 10e6);
    EXPECT_LT(each.wallNs, 1e9);
  }
}

// ---- the same on other devices
// -----------------------------------------------------------------------------------

const CounterScenario kTests("tests", [] {
  testing::InitGoogleTest();
  return RUN_ALL_TESTS();
});

struct Hooks {
  const char* period;
  const char* bits;
  const char* noCalibration;
};

// Part of each case's name in CTest, which must not change from run to run.
void PrintTo(const Hooks& hooks, std::ostream* stream) {
  *stream << "period " << hooks.period << ", bits " << hooks.bits
          << (*hooks.noCalibration ? ", not calibrated" : "");
}

class SimulatedDevice : public testing::TestWithParam<Hooks> {};

TEST_P(SimulatedDevice, KeepsOneTrueClock) {
  const Hooks& hooks = GetParam();
  const ChildResult result =
      runScenario("tests", {{"BASANITE_TEST_TIMESTAMP_PERIOD", hooks.period},
                            {"BASANITE_TEST_TIMESTAMP_BITS", hooks.bits},
                            {"BASANITE_TEST_NO_CALIBRATED_TIMESTAMPS", hooks.noCalibration},
                            {"GTEST_FILTER", "CounterClock.*:CounterLimits.IndicesInAnyOrder*:"
                                             "CounterLimits.OneHeap*:CounterLimits.PreciseStampsBehind*:"
                                             "CounterResolves.*"},
                            {"GTEST_OUTPUT", ""},
                            {"GTEST_TOTAL_SHARDS", ""}}); // all of them, whatever share the parent runs
  EXPECT_EQ(result.exitCode, 0) << "signal " << result.signal << "\n" << result.output;
  EXPECT_NE(result.output.find("[  PASSED  ] 23 tests."), std::string::npos) << result.output;
  size_t complaints = 0;
  const std::string complaint = "no calibrated timestamps";
  for (size_t at = 0; (at = result.output.find(complaint, at)) != std::string::npos; ++at) ++complaints;
  EXPECT_EQ(complaints, *hooks.noCalibration ? 1u : 0u) << result.output;
}

std::string caseName(const testing::TestParamInfo<Hooks>& info) {
  std::string name = std::string("Period") + (*info.param.period ? info.param.period : "1") + "Bits" +
                     (*info.param.bits ? info.param.bits : "64");
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(B59, SimulatedDevice,
                         testing::Values(Hooks{"10", "", ""}, Hooks{"41.667", "", ""},
                                         Hooks{"52.083", "36", ""}, Hooks{"", "27", ""}, Hooks{"", "32", ""},
                                         Hooks{"10", "27", ""}),
                         caseName);
// Without calibrated timestamps.
INSTANTIATE_TEST_SUITE_P(B65, SimulatedDevice,
                         testing::Values(Hooks{"", "", "1"}, Hooks{"41.667", "32", "1"}), caseName);

const CounterScenario kDevice("open a device", [] {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  return device ? 0 : 3;
});

TEST(SimulatedDevices, ThatMakeNoSenseAreRefusedInASentence) {
  const struct {
    const char *variable, *value, *range;
  } rows[] = {{"BASANITE_TEST_TIMESTAMP_PERIOD", "0", "from 1 to 1000"},
              {"BASANITE_TEST_TIMESTAMP_PERIOD", "-10", "from 1 to 1000"},
              {"BASANITE_TEST_TIMESTAMP_PERIOD", "fast", "from 1 to 1000"},
              {"BASANITE_TEST_TIMESTAMP_PERIOD", "nan", "from 1 to 1000"},
              {"BASANITE_TEST_TIMESTAMP_BITS", "65", "from 24 to 64"},
              {"BASANITE_TEST_TIMESTAMP_BITS", "0", "from 24 to 64"},
              {"BASANITE_TEST_TIMESTAMP_BITS", "36bits", "from 24 to 64"}};
  for (const auto& row : rows) {
    const ChildResult result =
        runScenario("open a device", {{row.variable, row.value}, {"BASANITE_VALIDATION", ""}});
    EXPECT_EQ(result.exitCode, 3) << result.output;
    EXPECT_NE(result.output.find(std::string(row.variable) + "=" + row.value), std::string::npos)
        << result.output;
    EXPECT_NE(result.output.find(row.range), std::string::npos) << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1)
        << "one sentence: " << result.output;
  }
}

} // namespace
} // namespace basanite::tests
