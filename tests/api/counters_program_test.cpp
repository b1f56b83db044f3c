// SPDX-License-Identifier: Apache-2.0
// The trouble reports that are about whole programs rather than entries: object lifetimes, residency, device
// loss, bindings.
#include "tests/api/counters_fixture.hpp"
#include "tests/api/counters_scenario.hpp"
#include "tests/support/child_process.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>

namespace basanite::tests {
namespace {

class CounterPrograms : public CountersFixture {};

TEST_F(CounterPrograms, B79AnEncoderKeptPastItsPoolStampsAndEnds) {
  auto heap = counterHeap(4);
  m_commands->beginCommandBuffer(m_allocator.get());
  NS::SharedPtr<MTL4::RenderCommandEncoder> render;
  {
    auto inner = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    render = NS::RetainPtr(m_commands->renderCommandEncoder(clearPass(target())));
    render->writeTimestamp(kRelaxed, kFragment, heap.get(), 0);
  }
  fill(render.get(), 8);
  render->writeTimestamp(kPrecise, kFragment, heap.get(), 1);
  render->endEncoding();
  NS::SharedPtr<MTL4::ComputeCommandEncoder> compute;
  {
    auto inner = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    compute = NS::RetainPtr(m_commands->computeCommandEncoder());
  }
  compute->writeTimestamp(kRelaxed, heap.get(), 2);
  burn(compute.get(), 8);
  compute->writeTimestamp(kPrecise, heap.get(), 3);
  compute->endEncoding();
  m_commands->endCommandBuffer();
  commitAndWait(m_commands.get());
  for (uint64_t value : entries(heap.get())) EXPECT_NE(value, 0u);
}

// Without a pool an autoreleased encoder leaks but stays valid, even when the program releases it itself.
const CounterScenario kNoPool("noPool", [] {
  MTL::Device* device = MTL::CreateSystemDefaultDevice();
  if (!device) return 3;
  auto descriptor = NS::TransferPtr(MTL4::CounterHeapDescriptor::alloc()->init());
  descriptor->setType(MTL4::CounterHeapTypeTimestamp);
  descriptor->setCount(2);
  auto heap = NS::TransferPtr(device->newCounterHeap(descriptor.get(), nullptr));
  auto queue = NS::TransferPtr(device->newMTL4CommandQueue());
  auto allocator = NS::TransferPtr(device->newCommandAllocator());
  auto commands = NS::TransferPtr(device->newCommandBuffer());
  auto event = NS::TransferPtr(device->newSharedEvent());
  for (uint64_t round = 1; round <= 3; ++round) {
    commands->beginCommandBuffer(allocator.get());
    for (NS::UInteger i = 0; i < 2; ++i) {
      MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
      encoder->writeTimestamp(MTL4::TimestampGranularityRelaxed, heap.get(), i);
      encoder->endEncoding();
      encoder->release();
    }
    commands->endCommandBuffer();
    const MTL4::CommandBuffer* list[] = {commands.get()};
    queue->commit(list, 1);
    queue->signalEvent(event.get(), round);
    if (!event->waitUntilSignaledValue(round, 30'000)) return 4;
    uint64_t values[2];
    std::memcpy(values, heap->resolveCounterRange(NS::Range::Make(0, 2))->bytes(), sizeof values);
    if (values[0] == 0 || values[1] < values[0]) return 5;
  }
  std::puts("finished");
  return 0;
});

TEST_F(CounterPrograms, B79AProgramWithoutPoolsMayReleaseItsEncoders) {
  const ChildResult child = runScenario("noPool", {});
  EXPECT_EQ(child.exitCode, 0) << child.output;
  EXPECT_NE(child.output.find("finished"), std::string::npos) << child.output;
}

// All memory is resident here: a kernel that writes through an address outside every residency set loses
// nothing.
TEST_F(CounterPrograms, B83ABufferOutsideEveryResidencySetIsWritten) {
  auto pipeline = computePipeline(R"(
#include <metal_stdlib>
using namespace metal;
kernel void count(device uint* out [[buffer(0)]], uint id [[thread_position_in_grid]]) { out[id] = id + 1; }
)",
                                  "count");
  for (MTL::ResourceOptions storage : {MTL::ResourceStorageModeShared, MTL::ResourceStorageModePrivate}) {
    auto outside = NS::TransferPtr(m_device->newBuffer(256, storage));
    auto read = sharedBuffer(256);
    auto arguments = argumentTable(1);
    arguments->setAddress(outside->gpuAddress(), 0);
    auto queue = NS::TransferPtr(m_device->newMTL4CommandQueue()); // has no residency set
    m_allocator->reset();
    m_commands->beginCommandBuffer(m_allocator.get());
    auto* encoder = m_commands->computeCommandEncoder();
    encoder->setComputePipelineState(pipeline.get());
    encoder->setArgumentTable(arguments.get());
    encoder->dispatchThreads(MTL::Size::Make(64, 1, 1), MTL::Size::Make(64, 1, 1));
    encoder->barrierAfterEncoderStages(MTL::StageDispatch, MTL::StageBlit, MTL4::VisibilityOptionDevice);
    encoder->copyFromBuffer(outside.get(), 0, read.get(), 0, 256);
    encoder->endEncoding();
    m_commands->endCommandBuffer();
    const MTL4::CommandBuffer* list[] = {m_commands.get()};
    queue->commit(list, 1);
    queue->signalEvent(m_event.get(), ++m_eventValue);
    ASSERT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 60'000));
    const auto got = contents<uint32_t>(read.get());
    for (uint32_t i = 0; i < 64; ++i) ASSERT_EQ(got[i], i + 1) << storage;
  }
}

// The device acts as lost from its third submission on.
const CounterScenario kLoseDevice("loseDevice", [] {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  if (!device) return 3;
  auto queue = NS::TransferPtr(device->newMTL4CommandQueue());
  auto commands = NS::TransferPtr(device->newCommandBuffer());
  auto delivered = NS::TransferPtr(device->newSharedEvent());
  auto ended = NS::TransferPtr(device->newSharedEvent());
  for (int commit = 1; commit <= 4; ++commit) {
    auto allocator = NS::TransferPtr(device->newCommandAllocator());
    commands->beginCommandBuffer(allocator.get());
    commands->endCommandBuffer();
    std::string error = "none";
    auto options = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
    std::atomic<bool> isDelivered = false;
    options->addFeedbackHandler([&](MTL4::CommitFeedback* feedback) {
      if (feedback->error())
        error = std::to_string(feedback->error()->code()) + " " + text(feedback->error());
      isDelivered = true;
    });
    const MTL4::CommandBuffer* list[] = {commands.get()};
    queue->commit(list, 1, options.get());
    queue->signalEvent(ended.get(), uint64_t(commit));
    const auto start = std::chrono::steady_clock::now();
    const bool isReached = ended->waitUntilSignaledValue(uint64_t(commit), 20'000);
    const bool isPrompt = std::chrono::steady_clock::now() - start < std::chrono::seconds(10);
    while (!isDelivered && std::chrono::steady_clock::now() - start < std::chrono::seconds(30))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::printf("commit %d: feedback %s, wait %s %s\n", commit, isDelivered ? error.c_str() : "missing",
                isPrompt ? "prompt" : "late", isReached ? "reached" : "ended");
  }
  return 0;
});

TEST_F(CounterPrograms, B85ALostDeviceIsAnErrorOfEveryLaterCommitAndEndsWaits) {
  const ChildResult child = runScenario("loseDevice", {{"BASANITE_TEST_LOSE_DEVICE", "3"}});
  EXPECT_EQ(child.exitCode, 0) << child.output;
  EXPECT_NE(child.output.find("commit 1: feedback none, wait prompt reached"), std::string::npos)
      << child.output;
  const std::string removed = "feedback " + std::to_string(MTL4::CommandQueueErrorDeviceRemoved) + " ";
  for (const char* commit : {"commit 3: ", "commit 4: "}) {
    const size_t line = child.output.find(commit);
    ASSERT_NE(line, std::string::npos) << child.output;
    const std::string rest = child.output.substr(line, child.output.find('\n', line) - line);
    EXPECT_NE(rest.find(removed), std::string::npos) << rest;
    EXPECT_NE(rest.find("lost"), std::string::npos) << rest;
    EXPECT_NE(rest.find("wait prompt ended"), std::string::npos) << rest;
  }
}

TEST_F(CounterPrograms, B87ConstantsAtAnOffsetOf16BytesAreRead) {
  auto pipeline = computePipeline(R"(
#include <metal_stdlib>
using namespace metal;
struct Constants { float4 scale; uint count; float3 offset; };
kernel void apply(device float4* out [[buffer(0)]], constant Constants& constants [[buffer(1)]],
                  uint id [[thread_position_in_grid]]) {
  out[id] = constants.scale * float(id) + float4(constants.offset, float(constants.count));
}
)",
                                  "apply");
  struct alignas(16) Constants {
    float scale[4];
    uint32_t count;
    float padding[3];
    float offset[4];
  };
  for (NS::UInteger at : {0, 16, 48, 112, 240}) {
    auto constants = sharedBuffer(512), out = sharedBuffer(16 * 4);
    std::memset(constants->contents(), 0xff, 512);
    const Constants value{{1, 2, 3, 4}, 7, {}, {10, 20, 30, 0}};
    std::memcpy(static_cast<char*>(constants->contents()) + at, &value, sizeof value);
    auto arguments = argumentTable(2);
    arguments->setAddress(out->gpuAddress(), 0);
    arguments->setAddress(constants->gpuAddress() + at, 1);
    dispatch(pipeline.get(), arguments.get(), 4);
    const auto got = contents<float>(out.get());
    for (int id = 0; id < 4; ++id) {
      EXPECT_EQ(got[4 * id], 10 + id) << at;
      EXPECT_EQ(got[4 * id + 1], 20 + 2 * id) << at;
      EXPECT_EQ(got[4 * id + 2], 30 + 3 * id) << at;
      EXPECT_EQ(got[4 * id + 3], 7 + 4 * id) << at;
    }
  }
}

TEST_F(CounterPrograms, B89DependentDispatchesAreOrderedByABarrier) {
  auto lib = library(R"(
#include <metal_stdlib>
using namespace metal;
kernel void produce(device uint* values [[buffer(0)]], constant uint& round [[buffer(1)]],
                    uint id [[thread_position_in_grid]]) { values[id] = round * 31u + id; }
kernel void consume(device const uint* values [[buffer(0)]], constant uint& round [[buffer(1)]],
                    device atomic_uint* wrong [[buffer(2)]], uint id [[thread_position_in_grid]]) {
  const uint other = 255u - id;
  if (values[other] != round * 31u + other) atomic_fetch_add_explicit(wrong, 1u, memory_order_relaxed);
}
)");
  auto produce = computePipeline(lib.get(), "produce"), consume = computePipeline(lib.get(), "consume");
  constexpr uint32_t kRounds = 1000;
  std::vector<uint32_t> rounds(kRounds * 4);
  for (uint32_t i = 0; i < kRounds; ++i) rounds[4 * i] = i;
  auto values = sharedBuffer(1024), wrong = sharedBuffer(4), steps = sharedBuffer(rounds);
  auto arguments = argumentTable(3);
  arguments->setAddress(values->gpuAddress(), 0);
  arguments->setAddress(wrong->gpuAddress(), 2);
  for (bool hasBarriers : {false, true}) {
    std::memset(wrong->contents(), 0, 4);
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                auto* encoder = commands->computeCommandEncoder();
                encoder->setArgumentTable(arguments.get());
                for (uint32_t round = 0; round < kRounds; ++round) {
                  arguments->setAddress(steps->gpuAddress() + 16 * round, 1);
                  for (auto* pipeline : {produce.get(), consume.get()}) {
                    encoder->setComputePipelineState(pipeline);
                    encoder->dispatchThreads(MTL::Size::Make(256, 1, 1), MTL::Size::Make(64, 1, 1));
                    if (hasBarriers)
                      encoder->barrierAfterEncoderStages(MTL::StageDispatch, MTL::StageDispatch,
                                                         MTL4::VisibilityOptionDevice);
                  }
                }
                encoder->endEncoding();
              }),
              "");
    const uint32_t errors = contents<uint32_t>(wrong.get())[0];
    std::printf("%s barriers: %u wrong of %u\n", hasBarriers ? "with" : "without", errors, 256 * kRounds);
    // Without them any number may be wrong, and the program goes on.
    if (hasBarriers) EXPECT_EQ(errors, 0u);
  }
}

} // namespace
} // namespace basanite::tests
