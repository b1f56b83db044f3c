// SPDX-License-Identifier: Apache-2.0
// Bad calls on counter heaps: one sentence with label, value and limit, nothing written, the process alive;
// an end only under the debug layer.
#include "tests/api/counters_fixture.hpp"
#include "tests/api/counters_scenario.hpp"
#include "tests/support/child_process.hpp"

#include <csignal>
#include <cstdio>

namespace basanite::tests {
namespace {

NS::String* string(const char* text) { return NS::String::string(text, NS::UTF8StringEncoding); }

class CounterMisuse : public CountersFixture {
 protected:
  void SetUp() override {
    CountersFixture::SetUp();
    if (HasFatalFailure()) return;
    m_heap = counterHeap(4);
    m_heap->setLabel(string("frame times"));
  }

  // The recording fails with a sentence that has all parts, and no entry of the heap is written by it. Then
  // the process and the device still work.
  void expectRefused(const std::function<void(MTL4::CommandBuffer*)>& record,
                     std::initializer_list<const char*> parts) {
    m_heap->invalidateCounterRange(NS::Range::Make(0, 4));
    const std::string message = runCommands(record);
    for (const char* part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is missing in: " << message;
    EXPECT_TRUE(message.ends_with('.') && message.find(". ") == std::string::npos &&
                message.find('\n') == std::string::npos)
        << "one sentence: " << message;
    EXPECT_EQ(entries(m_heap.get()), std::vector<uint64_t>(4, 0)) << message;
    EXPECT_EQ(runCommands(
                  [&](MTL4::CommandBuffer* commands) { commands->writeTimestampIntoHeap(m_heap.get(), 0); }),
              "");
    EXPECT_NE(entries(m_heap.get())[0], 0u);
  }
  // What misuse outside a recording says, on standard error.
  std::string logged(const std::function<void()>& call) {
    testing::internal::CaptureStderr();
    call();
    return testing::internal::GetCapturedStderr();
  }

  NS::SharedPtr<MTL4::CounterHeap> m_heap;
};

TEST_F(CounterMisuse, AnIndexPastTheCountIsNamedWithHeapAndCountOnEveryEncoder) {
  const auto parts = {"index 4", "\"frame times\"", "4 entries"};
  expectRefused([&](MTL4::CommandBuffer* commands) { commands->writeTimestampIntoHeap(m_heap.get(), 4); },
                parts);
  expectRefused(
      [&](MTL4::CommandBuffer* commands) {
        auto* encoder = commands->computeCommandEncoder();
        encoder->writeTimestamp(kPrecise, m_heap.get(), 4);
        burn(encoder, 8);
        encoder->endEncoding();
      },
      parts);
  expectRefused(
      [&](MTL4::CommandBuffer* commands) {
        auto* encoder = openPass(commands);
        fill(encoder, 8);
        encoder->writeTimestamp(kPrecise, kFragment, m_heap.get(), 4);
        fill(encoder, 8);
        encoder->endEncoding();
      },
      parts);
  expectRefused(
      [&](MTL4::CommandBuffer* commands) { commands->writeTimestampIntoHeap(m_heap.get(), UINT64_MAX); },
      {"index 18446744073709551615", "4 entries"});
}

TEST_F(CounterMisuse, ANilHeapIsNamedByItsMethod) {
  expectRefused([&](MTL4::CommandBuffer* commands) { commands->writeTimestampIntoHeap(nullptr, 0); },
                {"CommandBuffer::writeTimestampIntoHeap", "null"});
  expectRefused(
      [&](MTL4::CommandBuffer* commands) {
        auto* encoder = commands->computeCommandEncoder();
        encoder->writeTimestamp(kRelaxed, nullptr, 0);
        encoder->endEncoding();
      },
      {"ComputeCommandEncoder::writeTimestamp", "null"});
  expectRefused(
      [&](MTL4::CommandBuffer* commands) {
        auto* encoder = openPass(commands);
        encoder->writeTimestamp(kRelaxed, kFragment, nullptr, 0);
        encoder->endEncoding();
      },
      {"RenderCommandEncoder::writeTimestamp", "null"});
  auto destination = sharedBuffer(64);
  expectRefused(
      [&](MTL4::CommandBuffer* commands) {
        commands->resolveCounterHeap(nullptr, NS::Range::Make(0, 1), whole(destination.get()), nullptr,
                                     nullptr);
      },
      {"CommandBuffer::resolveCounterHeap", "null"});
}

TEST_F(CounterMisuse, AnEncoderThatHasEndedStampsNothing) {
  expectRefused(
      [&](MTL4::CommandBuffer* commands) {
        auto* encoder = openPass(commands);
        encoder->setLabel(string("shadows"));
        encoder->endEncoding();
        encoder->writeTimestamp(kRelaxed, kFragment, m_heap.get(), 0);
      },
      {"RenderCommandEncoder::writeTimestamp", "\"shadows\"", "after endEncoding"});
  expectRefused(
      [&](MTL4::CommandBuffer* commands) {
        auto* encoder = commands->computeCommandEncoder();
        encoder->setLabel(string("skinning"));
        encoder->endEncoding();
        encoder->writeTimestamp(kRelaxed, m_heap.get(), 0);
      },
      {"ComputeCommandEncoder::writeTimestamp", "\"skinning\"", "after endEncoding"});
}

TEST_F(CounterMisuse, ACommandBufferThatIsNotRecordingStampsNothing) {
  m_commands->setLabel(string("frame"));
  m_commands->beginCommandBuffer(m_allocator.get());
  auto* render = openPass(m_commands.get());
  render->endEncoding();
  m_commands->endCommandBuffer();
  m_commands->writeTimestampIntoHeap(m_heap.get(), 0);
  commitAndWait(m_commands.get());
  EXPECT_EQ(entries(m_heap.get()), std::vector<uint64_t>(4, 0));
  const std::string log = logged([&] { m_commands->writeTimestampIntoHeap(m_heap.get(), 0); });
  EXPECT_NE(log.find("CommandBuffer::writeTimestampIntoHeap"), std::string::npos) << log;
  EXPECT_NE(log.find("\"frame\" is not recording"), std::string::npos) << log;
}

TEST_F(CounterMisuse, RangesPastTheCountAreNamedOnTheCpu) {
  const std::string read =
      logged([&] { EXPECT_EQ(m_heap->resolveCounterRange(NS::Range::Make(2, 3)), nullptr); });
  for (const char* part : {"resolveCounterRange", "3 entries from index 2", "\"frame times\" of 4 entries"})
    EXPECT_NE(read.find(part), std::string::npos) << part << ": " << read;
  EXPECT_EQ(
      runCommands([&](MTL4::CommandBuffer* commands) { commands->writeTimestampIntoHeap(m_heap.get(), 3); }),
      "");
  const std::string invalidated =
      logged([&] { m_heap->invalidateCounterRange(NS::Range::Make(3, UINT64_MAX)); });
  EXPECT_NE(invalidated.find("invalidateCounterRange"), std::string::npos) << invalidated;
  EXPECT_NE(entries(m_heap.get())[3], 0u) << "nothing was invalidated";
}

TEST_F(CounterMisuse, ResolvesThatDoNotFitAreNamedAndWriteNothing) {
  auto destination = sharedBuffer(64);
  const std::vector<uint64_t> untouched(8, 0x0123456789abcdef);
  auto refuse = [&](NS::Range range, MTL4::BufferRange where, std::initializer_list<const char*> parts) {
    std::memcpy(destination->contents(), untouched.data(), 64);
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                for (NS::UInteger i = 0; i < 4; ++i) commands->writeTimestampIntoHeap(m_heap.get(), i);
              }),
              "");
    const std::string message = runCommands([&](MTL4::CommandBuffer* commands) {
      commands->resolveCounterHeap(m_heap.get(), range, where, nullptr, nullptr);
    });
    for (const char* part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is missing in: " << message;
    EXPECT_EQ(contents<uint64_t>(destination.get()), untouched) << message;
  };
  const uint64_t address = destination->gpuAddress();
  refuse(NS::Range::Make(1, 4), MTL4::BufferRange::Make(address, 64),
         {"4 entries from index 1", "\"frame times\" of 4 entries"});
  refuse(NS::Range::Make(0, 4), MTL4::BufferRange::Make(address, 24), {"4 entries take 32 bytes", "24"});
  refuse(NS::Range::Make(0, 4), MTL4::BufferRange::Make(address + 40, UINT64_MAX),
         {"4 entries take 32 bytes", "24"});
  refuse(NS::Range::Make(0, 2), MTL4::BufferRange::Make(address + 4, 32), {"not a multiple of 8"});
  refuse(NS::Range::Make(0, 2), MTL4::BufferRange::Make(0, 32), {"0x0"});
}

TEST_F(CounterMisuse, StageMasksOfNothingOrUnknownBitsAreNamed) {
  for (MTL::RenderStages stages : {MTL::RenderStages(0), MTL::RenderStages(32),
                                   MTL::RenderStages(1 | 1u << 27), MTL::RenderStages(UINT64_MAX)}) {
    char value[32];
    std::snprintf(value, sizeof value, "%#llx", static_cast<unsigned long long>(stages));
    expectRefused(
        [&](MTL4::CommandBuffer* commands) {
          auto* encoder = openPass(commands);
          fill(encoder, 8);
          encoder->writeTimestamp(kPrecise, stages, m_heap.get(), 1);
          encoder->endEncoding();
        },
        {"RenderCommandEncoder::writeTimestamp", stages ? value : "0x0", "0x1f"});
  }
}

TEST_F(CounterMisuse, GranularitiesThatDoNotExistAreNamed) {
  expectRefused(
      [&](MTL4::CommandBuffer* commands) {
        auto* encoder = openPass(commands);
        encoder->writeTimestamp(MTL4::TimestampGranularity(7), kFragment, m_heap.get(), 1);
        encoder->endEncoding();
      },
      {"RenderCommandEncoder::writeTimestamp", "7", "TimestampGranularity (0 to 1)"});
  expectRefused(
      [&](MTL4::CommandBuffer* commands) {
        auto* encoder = commands->computeCommandEncoder();
        encoder->writeTimestamp(MTL4::TimestampGranularity(-1), m_heap.get(), 1);
        encoder->endEncoding();
      },
      {"ComputeCommandEncoder::writeTimestamp", "-1", "TimestampGranularity (0 to 1)"});
}

// Entries are written by command buffers of the heap's own device only. Most machines have one device; CTest
// runs this again with lavapipe listed twice.
TEST_F(CounterMisuse, AHeapOfAnotherDeviceIsNamed) {
  auto devices = NS::TransferPtr(MTL::CopyAllDevices());
  MTL::Device* other = nullptr;
  for (NS::UInteger i = 0; i < devices->count(); ++i)
    if (devices->object<MTL::Device>(i) != m_device.get()) other = devices->object<MTL::Device>(i);
  if (!other) GTEST_SKIP() << "skipped: one device";
  auto descriptor = NS::TransferPtr(MTL4::CounterHeapDescriptor::alloc()->init());
  descriptor->setType(MTL4::CounterHeapTypeTimestamp);
  descriptor->setCount(4);
  auto foreign = NS::TransferPtr(other->newCounterHeap(descriptor.get(), nullptr));
  ASSERT_TRUE(foreign);
  foreign->setLabel(string("theirs"));
  constexpr const char* kReason = "\"theirs\" belongs to another device";
  expectRefused([&](MTL4::CommandBuffer* commands) { commands->writeTimestampIntoHeap(foreign.get(), 0); },
                {"CommandBuffer::writeTimestampIntoHeap", kReason});
  expectRefused(
      [&](MTL4::CommandBuffer* commands) {
        auto* encoder = openPass(commands);
        encoder->writeTimestamp(kPrecise, kFragment, foreign.get(), 0);
        encoder->endEncoding();
      },
      {"RenderCommandEncoder::writeTimestamp", kReason});
  expectRefused(
      [&](MTL4::CommandBuffer* commands) {
        auto* encoder = commands->computeCommandEncoder();
        encoder->writeTimestamp(kRelaxed, foreign.get(), 0);
        encoder->endEncoding();
      },
      {"ComputeCommandEncoder::writeTimestamp", kReason});
  auto destination = sharedBuffer(32);
  expectRefused(
      [&](MTL4::CommandBuffer* commands) {
        commands->resolveCounterHeap(foreign.get(), NS::Range::Make(0, 4), whole(destination.get()), nullptr,
                                     nullptr);
      },
      {"CommandBuffer::resolveCounterHeap", kReason});
  EXPECT_EQ(entries(foreign.get()), std::vector<uint64_t>(4, 0));
}

TEST_F(CounterMisuse, HeapsThatCannotBeMadeSayWhy) {
  auto make = [&](MTL4::CounterHeapType type, NS::UInteger count) {
    auto descriptor = NS::TransferPtr(MTL4::CounterHeapDescriptor::alloc()->init());
    descriptor->setType(type);
    descriptor->setCount(count);
    NS::Error* error = nullptr;
    EXPECT_FALSE(NS::TransferPtr(m_device->newCounterHeap(descriptor.get(), &error)));
    return text(error);
  };
  EXPECT_NE(make(MTL4::CounterHeapTypeTimestamp, 0).find("0"), std::string::npos);
  EXPECT_NE(make(MTL4::CounterHeapTypeTimestamp, 1'048'577).find("1048577"), std::string::npos);
  EXPECT_NE(make(MTL4::CounterHeapTypeInvalid, 4), "no error");
  EXPECT_NE(make(MTL4::CounterHeapType(7), 4), "no error");
  NS::Error* error = nullptr;
  EXPECT_FALSE(NS::TransferPtr(m_device->newCounterHeap(nullptr, &error)));
  EXPECT_NE(text(error), "no error");
}

// ---- the debug layer, in processes of their own

// One bad call in a recording of its own.
using BadCall = void (*)(MTL4::CommandBuffer*, MTL4::CounterHeap*, MTL::Buffer*);
int survives(BadCall call) {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  if (!device) return 3;
  auto descriptor = NS::TransferPtr(MTL4::CounterHeapDescriptor::alloc()->init());
  descriptor->setType(MTL4::CounterHeapTypeTimestamp);
  descriptor->setCount(4);
  auto heap = NS::TransferPtr(device->newCounterHeap(descriptor.get(), nullptr));
  auto buffer = NS::TransferPtr(device->newBuffer(16, MTL::ResourceStorageModeShared));
  auto allocator = NS::TransferPtr(device->newCommandAllocator());
  auto commands = NS::TransferPtr(device->newCommandBuffer());
  commands->beginCommandBuffer(allocator.get());
  call(commands.get(), heap.get(), buffer.get());
  commands->endCommandBuffer();
  std::puts("survived");
  return 0;
}

const CounterScenario kIndex("index", [] {
  return survives([](auto* commands, auto* heap, auto*) { commands->writeTimestampIntoHeap(heap, 9); });
});
const CounterScenario kNull("null", [] {
  return survives([](auto* commands, auto*, auto*) { commands->writeTimestampIntoHeap(nullptr, 0); });
});
const CounterScenario kGranularity("granularity", [] {
  return survives([](auto* commands, auto* heap, auto*) {
    commands->computeCommandEncoder()->writeTimestamp(MTL4::TimestampGranularity(7), heap, 0);
  });
});
const CounterScenario kEnded("ended", [] {
  return survives([](auto* commands, auto* heap, auto*) {
    auto* encoder = commands->computeCommandEncoder();
    encoder->endEncoding();
    encoder->writeTimestamp(kPrecise, heap, 0);
  });
});
const CounterScenario kSmall("small", [] {
  return survives([](auto* commands, auto* heap, auto* buffer) {
    commands->resolveCounterHeap(heap, NS::Range::Make(0, 4),
                                 MTL4::BufferRange::Make(buffer->gpuAddress(), 16), nullptr, nullptr);
  });
});
const CounterScenario kNowhere("nowhere", [] {
  return survives([](auto* commands, auto* heap, auto*) {
    commands->resolveCounterHeap(heap, NS::Range::Make(0, 4), MTL4::BufferRange::Make(8, 32), nullptr,
                                 nullptr);
  });
});

TEST_F(CounterMisuse, OnlyTheDebugLayerEndsTheProcess) {
  const struct {
    const char *call, *reason;
  } rows[] = {
      {"index", "index 9 is past"},   {"null", "is null"},   {"granularity", "no TimestampGranularity"},
      {"ended", "after endEncoding"}, {"small", "32 bytes"}, {"nowhere", "0x8"}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.call);
    const ChildResult plain = runScenario(row.call, {{"MTL_DEBUG_LAYER", ""}});
    EXPECT_EQ(plain.exitCode, 0) << plain.output;
    EXPECT_NE(plain.output.find("survived"), std::string::npos) << plain.output;
    const ChildResult layer = runScenario(row.call, {{"MTL_DEBUG_LAYER", "1"}});
    EXPECT_EQ(layer.signal, SIGABRT) << layer.output;
    EXPECT_NE(layer.output.find(row.reason), std::string::npos) << layer.output;
    EXPECT_EQ(layer.output.find("survived"), std::string::npos) << layer.output;
  }
}

} // namespace
} // namespace basanite::tests
