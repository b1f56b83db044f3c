// SPDX-License-Identifier: Apache-2.0
// A program of known structure and its recording: passes, counts, order, groups, times; and the program
// noticed nothing.
#include "src/timing/recording.hpp"
#include "tests/support/metal_fixture.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <thread>
#include <unistd.h>

namespace basanite::tests {
namespace {

using timing::RecordedCommit;
using timing::RecordedEncoder;
using timing::Recording;
using trace::Stage;

std::string g_path;
bool g_everyDraw = true, g_precise = false;

// Before the first device is made.
class RecordingEnvironment : public testing::Environment {
 public:
  void SetUp() override {
    const char* given = std::getenv("RECORDING_TEST_OPTIONS");
    const std::string options = given ? given : ",every=draw";
    g_everyDraw = options.find("every=draw") != std::string::npos;
    g_precise = options.find("precise") != std::string::npos;
    g_path = (std::filesystem::temp_directory_path() / ("recording_" + std::to_string(getpid()) + ".trace"))
                 .string();
    // So short a range is stamped throughout: nothing goes without stamps to measure what they cost.
    setenv("BASANITE_TRACE", (g_path + options + ",frames=0..90").c_str(), 1);
  }
  void TearDown() override { std::filesystem::remove(g_path); }
};
const auto* const g_environment = testing::AddGlobalTestEnvironment(new RecordingEnvironment);

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
vertex float4 corners(uint i [[vertex_id]]) { return float4(i == 1 ? 3 : -1, i == 2 ? 3 : -1, 0, 1); }
fragment float4 heavy(float4 at [[position]]) {
  float x = at.x;
  for (int i = 0; i < 2000; ++i) x = sin(x) + at.y * 0.001;
  return float4(x, 0, 0, 1);
}
fragment float4 light() { return float4(0, 1, 0, 1); }
kernel void spin(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float x = i;
  for (int n = 0; n < 1000; ++n) x = sin(x) + 0.1;
  out[i] = x;
}
)";

class RecordingOfAProgram : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    m_target = colorTarget(64, 48);
    m_target->setLabel(MTLSTR("canvas"));
    m_heavy = renderPipeline(kSource, "corners", "heavy", MTL::PixelFormatRGBA8Unorm);
    m_light = renderPipeline(kSource, "corners", "light", MTL::PixelFormatRGBA8Unorm);
    m_spin = computePipeline(kSource, "spin");
    m_buffer = sharedBuffer(64 * 1024);
    m_table = argumentTable(1);
    m_table->setAddress(m_buffer->gpuAddress(), 0);
  }

  NS::String* string(const std::string& text) {
    return NS::String::string(text.c_str(), NS::UTF8StringEncoding);
  }
  // Runs a command buffer with this label.
  std::string run(const std::string& label, const std::function<void(MTL4::CommandBuffer*)>& record) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      commands->setLabel(string(label));
      record(commands);
    });
  }
  MTL4::RenderCommandEncoder* renderPass(MTL4::CommandBuffer* commands, const std::string& label) {
    auto* encoder = commands->renderCommandEncoder(clearPass(m_target.get()));
    if (!label.empty()) encoder->setLabel(string(label));
    encoder->setRenderPipelineState(m_light.get());
    return encoder;
  }
  void draw(MTL4::RenderCommandEncoder* encoder, NS::UInteger instances = 1) {
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3), instances);
  }
  void dispatch(MTL4::ComputeCommandEncoder* encoder, NS::UInteger threads = 1024) {
    encoder->setComputePipelineState(m_spin.get());
    encoder->setArgumentTable(m_table.get());
    encoder->dispatchThreads(MTL::Size::Make(threads, 1, 1), MTL::Size::Make(64, 1, 1));
  }

  // As it is on the disk now; what has run is there after two flushes.
  static Recording recording() {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    auto recording = timing::readRecording(g_path);
    EXPECT_TRUE(recording.ok()) << (recording.ok() ? "" : recording.error().message);
    return recording.ok() ? std::move(recording).value() : Recording{};
  }
  static const RecordedCommit& commitOf(const Recording& recording, std::string_view label) {
    for (const RecordedCommit& commit : recording.commits)
      if (recording.text(commit.label) == label) return commit;
    ADD_FAILURE() << "no commit \"" << label << "\" among " << recording.commits.size();
    static const RecordedCommit s_none;
    return s_none;
  }
  static timing::Interval stage(const RecordedEncoder& encoder, Stage stage) {
    return encoder.stages[static_cast<size_t>(stage)];
  }

  NS::SharedPtr<MTL::Texture> m_target;
  NS::SharedPtr<MTL::RenderPipelineState> m_heavy, m_light;
  NS::SharedPtr<MTL::ComputePipelineState> m_spin;
  NS::SharedPtr<MTL::Buffer> m_buffer;
  NS::SharedPtr<MTL4::ArgumentTable> m_table;
};

TEST_F(RecordingOfAProgram, HasItsPassesInOrder) {
  EXPECT_EQ(run("three passes",
                [&](MTL4::CommandBuffer* commands) {
                  auto* shadow = renderPass(commands, "shadow");
                  draw(shadow), draw(shadow, 2);
                  shadow->endEncoding();
                  auto* blur = commands->computeCommandEncoder();
                  blur->setLabel(MTLSTR("blur"));
                  dispatch(blur), dispatch(blur);
                  blur->fillBuffer(m_buffer.get(), NS::Range::Make(0, 64), 0);
                  blur->endEncoding();
                  renderPass(commands, "")->endEncoding();
                }),
            "");
  const Recording recording = this->recording();
  const RecordedCommit& commit = commitOf(recording, "three passes");
  ASSERT_EQ(commit.encoders.size(), 3u);
  EXPECT_TRUE(commit.stamped);
  EXPECT_EQ(commit.commandBufferCount, 1u);
  const RecordedEncoder &shadow = commit.encoders[0], &blur = commit.encoders[1], &clear = commit.encoders[2];
  EXPECT_EQ(recording.nameOf(shadow), "shadow");
  EXPECT_EQ(recording.nameOf(blur), "blur");
  EXPECT_EQ(recording.nameOf(clear), "render pass");
  EXPECT_EQ(shadow.kind, trace::EncoderKind::render);
  EXPECT_EQ(blur.kind, trace::EncoderKind::compute);
  EXPECT_EQ(shadow.draws, 2u);
  EXPECT_EQ(shadow.vertices, 9u);
  EXPECT_EQ(shadow.width, 64u);
  EXPECT_EQ(shadow.height, 48u);
  EXPECT_EQ(blur.dispatches, 2u);
  EXPECT_EQ(blur.copies, 1u);
  EXPECT_EQ(clear.draws, 0u);

  EXPECT_TRUE(stage(shadow, Stage::vertex).isMeasured());
  EXPECT_TRUE(stage(shadow, Stage::fragment).isMeasured());
  EXPECT_FALSE(stage(shadow, Stage::compute).isMeasured());
  EXPECT_TRUE(stage(blur, Stage::compute).isMeasured());
  EXPECT_FALSE(stage(blur, Stage::fragment).isMeasured());
  EXPECT_FALSE(stage(clear, Stage::vertex).isMeasured());
  EXPECT_TRUE(stage(clear, Stage::fragment).isMeasured());
  ASSERT_TRUE(commit.gpu.isMeasured());
  uint64_t last = commit.gpu.beginNs;
  for (const RecordedEncoder& encoder : commit.encoders) {
    const timing::Interval gpu = encoder.gpu();
    EXPECT_LE(gpu.beginNs, gpu.endNs);
    EXPECT_GE(gpu.endNs, last) << recording.nameOf(encoder);
    EXPECT_LE(gpu.endNs, commit.gpu.endNs);
    last = gpu.endNs;
    EXPECT_LE(encoder.encoding.beginNs, encoder.encoding.endNs);
    EXPECT_LE(encoder.encoding.endNs, commit.call.beginNs);
    EXPECT_EQ(encoder.thread, commit.thread);
  }
  EXPECT_LE(shadow.encoding.endNs, blur.encoding.beginNs);
  EXPECT_LE(commit.call.beginNs, commit.call.endNs);
  // Right on the host's clock, to within what is said of it.
  ASSERT_EQ(recording.devices.size(), 1u);
  const uint64_t slackNs = recording.devices[0].clockErrorNs + 1'000;
  EXPECT_LT(recording.devices[0].clockErrorNs, 10'000'000u);
  EXPECT_GE(commit.gpu.beginNs + slackNs, commit.call.beginNs);
  EXPECT_LE(commit.gpu.endNs, commit.feedback.beginNs + slackNs);
  EXPECT_NE(commit.feedbackThread, commit.thread);
}

TEST_F(RecordingOfAProgram, TimesEachDrawWhenAsked) {
  run("draws", [&](MTL4::CommandBuffer* commands) {
    auto* encoder = renderPass(commands, "heavy and light");
    encoder->setRenderPipelineState(m_heavy.get());
    draw(encoder);
    encoder->setRenderPipelineState(m_light.get());
    draw(encoder);
    encoder->endEncoding();
    auto* compute = commands->computeCommandEncoder();
    dispatch(compute, 16'384), dispatch(compute, 64);
    compute->endEncoding();
  });
  const Recording recording = this->recording();
  EXPECT_EQ(recording.precise, g_precise);
  EXPECT_EQ(recording.every, g_everyDraw ? trace::Every::draw : trace::Every::pass);
  const RecordedCommit& commit = commitOf(recording, "draws");
  ASSERT_EQ(commit.encoders.size(), 2u);
  for (const RecordedEncoder& encoder : commit.encoders) {
    ASSERT_EQ(encoder.commands.size(), g_everyDraw ? 2u : 0u);
    uint64_t last = encoder.gpu().beginNs;
    for (const timing::RecordedDraw& command : encoder.commands) {
      EXPECT_TRUE(command.gpu.isMeasured());
      EXPECT_GE(command.gpu.beginNs, last);
      EXPECT_LE(command.gpu.beginNs, command.gpu.endNs);
      last = command.gpu.endNs;
    }
    EXPECT_LE(last, encoder.gpu().endNs);
  }
  if (!g_everyDraw) return;
  const auto& draws = commit.encoders[0].commands;
  EXPECT_EQ(draws[0].kind, trace::CommandKind::draw);
  EXPECT_EQ(draws[1].index, 1u);
  EXPECT_EQ(draws[0].vertices, 3u);
  EXPECT_EQ(recording.text(draws[0].pipeline), "corners+heavy");
  EXPECT_EQ(recording.text(commit.encoders[1].commands[0].pipeline), "spin");
  if (!g_precise) return;
  EXPECT_GT(draws[0].gpu.lengthNs(), 2 * draws[1].gpu.lengthNs());
  EXPECT_GT(commit.encoders[1].commands[0].gpu.lengthNs(), 2 * commit.encoders[1].commands[1].gpu.lengthNs());
}

TEST_F(RecordingOfAProgram, NestsDebugGroups) {
  run("groups", [&](MTL4::CommandBuffer* commands) {
    commands->pushDebugGroup(MTLSTR("frame"));
    renderPass(commands, "first")->endEncoding();
    commands->pushDebugGroup(MTLSTR("inner"));
    auto* encoder = renderPass(commands, "second");
    draw(encoder);
    encoder->pushDebugGroup(MTLSTR("trees"));
    draw(encoder);
    encoder->pushDebugGroup(MTLSTR("leaves"));
    draw(encoder), draw(encoder);
    encoder->popDebugGroup();
    encoder->popDebugGroup();
    encoder->pushDebugGroup(MTLSTR("left open"));
    draw(encoder);
    encoder->endEncoding();
    commands->popDebugGroup();
    commands->popDebugGroup();
  });
  const Recording recording = this->recording();
  const RecordedCommit& commit = commitOf(recording, "groups");
  ASSERT_EQ(commit.groups.size(), 2u);
  const timing::RecordedGroup &frame = commit.groups[0], &inner = commit.groups[1];
  EXPECT_EQ(recording.text(frame.label), "frame");
  EXPECT_EQ(frame.depth, 0u);
  EXPECT_EQ(frame.first, 0u);
  EXPECT_EQ(frame.count, 2u);
  EXPECT_EQ(recording.text(inner.label), "inner");
  EXPECT_EQ(inner.depth, 1u);
  EXPECT_EQ(inner.first, 1u);
  EXPECT_EQ(inner.count, 1u);
  EXPECT_EQ(inner.gpu, commit.encoders[1].gpu());
  EXPECT_LE(frame.gpu.beginNs, commit.encoders[0].gpu().beginNs);
  EXPECT_EQ(frame.gpu.endNs, commit.encoders[1].gpu().endNs);
  EXPECT_LE(frame.encoding.beginNs, inner.encoding.beginNs);
  EXPECT_GE(frame.encoding.endNs, inner.encoding.endNs);

  const RecordedEncoder& encoder = commit.encoders[1];
  ASSERT_EQ(encoder.groups.size(), 3u);
  const timing::RecordedGroup &trees = encoder.groups[0], &leaves = encoder.groups[1],
                              &open = encoder.groups[2];
  EXPECT_EQ(recording.text(trees.label), "trees");
  EXPECT_EQ(recording.text(leaves.label), "leaves");
  EXPECT_EQ(recording.text(open.label), "left open");
  EXPECT_EQ(trees.first, 1u);
  EXPECT_EQ(trees.count, 3u);
  EXPECT_EQ(leaves.depth, 1u);
  EXPECT_EQ(leaves.first, 2u);
  EXPECT_EQ(leaves.count, 2u);
  EXPECT_EQ(open.depth, 0u);
  EXPECT_EQ(open.count, 1u);
  for (const timing::RecordedGroup& group : encoder.groups) {
    EXPECT_TRUE(group.gpu.isMeasured());
    EXPECT_GE(group.gpu.beginNs, encoder.gpu().beginNs);
    EXPECT_LE(group.gpu.endNs, encoder.gpu().endNs);
  }
  EXPECT_LE(trees.gpu.beginNs, leaves.gpu.beginNs);
  EXPECT_LE(leaves.gpu.endNs, trees.gpu.endNs);
  EXPECT_LE(trees.gpu.endNs, open.gpu.beginNs);
}

TEST_F(RecordingOfAProgram, KeepsAttachmentsAndBarriers) {
  run("barriers", [&](MTL4::CommandBuffer* commands) {
    auto* encoder = renderPass(commands, "draws into the canvas");
    draw(encoder);
    encoder->barrierAfterStages(MTL::StageFragment, MTL::StageDispatch, MTL4::VisibilityOptionDevice);
    encoder->endEncoding();
    auto* compute = commands->computeCommandEncoder();
    compute->barrierAfterQueueStages(MTL::StageFragment, MTL::StageDispatch, MTL4::VisibilityOptionDevice);
    dispatch(compute);
    compute->barrierAfterEncoderStages(MTL::StageDispatch, MTL::StageDispatch, MTL4::VisibilityOptionDevice);
    dispatch(compute);
    compute->endEncoding();
  });
  const Recording recording = this->recording();
  const RecordedCommit& commit = commitOf(recording, "barriers");
  ASSERT_EQ(commit.encoders.size(), 2u);
  const RecordedEncoder &pass = commit.encoders[0], &compute = commit.encoders[1];
  ASSERT_EQ(pass.attachments.size(), 1u);
  EXPECT_EQ(recording.text(pass.attachments[0].label), "canvas");
  EXPECT_EQ(pass.attachments[0].kind, trace::AttachmentKind::color);
  EXPECT_EQ(pass.attachments[0].load, trace::LoadAction::clear);
  EXPECT_EQ(pass.attachments[0].store, trace::StoreAction::store);
  EXPECT_NE(pass.attachments[0].texture, 0u);
  ASSERT_EQ(pass.barriers.size(), 1u);
  EXPECT_EQ(pass.barriers[0].kind, trace::BarrierKind::producer);
  EXPECT_EQ(pass.barriers[0].beforeDraw, 1u);
  ASSERT_EQ(compute.barriers.size(), 2u);
  EXPECT_EQ(compute.barriers[0].kind, trace::BarrierKind::consumer);
  EXPECT_EQ(compute.barriers[0].afterStages, uint64_t(MTL::StageFragment));
  EXPECT_EQ(compute.barriers[0].beforeStages, uint64_t(MTL::StageDispatch));
  EXPECT_EQ(compute.barriers[0].beforeDraw, 0u);
  EXPECT_EQ(compute.barriers[1].kind, trace::BarrierKind::encoder);
  EXPECT_EQ(compute.barriers[1].beforeDraw, 1u);
  EXPECT_EQ(compute.barrierCount, 2u);
}

// The program's own stamps say of a pass what the recording says, and its commit feedback what the commit
// does.
TEST_F(RecordingOfAProgram, AgreesWithTheProgramsOwnTimes) {
  auto heap = counterHeap(4);
  double feedbackStart = 0, feedbackEnd = 0;
  auto options = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
  options->addFeedbackHandler([&](MTL4::CommitFeedback* feedback) {
    feedbackStart = feedback->GPUStartTime();
    feedbackEnd = feedback->GPUEndTime();
  });
  m_allocator->reset();
  m_commands->beginCommandBuffer(m_allocator.get());
  m_commands->setLabel(MTLSTR("own stamps"));
  auto* encoder = renderPass(m_commands.get(), "stamped by both");
  encoder->setRenderPipelineState(m_heavy.get());
  encoder->writeTimestamp(MTL4::TimestampGranularityRelaxed, MTL::RenderStageFragment, heap.get(), 0);
  draw(encoder, 20);
  encoder->writeTimestamp(MTL4::TimestampGranularityRelaxed, MTL::RenderStageFragment, heap.get(), 1);
  encoder->endEncoding();
  m_commands->endCommandBuffer();
  const MTL4::CommandBuffer* list[] = {m_commands.get()};
  m_queue->commit(list, 1, options.get());
  m_queue->signalEvent(m_event.get(), ++m_eventValue);
  ASSERT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 60'000));
  const Recording recording = this->recording();
  const auto* entries = static_cast<const uint64_t*>(heap->resolveCounterRange({0, 2})->bytes());
  const RecordedCommit& commit = commitOf(recording, "own stamps");
  ASSERT_EQ(commit.encoders.size(), 1u);
  const double own = double(entries[1] - entries[0]), recorded = double(commit.encoders[0].gpu().lengthNs());
  // Ours stand around the program's.
  EXPECT_GE(recorded + 1'000, own);
  EXPECT_NEAR(recorded / own, 1, 0.05) << recorded << " " << own;
  ASSERT_GT(feedbackEnd, 0);
  const double feedbackNs = (feedbackEnd - feedbackStart) * 1e9;
  EXPECT_NEAR(double(commit.gpu.lengthNs()) / feedbackNs, 1, 0.01);
  EXPECT_NEAR(double(commit.gpu.beginNs), feedbackStart * 1e9,
              double(recording.devices[0].clockErrorNs) + 100'000);
}

TEST_F(RecordingOfAProgram, KeepsErrorsAsTheyAre) {
  const std::string error = run("no pipeline", [&](MTL4::CommandBuffer* commands) {
    auto* encoder = commands->renderCommandEncoder(clearPass(m_target.get()));
    draw(encoder);
    encoder->endEncoding();
  });
  EXPECT_EQ(error, "RenderCommandEncoder::drawPrimitives: no render pipeline state has been set.");
  const Recording recording = this->recording();
  const RecordedCommit& commit = commitOf(recording, "no pipeline");
  EXPECT_EQ(recording.text(commit.error), error);
  ASSERT_EQ(commit.encoders.size(), 1u);
  EXPECT_EQ(commit.encoders[0].draws, 0u);
}

TEST_F(RecordingOfAProgram, DrawsTheSamePixels) {
  run("pixels", [&](MTL4::CommandBuffer* commands) {
    auto* encoder = renderPass(commands, "");
    encoder->pushDebugGroup(MTLSTR("group"));
    draw(encoder), draw(encoder);
    encoder->popDebugGroup();
    encoder->endEncoding();
  });
  for (const Pixel& pixel : pixels(m_target.get())) ASSERT_EQ(pixel, (Pixel{0, 255, 0, 255}));
}

TEST_F(RecordingOfAProgram, KnowsQueuesEventsAndCompiles) {
  auto descriptor = NS::TransferPtr(MTL4::CommandQueueDescriptor::alloc()->init());
  descriptor->setLabel(MTLSTR("side queue"));
  auto queue = NS::TransferPtr(m_device->newMTL4CommandQueue(descriptor.get(), nullptr));
  auto event = NS::TransferPtr(m_device->newSharedEvent());
  event->setLabel(MTLSTR("handshake"));
  queue->signalEvent(event.get(), 7);
  queue->wait(event.get(), 7);
  EXPECT_TRUE(event->waitUntilSignaledValue(7, 60'000));
  const Recording recording = this->recording();
  uint32_t side = 0;
  for (const timing::RecordedQueue& known : recording.queues)
    if (known.label == "side queue") side = known.id;
  EXPECT_NE(side, 0u);
  std::map<trace::ZoneKind, int> handshakes, named;
  for (const timing::RecordedZone& zone : recording.zones) {
    EXPECT_TRUE(zone.time.isMeasured());
    EXPECT_LE(zone.time.beginNs, zone.time.endNs);
    if (recording.text(zone.name) == "handshake" && zone.value == 7) ++handshakes[zone.kind];
    if (recording.text(zone.name) == "corners+light" || recording.text(zone.name) == "spin")
      ++named[zone.kind];
    if (zone.kind == trace::ZoneKind::queueWait) {
      EXPECT_NE(zone.queue, 0u);
    }
  }
  EXPECT_EQ(handshakes[trace::ZoneKind::queueSignal], 1);
  EXPECT_EQ(handshakes[trace::ZoneKind::queueWait], 1);
  EXPECT_EQ(handshakes[trace::ZoneKind::waitForEvent], 1);
  EXPECT_GE(named[trace::ZoneKind::compilePipeline], 2);
  EXPECT_TRUE(
      std::any_of(recording.zones.begin(), recording.zones.end(), [](const timing::RecordedZone& zone) {
        return zone.kind == trace::ZoneKind::compileLibrary && !zone.failed;
      }));
}

TEST_F(RecordingOfAProgram, DescribesTheRun) {
  run("anything", [&](MTL4::CommandBuffer* commands) { renderPass(commands, "")->endEncoding(); });
  const Recording recording = this->recording();
  EXPECT_EQ(recording.processId, uint32_t(getpid()));
  ASSERT_EQ(recording.devices.size(), 1u);
  EXPECT_EQ(recording.devices[0].name, m_device->name()->utf8String());
  EXPECT_FALSE(recording.devices[0].driver.empty());
  EXPECT_FALSE(recording.devices[0].workaround.empty());
  EXPECT_GT(recording.devices[0].validBits, 0u);
  ASSERT_FALSE(recording.memory.empty());
  EXPECT_TRUE(std::any_of(recording.memory.begin(), recording.memory.end(),
                          [](const timing::RecordedMemory& memory) { return memory.driverBytes > 0; }));
  EXPECT_EQ(recording.lostStamps, 0u);
  EXPECT_EQ(recording.lostRecords, 0u);
  EXPECT_FALSE(recording.frames.empty());
  for (const timing::RecordedFrame& frame : recording.frames) EXPECT_TRUE(frame.stamped);
}

TEST_F(RecordingOfAProgram, CountsMemoryThatIsAlive) {
  constexpr NS::UInteger kBytes = 48 << 20;
  // Samples are a second apart.
  auto sample = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1'500));
    return recording().memory.back();
  };
  const timing::RecordedMemory before = sample();
  auto large = sharedBuffer(kBytes);
  auto picture = colorTarget(1024, 1024);
  const timing::RecordedMemory after = sample();
  EXPECT_GE(after.bufferBytes, before.bufferBytes + kBytes);
  EXPECT_EQ(after.bufferCount, before.bufferCount + 1);
  EXPECT_GE(after.textureBytes, before.textureBytes + (4 << 20));
  EXPECT_EQ(after.textureCount, before.textureCount + 1);
  EXPECT_GE(after.driverBytes, before.driverBytes);
}

TEST_F(RecordingOfAProgram, ForgetsRecordingsThatAreDropped) {
  for (int i = 0; i < 300; ++i) {
    auto commands = NS::TransferPtr(m_device->newCommandBuffer());
    auto allocator = NS::TransferPtr(m_device->newCommandAllocator());
    commands->beginCommandBuffer(allocator.get());
    commands->setLabel(MTLSTR("dropped"));
    auto* encoder = renderPass(commands.get(), "");
    for (int n = 0; n < 100; ++n) draw(encoder);
    encoder->endEncoding();
    commands->endCommandBuffer();
  }
  const Recording recording = this->recording();
  EXPECT_EQ(recording.lostStamps, 0u);
  for (const RecordedCommit& commit : recording.commits) EXPECT_NE(recording.text(commit.label), "dropped");
}

TEST_F(RecordingOfAProgram, MarksThePartsOfASuspendedPass) {
  std::vector<NS::SharedPtr<MTL4::CommandBuffer>> parts;
  std::vector<NS::SharedPtr<MTL4::CommandAllocator>> allocators;
  for (const MTL4::RenderEncoderOptions options :
       {MTL4::RenderEncoderOptionSuspending, MTL4::RenderEncoderOptionResuming}) {
    allocators.push_back(NS::TransferPtr(m_device->newCommandAllocator()));
    parts.push_back(NS::TransferPtr(m_device->newCommandBuffer()));
    MTL4::CommandBuffer* commands = parts.back().get();
    commands->beginCommandBuffer(allocators.back().get());
    commands->setLabel(MTLSTR("parts"));
    commands->useResidencySet(m_residency.get());
    auto* encoder = commands->renderCommandEncoder(clearPass(m_target.get()), options);
    encoder->setRenderPipelineState(m_light.get());
    draw(encoder);
    encoder->endEncoding();
    commands->endCommandBuffer();
  }
  const MTL4::CommandBuffer* list[] = {parts[0].get(), parts[1].get()};
  m_queue->commit(list, 2);
  m_queue->signalEvent(m_event.get(), ++m_eventValue);
  ASSERT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 60'000));
  const Recording recording = this->recording();
  const RecordedCommit& commit = commitOf(recording, "parts");
  EXPECT_EQ(commit.commandBufferCount, 2u);
  ASSERT_EQ(commit.encoders.size(), 2u);
  EXPECT_TRUE(commit.encoders[0].suspends);
  EXPECT_FALSE(commit.encoders[0].resumes);
  EXPECT_TRUE(commit.encoders[1].resumes);
  EXPECT_EQ(commit.encoders[1].commandBuffer, 1u);
  EXPECT_TRUE(commit.encoders[0].gpu().isMeasured());
  EXPECT_LE(commit.encoders[0].gpu().endNs, commit.encoders[1].gpu().endNs);
}

} // namespace
} // namespace basanite::tests
