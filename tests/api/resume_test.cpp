// SPDX-License-Identifier: Apache-2.0
// One render pass over several command buffers: suspended parts, resumed parts, and commits that break the
// chain.
#include "tests/support/metal_fixture.hpp"

namespace basanite::tests {
namespace {

constexpr NS::UInteger kSize = 16;

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Varyings { float4 position [[position]]; };
vertex Varyings cover(uint id [[vertex_id]]) { return {float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0, 1)}; }
fragment float4 white() { return float4(1); }
)";

class Resume : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_pipeline = renderPipeline(kSource, "cover", "white", MTL::PixelFormatRGBA8Unorm);
    ASSERT_TRUE(m_pipeline);
    m_target = colorTarget(kSize, kSize);
    for (auto& commands : m_parts) commands = NS::TransferPtr(m_device->newCommandBuffer());
  }

  // Fills the columns from `left` on, four wide, in a pass that clears to blue where it begins.
  void record(size_t part, NS::UInteger left, MTL4::RenderEncoderOptions options) {
    MTL4::CommandBuffer* commands = m_parts[part].get();
    commands->beginCommandBuffer(m_allocator.get());
    MTL4::RenderCommandEncoder* encoder =
        commands->renderCommandEncoder(clearPass(m_target.get(), MTL::ClearColor::Make(0, 0, 1, 1)), options);
    ASSERT_NE(encoder, nullptr);
    encoder->setRenderPipelineState(m_pipeline.get());
    encoder->setScissorRect(MTL::ScissorRect{left, 0, 4, kSize});
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
    encoder->endEncoding();
    commands->endCommandBuffer();
  }

  // The error of the commit's feedback; "" when there is none.
  std::string commit(std::initializer_list<size_t> parts) {
    std::vector<const MTL4::CommandBuffer*> list;
    for (size_t part : parts) list.push_back(m_parts[part].get());
    std::string error;
    auto options = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
    auto delivered = NS::TransferPtr(m_device->newSharedEvent());
    options->addFeedbackHandler([&](MTL4::CommitFeedback* feedback) {
      if (feedback->error()) error = text(feedback->error());
      delivered->setSignaledValue(1);
    });
    m_queue->commit(list.data(), list.size(), options.get());
    EXPECT_TRUE(delivered->waitUntilSignaledValue(1, 60'000));
    return error;
  }

  NS::SharedPtr<MTL::RenderPipelineState> m_pipeline;
  NS::SharedPtr<MTL::Texture> m_target;
  NS::SharedPtr<MTL4::CommandBuffer> m_parts[3];
};

TEST_F(Resume, ThreePartsDrawIntoOnePass) {
  record(0, 0, MTL4::RenderEncoderOptionSuspending);
  record(1, 4, MTL4::RenderEncoderOptionResuming | MTL4::RenderEncoderOptionSuspending);
  record(2, 12, MTL4::RenderEncoderOptionResuming);
  EXPECT_EQ(commit({0, 1, 2}), "");
  auto got = pixels(m_target.get());
  for (NS::UInteger i = 0; i < kSize * kSize; ++i) {
    NS::UInteger x = i % kSize;
    bool drawn = x < 8 || x >= 12;
    ASSERT_EQ(got[i], drawn ? (Pixel{255, 255, 255, 255}) : (Pixel{0, 0, 255, 255}))
        << x << ", " << i / kSize;
  }
}

TEST_F(Resume, BrokenChainsAreNamedAndDoNotRun) {
  record(0, 0, MTL4::RenderEncoderOptionSuspending);
  record(1, 4, MTL4::RenderEncoderOptionNone);
  EXPECT_NE(commit({0}).find("suspends"), std::string::npos);
  EXPECT_NE(commit({0, 1}).find("does not resume"), std::string::npos);
  record(2, 8, MTL4::RenderEncoderOptionResuming);
  EXPECT_NE(commit({1, 2}).find("resumes a pass"), std::string::npos);
  EXPECT_EQ(commit({0, 2, 1}), "") << "refused recordings can still be committed rightly";
}

TEST_F(Resume, NothingFollowsASuspendingEncoderInItsBuffer) {
  MTL4::CommandBuffer* commands = m_parts[0].get();
  commands->beginCommandBuffer(m_allocator.get());
  commands->renderCommandEncoder(clearPass(m_target.get()), MTL4::RenderEncoderOptionSuspending)
      ->endEncoding();
  EXPECT_EQ(commands->computeCommandEncoder(), nullptr);
  commands->endCommandBuffer();
  record(1, 0, MTL4::RenderEncoderOptionResuming);
  EXPECT_NE(commit({0, 1}).find("suspended its pass"), std::string::npos);
}

} // namespace
} // namespace basanite::tests
