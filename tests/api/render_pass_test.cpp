// SPDX-License-Identifier: Apache-2.0
// What a render pass says of its attachments: store actions, also those set late, resolves of every sample
// count, sample positions, and eight attachments at once; beside it stencil results, alpha-to-one, depth
// bounds.
#include "tests/support/metal_fixture.hpp"

#include <array>

namespace basanite::tests {
namespace {

constexpr NS::UInteger kSize = 16;

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Varyings { float4 position [[position]]; };
vertex Varyings cover(uint id [[vertex_id]], constant float& depth [[buffer(0)]]) {
  return {float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, depth, 1)};
}
// The half plane left of x = 0.5 + 8 pixels of 16.
vertex Varyings left(uint id [[vertex_id]]) {
  float edge = 2 * 8.5 / 16 - 1;
  return {float4(id == 0 ? -5 : edge, id == 1 ? 9 : id == 2 ? -9 : 0, 0.5, 1)};
}
fragment float4 white() { return float4(1); }
fragment float4 quarterAlpha() { return float4(1, 0.4, 0, 0.2); }

struct Stencil { float4 color [[color(0)]]; uint stencil [[stencil]]; };
fragment Stencil columnStencil(Varyings in [[stage_in]]) { return {float4(0), uint(in.position.x) * 10}; }

struct Eight {
  float4 a [[color(0)]]; float b [[color(1)]]; uint4 c [[color(2)]]; int2 d [[color(3)]];
  half4 e [[color(4)]]; uint f [[color(5)]]; float2 g [[color(6)]]; float4 h [[color(7)]];
};
fragment Eight eight() {
  Eight out;
  out.a = float4(1, 0, 0.2, 0.4);
  out.b = 12.5;
  out.c = uint4(1, 2, 3, 70000);
  out.d = int2(-7, 300);
  out.e = half4(0.25, -2, 1024, 0);
  out.f = 4000000000u;
  out.g = float2(1.5, -3);
  out.h = float4(0.4, 0.2, 0, 1);
  return out;
}
)";

class RenderPasses : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    ASSERT_TRUE(m_library);
    m_depth = sharedBuffer(std::vector<float>{0.5f});
    m_table = argumentTable(1);
    m_table->setAddress(m_depth->gpuAddress(), 0);
  }

  NS::SharedPtr<MTL::RenderPipelineState> pipeline(const char* vertex, const char* fragment,
                                                   NS::UInteger samples = 1,
                                                   MTL::PixelFormat format = MTL::PixelFormatRGBA8Unorm,
                                                   bool alphaToOne = false) {
    return renderPipeline(m_library.get(), vertex, fragment, [&](MTL4::RenderPipelineDescriptor* descriptor) {
      if (format != MTL::PixelFormatInvalid)
        descriptor->colorAttachments()->object(0)->setPixelFormat(format);
      descriptor->setRasterSampleCount(samples);
      if (alphaToOne) descriptor->setAlphaToOneState(MTL4::AlphaToOneStateEnabled);
    });
  }
  NS::SharedPtr<MTL::Texture> multisampled(MTL::PixelFormat format, NS::UInteger samples,
                                           MTL::StorageMode storage = MTL::StorageModePrivate) {
    auto descriptor = NS::TransferPtr(MTL::TextureDescriptor::alloc()->init());
    descriptor->setTextureType(MTL::TextureType2DMultisample);
    descriptor->setPixelFormat(format);
    descriptor->setWidth(kSize);
    descriptor->setHeight(kSize);
    descriptor->setSampleCount(samples);
    descriptor->setUsage(MTL::TextureUsageRenderTarget);
    descriptor->setStorageMode(storage);
    auto texture = NS::TransferPtr(m_device->newTexture(descriptor.get()));
    EXPECT_TRUE(texture);
    return texture;
  }
  using Encode = std::function<void(MTL4::RenderCommandEncoder*)>;
  // The error of a command buffer with that pass.
  std::string run(MTL4::RenderPassDescriptor* pass, const Encode& encode = {}) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      auto* encoder = commands->renderCommandEncoder(pass);
      if (!encoder) return;
      encoder->setArgumentTable(m_table.get(), MTL::RenderStageVertex);
      if (encode) encode(encoder);
      encoder->endEncoding();
    });
  }
  static void draw(MTL4::RenderCommandEncoder* encoder, MTL::RenderPipelineState* pipeline) {
    encoder->setRenderPipelineState(pipeline);
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
  }
  void expectError(const std::string& message, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is missing in: " << message;
  }
  MTL4::RenderPassDescriptor* resolvePass(MTL::Texture* from, MTL::Texture* into, MTL::StoreAction action) {
    auto* pass = clearPass(from, MTL::ClearColor::Make(0, 0, 1, 1));
    auto* color = pass->colorAttachments()->object(0);
    color->setStoreAction(action);
    color->setResolveTexture(into);
    return pass;
  }

  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL::Buffer> m_depth;
  NS::SharedPtr<MTL4::ArgumentTable> m_table;
};

constexpr Pixel kWhite{255, 255, 255, 255}, kBlue{0, 0, 255, 255}, kGreen{0, 255, 0, 255};

TEST_F(RenderPasses, StoreActionsMayBeSaidUntilTheEnd) {
  auto white = pipeline("cover", "white");
  auto target = colorTarget(kSize, kSize);
  auto* pass = clearPass(target.get());
  pass->colorAttachments()->object(0)->setStoreAction(MTL::StoreActionUnknown);
  EXPECT_EQ(run(pass,
                [&](auto* encoder) {
                  draw(encoder, white.get());
                  encoder->setColorStoreAction(MTL::StoreActionStore, 0);
                }),
            "");
  EXPECT_EQ(pixels(target.get())[5], kWhite);
  expectError(run(pass, [&](auto* encoder) { draw(encoder, white.get()); }),
              {"endEncoding", "color attachment 0", "still Unknown"});

  auto depth = texture(kSize, kSize, MTL::PixelFormatDepth32Float_Stencil8, MTL::TextureUsageRenderTarget);
  pass->colorAttachments()->object(0)->setStoreAction(MTL::StoreActionStore);
  pass->depthAttachment()->setTexture(depth.get());
  pass->stencilAttachment()->setTexture(depth.get());
  pass->depthAttachment()->setStoreAction(MTL::StoreActionUnknown);
  pass->stencilAttachment()->setStoreAction(MTL::StoreActionUnknown);
  expectError(run(pass), {"depth attachment", "still Unknown"});
  expectError(run(pass, [](auto* encoder) { encoder->setDepthStoreAction(MTL::StoreActionStore); }),
              {"stencil attachment", "still Unknown"});
  EXPECT_EQ(run(pass,
                [](auto* encoder) {
                  encoder->setDepthStoreAction(MTL::StoreActionStore);
                  encoder->setStencilStoreAction(MTL::StoreActionDontCare);
                }),
            "");
}

TEST_F(RenderPasses, LateStoreActionsThatCannotBeAreNamed) {
  auto target = colorTarget(kSize, kSize);
  auto* pass = clearPass(target.get());
  auto set = [&](MTL::StoreAction action, NS::UInteger index) {
    return run(pass, [&](auto* encoder) { encoder->setColorStoreAction(action, index); });
  };
  expectError(set(MTL::StoreActionStore, 0),
              {"setColorStoreAction", "color attachment 0", "not left Unknown"});
  expectError(set(MTL::StoreActionStore, 3), {"no color attachment 3"});
  expectError(set(MTL::StoreActionStore, 8), {"no color attachment 8"});
  expectError(run(pass, [](auto* encoder) { encoder->setDepthStoreAction(MTL::StoreActionStore); }),
              {"setDepthStoreAction", "no depth attachment"});
  expectError(run(pass, [](auto* encoder) { encoder->setStencilStoreAction(MTL::StoreActionStore); }),
              {"setStencilStoreAction", "no stencil attachment"});
  pass->colorAttachments()->object(0)->setStoreAction(MTL::StoreActionUnknown);
  expectError(set(MTL::StoreActionUnknown, 0), {"cannot be set to Unknown"});
  expectError(set(MTL::StoreActionMultisampleResolve, 0), {"color attachment 0", "no resolveTexture"});
  expectError(set(static_cast<MTL::StoreAction>(77), 0), {"77", "StoreAction"});
}

TEST_F(RenderPasses, AResolveMayBeAskedForAfterTheDraws) {
  auto white = pipeline("cover", "white", 4);
  auto from = multisampled(MTL::PixelFormatRGBA8Unorm, 4);
  auto into = colorTarget(kSize, kSize);
  EXPECT_EQ(run(clearPass(into.get(), MTL::ClearColor::Make(0, 1, 0, 1))), "");
  auto* pass = resolvePass(from.get(), into.get(), MTL::StoreActionUnknown);
  auto with = [&](MTL::StoreAction action, bool early) {
    return run(pass, [&](auto* encoder) {
      if (early) encoder->setColorStoreAction(action, 0);
      draw(encoder, white.get());
      if (!early) encoder->setColorStoreAction(action, 0);
    });
  };
  EXPECT_EQ(with(MTL::StoreActionStore, false), "");
  EXPECT_EQ(pixels(into.get())[0], kGreen) << "Store resolves nothing";
  EXPECT_EQ(with(MTL::StoreActionMultisampleResolve, false), "");
  EXPECT_EQ(pixels(into.get())[0], kWhite);
  EXPECT_EQ(run(clearPass(into.get(), MTL::ClearColor::Make(0, 1, 0, 1))), "");
  EXPECT_EQ(with(MTL::StoreActionStoreAndMultisampleResolve, true), "");
  EXPECT_EQ(pixels(into.get())[0], kWhite);
  // A pass that never draws resolves what it cleared to.
  EXPECT_EQ(
      run(pass, [](auto* encoder) { encoder->setColorStoreAction(MTL::StoreActionMultisampleResolve, 0); }),
      "");
  EXPECT_EQ(pixels(into.get())[0], kBlue);
}

// Depth and stencil of one texture, of which any may be resolved, whatever the device can do in one go.
TEST_F(RenderPasses, DepthAndStencilResolveEachByItself) {
  constexpr auto kFormat = MTL::PixelFormatDepth32Float_Stencil8;
  auto from = multisampled(kFormat, 4);
  auto target = colorTarget(kSize, kSize);
  auto white = pipeline("cover", "white");
  // Draws white where depth (0.25) or stencil (9) is what the pass had cleared to.
  auto descriptor = NS::TransferPtr(MTL::DepthStencilDescriptor::alloc()->init());
  auto shows = [&](MTL::Texture* resolved, bool depth) {
    auto* stencil = descriptor->frontFaceStencil();
    stencil->setStencilCompareFunction(depth ? MTL::CompareFunctionAlways : MTL::CompareFunctionEqual);
    descriptor->setDepthCompareFunction(depth ? MTL::CompareFunctionEqual : MTL::CompareFunctionAlways);
    descriptor->setBackFaceStencil(stencil);
    auto state = NS::TransferPtr(m_device->newDepthStencilState(descriptor.get()));
    auto* pass = clearPass(target.get());
    pass->depthAttachment()->setTexture(resolved);
    pass->depthAttachment()->setLoadAction(MTL::LoadActionLoad);
    pass->stencilAttachment()->setTexture(resolved);
    pass->stencilAttachment()->setLoadAction(MTL::LoadActionLoad);
    EXPECT_EQ(run(pass,
                  [&](auto* encoder) {
                    encoder->setDepthStencilState(state.get());
                    encoder->setStencilReferenceValue(9);
                    draw(encoder, white.get());
                  }),
              "");
    return pixels(target.get())[7] == kWhite;
  };
  *static_cast<float*>(m_depth->contents()) = 0.25f;
  for (bool late : {false, true})
    for (int which = 1; which <= 3; ++which) {
      SCOPED_TRACE(std::to_string(which) + (late ? " late" : ""));
      const bool depth = which & 1, stencil = which & 2;
      auto into = texture(kSize, kSize, kFormat, MTL::TextureUsageRenderTarget);
      auto* cleared = clearPass(target.get());
      cleared->depthAttachment()->setTexture(into.get());
      cleared->stencilAttachment()->setTexture(into.get());
      EXPECT_EQ(run(cleared), "");
      auto pass = NS::TransferPtr(MTL4::RenderPassDescriptor::alloc()->init());
      auto* d = pass->depthAttachment();
      d->setTexture(from.get());
      d->setClearDepth(0.25);
      d->setResolveTexture(into.get());
      auto* s = pass->stencilAttachment();
      s->setTexture(from.get());
      s->setClearStencil(9);
      s->setResolveTexture(into.get());
      const auto depthAction = depth ? MTL::StoreActionMultisampleResolve : MTL::StoreActionDontCare;
      const auto stencilAction = stencil ? MTL::StoreActionMultisampleResolve : MTL::StoreActionDontCare;
      d->setStoreAction(late ? MTL::StoreActionUnknown : depthAction);
      s->setStoreAction(late ? MTL::StoreActionUnknown : stencilAction);
      EXPECT_EQ(run(pass.get(),
                    [&](auto* encoder) {
                      if (!late) return;
                      encoder->setDepthStoreAction(depthAction);
                      encoder->setStencilStoreAction(stencilAction);
                    }),
                "");
      // lavapipe resolves the other aspect as well (docs/workarounds.md).
      EXPECT_EQ(shows(into.get(), true), depth || isCpuDevice());
      EXPECT_EQ(shows(into.get(), false), stencil || isCpuDevice());
    }
}

TEST_F(RenderPasses, DepthResolvesByItsLeastOrGreatestSampleWhereTheDeviceCan) {
  auto from = multisampled(MTL::PixelFormatDepth32Float, 4);
  auto into = texture(kSize, kSize, MTL::PixelFormatDepth32Float, MTL::TextureUsageRenderTarget);
  auto depthOnly =
      renderPipeline(m_library.get(), "left", "",
                     [](MTL4::RenderPipelineDescriptor* descriptor) { descriptor->setRasterSampleCount(4); });
  auto state = depthState(MTL::CompareFunctionAlways, true);
  struct Case {
    MTL::MultisampleDepthResolveFilter filter;
    const char* name;
    float edge; // of the samples 0, 1, 0, 1 (background) and 0.5 (drawn)
  };
  // Of the four standard samples 0 and 2 lie left of the pixel's centre, so they are drawn to.
  for (const Case& c : {Case{MTL::MultisampleDepthResolveFilterSample0, "Sample0", 0.5f},
                        Case{MTL::MultisampleDepthResolveFilterMin, "Min", 0.5f},
                        Case{MTL::MultisampleDepthResolveFilterMax, "Max", 1.0f}}) {
    SCOPED_TRACE(c.name);
    auto pass = NS::TransferPtr(MTL4::RenderPassDescriptor::alloc()->init());
    auto* depth = pass->depthAttachment();
    depth->setTexture(from.get());
    depth->setResolveTexture(into.get());
    depth->setDepthResolveFilter(c.filter);
    depth->setStoreAction(MTL::StoreActionMultisampleResolve);
    const std::string error = run(pass.get(), [&](auto* encoder) {
      encoder->setDepthStencilState(state.get());
      draw(encoder, depthOnly.get());
    });
    if (!error.empty()) {
      expectError(error, {"depthResolveFilter", c.name, "lacks"});
      EXPECT_NE(c.filter, MTL::MultisampleDepthResolveFilterSample0);
      continue;
    }
    auto got = texels<float>(into.get());
    EXPECT_EQ(got[7], 0.5f);
    EXPECT_EQ(got[8], c.edge);
    EXPECT_EQ(got[9], 1.0f);
  }
}

TEST_F(RenderPasses, EverySampleCountOfTheDeviceCoversByItsSamples) {
  size_t tried = 0;
  for (NS::UInteger samples : {2, 4, 8}) {
    if (!m_device->supportsTextureSampleCount(samples)) continue;
    ++tried;
    std::vector<MTL::SamplePosition> positions(samples);
    m_device->getDefaultSamplePositions(positions.data(), samples);
    NS::UInteger covered = 0;
    for (const auto& position : positions) covered += position.x < 0.5f;
    for (MTL::PixelFormat format : {MTL::PixelFormatRGBA8Unorm, MTL::PixelFormatRGBA16Float}) {
      SCOPED_TRACE(std::to_string(samples) + " samples of format " + std::to_string(format));
      auto white = pipeline("left", "white", samples, format);
      auto from = multisampled(format, samples);
      auto into = colorTarget(kSize, kSize, format);
      auto* pass = resolvePass(from.get(), into.get(), MTL::StoreActionMultisampleResolve);
      pass->setSamplePositions(positions.data(), positions.size());
      EXPECT_EQ(run(pass, [&](auto* encoder) { draw(encoder, white.get()); }), "");
      if (format == MTL::PixelFormatRGBA8Unorm) {
        auto got = pixels(into.get());
        EXPECT_EQ(got[7], kWhite);
        EXPECT_NEAR(got[8].r, 255.0 * covered / samples, 1);
        EXPECT_EQ(got[9], kBlue);
      } else {
        auto got = texels<std::array<_Float16, 4>>(into.get());
        EXPECT_EQ(float(got[7][0]), 1.0f);
        EXPECT_EQ(float(got[8][0]), float(covered) / samples);
        EXPECT_EQ(float(got[9][0]), 0.0f);
      }
    }
  }
  EXPECT_GT(tried, 0u);
}

TEST_F(RenderPasses, SamplePositionsAreTheDevicesOrMovedWhereItCan) {
  auto pass = NS::TransferPtr(MTL4::RenderPassDescriptor::alloc()->init());
  MTL::SamplePosition positions[4] = {{0.0625f, 0.125f}, {0.125f, 0.5f}, {0.25f, 0.75f}, {0.375f, 0.25f}},
                      got[4];
  EXPECT_EQ(pass->getSamplePositions(nullptr, 0), 0u);
  pass->setSamplePositions(positions, 4);
  EXPECT_EQ(pass->getSamplePositions(got, 4), 4u);
  EXPECT_EQ(got[2].x, 0.25f);
  EXPECT_EQ(got[2].y, 0.75f);
  pass->setSamplePositions(nullptr, 0);
  EXPECT_EQ(pass->getSamplePositions(got, 4), 0u);

  auto from = multisampled(MTL::PixelFormatRGBA8Unorm, 4);
  auto into = colorTarget(kSize, kSize);
  auto* moved = resolvePass(from.get(), into.get(), MTL::StoreActionMultisampleResolve);
  auto white = pipeline("left", "white", 4);
  moved->setSamplePositions(positions, 4);
  const std::string error = run(moved, [&](auto* encoder) { draw(encoder, white.get()); });
  if (m_device->areProgrammableSamplePositionsSupported()) {
    EXPECT_EQ(error, "");
    EXPECT_EQ(pixels(into.get())[8], kWhite) << "every sample lies left of the pixel's centre";
  } else {
    expectError(error, {"sample positions", "4 samples", m_device->name()->utf8String()});
  }
  moved->setSamplePositions(positions, 3);
  expectError(run(moved), {"3 sample positions", "4 samples"});
  positions[1].x = 1;
  moved->setSamplePositions(positions, 4);
  expectError(run(moved), {"Sample position 1", "(1, 0.5)", "0.9375"});
}

TEST_F(RenderPasses, MemorylessTexturesAreNeitherLoadedNorStored) {
  auto from = multisampled(MTL::PixelFormatRGBA8Unorm, 4, MTL::StorageModeMemoryless);
  auto into = colorTarget(kSize, kSize);
  EXPECT_EQ(run(resolvePass(from.get(), into.get(), MTL::StoreActionMultisampleResolve)), "");
  EXPECT_EQ(pixels(into.get())[0], kBlue);
  expectError(run(resolvePass(from.get(), into.get(), MTL::StoreActionStore)),
              {"color attachment 0", "memoryless", "not Store."});
  expectError(run(resolvePass(from.get(), into.get(), MTL::StoreActionStoreAndMultisampleResolve)),
              {"memoryless", "not StoreAndMultisampleResolve."});
  auto* late = resolvePass(from.get(), into.get(), MTL::StoreActionUnknown);
  expectError(run(late, [](auto* encoder) { encoder->setColorStoreAction(MTL::StoreActionStore, 0); }),
              {"setColorStoreAction", "memoryless"});
  late->colorAttachments()->object(0)->setLoadAction(MTL::LoadActionLoad);
  expectError(run(late), {"memoryless", "loadAction", "not Load."});
}

TEST_F(RenderPasses, AlphaToOneStoresTheLargestAlpha) {
  auto target = colorTarget(kSize, kSize);
  auto plain = pipeline("cover", "quarterAlpha");
  auto one = pipeline("cover", "quarterAlpha", 1, MTL::PixelFormatRGBA8Unorm, true);
  EXPECT_EQ(run(clearPass(target.get()), [&](auto* encoder) { draw(encoder, plain.get()); }), "");
  EXPECT_EQ(pixels(target.get())[3], (Pixel{255, 102, 0, 51}));
  EXPECT_EQ(run(clearPass(target.get()), [&](auto* encoder) { draw(encoder, one.get()); }), "");
  EXPECT_EQ(pixels(target.get())[3], (Pixel{255, 102, 0, 255}));
}

TEST_F(RenderPasses, DepthBoundsAreTestedAgainstTheStoredDepth) {
  auto target = colorTarget(kSize, kSize);
  auto depth = texture(kSize, kSize, MTL::PixelFormatDepth32Float, MTL::TextureUsageRenderTarget);
  auto white = pipeline("cover", "white");
  auto with = [&](float low, float high, double stored) {
    auto* pass = clearPass(target.get(), MTL::ClearColor::Make(0, 0, 1, 1));
    pass->depthAttachment()->setTexture(depth.get());
    pass->depthAttachment()->setClearDepth(stored);
    return run(pass, [&](auto* encoder) {
      encoder->setDepthTestBounds(low, high);
      draw(encoder, white.get());
    });
  };
  EXPECT_EQ(with(0, 1, 0.9), "");
  EXPECT_EQ(pixels(target.get())[0], kWhite);
  expectError(with(0.6f, 0.4f, 0.5), {"setDepthTestBounds", "0.6 to 0.4"});
  expectError(with(-0.5f, 0.5f, 0.5), {"-0.5 to 0.5"});
  const std::string error = with(0.25f, 0.75f, 0.5);
  if (!error.empty())
    return expectError(error, {"0.25 to 0.75", "lacks depthBounds", m_device->name()->utf8String()});
  EXPECT_EQ(pixels(target.get())[0], kWhite);
  EXPECT_EQ(with(0.25f, 0.75f, 0.9), "");
  EXPECT_EQ(pixels(target.get())[0], kBlue) << "outside the bounds";
}

TEST_F(RenderPasses, StencilResultsReplaceTheReference) {
  auto target = colorTarget(kSize, kSize);
  auto stencil = texture(kSize, kSize, MTL::PixelFormatDepth32Float_Stencil8, MTL::TextureUsageRenderTarget);
  auto descriptor = NS::TransferPtr(MTL::DepthStencilDescriptor::alloc()->init());
  auto face = NS::TransferPtr(MTL::StencilDescriptor::alloc()->init());
  face->setDepthStencilPassOperation(MTL::StencilOperationReplace);
  descriptor->setFrontFaceStencil(face.get());
  descriptor->setBackFaceStencil(face.get());
  auto replace = NS::TransferPtr(m_device->newDepthStencilState(descriptor.get()));
  face->setStencilCompareFunction(MTL::CompareFunctionEqual);
  face->setDepthStencilPassOperation(MTL::StencilOperationKeep);
  descriptor->setFrontFaceStencil(face.get());
  descriptor->setBackFaceStencil(face.get());
  auto equal = NS::TransferPtr(m_device->newDepthStencilState(descriptor.get()));
  auto made = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
  made->setVertexFunctionDescriptor(function(m_library.get(), "cover").get());
  made->setFragmentFunctionDescriptor(function(m_library.get(), "columnStencil").get());
  made->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  NS::Error* error = nullptr;
  auto columns = NS::TransferPtr(m_compiler->newRenderPipelineState(made.get(), nullptr, &error));
  if (!columns && !isCpuDevice())
    return expectError(text(error), {"columnStencil", "writes [[stencil]]", "the device does not have"});
  auto white = pipeline("cover", "white");
  ASSERT_TRUE(columns && white);
  auto* pass = clearPass(target.get(), MTL::ClearColor::Make(0, 0, 1, 1));
  pass->stencilAttachment()->setTexture(stencil.get());
  pass->depthAttachment()->setTexture(stencil.get());
  EXPECT_EQ(run(pass,
                [&](auto* encoder) {
                  encoder->setStencilReferenceValue(3);
                  encoder->setDepthStencilState(replace.get());
                  draw(encoder, columns.get());
                  encoder->setStencilReferenceValue(50);
                  encoder->setDepthStencilState(equal.get());
                  draw(encoder, white.get());
                }),
            "");
  auto got = pixels(target.get());
  for (NS::UInteger x = 0; x < kSize; ++x) EXPECT_EQ(got[x].r, x == 5 ? 255 : 0) << x;
}

TEST_F(RenderPasses, EightAttachmentsOfDifferentFormats) {
  constexpr MTL::PixelFormat kFormats[8] = {MTL::PixelFormatRGBA8Unorm,  MTL::PixelFormatR32Float,
                                            MTL::PixelFormatRGBA32Uint,  MTL::PixelFormatRG16Sint,
                                            MTL::PixelFormatRGBA16Float, MTL::PixelFormatR32Uint,
                                            MTL::PixelFormatRG32Float,   MTL::PixelFormatBGRA8Unorm};
  auto eight =
      renderPipeline(m_library.get(), "cover", "eight", [&](MTL4::RenderPipelineDescriptor* descriptor) {
        for (NS::UInteger i = 0; i < 8; ++i)
          descriptor->colorAttachments()->object(i)->setPixelFormat(kFormats[i]);
      });
  std::vector<NS::SharedPtr<MTL::Texture>> targets;
  auto pass = NS::TransferPtr(MTL4::RenderPassDescriptor::alloc()->init());
  for (NS::UInteger i = 0; i < 8; ++i) {
    targets.push_back(colorTarget(kSize, kSize, kFormats[i]));
    auto* color = pass->colorAttachments()->object(i);
    color->setTexture(targets[i].get());
    color->setLoadAction(MTL::LoadActionClear);
    color->setStoreAction(MTL::StoreActionStore);
  }
  EXPECT_EQ(run(pass.get(), [&](auto* encoder) { draw(encoder, eight.get()); }), "");
  EXPECT_EQ(pixels(targets[0].get())[17], (Pixel{255, 0, 51, 102}));
  EXPECT_EQ(texels<float>(targets[1].get())[17], 12.5f);
  EXPECT_EQ((texels<std::array<uint32_t, 4>>(targets[2].get())[17]),
            (std::array<uint32_t, 4>{1, 2, 3, 70000}));
  EXPECT_EQ((texels<std::array<int16_t, 2>>(targets[3].get())[17]), (std::array<int16_t, 2>{-7, 300}));
  const auto half = texels<std::array<_Float16, 4>>(targets[4].get())[17];
  EXPECT_EQ(float(half[0]), 0.25f);
  EXPECT_EQ(float(half[1]), -2.0f);
  EXPECT_EQ(float(half[2]), 1024.0f);
  EXPECT_EQ(texels<uint32_t>(targets[5].get())[17], 4000000000u);
  EXPECT_EQ((texels<std::array<float, 2>>(targets[6].get())[17]), (std::array<float, 2>{1.5f, -3.0f}));
  EXPECT_EQ(pixels(targets[7].get())[17], (Pixel{0, 51, 102, 255})) << "blue first";
}

} // namespace
} // namespace basanite::tests
