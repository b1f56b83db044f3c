// SPDX-License-Identifier: Apache-2.0
// Stamps change no pixel: the same passes without stamps, with relaxed and with precise ones between all
// draws. Also run with BASANITE_TEST_SPLIT_PASSES=1, where every precise stamp ends one part of the pass and
// begins the next.
#include "tests/api/counters_fixture.hpp"

namespace basanite::tests {
namespace {

constexpr NS::UInteger kSize = 96;
constexpr NS::UInteger kDraws = 12;
constexpr auto kColor = MTL::PixelFormatRGBA8Unorm;
constexpr auto kDepth = MTL::PixelFormatDepth32Float;
constexpr auto kStencil = MTL::PixelFormatDepth32Float_Stencil8;

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;

struct Varyings { float4 position [[position]]; float4 color [[flat]]; };
struct Colors { float4 first [[color(0)]]; float4 second [[color(1)]]; };

// Slanted triangles that overlap and cross in depth, one a draw.
vertex Varyings slanted(uint id [[vertex_id]], uint draw [[instance_id]]) {
  const float angle = float(draw) * 0.7f + float(id) * 2.0943951f;
  const float2 corner = float2(cos(angle), sin(angle)) * 0.9f + float2(0.1f, -0.05f) * float(draw % 3);
  const float depth = fract(float(draw) * 0.37f) * 0.8f + 0.1f * float(id);
  return {float4(corner, depth, 1), float4(fract(float(draw) * 0.31f), fract(float(draw) * 0.73f), 0.25f, 0.6f)};
}
fragment float4 one(Varyings in [[stage_in]]) { return in.color; }
fragment Colors both(Varyings in [[stage_in]]) { return {in.color, float4(in.color.brg, 1)}; }
)";

class CounterPixels : public CountersFixture {
 protected:
  void SetUp() override {
    CountersFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    m_heap = counterHeap(2 * kDraws + 2);
  }

  NS::SharedPtr<MTL::Texture> make(MTL::PixelFormat format, NS::UInteger samples = 1,
                                   MTL::StorageMode storage = MTL::StorageModePrivate) {
    auto descriptor = NS::TransferPtr(MTL::TextureDescriptor::alloc()->init());
    descriptor->setTextureType(samples > 1 ? MTL::TextureType2DMultisample : MTL::TextureType2D);
    descriptor->setPixelFormat(format);
    descriptor->setWidth(kSize);
    descriptor->setHeight(kSize);
    descriptor->setSampleCount(samples);
    descriptor->setUsage(storage == MTL::StorageModeMemoryless
                             ? MTL::TextureUsageRenderTarget
                             : MTL::TextureUsageRenderTarget | MTL::TextureUsageShaderRead);
    descriptor->setStorageMode(storage);
    auto made = NS::TransferPtr(m_device->newTexture(descriptor.get()));
    EXPECT_TRUE(made);
    return made;
  }
  NS::SharedPtr<MTL::RenderPipelineState> pipeline(std::string_view fragment, NS::UInteger samples,
                                                   bool blends, NS::UInteger colors = 1) {
    return renderPipeline(m_library.get(), "slanted", fragment,
                          [&](MTL4::RenderPipelineDescriptor* descriptor) {
                            descriptor->setRasterSampleCount(samples);
                            for (NS::UInteger i = 0; i < colors; ++i) {
                              auto* color = descriptor->colorAttachments()->object(i);
                              color->setPixelFormat(kColor);
                              if (!blends) continue;
                              color->setBlendingState(MTL4::BlendStateEnabled);
                              color->setSourceRGBBlendFactor(MTL::BlendFactorSourceAlpha);
                              color->setDestinationRGBBlendFactor(MTL::BlendFactorOneMinusSourceAlpha);
                            }
                          });
  }

  // Draws kDraws triangles; a stamp before the first, between all and after the last, with any number of them
  // in one place.
  using Draw = std::function<void(MTL4::RenderCommandEncoder*, NS::UInteger draw)>;
  void encode(MTL4::RenderCommandEncoder* encoder, int stamping, const Draw& beforeDraw) {
    constexpr MTL4::TimestampGranularity kEach[] = {kRelaxed, kPrecise};
    NS::UInteger index = 0;
    auto stamp = [&](NS::UInteger times) {
      for (NS::UInteger i = 0; stamping && i < times; ++i)
        encoder->writeTimestamp(kEach[stamping - 1], kFragment, m_heap.get(), index++);
    };
    stamp(1);
    for (NS::UInteger draw = 0; draw < kDraws; ++draw) {
      beforeDraw(encoder, draw);
      encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3), NS::UInteger(1),
                              draw);
      stamp(1 + draw % 2);
    }
  }

  // Runs `record` without stamps, with relaxed and with precise ones; `read` must give the same each time,
  // and not a picture of one colour.
  template <class T>
  void expectSame(const std::function<void(MTL4::CommandBuffer*, int stamping)>& record,
                  const std::function<std::vector<T>()>& read) {
    std::vector<T> plain;
    for (int stamping = 0; stamping < 3; ++stamping) {
      m_heap->invalidateCounterRange(NS::Range::Make(0, m_heap->count()));
      EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) { record(commands, stamping); }), "");
      const auto got = read();
      if (stamping == 0) {
        plain = got;
        EXPECT_NE(std::count(got.begin(), got.end(), got[0]), std::ptrdiff_t(got.size()))
            << "nothing was drawn";
        continue;
      }
      size_t different = 0;
      for (size_t i = 0; i < got.size(); ++i) different += !(got[i] == plain[i]);
      EXPECT_EQ(different, 0u) << (stamping == 1 ? "relaxed" : "precise");
      const auto stamps = entries(m_heap.get(), 0, kDraws);
      EXPECT_TRUE(std::is_sorted(stamps.begin(), stamps.end()));
      EXPECT_NE(stamps[0], 0u);
    }
  }

  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL4::CounterHeap> m_heap;
};

// One attachment is cleared, one loaded; blending depends on the order of the draws, and the depth test on
// what came before.
TEST_F(CounterPixels, ColoursThatAreClearedOrLoadedAndBlendedUnderADepthTest) {
  auto first = make(kColor), second = make(kColor), depth = make(kDepth);
  auto blended = pipeline("both", 1, true, 2), opaque = pipeline("both", 1, false, 2);
  auto less = depthState(MTL::CompareFunctionLess, true),
       always = depthState(MTL::CompareFunctionAlways, false);
  auto record = [&](MTL4::CommandBuffer* commands, int stamping) {
    // What the second attachment loads.
    commands->renderCommandEncoder(clearPass(second.get(), MTL::ClearColor::Make(0.2, 0.4, 0.6, 1)))
        ->endEncoding();
    auto* pass = clearPass(first.get(), MTL::ClearColor::Make(0.1, 0, 0, 1));
    pass->colorAttachments()->object(1)->setTexture(second.get());
    pass->colorAttachments()->object(1)->setLoadAction(MTL::LoadActionLoad);
    pass->colorAttachments()->object(1)->setStoreAction(MTL::StoreActionStore);
    pass->depthAttachment()->setTexture(depth.get());
    pass->depthAttachment()->setStoreAction(MTL::StoreActionStore);
    auto* encoder = commands->renderCommandEncoder(pass);
    encoder->barrierAfterQueueStages(MTL::StageFragment, MTL::StageFragment, MTL4::VisibilityOptionDevice);
    encode(encoder, stamping, [&](auto* encoder, NS::UInteger draw) {
      encoder->setRenderPipelineState((draw % 2 ? blended : opaque).get());
      encoder->setDepthStencilState((draw % 5 == 4 ? always : less).get());
    });
    encoder->endEncoding();
  };
  expectSame<Pixel>(record, [&] { return pixels(first.get()); });
  expectSame<Pixel>(record, [&] { return pixels(second.get()); });
  expectSame<float>(record, [&] { return texels<float>(depth.get()); });
}

TEST_F(CounterPixels, DepthThatNobodyStores) {
  auto color = make(kColor), depth = make(kDepth);
  auto opaque = pipeline("one", 1, false);
  auto less = depthState(MTL::CompareFunctionLess, true);
  for (MTL::StorageMode storage : {MTL::StorageModePrivate, MTL::StorageModeMemoryless}) {
    auto depth = make(kDepth, 1, storage);
    expectSame<Pixel>(
        [&](MTL4::CommandBuffer* commands, int stamping) {
          auto* pass = clearPass(color.get());
          pass->depthAttachment()->setTexture(depth.get());
          pass->depthAttachment()->setStoreAction(MTL::StoreActionDontCare);
          auto* encoder = commands->renderCommandEncoder(pass);
          encoder->setRenderPipelineState(opaque.get());
          encoder->setDepthStencilState(less.get());
          encode(encoder, stamping, [](auto*, NS::UInteger) {});
          encoder->endEncoding();
        },
        [&] { return pixels(color.get()); });
  }
}

TEST_F(CounterPixels, MultisampledColoursAndDepthsAreResolved) {
  auto resolved = make(kColor), resolvedDepth = make(kDepth);
  auto blended = pipeline("one", 4, true), opaque = pipeline("one", 4, false);
  auto less = depthState(MTL::CompareFunctionLess, true);
  for (MTL::StorageMode storage : {MTL::StorageModePrivate, MTL::StorageModeMemoryless}) {
    for (bool stores : {false, true}) {
      if (stores && storage == MTL::StorageModeMemoryless) continue; // Metal has nothing to store there
      auto color = make(kColor, 4, storage), depth = make(kDepth, 4, storage);
      const auto action =
          stores ? MTL::StoreActionStoreAndMultisampleResolve : MTL::StoreActionMultisampleResolve;
      auto record = [&](MTL4::CommandBuffer* commands, int stamping) {
        auto* pass = clearPass(color.get(), MTL::ClearColor::Make(0, 0.3, 0, 1));
        pass->colorAttachments()->object(0)->setStoreAction(action);
        pass->colorAttachments()->object(0)->setResolveTexture(resolved.get());
        pass->depthAttachment()->setTexture(depth.get());
        pass->depthAttachment()->setStoreAction(action);
        pass->depthAttachment()->setResolveTexture(resolvedDepth.get());
        auto* encoder = commands->renderCommandEncoder(pass);
        encoder->setDepthStencilState(less.get());
        encode(encoder, stamping, [&](auto* encoder, NS::UInteger draw) {
          encoder->setRenderPipelineState((draw % 3 ? opaque : blended).get());
        });
        encoder->endEncoding();
      };
      expectSame<Pixel>(record, [&] { return pixels(resolved.get()); });
      expectSame<float>(record, [&] { return texels<float>(resolvedDepth.get()); });
    }
  }
}

TEST_F(CounterPixels, StencilCountsAcrossStamps) {
  auto color = make(kColor), both = make(kStencil);
  auto opaque = pipeline("one", 1, false);
  auto descriptor = NS::TransferPtr(MTL::DepthStencilDescriptor::alloc()->init());
  auto face = NS::TransferPtr(MTL::StencilDescriptor::alloc()->init());
  // A pixel takes its first three triangles only.
  face->setStencilCompareFunction(MTL::CompareFunctionGreater);
  face->setDepthStencilPassOperation(MTL::StencilOperationIncrementClamp);
  descriptor->setFrontFaceStencil(face.get());
  descriptor->setBackFaceStencil(face.get());
  auto state = NS::TransferPtr(m_device->newDepthStencilState(descriptor.get()));
  expectSame<Pixel>(
      [&](MTL4::CommandBuffer* commands, int stamping) {
        auto* pass = clearPass(color.get());
        pass->depthAttachment()->setTexture(both.get());
        pass->stencilAttachment()->setTexture(both.get());
        auto* encoder = commands->renderCommandEncoder(pass);
        encoder->setRenderPipelineState(opaque.get());
        encoder->setDepthStencilState(state.get());
        encoder->setStencilReferenceValue(3);
        encode(encoder, stamping, [](auto*, NS::UInteger) {});
        encoder->endEncoding();
      },
      [&] { return pixels(color.get()); });
}

// Multisampled colour, depth and stencil come from an earlier pass; a second colour is stored by nobody.
TEST_F(CounterPixels, LoadedColoursDepthsAndStencilsGoOnWhereTheyWere) {
  auto resolved = make(kColor);
  auto color = make(kColor, 4), unstored = make(kColor, 4), both = make(kStencil, 4);
  auto blended = pipeline("both", 4, true, 2);
  auto descriptor = NS::TransferPtr(MTL::DepthStencilDescriptor::alloc()->init());
  auto face = NS::TransferPtr(MTL::StencilDescriptor::alloc()->init());
  // Of both passes together a pixel takes its first five triangles that come in front.
  face->setStencilCompareFunction(MTL::CompareFunctionGreater);
  face->setDepthStencilPassOperation(MTL::StencilOperationIncrementClamp);
  descriptor->setFrontFaceStencil(face.get());
  descriptor->setBackFaceStencil(face.get());
  descriptor->setDepthCompareFunction(MTL::CompareFunctionLessEqual);
  descriptor->setDepthWriteEnabled(true);
  auto state = NS::TransferPtr(m_device->newDepthStencilState(descriptor.get()));
  std::vector<Pixel> onePass;
  for (int passes = 1; passes <= 2; ++passes) {
    auto record = [&](MTL4::CommandBuffer* commands, int stamping) {
      for (int number = 1; number <= passes; ++number) {
        const bool isFirst = number == 1, isLast = number == passes;
        const auto load = isFirst ? MTL::LoadActionClear : MTL::LoadActionLoad;
        auto* pass = clearPass(color.get(), MTL::ClearColor::Make(0, 0.3, 0, 1));
        auto* first = pass->colorAttachments()->object(0);
        first->setLoadAction(load);
        first->setStoreAction(isLast ? MTL::StoreActionMultisampleResolve : MTL::StoreActionStore);
        if (isLast) first->setResolveTexture(resolved.get());
        auto* second = pass->colorAttachments()->object(1);
        second->setTexture(unstored.get());
        second->setLoadAction(MTL::LoadActionClear);
        second->setStoreAction(MTL::StoreActionDontCare);
        pass->depthAttachment()->setTexture(both.get());
        pass->depthAttachment()->setLoadAction(load);
        pass->depthAttachment()->setStoreAction(MTL::StoreActionStore);
        pass->stencilAttachment()->setTexture(both.get());
        pass->stencilAttachment()->setLoadAction(load);
        pass->stencilAttachment()->setStoreAction(MTL::StoreActionStore);
        auto* encoder = commands->renderCommandEncoder(pass);
        encoder->barrierAfterQueueStages(MTL::StageFragment, MTL::StageFragment,
                                         MTL4::VisibilityOptionDevice);
        encoder->setRenderPipelineState(blended.get());
        encoder->setDepthStencilState(state.get());
        encoder->setStencilReferenceValue(5);
        encode(encoder, isLast ? stamping : 0, [](auto*, NS::UInteger) {});
        encoder->endEncoding();
      }
    };
    expectSame<Pixel>(record, [&] { return pixels(resolved.get()); });
    if (passes == 1)
      onePass = pixels(resolved.get());
    else
      EXPECT_NE(pixels(resolved.get()), onePass) << "the second pass adds nothing";
  }
}

TEST_F(CounterPixels, VisibilityResultsStayWhatTheyAre) {
  auto color = make(kColor), depth = make(kDepth);
  auto opaque = pipeline("one", 1, false);
  auto less = depthState(MTL::CompareFunctionLess, true);
  auto results = sharedBuffer(8 * kDraws);
  expectSame<uint64_t>(
      [&](MTL4::CommandBuffer* commands, int stamping) {
        auto* pass = clearPass(color.get());
        pass->depthAttachment()->setTexture(depth.get());
        pass->setVisibilityResultBuffer(results.get());
        auto* encoder = commands->renderCommandEncoder(pass);
        encoder->setRenderPipelineState(opaque.get());
        encoder->setDepthStencilState(less.get());
        encode(encoder, stamping, [](auto* encoder, NS::UInteger draw) {
          // Two draws an offset, every third of them only asking whether any sample passed.
          encoder->setVisibilityResultMode(draw / 2 % 3 == 2 ? MTL::VisibilityResultModeBoolean
                                                             : MTL::VisibilityResultModeCounting,
                                           8 * (draw / 2));
        });
        encoder->endEncoding();
      },
      [&] { return contents<uint64_t>(results.get()); });
}

} // namespace
} // namespace basanite::tests
