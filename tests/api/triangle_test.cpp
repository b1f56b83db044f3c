// SPDX-License-Identifier: Apache-2.0
// Rasterized triangles: which pixels, which way up, culling, viewports, depth, stencil, blending and attachments.
#include "tests/support/metal_fixture.hpp"

#include <array>
#include <bit>
#include <cmath>

namespace basanite::tests {
namespace {

constexpr NS::UInteger kSize = 64;

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;

struct Corner {
  float4 position;
  float4 color;
};
struct Varyings {
  float4 position [[position]];
  float4 color;
  float4 flatColor [[flat]];
  float pointSize [[point_size]];
};
struct PlainVaryings {
  float4 position [[position]];
  float4 color;
};

vertex Varyings corners(uint id [[vertex_id]], const device Corner* in [[buffer(0)]]) {
  Varyings out;
  out.position = in[id].position;
  out.color = in[id].color;
  out.flatColor = in[id].color;
  out.pointSize = 4.0f;
  return out;
}
vertex PlainVaryings cornersWithoutPointSize(uint id [[vertex_id]], const device Corner* in [[buffer(0)]]) {
  PlainVaryings out;
  out.position = in[id].position;
  out.color = in[id].color;
  return out;
}

fragment float4 interpolated(PlainVaryings in [[stage_in]]) { return in.color; }
fragment float4 flatShaded(Varyings in [[stage_in]]) { return in.flatColor; }
fragment float4 facing(PlainVaryings in [[stage_in]], bool front [[front_facing]]) {
  return front ? float4(0, 1, 0, 1) : float4(1, 0, 0, 1);
}
fragment float4 pixelCentre(PlainVaryings in [[stage_in]]) { return float4(in.position.xyz, in.position.w); }
fragment float4 checkered(PlainVaryings in [[stage_in]]) {
  uint2 pixel = uint2(in.position.xy);
  if (((pixel.x ^ pixel.y) & 1) != 0) discard_fragment();
  return in.color;
}

struct DepthOut {
  float4 color [[color(0)]];
  float depth [[depth(any)]];
};
fragment DepthOut ownDepth(PlainVaryings in [[stage_in]]) {
  DepthOut out;
  out.color = in.color;
  out.depth = in.position.x / 64.0f;
  return out;
}

struct TwoTargets {
  float4 first [[color(0)]];
  uint4 second [[color(1)]];
};
fragment TwoTargets twoTargets(PlainVaryings in [[stage_in]]) {
  TwoTargets out;
  out.first = in.color;
  uint2 pixel = uint2(in.position.xy);
  out.second = uint4(pixel, 4000000000u, pixel.x * 100000u + pixel.y);
  return out;
}
fragment int signedPixel(PlainVaryings in [[stage_in]]) { return int(in.position.x) - 1000000000; }

kernel void readDepth(depth2d<float, access::read> depth [[texture(0)]], device float* out [[buffer(0)]],
                      uint2 at [[thread_position_in_grid]], uint2 size [[threads_per_grid]]) {
  out[at.y * size.x + at.x] = depth.read(at);
}
fragment float4 showDepth(PlainVaryings in [[stage_in]], depth2d<float> depth [[texture(0)]]) {
  float value = depth.read(uint2(in.position.xy));
  return float4(value, value, value, 1);
}
)";

struct Corner {
  float position[4];
  float color[4];
};

using Color = std::array<float, 4>;
constexpr Color kRed{1, 0, 0, 1}, kGreen{0, 1, 0, 1}, kBlue{0, 0, 1, 1};
constexpr Pixel kBlackPixel{0, 0, 0, 255}, kRedPixel{255, 0, 0, 255}, kGreenPixel{0, 255, 0, 255},
    kBluePixel{0, 0, 255, 255};

// A corner at a place in pixels of the 64 x 64 target, counted from its top left.
Corner at(float x, float y, Color color, float z = 0.5f, float w = 1) {
  const float clipX = x / 32 - 1, clipY = 1 - y / 32;
  return {{clipX * w, clipY * w, z * w, w}, {color[0], color[1], color[2], color[3]}};
}

std::vector<Corner> fullScreen(Color color, float z = 0.5f) {
  return {at(0, 0, color, z), at(128, 0, color, z), at(0, 128, color, z)};
}

class Triangle : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    ASSERT_TRUE(m_library);
    m_target = colorTarget(kSize, kSize);
    m_depth = texture(kSize, kSize, MTL::PixelFormatDepth32Float,
                      MTL::TextureUsageRenderTarget | MTL::TextureUsageShaderRead);
    m_table = argumentTable(1);
  }

  using SetUpAttachment = std::function<void(MTL4::RenderPipelineColorAttachmentDescriptor*)>;
  NS::SharedPtr<MTL::RenderPipelineState> pipeline(std::string_view fragment, const SetUpAttachment& setUp = {},
                                                   MTL::PixelFormat format = MTL::PixelFormatRGBA8Unorm) {
    const bool takesFlat = fragment == "flatShaded";
    return renderPipeline(m_library.get(), takesFlat ? "corners" : "cornersWithoutPointSize", fragment,
                          [&](MTL4::RenderPipelineDescriptor* descriptor) {
                            if (format == MTL::PixelFormatInvalid) return;
                            auto* attachment = descriptor->colorAttachments()->object(0);
                            attachment->setPixelFormat(format);
                            if (setUp) setUp(attachment);
                          });
  }

  MTL4::RenderPassDescriptor* depthPass(MTL::Texture* color, MTL::Texture* depth, double clearDepth = 1) {
    auto* pass = color ? clearPass(color) : MTL4::RenderPassDescriptor::alloc()->init()->autorelease();
    auto attachment = NS::TransferPtr(MTL::RenderPassDepthAttachmentDescriptor::alloc()->init());
    attachment->setTexture(depth);
    attachment->setLoadAction(MTL::LoadActionClear);
    attachment->setStoreAction(MTL::StoreActionStore);
    attachment->setClearDepth(clearDepth);
    pass->setDepthAttachment(attachment.get());
    return pass;
  }

  // Draws the corners as one list; the buffer lives until the test ends.
  void draw(MTL4::RenderCommandEncoder* encoder, const std::vector<Corner>& corners,
            MTL::PrimitiveType type = MTL::PrimitiveTypeTriangle) {
    m_buffers.push_back(sharedBuffer(corners));
    m_table->setAddress(m_buffers.back()->gpuAddress(), 0);
    encoder->setArgumentTable(m_table.get(), MTL::RenderStageVertex);
    encoder->drawPrimitives(type, NS::UInteger(0), NS::UInteger(corners.size()));
  }

  // One pass on the target cleared to opaque black, and its pixels.
  std::vector<Pixel> drawn(MTL4::RenderPassDescriptor* pass,
                           const std::function<void(MTL4::RenderCommandEncoder*)>& record) {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(pass);
                ASSERT_NE(encoder, nullptr);
                record(encoder);
                encoder->endEncoding();
              }),
              "");
    return pixels(m_target.get());
  }
  std::vector<Pixel> drawn(const std::function<void(MTL4::RenderCommandEncoder*)>& record) {
    return drawn(clearPass(m_target.get()), record);
  }

  // Every pixel must be what `expected` says; the first few differences are shown.
  template <class T>
  void expectAll(const std::vector<T>& got, const std::function<T(int x, int y)>& expected, int width = kSize) {
    int shown = 0;
    for (size_t i = 0; i < got.size() && shown < 4; ++i) {
      const int x = int(i) % width, y = int(i) / width;
      const T wanted = expected(x, y);
      if (got[i] == wanted) continue;
      ADD_FAILURE() << "pixel (" << x << ", " << y << ") is " << got[i] << ", expected " << wanted;
      ++shown;
    }
  }

  std::vector<float> depthValues(MTL::Texture* depth) {
    auto reader = computePipeline(m_library.get(), "readDepth");
    auto out = sharedBuffer(depth->width() * depth->height() * 4);
    auto table = argumentTable(1, 1);
    table->setAddress(out->gpuAddress(), 0);
    table->setTexture(depth->gpuResourceID(), 0);
    dispatch(reader.get(), table.get(), MTL::Size::Make(depth->width(), depth->height(), 1), MTL::Size::Make(8, 8, 1));
    return contents<float>(out.get());
  }

  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL::Texture> m_target, m_depth;
  NS::SharedPtr<MTL4::ArgumentTable> m_table;
  std::vector<NS::SharedPtr<MTL::Buffer>> m_buffers;
};

// Twice the signed area, in 1/4 pixels, so that it is exact; positive for clockwise corners as seen on the screen.
long edge(const Corner& a, const Corner& b, double px, double py) {
  const auto fixedX = [](const Corner& c) { return std::lround((c.position[0] + 1) * 32 * 4); };
  const auto fixedY = [](const Corner& c) { return std::lround((1 - c.position[1]) * 32 * 4); };
  const long ax = fixedX(a), ay = fixedY(a), bx = fixedX(b), by = fixedY(b);
  return (bx - ax) * (std::lround(py * 4) - ay) - (by - ay) * (std::lround(px * 4) - ax);
}

TEST_F(Triangle, FillsExactlyThePixelsWhoseCentresAreInside) {
  // Clockwise and lopsided, so that any flip shows; no centre lies on an edge.
  const std::vector<Corner> corners{at(10.25f, 5.75f, kRed), at(59.75f, 20.25f, kRed), at(20.25f, 58.75f, kRed)};
  auto state = pipeline("interpolated");
  ASSERT_TRUE(state);
  auto got = drawn([&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(state.get());
    draw(encoder, corners);
  });
  int inside = 0;
  expectAll<Pixel>(got, [&](int x, int y) {
    const double px = x + 0.5, py = y + 0.5;
    const long e0 = edge(corners[0], corners[1], px, py), e1 = edge(corners[1], corners[2], px, py),
               e2 = edge(corners[2], corners[0], px, py);
    EXPECT_TRUE(e0 != 0 && e1 != 0 && e2 != 0) << "a centre on an edge proves nothing";
    const bool isInside = e0 > 0 && e1 > 0 && e2 > 0;
    inside += isInside;
    return isInside ? kRedPixel : kBlackPixel;
  });
  EXPECT_GT(inside, 1000);
}

TEST_F(Triangle, InterpolatesWithPerspectiveAndFlatTakesTheFirstCorner) {
  // Depth-like w along y: without perspective the middle would be half, with it it is a third.
  std::vector<Corner> corners{at(0, 0, {0, 0, 0, 1}, 0.5f, 1), at(64, 0, {0, 0, 0, 1}, 0.5f, 1),
                              at(0, 64, {1, 0, 0, 1}, 0.5f, 2), at(0, 64, {1, 0, 0, 1}, 0.5f, 2),
                              at(64, 0, {0, 0, 0, 1}, 0.5f, 1), at(64, 64, {1, 0, 0, 1}, 0.5f, 2)};
  auto state = pipeline("interpolated");
  auto flat = pipeline("flatShaded");
  ASSERT_TRUE(state && flat);
  auto got = drawn([&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(state.get());
    draw(encoder, corners);
  });
  for (int y = 0; y < int(kSize); ++y) {
    const double t = (y + 0.5) / 64, red = (t / 2) / ((1 - t) / 1 + t / 2);
    for (int x : {1, 20, 33, 62}) {
      const Pixel pixel = got[y * kSize + x];
      EXPECT_NEAR(pixel.r, red * 255, 1.01) << x << ", " << y;
      EXPECT_EQ(pixel.g, 0);
      EXPECT_EQ(pixel.a, 255);
    }
  }
  corners = {at(0, 0, kGreen), at(128, 0, kRed), at(0, 128, kBlue)};
  got = drawn([&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(flat.get());
    draw(encoder, corners);
  });
  expectAll<Pixel>(got, [](int, int) { return kGreenPixel; });
}

TEST_F(Triangle, ClockwiseIsTheFrontAndCullingFollowsTheWinding) {
  const std::vector<Corner> clockwise{at(0, 0, kRed), at(64, 0, kRed), at(0, 64, kRed)};
  const std::vector<Corner> counter{at(64, 0, kRed), at(0, 0, kRed), at(0, 64, kRed)};
  auto state = pipeline("facing");
  ASSERT_TRUE(state);
  struct Case {
    const std::vector<Corner>& corners;
    MTL::Winding winding;
    MTL::CullMode cull;
    Pixel expected;
  };
  const Case cases[] = {
      {clockwise, MTL::WindingClockwise, MTL::CullModeNone, kGreenPixel},
      {counter, MTL::WindingClockwise, MTL::CullModeNone, kRedPixel},
      {clockwise, MTL::WindingCounterClockwise, MTL::CullModeNone, kRedPixel},
      {counter, MTL::WindingCounterClockwise, MTL::CullModeNone, kGreenPixel},
      {clockwise, MTL::WindingClockwise, MTL::CullModeBack, kGreenPixel},
      {clockwise, MTL::WindingClockwise, MTL::CullModeFront, kBlackPixel},
      {counter, MTL::WindingClockwise, MTL::CullModeBack, kBlackPixel},
      {counter, MTL::WindingClockwise, MTL::CullModeFront, kRedPixel},
      {counter, MTL::WindingCounterClockwise, MTL::CullModeBack, kGreenPixel},
  };
  int index = 0;
  for (const Case& c : cases) {
    auto got = drawn([&](MTL4::RenderCommandEncoder* encoder) {
      encoder->setRenderPipelineState(state.get());
      if (c.winding != MTL::WindingClockwise) encoder->setFrontFacingWinding(c.winding); // clockwise is the default
      if (c.cull != MTL::CullModeNone) encoder->setCullMode(c.cull);
      draw(encoder, c.corners);
    });
    EXPECT_EQ(got[8 * kSize + 8], c.expected) << "case " << index;
    EXPECT_EQ(got[60 * kSize + 60], kBlackPixel) << "case " << index;
    ++index;
  }
}

TEST_F(Triangle, ViewportAndScissorCutExactRectangles) {
  auto state = pipeline("interpolated");
  ASSERT_TRUE(state);
  auto got = drawn([&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(state.get());
    encoder->setViewport(MTL::Viewport{16, 8, 32, 16, 0, 1});
    draw(encoder, fullScreen(kRed));
    encoder->setViewport(MTL::Viewport{0, 0, kSize, kSize, 0, 1});
    encoder->setScissorRect(MTL::ScissorRect{5, 40, 7, 9});
    draw(encoder, fullScreen(kBlue));
  });
  expectAll<Pixel>(got, [](int x, int y) {
    if (x >= 5 && x < 12 && y >= 40 && y < 49) return kBluePixel;
    return x >= 16 && x < 48 && y >= 8 && y < 24 ? kRedPixel : kBlackPixel;
  });

  // The top half of a viewport is clip space's y > 0.
  got = drawn([&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(state.get());
    encoder->setViewport(MTL::Viewport{32, 32, 32, 32, 0, 1});
    draw(encoder, {at(0, 0, kGreen), at(64, 0, kGreen), at(0, 32, kGreen), at(0, 32, kGreen), at(64, 0, kGreen),
                   at(64, 32, kGreen)});
  });
  expectAll<Pixel>(got, [](int x, int y) { return x >= 32 && y >= 32 && y < 48 ? kGreenPixel : kBlackPixel; });
}

TEST_F(Triangle, FragmentPositionIsThePixelCentreWithDepthAndOneOverW) {
  auto target = colorTarget(kSize, kSize, MTL::PixelFormatRGBA32Float);
  auto state = pipeline("pixelCentre", {}, MTL::PixelFormatRGBA32Float);
  ASSERT_TRUE(state);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(target.get()));
              encoder->setRenderPipelineState(state.get());
              encoder->setViewport(MTL::Viewport{0, 0, kSize, kSize, 0.25, 0.75});
              draw(encoder, {at(0, 0, kRed, 0.5f, 4), at(128, 0, kRed, 0.5f, 4), at(0, 128, kRed, 0.5f, 4)});
              encoder->endEncoding();
            }),
            "");
  auto got = texels<std::array<float, 4>>(target.get());
  for (int y : {0, 1, 31, 63})
    for (int x : {0, 1, 40, 63}) {
      const auto& value = got[y * kSize + x];
      EXPECT_EQ(value[0], x + 0.5f);
      EXPECT_EQ(value[1], y + 0.5f);
      EXPECT_NEAR(value[2], 0.5f, 1e-6);
      EXPECT_NEAR(value[3], 0.25f, 1e-6);
    }
}

TEST_F(Triangle, NearerWinsInBothOrdersAndTheWriteMaskHolds) {
  auto state = pipeline("interpolated");
  ASSERT_TRUE(state);
  auto less = depthState(MTL::CompareFunctionLess, true);
  auto lessNoWrite = depthState(MTL::CompareFunctionLess, false);
  const auto near = fullScreen(kGreen, 0.25f), far = fullScreen(kRed, 0.75f);
  for (bool nearFirst : {true, false}) {
    auto got = drawn(depthPass(m_target.get(), m_depth.get()), [&](MTL4::RenderCommandEncoder* encoder) {
      encoder->setRenderPipelineState(state.get());
      encoder->setDepthStencilState(less.get());
      draw(encoder, nearFirst ? near : far);
      draw(encoder, nearFirst ? far : near);
    });
    expectAll<Pixel>(got, [](int, int) { return kGreenPixel; });
  }
  // Without the write the near triangle leaves no trace in the depth.
  auto got = drawn(depthPass(m_target.get(), m_depth.get()), [&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(state.get());
    encoder->setDepthStencilState(lessNoWrite.get());
    draw(encoder, near);
    draw(encoder, far);
  });
  expectAll<Pixel>(got, [](int, int) { return kRedPixel; });
  // Without a state nothing is tested or written, whatever the attachment holds.
  got = drawn(depthPass(m_target.get(), m_depth.get(), 0), [&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(state.get());
    draw(encoder, far);
  });
  expectAll<Pixel>(got, [](int, int) { return kRedPixel; });
  // An interpenetrating pair: each wins where it is nearer.
  got = drawn(depthPass(m_target.get(), m_depth.get()), [&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(state.get());
    encoder->setDepthStencilState(less.get());
    draw(encoder, {at(0, 0, kBlue, 0), at(64, 0, kBlue, 1), at(0, 128, kBlue, 0), at(64, 0, kBlue, 1),
                   at(64, 128, kBlue, 1), at(0, 128, kBlue, 0)});
    draw(encoder, fullScreen(kGreen, 0.5f));
  });
  expectAll<Pixel>(got, [](int x, int) { return x < 32 ? kBluePixel : kGreenPixel; });
}

TEST_F(Triangle, EveryDepthCompareFunctionDecidesAsNamed) {
  auto state = pipeline("interpolated");
  ASSERT_TRUE(state);
  auto always = depthState(MTL::CompareFunctionAlways, true);
  std::vector<NS::SharedPtr<MTL::DepthStencilState>> states;
  for (int f = 0; f < 8; ++f) states.push_back(depthState(static_cast<MTL::CompareFunction>(f), false));
  const float depths[] = {0.25f, 0.5f, 0.75f};
  auto got = drawn(depthPass(m_target.get(), m_depth.get()), [&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(state.get());
    encoder->setDepthStencilState(always.get());
    draw(encoder, fullScreen(kRed, 0.5f));
    for (NS::UInteger f = 0; f < 8; ++f) {
      encoder->setDepthStencilState(states[f].get());
      for (NS::UInteger d = 0; d < 3; ++d) {
        encoder->setScissorRect(MTL::ScissorRect{f * 8, d * 8, 8, 8});
        draw(encoder, fullScreen(kGreen, depths[d]));
      }
    }
  });
  // Rows: less, equal, greater than what is stored.
  const bool passes[3][8] = {{false, true, false, true, false, true, false, true},
                             {false, false, true, true, false, false, true, true},
                             {false, false, false, false, true, true, true, true}};
  expectAll<Pixel>(got, [&](int x, int y) { return y < 24 && passes[y / 8][x / 8] ? kGreenPixel : kRedPixel; });
}

TEST_F(Triangle, DepthOnlyPassIsReadBackThroughDepthTextures) {
  auto depthOnly = pipeline("", {}, MTL::PixelFormatInvalid);
  auto show = pipeline("showDepth");
  ASSERT_TRUE(depthOnly && show);
  auto less = depthState(MTL::CompareFunctionLess, true);
  auto shown = argumentTable(1, 1);
  shown->setTexture(m_depth->gpuResourceID(), 0);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(depthPass(nullptr, m_depth.get()));
              encoder->setRenderPipelineState(depthOnly.get());
              encoder->setDepthStencilState(less.get());
              encoder->setScissorRect(MTL::ScissorRect{0, 0, 32, kSize});
              draw(encoder, fullScreen(kRed, 0.25f));
              encoder->endEncoding();
              encoder = commands->renderCommandEncoder(clearPass(m_target.get()));
              encoder->barrierAfterQueueStages(MTL::StageFragment, MTL::StageFragment, MTL4::VisibilityOptionDevice);
              encoder->setRenderPipelineState(show.get());
              encoder->setArgumentTable(shown.get(), MTL::RenderStageFragment);
              draw(encoder, fullScreen(kRed));
              encoder->endEncoding();
            }),
            "");
  expectAll<Pixel>(pixels(m_target.get()), [](int x, int) {
    return x < 32 ? Pixel{64, 64, 64, 255} : Pixel{255, 255, 255, 255};
  });
  expectAll<float>(depthValues(m_depth.get()), [](int x, int) { return x < 32 ? 0.25f : 1.0f; });
}

TEST_F(Triangle, DepthBiasAndShaderDepthAreStored) {
  auto depthOnly = pipeline("", {}, MTL::PixelFormatInvalid);
  auto own = pipeline("ownDepth");
  ASSERT_TRUE(depthOnly && own);
  auto always = depthState(MTL::CompareFunctionAlways, true);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(depthPass(nullptr, m_depth.get()));
              encoder->setRenderPipelineState(depthOnly.get());
              encoder->setDepthStencilState(always.get());
              // A slope of 1/128 a pixel, doubled.
              const std::vector<Corner> ramp{at(0, 0, kRed, 0.25f), at(128, 0, kRed, 1.25f), at(0, 128, kRed, 0.25f)};
              encoder->setDepthBias(0, 2, 0);
              encoder->setScissorRect(MTL::ScissorRect{0, 0, kSize, 16});
              draw(encoder, ramp);
              encoder->setDepthBias(0, 2, 1.0f / 256);
              encoder->setScissorRect(MTL::ScissorRect{0, 16, kSize, 16});
              draw(encoder, ramp);
              // Units of the depth's last place: 2^-24 for values from 0.5 to 1.
              encoder->setDepthBias(float(1 << 20), 0, 0);
              encoder->setScissorRect(MTL::ScissorRect{0, 32, kSize, 16});
              draw(encoder, fullScreen(kRed, 0.5f));
              encoder->setDepthBias(0, 0, 0);
              encoder->setScissorRect(MTL::ScissorRect{0, 48, kSize, 16});
              draw(encoder, ramp);
              encoder->endEncoding();
            }),
            "");
  auto got = depthValues(m_depth.get());
  for (int x : {0, 10, 31, 60}) {
    const float plain = 0.25f + (x + 0.5f) / 128;
    EXPECT_NEAR(got[5 * kSize + x], plain + 2.0f / 128, 1e-5) << x;
    EXPECT_NEAR(got[20 * kSize + x], plain + 1.0f / 256, 1e-5) << x;
    EXPECT_NEAR(got[40 * kSize + x], 0.5625f, 1e-5) << x;
    EXPECT_NEAR(got[60 * kSize + x], plain, 1e-5) << x;
  }

  auto colors = drawn(depthPass(m_target.get(), m_depth.get()), [&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(own.get());
    encoder->setDepthStencilState(always.get());
    draw(encoder, fullScreen(kBlue));
  });
  expectAll<Pixel>(colors, [](int, int) { return kBluePixel; });
  expectAll<float>(depthValues(m_depth.get()), [](int x, int) { return (x + 0.5f) / 64; });
}

TEST_F(Triangle, StencilCountsAndMasks) {
  auto state = pipeline("interpolated");
  ASSERT_TRUE(state);
  auto depthStencil = texture(kSize, kSize, MTL::PixelFormatDepth32Float_Stencil8, MTL::TextureUsageRenderTarget);
  const auto stencilState = [&](MTL::CompareFunction compare, MTL::StencilOperation pass) {
    auto descriptor = NS::TransferPtr(MTL::DepthStencilDescriptor::alloc()->init());
    auto face = NS::TransferPtr(MTL::StencilDescriptor::alloc()->init());
    face->setStencilCompareFunction(compare);
    face->setDepthStencilPassOperation(pass);
    descriptor->setFrontFaceStencil(face.get());
    descriptor->setBackFaceStencil(face.get());
    return NS::TransferPtr(m_device->newDepthStencilState(descriptor.get()));
  };
  auto count = stencilState(MTL::CompareFunctionAlways, MTL::StencilOperationIncrementClamp);
  auto equal = stencilState(MTL::CompareFunctionEqual, MTL::StencilOperationKeep);
  auto* pass = depthPass(m_target.get(), depthStencil.get());
  auto stencil = NS::TransferPtr(MTL::RenderPassStencilAttachmentDescriptor::alloc()->init());
  stencil->setTexture(depthStencil.get());
  stencil->setLoadAction(MTL::LoadActionClear);
  stencil->setStoreAction(MTL::StoreActionDontCare);
  stencil->setClearStencil(3);
  pass->setStencilAttachment(stencil.get());
  auto got = drawn(pass, [&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(state.get());
    encoder->setDepthStencilState(count.get());
    encoder->setScissorRect(MTL::ScissorRect{0, 0, 32, kSize});
    draw(encoder, fullScreen(kRed));
    encoder->setScissorRect(MTL::ScissorRect{0, 0, kSize, 32});
    draw(encoder, fullScreen(kRed));
    encoder->setScissorRect(MTL::ScissorRect{0, 0, kSize, kSize});
    encoder->setDepthStencilState(equal.get());
    encoder->setStencilReferenceValue(5);
    draw(encoder, fullScreen(kGreen));
    encoder->setStencilReferenceValue(3);
    draw(encoder, fullScreen(kBlue));
  });
  expectAll<Pixel>(got, [](int x, int y) {
    if (x < 32 && y < 32) return kGreenPixel;
    return x < 32 || y < 32 ? kRedPixel : kBluePixel;
  });
}

TEST_F(Triangle, DepthClipsOrClampsAndFillModeDrawsEdges) {
  auto state = pipeline("interpolated");
  ASSERT_TRUE(state);
  const std::vector<Corner> behind{at(0, 0, kRed, 1.5f), at(128, 0, kRed, 1.5f), at(0, 128, kRed, 1.5f)};
  auto always = depthState(MTL::CompareFunctionAlways, true);
  for (bool isClamped : {false, true}) {
    auto got = drawn(depthPass(m_target.get(), m_depth.get(), 0.5), [&](MTL4::RenderCommandEncoder* encoder) {
      encoder->setRenderPipelineState(state.get());
      encoder->setDepthStencilState(always.get());
      encoder->setDepthClipMode(isClamped ? MTL::DepthClipModeClamp : MTL::DepthClipModeClip);
      draw(encoder, behind);
    });
    expectAll<Pixel>(got, [&](int, int) { return isClamped ? kRedPixel : kBlackPixel; });
    expectAll<float>(depthValues(m_depth.get()), [&](int, int) { return isClamped ? 1.0f : 0.5f; });
  }
  auto got = drawn([&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(state.get());
    encoder->setTriangleFillMode(MTL::TriangleFillModeLines);
    draw(encoder, {at(8.5f, 8.5f, kGreen), at(56.5f, 8.5f, kGreen), at(8.5f, 56.5f, kGreen)});
    encoder->setTriangleFillMode(MTL::TriangleFillModeFill);
    draw(encoder, {at(40, 40, kBlue), at(64, 40, kBlue), at(40, 64, kBlue)});
  });
  EXPECT_EQ(got[8 * kSize + 30], kGreenPixel) << "the upper edge";
  EXPECT_EQ(got[30 * kSize + 8], kGreenPixel) << "the left edge";
  EXPECT_EQ(got[20 * kSize + 20], kBlackPixel) << "the inside";
  EXPECT_EQ(got[44 * kSize + 44], kBluePixel) << "filled again";
}

TEST_F(Triangle, BlendsAndMasksAsDescribed) {
  const auto over = pipeline("interpolated", [](MTL4::RenderPipelineColorAttachmentDescriptor* a) {
    a->setBlendingState(MTL4::BlendStateEnabled);
    a->setSourceRGBBlendFactor(MTL::BlendFactorSourceAlpha);
    a->setDestinationRGBBlendFactor(MTL::BlendFactorOneMinusSourceAlpha);
    a->setSourceAlphaBlendFactor(MTL::BlendFactorZero);
    a->setDestinationAlphaBlendFactor(MTL::BlendFactorOne);
  });
  const auto add = pipeline("interpolated", [](MTL4::RenderPipelineColorAttachmentDescriptor* a) {
    a->setBlendingState(MTL4::BlendStateEnabled);
    a->setDestinationRGBBlendFactor(MTL::BlendFactorOne);
  });
  const auto subtract = pipeline("interpolated", [](MTL4::RenderPipelineColorAttachmentDescriptor* a) {
    a->setBlendingState(MTL4::BlendStateEnabled);
    a->setDestinationRGBBlendFactor(MTL::BlendFactorOne);
    a->setRgbBlendOperation(MTL::BlendOperationReverseSubtract);
    a->setAlphaBlendOperation(MTL::BlendOperationMax);
  });
  const auto constant = pipeline("interpolated", [](MTL4::RenderPipelineColorAttachmentDescriptor* a) {
    a->setBlendingState(MTL4::BlendStateEnabled);
    a->setSourceRGBBlendFactor(MTL::BlendFactorBlendColor);
    a->setSourceAlphaBlendFactor(MTL::BlendFactorBlendAlpha);
  });
  const auto greenOnly = pipeline("interpolated", [](MTL4::RenderPipelineColorAttachmentDescriptor* a) {
    a->setWriteMask(MTL::ColorWriteMaskGreen);
  });
  // Factors without the state set change nothing.
  const auto disabled = pipeline("interpolated", [](MTL4::RenderPipelineColorAttachmentDescriptor* a) {
    a->setSourceRGBBlendFactor(MTL::BlendFactorZero);
    a->setDestinationRGBBlendFactor(MTL::BlendFactorOne);
  });
  ASSERT_TRUE(over && add && subtract && constant && greenOnly && disabled);
  // Fifths of 255 are exact, so no rounding is in the way: the ground is (51, 102, 153, 255).
  struct Row {
    MTL::RenderPipelineState* pipeline;
    Color color;
    Pixel expected;
  };
  const Row rows[] = {
      {over.get(), {1, 0, 0, 0.6f}, {173, 41, 61, 255}},
      {add.get(), {0.4f, 0.8f, 0, 1}, {153, 255, 153, 255}},
      {subtract.get(), {0.4f, 0.2f, 0.2f, 0}, {0, 51, 102, 255}},
      {constant.get(), {1, 1, 0.5f, 1}, {51, 204, 77, 102}},
      {greenOnly.get(), {1, 1, 1, 0}, {51, 255, 153, 255}},
      {disabled.get(), {1, 0, 1, 0}, {255, 0, 255, 0}},
  };
  auto* pass = clearPass(m_target.get(), MTL::ClearColor::Make(0.2, 0.4, 0.6, 1));
  auto got = drawn(pass, [&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setBlendColor(0.2f, 0.8f, 0.6f, 0.4f);
    NS::UInteger y = 0;
    for (const Row& row : rows) {
      encoder->setRenderPipelineState(row.pipeline);
      encoder->setScissorRect(MTL::ScissorRect{0, y, kSize, 8});
      draw(encoder, fullScreen(row.color));
      y += 8;
    }
  });
  for (size_t i = 0; i < std::size(rows); ++i)
    for (int x : {0, 31, 63}) {
      const Pixel pixel = got[(i * 8 + 3) * kSize + x], wanted = rows[i].expected;
      EXPECT_TRUE(std::abs(pixel.r - wanted.r) <= 1 && std::abs(pixel.g - wanted.g) <= 1 &&
                  std::abs(pixel.b - wanted.b) <= 1 && std::abs(pixel.a - wanted.a) <= 1)
          << "row " << i << ": " << pixel << ", expected " << wanted;
    }
  EXPECT_EQ(got[63 * kSize], (Pixel{51, 102, 153, 255}));
}

TEST_F(Triangle, ClearOnlyPassesClearEveryKindOfTarget) {
  EXPECT_EQ(drawn(clearPass(m_target.get(), MTL::ClearColor::Make(0.2, 0.4, 0.6, 0.8)), [](auto*) {}),
            std::vector<Pixel>(kSize * kSize, Pixel{51, 102, 153, 204}));
  auto unsignedTarget = colorTarget(5, 3, MTL::PixelFormatR32Uint);
  auto signedTarget = colorTarget(5, 3, MTL::PixelFormatRGBA32Sint);
  auto halfTarget = colorTarget(5, 3, MTL::PixelFormatRGBA16Float);
  auto bgraTarget = colorTarget(5, 3, MTL::PixelFormatBGRA8Unorm);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              const std::pair<MTL::Texture*, MTL::ClearColor> clears[] = {
                  {unsignedTarget.get(), MTL::ClearColor::Make(4000000001.0, 0, 0, 0)},
                  {signedTarget.get(), MTL::ClearColor::Make(-5, 2000000001.0, 0, -2147483648.0)},
                  {halfTarget.get(), MTL::ClearColor::Make(-1.5, 1024, 0.25, 0)},
                  {bgraTarget.get(), MTL::ClearColor::Make(1, 0.6, 0.2, 0)}};
              for (auto& [target, color] : clears)
                commands->renderCommandEncoder(clearPass(target, color))->endEncoding();
            }),
            "");
  EXPECT_EQ(texels<uint32_t>(unsignedTarget.get()), std::vector<uint32_t>(15, 4000000001u));
  using Four = std::array<int32_t, 4>;
  EXPECT_EQ(texels<Four>(signedTarget.get()), std::vector<Four>(15, Four{-5, 2000000001, 0, INT32_MIN}));
  using Halves = std::array<uint16_t, 4>;
  EXPECT_EQ(texels<Halves>(halfTarget.get()), std::vector<Halves>(15, Halves{0xbe00, 0x6400, 0x3400, 0}));
  using Bytes = std::array<uint8_t, 4>;
  EXPECT_EQ(texels<Bytes>(bgraTarget.get()), std::vector<Bytes>(15, Bytes{51, 153, 255, 0}));
}

TEST_F(Triangle, LoadKeepsWhatAnEarlierPassStored) {
  auto state = pipeline("interpolated");
  ASSERT_TRUE(state);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* encoder =
                  commands->renderCommandEncoder(clearPass(m_target.get(), MTL::ClearColor::Make(1, 0, 0, 1)));
              encoder->setRenderPipelineState(state.get());
              encoder->setScissorRect(MTL::ScissorRect{0, 0, 16, kSize});
              draw(encoder, fullScreen(kGreen));
              encoder->endEncoding();
              auto* load = clearPass(m_target.get(), MTL::ClearColor::Make(1, 1, 1, 1));
              load->colorAttachments()->object(0)->setLoadAction(MTL::LoadActionLoad);
              encoder = commands->renderCommandEncoder(load);
              encoder->barrierAfterQueueStages(MTL::StageFragment, MTL::StageFragment, MTL4::VisibilityOptionDevice);
              encoder->setRenderPipelineState(state.get());
              encoder->setScissorRect(MTL::ScissorRect{48, 0, 16, kSize});
              draw(encoder, fullScreen(kBlue));
              encoder->endEncoding();
            }),
            "");
  expectAll<Pixel>(pixels(m_target.get()), [](int x, int) {
    return x < 16 ? kGreenPixel : x < 48 ? kRedPixel : kBluePixel;
  });
}

TEST_F(Triangle, TwoAttachmentsAndIntegerTargetsGetTheirOwnValues) {
  auto integers = colorTarget(kSize, kSize, MTL::PixelFormatRGBA32Uint);
  auto state = renderPipeline(m_library.get(), "cornersWithoutPointSize", "twoTargets",
                              [](MTL4::RenderPipelineDescriptor* descriptor) {
                                descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
                                descriptor->colorAttachments()->object(1)->setPixelFormat(MTL::PixelFormatRGBA32Uint);
                              });
  auto signedState = pipeline("signedPixel", {}, MTL::PixelFormatR32Sint);
  ASSERT_TRUE(state && signedState);
  auto* pass = clearPass(m_target.get());
  auto* second = pass->colorAttachments()->object(1);
  second->setTexture(integers.get());
  second->setLoadAction(MTL::LoadActionClear);
  second->setStoreAction(MTL::StoreActionStore);
  second->setClearColor(MTL::ClearColor::Make(7, 8, 9, 10));
  auto got = drawn(pass, [&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(state.get());
    encoder->setScissorRect(MTL::ScissorRect{0, 0, 32, kSize});
    draw(encoder, fullScreen(kBlue));
  });
  expectAll<Pixel>(got, [](int x, int) { return x < 32 ? kBluePixel : kBlackPixel; });
  auto numbers = texels<std::array<uint32_t, 4>>(integers.get());
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) {
      const auto wanted = x < 32 ? std::array<uint32_t, 4>{x, y, 4000000000u, x * 100000u + y}
                                 : std::array<uint32_t, 4>{7, 8, 9, 10};
      ASSERT_EQ(numbers[y * kSize + x], wanted) << x << ", " << y;
    }

  auto signedTarget = colorTarget(kSize, kSize, MTL::PixelFormatR32Sint);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(signedTarget.get()));
              encoder->setRenderPipelineState(signedState.get());
              draw(encoder, fullScreen(kRed));
              encoder->endEncoding();
            }),
            "");
  expectAll<int32_t>(texels<int32_t>(signedTarget.get()), [](int x, int) { return x - 1000000000; });
}

TEST_F(Triangle, DiscardLeavesColourAndDepthAlone) {
  auto state = pipeline("checkered");
  ASSERT_TRUE(state);
  auto less = depthState(MTL::CompareFunctionLess, true);
  auto got = drawn(depthPass(m_target.get(), m_depth.get()), [&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(state.get());
    encoder->setDepthStencilState(less.get());
    draw(encoder, fullScreen(kRed, 0.25f));
  });
  expectAll<Pixel>(got, [](int x, int y) { return ((x ^ y) & 1) ? kBlackPixel : kRedPixel; });
  expectAll<float>(depthValues(m_depth.get()), [](int x, int y) { return ((x ^ y) & 1) ? 1.0f : 0.25f; });
}

TEST_F(Triangle, PointsLinesAndStripsCoverWhatTheyShould) {
  auto state = pipeline("flatShaded");
  ASSERT_TRUE(state);
  auto got = drawn([&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setRenderPipelineState(state.get());
    draw(encoder, {at(10, 10, kRed), at(30, 12, kGreen)}, MTL::PrimitiveTypePoint);
    draw(encoder, {at(4.5f, 40.5f, kBlue), at(60.5f, 40.5f, kBlue)}, MTL::PrimitiveTypeLine);
    draw(encoder, {at(8, 48, kRed), at(40, 48, kRed), at(8, 60, kRed), at(40, 60, kRed)},
         MTL::PrimitiveTypeTriangleStrip);
  });
  expectAll<Pixel>(got, [&](int x, int y) {
    if (y == 40 && (x < 6 || x > 58)) return got[y * kSize + x]; // a line's ends depend on the device
    if (y == 40) return kBluePixel;
    if (x >= 8 && x < 12 && y >= 8 && y < 12) return kRedPixel; // points are 4 wide
    if (x >= 28 && x < 32 && y >= 10 && y < 14) return kGreenPixel;
    return x >= 8 && x < 40 && y >= 48 && y < 60 ? kRedPixel : kBlackPixel;
  });
}

TEST_F(Triangle, RendersIntoALevelAndASliceOfATexture) {
  auto state = pipeline("interpolated");
  ASSERT_TRUE(state);
  auto descriptor = NS::TransferPtr(MTL::TextureDescriptor::alloc()->init());
  descriptor->setTextureType(MTL::TextureType2DArray);
  descriptor->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  descriptor->setWidth(kSize * 2);
  descriptor->setHeight(kSize * 2);
  descriptor->setMipmapLevelCount(2);
  descriptor->setArrayLength(3);
  descriptor->setUsage(MTL::TextureUsageRenderTarget | MTL::TextureUsageShaderRead);
  descriptor->setStorageMode(MTL::StorageModePrivate);
  auto layered = NS::TransferPtr(m_device->newTexture(descriptor.get()));
  ASSERT_TRUE(layered);
  m_residency->addAllocation(layered.get());
  m_residency->commit();
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              for (NS::UInteger slice = 0; slice < 3; ++slice)
                for (NS::UInteger level = 0; level < 2; ++level) {
                  auto* pass = clearPass(layered.get());
                  pass->colorAttachments()->object(0)->setSlice(slice);
                  pass->colorAttachments()->object(0)->setLevel(level);
                  MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(pass);
                  if (slice == 1 && level == 1) {
                    encoder->setRenderPipelineState(state.get());
                    draw(encoder, {at(0, 0, kGreen), at(64, 0, kGreen), at(0, 64, kGreen)});
                  }
                  encoder->endEncoding();
                }
            }),
            "");
  expectAll<Pixel>(texels<Pixel>(layered.get(), 1, 1), [](int x, int y) {
    return x + y < 63 ? kGreenPixel : kBlackPixel; // centres on the slanted edge, a lower right one, are outside
  });
  expectAll<Pixel>(texels<Pixel>(layered.get(), 1, 0), [](int, int) { return kBlackPixel; });
  expectAll<Pixel>(texels<Pixel>(layered.get(), 0, 1), [](int, int) { return kBlackPixel; }, kSize * 2);
}

} // namespace
} // namespace basanite::tests
