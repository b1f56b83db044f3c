// SPDX-License-Identifier: Apache-2.0
// What shaders log: lines reach the handlers of the command buffer's log state, or standard error.
#include "tests/support/metal_fixture.hpp"

#include <algorithm>
#include <mutex>

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
#include <metal_logging>
using namespace metal;
constant os_log logger("com.example.lines", "kernels");

kernel void kinds(uint id [[thread_position_in_grid]], device uint* out [[buffer(0)]]) {
  os_log_default.log("%d %i %u %x %lu", -3, short(-4), 7u, 255, ulong(1) << 40);
  os_log_default.log("%f %.2f %g", 1.5f, half(0.25h), 3.0f);
  os_log_default.log("%v4f|%v2d|%v3u", float4(1, 2, 3, 4), int2(-1, 5), uint3(6, 7, 8));
  os_log_default.log("%s and %s, 100%%", "first", "second");
  os_log_default.log("none");
  os_log_default.log("%c%c [%5d] [%-5d] [%05.1f]", 'o', 'k', 42, 42, 2.25f);
  os_log_default.log("left %d over %d", 1);
  os_log_default.log("%d is no %f", 1.0f, 2);
  out[id] = 1;
}
kernel void levels(uint id [[thread_position_in_grid]]) {
  logger.log_debug("debug");
  logger.log_info("info");
  logger.log("notice");
  logger.log_error("error %u", id);
  logger.log_fault("fault");
  logger.log_with_type(OS_LOG_TYPE_ERROR, "typed");
}
kernel void everyThread(uint id [[thread_position_in_grid]]) {
  if (id % 2) logger.log_info("thread %u squared is %u", id, id * id);
}
struct Out {
  float4 position [[position]];
};
vertex Out corner(uint id [[vertex_id]]) {
  os_log_default.log_info("vertex %u", id);
  return {float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0, 1)};
}
fragment float4 shade(Out in [[stage_in]]) {
  os_log_default.log_info("fragment %.1f %.1f", in.position.x, in.position.y);
  return 1;
}
)";

struct Line {
  std::string subsystem, category, message;
  MTL::LogLevel level = MTL::LogLevelUndefined;
  bool operator==(const Line&) const = default;
};
std::ostream& operator<<(std::ostream& stream, const Line& line) {
  return stream << "[" << line.subsystem << ":" << line.category << "] " << line.level << " \""
                << line.message << "\"";
}

class ShaderLogs : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    m_library = library(kSource);
    ASSERT_TRUE(m_library);
  }
  NS::SharedPtr<MTL::LogState> state(NS::Integer bytes = 1 << 16,
                                     MTL::LogLevel level = MTL::LogLevelUndefined) {
    auto descriptor = NS::TransferPtr(MTL::LogStateDescriptor::alloc()->init());
    descriptor->setBufferSize(bytes);
    descriptor->setLevel(level);
    NS::Error* error = nullptr;
    auto made = NS::TransferPtr(m_device->newLogState(descriptor.get(), &error));
    EXPECT_TRUE(made) << text(error);
    return made;
  }
  void collect(MTL::LogState* state) {
    state->addLogHandler(
        [this](NS::String* subsystem, NS::String* category, MTL::LogLevel level, NS::String* message) {
          std::lock_guard lock(m_mutex);
          m_lines.push_back({subsystem->utf8String(), category->utf8String(), message->utf8String(), level});
        });
  }
  // Runs one recording that logs to `state`, and waits for its feedback, before which the lines come.
  void run(MTL::LogState* state, const std::function<void(MTL4::CommandBuffer*)>& record) {
    auto options = NS::TransferPtr(MTL4::CommandBufferOptions::alloc()->init());
    options->setLogState(state);
    m_allocator->reset();
    m_commands->beginCommandBuffer(m_allocator.get(), options.get());
    record(m_commands.get());
    m_commands->endCommandBuffer();
    auto commit = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
    auto done = NS::TransferPtr(m_device->newSharedEvent());
    commit->addFeedbackHandler([&](MTL4::CommitFeedback* feedback) {
      EXPECT_FALSE(feedback->error()) << text(feedback->error());
      done->setSignaledValue(1);
    });
    MTL4::CommandBuffer* buffers[] = {m_commands.get()};
    m_queue->commit(buffers, 1, commit.get());
    ASSERT_TRUE(done->waitUntilSignaledValue(1, 60000));
  }
  void runKernel(MTL::LogState* state, std::string_view kernel, NS::UInteger threads) {
    auto pipeline = computePipeline(m_library.get(), kernel);
    auto out = sharedBuffer(4 * threads);
    auto table = argumentTable(1);
    table->setAddress(out->gpuAddress(), 0);
    run(state, [&](MTL4::CommandBuffer* commands) {
      auto* encoder = commands->computeCommandEncoder();
      encoder->setComputePipelineState(pipeline.get());
      encoder->setArgumentTable(table.get());
      encoder->dispatchThreads(MTL::Size::Make(threads, 1, 1),
                               MTL::Size::Make(std::min<NS::UInteger>(threads, 64), 1, 1));
      encoder->endEncoding();
    });
  }
  std::vector<Line> lines() {
    std::lock_guard lock(m_mutex);
    return std::exchange(m_lines, {});
  }
  std::vector<std::string> messages() {
    std::vector<std::string> result;
    for (const Line& line : lines()) result.push_back(line.message);
    return result;
  }

  NS::SharedPtr<MTL::Library> m_library;
  std::mutex m_mutex;
  std::vector<Line> m_lines;
};

TEST_F(ShaderLogs, FormatsEveryKindOfArgument) {
  auto to = state();
  collect(to.get());
  runKernel(to.get(), "kinds", 1);
  EXPECT_EQ(messages(), (std::vector<std::string>{
                            "-3 -4 7 ff 1099511627776", "1.500000 0.25 3",
                            "1.000000,2.000000,3.000000,4.000000|-1,5|6,7,8", "first and second, 100%",
                            "none", "ok [   42] [42   ] [002.2]", "left 1 over %d", "%d is no %f"}));
}

TEST_F(ShaderLogs, NameTheirLoggerAndLevel) {
  auto to = state();
  collect(to.get());
  runKernel(to.get(), "levels", 1);
  const char *subsystem = "com.example.lines", *category = "kernels";
  EXPECT_EQ(lines(), (std::vector<Line>{{subsystem, category, "debug", MTL::LogLevelDebug},
                                        {subsystem, category, "info", MTL::LogLevelInfo},
                                        {subsystem, category, "notice", MTL::LogLevelNotice},
                                        {subsystem, category, "error 0", MTL::LogLevelError},
                                        {subsystem, category, "fault", MTL::LogLevelFault},
                                        {subsystem, category, "typed", MTL::LogLevelError}}));
}

TEST_F(ShaderLogs, LinesBelowTheLevelAreNotWritten) {
  auto to = state(1 << 16, MTL::LogLevelError);
  collect(to.get());
  runKernel(to.get(), "levels", 1);
  EXPECT_EQ(messages(), (std::vector<std::string>{"error 0", "fault", "typed"}));
}

TEST_F(ShaderLogs, ComeFromEveryThreadOnceAndFromEachRecording) {
  auto to = state();
  collect(to.get());
  for (int round = 0; round < 3; ++round) {
    runKernel(to.get(), "everyThread", 200);
    auto seen = messages();
    std::sort(seen.begin(), seen.end());
    std::vector<std::string> expected;
    for (int i = 1; i < 200; i += 2)
      expected.push_back("thread " + std::to_string(i) + " squared is " + std::to_string(i * i));
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(seen, expected) << "round " << round;
  }
  runKernel(nullptr, "everyThread", 200);
  EXPECT_EQ(lines().size(), 0u) << "no log state, no lines";
}

TEST_F(ShaderLogs, ComeFromVertexAndFragmentFunctions) {
  auto to = state();
  collect(to.get());
  auto target = colorTarget(2, 2);
  auto pipeline = renderPipeline(kSource, "corner", "shade", MTL::PixelFormatRGBA8Unorm);
  run(to.get(), [&](MTL4::CommandBuffer* commands) {
    auto* encoder = commands->renderCommandEncoder(clearPass(target.get()));
    encoder->setRenderPipelineState(pipeline.get());
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
    encoder->endEncoding();
  });
  auto seen = messages();
  for (const char* expected : {"vertex 0", "vertex 1", "vertex 2", "fragment 0.5 0.5", "fragment 1.5 0.5",
                               "fragment 0.5 1.5", "fragment 1.5 1.5"})
    EXPECT_GE(std::count(seen.begin(), seen.end(), expected), 1) << expected;
}

TEST_F(ShaderLogs, WhatFindsNoRoomIsCounted) {
  auto to = state(1024);
  collect(to.get());
  testing::internal::CaptureStderr();
  runKernel(to.get(), "everyThread", 2000);
  const std::string said = testing::internal::GetCapturedStderr();
  const size_t written = lines().size();
  EXPECT_EQ(written, (1024u / 4 - 4) / 12) << "lines of twelve words";
  EXPECT_NE(said.find(std::to_string(1000 - written) + " lines that shaders logged were dropped"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("has 1024 bytes"), std::string::npos) << said;
  runKernel(to.get(), "levels", 1);
  EXPECT_EQ(lines().size(), 6u) << "the next recording has room";
}

TEST_F(ShaderLogs, GoToStandardErrorWithoutAHandler) {
  auto to = state();
  testing::internal::CaptureStderr();
  runKernel(to.get(), "levels", 1);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("[com.example.lines:kernels] error: error 0\n"), std::string::npos) << said;
  EXPECT_NE(said.find("info: info\n"), std::string::npos) << said;
}

TEST_F(ShaderLogs, OutliveTheirPipeline) {
  auto to = state();
  collect(to.get());
  auto pipeline = computePipeline(m_library.get(), "levels");
  run(to.get(), [&](MTL4::CommandBuffer* commands) {
    auto* encoder = commands->computeCommandEncoder();
    encoder->setComputePipelineState(pipeline.get());
    encoder->dispatchThreads(MTL::Size::Make(1, 1, 1), MTL::Size::Make(1, 1, 1));
    encoder->endEncoding();
    pipeline.reset();
  });
  EXPECT_EQ(lines().size(), 6u);
}

TEST_F(ShaderLogs, StatesThatCannotBeAreNamed) {
  NS::Error* error = nullptr;
  EXPECT_FALSE(NS::TransferPtr(m_device->newLogState(nullptr, &error)));
  EXPECT_NE(text(error).find("null"), std::string::npos);
  auto descriptor = NS::TransferPtr(MTL::LogStateDescriptor::alloc()->init());
  descriptor->setBufferSize(1023);
  EXPECT_FALSE(NS::TransferPtr(m_device->newLogState(descriptor.get(), &error)));
  EXPECT_NE(text(error).find("1024 to 1073741824 bytes, not 1023"), std::string::npos) << text(error);
  EXPECT_EQ(error->code(), NS::Integer(MTL::LogStateErrorInvalidSize));
  descriptor->setBufferSize(4096);
  descriptor->setLevel(static_cast<MTL::LogLevel>(9));
  EXPECT_FALSE(NS::TransferPtr(m_device->newLogState(descriptor.get(), &error)));
  EXPECT_NE(text(error).find("9 is no log level"), std::string::npos) << text(error);
}

} // namespace
} // namespace basanite::tests
