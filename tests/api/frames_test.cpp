// SPDX-License-Identifier: Apache-2.0
// Frames in flight: allocators, re-begun command buffers, commits of many, feedback, events, queues and lifetimes.
#include "tests/support/metal_fixture.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Varyings { float4 position [[position]]; };
vertex Varyings cover(uint id [[vertex_id]]) { return {float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0, 1)}; }
fragment float4 frameColor(Varyings in [[stage_in]], constant uint& frame [[buffer(0)]]) {
  return float4(float(frame) / 255.0f, float(uint(in.position.x)) / 255.0f, float(uint(in.position.y)) / 255.0f, 1);
}
kernel void add(device uint* values [[buffer(0)]], constant uint& amount [[buffer(1)]],
                uint id [[thread_position_in_grid]]) {
  values[id] = values[id] * 3u + amount;
}
kernel void burn(device uint* values [[buffer(0)]], constant uint& rounds [[buffer(1)]],
                 uint id [[thread_position_in_grid]]) {
  uint value = id;
  for (uint i = 0; i < rounds; ++i) value = value * 1664525u + 1013904223u;
  values[id] = value;
}
)";

class Frames : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    m_add = computePipeline(m_library.get(), "add");
    ASSERT_TRUE(m_add);
    m_table = argumentTable(2);
    m_values = sharedBuffer(std::vector<uint32_t>(64, 0));
    std::vector<uint32_t> amounts(256);
    for (uint32_t i = 0; i < 256; ++i) amounts[i] = i;
    m_amounts = sharedBuffer(amounts);
  }
  // Adds `amount` to the values after all that was encoded before on the queue.
  void encodeAdd(MTL4::CommandBuffer* commands, uint32_t amount) {
    m_table->setAddress(m_values->gpuAddress(), 0);
    m_table->setAddress(m_amounts->gpuAddress() + amount * 4, 1);
    MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
    ASSERT_NE(encoder, nullptr);
    encoder->barrierAfterQueueStages(MTL::StageDispatch, MTL::StageDispatch, MTL4::VisibilityOptionDevice);
    encoder->setComputePipelineState(m_add.get());
    encoder->setArgumentTable(m_table.get());
    encoder->dispatchThreads(MTL::Size::Make(64, 1, 1), MTL::Size::Make(64, 1, 1));
    encoder->endEncoding();
  }
  static uint32_t afterAdding(std::initializer_list<uint32_t> amounts) {
    uint32_t value = 0;
    for (uint32_t amount : amounts) value = value * 3 + amount;
    return value;
  }
  void expectValues(uint32_t wanted) {
    EXPECT_EQ(contents<uint32_t>(m_values.get()), std::vector<uint32_t>(64, wanted));
  }

  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL::ComputePipelineState> m_add;
  NS::SharedPtr<MTL4::ArgumentTable> m_table;
  NS::SharedPtr<MTL::Buffer> m_values, m_amounts;
};

TEST_F(Frames, SixtyFramesThreeInFlight) {
  constexpr uint32_t kFrames = 60, kInFlight = 3, kSide = 16;
  auto pipeline = renderPipeline(m_library.get(), "cover", "frameColor", [](auto* descriptor) {
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  });
  ASSERT_TRUE(pipeline);
  std::array<NS::SharedPtr<MTL4::CommandAllocator>, kInFlight> allocators;
  std::array<NS::SharedPtr<MTL::Texture>, kInFlight> targets;
  std::array<NS::SharedPtr<MTL::Buffer>, kInFlight> frameNumbers, results;
  for (uint32_t i = 0; i < kInFlight; ++i) {
    allocators[i] = NS::TransferPtr(m_device->newCommandAllocator());
    targets[i] = colorTarget(kSide, kSide);
    frameNumbers[i] = sharedBuffer(4);
    results[i] = sharedBuffer(kSide * kSide * 4);
  }
  auto commands = NS::TransferPtr(m_device->newCommandBuffer()); // one for all frames
  auto event = NS::TransferPtr(m_device->newSharedEvent());
  uint32_t wrong = 0;
  testing::internal::CaptureStderr(); // a reset right after the frame's event must not find the allocator busy
  const auto check = [&](uint32_t frame) {
    const auto got = contents<Pixel>(results[frame % kInFlight].get());
    for (uint32_t i = 0; i < got.size(); ++i)
      wrong += got[i] != Pixel{uint8_t(frame), uint8_t(i % kSide), uint8_t(i / kSide), 255};
  };
  for (uint32_t frame = 0; frame < kFrames + kInFlight; ++frame) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    if (frame >= kInFlight) {
      ASSERT_TRUE(event->waitUntilSignaledValue(frame - kInFlight + 1, 30'000)) << "frame " << frame - kInFlight;
      check(frame - kInFlight);
    }
    if (frame >= kFrames) continue;
    const uint32_t slot = frame % kInFlight;
    std::memcpy(frameNumbers[slot]->contents(), &frame, 4);
    allocators[slot]->reset();
    commands->beginCommandBuffer(allocators[slot].get());
    m_table->setAddress(frameNumbers[slot]->gpuAddress(), 0);
    MTL4::RenderCommandEncoder* render = commands->renderCommandEncoder(clearPass(targets[slot].get()));
    render->setRenderPipelineState(pipeline.get());
    render->setArgumentTable(m_table.get(), MTL::RenderStageFragment);
    render->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
    render->endEncoding();
    MTL4::ComputeCommandEncoder* copy = commands->computeCommandEncoder();
    copy->barrierAfterQueueStages(MTL::StageFragment, MTL::StageBlit, MTL4::VisibilityOptionDevice);
    copy->copyFromTexture(targets[slot].get(), 0, 0, MTL::Origin::Make(0, 0, 0), MTL::Size::Make(kSide, kSide, 1),
                          results[slot].get(), 0, kSide * 4, kSide * kSide * 4);
    copy->endEncoding();
    commands->endCommandBuffer();
    const MTL4::CommandBuffer* list[] = {commands.get()};
    m_queue->commit(list, 1);
    m_queue->signalEvent(event.get(), frame + 1);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(wrong, 0u) << "pixels over all frames";
  EXPECT_EQ(event->signaledValue(), kFrames);
}

TEST_F(Frames, ACommandBufferMayBeginAgainRightAfterItsCommit) {
  // The same allocator without a reset, then another one; the first recording is still to run or running.
  auto other = NS::TransferPtr(m_device->newCommandAllocator());
  const MTL4::CommandBuffer* list[] = {m_commands.get()};
  for (uint32_t amount : {1u, 2u, 3u, 4u}) {
    m_commands->beginCommandBuffer(amount < 3 ? m_allocator.get() : other.get());
    encodeAdd(m_commands.get(), amount);
    m_commands->endCommandBuffer();
    if (amount < 4) m_queue->commit(list, 1);
  }
  commitAndWait(m_commands.get());
  expectValues(afterAdding({1, 2, 3, 4}));
  EXPECT_GT(m_allocator->allocatedSize(), 0u);
}

TEST_F(Frames, OneAllocatorServesOneOpenBufferAfterAnother) {
  std::vector<NS::SharedPtr<MTL4::CommandBuffer>> buffers;
  std::vector<const MTL4::CommandBuffer*> list;
  for (uint32_t i = 0; i < 6; ++i) {
    buffers.push_back(NS::TransferPtr(m_device->newCommandBuffer()));
    buffers[i]->beginCommandBuffer(m_allocator.get());
    encodeAdd(buffers[i].get(), i + 1);
    buffers[i]->endCommandBuffer();
    list.push_back(buffers[i].get());
  }
  // The array's order is the order of execution, whatever the order of recording was.
  std::swap(list[1], list[4]);
  m_queue->commit(list.data(), list.size());
  m_queue->signalEvent(m_event.get(), ++m_eventValue);
  ASSERT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 30'000));
  expectValues(afterAdding({1, 5, 3, 4, 2, 6}));
}

TEST_F(Frames, AllocatorMisuseIsNamedAndHarmless) {
  const auto logOf = [](const std::function<void()>& act) {
    testing::internal::CaptureStderr();
    act();
    return testing::internal::GetCapturedStderr();
  };
  auto second = NS::TransferPtr(m_device->newCommandBuffer());
  m_commands->beginCommandBuffer(m_allocator.get());
  std::string log = logOf([&] { m_allocator->reset(); });
  EXPECT_NE(log.find("open"), std::string::npos) << log;
  log = logOf([&] { second->beginCommandBuffer(m_allocator.get()); });
  EXPECT_NE(log.find("allocator"), std::string::npos) << log;
  encodeAdd(m_commands.get(), 7);
  m_commands->endCommandBuffer();
  log = logOf([&] { m_allocator->reset(); });
  EXPECT_NE(log.find("committed"), std::string::npos) << log;
  commitAndWait(m_commands.get());
  expectValues(7);
  EXPECT_EQ(logOf([&] { m_allocator->reset(); }), "");
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) { encodeAdd(commands, 1); }), "");
  expectValues(22);
}

TEST_F(Frames, FeedbackComesOncePerCommitInOrderWithGpuTimes) {
  constexpr int kCommits = 12;
  std::mutex mutex;
  std::vector<int> order;
  std::vector<std::pair<double, double>> times;
  std::atomic<int> delivered{0};
  std::vector<NS::SharedPtr<MTL4::CommandBuffer>> buffers;
  for (int i = 0; i < kCommits; ++i) {
    const MTL4::CommandBuffer* list[2];
    for (int k = 0; k < 2; ++k) {
      buffers.push_back(NS::TransferPtr(m_device->newCommandBuffer()));
      buffers.back()->beginCommandBuffer(m_allocator.get());
      encodeAdd(buffers.back().get(), 1);
      buffers.back()->endCommandBuffer();
      list[k] = buffers.back().get();
    }
    auto options = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
    options->addFeedbackHandler([&, i](MTL4::CommitFeedback* feedback) {
      std::lock_guard lock(mutex);
      order.push_back(i * 10);
      times.emplace_back(feedback->GPUStartTime(), feedback->GPUEndTime());
      EXPECT_EQ(feedback->error(), nullptr) << text(feedback->error());
    });
    options->addFeedbackHandler([&, i](MTL4::CommitFeedback*) {
      std::lock_guard lock(mutex);
      order.push_back(i * 10 + 1);
      ++delivered;
    });
    m_queue->commit(list, 2, options.get());
  }
  for (int waited = 0; waited < 30'000 && delivered < kCommits; ++waited)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_EQ(delivered, kCommits);
  std::lock_guard lock(mutex);
  std::vector<int> wanted;
  for (int i = 0; i < kCommits; ++i) wanted.insert(wanted.end(), {i * 10, i * 10 + 1});
  EXPECT_EQ(order, wanted);
  for (int i = 0; i < kCommits; ++i) {
    EXPECT_GT(times[i].first, 0);
    EXPECT_LE(times[i].first, times[i].second) << i;
    EXPECT_LT(times[i].second - times[i].first, 10.0) << "seconds";
    if (i) {
      EXPECT_LE(times[i - 1].first, times[i].first) << i;
    }
  }
}

TEST_F(Frames, EmptyBuffersAndEmptyCommitsAreFine) {
  EXPECT_EQ(runCommands([](MTL4::CommandBuffer*) {}), "");
  EXPECT_EQ(runCommands([](MTL4::CommandBuffer* commands) {
              commands->computeCommandEncoder()->endEncoding();
              commands->pushDebugGroup(NS::String::string("group", NS::UTF8StringEncoding));
              MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
              encoder->setLabel(NS::String::string("empty", NS::UTF8StringEncoding));
              EXPECT_STREQ(encoder->label()->utf8String(), "empty");
              encoder->pushDebugGroup(NS::String::string("inner", NS::UTF8StringEncoding));
              encoder->insertDebugSignpost(NS::String::string("here", NS::UTF8StringEncoding));
              encoder->popDebugGroup();
              EXPECT_EQ(encoder->commandBuffer(), commands);
              encoder->endEncoding();
              commands->popDebugGroup();
            }),
            "");
}

TEST_F(Frames, QueuesWaitForEachOthersEvents) {
  auto secondQueue = NS::TransferPtr(m_device->newMTL4CommandQueue());
  secondQueue->addResidencySet(m_residency.get());
  auto toSecond = NS::TransferPtr(m_device->newEvent());
  auto toFirst = NS::TransferPtr(m_device->newSharedEvent());
  ASSERT_TRUE(secondQueue && toSecond && toFirst);
  std::vector<NS::SharedPtr<MTL4::CommandBuffer>> buffers;
  const auto recorded = [&](uint32_t amount) {
    buffers.push_back(NS::TransferPtr(m_device->newCommandBuffer()));
    buffers.back()->beginCommandBuffer(m_allocator.get());
    encodeAdd(buffers.back().get(), amount);
    buffers.back()->endCommandBuffer();
    return static_cast<const MTL4::CommandBuffer*>(buffers.back().get());
  };
  std::initializer_list<uint32_t> amounts{1, 2, 3, 4, 5, 6, 7, 8};
  uint64_t round = 0;
  for (uint32_t amount : {1u, 3u, 5u, 7u}) {
    ++round;
    // The waiting side is told first: its wait is for a value that nobody has asked the other queue to signal yet.
    const MTL4::CommandBuffer* even[] = {recorded(amount + 1)};
    secondQueue->wait(toSecond.get(), round);
    secondQueue->commit(even, 1);
    secondQueue->signalEvent(toFirst.get(), round);
    const MTL4::CommandBuffer* odd[] = {recorded(amount)};
    if (round > 1) m_queue->wait(toFirst.get(), round - 1);
    m_queue->commit(odd, 1);
    m_queue->signalEvent(toSecond.get(), round);
  }
  ASSERT_TRUE(toFirst->waitUntilSignaledValue(round, 30'000));
  expectValues(afterAdding(amounts));
}

TEST_F(Frames, TheCpuHoldsAndReleasesTheGpu) {
  auto gate = NS::TransferPtr(m_device->newSharedEvent());
  auto done = NS::TransferPtr(m_device->newSharedEvent());
  m_commands->beginCommandBuffer(m_allocator.get());
  encodeAdd(m_commands.get(), 9);
  m_commands->endCommandBuffer();
  const MTL4::CommandBuffer* list[] = {m_commands.get()};
  m_queue->wait(gate.get(), 5);
  m_queue->commit(list, 1);
  m_queue->signalEvent(done.get(), 3);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(done->waitUntilSignaledValue(3, 50));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(49));
  EXPECT_EQ(done->signaledValue(), 0u);
  expectValues(0);
  gate->setSignaledValue(4);
  EXPECT_FALSE(done->waitUntilSignaledValue(3, 20));
  gate->setSignaledValue(6);
  EXPECT_TRUE(done->waitUntilSignaledValue(3, 30'000));
  EXPECT_TRUE(done->waitUntilSignaledValue(2, 0)) << "a value passed already needs no wait";
  EXPECT_EQ(done->signaledValue(), 3u);
  expectValues(9);
}

TEST_F(Frames, WorkOutlivesTheObjectsItWasMadeFrom) {
  // Everything but the results is released while the GPU may still be at it.
  auto burn = computePipeline(m_library.get(), "burn");
  ASSERT_TRUE(burn);
  auto rounds = sharedBuffer(std::vector<uint32_t>{20000});
  auto out = sharedBuffer(256 * 4);
  {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    auto commands = NS::TransferPtr(m_device->newCommandBuffer());
    auto allocator = NS::TransferPtr(m_device->newCommandAllocator());
    auto table = argumentTable(2);
    table->setAddress(out->gpuAddress(), 0);
    table->setAddress(rounds->gpuAddress(), 1);
    commands->beginCommandBuffer(allocator.get());
    MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
    encoder->setComputePipelineState(burn.get());
    encoder->setArgumentTable(table.get());
    encoder->dispatchThreads(MTL::Size::Make(256, 1, 1), MTL::Size::Make(64, 1, 1));
    encoder->endEncoding();
    commands->endCommandBuffer();
    const MTL4::CommandBuffer* list[] = {commands.get()};
    m_queue->commit(list, 1);
    m_queue->signalEvent(m_event.get(), ++m_eventValue);
  }
  burn.reset();
  ASSERT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 60'000));
  auto got = contents<uint32_t>(out.get());
  for (uint32_t id = 0; id < 256; ++id) {
    uint32_t value = id;
    for (uint32_t i = 0; i < 20000; ++i) value = value * 1664525u + 1013904223u;
    ASSERT_EQ(got[id], value) << id;
  }
}

TEST_F(Frames, AnEncoderReleasedOnceTooOftenWithoutAPoolStillRuns) {
  // The thread has no pool, so the encoder's autorelease never happens and the program's extra release is its only one.
  std::string failure;
  std::thread worker([&] {
    auto commands = NS::TransferPtr(m_device->newCommandBuffer());
    auto allocator = NS::TransferPtr(m_device->newCommandAllocator());
    commands->beginCommandBuffer(allocator.get());
    for (uint32_t amount : {1u, 2u}) {
      MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
      auto table = argumentTable(2);
      table->setAddress(m_values->gpuAddress(), 0);
      table->setAddress(m_amounts->gpuAddress() + amount * 4, 1);
      encoder->barrierAfterQueueStages(MTL::StageDispatch, MTL::StageDispatch, MTL4::VisibilityOptionDevice);
      encoder->setComputePipelineState(m_add.get());
      encoder->setArgumentTable(table.get());
      encoder->dispatchThreads(MTL::Size::Make(64, 1, 1), MTL::Size::Make(64, 1, 1));
      encoder->endEncoding();
      encoder->release();
    }
    commands->endCommandBuffer();
    const MTL4::CommandBuffer* list[] = {commands.get()};
    m_queue->commit(list, 1);
    m_queue->signalEvent(m_event.get(), ++m_eventValue);
    if (!m_event->waitUntilSignaledValue(m_eventValue, 30'000)) failure = "the commit never finished";
  });
  worker.join();
  EXPECT_EQ(failure, "");
  expectValues(afterAdding({1, 2}));
}

TEST_F(Frames, ThreadsRecordAndCommitAtOnce) {
  constexpr int kThreads = 4, kRounds = 10;
  std::array<NS::SharedPtr<MTL::Buffer>, kThreads> outputs;
  for (auto& output : outputs) output = sharedBuffer(std::vector<uint32_t>(64, 0));
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
      auto allocator = NS::TransferPtr(m_device->newCommandAllocator());
      auto commands = NS::TransferPtr(m_device->newCommandBuffer());
      auto event = NS::TransferPtr(m_device->newSharedEvent());
      auto descriptor = NS::TransferPtr(MTL4::ArgumentTableDescriptor::alloc()->init());
      descriptor->setMaxBufferBindCount(2);
      auto table = NS::TransferPtr(m_device->newArgumentTable(descriptor.get(), nullptr));
      for (int round = 1; round <= kRounds; ++round) {
        allocator->reset();
        commands->beginCommandBuffer(allocator.get());
        table->setAddress(outputs[t]->gpuAddress(), 0);
        table->setAddress(m_amounts->gpuAddress() + (t + round) * 4, 1);
        MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
        encoder->setComputePipelineState(m_add.get());
        encoder->setArgumentTable(table.get());
        encoder->dispatchThreads(MTL::Size::Make(64, 1, 1), MTL::Size::Make(64, 1, 1));
        encoder->endEncoding();
        commands->endCommandBuffer();
        const MTL4::CommandBuffer* list[] = {commands.get()};
        m_queue->commit(list, 1);
        m_queue->signalEvent(event.get(), round);
        if (!event->waitUntilSignaledValue(round, 30'000)) ++failures;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  for (int t = 0; t < kThreads; ++t) {
    uint32_t wanted = 0;
    for (int round = 1; round <= kRounds; ++round) wanted = wanted * 3 + uint32_t(t + round);
    EXPECT_EQ(contents<uint32_t>(outputs[t].get()), std::vector<uint32_t>(64, wanted)) << "thread " << t;
  }
}

} // namespace
} // namespace basanite::tests
