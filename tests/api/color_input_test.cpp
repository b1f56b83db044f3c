// SPDX-License-Identifier: Apache-2.0
// Fragment functions that read the colour attachments they draw to, raster order groups, and pipelines whose
// colours the encoder maps to other attachments.
#include "tests/support/metal_fixture.hpp"

#include <array>

namespace basanite::tests {
namespace {

constexpr NS::UInteger kSize = 16;

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Varyings { float4 position [[position]]; };
vertex Varyings cover(uint id [[vertex_id]]) {
  return {float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0, 1)};
}
// Neither of these can be had from fixed blending: twice as much, and one more.
fragment float4 doubled(float4 before [[color(0)]]) { return before * 2 + 1; }
fragment float4 white() { return float4(1); }
struct Two { float4 first [[color(0)]]; uint4 second [[color(1)]]; };
fragment Two both(float4 first [[color(0)]], uint4 second [[color(1)]]) {
  Two out;
  out.first = float4(second) + first;
  out.second = second + uint4(first);
  return out;
}
struct Second { uint4 second [[color(1)]]; };
fragment Second fromFirst(float4 first [[color(0)]]) { return {uint4(first * 3)}; }
fragment float4 readsSecond(float4 second [[color(1)]]) { return second; }
fragment float4 readsIntegers(uint4 before [[color(0)]]) { return float4(before); }
struct Pair { float4 first [[color(0)]]; float4 second [[color(1)]]; };
fragment Pair redAndGreen() { return {float4(1, 0, 0, 1), float4(0, 1, 0, 1)}; }
fragment Pair swapped(float4 first [[color(0)]], float4 second [[color(1)]]) { return {second, first}; }
)";

class ColorInputs : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    ASSERT_TRUE(m_library);
  }
  NS::SharedPtr<MTL::RenderPipelineState> pipeline(const char* fragment,
                                                   std::vector<MTL::PixelFormat> formats,
                                                   NS::UInteger samples = 1, bool inherits = false) {
    return renderPipeline(m_library.get(), "cover", fragment,
                          [&](MTL4::RenderPipelineDescriptor* descriptor) {
                            for (size_t i = 0; i < formats.size(); ++i)
                              descriptor->colorAttachments()->object(i)->setPixelFormat(formats[i]);
                            descriptor->setRasterSampleCount(samples);
                            if (inherits)
                              descriptor->setColorAttachmentMappingState(
                                  MTL4::LogicalToPhysicalColorAttachmentMappingStateInherited);
                          });
  }
  std::string pipelineError(const char* fragment, MTL::PixelFormat format, NS::UInteger samples = 1) {
    auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
    descriptor->setVertexFunctionDescriptor(function(m_library.get(), "cover").get());
    descriptor->setFragmentFunctionDescriptor(function(m_library.get(), fragment).get());
    descriptor->colorAttachments()->object(0)->setPixelFormat(format);
    descriptor->setRasterSampleCount(samples);
    NS::Error* error = nullptr;
    EXPECT_FALSE(NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error)));
    return text(error);
  }
  static MTL4::RenderPassDescriptor* pass(std::initializer_list<MTL::Texture*> targets) {
    auto* pass = MTL4::RenderPassDescriptor::alloc()->init()->autorelease();
    NS::UInteger i = 0;
    for (MTL::Texture* target : targets) {
      auto* color = pass->colorAttachments()->object(i++);
      color->setTexture(target);
      color->setLoadAction(MTL::LoadActionClear);
      color->setStoreAction(MTL::StoreActionStore);
      color->setClearColor(MTL::ClearColor::Make(0, 0, 0, 0));
    }
    return pass;
  }
  std::string run(MTL4::RenderPassDescriptor* pass,
                  const std::function<void(MTL4::RenderCommandEncoder*)>& encode) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      auto* encoder = commands->renderCommandEncoder(pass);
      encode(encoder);
      encoder->endEncoding();
    });
  }
  static void draw(MTL4::RenderCommandEncoder* encoder, MTL::RenderPipelineState* pipeline,
                   NS::UInteger instances = 1) {
    encoder->setRenderPipelineState(pipeline);
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3), instances);
  }
  void expectAll(MTL::Texture* texture, float wanted) {
    for (const auto& texel : texels<std::array<float, 4>>(texture)) ASSERT_EQ(texel[0], wanted);
  }
  void expectError(const std::string& message, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is missing in: " << message;
  }

  NS::SharedPtr<MTL::Library> m_library;
};

constexpr auto kFloats = MTL::PixelFormatRGBA32Float, kIntegers = MTL::PixelFormatRGBA32Uint;

TEST_F(ColorInputs, EachDrawSeesWhatTheOnesBeforeItLeft) {
  auto target = colorTarget(kSize, kSize, kFloats);
  auto twice = pipeline("doubled", {kFloats}), white = pipeline("white", {kFloats});
  ASSERT_TRUE(twice && white);
  auto* cleared = pass({target.get()});
  cleared->colorAttachments()->object(0)->setClearColor(MTL::ClearColor::Make(5, 0, 0, 0));
  EXPECT_EQ(run(cleared, [&](auto* encoder) { draw(encoder, twice.get()); }), "");
  expectAll(target.get(), 11);
  EXPECT_EQ(run(pass({target.get()}),
                [&](auto* encoder) {
                  for (int i = 0; i < 5; ++i) draw(encoder, twice.get()); // 31
                }),
            "");
  expectAll(target.get(), 31);
  // Draws that read and draws that do not take turns.
  EXPECT_EQ(run(pass({target.get()}),
                [&](auto* encoder) {
                  draw(encoder, twice.get());
                  draw(encoder, white.get());
                  draw(encoder, twice.get()); // 3
                  draw(encoder, twice.get()); // 7
                }),
            "");
  expectAll(target.get(), 7);
  // Loaded, and over a pass that a barrier splits.
  auto* loaded = pass({target.get()});
  loaded->colorAttachments()->object(0)->setLoadAction(MTL::LoadActionLoad);
  EXPECT_EQ(run(loaded,
                [&](auto* encoder) {
                  draw(encoder, twice.get()); // 15
                  encoder->barrierAfterEncoderStages(MTL::StageVertex, MTL::StageFragment,
                                                     MTL4::VisibilityOptionDevice);
                  draw(encoder, twice.get()); // 31
                }),
            "");
  expectAll(target.get(), 31);
}

// Where the device orders attachment accesses itself; lavapipe does (docs/metal-to-vulkan.md).
TEST_F(ColorInputs, PrimitivesOfOneDrawSeeEachOther) {
  if (!isCpuDevice()) GTEST_SKIP() << "left to the device";
  auto target = colorTarget(kSize, kSize, kFloats);
  auto twice = pipeline("doubled", {kFloats});
  EXPECT_EQ(run(pass({target.get()}), [&](auto* encoder) { draw(encoder, twice.get(), 6); }), "");
  expectAll(target.get(), 63);
}

TEST_F(ColorInputs, SeveralAttachmentsAndPassesEachTheirOwn) {
  auto first = colorTarget(kSize, kSize, kFloats), other = colorTarget(kSize, kSize, kFloats);
  auto second = colorTarget(kSize, kSize, kIntegers);
  auto both = pipeline("both", {kFloats, kIntegers}), fromFirst = pipeline("fromFirst", {kFloats, kIntegers});
  auto twice = pipeline("doubled", {kFloats});
  ASSERT_TRUE(both && fromFirst && twice);
  auto* two = pass({first.get(), second.get()});
  two->colorAttachments()->object(0)->setClearColor(MTL::ClearColor::Make(4, 0, 0, 0));
  two->colorAttachments()->object(1)->setClearColor(MTL::ClearColor::Make(70000, 0, 0, 0));
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              auto* encoder = commands->renderCommandEncoder(two);
              draw(encoder, both.get());
              encoder->endEncoding();
              encoder = commands->renderCommandEncoder(pass({other.get()}));
              draw(encoder, twice.get());
              draw(encoder, twice.get());
              encoder->endEncoding();
            }),
            "");
  expectAll(first.get(), 70004);
  EXPECT_EQ((texels<std::array<uint32_t, 4>>(second.get())[9][0]), 70004u);
  expectAll(other.get(), 3);
  EXPECT_EQ(run(two, [&](auto* encoder) { draw(encoder, fromFirst.get()); }), "");
  expectAll(first.get(), 4);
  EXPECT_EQ((texels<std::array<uint32_t, 4>>(second.get())[9][0]), 12u);
}

TEST_F(ColorInputs, ReadsThatDoNotFitAreNamed) {
  expectError(pipelineError("readsSecond", kFloats),
              {"readsSecond", "reads color(1)", "no color attachment 1"});
  expectError(
      pipelineError("readsIntegers", kFloats),
      {"readsIntegers", "reads unsigned integer values from color(0)", "RGBA32Float", "floating-point"});
  expectError(pipelineError("doubled", kFloats, 4), {"doubled", "one sample a pixel, not with 4"});
}

TEST_F(ColorInputs, RasterOrderGroupsRunPixelByPixelOrAreNamed) {
  auto ordered = library(R"(
#include <metal_stdlib>
using namespace metal;
struct Varyings { float4 position [[position]]; float value [[flat]]; };
vertex Varyings cover(uint id [[vertex_id]], uint instance [[instance_id]]) {
  return {float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0, 1), float(instance)};
}
fragment void chain(Varyings in [[stage_in]], device float* cells [[buffer(0), raster_order_group(0)]]) {
  uint at = uint(in.position.y) * 16 + uint(in.position.x);
  cells[at] = cells[at] * 2 + in.value;
}
)");
  ASSERT_TRUE(ordered);
  auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
  descriptor->setVertexFunctionDescriptor(function(ordered.get(), "cover").get());
  descriptor->setFragmentFunctionDescriptor(function(ordered.get(), "chain").get());
  NS::Error* error = nullptr;
  auto chain = NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error));
  if (!m_device->areRasterOrderGroupsSupported()) {
    EXPECT_FALSE(chain);
    return expectError(text(error), {"chain", "raster_order_group", "lacks fragment shader interlock"});
  }
  ASSERT_TRUE(chain) << text(error);
  auto cells = sharedBuffer(std::vector<float>(kSize * kSize, 1.0f));
  auto table = argumentTable(1);
  table->setAddress(cells->gpuAddress(), 0);
  auto empty = NS::TransferPtr(MTL4::RenderPassDescriptor::alloc()->init());
  empty->setRenderTargetWidth(kSize);
  empty->setRenderTargetHeight(kSize);
  EXPECT_EQ(run(empty.get(),
                [&](auto* encoder) {
                  encoder->setArgumentTable(table.get(), MTL::RenderStageFragment);
                  draw(encoder, chain.get(), 8);
                }),
            "");
  float wanted = 1;
  for (int i = 0; i < 8; ++i) wanted = wanted * 2 + float(i);
  for (float got : contents<float>(cells.get())) ASSERT_EQ(got, wanted);
}

TEST_F(ColorInputs, ColoursGoWhereTheEncoderMapsThem) {
  constexpr auto kBytes = MTL::PixelFormatRGBA8Unorm;
  constexpr Pixel kRed{255, 0, 0, 255}, kGreen{0, 255, 0, 255}, kNone{0, 0, 0, 0};
  NS::SharedPtr<MTL::Texture> targets[3];
  for (auto& target : targets) target = colorTarget(kSize, kSize, kBytes);
  auto* three = pass({targets[0].get(), targets[1].get(), targets[2].get()});
  three->setSupportColorAttachmentMapping(true);
  auto mapped = pipeline("redAndGreen", {kBytes, kBytes}, 1, true),
       swap = pipeline("swapped", {kBytes, kBytes}, 1, true);
  auto fixed = pipeline("redAndGreen", {kBytes, kBytes, kBytes});
  ASSERT_TRUE(mapped && swap && fixed);
  auto map = NS::TransferPtr(MTL::LogicalToPhysicalColorAttachmentMap::alloc()->init());
  EXPECT_EQ(map->getPhysicalIndex(5), 5u);
  map->setPhysicalIndex(2, 0);
  map->setPhysicalIndex(0, 1);
  EXPECT_EQ(map->getPhysicalIndex(0), 2u);
  auto expectPixels = [&](Pixel a, Pixel b, Pixel c) {
    EXPECT_EQ(pixels(targets[0].get())[20], a);
    EXPECT_EQ(pixels(targets[1].get())[20], b);
    EXPECT_EQ(pixels(targets[2].get())[20], c);
  };
  EXPECT_EQ(run(three,
                [&](auto* encoder) {
                  encoder->setColorAttachmentMap(map.get());
                  draw(encoder, mapped.get());
                }),
            "");
  expectPixels(kGreen, kNone, kRed);
  // What is read is mapped as what is written.
  EXPECT_EQ(run(three,
                [&](auto* encoder) {
                  encoder->setColorAttachmentMap(map.get());
                  draw(encoder, mapped.get());
                  draw(encoder, swap.get());
                }),
            "");
  expectPixels(kRed, kNone, kGreen);
  // A pipeline of its own mind, and the map taken back.
  EXPECT_EQ(run(three,
                [&](auto* encoder) {
                  encoder->setColorAttachmentMap(map.get());
                  draw(encoder, fixed.get());
                }),
            "");
  expectPixels(kRed, kGreen, kNone);
  map->reset();
  EXPECT_EQ(map->getPhysicalIndex(0), 0u);
  map->setPhysicalIndex(1, 0);
  expectError(run(three,
                  [&](auto* encoder) {
                    encoder->setColorAttachmentMap(map.get());
                    draw(encoder, mapped.get());
                  }),
              {"color attachments 0 and 1", "both mapped to 1"});
  map->setPhysicalIndex(6, 1);
  expectError(run(three,
                  [&](auto* encoder) {
                    encoder->setColorAttachmentMap(map.get());
                    draw(encoder, mapped.get());
                  }),
              {"RGBA8Unorm at color attachment 1", "Invalid"});
  three->setSupportColorAttachmentMapping(false);
  expectError(run(three, [&](auto* encoder) { encoder->setColorAttachmentMap(map.get()); }),
              {"setColorAttachmentMap", "supportColorAttachmentMapping"});
}

} // namespace
} // namespace basanite::tests
