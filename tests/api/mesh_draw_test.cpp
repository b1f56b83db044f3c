// SPDX-License-Identifier: Apache-2.0
// Mesh pipelines from MSL to pixels: mesh-only, with an object stage, every topology, every way to draw, and
// what is refused.
#include "tests/api/mesh_fixture.hpp"
#include "tests/support/child_process.hpp"

#include <cstdlib>

namespace basanite::tests {
namespace {

// A target of 64 x 64 in cells of 8 x 8; cell (0, 0) is at the top left.
constexpr const char* kSource = R"(
#include <metal_stdlib>
#include <metal_mesh>
using namespace metal;

struct V { float4 position [[position]]; };
struct P { float4 color; };
struct F { V v; P p; };
using Quad = metal::mesh<V, P, 4, 2, topology::triangle>;

static float4 corner(uint2 cell, uint i) {
  float2 at = float2(cell) + float2(i & 1, i >> 1);
  return float4(at.x / 4 - 1, 1 - at.y / 4, 0.5, 1);
}
static void emitQuad(Quad m, uint t, uint2 cell, float4 color) {
  if (t < 4) { V v; v.position = corner(cell, t); m.set_vertex(t, v); }
  if (t < 2) { P p; p.color = color; m.set_primitive(t, p); }
  if (t == 0) {
    m.set_indices(0, uchar4(0, 1, 2, 2));
    m.set_indices(4, uchar2(1, 3));
    m.set_primitive_count(2);
  }
}
fragment float4 flatColor(F in [[stage_in]]) { return in.p.color; }

// ---- mesh functions alone
[[mesh]] void gridQuads(Quad m, uint t [[thread_index_in_threadgroup]], uint2 g [[threadgroup_position_in_grid]],
                        uint2 n [[threadgroups_per_grid]]) {
  emitQuad(m, t, g, float4(float(g.x * 32) / 255, float(g.y * 32) / 255, float(n.x) / 255, 1));
}
// Four triangles fan out of one cell; the last two are past the count, and one of the others is culled.
struct Flags { float4 color; bool culled [[primitive_culled]]; uint number [[primitive_id]]; };
using Fan = metal::mesh<V, Flags, 16, 16, topology::triangle>;
[[mesh]] void counted(Fan m, uint t [[thread_index_in_threadgroup]]) {
  if (t >= 16) return;
  V v; v.position = corner(uint2((t >> 2) * 2, 0), t & 3); m.set_vertex(t, v);
  uint base = t & ~3u;
  Flags f; f.color = float4(1, float(t) / 255, 0, 1); f.culled = t == 1; f.number = 100 + t; m.set_primitive(t, f);
  uchar3 c = (t & 3) < 2 ? ((t & 1) ? uchar3(2, 1, 3) : uchar3(0, 1, 2)) : uchar3(0, 0, 0);
  for (uint i = 0; i < 3; ++i) m.set_index(t * 3 + i, uchar(base + c[i]));
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 15) m.set_primitive_count(6);
}
[[mesh]] void tooMany(metal::mesh<V, void, 8, 512, topology::triangle> m) { m.set_primitive_count(0); }
struct FlagsIn { V v; Flags f; };
fragment float4 showFlags(FlagsIn in [[stage_in]]) { return float4(in.f.color.rg, float(in.f.number) / 255, 1); }
// A varying of a vertex beside one of a primitive; colours from corner to corner.
struct Shaded { float4 position [[position]]; float2 at; half shade; int number [[flat]]; };
struct Tint { half3 tint; ushort index [[flat]]; };
struct ShadedIn { Shaded v; Tint p; };
[[mesh]] void shaded(metal::mesh<Shaded, Tint, 4, 2, topology::triangle> m, uint t [[thread_index_in_threadgroup]]) {
  Shaded v;
  v.position = float4(float(t & 1) * 2 - 1, 1 - float(t >> 1) * 2, 0, 1);
  v.at = float2(t & 1, t >> 1); v.shade = 0.5h; v.number = -7;
  if (t < 4) m.set_vertex(t, v);
  if (t < 2) { Tint p; p.tint = t ? half3(0, 1, 0) : half3(1, 0, 0); p.index = ushort(t + 3); m.set_primitive(t, p);
    for (uint i = 0; i < 3; ++i) m.set_index(t * 3 + i, uchar(t ? 3 - i : i)); }
  m.set_primitive_count(2);
}
fragment float4 showShaded(ShadedIn in [[stage_in]]) {
  return float4(float3(in.p.tint) * (in.v.number == -7 ? 1.0 : 0.0), float(in.p.index) / 255) * float4(1, 1, 1, 1) + float4(0, 0, in.v.at.x * float(in.v.shade), 0);
}
struct PV { float4 position [[position]]; float size [[point_size]]; float4 color; };
[[mesh]] void points(metal::mesh<PV, void, 8, 8, topology::point> m, uint t [[thread_index_in_threadgroup]]) {
  PV v; v.position = float4(-0.875 + 0.25 * t, 0.875, 0, 1); v.size = t & 1 ? 4 : 2; v.color = float4(1, 1, 1, 1);
  m.set_vertex(t, v); m.set_index(t, uchar(7 - t)); if (t == 0) m.set_primitive_count(7);
}
[[mesh]] void lines(metal::mesh<V, P, 8, 4, topology::line> m, uint t [[thread_index_in_threadgroup]]) {
  V v; v.position = float4(t & 1 ? 1 : -1, 1 - (float(t >> 1) * 16 + 0.5) / 32, 0, 1); m.set_vertex(t, v); m.set_index(t, uchar(t));
  if (t < 4) { P p; p.color = float4(float(t + 1) / 255, 1, 0, 1); m.set_primitive(t, p); }
  m.set_primitive_count(3);
}
fragment float4 white(PV in [[stage_in]]) { return in.color; }

// ---- object functions
struct Payload { uint row; float3 color; uint cells[8]; ushort small[2]; };
// Row g gets g quads: none in row 0.
[[object]] void rows(object_data Payload& payload [[payload]], mesh_grid_properties grid, uint t [[thread_index_in_threadgroup]],
                     uint g [[threadgroup_position_in_grid]], device const float3* colors [[buffer(0)]]) {
  payload.cells[t] = 7 - t;
  if (t == 0) { payload.row = g; payload.color = colors[g]; payload.small[1] = ushort(g); grid.set_threadgroups_per_grid(uint3(g, 1, 1)); }
}
[[mesh]] void rowQuads(Quad m, const object_data Payload& payload [[payload]], uint t [[thread_index_in_threadgroup]],
                       uint g [[threadgroup_position_in_grid]], constant float& blue [[buffer(0)]]) {
  emitQuad(m, t, uint2(payload.cells[g], payload.row), float4(payload.color.rg, blue, payload.small[1] == payload.row ? 1 : 0));
}
fragment float4 scaled(F in [[stage_in]], constant float& scale [[buffer(0)]]) { return in.p.color * float4(scale, scale, scale, 1); }
// One quad per object thread, by its place in the grid; sizes and counts are reported through the colour.
struct Cells { uint2 cells[16]; uint count; };
[[object]] void cells(object_data Cells& payload [[payload]], mesh_grid_properties grid, uint t [[thread_index_in_threadgroup]],
                      uint2 at [[thread_position_in_grid]], uint2 threads [[threads_per_threadgroup]], uint2 whole [[threads_per_grid]],
                      uint2 groups [[threadgroups_per_grid]], uint2 g [[threadgroup_position_in_grid]], uint2 local [[thread_position_in_threadgroup]],
                      device uint4* out [[buffer(0)]]) {
  payload.cells[t] = at;
  out[at.y * 8 + at.x] = uint4(threads.x * 100 + threads.y, whole.x * 100 + whole.y, groups.x * 100 + groups.y, (g.x * 10 + g.y) * 100 + local.x * 10 + local.y);
  if (t == 0) { payload.count = threads.x * threads.y; grid.set_threadgroups_per_grid(uint3(payload.count, 1, 1)); }
}
[[mesh]] void cellQuads(Quad m, const object_data Cells& payload [[payload]], uint t [[thread_index_in_threadgroup]],
                        uint g [[threadgroup_position_in_grid]]) {
  emitQuad(m, t, payload.cells[g], float4(float(payload.count) / 255, 1, 0, 1));
}
// Threadgroup memory in both stages: sums over neighbours.
struct Sum { uint value; };
[[object]] void sums(object_data Sum& payload [[payload]], mesh_grid_properties grid, threadgroup uint* shared [[threadgroup(2)]],
                     uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint half_[16];
  shared[t] = t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 16) half_[t] = shared[t] + shared[31 - t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) { uint s = 0; for (uint i = 0; i < 16; ++i) s += half_[i]; payload.value = s; grid.set_threadgroups_per_grid(uint3(1, 1, 1)); }
}
[[mesh]] void sumQuad(Quad m, const object_data Sum& payload [[payload]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint parts[32];
  parts[t] = payload.value;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  emitQuad(m, t, uint2(0, 0), float4(float(parts[(t + 5) & 31] & 255) / 255, float(payload.value >> 8) / 255, 0, 1));
}

// ---- for pipelines of the other kind
struct Out { float4 position [[position]]; };
vertex Out fullScreen(uint id [[vertex_id]]) { Out o; o.position = float4(id == 1 ? 3 : -1, id == 2 ? 3 : -1, 0.5, 1); return o; }
fragment float4 grey(constant float& level [[buffer(0)]]) { return float4(level, level, level, 1); }
)";

// As on a device that lacks the extension: in a process of its own, since a process has one device.
class WithoutMeshShaders : public MeshFixture {
 protected:
  static bool isChild() { return std::getenv("BASANITE_TEST_NO_MESH_SHADERS") != nullptr; }
  void SetUp() override {
    if (isChild()) MeshFixture::SetUp();
  }
  void TearDown() override {
    if (isChild()) MeshFixture::TearDown();
  }
};

TEST_F(WithoutMeshShaders, MakingAPipelineNamesDeviceAndFeature) {
  if (!isChild()) {
    const ChildResult child =
        runScenario("", {{"BASANITE_TEST_NO_MESH_SHADERS", "1"}, {"GTEST_FILTER", "WithoutMeshShaders.*"}});
    EXPECT_EQ(child.exitCode, 0) << child.output;
    EXPECT_NE(child.output.find("1 test from 1 test suite ran"), std::string::npos) << child.output;
    return;
  }
  auto lib = library(kSource);
  ASSERT_TRUE(lib);
  const std::string error = meshPipelineError(lib.get(), "", "gridQuads", "flatColor");
  const std::string wanted[] = {"\"gridQuads+flatColor\" needs the feature meshShader",
                                m_device->name()->utf8String()};
  for (const std::string& part : wanted)
    EXPECT_NE(error.find(part), std::string::npos) << part << " is missing in: " << error;
  // The rest works, stamps of stages that the device lacks included.
  auto heap = counterHeap(1);
  auto target = colorTarget(kSize, kSize);
  EXPECT_EQ(encode(target.get(),
                   [&](auto* encoder) {
                     encoder->writeTimestamp(MTL4::TimestampGranularityRelaxed,
                                             MTL::RenderStageObject | MTL::RenderStageMesh, heap.get(), 0);
                   }),
            "");
}

class MeshDraws : public MeshFixture {
 protected:
  void SetUp() override {
    MeshFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    ASSERT_TRUE(m_library);
    m_target = colorTarget(kSize, kSize);
  }
  // The cells of the picture; each must be of one colour.
  std::vector<Pixel> cells() {
    auto all = pixels(m_target.get());
    std::vector<Pixel> result;
    for (NS::UInteger y = 0; y < 8; ++y)
      for (NS::UInteger x = 0; x < 8; ++x) {
        const Pixel& first = all[y * 8 * kSize + x * 8];
        for (NS::UInteger i = 0; i < 64; ++i)
          EXPECT_EQ(all[(y * 8 + i / 8) * kSize + x * 8 + i % 8], first)
              << "cell " << x << ", " << y << " texel " << i;
        result.push_back(first);
      }
    return result;
  }
  // One draw of the library's functions to m_target, which is cleared; object "" for none.
  void draw(const char* object, const char* mesh, const char* fragment, MTL::Size threadgroups,
            MTL::Size objectThreads, MTL::Size meshThreads) {
    auto pipeline = meshPipeline(m_library.get(), object, mesh, fragment);
    ASSERT_TRUE(pipeline);
    EXPECT_EQ(encode(m_target.get(),
                     [&](auto* encoder) {
                       encoder->setRenderPipelineState(pipeline.get());
                       encoder->drawMeshThreadgroups(threadgroups, objectThreads, meshThreads);
                     }),
              "");
  }
  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL::Texture> m_target;
  const Pixel m_black{0, 0, 0, 255};
};

TEST_F(MeshDraws, AGridOfMeshThreadgroupsEachWithItsQuad) {
  draw("", "gridQuads", "flatColor", size(8, 8), size(1), size(4));
  auto all = cells();
  for (uint8_t y = 0; y < 8; ++y)
    for (uint8_t x = 0; x < 8; ++x)
      ASSERT_EQ(all[y * 8u + x], (Pixel{uint8_t(x * 32), uint8_t(y * 32), 8, 255}));
}

TEST_F(MeshDraws, ThreadgroupsOfAnySizeDrawTheSame) {
  auto pipeline = meshPipeline(m_library.get(), "", "gridQuads", "flatColor");
  ASSERT_TRUE(pipeline);
  for (MTL::Size threads : {size(4), size(32), size(2, 2, 1), size(5, 3, 2)}) {
    EXPECT_EQ(encode(m_target.get(),
                     [&](auto* encoder) {
                       encoder->setRenderPipelineState(pipeline.get());
                       encoder->drawMeshThreadgroups(size(8, 8), size(1), threads);
                     }),
              "");
    EXPECT_EQ(cells()[8 * 3 + 5], (Pixel{160, 96, 8, 255}));
  }
}

TEST_F(MeshDraws, MeshThreadsAreRoundedDownToWholeThreadgroups) {
  auto pipeline = meshPipeline(m_library.get(), "", "gridQuads", "flatColor");
  ASSERT_TRUE(pipeline);
  // 31 x 5 threads in threadgroups of 4 x 2: 7 x 2 of them.
  EXPECT_EQ(encode(m_target.get(),
                   [&](auto* encoder) {
                     encoder->setRenderPipelineState(pipeline.get());
                     encoder->drawMeshThreads(size(31, 5), size(1), size(4, 2));
                     encoder->drawMeshThreads(size(3, 5), size(1), size(4, 2)); // none at all
                   }),
            "");
  auto all = cells();
  for (uint8_t y = 0; y < 8; ++y)
    for (uint8_t x = 0; x < 8; ++x)
      ASSERT_EQ(all[y * 8u + x], x < 7 && y < 2 ? (Pixel{uint8_t(x * 32), uint8_t(y * 32), 7, 255}) : m_black)
          << int(x) << ", " << int(y);
}

TEST_F(MeshDraws, PrimitivesPastTheCountAndCulledOnesAreNotDrawn) {
  draw("", "counted", "showFlags", size(1), size(1), size(32));
  auto all = pixels(m_target.get());
  // Cells 0 and 2 (two triangles each; 0, 1 and 4, 5, of which 1 is culled), nothing in cells 4 and 6.
  EXPECT_EQ(all[1 * kSize + 1], (Pixel{255, 0, 100, 255}));
  EXPECT_EQ(all[6 * kSize + 6], m_black);
  EXPECT_EQ(all[1 * kSize + 17], (Pixel{255, 4, 104, 255}));
  EXPECT_EQ(all[6 * kSize + 22], (Pixel{255, 5, 105, 255}));
  EXPECT_EQ(all[1 * kSize + 33], m_black);
  EXPECT_EQ(all[1 * kSize + 49], m_black);
}

TEST_F(MeshDraws, FragmentsReadVertexAndPrimitiveData) {
  draw("", "shaded", "showShaded", size(1), size(1), size(4));
  auto all = pixels(m_target.get());
  for (NS::UInteger y = 0; y < kSize; ++y)
    for (NS::UInteger x = 0; x < kSize; ++x) {
      if (x + y == kSize - 1) continue; // the diagonal that both triangles share
      const Pixel& pixel = all[y * kSize + x];
      const bool first = x + y < kSize - 1;
      ASSERT_EQ(pixel.r, first ? 255 : 0) << x << ", " << y;
      ASSERT_EQ(pixel.g, first ? 0 : 255) << x << ", " << y;
      ASSERT_NEAR(pixel.b, (double(x) + 0.5) / kSize * 127.5, 1.0) << x << ", " << y;
      ASSERT_EQ(pixel.a, first ? 3 : 4) << x << ", " << y;
    }
}

TEST_F(MeshDraws, PointsOfTheirSize) {
  draw("", "points", "white", size(1), size(1), size(8));
  auto all = pixels(m_target.get());
  // Centres (4 + 8 t, 4), sizes 2 and 4 in turn; the seven points are vertices 7 to 1.
  for (NS::UInteger y = 0; y < 8; ++y)
    for (NS::UInteger x = 0; x < kSize; ++x) {
      const NS::UInteger t = x / 8, radius = t & 1 ? 2 : 1;
      const bool inside =
          t > 0 && x % 8 >= 4 - radius && x % 8 < 4 + radius && y >= 4 - radius && y < 4 + radius;
      ASSERT_EQ(all[y * kSize + x], inside ? (Pixel{255, 255, 255, 255}) : m_black) << x << ", " << y;
    }
}

TEST_F(MeshDraws, LinesWithAColourEach) {
  draw("", "lines", "flatColor", size(1), size(1), size(8));
  auto all = pixels(m_target.get());
  for (NS::UInteger y = 0; y < kSize; ++y) {
    // Lines at rows 0, 16 and 32; a fourth is past the count.
    const bool line = y % 16 == 0 && y / 16 < 3;
    ASSERT_EQ(all[y * kSize + 30], line ? (Pixel{uint8_t(y / 16 + 1), 255, 0, 255}) : m_black) << y;
  }
}

TEST_F(MeshDraws, ObjectThreadgroupsAmplifyAndCullThroughTheirPayload) {
  auto pipeline = meshPipeline(m_library.get(), "rows", "rowQuads", "scaled");
  ASSERT_TRUE(pipeline);
  struct Color {
    float r, g, b, pad;
  };
  std::vector<Color> colors;
  for (int g = 0; g < 8; ++g) colors.push_back({float(g * 20) / 255, float(g * 10) / 255, 0, 0});
  auto colorBuffer = sharedBuffer(colors);
  auto blue = sharedBuffer(std::vector<float>{64.0f / 255});
  auto scale = sharedBuffer(std::vector<float>{0.5f});
  // Three tables, each with another buffer at index 0: object, mesh and fragment stages have separate spaces.
  auto objectTable = argumentTable(1), meshTable = argumentTable(1), fragmentTable = argumentTable(1);
  objectTable->setAddress(colorBuffer->gpuAddress(), 0);
  meshTable->setAddress(blue->gpuAddress(), 0);
  fragmentTable->setAddress(scale->gpuAddress(), 0);
  EXPECT_EQ(encode(m_target.get(),
                   [&](auto* encoder) {
                     encoder->setRenderPipelineState(pipeline.get());
                     encoder->setArgumentTable(objectTable.get(), MTL::RenderStageObject);
                     encoder->setArgumentTable(meshTable.get(), MTL::RenderStageMesh);
                     encoder->setArgumentTable(fragmentTable.get(), MTL::RenderStageFragment);
                     encoder->drawMeshThreadgroups(size(8), size(8), size(4));
                   }),
            "");
  auto all = cells();
  for (unsigned y = 0; y < 8; ++y)
    for (unsigned x = 0; x < 8; ++x)
      // Row y has y quads, from the right.
      ASSERT_EQ(all[y * 8 + x], x >= 8 - y ? (Pixel{uint8_t(y * 10), uint8_t(y * 5), 32, 255}) : m_black)
          << x << ", " << y;
}

TEST_F(MeshDraws, ObjectThreadsNeedNotFillTheirThreadgroups) {
  auto pipeline = meshPipeline(m_library.get(), "cells", "cellQuads", "flatColor");
  ASSERT_TRUE(pipeline);
  auto out = sharedBuffer(64 * 16);
  auto table = argumentTable(1);
  table->setAddress(out->gpuAddress(), 0);
  // 7 x 5 threads in threadgroups of 4 x 3: whole ones, and partial ones at both far edges and in their
  // corner.
  EXPECT_EQ(encode(m_target.get(),
                   [&](auto* encoder) {
                     encoder->setRenderPipelineState(pipeline.get());
                     encoder->setArgumentTable(table.get(), MTL::RenderStageObject);
                     encoder->drawMeshThreads(size(7, 5), size(4, 3), size(4));
                   }),
            "");
  auto all = cells();
  std::vector<std::array<uint32_t, 4>> told(64);
  std::memcpy(told.data(), out->contents(), told.size() * 16);
  for (unsigned y = 0; y < 8; ++y)
    for (unsigned x = 0; x < 8; ++x) {
      const unsigned width = x < 4 ? 4 : 3, height = y < 3 ? 3 : 2;
      const bool inside = x < 7 && y < 5;
      ASSERT_EQ(all[y * 8 + x], inside ? (Pixel{uint8_t(width * height), 255, 0, 255}) : m_black)
          << x << ", " << y;
      if (!inside) continue;
      EXPECT_EQ(told[y * 8 + x][0], width * 100 + height);
      EXPECT_EQ(told[y * 8 + x][1], 705u);
      EXPECT_EQ(told[y * 8 + x][2], 202u);
      EXPECT_EQ(told[y * 8 + x][3], ((x / 4) * 10 + y / 3) * 100 + (x % 4) * 10 + y % 3);
    }
}

TEST_F(MeshDraws, CountsMayComeFromABuffer) {
  auto meshOnly = meshPipeline(m_library.get(), "", "gridQuads", "flatColor");
  auto withObject = meshPipeline(m_library.get(), "cells", "cellQuads", "flatColor");
  ASSERT_TRUE(meshOnly && withObject);
  auto counts = sharedBuffer(std::vector<uint32_t>{0, 3, 2, 1, 2, 1, 1, 0, 1, 1});
  auto out = sharedBuffer(64 * 16);
  auto table = argumentTable(1);
  table->setAddress(out->gpuAddress(), 0);
  EXPECT_EQ(encode(m_target.get(),
                   [&](auto* encoder) {
                     encoder->setRenderPipelineState(meshOnly.get());
                     encoder->drawMeshThreadgroups(counts->gpuAddress() + 4, size(1), size(4));
                     encoder->drawMeshThreadgroups(counts->gpuAddress() + 28, size(1), size(4)); // 0 x 1 x 1
                   }),
            "");
  auto all = cells();
  for (uint8_t y = 0; y < 8; ++y)
    for (uint8_t x = 0; x < 8; ++x)
      ASSERT_EQ(all[y * 8u + x],
                x < 3 && y < 2 ? (Pixel{uint8_t(x * 32), uint8_t(y * 32), 3, 255}) : m_black);
  EXPECT_EQ(encode(m_target.get(),
                   [&](auto* encoder) {
                     encoder->setRenderPipelineState(withObject.get());
                     encoder->setArgumentTable(table.get(), MTL::RenderStageObject);
                     encoder->drawMeshThreadgroups(counts->gpuAddress() + 16, size(3, 1),
                                                   size(4)); // 2 x 1 x 1
                   }),
            "");
  all = cells();
  for (unsigned x = 0; x < 8; ++x) ASSERT_EQ(all[x], x < 6 ? (Pixel{3, 255, 0, 255}) : m_black);
  // Threads and threadgroups per grid come from the device when the CPU does not know them.
  std::array<uint32_t, 4> told;
  std::memcpy(told.data(), static_cast<char*>(out->contents()) + 16 * 5, 16);
  EXPECT_EQ(told, (std::array<uint32_t, 4>{301, 601, 201, 1020}));
}

TEST_F(MeshDraws, ThreadgroupMemoryInBothStages) {
  auto pipeline = meshPipeline(m_library.get(), "sums", "sumQuad", "flatColor");
  ASSERT_TRUE(pipeline);
  EXPECT_EQ(encode(m_target.get(),
                   [&](auto* encoder) {
                     encoder->setRenderPipelineState(pipeline.get());
                     encoder->setObjectThreadgroupMemoryLength(128, 2);
                     encoder->drawMeshThreadgroups(size(1), size(32), size(32));
                   }),
            "");
  EXPECT_EQ(cells()[0], (Pixel{496 & 255, 496 >> 8, 0, 255}));
}

TEST_F(MeshDraws, VertexAndMeshDrawsTakeTurns) {
  auto mesh = meshPipeline(m_library.get(), "rows", "rowQuads", "scaled");
  auto plain = renderPipeline(m_library.get(), "fullScreen", "grey", [](auto* descriptor) {
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  });
  ASSERT_TRUE(mesh && plain);
  auto colors = sharedBuffer(std::vector<float>(32, 0.5f));
  auto level = sharedBuffer(std::vector<float>{0.4f});
  auto table = argumentTable(1), fragmentTable = argumentTable(1);
  table->setAddress(colors->gpuAddress(), 0);
  fragmentTable->setAddress(level->gpuAddress(), 0);
  EXPECT_EQ(encode(m_target.get(),
                   [&](auto* encoder) {
                     encoder->setArgumentTable(table.get(), MTL::RenderStageObject | MTL::RenderStageMesh |
                                                                MTL::RenderStageVertex);
                     encoder->setArgumentTable(fragmentTable.get(), MTL::RenderStageFragment);
                     for (int turn = 0; turn < 3; ++turn) {
                       encoder->setRenderPipelineState(plain.get());
                       encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
                       encoder->setRenderPipelineState(mesh.get());
                       encoder->drawMeshThreadgroups(size(3), size(8), size(4));
                     }
                   }),
            "");
  auto all = cells();
  // Rows 1 and 2 have one and two quads over the grey.
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned x = i % 8, y = i / 8;
    const bool quad = y < 3 && x >= 8 - y;
    ASSERT_EQ(all[i], quad ? (Pixel{51, 51, 51, 255}) : (Pixel{102, 102, 102, 255})) << x << ", " << y;
  }
}

TEST_F(MeshDraws, TheStateTellsItsLimits) {
  auto pipeline = meshPipeline(m_library.get(), "rows", "rowQuads", "scaled", [](auto* descriptor) {
    descriptor->setMaxTotalThreadsPerObjectThreadgroup(16);
    descriptor->setMaxTotalThreadsPerMeshThreadgroup(8);
    descriptor->setMaxTotalThreadgroupsPerMeshGrid(12);
    descriptor->setRequiredThreadsPerMeshThreadgroup(MTL::Size::Make(4, 2, 1));
  });
  ASSERT_TRUE(pipeline);
  EXPECT_EQ(pipeline->maxTotalThreadsPerObjectThreadgroup(), 16u);
  EXPECT_EQ(pipeline->maxTotalThreadsPerMeshThreadgroup(), 8u);
  EXPECT_EQ(pipeline->maxTotalThreadgroupsPerMeshGrid(), 12u);
  EXPECT_EQ(NS::UInteger(pipeline->requiredThreadsPerMeshThreadgroup().height), 2u);
  EXPECT_GT(pipeline->meshThreadExecutionWidth(), 0u);
  EXPECT_EQ(pipeline->meshThreadExecutionWidth(), pipeline->objectThreadExecutionWidth());
  auto alone = meshPipeline(m_library.get(), "", "gridQuads", "flatColor");
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->maxTotalThreadsPerObjectThreadgroup(), 0u);
  EXPECT_GE(alone->maxTotalThreadsPerMeshThreadgroup(), 128u);
}

TEST_F(MeshDraws, PipelinesThatCannotBeMadeSayWhy) {
  auto expectParts = [](const std::string& message, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << part << " is missing in: " << message;
  };
  MTL::Library* lib = m_library.get();
  expectParts(meshPipelineError(lib, "", "", "flatColor"), {"needs a mesh function"});
  expectParts(meshPipelineError(lib, "", "fullScreen", "flatColor"),
              {"\"fullScreen\" is a vertex function, but a mesh function"});
  expectParts(meshPipelineError(lib, "gridQuads", "rowQuads", "flatColor"),
              {"\"gridQuads\" is a mesh function, but an object function"});
  expectParts(meshPipelineError(lib, "", "tooMany", ""),
              {"\"tooMany\" has a mesh of 8 vertices and 512 primitives"});
  expectParts(meshPipelineError(lib, "", "rowQuads", "flatColor"),
              {"\"rowQuads\" reads a payload", "no object function"});
  expectParts(meshPipelineError(lib, "", "gridQuads", "showShaded"),
              {"\"showShaded\"", "\"gridQuads\" does not write"});
  expectParts(
      meshPipelineError(lib, "rows", "rowQuads", "scaled", [](auto* d) { d->setPayloadMemoryLength(16); }),
      {"payloadMemoryLength is 16"});
  expectParts(meshPipelineError(lib, "rows", "rowQuads", "scaled",
                                [](auto* d) { d->setPayloadMemoryLength(1 << 30); }),
              {"1073741824 bytes of payload"});
  expectParts(meshPipelineError(lib, "", "gridQuads", "flatColor",
                                [](auto* d) { d->setMaxTotalThreadsPerMeshThreadgroup(100000); }),
              {"\"gridQuads\" asks for 100000 threads in a mesh threadgroup"});
}

TEST_F(MeshDraws, WrongDrawsAreNamedAndTheNextRecordingIsClean) {
  auto mesh = meshPipeline(m_library.get(), "", "gridQuads", "flatColor",
                           [](auto* d) { d->setLabel(NS::String::string("grid", NS::UTF8StringEncoding)); });
  auto object = meshPipeline(m_library.get(), "sums", "sumQuad", "flatColor");
  auto rows = meshPipeline(m_library.get(), "rows", "rowQuads", "flatColor");
  auto required = meshPipeline(m_library.get(), "", "gridQuads", "flatColor", [](auto* d) {
    d->setRequiredThreadsPerMeshThreadgroup(MTL::Size::Make(4, 1, 1));
  });
  auto plain = renderPipeline(m_library.get(), "fullScreen", "grey", [](auto* descriptor) {
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  });
  ASSERT_TRUE(mesh && object && rows && required && plain);
  auto expectError = [&](std::initializer_list<const char*> parts, MTL::RenderPipelineState* pipeline,
                         const std::function<void(MTL4::RenderCommandEncoder*)>& draw) {
    std::string error = encode(m_target.get(), [&](auto* encoder) {
      if (pipeline) encoder->setRenderPipelineState(pipeline);
      draw(encoder);
    });
    for (const char* part : parts)
      EXPECT_NE(error.find(part), std::string::npos) << part << " is missing in: " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  };
  auto drawOne = [&](auto* encoder) { encoder->drawMeshThreadgroups(size(1), size(1), size(4)); };
  expectError({"drawMeshThreadgroups: no render pipeline state"}, nullptr, drawOne);
  expectError({"drawMeshThreadgroups:", "\"fullScreen+grey\" has no mesh function"}, plain.get(), drawOne);
  expectError({"drawMeshThreads:", "has no mesh function"}, plain.get(),
              [&](auto* e) { e->drawMeshThreads(size(4), size(1), size(4)); });
  expectError({"drawPrimitives:", "\"grid\" has a mesh function"}, mesh.get(), [](auto* e) {
    e->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
  });
  auto indices = sharedBuffer(64);
  expectError({"drawIndexedPrimitives:", "\"grid\" has a mesh function"}, mesh.get(), [&](auto* e) {
    e->drawIndexedPrimitives(MTL::PrimitiveTypeTriangle, 3, MTL::IndexTypeUInt16, indices->gpuAddress(), 64);
  });
  expectError({"mesh threadgroups of 4096 x 1 x 1 threads do not fit"}, mesh.get(),
              [&](auto* e) { e->drawMeshThreadgroups(size(1), size(1), size(4096)); });
  expectError({"0 x 1 x 1 threads are not possible"}, mesh.get(),
              [&](auto* e) { e->drawMeshThreadgroups(size(1), size(1), size(0)); });
  expectError({"64 x 32 x 1 have 2048 threads; the pipeline \"grid\" takes"}, mesh.get(),
              [&](auto* e) { e->drawMeshThreadgroups(size(1), size(1), size(64, 32)); });
  expectError({"requires mesh threadgroups of 4 x 1 x 1 threads, not 8 x 1 x 1"}, required.get(),
              [&](auto* e) { e->drawMeshThreadgroups(size(1), size(1), size(8)); });
  expectError({"threadgroup(2)", "no length was set"}, object.get(),
              [&](auto* e) { e->drawMeshThreadgroups(size(1), size(32), size(32)); });
  expectError({"more than the"}, mesh.get(),
              [&](auto* e) { e->drawMeshThreadgroups(size(1u << 30), size(1), size(4)); });
  expectError({"object stage has no argument table", "\"rows\" reads buffer(0) \"colors\""}, rows.get(),
              drawOne);
  auto table = argumentTable(1);
  table->setAddress(indices->gpuAddress(), 0);
  expectError({"mesh stage has no argument table", "\"rowQuads\" reads buffer(0) \"blue\""}, rows.get(),
              [&](auto* e) {
                e->setArgumentTable(table.get(), MTL::RenderStageObject);
                e->drawMeshThreadgroups(size(1), size(8), size(4));
              });
  expectError({"setObjectThreadgroupMemoryLength: 7 bytes are not a multiple of 16"}, nullptr,
              [](auto* e) { e->setObjectThreadgroupMemoryLength(7, 0); });
  expectError({"setObjectThreadgroupMemoryLength: index 31"}, nullptr,
              [](auto* e) { e->setObjectThreadgroupMemoryLength(16, 31); });
  expectError({"drawMeshThreadgroups:"}, mesh.get(),
              [&](auto* e) { e->drawMeshThreadgroups(MTL::GPUAddress(16), size(1), size(4)); });
  expectError({""}, mesh.get(), drawOne);
  EXPECT_EQ(encode(m_target.get(),
                   [&](auto* encoder) {
                     encoder->setRenderPipelineState(mesh.get());
                     drawOne(encoder);
                   }),
            "");
}

} // namespace
} // namespace basanite::tests
