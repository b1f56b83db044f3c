// SPDX-License-Identifier: Apache-2.0
// What the intervals between entries say about the work between them, beside the host's clock and commit
// feedback.
#include "tests/api/counters_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <thread>

namespace basanite::tests {
namespace {

// Other processes disturb some attempts on a shared machine; a wrong stamp is wrong in all of them.
constexpr int kAttempts = 8;
constexpr double kLongNs = 20e6;

// Other processes only lengthen an interval; what a wrong stamp adds is in every one.
double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

class CounterIntervals : public CountersFixture {
 protected:
  // A dispatch of `steps` between two precise stamps (entries 0 and 1 of m_heap).
  void stampedBurn(MTL4::CommandBuffer* commands, uint32_t steps) {
    auto* encoder = commands->computeCommandEncoder();
    encoder->writeTimestamp(kPrecise, m_heap.get(), 0);
    burn(encoder, steps);
    encoder->writeTimestamp(kPrecise, m_heap.get(), 1);
    encoder->endEncoding();
  }
  double interval() { return between(m_heap.get(), 0, 1); }

  void SetUp() override {
    CountersFixture::SetUp();
    if (HasFatalFailure()) return;
    m_heap = counterHeap(64);
  }
  NS::SharedPtr<MTL4::CounterHeap> m_heap;
};

TEST_F(CounterIntervals, B11TicksAndFrequencyAgreeWithTheHostsClock) {
  const uint32_t steps = burnStepsFor(50e6);
  const double ticksPerNs = double(m_device->queryTimestampFrequency()) / 1e9;
  EXPECT_TRUE(atLeastOnce(kAttempts, [&] {
    const CommitTimes times = timedRun([&](MTL4::CommandBuffer* commands) { stampedBurn(commands, steps); });
    EXPECT_EQ(times.error, "");
    const double gpuNs = interval() / ticksPerNs;
    EXPECT_LE(gpuNs, times.hostNs);
    return gpuNs >= times.hostNs / 2;
  }));
}

TEST_F(CounterIntervals, B13TheTickRateIsTheAdvertisedOneBothWays) {
  // A stamp lies somewhere between its commit and the end of the wait; the closest of some such brackets.
  struct Bracket {
    double low = 0, high = 1e18;
    uint64_t ticks = 0;
  };
  auto closest = [&] {
    Bracket best;
    for (int repeat = 0; repeat < 200 && best.high - best.low > 0.5e6; ++repeat) {
      Bracket bracket;
      bracket.low = nowNs();
      EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                  commands->writeTimestampIntoHeap(m_heap.get(), 0);
                }),
                "");
      bracket.high = nowNs();
      bracket.ticks = entries(m_heap.get(), 0, 1)[0];
      if (bracket.high - bracket.low < best.high - best.low) best = bracket;
    }
    return best;
  };
  const Bracket first = closest();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const Bracket second = closest();
  const double ns = double(second.ticks - first.ticks) / double(m_device->queryTimestampFrequency()) * 1e9;
  EXPECT_GE(ns, 0.99 * (second.low - first.high));
  EXPECT_LE(ns, 1.01 * (second.high - first.low));
  // The brackets are close enough to say so: both ends within 1 % of each other.
  EXPECT_LT(second.high - first.low, 1.01 * (second.low - first.high));
}

TEST_F(CounterIntervals, B19ALongDispatchLiesBetweenItsStamps) {
  const uint32_t steps = burnStepsFor(kLongNs);
  double last = 0;
  for (uint32_t factor : {1, 2, 4}) {
    std::vector<double> intervals;
    bool fills = false;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const CommitTimes times =
          timedRun([&](MTL4::CommandBuffer* commands) { stampedBurn(commands, steps * factor); });
      intervals.push_back(interval());
      EXPECT_LE(interval(), times.gpuNs() * 1.001 + 10e3) << "the stamps lie inside the commit";
      fills |= interval() >= 0.8 * times.gpuNs();
    }
    EXPECT_TRUE(fills) << factor;
    EXPECT_GT(least(intervals), last) << factor;
    last = least(intervals);
  }
}

TEST_F(CounterIntervals, B19TheIntervalScalesWithTheDispatchOnAGpu) {
  if (isCpuDevice()) GTEST_SKIP() << "skipped: CPU device";
  const uint32_t steps = burnStepsFor(kLongNs);
  auto medianOf = [&](uint32_t factor) {
    std::vector<double> intervals;
    for (int repeat = 0; repeat < 9; ++repeat) {
      EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) { stampedBurn(commands, steps * factor); }),
                "");
      intervals.push_back(interval());
    }
    return median(intervals);
  };
  const double once = medianOf(1), twice = medianOf(2), fourTimes = medianOf(4);
  std::printf("twice the steps take %.3f times as long, four times the steps %.3f times\n", twice / once,
              fourTimes / once);
  EXPECT_NEAR(twice / once, 2, 0.3);
  EXPECT_NEAR(fourTimes / once, 4, 0.6);
}

TEST_F(CounterIntervals, B21ALightPassIsNotChargedForTheHeavyOneBeforeIt) {
  const uint32_t steps = fillStepsFor(kLongNs);
  for (MTL4::TimestampGranularity granularity : {kPrecise, kRelaxed}) {
    // A pass of next to nothing costs something by itself, and more on a busy machine: it is timed alone too.
    struct Light {
      std::vector<double> between, betweenBuffersStamps;
    } behindHeavy, alone;
    std::vector<double> heavy;
    auto encode = [&](MTL4::CommandBuffer* commands, NS::UInteger pass) {
      auto* encoder = openPass(commands);
      encoder->barrierAfterQueueStages(MTL::StageAll, MTL::StageAll, MTL4::VisibilityOptionDevice);
      encoder->writeTimestamp(granularity, kFragment, m_heap.get(), 2 * pass);
      fill(encoder, pass ? 1 : steps);
      encoder->writeTimestamp(granularity, kFragment, m_heap.get(), 2 * pass + 1);
      encoder->endEncoding();
      commands->writeTimestampIntoHeap(m_heap.get(), 4 + pass);
    };
    auto note = [&](Light& light) {
      light.between.push_back(between(m_heap.get(), 2, 3));
      light.betweenBuffersStamps.push_back(between(m_heap.get(), 4, 5));
    };
    for (int repeat = 0; repeat < kAttempts; ++repeat) {
      EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                  commands->writeTimestampIntoHeap(m_heap.get(), 4);
                  encode(commands, 1);
                }),
                "");
      note(alone);
      EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                  encode(commands, 0);
                  encode(commands, 1);
                }),
                "");
      note(behindHeavy);
      heavy.push_back(between(m_heap.get(), 0, 1));
      EXPECT_GE(between(m_heap.get(), 1, 2), 0) << "the light pass begins after the heavy one has ended";
    }
    EXPECT_LT(least(behindHeavy.between), least(alone.between) + 0.05 * least(heavy));
    EXPECT_LT(least(behindHeavy.betweenBuffersStamps),
              least(alone.betweenBuffersStamps) + 0.05 * least(heavy));
  }
}

TEST_F(CounterIntervals, B23OneLongPassSpansTheCommit) {
  const uint32_t steps = fillStepsFor(kLongNs / 100);
  for (MTL4::TimestampGranularity granularity : {kPrecise, kRelaxed}) {
    EXPECT_TRUE(atLeastOnce(kAttempts,
                            [&] {
                              const CommitTimes times = timedRun([&](MTL4::CommandBuffer* commands) {
                                auto* encoder = openPass(commands);
                                encoder->writeTimestamp(granularity, kFragment, m_heap.get(), 0);
                                for (int draw = 0; draw < 100; ++draw) fill(encoder, steps);
                                encoder->writeTimestamp(granularity, kFragment, m_heap.get(), 1);
                                encoder->endEncoding();
                              });
                              return interval() >= 0.8 * times.gpuNs();
                            }))
        << "granularity " << granularity;
  }
}

TEST_F(CounterIntervals, B25AStampWaitsForEveryEarlierDispatch) {
  const uint32_t longSteps = burnStepsFor(kLongNs), shortSteps = burnStepsFor(1e6);
  std::vector<double> alone, both;
  for (int repeat = 0; repeat < kAttempts; ++repeat) {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) { stampedBurn(commands, longSteps); }), "");
    alone.push_back(interval());
    for (bool isLongFirst : {true, false}) {
      EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                  auto* encoder = commands->computeCommandEncoder();
                  encoder->writeTimestamp(kPrecise, m_heap.get(), 0);
                  burn(encoder, isLongFirst ? longSteps : shortSteps);
                  burn(encoder, isLongFirst ? shortSteps : longSteps);
                  encoder->writeTimestamp(kPrecise, m_heap.get(), 1);
                  encoder->endEncoding();
                }),
                "");
      both.push_back(interval());
    }
  }
  // A stamp taken while the long dispatch runs reads a small part of it; one at its end wavers as the machine
  // does.
  for (double interval : both) EXPECT_GE(interval, 0.5 * least(alone));
  EXPECT_GE(median(both), 0.95 * least(alone));
}

TEST_F(CounterIntervals, B27FirstAndLastCommandOfABufferAreApartByItsWork) {
  const uint32_t steps = burnStepsFor(kLongNs);
  EXPECT_TRUE(atLeastOnce(kAttempts, [&] {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                commands->writeTimestampIntoHeap(m_heap.get(), 2);
                stampedBurn(commands, steps);
                commands->writeTimestampIntoHeap(m_heap.get(), 3);
              }),
              "");
    const double whole = between(m_heap.get(), 2, 3);
    EXPECT_GT(whole, 0);
    EXPECT_GE(whole, 0.8 * interval());
    return interval() >= 0.8 * whole;
  }));
}

// The share of pairs that two sequences put in the same order, as Spearman's coefficient of their ranks.
double rankCorrelation(const std::vector<double>& a, const std::vector<double>& b) {
  auto ranks = [](const std::vector<double>& values) {
    std::vector<size_t> order(values.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::sort(order.begin(), order.end(), [&](size_t x, size_t y) { return values[x] < values[y]; });
    std::vector<double> result(values.size());
    for (size_t i = 0; i < order.size(); ++i) result[order[i]] = double(i);
    return result;
  };
  const auto ranksOfA = ranks(a), ranksOfB = ranks(b);
  double squares = 0;
  for (size_t i = 0; i < a.size(); ++i) squares += (ranksOfA[i] - ranksOfB[i]) * (ranksOfA[i] - ranksOfB[i]);
  const double n = double(a.size());
  return 1 - 6 * squares / (n * (n * n - 1));
}

TEST_F(CounterIntervals, B29TimesOfDependentPassesRankAsTheirCosts) {
  const std::vector<double> instances{5, 1, 9, 3, 7, 2, 8, 4, 6};
  const uint32_t steps = fillStepsFor(2e6);
  std::vector<std::vector<double>> intervals(instances.size());
  for (int repeat = 0; repeat < kAttempts; ++repeat) {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                for (size_t pass = 0; pass < instances.size(); ++pass) {
                  auto* encoder = openPass(commands);
                  encoder->barrierAfterQueueStages(MTL::StageAll, MTL::StageAll,
                                                   MTL4::VisibilityOptionDevice);
                  encoder->writeTimestamp(kRelaxed, kFragment, m_heap.get(), 2 * pass);
                  fill(encoder, steps, NS::UInteger(instances[pass]));
                  encoder->writeTimestamp(kRelaxed, kFragment, m_heap.get(), 2 * pass + 1);
                  encoder->endEncoding();
                }
              }),
              "");
    for (size_t pass = 0; pass < instances.size(); ++pass)
      intervals[pass].push_back(between(m_heap.get(), 2 * pass, 2 * pass + 1));
  }
  std::vector<double> costs;
  for (const auto& values : intervals) costs.push_back(least(values));
  EXPECT_GT(rankCorrelation(instances, costs), 0.9);
}

TEST_F(CounterIntervals, B31TheSpanOfOverlappingPassesIsInsideTheCommit) {
  constexpr NS::UInteger kPasses = 8;
  const uint32_t steps = fillStepsFor(1e6);
  NS::SharedPtr<MTL::Texture> targets[kPasses];
  for (auto& texture : targets) texture = colorTarget(m_targetSize, m_targetSize);
  for (int repeat = 0; repeat < kAttempts; ++repeat) {
    const CommitTimes times = timedRun([&](MTL4::CommandBuffer* commands) {
      for (NS::UInteger pass = 0; pass < kPasses; ++pass) {
        auto* encoder = commands->renderCommandEncoder(clearPass(targets[pass].get()));
        encoder->writeTimestamp(kRelaxed, kFragment, m_heap.get(), 2 * pass);
        fill(encoder, steps);
        encoder->writeTimestamp(kRelaxed, kFragment, m_heap.get(), 2 * pass + 1);
        encoder->endEncoding();
      }
    });
    EXPECT_EQ(times.error, "");
    for (NS::UInteger pass = 0; pass < kPasses; ++pass)
      EXPECT_GE(between(m_heap.get(), 2 * pass, 2 * pass + 1), 0) << pass;
    const auto values = entries(m_heap.get(), 0, 2 * kPasses);
    const auto [first, last] = std::minmax_element(values.begin(), values.end());
    // Feedback times are seconds of the host's clock, which may be apart from the GPU's by some microseconds.
    EXPECT_LE(double(*last - *first), times.gpuNs() * 1.001 + 10e3);
  }
}

TEST_F(CounterIntervals, B33NoPassOfTenThousandEndsBeforeItBegins) {
  constexpr NS::UInteger kPasses = 10'000, kPerBuffer = 500;
  auto heap = counterHeap(2 * kPasses);
  auto small = colorTarget(16, 16);
  for (NS::UInteger first = 0; first < kPasses; first += kPerBuffer) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                auto* pass = clearPass(small.get());
                for (NS::UInteger i = first; i < first + kPerBuffer; ++i) {
                  auto* encoder = commands->renderCommandEncoder(pass);
                  // Each way of stamping takes its turn; every third pass draws twice, with the begin in
                  // between.
                  if (i % 3 == 2) fill(encoder, 1);
                  encoder->writeTimestamp(i % 2 ? kPrecise : kRelaxed, kVertex, heap.get(), 2 * i);
                  fill(encoder, 1);
                  encoder->writeTimestamp(i % 4 < 2 ? kPrecise : kRelaxed, kFragment, heap.get(), 2 * i + 1);
                  encoder->endEncoding();
                }
              }),
              "");
  }
  const auto values = entries(heap.get());
  NS::UInteger negative = 0, missing = 0;
  for (NS::UInteger i = 0; i < kPasses; ++i) {
    missing += values[2 * i] == 0 || values[2 * i + 1] == 0;
    negative += values[2 * i + 1] < values[2 * i];
  }
  EXPECT_EQ(missing, 0u);
  EXPECT_EQ(negative, 0u);
}

TEST_F(CounterIntervals, B67SleepingBeforeTheCommitDoesNotLengthenTheGpusTime) {
  const uint32_t steps = burnStepsFor(5e6);
  std::vector<double> stamped[2], fedBack[2];
  for (int repeat = 0; repeat < kAttempts; ++repeat) {
    for (int sleeps = 0; sleeps < 2; ++sleeps) {
      const CommitTimes times =
          timedRun([&](MTL4::CommandBuffer* commands) { stampedBurn(commands, steps); },
                   [&] { std::this_thread::sleep_for(std::chrono::milliseconds(50 * sleeps)); });
      stamped[sleeps].push_back(interval());
      fedBack[sleeps].push_back(times.gpuNs());
    }
  }
  // The sleep of 50 ms would show as ten times the work.
  EXPECT_LT(std::abs(median(stamped[1]) - median(stamped[0])), 10e6);
  EXPECT_LT(std::abs(median(fedBack[1]) - median(fedBack[0])), 10e6);
}

TEST_F(CounterIntervals, B69FeedbackComesInOrderAndASecondWaitReturnsAtOnce) {
  const uint32_t steps = burnStepsFor(5e6);
  struct Feedback {
    double start = 0, end = 0;
    NS::SharedPtr<MTL::SharedEvent> delivered;
  };
  auto feedback = std::make_shared<std::array<Feedback, 2>>();
  NS::SharedPtr<MTL4::CommandBuffer> buffers[2];
  NS::SharedPtr<MTL4::CommandAllocator> allocators[2];
  for (int i = 0; i < 2; ++i) {
    (*feedback)[i].delivered = NS::TransferPtr(m_device->newSharedEvent());
    allocators[i] = NS::TransferPtr(m_device->newCommandAllocator());
    buffers[i] = NS::TransferPtr(m_device->newCommandBuffer());
    buffers[i]->beginCommandBuffer(allocators[i].get());
    auto* encoder = buffers[i]->computeCommandEncoder();
    encoder->barrierAfterQueueStages(MTL::StageAll, MTL::StageAll, MTL4::VisibilityOptionDevice);
    encoder->writeTimestamp(kPrecise, m_heap.get(), 2 * i);
    burn(encoder, steps);
    encoder->writeTimestamp(kPrecise, m_heap.get(), 2 * i + 1);
    encoder->endEncoding();
    buffers[i]->endCommandBuffer();
  }
  for (int i = 0; i < 2; ++i) {
    auto options = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
    options->addFeedbackHandler([feedback, i](MTL4::CommitFeedback* given) {
      (*feedback)[i].start = given->GPUStartTime();
      (*feedback)[i].end = given->GPUEndTime();
      (*feedback)[i].delivered->setSignaledValue(1);
    });
    const MTL4::CommandBuffer* list[] = {buffers[i].get()};
    m_queue->commit(list, 1, options.get());
  }
  m_queue->signalEvent(m_event.get(), ++m_eventValue);
  ASSERT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 60'000));
  const double before = nowNs();
  ASSERT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 60'000));
  EXPECT_LT(nowNs() - before, 1e9) << "the value is reached already";
  for (int i = 0; i < 2; ++i) ASSERT_TRUE((*feedback)[i].delivered->waitUntilSignaledValue(1, 60'000));
  EXPECT_LT((*feedback)[0].start, (*feedback)[0].end);
  EXPECT_LT((*feedback)[1].start, (*feedback)[1].end);
  EXPECT_LE((*feedback)[0].start, (*feedback)[1].start);
  EXPECT_LE((*feedback)[0].end, (*feedback)[1].end);
  const auto values = entries(m_heap.get(), 0, 4);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
}

TEST_F(CounterIntervals, B73StampsOfTwoQueuesCompare) {
  auto other = NS::TransferPtr(m_device->newMTL4CommandQueue());
  other->addResidencySet(m_residency.get());
  const uint32_t steps = burnStepsFor(2e6);
  NS::SharedPtr<MTL4::CommandBuffer> buffers[2];
  NS::SharedPtr<MTL4::CommandAllocator> allocators[2];
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 2; ++i) {
      allocators[i] = NS::TransferPtr(m_device->newCommandAllocator());
      buffers[i] = NS::TransferPtr(m_device->newCommandBuffer());
      buffers[i]->beginCommandBuffer(allocators[i].get());
      if (i == 0) {
        auto* encoder = buffers[i]->computeCommandEncoder();
        burn(encoder, steps);
        encoder->writeTimestamp(kRelaxed, m_heap.get(), 0);
        encoder->endEncoding();
      } else {
        buffers[i]->writeTimestampIntoHeap(m_heap.get(), 1);
      }
      buffers[i]->endCommandBuffer();
    }
    const MTL4::CommandBuffer* first[] = {buffers[0].get()};
    const MTL4::CommandBuffer* second[] = {buffers[1].get()};
    // The waiting queue is asked first in every other round.
    const uint64_t value = ++m_eventValue;
    auto askFirst = [&] {
      m_queue->commit(first, 1);
      m_queue->signalEvent(m_event.get(), value);
    };
    auto done = NS::TransferPtr(m_device->newSharedEvent());
    auto askSecond = [&] {
      other->wait(m_event.get(), value);
      other->commit(second, 1);
      other->signalEvent(done.get(), 1);
    };
    if (round % 2)
      askFirst(), askSecond();
    else
      askSecond(), askFirst();
    ASSERT_TRUE(done->waitUntilSignaledValue(1, 60'000));
    EXPECT_GE(between(m_heap.get(), 0, 1), 0) << "round " << round;
  }
}

} // namespace
} // namespace basanite::tests
