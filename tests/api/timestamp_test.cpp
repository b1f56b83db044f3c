// SPDX-License-Identifier: Apache-2.0
// Counter heaps: what entries hold, what both resolves return, and what bad calls do.
#include "tests/support/metal_fixture.hpp"

#include <chrono>

namespace basanite::tests {
namespace {

constexpr const char* kKernel = R"(
#include <metal_stdlib>
using namespace metal;
kernel void burn(device uint* out [[buffer(0)]], uint id [[thread_position_in_grid]]) {
  uint value = id;
  for (uint i = 0; i < 2000; ++i) value = value * 1664525u + 1013904223u;
  out[id] = value;
}
)";

class Timestamps : public MetalFixture {
 protected:
  std::vector<uint64_t> resolved(MTL4::CounterHeap* heap, NS::UInteger first, NS::UInteger count) {
    NS::Data* data = heap->resolveCounterRange(NS::Range::Make(first, count));
    EXPECT_NE(data, nullptr);
    if (!data) return {};
    EXPECT_EQ(data->length(), count * 8);
    std::vector<uint64_t> values(count);
    if (count) std::memcpy(values.data(), data->bytes(), count * 8);
    return values;
  }
};

TEST_F(Timestamps, UnwrittenEntriesReadZeroAndNothingWaits) {
  auto heap = counterHeap(8);
  EXPECT_EQ(resolved(heap.get(), 0, 8), std::vector<uint64_t>(8, 0));
  EXPECT_EQ(heap->count(), 8u);
  EXPECT_EQ(heap->type(), MTL4::CounterHeapTypeTimestamp);
  auto destination = sharedBuffer(64);
  std::memset(destination->contents(), 0xff, 64);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              commands->resolveCounterHeap(heap.get(), NS::Range::Make(0, 8),
                                           MTL4::BufferRange::Make(destination->gpuAddress(), 64), nullptr, nullptr);
            }),
            "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  const std::vector<uint64_t> zeros(8, 0);
  EXPECT_EQ(std::memcmp(destination->contents(), zeros.data(), 64), 0);
}

TEST_F(Timestamps, ClockIsNanosecondsWithEightByteEntries) {
  EXPECT_EQ(m_device->queryTimestampFrequency(), 1'000'000'000u);
  EXPECT_EQ(m_device->sizeOfCounterHeapEntry(MTL4::CounterHeapTypeTimestamp), 8u);
}

TEST_F(Timestamps, EveryPlaceStampsInOrderAndBothResolvesAgree) {
  auto heap = counterHeap(16);
  auto pipeline = computePipeline(kKernel, "burn");
  ASSERT_TRUE(pipeline);
  auto out = sharedBuffer(4096 * 4);
  auto destination = sharedBuffer(16 * 8);
  auto arguments = argumentTable(1);
  arguments->setAddress(out->gpuAddress(), 0);
  auto target = colorTarget(64, 64);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              commands->writeTimestampIntoHeap(heap.get(), 0);
              MTL4::ComputeCommandEncoder* compute = commands->computeCommandEncoder();
              compute->setComputePipelineState(pipeline.get());
              compute->setArgumentTable(arguments.get());
              compute->writeTimestamp(MTL4::TimestampGranularityPrecise, heap.get(), 1);
              compute->dispatchThreads(MTL::Size::Make(4096, 1, 1), MTL::Size::Make(64, 1, 1));
              compute->writeTimestamp(MTL4::TimestampGranularityRelaxed, heap.get(), 2);
              compute->endEncoding();
              MTL4::RenderCommandEncoder* render = commands->renderCommandEncoder(clearPass(target.get()));
              render->writeTimestamp(MTL4::TimestampGranularityRelaxed, MTL::RenderStageVertex, heap.get(), 3);
              render->writeTimestamp(MTL4::TimestampGranularityPrecise, MTL::RenderStageFragment, heap.get(), 4);
              render->endEncoding();
              commands->writeTimestampIntoHeap(heap.get(), 5);
              commands->resolveCounterHeap(heap.get(), NS::Range::Make(0, 8),
                                           MTL4::BufferRange::Make(destination->gpuAddress() + 16, UINT64_MAX), nullptr,
                                           nullptr);
            }),
            "");
  auto stamps = resolved(heap.get(), 0, 8);
  ASSERT_EQ(stamps.size(), 8u);
  for (int i = 0; i < 6; ++i) EXPECT_NE(stamps[i], 0u) << i;
  EXPECT_GT(stamps[2], stamps[1]) << "the dispatch lies between";
  EXPECT_GE(stamps[1], stamps[0]);
  EXPECT_GE(stamps[3], stamps[2]);
  EXPECT_GE(stamps[4], stamps[3]);
  EXPECT_GE(stamps[5], stamps[4]);
  EXPECT_EQ(stamps[6], 0u);
  EXPECT_EQ(std::memcmp(static_cast<char*>(destination->contents()) + 16, stamps.data(), 64), 0);
  EXPECT_EQ(resolved(heap.get(), 2, 2), (std::vector<uint64_t>{stamps[2], stamps[3]}));
}

TEST_F(Timestamps, B03RewritingAnIndexGivesTheNewestValue) {
  auto heap = counterHeap(1);
  uint64_t previous = 0;
  for (int commit = 0; commit < 3; ++commit) {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                commands->writeTimestampIntoHeap(heap.get(), 0);
                commands->writeTimestampIntoHeap(heap.get(), 0);
              }),
              "");
    const uint64_t now = resolved(heap.get(), 0, 1)[0];
    EXPECT_GT(now, previous);
    previous = now;
  }
}

TEST_F(Timestamps, InvalidationTouchesOnlyItsRange) {
  auto heap = counterHeap(4);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              for (NS::UInteger i = 0; i < 4; ++i) commands->writeTimestampIntoHeap(heap.get(), i);
            }),
            "");
  heap->invalidateCounterRange(NS::Range::Make(1, 2));
  auto stamps = resolved(heap.get(), 0, 4);
  EXPECT_NE(stamps[0], 0u);
  EXPECT_EQ(stamps[1], 0u);
  EXPECT_EQ(stamps[2], 0u);
  EXPECT_NE(stamps[3], 0u);
}

TEST_F(Timestamps, IndexPastTheHeapWritesNothingAndNamesIndexAndCount) {
  auto heap = counterHeap(4);
  testing::internal::CaptureStderr();
  std::string error = runCommands([&](MTL4::CommandBuffer* commands) {
    commands->writeTimestampIntoHeap(heap.get(), 3);
    commands->writeTimestampIntoHeap(heap.get(), 4);
  });
  std::string log = testing::internal::GetCapturedStderr() + error;
  EXPECT_NE(log.find("index 4"), std::string::npos) << log;
  EXPECT_NE(log.find("4 entries"), std::string::npos) << log;
  EXPECT_EQ(heap->resolveCounterRange(NS::Range::Make(2, 3)), nullptr);
  // The process lives and the next recording works.
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) { commands->writeTimestampIntoHeap(heap.get(), 0); }), "");
  EXPECT_NE(resolved(heap.get(), 0, 1)[0], 0u);
}

TEST_F(Timestamps, EmptyRangeIsEmptyData) {
  auto heap = counterHeap(4);
  NS::Data* data = heap->resolveCounterRange(NS::Range::Make(2, 0));
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(data->length(), 0u);
}

TEST_F(Timestamps, HeapCountsOutsideTheRangeAreErrors) {
  for (NS::UInteger count : {NS::UInteger(0), NS::UInteger(1048577)}) {
    auto descriptor = NS::TransferPtr(MTL4::CounterHeapDescriptor::alloc()->init());
    descriptor->setType(MTL4::CounterHeapTypeTimestamp);
    descriptor->setCount(count);
    NS::Error* error = nullptr;
    auto heap = NS::TransferPtr(m_device->newCounterHeap(descriptor.get(), &error));
    EXPECT_FALSE(heap);
    EXPECT_NE(text(error).find(std::to_string(count)), std::string::npos) << text(error);
  }
  auto descriptor = NS::TransferPtr(MTL4::CounterHeapDescriptor::alloc()->init());
  descriptor->setType(MTL4::CounterHeapTypeInvalid);
  descriptor->setCount(4);
  NS::Error* error = nullptr;
  EXPECT_FALSE(NS::TransferPtr(m_device->newCounterHeap(descriptor.get(), &error)));
  EXPECT_NE(error, nullptr);
}

TEST_F(Timestamps, B61SampledClocksEncloseAStamp) {
  auto heap = counterHeap(1);
  MTL::Timestamp cpuBefore = 0, gpuBefore = 0, cpuAfter = 0, gpuAfter = 0;
  m_device->sampleTimestamps(&cpuBefore, &gpuBefore);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) { commands->writeTimestampIntoHeap(heap.get(), 0); }), "");
  m_device->sampleTimestamps(&cpuAfter, &gpuAfter);
  const uint64_t stamp = resolved(heap.get(), 0, 1)[0];
  EXPECT_LE(gpuBefore, stamp + 1'000'000);
  EXPECT_LE(stamp, gpuAfter + 1'000'000);
  EXPECT_LT(cpuBefore, cpuAfter);
}

} // namespace
} // namespace basanite::tests
