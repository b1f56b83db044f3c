// SPDX-License-Identifier: Apache-2.0
// Built-in inputs of the three stages, as the values that shaders see.
#include "tests/support/metal_fixture.hpp"

#include <array>

namespace basanite::tests {
namespace {

using Uint4 = std::array<uint32_t, 4>;

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;

struct Ids {
  float4 position [[position]];
  float size [[point_size]];
  uint4 ids [[flat]];
};

float4 corner(uint id) { return float4(id == 1 ? 3.0 : -1.0, id == 2 ? 3.0 : -1.0, 0.5, 1.0); }

vertex Ids numbered(uint id [[vertex_id]], uint instance [[instance_id]], uint firstVertex [[base_vertex]],
                    uint firstInstance [[base_instance]], ushort amplified [[amplification_id]],
                    ushort amplification [[amplification_count]]) {
  Ids out;
  out.position = corner(id - firstVertex);
  out.size = 1;
  out.ids = uint4(id, instance, firstVertex * 100 + firstInstance, uint(amplified) * 10 + amplification);
  return out;
}

fragment uint4 showIds(Ids in [[stage_in]]) { return in.ids; }

struct Plain { float4 position [[position]]; };
vertex Plain fullScreen(uint id [[vertex_id]]) { Plain out; out.position = corner(id); return out; }

fragment uint4 showRaster(Plain in [[stage_in]], bool front [[front_facing]], uint primitive [[primitive_id]],
                          uint mask [[sample_mask]]) {
  return uint4(uint(in.position.x * 2), uint(in.position.y * 2), front ? 1 : 2, primitive * 100 + mask);
}

fragment uint4 showLanes(Plain in [[stage_in]], uint lane [[thread_index_in_simdgroup]], ushort width [[threads_per_simdgroup]],
                         uint quad [[thread_index_in_quadgroup]]) {
  return uint4(lane < width, width, quad == (lane & 3), 7);
}

vertex Ids bigPoint(uint id [[vertex_id]]) {
  Ids out;
  out.position = float4(0, 0, 0.5, 1);
  out.size = 8;
  out.ids = uint4(id);
  return out;
}
fragment uint4 showPoint(Ids in [[stage_in]], float2 at [[point_coord]]) { return uint4(uint(at.x * 8), uint(at.y * 8), 1, 1); }

struct Placed { float4 position [[position]]; uint viewport [[viewport_array_index]]; };
vertex Placed inViewport(uint id [[vertex_id]], uint instance [[instance_id]]) {
  Placed out;
  out.position = corner(id);
  out.viewport = instance;
  return out;
}
fragment uint4 showViewport(Placed in [[stage_in]]) { return uint4(in.viewport + 1, 0, 0, 1); }

#ifdef BARYCENTRICS
fragment uint4 showBarycentrics(Plain in [[stage_in]], float3 at [[barycentric_coord]]) { return uint4(uint3(at * 64.0f + 0.5f), 1); }
#endif

struct Lanes { uint lane, simdgroup, width, simdgroups, quadLane, quadgroup, quadWidth, quadgroups; };
kernel void lanes(device Lanes* out [[buffer(0)]], uint id [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]],
                  ushort simdgroup [[simdgroup_index_in_threadgroup]], uint width [[threads_per_simdgroup]],
                  uint simdgroups [[simdgroups_per_threadgroup]], ushort quadLane [[thread_index_in_quadgroup]],
                  uint quadgroup [[quadgroup_index_in_threadgroup]], uint quadWidth [[threads_per_quadgroup]],
                  ushort quadgroups [[quadgroups_per_threadgroup]]) {
  out[id] = {lane, simdgroup, width, simdgroups, quadLane, quadgroup, quadWidth, quadgroups};
}

struct Grid { uint origin[3], size[3], dispatchThreads[3], simdgroups, dispatchSimdgroups, quadgroups, dispatchQuadgroups, width, pad[2]; };
kernel void grid(device Grid* out [[buffer(0)]], uint3 id [[thread_position_in_grid]], uint3 origin [[grid_origin]], uint3 size [[grid_size]],
                 ushort3 dispatchThreads [[dispatch_threads_per_threadgroup]], uint simdgroups [[simdgroups_per_threadgroup]],
                 uint dispatchSimdgroups [[dispatch_simdgroups_per_threadgroup]], ushort quadgroups [[quadgroups_per_threadgroup]],
                 uint dispatchQuadgroups [[dispatch_quadgroups_per_threadgroup]], uint width [[threads_per_simdgroup]]) {
  Grid g = {{origin.x, origin.y, origin.z}, {size.x, size.y, size.z}, {dispatchThreads.x, dispatchThreads.y, dispatchThreads.z},
            simdgroups, dispatchSimdgroups, quadgroups, dispatchQuadgroups, width};
  out[id.y * size.x + id.x] = g;
}
)";

class BuiltInInputs : public MetalFixture {
 protected:
  static constexpr NS::UInteger kSize = 16;

  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_target = colorTarget(kSize, kSize, MTL::PixelFormatRGBA32Uint);
  }

  // One draw into a target of 16 x 16 texels of four integers, cleared to 0.
  std::vector<Uint4> draw(const char* vertex, const char* fragment,
                          const std::function<void(MTL4::RenderCommandEncoder*)>& encode) {
    auto pipeline = renderPipeline(kSource, vertex, fragment, MTL::PixelFormatRGBA32Uint);
    return pipeline ? draw(pipeline.get(), encode) : std::vector<Uint4>(kSize * kSize);
  }
  std::vector<Uint4> draw(MTL::RenderPipelineState* pipeline,
                          const std::function<void(MTL4::RenderCommandEncoder*)>& encode) {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                auto* render = commands->renderCommandEncoder(clearPass(m_target.get(), MTL::ClearColor::Make(0, 0, 0, 0)));
                render->setRenderPipelineState(pipeline);
                encode(render);
                render->endEncoding();
              }),
              "");
    return texels<Uint4>(m_target.get());
  }

  NS::SharedPtr<MTL::Texture> m_target;
};

TEST_F(BuiltInInputs, VertexAndInstanceNumbersIncludeTheirBases) {
  auto indices = sharedBuffer(std::vector<uint16_t>{0, 1, 2});
  auto texels = draw("numbered", "showIds", [&](MTL4::RenderCommandEncoder* encoder) {
    encoder->drawIndexedPrimitives(MTL::PrimitiveTypeTriangle, 3, MTL::IndexTypeUInt16, indices->gpuAddress(), 6, 1, 10, 3);
  });
  // The provoking vertex is the first one.
  for (const Uint4& texel : texels) ASSERT_EQ(texel, (Uint4{10, 3, 1003, 1}));
}

TEST_F(BuiltInInputs, FragmentsKnowTheirPlaceFaceAndPrimitive) {
  auto clockwise = draw("fullScreen", "showRaster", [](MTL4::RenderCommandEncoder* encoder) {
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
  });
  for (NS::UInteger y = 0; y < kSize; ++y)
    for (NS::UInteger x = 0; x < kSize; ++x)
      // Positions are texel centres; (-1,-1), (3,-1), (-1,3) runs counter-clockwise on screen, so it is a back face.
      ASSERT_EQ(clockwise[y * kSize + x], (Uint4{uint32_t(2 * x + 1), uint32_t(2 * y + 1), 2, 1})) << x << ", " << y;
  auto counterClockwiseIsFront = draw("fullScreen", "showRaster", [](MTL4::RenderCommandEncoder* encoder) {
    encoder->setFrontFacingWinding(MTL::WindingCounterClockwise);
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
  });
  EXPECT_EQ(counterClockwiseIsFront[0][2], 1u);
}

TEST_F(BuiltInInputs, PointsHaveSizeAndCoordinates) {
  auto texels = draw("bigPoint", "showPoint", [](MTL4::RenderCommandEncoder* encoder) {
    encoder->drawPrimitives(MTL::PrimitiveTypePoint, NS::UInteger(0), NS::UInteger(1));
  });
  for (NS::UInteger y = 0; y < kSize; ++y)
    for (NS::UInteger x = 0; x < kSize; ++x) {
      const bool inside = x >= 4 && x < 12 && y >= 4 && y < 12;
      const Uint4 wanted = inside ? Uint4{uint32_t(x - 4), uint32_t(y - 4), 1, 1} : Uint4{0, 0, 0, 0};
      ASSERT_EQ(texels[y * kSize + x], wanted) << x << ", " << y;
    }
}

TEST_F(BuiltInInputs, FragmentsKnowTheirLanes) {
  auto texels = draw("fullScreen", "showLanes", [](MTL4::RenderCommandEncoder* encoder) {
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
  });
  for (const Uint4& texel : texels) {
    ASSERT_EQ(texel[0], 1u);
    ASSERT_GE(texel[1], 4u);
    ASSERT_EQ(texel[2], 1u);
    ASSERT_EQ(texel[3], 7u);
  }
}

TEST_F(BuiltInInputs, BarycentricsWeighTheCornersOrAreNamedAsMissing) {
  const std::string source = std::string("#define BARYCENTRICS 1\n") + kSource;
  auto lib = library(source);
  ASSERT_TRUE(lib);
  auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
  auto vertex = function(lib.get(), "fullScreen"), fragment = function(lib.get(), "showBarycentrics");
  descriptor->setVertexFunctionDescriptor(vertex.get());
  descriptor->setFragmentFunctionDescriptor(fragment.get());
  descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA32Uint);
  NS::Error* error = nullptr;
  auto pipeline = NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error));
  if (!pipeline) {
    EXPECT_NE(text(error).find("\"at\" is [[barycentric_coord]], which the device does not have"), std::string::npos)
        << text(error);
    return;
  }
  auto texels = draw(pipeline.get(), [](MTL4::RenderCommandEncoder* encoder) {
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
  });
  // The triangle is twice the target in each direction: corner 0 bottom left, 1 to the right, 2 upwards.
  for (NS::UInteger y = 0; y < kSize; ++y)
    for (NS::UInteger x = 0; x < kSize; ++x) {
      const double right = (double(x) + 0.5) / (2 * kSize), up = (double(kSize - y) - 0.5) / (2 * kSize);
      const Uint4& texel = texels[y * kSize + x];
      ASSERT_NEAR(texel[0], (1 - right - up) * 64, 0.6) << x << ", " << y;
      ASSERT_NEAR(texel[1], right * 64, 0.6) << x << ", " << y;
      ASSERT_NEAR(texel[2], up * 64, 0.6) << x << ", " << y;
    }
}

TEST_F(BuiltInInputs, TrianglesGoToTheViewportThatTheirVerticesName) {
  const MTL::Viewport viewports[] = {{0, 0, 8, 16, 0, 1}, {8, 0, 4, 16, 0, 1}, {12, 4, 4, 4, 0, 1}};
  const MTL::ScissorRect whole[] = {{0, 0, kSize, kSize}, {0, 0, kSize, kSize}, {0, 0, kSize, kSize}};
  auto texels = draw("inViewport", "showViewport", [&](MTL4::RenderCommandEncoder* encoder) {
    encoder->setViewports(viewports, 3);
    encoder->setScissorRects(whole, 3);
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3), NS::UInteger(3));
  });
  for (NS::UInteger y = 0; y < kSize; ++y)
    for (NS::UInteger x = 0; x < kSize; ++x) {
      const uint32_t viewport = x < 8 ? 1 : x < 12 ? 2 : y >= 4 && y < 8 ? 3 : 0;
      ASSERT_EQ(texels[y * kSize + x][0], viewport) << x << ", " << y;
    }
}

// A grid of 20 x 6 threads in threadgroups of 8 x 4: threadgroups at the right have 4 columns, at the bottom 2 rows.
TEST_F(BuiltInInputs, TheGridAndWhatWasDispatched) {
  constexpr uint32_t kWidth = 20, kHeight = 6;
  struct Grid {
    uint32_t origin[3], size[3], dispatchThreads[3], simdgroups, dispatchSimdgroups, quadgroups, dispatchQuadgroups, width, pad[2];
  };
  auto pipeline = computePipeline(kSource, "grid");
  ASSERT_TRUE(pipeline);
  auto out = sharedBuffer(kWidth * kHeight * sizeof(Grid));
  auto arguments = argumentTable(1);
  arguments->setAddress(out->gpuAddress(), 0);
  dispatch(pipeline.get(), arguments.get(), MTL::Size::Make(kWidth, kHeight, 1), MTL::Size::Make(8, 4, 1));
  auto grids = contents<Grid>(out.get());
  auto ceilOf = [](uint32_t threads, uint32_t width) { return (threads + width - 1) / width; };
  for (uint32_t y = 0; y < kHeight; ++y)
    for (uint32_t x = 0; x < kWidth; ++x) {
      SCOPED_TRACE(std::to_string(x) + ", " + std::to_string(y));
      const Grid& grid = grids[y * kWidth + x];
      const uint32_t threads = (x < 16 ? 8 : 4) * (y < 4 ? 4 : 2);
      ASSERT_EQ((std::array{grid.origin[0], grid.origin[1], grid.origin[2]}), (std::array{0u, 0u, 0u}));
      ASSERT_EQ((std::array{grid.size[0], grid.size[1], grid.size[2]}), (std::array{kWidth, kHeight, 1u}));
      ASSERT_EQ((std::array{grid.dispatchThreads[0], grid.dispatchThreads[1], grid.dispatchThreads[2]}), (std::array{8u, 4u, 1u}));
      ASSERT_EQ(grid.simdgroups, ceilOf(threads, grid.width));
      ASSERT_EQ(grid.dispatchSimdgroups, ceilOf(32, grid.width));
      ASSERT_EQ(grid.quadgroups, ceilOf(threads, 4));
      ASSERT_EQ(grid.dispatchQuadgroups, 8u);
    }
}

TEST_F(BuiltInInputs, LanesQuadgroupsAndSimdgroupsNumberAThreadgroup) {
  constexpr uint32_t kThreads = 64;
  auto pipeline = computePipeline(kSource, "lanes");
  ASSERT_TRUE(pipeline);
  auto out = sharedBuffer(kThreads * 32);
  auto arguments = argumentTable(1);
  arguments->setAddress(out->gpuAddress(), 0);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              auto* encoder = commands->computeCommandEncoder();
              encoder->setComputePipelineState(pipeline.get());
              encoder->setArgumentTable(arguments.get());
              encoder->dispatchThreads(MTL::Size::Make(kThreads, 1, 1), MTL::Size::Make(kThreads, 1, 1));
              encoder->endEncoding();
            }),
            "");
  struct Lanes {
    uint32_t lane, simdgroup, width, simdgroups, quadLane, quadgroup, quadWidth, quadgroups;
  };
  std::vector<Lanes> lanes(kThreads);
  std::memcpy(lanes.data(), out->contents(), kThreads * sizeof(Lanes));
  std::vector<int> taken(kThreads);
  for (const Lanes& l : lanes) {
    ASSERT_LT(l.lane, l.width);
    ASSERT_EQ(l.simdgroups, kThreads / l.width);
    ASSERT_LT(l.simdgroup, l.simdgroups);
    ++taken[l.simdgroup * l.width + l.lane];
    ASSERT_EQ(l.quadLane, l.lane % 4);
    ASSERT_EQ(l.quadgroup, (l.simdgroup * l.width + l.lane) / 4);
    ASSERT_EQ(l.quadWidth, 4u);
    ASSERT_EQ(l.quadgroups, kThreads / 4);
  }
  EXPECT_EQ(taken, std::vector<int>(kThreads, 1));
}

} // namespace
} // namespace basanite::tests
