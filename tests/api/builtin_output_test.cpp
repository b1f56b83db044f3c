// SPDX-License-Identifier: Apache-2.0
// What vertex functions say beside their position and fragment functions beside their colour, derivatives,
// samples and interpolation, as pixels.
#include "tests/support/metal_fixture.hpp"

#include <array>
#include <cmath>

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;

float4 corner(uint id) { return float4(id == 1 ? 3.0 : -1.0, id == 2 ? 3.0 : -1.0, 0.5, 1.0); }
struct Plain { float4 position [[position]]; };
vertex Plain fullScreen(uint id [[vertex_id]]) { Plain out; out.position = corner(id); return out; }

// A plane is what it is at every pixel; its steps are exact.
fragment float4 derivatives(Plain in [[stage_in]]) {
  float plane = in.position.x * 3 - in.position.y * 5;
  half2 halves = half2(half(in.position.x), half(in.position.y));
  return float4(dfdx(plane), dfdy(plane), fwidth(plane), float(dfdx(halves).x + dfdy(halves).y));
}

struct Clipped { float4 position [[position]]; float distance [[clip_distance]] [2]; };
vertex Clipped clipped(uint id [[vertex_id]]) {
  Clipped out;
  out.position = corner(id);
  out.distance[0] = out.position.x;        // the right half
  out.distance[1] = out.position.y + 0.5f; // all but the lowest quarter
  return out;
}
fragment float4 white() { return float4(1); }

struct Layered { float4 position [[position]]; uint layer [[render_target_array_index]]; };
vertex Layered layered(uint id [[vertex_id]], uint instance [[instance_id]]) {
  Layered out;
  out.position = corner(id);
  out.layer = 2 - instance;
  return out;
}
fragment float4 showLayer(Layered in [[stage_in]]) { return float4(float(in.layer + 1) * 10); }

fragment float4 showSamples(Plain in [[stage_in]], uint sample [[sample_id]]) {
  return float4(float(1u << (2 * sample)), float(get_num_samples()), 0, 1);
}
struct Masked { float4 color [[color(0)]]; uint mask [[sample_mask]]; };
fragment Masked twoOfFour(Plain in [[stage_in]]) { return {float4(8), 0x6}; }
fragment float4 positions(Plain in [[stage_in]]) {
  float4 sum = 0;
  for (uint i = 0; i < get_num_samples(); ++i) sum += float4(get_sample_position(i), 0, 0.25f);
  return sum;
}

struct Ways {
  float4 position [[position]];
  float perspective;
  float straight [[center_no_perspective]];
  float3 same [[flat]];
};
vertex Ways ways(uint id [[vertex_id]]) {
  Ways out;
  out.position = corner(id) * (id == 1 ? 4.0 : 1.0); // the right corner is four times as far
  out.perspective = out.straight = id == 1 ? 1 : 0;
  out.same = float3(id + 5);
  return out;
}
fragment float4 showWays(Ways in [[stage_in]]) { return float4(in.perspective, in.straight, in.same.x, 1); }

struct Deep { float4 color [[color(0)]]; float depth [[depth(greater)]]; };
fragment Deep deeper(Plain in [[stage_in]]) { return {float4(1), in.position.x < 8 ? 0.5f : 0.75f}; }
struct Shallow { float4 color [[color(0)]]; float depth [[depth(less)]]; };
fragment Shallow shallower(Plain in [[stage_in]]) { return {float4(2), in.position.y < 4 ? 0.125f : 0.5f}; }

[[early_fragment_tests]] fragment float4 countedEarly(Plain in [[stage_in]], device atomic_uint* count [[buffer(0)]]) {
  atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
  return float4(3);
}
vertex Plain behind(uint id [[vertex_id]]) { Plain out; out.position = corner(id); out.position.z = 0.625; return out; }
)";

using Float4 = std::array<float, 4>;

class BuiltInOutputs : public MetalFixture {
 protected:
  static constexpr NS::UInteger kSize = 16;
  static constexpr MTL::PixelFormat kFormat = MTL::PixelFormatRGBA32Float;

  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    ASSERT_TRUE(m_library);
    m_target = colorTarget(kSize, kSize, kFormat);
  }
  NS::SharedPtr<MTL::RenderPipelineState> pipeline(const char* vertex, const char* fragment,
                                                   NS::UInteger samples = 1, bool layers = false) {
    return renderPipeline(m_library.get(), vertex, fragment, [&](MTL4::RenderPipelineDescriptor* descriptor) {
      descriptor->colorAttachments()->object(0)->setPixelFormat(kFormat);
      descriptor->setRasterSampleCount(samples);
      if (layers) descriptor->setInputPrimitiveTopology(MTL::PrimitiveTopologyClassTriangle);
    });
  }
  NS::SharedPtr<MTL::Texture> made(MTL::TextureType type, MTL::PixelFormat format, NS::UInteger samples,
                                   NS::UInteger layers) {
    auto descriptor = NS::TransferPtr(MTL::TextureDescriptor::alloc()->init());
    descriptor->setTextureType(type);
    descriptor->setPixelFormat(format);
    descriptor->setWidth(kSize);
    descriptor->setHeight(kSize);
    descriptor->setSampleCount(samples);
    descriptor->setArrayLength(layers);
    descriptor->setUsage(MTL::TextureUsageRenderTarget | MTL::TextureUsageShaderRead);
    descriptor->setStorageMode(MTL::StorageModePrivate);
    auto texture = NS::TransferPtr(m_device->newTexture(descriptor.get()));
    EXPECT_TRUE(texture);
    m_residency->addAllocation(texture.get());
    m_residency->commit();
    return texture;
  }
  using Draws = std::function<void(MTL4::RenderCommandEncoder*)>;
  void render(MTL4::RenderPassDescriptor* pass, const Draws& draws) {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                auto* encoder = commands->renderCommandEncoder(pass);
                draws(encoder);
                encoder->endEncoding();
              }),
              "");
  }
  static void triangle(MTL4::RenderCommandEncoder* encoder, MTL::RenderPipelineState* state,
                       NS::UInteger instances = 1) {
    encoder->setRenderPipelineState(state);
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3), instances);
  }
  // One triangle over the target, resolved where it has samples.
  std::vector<Float4> drawn(const char* vertex, const char* fragment, NS::UInteger samples = 1) {
    auto state = pipeline(vertex, fragment, samples);
    if (!state) return std::vector<Float4>(kSize * kSize);
    auto* pass = clearPass(m_target.get(), MTL::ClearColor::Make(0, 0, 0, 0));
    NS::SharedPtr<MTL::Texture> multisampled;
    if (samples > 1) {
      multisampled = made(MTL::TextureType2DMultisample, kFormat, samples, 1);
      pass->colorAttachments()->object(0)->setTexture(multisampled.get());
      pass->colorAttachments()->object(0)->setResolveTexture(m_target.get());
      pass->colorAttachments()->object(0)->setStoreAction(MTL::StoreActionMultisampleResolve);
    }
    render(pass, [&](MTL4::RenderCommandEncoder* encoder) { triangle(encoder, state.get()); });
    return texels<Float4>(m_target.get());
  }

  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL::Texture> m_target;
};

TEST_F(BuiltInOutputs, DerivativesAreTheStepsToTheNextPixel) {
  for (const Float4& texel : drawn("fullScreen", "derivatives")) ASSERT_EQ(texel, (Float4{3, -5, 8, 2}));
}

TEST_F(BuiltInOutputs, ClipDistancesCutAway) {
  const auto texels = drawn("clipped", "white");
  for (NS::UInteger y = 0; y < kSize; ++y)
    for (NS::UInteger x = 0; x < kSize; ++x)
      ASSERT_EQ(texels[y * kSize + x][0], x >= 8 && y < 12 ? 1.0f : 0.0f) << x << ", " << y;
}

TEST_F(BuiltInOutputs, TrianglesGoToTheLayerThatTheirVerticesName) {
  auto state = pipeline("layered", "showLayer", 1, true);
  ASSERT_TRUE(state);
  auto array = made(MTL::TextureType2DArray, kFormat, 1, 3);
  auto* pass = clearPass(array.get(), MTL::ClearColor::Make(0, 0, 0, 0));
  pass->setRenderTargetArrayLength(3);
  render(pass, [&](MTL4::RenderCommandEncoder* encoder) { triangle(encoder, state.get(), 2); });
  for (NS::UInteger layer = 0; layer < 3; ++layer)
    for (const Float4& texel : texels<Float4>(array.get(), 0, layer))
      ASSERT_EQ(texel[0], layer == 0 ? 0.0f : float(layer + 1) * 10) << layer;
}

TEST_F(BuiltInOutputs, EverySampleKnowsItsNumber) {
  // 1 + 4 + 16 + 64 over four samples.
  for (const Float4& texel : drawn("fullScreen", "showSamples", 4)) {
    ASSERT_EQ(texel[0], 21.25f);
    ASSERT_EQ(texel[1], 4.0f);
  }
}

TEST_F(BuiltInOutputs, SampleMasksChooseSamples) {
  for (const Float4& texel : drawn("fullScreen", "twoOfFour", 4))
    ASSERT_EQ(texel[0], 4.0f); // 8 in two samples of four
}

TEST_F(BuiltInOutputs, SamplePositionsSurroundTheCentre) {
  for (NS::UInteger samples : {1, 4})
    for (const Float4& texel : drawn("fullScreen", "positions", samples)) {
      ASSERT_EQ(texel[0], 0.5f * float(samples));
      ASSERT_EQ(texel[1], 0.5f * float(samples));
      ASSERT_EQ(texel[3], 0.25f * float(samples));
    }
}

TEST_F(BuiltInOutputs, InterpolationIsAsDeclared) {
  const auto texels = drawn("ways", "showWays");
  for (NS::UInteger y = 0; y < kSize; ++y)
    for (NS::UInteger x = 0; x < kSize; ++x) {
      // On the screen the corner's weight grows evenly; in space it is divided by its distance, 4.
      const double right = (double(x) + 0.5) / (2 * kSize), rest = 1 - right;
      const Float4& texel = texels[y * kSize + x];
      ASSERT_NEAR(texel[1], right, 1e-5) << x << ", " << y;
      ASSERT_NEAR(texel[0], right / 4 / (right / 4 + rest), 1e-5) << x << ", " << y;
      ASSERT_EQ(texel[2], 5.0f) << x << ", " << y;
    }
}

TEST_F(BuiltInOutputs, DepthsOfTheFragmentFunctionAreTestedAndStored) {
  auto depth = made(MTL::TextureType2D, MTL::PixelFormatDepth32Float, 1, 1);
  auto* pass = clearPass(m_target.get(), MTL::ClearColor::Make(0, 0, 0, 0));
  pass->depthAttachment()->setTexture(depth.get());
  pass->depthAttachment()->setLoadAction(MTL::LoadActionClear);
  pass->depthAttachment()->setStoreAction(MTL::StoreActionStore);
  pass->depthAttachment()->setClearDepth(0.625);
  auto deeper = pipeline("fullScreen", "deeper"), shallower = pipeline("fullScreen", "shallower"),
       counted = pipeline("behind", "countedEarly");
  ASSERT_TRUE(deeper && shallower && counted);
  auto less = depthState(MTL::CompareFunctionLess, true);
  auto count = sharedBuffer(std::vector<uint32_t>{0});
  auto arguments = argumentTable(1);
  arguments->setAddress(count->gpuAddress(), 0);
  render(pass, [&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setDepthStencilState(less.get());
    triangle(encoder, deeper.get()); // 0.5 in the left half, 0.75 fails in the right one
    triangle(encoder,
             shallower.get()); // 0.125 in the upper quarter everywhere, 0.5 below only where 0.625 is left
    encoder->setArgumentTable(arguments.get(), MTL::RenderStageFragment);
    triangle(encoder, counted.get()); // 0.625 is nowhere less: not one fragment runs
  });
  const auto colors = texels<Float4>(m_target.get());
  const auto depths = texels<float>(depth.get());
  for (NS::UInteger y = 0; y < kSize; ++y)
    for (NS::UInteger x = 0; x < kSize; ++x) {
      ASSERT_EQ(depths[y * kSize + x], y < 4 ? 0.125f : 0.5f) << x << ", " << y;
      ASSERT_EQ(colors[y * kSize + x][0], y < 4 || x >= 8 ? 2.0f : 1.0f) << x << ", " << y;
    }
  EXPECT_EQ(contents<uint32_t>(count.get())[0], 0u);
}

} // namespace
} // namespace basanite::tests
