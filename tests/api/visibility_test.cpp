// SPDX-License-Identifier: Apache-2.0
// Visibility results: samples counted exactly, offset by offset, over switches, splits, passes and suspended
// parts.
#include "tests/support/metal_fixture.hpp"

namespace basanite::tests {
namespace {

constexpr NS::UInteger kSize = 128; // several of lavapipe's tiles
constexpr NS::UInteger kResults = 8;
constexpr uint64_t kUntouched = 0xabababababababab;
constexpr auto kBoolean = MTL::VisibilityResultModeBoolean;
constexpr auto kCounting = MTL::VisibilityResultModeCounting;
constexpr auto kDisabled = MTL::VisibilityResultModeDisabled;

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Varyings { float4 position [[position]]; };
vertex Varyings cover(uint id [[vertex_id]], constant float& depth [[buffer(0)]]) {
  return {float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, depth, 1)};
}
fragment float4 white() { return float4(1); }
)";

class Visibility : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    m_pipeline = pipeline(1);
    ASSERT_TRUE(m_pipeline);
    m_target = colorTarget(kSize, kSize);
    m_depth = texture(kSize, kSize, MTL::PixelFormatDepth32Float, MTL::TextureUsageRenderTarget);
    m_depthState = depthState(MTL::CompareFunctionLess, true);
    m_depths = sharedBuffer(std::vector<float>(64 * 4));
    for (int i = 0; i < 4; ++i) static_cast<float*>(m_depths->contents())[64 * i] = 0.2f * float(i + 1);
    m_arguments = argumentTable(1);
    m_results = sharedBuffer(kResults * 8);
    fillResults();
  }
  NS::SharedPtr<MTL::RenderPipelineState> pipeline(NS::UInteger samples) {
    return renderPipeline(m_library.get(), "cover", "white", [&](MTL4::RenderPipelineDescriptor* descriptor) {
      descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
      descriptor->setRasterSampleCount(samples);
    });
  }
  void fillResults() { std::memset(m_results->contents(), 0xab, kResults * 8); }
  std::vector<uint64_t> results() { return contents<uint64_t>(m_results.get()); }

  MTL4::RenderPassDescriptor* pass(MTL::VisibilityResultType type = MTL::VisibilityResultTypeReset) {
    auto* pass = clearPass(m_target.get());
    pass->depthAttachment()->setTexture(m_depth.get());
    pass->setVisibilityResultBuffer(m_results.get());
    pass->setVisibilityResultType(type);
    return pass;
  }
  void prepare(MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(m_pipeline.get());
    encoder->setDepthStencilState(m_depthState.get());
    encoder->setArgumentTable(m_arguments.get(), MTL::RenderStageVertex);
  }
  // width x height pixels at a depth of 0.2 (0) to 0.8 (3).
  void draw(MTL4::RenderCommandEncoder* encoder, NS::UInteger width, NS::UInteger height, int depth = 0) {
    m_arguments->setAddress(m_depths->gpuAddress() + 256 * depth, 0);
    encoder->setScissorRect(MTL::ScissorRect{0, 0, width, height});
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
  }
  std::string run(MTL4::RenderPassDescriptor* pass,
                  const std::function<void(MTL4::RenderCommandEncoder*)>& record) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      auto* encoder = commands->renderCommandEncoder(pass);
      prepare(encoder);
      record(encoder);
      encoder->endEncoding();
    });
  }

  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL::RenderPipelineState> m_pipeline;
  NS::SharedPtr<MTL::Texture> m_target, m_depth;
  NS::SharedPtr<MTL::DepthStencilState> m_depthState;
  NS::SharedPtr<MTL::Buffer> m_depths, m_results;
  NS::SharedPtr<MTL4::ArgumentTable> m_arguments;
};

TEST_F(Visibility, SamplesAreCountedWhereADrawPassesTheDepthTest) {
  EXPECT_EQ(run(pass(),
                [&](auto* encoder) {
                  draw(encoder, 100, 100, 3); // not counted
                  encoder->setVisibilityResultMode(kCounting, 8);
                  draw(encoder, 70, 10, 1);
                  encoder->setVisibilityResultMode(kCounting, 16);
                  draw(encoder, 80, 10, 2); // 700 pixels are nearer already
                  encoder->setVisibilityResultMode(kBoolean, 24);
                  draw(encoder, 5, 5, 0);
                  encoder->setVisibilityResultMode(kBoolean, 32);
                  draw(encoder, 5, 5, 3);
                  encoder->setVisibilityResultMode(kDisabled, 0);
                  draw(encoder, 128, 128, 0);
                  encoder->setVisibilityResultMode(kCounting, 40);
                  draw(encoder, 9, 9, 1);
                  encoder->setVisibilityResultMode(kCounting, 48); // no draw follows
                }),
            "");
  EXPECT_EQ(results(), (std::vector<uint64_t>{kUntouched, 700, 100, 1, 0, 0, 0, kUntouched}));
}

TEST_F(Visibility, DrawsOfOneOffsetAddUpAndComingBackToItDoesToo) {
  EXPECT_EQ(run(pass(),
                [&](auto* encoder) {
                  encoder->setVisibilityResultMode(kCounting, 0);
                  draw(encoder, 10, 10, 3);
                  draw(encoder, 10, 10, 2);
                  encoder->setVisibilityResultMode(kCounting, 56);
                  draw(encoder, 4, 4, 1);
                  encoder->setVisibilityResultMode(kCounting, 0);
                  draw(encoder, 3, 1, 0);
                }),
            "");
  EXPECT_EQ(results()[0], 203u);
  EXPECT_EQ(results()[7], 16u);
}

TEST_F(Visibility, EverySampleOfAPixelCounts) {
  auto descriptor = NS::TransferPtr(MTL::TextureDescriptor::alloc()->init());
  descriptor->setTextureType(MTL::TextureType2DMultisample);
  descriptor->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  descriptor->setWidth(kSize);
  descriptor->setHeight(kSize);
  descriptor->setSampleCount(4);
  descriptor->setUsage(MTL::TextureUsageRenderTarget);
  descriptor->setStorageMode(MTL::StorageModePrivate);
  auto multisampled = NS::TransferPtr(m_device->newTexture(descriptor.get()));
  m_pipeline = pipeline(4);
  auto* four = clearPass(multisampled.get());
  four->setVisibilityResultBuffer(m_results.get());
  EXPECT_EQ(run(four,
                [&](auto* encoder) {
                  encoder->setDepthStencilState(nullptr);
                  encoder->setVisibilityResultMode(kCounting, 0);
                  draw(encoder, 70, 10);
                }),
            "");
  EXPECT_EQ(results()[0], 2800u);
}

TEST_F(Visibility, ResetStartsAnewAndAccumulateGoesOn) {
  std::memset(m_results->contents(), 0, kResults * 8);
  auto count = [&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setVisibilityResultMode(kCounting, 0);
    draw(encoder, 10, 2);
    encoder->setVisibilityResultMode(kBoolean, 8);
    draw(encoder, 1, 1, 3);
  };
  for (uint64_t pass : {1, 2, 3}) {
    EXPECT_EQ(run(this->pass(MTL::VisibilityResultTypeAccumulate), count), "");
    EXPECT_EQ(results()[0], 20 * pass);
    EXPECT_EQ(results()[1], 0u);
  }
  static_cast<uint64_t*>(m_results->contents())[1] = 7;
  EXPECT_EQ(run(pass(MTL::VisibilityResultTypeAccumulate), count), "");
  EXPECT_EQ(results()[1], 1u) << "any sample before makes it true";
  EXPECT_EQ(run(pass(), count), "");
  EXPECT_EQ(results()[0], 20u);
  EXPECT_EQ(results()[1], 0u);
}

TEST_F(Visibility, TwoPassesOfOneRecordingAccumulateAndTheirReaderSeesTheSum) {
  std::memset(m_results->contents(), 0, kResults * 8);
  auto copy = sharedBuffer(8);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              for (int i = 0; i < 2; ++i) {
                auto* encoder = commands->renderCommandEncoder(pass(MTL::VisibilityResultTypeAccumulate));
                encoder->barrierAfterQueueStages(MTL::StageFragment, MTL::StageFragment,
                                                 MTL4::VisibilityOptionDevice);
                prepare(encoder);
                encoder->setVisibilityResultMode(kCounting, 0);
                draw(encoder, 70, 2);
                encoder->endEncoding();
              }
              auto* reader = commands->computeCommandEncoder();
              reader->barrierAfterQueueStages(MTL::StageFragment, MTL::StageBlit,
                                              MTL4::VisibilityOptionDevice);
              reader->copyFromBuffer(m_results.get(), 0, copy.get(), 0, 8);
              reader->endEncoding();
            }),
            "");
  EXPECT_EQ(contents<uint64_t>(copy.get())[0], 280u);
}

// What splits a pass behind the app's back: precise stamps where they have to, and barriers.
TEST_F(Visibility, SplitsOfThePassAndStampsChangeNoResult) {
  auto heap = counterHeap(64);
  for (int splits = 0; splits < 4; ++splits) {
    SCOPED_TRACE(splits);
    fillResults();
    EXPECT_EQ(run(pass(),
                  [&](auto* encoder) {
                    NS::UInteger stamp = 0;
                    auto split = [&] {
                      if (splits == 1)
                        encoder->writeTimestamp(MTL4::TimestampGranularityRelaxed, MTL::RenderStageFragment,
                                                heap.get(), stamp++);
                      if (splits == 2)
                        encoder->writeTimestamp(MTL4::TimestampGranularityPrecise, MTL::RenderStageFragment,
                                                heap.get(), stamp++);
                      if (splits == 3)
                        encoder->barrierAfterQueueStages(MTL::StageAll, MTL::StageVertex,
                                                         MTL4::VisibilityOptionDevice);
                    };
                    encoder->setVisibilityResultMode(kCounting, 0);
                    split();
                    for (int i = 0; i < 4; ++i) {
                      draw(encoder, 70, 10, 3 - i);
                      split();
                    }
                    encoder->setVisibilityResultMode(kBoolean, 8);
                    draw(encoder, 90, 90, 3);
                    split();
                    draw(encoder, 20, 1, 3); // hidden
                    encoder->setVisibilityResultMode(kBoolean, 16);
                    draw(encoder, 20, 1, 3);
                    split();
                    draw(encoder, 20, 1, 3);
                    split();
                    encoder->setVisibilityResultMode(kDisabled, 0);
                    draw(encoder, 100, 100, 0);
                    split();
                  }),
              "");
    EXPECT_EQ(results(), (std::vector<uint64_t>{2800, 1, 0, kUntouched, kUntouched, kUntouched, kUntouched,
                                                kUntouched}));
  }
}

TEST_F(Visibility, PartsOfASuspendedPassAddUp) {
  NS::SharedPtr<MTL4::CommandBuffer> parts[3];
  const MTL4::CommandBuffer* list[3];
  for (int i = 0; i < 3; ++i) {
    parts[i] = NS::TransferPtr(m_device->newCommandBuffer());
    list[i] = parts[i].get();
    parts[i]->beginCommandBuffer(m_allocator.get());
    MTL4::RenderEncoderOptions options = 0;
    if (i > 0) options |= MTL4::RenderEncoderOptionResuming;
    if (i < 2) options |= MTL4::RenderEncoderOptionSuspending;
    auto* encoder = parts[i]->renderCommandEncoder(pass(), options);
    prepare(encoder);
    encoder->setVisibilityResultMode(kCounting, 0);
    draw(encoder, 10, 10, 3 - i);
    if (i > 0) {
      encoder->setVisibilityResultMode(kCounting, 8);
      draw(encoder, 2, 10, 2 - i);
    }
    encoder->setVisibilityResultMode(kCounting, 16 + 8 * i);
    draw(encoder, 128, 1 + i, 0);
    encoder->endEncoding();
    parts[i]->endCommandBuffer();
  }
  m_queue->commit(list, 3);
  m_queue->signalEvent(m_event.get(), ++m_eventValue);
  ASSERT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 60'000));
  // Each part's last draw is the nearest of all: row 0 in the first, row 1 in the second, row 2 in the third. In the third,
  // two columns of the other rows are as near as its first draw, and then nearer than its last one.
  const uint64_t sum = 100 + 90 + (80 - 2 * 8), other = 2 * 9 + 2 * 8;
  EXPECT_EQ(results(), (std::vector<uint64_t>{sum, other, 128, 128, 128 - 2, kUntouched, kUntouched, kUntouched}));
}

TEST_F(Visibility, BadCallsAreNamedWithValueAndLimit) {
  auto refuse = [&](MTL4::RenderPassDescriptor* pass, MTL::VisibilityResultMode mode, NS::UInteger offset,
                    std::initializer_list<const char*> parts) {
    const std::string message = run(pass, [&](auto* encoder) {
      encoder->setVisibilityResultMode(mode, offset);
      draw(encoder, 4, 4);
    });
    for (const char* part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is missing in: " << message;
  };
  refuse(pass(), kCounting, 4, {"offset 4", "multiple of 8"});
  refuse(pass(), kCounting, 64, {"offset 64", "buffer of 64"});
  refuse(pass(), kBoolean, UINT64_MAX - 7, {"offset 18446744073709551608", "buffer of 64"});
  refuse(pass(), MTL::VisibilityResultMode(9), 0, {"9", "VisibilityResultMode (0 to 2)"});
  refuse(clearPass(m_target.get()), kCounting, 0, {"no visibilityResultBuffer"});
  auto* odd = pass(MTL::VisibilityResultType(5));
  EXPECT_NE(runCommands([&](MTL4::CommandBuffer* commands) {
              EXPECT_EQ(commands->renderCommandEncoder(odd), nullptr);
            }).find("visibilityResultType is 5, which is no VisibilityResultType (0 to 1)"),
            std::string::npos);
  EXPECT_EQ(results(), std::vector<uint64_t>(kResults, kUntouched));
}

} // namespace
} // namespace basanite::tests
