// SPDX-License-Identifier: Apache-2.0
// Frames timed from inside: zones and their order, results late and never waited for, what is lost is
// counted.
#include "src/timing/frame_timer.hpp"
#include "tests/support/metal_fixture.hpp"

#include <string>

namespace basanite::tests {
namespace {

using timing::FrameTimer;
using timing::Lane;
using timing::TimedFrame;

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
vertex float4 corners(uint i [[vertex_id]]) { return float4(i == 1 ? 3 : -1, i == 2 ? 3 : -1, 0, 1); }
fragment float4 paint(float4 at [[position]]) {
  float x = at.x;
  for (int i = 0; i < 500; ++i) x = sin(x);
  return float4(x);
}
)";

class FrameTimerTest : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    m_target = colorTarget(64, 64);
    m_pipeline = renderPipeline(kSource, "corners", "paint", MTL::PixelFormatRGBA8Unorm);
  }
  void draw(MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(m_pipeline.get());
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
  }
  // A frame of a render pass with `zones` zones and a compute pass, run to its end.
  void runFrame(FrameTimer& timer, int zones = 1) {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                timer.beginFrame(commands);
                auto* render = commands->renderCommandEncoder(clearPass(m_target.get()));
                for (int i = 0; i < zones; ++i) {
                  const FrameTimer::Zone zone = timer.zone(render, "draw " + std::to_string(i));
                  draw(render);
                }
                render->endEncoding();
                auto* compute = commands->computeCommandEncoder();
                {
                  const FrameTimer::Zone zone = timer.zone(compute, "fill");
                  compute->fillBuffer(m_buffer.get(), NS::Range::Make(0, 64), 1);
                }
                compute->endEncoding();
                timer.endFrame(commands);
              }),
              "");
  }
  NS::SharedPtr<MTL::Texture> m_target;
  NS::SharedPtr<MTL::RenderPipelineState> m_pipeline;
  NS::SharedPtr<MTL::Buffer> m_buffer = nullptr;
};

TEST_F(FrameTimerTest, GivesTheZonesOfAFrame) {
  m_buffer = sharedBuffer(64);
  for (const timing::Granularity granularity : {timing::Granularity::relaxed, timing::Granularity::precise}) {
    FrameTimer timer(m_device.get(), {.granularity = granularity});
    EXPECT_FALSE(timer.nextFinished());
    runFrame(timer, 2);
    const auto frame = timer.nextFinished();
    ASSERT_TRUE(frame);
    EXPECT_FALSE(timer.nextFinished());
    EXPECT_EQ(frame->frame, 0u);
    EXPECT_EQ(frame->lostZones, 0u);
    ASSERT_EQ(frame->spans.size(), 6u);
    const std::vector<std::pair<std::string, Lane>> expected = {
        {"frame", Lane::commandBuffer}, {"draw 0", Lane::vertex},   {"draw 0", Lane::fragment},
        {"draw 1", Lane::vertex},       {"draw 1", Lane::fragment}, {"fill", Lane::compute}};
    for (size_t i = 0; i < expected.size(); ++i) {
      const timing::Span& span = frame->spans[i];
      EXPECT_EQ(span.pass, expected[i].first);
      EXPECT_EQ(span.lane, expected[i].second);
      EXPECT_TRUE(isMeasured(span));
      EXPECT_LE(span.startNs, span.endNs);
      EXPECT_GE(span.startNs, frame->spans[0].startNs);
      EXPECT_LE(span.endNs, frame->spans[0].endNs);
    }
    EXPECT_EQ(timer.lostFrames(), 0u);
  }
}

TEST_F(FrameTimerTest, TakesFramesInOrderAndUsesHeapsAgain) {
  m_buffer = sharedBuffer(64);
  FrameTimer timer(m_device.get());
  for (uint32_t frame = 0; frame < 40; ++frame) {
    runFrame(timer);
    if (frame % 4 != 3) continue;
    for (uint32_t i = 0; i < 4; ++i) {
      const auto result = timer.nextFinished();
      ASSERT_TRUE(result);
      EXPECT_EQ(result->frame, frame - 3 + i);
      EXPECT_EQ(result->spans.size(), 4u);
    }
  }
  EXPECT_EQ(timer.lostFrames(), 0u);
}

TEST_F(FrameTimerTest, GrowsToWhatFramesUse) {
  m_buffer = sharedBuffer(64);
  FrameTimer timer(m_device.get(), {.zones = 3});
  runFrame(timer, 10);
  auto frame = timer.nextFinished();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->lostZones, 8u); // three of eleven fit
  EXPECT_EQ(frame->spans.size(), 7u);
  runFrame(timer, 10);
  frame = timer.nextFinished();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->lostZones, 0u);
  EXPECT_EQ(frame->spans.size(), 22u);
}

TEST_F(FrameTimerTest, CountsFramesThatFindNoPlace) {
  m_buffer = sharedBuffer(64);
  FrameTimer timer(m_device.get(), {.framesInFlight = 3});
  for (int i = 0; i < 5; ++i) runFrame(timer);
  EXPECT_EQ(timer.lostFrames(), 2u);
  for (uint32_t frame = 0; frame < 3; ++frame) {
    const auto result = timer.nextFinished();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->frame, frame);
  }
  EXPECT_FALSE(timer.nextFinished());
  runFrame(timer);
  EXPECT_EQ(timer.nextFinished()->frame, 5u);
}

TEST_F(FrameTimerTest, AFrameThatIsNeverCommittedDoesNotHoldUpTheOthers) {
  m_buffer = sharedBuffer(64);
  FrameTimer timer(m_device.get(), {.framesInFlight = 3});
  auto commands = NS::TransferPtr(m_device->newCommandBuffer());
  auto allocator = NS::TransferPtr(m_device->newCommandAllocator());
  commands->beginCommandBuffer(allocator.get());
  timer.beginFrame(commands.get());
  timer.endFrame(commands.get());
  commands->endCommandBuffer();
  runFrame(timer);
  EXPECT_FALSE(timer.nextFinished());
  runFrame(timer);
  const auto dropped = timer.nextFinished();
  ASSERT_TRUE(dropped);
  EXPECT_EQ(dropped->frame, 0u);
  EXPECT_FALSE(isMeasured(dropped->spans[0]));
  EXPECT_EQ(timer.nextFinished()->frame, 1u);
  EXPECT_EQ(timer.nextFinished()->frame, 2u);
}

TEST_F(FrameTimerTest, AZoneThatIsOpenAtTheEndIsLost) {
  FrameTimer timer(m_device.get());
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              timer.beginFrame(commands);
              auto* render = commands->renderCommandEncoder(clearPass(m_target.get()));
              const FrameTimer::Zone late = timer.zone(render, "late");
              draw(render);
              render->endEncoding();
              timer.endFrame(commands);
            }),
            "");
  const auto frame = timer.nextFinished();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->lostZones, 1u);
  EXPECT_EQ(frame->spans.size(), 1u);
}

TEST_F(FrameTimerTest, OutsideAFrameNothingIsStamped) {
  FrameTimer timer(m_device.get());
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              auto* render = commands->renderCommandEncoder(clearPass(m_target.get()));
              const FrameTimer::Zone zone = timer.zone(render, "nothing");
              draw(render);
              render->endEncoding();
              timer.endFrame(commands);
            }),
            "");
  EXPECT_FALSE(timer.nextFinished());
  EXPECT_EQ(timer.lostFrames(), 0u);
}

} // namespace
} // namespace basanite::tests
