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

TEST_F(Resume, NothingFollowsAResumedPartInItsBuffer) {
  record(0, 0, MTL4::RenderEncoderOptionSuspending);
  MTL4::CommandBuffer* commands = m_parts[1].get();
  commands->setLabel(NS::String::string("rest", NS::UTF8StringEncoding));
  commands->beginCommandBuffer(m_allocator.get());
  commands->renderCommandEncoder(clearPass(m_target.get()), MTL4::RenderEncoderOptionResuming)->endEncoding();
  EXPECT_EQ(commands->computeCommandEncoder(), nullptr);
  EXPECT_EQ(commands->renderCommandEncoder(clearPass(m_target.get())), nullptr);
  commands->endCommandBuffer();
  const std::string message = commit({0, 1});
  EXPECT_NE(message.find("\"rest\" resumed its pass"), std::string::npos) << message;
}

// Each part draws into something else than the one it continues; the commit says what and does not run.
TEST_F(Resume, PartsThatDifferAreNamedAndDoNotRun) {
  auto suspend = [&](MTL4::RenderPassDescriptor* pass) {
    m_parts[0]->beginCommandBuffer(m_allocator.get());
    m_parts[0]->renderCommandEncoder(pass, MTL4::RenderEncoderOptionSuspending)->endEncoding();
    m_parts[0]->endCommandBuffer();
  };
  auto resume = [&](MTL4::RenderPassDescriptor* pass) {
    m_parts[1]->beginCommandBuffer(m_allocator.get());
    m_parts[1]->renderCommandEncoder(pass, MTL4::RenderEncoderOptionResuming)->endEncoding();
    m_parts[1]->endCommandBuffer();
    return commit({0, 1});
  };
  auto expectParts = [](const std::string& message, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is missing in: " << message;
  };
  auto other = colorTarget(kSize, kSize);
  auto depth = texture(kSize, kSize, MTL::PixelFormatDepth32Float, MTL::TextureUsageRenderTarget);
  auto plain = [&] { return clearPass(m_target.get(), MTL::ClearColor::Make(1, 0, 0, 1)); };

  suspend(plain());
  expectParts(resume(clearPass(other.get())), {"at index 1", "color attachment 0 is another texture"});
  auto* withDepth = plain();
  withDepth->depthAttachment()->setTexture(depth.get());
  expectParts(resume(withDepth), {"depth attachment is one more"});
  auto* small = plain();
  small->setRenderTargetWidth(8);
  small->setRenderTargetHeight(4);
  expectParts(resume(small), {"8 x 4", "16 x 16"});
  suspend(withDepth);
  expectParts(resume(plain()), {"it has no depth attachment"});

  // Nothing of it ran: the target has not been cleared to red.
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              commands->renderCommandEncoder(clearPass(m_target.get(), MTL::ClearColor::Make(0, 1, 0, 1)))
                  ->endEncoding();
            }),
            "");
  suspend(plain());
  resume(clearPass(other.get()));
  EXPECT_EQ(pixels(m_target.get())[0], (Pixel{0, 255, 0, 255}));
}

// Store actions are the last part's: a resolve in an earlier one would show what the pass had drawn until
// then.
TEST_F(Resume, OnlyTheLastPartResolves) {
  auto descriptor = NS::TransferPtr(MTL::TextureDescriptor::alloc()->init());
  descriptor->setTextureType(MTL::TextureType2DMultisample);
  descriptor->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  descriptor->setWidth(kSize);
  descriptor->setHeight(kSize);
  descriptor->setSampleCount(4);
  descriptor->setUsage(MTL::TextureUsageRenderTarget);
  descriptor->setStorageMode(MTL::StorageModePrivate);
  auto multisampled = NS::TransferPtr(m_device->newTexture(descriptor.get()));
  ASSERT_TRUE(multisampled);
  auto early = colorTarget(kSize, kSize), last = colorTarget(kSize, kSize);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              commands->renderCommandEncoder(clearPass(early.get(), MTL::ClearColor::Make(0, 1, 0, 1)))
                  ->endEncoding();
            }),
            "");
  for (size_t part = 0; part < 2; ++part) {
    m_parts[part]->beginCommandBuffer(m_allocator.get());
    auto* pass = clearPass(multisampled.get(), MTL::ClearColor::Make(0, 0, 1, 1));
    auto* color = pass->colorAttachments()->object(0);
    color->setStoreAction(MTL::StoreActionMultisampleResolve);
    color->setResolveTexture(part ? last.get() : early.get());
    m_parts[part]
        ->renderCommandEncoder(pass,
                               part ? MTL4::RenderEncoderOptionResuming : MTL4::RenderEncoderOptionSuspending)
        ->endEncoding();
    m_parts[part]->endCommandBuffer();
  }
  EXPECT_EQ(commit({0, 1}), "");
  EXPECT_EQ(pixels(early.get())[0], (Pixel{0, 255, 0, 255})) << "an earlier part resolves nothing";
  EXPECT_EQ(pixels(last.get())[0], (Pixel{0, 0, 255, 255}));
}

} // namespace
} // namespace basanite::tests
