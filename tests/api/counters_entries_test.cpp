// SPDX-License-Identifier: Apache-2.0
// What entries hold: unwritten, written, rewritten and invalidated, read by the CPU and resolved by the GPU.
#include "tests/api/counters_fixture.hpp"
#include "tests/api/counters_scenario.hpp"
#include "tests/support/child_process.hpp"

#include <cstdio>

namespace basanite::tests {
namespace {

class CounterEntries : public CountersFixture {
 protected:
  std::vector<NS::SharedPtr<MTL4::CounterHeap>> m_kept;
};

constexpr auto kDevice = MTL4::VisibilityOptionDevice;

TEST_F(CounterEntries, B01UnwrittenEntriesResolveToZeroAndNothingWaits) {
  auto heap = counterHeap(8);
  auto destination = sharedBuffer(64);
  std::memset(destination->contents(), 0xff, 64);
  m_commands->beginCommandBuffer(m_allocator.get());
  m_commands->resolveCounterHeap(heap.get(), NS::Range::Make(0, 8), whole(destination.get()), nullptr,
                                 nullptr);
  m_commands->endCommandBuffer();
  const MTL4::CommandBuffer* list[] = {m_commands.get()};
  const double before = nowNs();
  m_queue->commit(list, 1);
  m_queue->signalEvent(m_event.get(), ++m_eventValue);
  EXPECT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 10'000));
  EXPECT_LT(nowNs() - before, 1e9);
  EXPECT_EQ(contents<uint64_t>(destination.get()), std::vector<uint64_t>(8, 0));
  EXPECT_EQ(
      runCommands([&](MTL4::CommandBuffer* commands) { commands->writeTimestampIntoHeap(heap.get(), 2); }),
      "")
      << "the device is still usable";
  EXPECT_NE(entries(heap.get())[2], 0u);
}

TEST_F(CounterEntries, B03RewritingAnIndexGivesTheNewestValue) {
  auto heap = counterHeap(1);
  uint64_t previous = 0;
  for (int commit = 0; commit < 3; ++commit) {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                commands->writeTimestampIntoHeap(heap.get(), 0);
                commands->writeTimestampIntoHeap(heap.get(), 0);
              }),
              "");
    const uint64_t now = entries(heap.get())[0];
    EXPECT_GT(now, previous);
    previous = now;
  }
}

// On a device that has never run anything: a child's.
const CounterScenario kUntouched("untouched", [] {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  if (!device) return 3;
  auto descriptor = NS::TransferPtr(MTL4::CounterHeapDescriptor::alloc()->init());
  descriptor->setType(MTL4::CounterHeapTypeTimestamp);
  descriptor->setCount(16);
  auto heap = NS::TransferPtr(device->newCounterHeap(descriptor.get(), nullptr));
  const auto before = std::chrono::steady_clock::now();
  NS::Data* data = heap->resolveCounterRange(NS::Range::Make(0, 16));
  const bool isPrompt = std::chrono::steady_clock::now() - before < std::chrono::seconds(1);
  if (!data || data->length() != 128) return 4;
  const std::vector<char> zeros(128, 0);
  const bool isZero = std::memcmp(data->bytes(), zeros.data(), 128) == 0;
  std::printf("%s %s\n", isPrompt ? "prompt" : "slow", isZero ? "zeros" : "not zeros");
  return 0;
});

TEST_F(CounterEntries, B05ReadingBeforeAnyCommitIsZerosAtOnce) {
  const ChildResult child = runScenario("untouched", {});
  EXPECT_EQ(child.exitCode, 0) << child.output;
  EXPECT_NE(child.output.find("prompt zeros"), std::string::npos) << child.output;
}

TEST_F(CounterEntries, B07AComputeEncoderWithoutACommandStamps) {
  auto heap = counterHeap(4);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              for (NS::UInteger pair = 0; pair < 2; ++pair) {
                auto* encoder = commands->computeCommandEncoder();
                encoder->writeTimestamp(pair ? kPrecise : kRelaxed, heap.get(), 2 * pair);
                encoder->writeTimestamp(pair ? kPrecise : kRelaxed, heap.get(), 2 * pair + 1);
                encoder->endEncoding();
              }
            }),
            "");
  EXPECT_GE(between(heap.get(), 0, 1), 0);
  EXPECT_GE(between(heap.get(), 2, 3), 0);
}

TEST_F(CounterEntries, B09AdjacentStampsAreOrderedAndClose) {
  auto heap = counterHeap(10);
  std::vector<std::vector<double>> gaps(5);
  for (int repeat = 0; repeat < 15; ++repeat) {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                commands->writeTimestampIntoHeap(heap.get(), 0);
                commands->writeTimestampIntoHeap(heap.get(), 1);
                auto* compute = commands->computeCommandEncoder();
                for (NS::UInteger i = 0; i < 4; ++i)
                  compute->writeTimestamp(i < 2 ? kRelaxed : kPrecise, heap.get(), 2 + i);
                compute->endEncoding();
                auto* render = openPass(commands);
                for (NS::UInteger i = 0; i < 4; ++i)
                  render->writeTimestamp(i < 2 ? kRelaxed : kPrecise, kFragment, heap.get(), 6 + i);
                render->endEncoding();
              }),
              "");
    for (NS::UInteger pair = 0; pair < 5; ++pair) {
      const double gap = between(heap.get(), 2 * pair, 2 * pair + 1);
      EXPECT_GE(gap, 0) << "pair " << pair;
      gaps[pair].push_back(gap);
    }
  }
  for (size_t pair = 0; pair < gaps.size(); ++pair) EXPECT_LT(median(gaps[pair]), 1e6) << "pair " << pair;
}

// The unit is asked for first of all, and again after work: a child's device.
const CounterScenario kFrequencyFirst("frequencyFirst", [] {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  if (!device) return 3;
  const uint64_t first = device->queryTimestampFrequency();
  auto descriptor = NS::TransferPtr(MTL4::CounterHeapDescriptor::alloc()->init());
  descriptor->setType(MTL4::CounterHeapTypeTimestamp);
  descriptor->setCount(1);
  auto heap = NS::TransferPtr(device->newCounterHeap(descriptor.get(), nullptr));
  auto queue = NS::TransferPtr(device->newMTL4CommandQueue());
  auto allocator = NS::TransferPtr(device->newCommandAllocator());
  auto commands = NS::TransferPtr(device->newCommandBuffer());
  auto event = NS::TransferPtr(device->newSharedEvent());
  commands->beginCommandBuffer(allocator.get());
  commands->writeTimestampIntoHeap(heap.get(), 0);
  commands->endCommandBuffer();
  const MTL4::CommandBuffer* list[] = {commands.get()};
  queue->commit(list, 1);
  queue->signalEvent(event.get(), 1);
  if (!event->waitUntilSignaledValue(1, 30'000)) return 4;
  heap->resolveCounterRange(NS::Range::Make(0, 1));
  const uint64_t second = device->queryTimestampFrequency();
  std::printf("frequency %llu %llu\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(second));
  return 0;
});

TEST_F(CounterEntries, B17TheFrequencyIsTheSameBeforeAndAfterWork) {
  const ChildResult child = runScenario("frequencyFirst", {});
  EXPECT_EQ(child.exitCode, 0) << child.output;
  EXPECT_NE(child.output.find("frequency 1000000000 1000000000\n"), std::string::npos) << child.output;
}

TEST_F(CounterEntries, B35APairUsedTwiceIsResolvedInBetweenAndTheLaterWriteWins) {
  auto heap = counterHeap(2);
  auto destination = sharedBuffer(32);
  const uint32_t steps = burnStepsFor(1e6);
  auto encode = [&](MTL4::CommandBuffer* commands) {
    auto* encoder = commands->computeCommandEncoder();
    encoder->writeTimestamp(kPrecise, heap.get(), 0);
    burn(encoder, steps);
    encoder->writeTimestamp(kPrecise, heap.get(), 1);
    encoder->endEncoding();
  };
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              encode(commands);
              commands->resolveCounterHeap(heap.get(), NS::Range::Make(0, 2),
                                           MTL4::BufferRange::Make(destination->gpuAddress(), 16), nullptr,
                                           nullptr);
              encode(commands);
              commands->resolveCounterHeap(heap.get(), NS::Range::Make(0, 2),
                                           MTL4::BufferRange::Make(destination->gpuAddress() + 16, 16),
                                           nullptr, nullptr);
            }),
            "");
  const auto pairs = contents<uint64_t>(destination.get());
  EXPECT_NE(pairs[0], 0u);
  EXPECT_GT(pairs[1], pairs[0]);
  EXPECT_GE(pairs[2], pairs[1]) << "the second encoder begins after the first one's end";
  EXPECT_GT(pairs[3], pairs[2]);
  EXPECT_EQ(entries(heap.get()), (std::vector<uint64_t>{pairs[2], pairs[3]}));
}

TEST_F(CounterEntries, B37AResolveCopiedOnInTheSameRecordingIsThere) {
  auto heap = counterHeap(2);
  auto resolved = NS::TransferPtr(m_device->newBuffer(16, MTL::ResourceStorageModePrivate));
  m_residency->addAllocation(resolved.get());
  m_residency->commit();
  auto read = sharedBuffer(16);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              commands->writeTimestampIntoHeap(heap.get(), 0);
              commands->writeTimestampIntoHeap(heap.get(), 1);
              commands->resolveCounterHeap(heap.get(), NS::Range::Make(0, 2), whole(resolved.get()), nullptr,
                                           nullptr);
              auto* encoder = commands->computeCommandEncoder();
              encoder->barrierAfterQueueStages(MTL::StageBlit, MTL::StageBlit, kDevice);
              encoder->copyFromBuffer(resolved.get(), 0, read.get(), 0, 16);
              encoder->endEncoding();
            }),
            "");
  const auto values = contents<uint64_t>(read.get());
  EXPECT_NE(values[0], 0u);
  EXPECT_EQ(values, entries(heap.get()));
}

TEST_F(CounterEntries, B39AResolveOfTheSameFrameSeesThatFramesStamps) {
  auto heap = counterHeap(2);
  auto destination = sharedBuffer(16);
  std::vector<uint64_t> frames[2];
  for (auto& frame : frames) {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                auto* encoder = openPass(commands);
                encoder->writeTimestamp(kRelaxed, kFragment, heap.get(), 0);
                fill(encoder, 16);
                encoder->writeTimestamp(kRelaxed, kFragment, heap.get(), 1);
                encoder->endEncoding();
                commands->resolveCounterHeap(heap.get(), NS::Range::Make(0, 2), whole(destination.get()),
                                             nullptr, nullptr);
              }),
              "");
    frame = contents<uint64_t>(destination.get());
  }
  EXPECT_GE(frames[0][1], frames[0][0]);
  EXPECT_GT(frames[1][0], frames[0][1]) << "the second frame's begin is newer than the first one's end";
  EXPECT_GE(frames[1][1], frames[1][0]);
}

// Synchronization checks are on in every test here (the fixture switches them on and fails on any message):
// each kind of reader of a resolved range, behind each kind of writer.
TEST_F(CounterEntries, B41ResolvesAreOrderedWithTheirReadersForEveryone) {
  auto heap = counterHeap(6);
  auto resolved = sharedBuffer(48);
  auto copied = sharedBuffer(48), doubled = sharedBuffer(48);
  auto pipeline = computePipeline(R"(
#include <metal_stdlib>
using namespace metal;
kernel void twice(device const ulong* in [[buffer(0)]], device ulong* out [[buffer(1)]],
                  uint id [[thread_position_in_grid]]) { out[id] = in[id] * 2; }
)",
                                  "twice");
  auto arguments = argumentTable(2);
  arguments->setAddress(resolved->gpuAddress(), 0);
  arguments->setAddress(doubled->gpuAddress(), 1);
  for (int frame = 0; frame < 3; ++frame) {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                commands->writeTimestampIntoHeap(heap.get(), 0);
                auto* compute = commands->computeCommandEncoder();
                compute->writeTimestamp(kRelaxed, heap.get(), 1);
                burn(compute, 8);
                compute->writeTimestamp(kPrecise, heap.get(), 2);
                compute->endEncoding();
                auto* render = openPass(commands);
                render->writeTimestamp(kRelaxed, kVertex, heap.get(), 3);
                fill(render, 8);
                render->writeTimestamp(kPrecise, kFragment, heap.get(), 4);
                fill(render, 8);
                render->writeTimestamp(kRelaxed, kFragment, heap.get(), 5);
                render->endEncoding();
                commands->resolveCounterHeap(heap.get(), NS::Range::Make(0, 6), whole(resolved.get()),
                                             nullptr, nullptr);
                auto* readers = commands->computeCommandEncoder();
                readers->barrierAfterQueueStages(MTL::StageBlit, MTL::StageBlit | MTL::StageDispatch,
                                                 kDevice);
                readers->copyFromBuffer(resolved.get(), 0, copied.get(), 0, 48);
                readers->setComputePipelineState(pipeline.get());
                readers->setArgumentTable(arguments.get());
                readers->dispatchThreads(MTL::Size::Make(6, 1, 1), MTL::Size::Make(6, 1, 1));
                // The next frame resolves into the same range.
                readers->barrierAfterStages(MTL::StageBlit | MTL::StageDispatch, MTL::StageBlit, kDevice);
                readers->endEncoding();
              }),
              "");
    const auto values = entries(heap.get());
    EXPECT_EQ(contents<uint64_t>(resolved.get()), values);
    EXPECT_EQ(contents<uint64_t>(copied.get()), values);
    const auto twice = contents<uint64_t>(doubled.get());
    for (size_t i = 0; i < values.size(); ++i) {
      EXPECT_NE(values[i], 0u) << i;
      EXPECT_EQ(twice[i], values[i] * 2) << i;
    }
  }
}

TEST_F(CounterEntries, B43ARingOfEntriesInvalidatedBeforeReuseHoldsNothingStale) {
  constexpr NS::UInteger kSlots = 64, kStampsPerFrame = 16, kFramesInFlight = 3,
                         kFrames = 625; // 10,000 stamps
  auto heap = counterHeap(kSlots);
  NS::SharedPtr<MTL4::CommandAllocator> allocators[kFramesInFlight];
  NS::SharedPtr<MTL4::CommandBuffer> buffers[kFramesInFlight];
  for (NS::UInteger i = 0; i < kFramesInFlight; ++i) {
    allocators[i] = NS::TransferPtr(m_device->newCommandAllocator());
    buffers[i] = NS::TransferPtr(m_device->newCommandBuffer());
  }
  uint64_t newest = 0;
  NS::UInteger stale = 0, missing = 0;
  auto collect = [&](NS::UInteger frame) {
    ASSERT_TRUE(m_event->waitUntilSignaledValue(frame + 1, 60'000));
    const auto values = entries(heap.get(), frame * kStampsPerFrame % kSlots, kStampsPerFrame);
    for (uint64_t value : values) {
      if (value == 0)
        ++missing;
      else if (value < newest)
        ++stale;
      newest = std::max(newest, value);
    }
  };
  for (NS::UInteger frame = 0; frame < kFrames + kFramesInFlight; ++frame) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    if (frame >= kFramesInFlight) collect(frame - kFramesInFlight);
    if (frame >= kFrames) continue;
    const NS::UInteger first = frame * kStampsPerFrame % kSlots, slot = frame % kFramesInFlight;
    heap->invalidateCounterRange(NS::Range::Make(first, kStampsPerFrame));
    const auto cleared = entries(heap.get(), first, kStampsPerFrame);
    for (uint64_t value : cleared) stale += value != 0;
    allocators[slot]->reset();
    buffers[slot]->beginCommandBuffer(allocators[slot].get());
    for (NS::UInteger i = 0; i < kStampsPerFrame; ++i)
      buffers[slot]->writeTimestampIntoHeap(heap.get(), first + i);
    buffers[slot]->endCommandBuffer();
    const MTL4::CommandBuffer* list[] = {buffers[slot].get()};
    m_queue->commit(list, 1);
    m_queue->signalEvent(m_event.get(), frame + 1);
  }
  EXPECT_EQ(stale, 0u);
  EXPECT_EQ(missing, 0u);
}

TEST_F(CounterEntries, B45EachReadingBelongsToTheJobJustFinished) {
  auto heap = counterHeap(2);
  const uint32_t shortSteps = burnStepsFor(1e6), longSteps = burnStepsFor(20e6);
  uint64_t lastEnd = 0;
  std::vector<double> shortNs, longNs;
  for (int job = 0; job < 8; ++job) {
    const bool isLong = job % 2;
    MTL::Timestamp cpu = 0, gpuBefore = 0, gpuAfter = 0;
    m_device->sampleTimestamps(&cpu, &gpuBefore);
    m_allocator->reset();
    m_commands->beginCommandBuffer(m_allocator.get());
    auto* encoder = m_commands->computeCommandEncoder();
    encoder->writeTimestamp(kPrecise, heap.get(), 0);
    burn(encoder, isLong ? longSteps : shortSteps);
    encoder->writeTimestamp(kPrecise, heap.get(), 1);
    encoder->endEncoding();
    m_commands->endCommandBuffer();
    commitAndWait(m_commands.get());
    m_device->sampleTimestamps(&cpu, &gpuAfter);
    const auto values = entries(heap.get());
    EXPECT_GT(values[0], lastEnd);
    EXPECT_GT(values[1], values[0]);
    // The pair of clocks may be apart by some microseconds.
    EXPECT_GE(values[0] + 1'000'000, gpuBefore);
    EXPECT_LE(values[1], gpuAfter + 1'000'000);
    lastEnd = values[1];
    (isLong ? longNs : shortNs).push_back(double(values[1] - values[0]));
  }
  EXPECT_GT(median(longNs), 2 * median(shortNs));
}

TEST_F(CounterEntries, B51InvalidatingBeforeRecordingIsSilentAndHoldsNothingBack) {
  auto heap = counterHeap(4);
  for (int round = 0; round < 3; ++round) {
    heap->invalidateCounterRange(NS::Range::Make(0, 4));
    EXPECT_EQ(entries(heap.get()), std::vector<uint64_t>(4, 0));
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                commands->writeTimestampIntoHeap(heap.get(), 0);
                auto* encoder = openPass(commands);
                encoder->writeTimestamp(kRelaxed, kFragment, heap.get(), 1);
                fill(encoder, 8);
                encoder->writeTimestamp(kPrecise, kFragment, heap.get(), 2);
                fill(encoder, 8);
                encoder->writeTimestamp(kRelaxed, kFragment, heap.get(), 3);
                encoder->endEncoding();
              }),
              "");
    for (uint64_t value : entries(heap.get())) EXPECT_NE(value, 0u);
  }
}

TEST_F(CounterEntries, B53TheFirstUseOfASlotMayBeInsideARenderEncoder) {
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              auto* encoder = openPass(commands);
              fill(encoder, 8);
              for (MTL4::TimestampGranularity granularity : {kRelaxed, kPrecise}) {
                auto heap = counterHeap(1);
                encoder->writeTimestamp(granularity, kFragment, heap.get(), 0);
                fill(encoder, 8);
                m_kept.push_back(heap);
              }
              encoder->endEncoding();
            }),
            "");
  for (const auto& heap : m_kept) EXPECT_NE(entries(heap.get())[0], 0u);
}

TEST_F(CounterEntries, B71PollingForAnEndAfterTheBeginLeavesTheLoop) {
  auto heap = counterHeap(2);
  const uint32_t steps = burnStepsFor(5e6);
  m_allocator->reset();
  m_commands->beginCommandBuffer(m_allocator.get());
  auto* encoder = m_commands->computeCommandEncoder();
  encoder->writeTimestamp(kPrecise, heap.get(), 0);
  burn(encoder, steps);
  encoder->writeTimestamp(kPrecise, heap.get(), 1);
  encoder->endEncoding();
  m_commands->endCommandBuffer();
  const MTL4::CommandBuffer* list[] = {m_commands.get()};
  m_queue->commit(list, 1);
  const double start = nowNs();
  bool isAfter = false;
  while (!isAfter && nowNs() - start < 1e9) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    const auto values = entries(heap.get());
    isAfter = values[0] != 0 && values[1] > values[0];
  }
  EXPECT_TRUE(isAfter);
  m_queue->signalEvent(m_event.get(), ++m_eventValue);
  EXPECT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 60'000));
}

// A reading that waited for the work would wait for ever here.
TEST_F(CounterEntries, ReadingOnTheCpuDoesNotWaitForWorkThatIsHeldBack) {
  auto heap = counterHeap(2);
  auto held = NS::TransferPtr(m_device->newSharedEvent());
  m_allocator->reset();
  m_commands->beginCommandBuffer(m_allocator.get());
  for (NS::UInteger i : {0, 1}) m_commands->writeTimestampIntoHeap(heap.get(), i);
  m_commands->endCommandBuffer();
  m_queue->wait(held.get(), 1);
  const MTL4::CommandBuffer* list[] = {m_commands.get()};
  m_queue->commit(list, 1);
  EXPECT_EQ(entries(heap.get()), (std::vector<uint64_t>{0, 0}));
  held->setSignaledValue(1);
  m_queue->signalEvent(m_event.get(), ++m_eventValue);
  EXPECT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 60'000));
  EXPECT_NE(entries(heap.get())[1], 0u);
}

TEST_F(CounterEntries, EveryPlaceStampsInOrderAndBothResolvesAgree) {
  auto heap = counterHeap(16);
  auto destination = sharedBuffer(16 * 8);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              commands->writeTimestampIntoHeap(heap.get(), 0);
              auto* compute = commands->computeCommandEncoder();
              compute->writeTimestamp(kPrecise, heap.get(), 1);
              burn(compute, 100);
              compute->writeTimestamp(kRelaxed, heap.get(), 2);
              compute->endEncoding();
              auto* render = openPass(commands);
              render->writeTimestamp(kRelaxed, kVertex, heap.get(), 3);
              render->writeTimestamp(kPrecise, kFragment, heap.get(), 4);
              render->endEncoding();
              commands->writeTimestampIntoHeap(heap.get(), 5);
              commands->resolveCounterHeap(
                  heap.get(), NS::Range::Make(0, 8),
                  MTL4::BufferRange::Make(destination->gpuAddress() + 16, UINT64_MAX), nullptr, nullptr);
            }),
            "");
  const auto stamps = entries(heap.get(), 0, 8);
  for (int i = 0; i < 6; ++i) EXPECT_NE(stamps[i], 0u) << i;
  EXPECT_GT(stamps[2], stamps[1]) << "the dispatch lies between";
  EXPECT_GE(stamps[1], stamps[0]);
  EXPECT_GE(stamps[3], stamps[2]);
  EXPECT_GE(stamps[4], stamps[3]);
  EXPECT_GE(stamps[5], stamps[4]);
  EXPECT_EQ(stamps[6], 0u);
  EXPECT_EQ(std::memcmp(static_cast<char*>(destination->contents()) + 16, stamps.data(), 64), 0);
  EXPECT_EQ(entries(heap.get(), 2, 2), (std::vector<uint64_t>{stamps[2], stamps[3]}));
}

TEST_F(CounterEntries, AHeapSaysWhatItIs) {
  auto heap = counterHeap(8);
  EXPECT_EQ(heap->count(), 8u);
  EXPECT_EQ(heap->type(), MTL4::CounterHeapTypeTimestamp);
  EXPECT_EQ(m_device->queryTimestampFrequency(), 1'000'000'000u);
  EXPECT_EQ(m_device->sizeOfCounterHeapEntry(MTL4::CounterHeapTypeTimestamp), 8u);
  heap->setLabel(NS::String::string("frame", NS::UTF8StringEncoding));
  EXPECT_STREQ(heap->label()->utf8String(), "frame");
}

TEST_F(CounterEntries, InvalidationTouchesOnlyItsRange) {
  auto heap = counterHeap(4);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              for (NS::UInteger i = 0; i < 4; ++i) commands->writeTimestampIntoHeap(heap.get(), i);
            }),
            "");
  const auto before = entries(heap.get());
  heap->invalidateCounterRange(NS::Range::Make(1, 2));
  EXPECT_EQ(entries(heap.get()), (std::vector<uint64_t>{before[0], 0, 0, before[3]}));
}

TEST_F(CounterEntries, EmptyRangesAreEmptyData) {
  auto heap = counterHeap(4);
  for (NS::UInteger first : {0, 2, 4}) {
    NS::Data* data = heap->resolveCounterRange(NS::Range::Make(first, 0));
    ASSERT_NE(data, nullptr) << first;
    EXPECT_EQ(data->length(), 0u) << first;
  }
}

TEST_F(CounterEntries, B61SampledClocksEncloseAStamp) {
  auto heap = counterHeap(1);
  MTL::Timestamp cpuBefore = 0, gpuBefore = 0, cpuAfter = 0, gpuAfter = 0;
  m_device->sampleTimestamps(&cpuBefore, &gpuBefore);
  EXPECT_EQ(
      runCommands([&](MTL4::CommandBuffer* commands) { commands->writeTimestampIntoHeap(heap.get(), 0); }),
      "");
  m_device->sampleTimestamps(&cpuAfter, &gpuAfter);
  const uint64_t stamp = entries(heap.get())[0];
  EXPECT_LE(gpuBefore, stamp + 1'000'000);
  EXPECT_LE(stamp, gpuAfter + 1'000'000);
  EXPECT_LT(cpuBefore, cpuAfter);
}

} // namespace
} // namespace basanite::tests
