// SPDX-License-Identifier: Apache-2.0
// Program-scope constant tables of all sizes and types with indices that only the device knows, in every stage.
#include "tests/support/metal_fixture.hpp"

#include <chrono>
#include <string>

namespace basanite::tests {
namespace {

class ConstantTables : public MetalFixture {
 protected:
  // What a kernel of `source` called "k" writes, one float a thread.
  std::vector<float> run(const std::string& source, size_t count) {
    auto pipeline = computePipeline(source, "k");
    if (!pipeline) return {};
    auto out = sharedBuffer(count * sizeof(float));
    auto table = argumentTable(1);
    table->setAddress(out->gpuAddress(), 0);
    dispatch(pipeline.get(), table.get(), count);
    return contents<float>(out.get());
  }
};

constexpr const char* kHead = "#include <metal_stdlib>\nusing namespace metal;\n";
constexpr const char* kKernel = "kernel void k(device float* out [[buffer(0)]], uint id [[thread_position_in_grid]])";

// Entry i is some number that neither driver nor compiler can compute from i.
int entry(size_t i) { return static_cast<int>((i * 7919 + 13) % 1009); }

// The start of a source: kTable with so many entries.
std::string floats(size_t count) {
  std::string list;
  for (size_t i = 0; i < count; ++i) list += (i ? ", " : "") + std::to_string(entry(i));
  return std::string(kHead) + "constant float kTable[" + std::to_string(count) + "] = {" + list + "};\n";
}

TEST_F(ConstantTables, HoldTheirEntriesAtEverySize) {
  for (size_t count : {1, 2, 15, 16, 17, 64, 257, 2000}) {
    SCOPED_TRACE(count);
    auto got = run(floats(count) + kKernel + "{ out[id] = kTable[id % " + std::to_string(count) + "]; }", 2048);
    ASSERT_EQ(got.size(), 2048u);
    for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], entry(i % count)) << i;
  }
}

TEST_F(ConstantTables, TwentyThousandEntriesAreReadyAtOnce) {
  constexpr size_t kCount = 20000;
  auto start = std::chrono::steady_clock::now();
  auto got = run(floats(kCount) + kKernel + "{ out[id] = kTable[id]; }", kCount);
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  ASSERT_EQ(got.size(), kCount);
  for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(got[i], entry(i)) << i;
  // Most of it is the front end reading the numbers. As a variable with an initial value it took lavapipe over 20 s
  // with 2,000 entries.
  EXPECT_LT(seconds.count(), 15);
}

TEST_F(ConstantTables, HoldEveryTypeOfEntry) {
  struct Case {
    const char* declaration;
    const char* expression;
    float (*expected)(uint32_t id);
  };
  const Case cases[] = {
      {"constant uchar kTable[200] = {250, 3, 7};", "kTable[id % 200]",
       [](uint32_t id) { return id % 200 == 0 ? 250.f : id % 200 == 1 ? 3.f : id % 200 == 2 ? 7.f : 0.f; }},
      {"constant short kTable[100] = {-1, 2, -300};", "kTable[id % 3]",
       [](uint32_t id) { return id % 3 == 0 ? -1.f : id % 3 == 1 ? 2.f : -300.f; }},
      {"constant half kTable[100] = {1.5h, -0.25h};", "kTable[id % 2]",
       [](uint32_t id) { return id % 2 ? -0.25f : 1.5f; }},
      {"constant bool kTable[100] = {true, false, true, true};", "kTable[id % 4] ? 1 : 2",
       [](uint32_t id) { return id % 4 == 1 ? 2.f : 1.f; }},
      {"constant ulong kTable[9] = {1ul << 40, 5};", "kTable[id % 2] >> (id % 2 ? 0 : 38)",
       [](uint32_t id) { return id % 2 ? 5.f : 4.f; }},
      {"constant float3 kTable[30] = {float3(1, 2, 3), float3(4, 5, 6)};", "kTable[id & 1][(id >> 1) % 3]",
       [](uint32_t id) { return float(1 + 3 * (id & 1) + (id >> 1) % 3); }},
      {"constant packed_float3 kTable[30] = {{1, 2, 3}, {4, 5, 6}};", "kTable[id & 1][(id >> 1) % 3]",
       [](uint32_t id) { return float(1 + 3 * (id & 1) + (id >> 1) % 3); }},
      {"constant float2x2 kTable[8] = {float2x2(1, 2, 3, 4), float2x2(5, 6, 7, 8)};",
       "(kTable[id & 1] * float2(1, 10)).y", [](uint32_t id) { return id & 1 ? 86.f : 42.f; }},
      {"float twice(float x) { return 2 * x; }\nconstant float kBase = 3;\nconstant float kTable[20] = {twice(kBase), twice(5)};",
       "kTable[id & 1]", [](uint32_t id) { return id & 1 ? 10.f : 6.f; }},
      {"constant int kTable[3][5][7] = {{{1}, {2}}, {{3, 4}}, {{}, {}, {0, 0, 9}}};",
       "kTable[id % 3][(id / 3) % 5][(id / 15) % 7]",
       [](uint32_t id) {
         uint32_t a = id % 3, b = id / 3 % 5, c = id / 15 % 7;
         if (a == 0 && c == 0 && b < 2) return float(b + 1);
         if (a == 1 && b == 0 && c < 2) return float(3 + c);
         return a == 2 && b == 2 && c == 2 ? 9.f : 0.f;
       }},
      {"struct Rule { uchar kind; float weight[3]; half2 scale; }; struct Set { Rule rules[4]; int last; };\n"
       "constant Set kTable[3] = {{{{1, {2, 3, 4}, half2(5, 6)}}, 7}, {{{}, {8, {9, 10, 11}, half2(12, 13)}}, 14}};",
       "kTable[id & 1].rules[id & 1].weight[id % 3] + kTable[id & 1].rules[id & 1].kind * 100 + "
       "kTable[id & 1].rules[id & 1].scale.y * 1000 + kTable[id & 1].last * 100000",
       [](uint32_t id) {
         return id & 1 ? float(9 + id % 3 + 800 + 13000 + 1400000) : float(2 + id % 3 + 100 + 6000 + 700000);
       }},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.declaration);
    auto got = run(std::string(kHead) + c.declaration + "\n" + kKernel + "{ out[id] = float(" + c.expression + "); }", 256);
    ASSERT_EQ(got.size(), 256u);
    for (uint32_t i = 0; i < 256; ++i) ASSERT_EQ(got[i], c.expected(i)) << i;
  }
}

TEST_F(ConstantTables, PointersIntoThemTravelLikePointersIntoBuffers) {
  auto pipeline = computePipeline(R"(
#include <metal_stdlib>
using namespace metal;
struct Curve { float start; float points[24]; };
constant float kPrimes[20] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71};
constant float kSmall[4] = {100, 200, 300, 400};
constant Curve kCurves[2] = {{10, {1, 2, 3}}, {20, {4, 5, 6}}};
float sum(constant float* values, uint count) {
  float total = 0;
  for (uint i = 0; i < count; ++i) total += values[i];
  return total;
}
float first(constant Curve& curve) { return curve.start + curve.points[1]; }
kernel void k(device float* out [[buffer(0)]], constant float* given [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  constant float* table = id == 0 ? kPrimes : id == 1 ? kSmall : id == 2 ? given : kPrimes + id;
  out[id] = sum(table, 2) + first(kCurves[id & 1]);
}
)", "k");
  ASSERT_TRUE(pipeline);
  auto out = sharedBuffer(8 * sizeof(float)), given = sharedBuffer(std::vector<float>{1000, 2000});
  auto table = argumentTable(2);
  table->setAddress(out->gpuAddress(), 0);
  table->setAddress(given->gpuAddress(), 1);
  dispatch(pipeline.get(), table.get(), 8);
  const float sums[] = {2 + 3, 100 + 200, 1000 + 2000, 7 + 11, 11 + 13, 13 + 17, 17 + 19, 19 + 23};
  auto got = contents<float>(out.get());
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(got[i], sums[i] + (i & 1 ? 25 : 12)) << i;
}

// The records of one argument table are shared by pipelines with equal bindings: the tables are no part of them.
TEST_F(ConstantTables, EachPipelineAndStageReadsItsOwn) {
  auto lib = library(R"(
#include <metal_stdlib>
using namespace metal;
struct Varyings { float4 position [[position]]; float red [[flat]]; };
constant float kLeft[40] = {0, 1, 0, 1};
constant float kRight[40] = {1, 0, 1, 0};
constant float4 kColors[9] = {float4(0, 0, 1, 1), float4(0, 1, 0, 1), float4(0, 1, 1, 1)};
float4 corner(uint id) { return float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0, 1); }
vertex Varyings left(uint id [[vertex_id]], constant uint& pick [[buffer(0)]]) {
  Varyings out; out.position = corner(id); out.red = kLeft[pick]; return out; }
vertex Varyings right(uint id [[vertex_id]], constant uint& pick [[buffer(0)]]) {
  Varyings out; out.position = corner(id); out.red = kRight[pick]; return out; }
fragment float4 shade(Varyings in [[stage_in]], constant uint& pick [[buffer(0)]]) {
  return kColors[pick] + float4(in.red, 0, 0, 0); }
)");
  ASSERT_TRUE(lib);
  const auto rgba8 = [](auto* d) { d->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm); };
  auto left = renderPipeline(lib.get(), "left", "shade", rgba8), right = renderPipeline(lib.get(), "right", "shade", rgba8);
  ASSERT_TRUE(left && right);
  auto target = colorTarget(16, 4);
  auto picks = sharedBuffer(std::vector<uint32_t>{1, 1, 2, 2});
  auto table = argumentTable(1);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              auto* encoder = commands->renderCommandEncoder(clearPass(target.get()));
              encoder->setArgumentTable(table.get(), MTL::RenderStageVertex | MTL::RenderStageFragment);
              for (NS::UInteger column = 0; column < 4; ++column) {
                table->setAddress(picks->gpuAddress() + column * 4, 0);
                encoder->setRenderPipelineState(column % 2 ? right.get() : left.get());
                encoder->setScissorRect(MTL::ScissorRect{column * 4, 0, 4, 4});
                encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
              }
              encoder->endEncoding();
              // The recording keeps what the pipelines own.
              left.reset();
              right.reset();
            }),
            "");
  const Pixel expected[] = {{255, 255, 0, 255}, {0, 255, 0, 255}, {0, 255, 255, 255}, {255, 255, 255, 255}};
  auto got = pixels(target.get());
  for (size_t column = 0; column < 4; ++column) EXPECT_EQ(got[column * 4 + 1], expected[column]) << column;
}

} // namespace
} // namespace basanite::tests
