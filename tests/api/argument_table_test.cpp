// SPDX-License-Identifier: Apache-2.0
// Argument tables: when their contents are read, who shares them, and what empty or wrong slots do.
#include "tests/support/metal_fixture.hpp"

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Varyings { float4 position [[position]]; float4 fromVertex; };
vertex Varyings cover(uint id [[vertex_id]], constant float4& color [[buffer(2)]]) {
  Varyings out;
  out.position = float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0, 1);
  out.fromVertex = color;
  return out;
}
fragment float4 fromFragment(Varyings in [[stage_in]], constant float4& color [[buffer(2)]]) { return color; }
fragment float4 fromBoth(Varyings in [[stage_in]], constant float4& color [[buffer(2)]]) {
  return float4(in.fromVertex.r, color.g, 0, 1);
}
fragment float4 fromOtherSlot(Varyings in [[stage_in]], constant float4& color [[buffer(1)]]) { return color; }
fragment float4 plain(Varyings in [[stage_in]]) { return float4(1, 0, 1, 1); }
kernel void copyWord(const device uint* in [[buffer(0)]], device uint* out [[buffer(30)]],
                     uint id [[thread_position_in_grid]]) {
  out[id] = in[id] + 1;
}
kernel void isBound(device uint* maybe [[buffer(0)]], device uint* out [[buffer(1)]]) { out[0] = maybe ? 1 : 2; }
kernel void readTexel(texture2d<float> in [[texture(3)]], device float4* out [[buffer(0)]]) { out[0] = in.read(uint2(0)); }
)";

class ArgumentTables : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    ASSERT_TRUE(m_library);
    m_colors = sharedBuffer(std::vector<float>{1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1});
    m_target = colorTarget(16, 16);
  }
  MTL::GPUAddress color(int index) { return m_colors->gpuAddress() + 16 * index; }
  NS::SharedPtr<MTL::RenderPipelineState> pipeline(const char* fragment) {
    return renderPipeline(m_library.get(), "cover", fragment, [](auto* descriptor) {
      descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
    });
  }
  void column(MTL4::RenderCommandEncoder* encoder, NS::UInteger x) {
    encoder->setScissorRect(MTL::ScissorRect{x * 4, 0, 4, 16});
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
  }

  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL::Buffer> m_colors;
  NS::SharedPtr<MTL::Texture> m_target;
};

constexpr Pixel kColumns[] = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}};

TEST_F(ArgumentTables, EachDrawSeesTheTableAsItWasThen) {
  auto state = pipeline("fromFragment");
  ASSERT_TRUE(state);
  auto table = argumentTable(3);
  table->setAddress(color(3), 2);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(m_target.get()));
              encoder->setRenderPipelineState(state.get());
              encoder->setArgumentTable(table.get(), MTL::RenderStageVertex | MTL::RenderStageFragment);
              for (int i = 0; i < 4; ++i) {
                table->setAddress(color(i), 2);
                column(encoder, i);
              }
              encoder->endEncoding();
              // After the last draw and before the commit: changes nothing.
              table->setAddress(color(0), 2);
            }),
            "");
  auto got = pixels(m_target.get());
  for (int i = 0; i < 256; ++i) ASSERT_EQ(got[i], kColumns[i % 16 / 4]) << "column " << i % 16;
}

TEST_F(ArgumentTables, StagesShareATableOrHaveTheirOwn) {
  auto state = pipeline("fromBoth");
  ASSERT_TRUE(state);
  auto first = argumentTable(3), second = argumentTable(3);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(m_target.get()));
              encoder->setRenderPipelineState(state.get());
              // One table, both stages: red in the vertex stage and green in the fragment stage come from white.
              first->setAddress(color(3), 2);
              encoder->setArgumentTable(first.get(), MTL::RenderStageVertex | MTL::RenderStageFragment);
              column(encoder, 0);
              // The fragment stage gets a table of its own, black in green.
              second->setAddress(color(2), 2);
              encoder->setArgumentTable(second.get(), MTL::RenderStageFragment);
              column(encoder, 1);
              // A change of the table that only the vertex stage still uses.
              first->setAddress(color(1), 2);
              column(encoder, 2);
              encoder->setArgumentTable(first.get(), MTL::RenderStageFragment);
              column(encoder, 3);
              encoder->endEncoding();
            }),
            "");
  auto got = pixels(m_target.get());
  const Pixel wanted[] = {{255, 255, 0, 255}, {255, 0, 0, 255}, {0, 0, 0, 255}, {0, 255, 0, 255}};
  for (int i = 0; i < 256; ++i) ASSERT_EQ(got[i], wanted[i % 16 / 4]) << "column " << i % 16;
}

TEST_F(ArgumentTables, AFragmentStageAfterDepthOnlyDrawsSeesItsArguments) {
  auto depthOnly = renderPipeline(m_library.get(), "cover", "", [](auto* descriptor) {
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
    descriptor->colorAttachments()->object(0)->setWriteMask(MTL::ColorWriteMaskNone);
  });
  auto state = pipeline("fromFragment");
  ASSERT_TRUE(depthOnly && state);
  auto table = argumentTable(3), other = argumentTable(3);
  other->setAddress(color(3), 2);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(m_target.get()));
              encoder->setArgumentTable(table.get(), MTL::RenderStageVertex | MTL::RenderStageFragment);
              for (int i = 0; i < 4; ++i) {
                // Each time the constants of the fragment stage were pushed without one, or not pushed since.
                if (i != 2) table->setAddress(color(i), 2);
                encoder->setRenderPipelineState(depthOnly.get());
                column(encoder, i);
                if (i == 3) {
                  encoder->setArgumentTable(other.get(), MTL::RenderStageVertex);
                  column(encoder, i);
                }
                encoder->setRenderPipelineState(state.get());
                column(encoder, i);
              }
              encoder->endEncoding();
            }),
            "");
  auto got = pixels(m_target.get());
  const int wanted[] = {0, 1, 1, 3}; // the table stays as it was at the third draw
  for (int i = 0; i < 256; ++i) ASSERT_EQ(got[i], kColumns[wanted[i % 16 / 4]]) << "column " << i % 16;
}

TEST_F(ArgumentTables, PipelinesTakeTurnsWithEqualAndDifferentBindings) {
  // fromFragment and fromBoth read the same slot; plain reads none; otherSlot reads another one.
  auto own = pipeline("fromFragment"), both = pipeline("fromBoth"), plain = pipeline("plain"),
       otherSlot = pipeline("fromOtherSlot");
  ASSERT_TRUE(own && both && plain && otherSlot);
  auto table = argumentTable(3);
  table->setAddress(color(1), 2); // green
  table->setAddress(color(2), 1); // blue
  table->setAddress(color(0), 0);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(m_target.get()));
              encoder->setArgumentTable(table.get(), MTL::RenderStageVertex | MTL::RenderStageFragment);
              for (int round = 0; round < 3; ++round) {
                encoder->setRenderPipelineState(own.get());
                column(encoder, 0);
                encoder->setRenderPipelineState(otherSlot.get());
                column(encoder, 1);
                encoder->setRenderPipelineState(plain.get());
                column(encoder, 2);
                encoder->setRenderPipelineState(both.get());
                column(encoder, 3);
              }
              encoder->endEncoding();
            }),
            "");
  auto got = pixels(m_target.get());
  const Pixel wanted[] = {{0, 255, 0, 255}, {0, 0, 255, 255}, {255, 0, 255, 255}, {0, 255, 0, 255}};
  for (int i = 0; i < 256; ++i) ASSERT_EQ(got[i], wanted[i % 16 / 4]) << "column " << i % 16;
}

TEST_F(ArgumentTables, DispatchesSnapshotTooAndTakeAddressesInsideBuffers) {
  auto kernel = computePipeline(m_library.get(), "copyWord");
  ASSERT_TRUE(kernel);
  std::vector<uint32_t> words(512);
  for (uint32_t i = 0; i < 512; ++i) words[i] = i * 5;
  auto in = sharedBuffer(words);
  auto out = sharedBuffer(std::vector<uint32_t>(512, 0));
  auto table = argumentTable(31);
  constexpr uint32_t kRounds = 100;
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
              encoder->setComputePipelineState(kernel.get());
              encoder->setArgumentTable(table.get());
              for (uint32_t i = 0; i < kRounds; ++i) {
                table->setAddress(in->gpuAddress() + (500 - i * 4) * 4, 0);
                table->setAddress(out->gpuAddress() + i * 16, 30);
                encoder->dispatchThreads(MTL::Size::Make(4, 1, 1), MTL::Size::Make(4, 1, 1));
              }
              encoder->endEncoding();
            }),
            "");
  auto got = contents<uint32_t>(out.get());
  for (uint32_t i = 0; i < kRounds; ++i)
    for (uint32_t k = 0; k < 4; ++k) ASSERT_EQ(got[i * 4 + k], words[500 - i * 4 + k] + 1) << i << ", " << k;
  for (uint32_t i = kRounds * 4; i < 512; ++i) ASSERT_EQ(got[i], 0u) << i;
}

TEST_F(ArgumentTables, InitializedSlotsAreNullAndAreSeenAsNull) {
  auto kernel = computePipeline(m_library.get(), "isBound");
  ASSERT_TRUE(kernel);
  auto descriptor = NS::TransferPtr(MTL4::ArgumentTableDescriptor::alloc()->init());
  descriptor->setMaxBufferBindCount(2);
  descriptor->setInitializeBindings(true);
  NS::Error* error = nullptr;
  auto table = NS::TransferPtr(m_device->newArgumentTable(descriptor.get(), &error));
  ASSERT_TRUE(table) << text(error);
  auto out = sharedBuffer(4);
  table->setAddress(out->gpuAddress(), 1);
  dispatch(kernel.get(), table.get(), 1);
  EXPECT_EQ(contents<uint32_t>(out.get())[0], 2u);
  table->setAddress(out->gpuAddress(), 0);
  dispatch(kernel.get(), table.get(), 1);
  EXPECT_EQ(contents<uint32_t>(out.get())[0], 1u);
}

TEST_F(ArgumentTables, MissingBindingsAreNamedAndTheCommandIsSkipped) {
  auto kernel = computePipeline(m_library.get(), "copyWord");
  auto texelKernel = computePipeline(m_library.get(), "readTexel");
  ASSERT_TRUE(kernel && texelKernel);
  auto out = sharedBuffer(std::vector<uint32_t>{7, 7, 7, 7});
  const auto errorOf = [&](MTL::ComputePipelineState* pipeline, MTL4::ArgumentTable* table) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
      encoder->setComputePipelineState(pipeline);
      if (table) encoder->setArgumentTable(table);
      encoder->dispatchThreads(MTL::Size::Make(1, 1, 1), MTL::Size::Make(1, 1, 1));
      encoder->endEncoding();
    });
  };
  const auto names = [](const std::string& error, std::initializer_list<const char*> parts) {
    for (const char* part : parts) EXPECT_NE(error.find(part), std::string::npos) << part << " is missing in: " << error;
  };
  // A slot never set; a table too small; no table; a texture slot never set.
  auto partly = argumentTable(31);
  partly->setAddress(out->gpuAddress(), 30);
  names(errorOf(kernel.get(), partly.get()), {"buffer", "0", "in"});
  auto small = argumentTable(4);
  small->setAddress(out->gpuAddress(), 0);
  names(errorOf(kernel.get(), small.get()), {"buffer", "30", "4"});
  names(errorOf(kernel.get(), nullptr), {"argument table"});
  auto noTexture = argumentTable(1, 4);
  noTexture->setAddress(out->gpuAddress(), 0);
  names(errorOf(texelKernel.get(), noTexture.get()), {"texture", "3"});
  EXPECT_EQ(contents<uint32_t>(out.get()), std::vector<uint32_t>(4, 7)) << "no such dispatch may run";
  // The next recording is clean.
  auto in = sharedBuffer(std::vector<uint32_t>{41});
  partly->setAddress(in->gpuAddress(), 0);
  EXPECT_EQ(errorOf(kernel.get(), partly.get()), "");
  EXPECT_EQ(contents<uint32_t>(out.get())[0], 42u);
}

TEST_F(ArgumentTables, IndicesPastTheCountAndCountsPastTheLimitAreNamed) {
  auto table = argumentTable(2, 1, 1);
  testing::internal::CaptureStderr();
  table->setAddress(m_colors->gpuAddress(), 2);
  table->setTexture(m_target->gpuResourceID(), 5);
  table->setSamplerState(MTL::ResourceID{0}, 1);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("buffer index 2"), std::string::npos) << log;
  EXPECT_NE(log.find("texture index 5"), std::string::npos) << log;
  EXPECT_NE(log.find("sampler index 1"), std::string::npos) << log;
  struct Case {
    NS::UInteger buffers, textures, samplers;
    const char* value;
    const char* limit;
  };
  for (const Case& c : {Case{32, 0, 0, "32", "31"}, Case{0, 129, 0, "129", "128"}, Case{0, 0, 17, "17", "16"}}) {
    auto descriptor = NS::TransferPtr(MTL4::ArgumentTableDescriptor::alloc()->init());
    descriptor->setMaxBufferBindCount(c.buffers);
    descriptor->setMaxTextureBindCount(c.textures);
    descriptor->setMaxSamplerStateBindCount(c.samplers);
    NS::Error* error = nullptr;
    EXPECT_FALSE(NS::TransferPtr(m_device->newArgumentTable(descriptor.get(), &error)));
    EXPECT_NE(text(error).find(c.value), std::string::npos) << text(error);
    EXPECT_NE(text(error).find(c.limit), std::string::npos) << text(error);
  }
}

} // namespace
} // namespace basanite::tests
