// SPDX-License-Identifier: Apache-2.0
// Which vertices a draw runs and what their attributes hold: direct, indexed and indirect draws, vertex
// descriptors.
#include "tests/support/metal_fixture.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <random>

namespace basanite::tests {
namespace {

// ---- counting draws
// ----------------------------------------------------------------------------------------------

// Each vertex lands on the pixel (vertex_id, instance_id) and adds 1 there.
constexpr const char* kCountSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Varyings {
  float4 position [[position]];
  float size [[point_size]];
  uint4 ids [[flat]];
};
vertex Varyings onOwnPixel(uint vertexId [[vertex_id]], uint instanceId [[instance_id]],
                           uint baseVertex [[base_vertex]], uint baseInstance [[base_instance]]) {
  Varyings out;
  out.position = float4((float(vertexId) + 0.5f) / 16.0f - 1.0f, 1.0f - (float(instanceId) + 0.5f) / 4.0f, 0, 1);
  out.size = 1;
  out.ids = uint4(vertexId, instanceId, baseVertex, baseInstance);
  return out;
}
struct Counted {
  float count [[color(0)]];
  uint4 ids [[color(1)]];
};
fragment Counted countOne(Varyings in [[stage_in]]) { return Counted{1.0f, in.ids}; }
)";
constexpr NS::UInteger kColumns = 32, kRows = 8;

using Ids = std::array<uint32_t, 4>;
// (vertex, instance) -> hits, and what that vertex saw.
struct Cell {
  float count = 0;
  Ids ids{};
  bool operator==(const Cell&) const = default;
};
using Cells = std::map<std::pair<uint32_t, uint32_t>, Cell>;

void PrintTo(const Cells& cells, std::ostream* stream) {
  for (auto& [at, cell] : cells)
    *stream << "vertex " << at.first << " instance " << at.second << ": " << cell.count << " times, ids {"
            << cell.ids[0] << ", " << cell.ids[1] << ", " << cell.ids[2] << ", " << cell.ids[3] << "}; ";
}

class Draws : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    auto lib = library(kCountSource);
    ASSERT_TRUE(lib);
    m_pipeline =
        renderPipeline(lib.get(), "onOwnPixel", "countOne", [](MTL4::RenderPipelineDescriptor* descriptor) {
          auto* counts = descriptor->colorAttachments()->object(0);
          counts->setPixelFormat(MTL::PixelFormatR32Float);
          counts->setBlendingState(MTL4::BlendStateEnabled);
          counts->setDestinationRGBBlendFactor(MTL::BlendFactorOne);
          descriptor->colorAttachments()->object(1)->setPixelFormat(MTL::PixelFormatRGBA32Uint);
        });
    ASSERT_TRUE(m_pipeline);
    m_counts = colorTarget(kColumns, kRows, MTL::PixelFormatR32Float);
    m_ids = colorTarget(kColumns, kRows, MTL::PixelFormatRGBA32Uint);
  }

  // The cells that were drawn to. `message`: gets the commit's error; without it there must be none.
  Cells counted(const std::function<void(MTL4::RenderCommandEncoder*)>& record,
                std::string* message = nullptr) {
    const std::string error = runCommands([&](MTL4::CommandBuffer* commands) {
      auto* pass = clearPass(m_counts.get(), MTL::ClearColor::Make(0, 0, 0, 0));
      auto* ids = pass->colorAttachments()->object(1);
      ids->setTexture(m_ids.get());
      ids->setLoadAction(MTL::LoadActionClear);
      ids->setStoreAction(MTL::StoreActionStore);
      MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(pass);
      encoder->setRenderPipelineState(m_pipeline.get());
      record(encoder);
      encoder->endEncoding();
    });
    if (message)
      *message = error;
    else
      EXPECT_EQ(error, "");
    auto counts = texels<float>(m_counts.get());
    auto ids = texels<Ids>(m_ids.get());
    Cells cells;
    for (uint32_t y = 0; y < kRows; ++y)
      for (uint32_t x = 0; x < kColumns; ++x)
        if (const size_t i = y * kColumns + x; counts[i] != 0) cells[{x, y}] = {counts[i], ids[i]};
    return cells;
  }

  // What Metal promises: ids include the bases.
  static Cells expected(const std::vector<uint32_t>& vertices, uint32_t instances, uint32_t baseInstance = 0,
                        uint32_t baseVertex = 0) {
    Cells cells;
    for (uint32_t i = 0; i < instances; ++i)
      for (uint32_t v : vertices) {
        Cell& cell = cells[{v, i + baseInstance}];
        cell.count += 1;
        cell.ids = {v, i + baseInstance, baseVertex, baseInstance};
      }
    return cells;
  }

  NS::SharedPtr<MTL::RenderPipelineState> m_pipeline;
  NS::SharedPtr<MTL::Texture> m_counts, m_ids;
};

constexpr auto kPoint = MTL::PrimitiveTypePoint;

TEST_F(Draws, DirectDrawsRunTheirVerticesAndInstances) {
  EXPECT_EQ(counted([](auto* e) { e->drawPrimitives(kPoint, NS::UInteger(0), NS::UInteger(4)); }),
            expected({0, 1, 2, 3}, 1));
  EXPECT_EQ(counted([](auto* e) { e->drawPrimitives(kPoint, NS::UInteger(5), NS::UInteger(3)); }),
            expected({5, 6, 7}, 1, 0, 5));
  EXPECT_EQ(counted([](auto* e) { e->drawPrimitives(kPoint, 2, 2, 3); }), expected({2, 3}, 3, 0, 2));
  EXPECT_EQ(counted([](auto* e) { e->drawPrimitives(kPoint, 1, 2, 3, 4); }), expected({1, 2}, 3, 4, 1));
  EXPECT_EQ(counted([](auto* e) { e->drawPrimitives(kPoint, 0, 0, 1); }), Cells{});
  EXPECT_EQ(counted([](auto* e) { e->drawPrimitives(kPoint, 0, 3, 0); }), Cells{});
}

TEST_F(Draws, IndexedDrawsReadBothIndexSizesFromTheMiddleOfABuffer) {
  std::vector<uint16_t> narrow(64, 31);
  std::vector<uint32_t> wide(64, 31);
  const std::vector<uint32_t> indices{3, 1, 4, 1, 5, 9, 2, 6};
  for (size_t i = 0; i < indices.size(); ++i) narrow[10 + i] = uint16_t(wide[7 + i] = indices[i]);
  auto narrowBuffer = sharedBuffer(narrow), wideBuffer = sharedBuffer(wide);
  const MTL::GPUAddress narrowAt = narrowBuffer->gpuAddress() + 20, wideAt = wideBuffer->gpuAddress() + 28;
  const NS::UInteger narrowBytes = 128 - 20, wideBytes = 256 - 28;
  constexpr auto k16 = MTL::IndexTypeUInt16;
  constexpr auto k32 = MTL::IndexTypeUInt32;
  EXPECT_EQ(counted([&](auto* e) { e->drawIndexedPrimitives(kPoint, 8, k16, narrowAt, narrowBytes); }),
            expected(indices, 1));
  EXPECT_EQ(counted([&](auto* e) { e->drawIndexedPrimitives(kPoint, 8, k32, wideAt, wideBytes); }),
            expected(indices, 1));
  EXPECT_EQ(
      counted([&](auto* e) { e->drawIndexedPrimitives(kPoint, 2, k16, narrowAt + 2, narrowBytes - 2, 3); }),
      expected({1, 4}, 3));
  EXPECT_EQ(counted([&](auto* e) { e->drawIndexedPrimitives(kPoint, 3, k32, wideAt, wideBytes, 2, 10, 5); }),
            expected({13, 11, 14}, 2, 5, 10));
  EXPECT_EQ(
      counted([&](auto* e) { e->drawIndexedPrimitives(kPoint, 3, k16, narrowAt, narrowBytes, 1, -1, 0); }),
      expected({2, 0, 3}, 1, 0, uint32_t(-1)));
}

TEST_F(Draws, DrawsOfOneEncoderKeepTheirIndexBuffersApart) {
  std::vector<uint16_t> narrow(64, 31);
  std::vector<uint32_t> wide(64, 31);
  for (uint16_t i = 0; i < 8; ++i) {
    narrow[i] = i;
    narrow[20 + i] = uint16_t(wide[5 + i] = 8 + i);
    wide[40 + i] = 16 + i;
  }
  auto narrowBuffer = sharedBuffer(narrow), wideBuffer = sharedBuffer(wide);
  auto unused = NS::TransferPtr(m_device->newBuffer(64, MTL::ResourceStorageModeShared));
  auto arguments = sharedBuffer(std::vector<uint32_t>{2, 1, 1, 0, 0}); // index 1 and 2 from the address on
  const MTL::GPUAddress n = narrowBuffer->gpuAddress(), w = wideBuffer->gpuAddress();
  constexpr auto k16 = MTL::IndexTypeUInt16;
  constexpr auto k32 = MTL::IndexTypeUInt32;
  EXPECT_EQ(counted([&](auto* e) {
              e->drawIndexedPrimitives(kPoint, 2, k16, n, 128);           // 0 1
              e->drawIndexedPrimitives(kPoint, 2, k16, n + 40, 128 - 40); // 8 9
              e->drawIndexedPrimitives(kPoint, 2, k16, n + 4, 128 - 4);   // 2 3
              e->drawIndexedPrimitives(kPoint, 2, k32, w + 28, 256 - 28); // 10 11
              unused.reset(); // a buffer goes: what is known of the others must still be right
              e->drawIndexedPrimitives(kPoint, 2, k32, w + 36, 256 - 36);                         // 12 13
              e->drawIndexedPrimitives(kPoint, k32, w + 160, 256 - 160, arguments->gpuAddress()); // 17 18
              e->drawIndexedPrimitives(kPoint, 1, k32, w + 160, 256 - 160);                       // 16
              e->drawIndexedPrimitives(kPoint, k16, n + 6, 128 - 6, arguments->gpuAddress());     // 4 5
              e->drawIndexedPrimitives(kPoint, 2, k16, n + 12, 128 - 12);                         // 6 7
            }),
            expected({0, 1, 8, 9, 2, 3, 10, 11, 12, 13, 17, 18, 16, 4, 5, 6, 7}, 1));
}

TEST_F(Draws, IndirectDrawsReadTheirArgumentsFromMemory) {
  std::vector<uint32_t> memory(64, 0);
  const MTL::DrawPrimitivesIndirectArguments plain{3, 2, 4, 1};
  const MTL::DrawIndexedPrimitivesIndirectArguments indexed{2, 3, 1, 6, 2};
  std::memcpy(&memory[5], &plain, sizeof plain);
  std::memcpy(&memory[20], &indexed, sizeof indexed);
  auto arguments = sharedBuffer(memory);
  auto indices = sharedBuffer(std::vector<uint16_t>{9, 8, 7, 6});
  EXPECT_EQ(counted([&](auto* e) { e->drawPrimitives(kPoint, arguments->gpuAddress() + 20); }),
            expected({4, 5, 6}, 2, 1, 4));
  EXPECT_EQ(counted([&](auto* e) {
              e->drawIndexedPrimitives(kPoint, MTL::IndexTypeUInt16, indices->gpuAddress(), NS::UInteger(8),
                                       arguments->gpuAddress() + 80);
            }),
            expected({14, 13}, 3, 2, 6));
}

TEST_F(Draws, NumbersThatNeedMoreThan32BitsAreNamedAndNothingIsDrawn) {
  constexpr NS::UInteger kPast = (NS::UInteger(1) << 32) + 1; // cut to 32 bits it would be a legal 1
  constexpr auto k16 = MTL::IndexTypeUInt16;
  auto indices = sharedBuffer(std::vector<uint16_t>(8, 0));
  const MTL::GPUAddress at = indices->gpuAddress();
  // 2 bytes an index: the product alone is 2 again.
  constexpr NS::UInteger kWraps = (NS::UInteger(1) << 63) + 1;
  const std::vector<std::pair<std::function<void(MTL4::RenderCommandEncoder*)>, const char*>> calls = {
      {[](auto* e) { e->drawPrimitives(kPoint, NS::UInteger(0), kPast); }, "4294967297 vertices"},
      {[](auto* e) { e->drawPrimitives(kPoint, kPast, NS::UInteger(1)); }, "from 4294967297 on"},
      {[](auto* e) { e->drawPrimitives(kPoint, 0, 1, kPast); }, "4294967297 instances"},
      {[](auto* e) { e->drawPrimitives(kPoint, 0, 1, 1, kPast); }, "from 4294967297 on"},
      {[&](auto* e) { e->drawIndexedPrimitives(kPoint, kWraps, k16, at, 16); },
       "9223372036854775809 indices"},
      {[&](auto* e) { e->drawIndexedPrimitives(kPoint, 1, k16, at, 16, kPast); }, "4294967297 instances"},
      {[&](auto* e) { e->drawIndexedPrimitives(kPoint, 1, k16, at, 16, 1, NS::Integer(kPast), 0); },
       "base vertex 4294967297"},
      {[&](auto* e) { e->drawIndexedPrimitives(kPoint, 1, k16, at, 16, 1, 0, kPast); }, "from 4294967297 on"},
  };
  for (const auto& [call, reason] : calls) {
    std::string message;
    const Cells cells = counted(call, &message);
    EXPECT_NE(message.find(reason), std::string::npos) << message;
    EXPECT_EQ(cells, Cells{}) << reason;
  }
}

TEST_F(Draws, StripsRestartAtTheHighestIndex) {
  constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;
struct V { float4 position [[position]]; };
vertex V corner(uint id [[vertex_id]], const device float2* places [[buffer(0)]]) { return {float4(places[id], 0, 1)}; }
fragment float4 white() { return float4(1); }
)";
  auto pipeline = renderPipeline(source, "corner", "white", MTL::PixelFormatRGBA8Unorm);
  ASSERT_TRUE(pipeline);
  // Two quads: the left and the right quarter; without the restart the middle would fill as well.
  const std::vector<float> places{-1, 1, -0.5f, 1, -1, -1, -0.5f, -1, 0.5f, 1, 1, 1, 0.5f, -1, 1, -1};
  auto vertices = sharedBuffer(places);
  auto narrow = sharedBuffer(std::vector<uint16_t>{0, 1, 2, 3, 0xffff, 4, 5, 6, 7});
  auto wide = sharedBuffer(std::vector<uint32_t>{0, 1, 2, 3, 0xffffffff, 4, 5, 6, 7});
  auto target = colorTarget(16, 16);
  auto table = argumentTable(1);
  table->setAddress(vertices->gpuAddress(), 0);
  for (bool is16 : {true, false}) {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(target.get()));
                encoder->setRenderPipelineState(pipeline.get());
                encoder->setArgumentTable(table.get(), MTL::RenderStageVertex);
                encoder->drawIndexedPrimitives(MTL::PrimitiveTypeTriangleStrip, 9,
                                               is16 ? MTL::IndexTypeUInt16 : MTL::IndexTypeUInt32,
                                               (is16 ? narrow : wide)->gpuAddress(), is16 ? 18 : 36);
                encoder->endEncoding();
              }),
              "");
    auto got = pixels(target.get());
    for (int i = 0; i < 256; ++i) {
      const bool isFilled = i % 16 < 4 || i % 16 >= 12;
      ASSERT_EQ(got[i], isFilled ? (Pixel{255, 255, 255, 255}) : (Pixel{0, 0, 0, 255}))
          << i % 16 << ", " << i / 16;
    }
  }
}

// ---- vertex descriptors
// ------------------------------------------------------------------------------------------

float halfToFloat(uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  const float sign = bits & 0x8000 ? -1.0f : 1.0f;
  if (exponent == 0) return sign * std::ldexp(float(mantissa), -24);
  return sign * std::ldexp(float(mantissa + 1024), exponent - 25);
}

enum class Kind { unsignedInt, signedInt, floating };

struct Format {
  const char* name;
  MTL::VertexFormat format;
  Kind kind;
  NS::UInteger bytes;
};

template <class T> T read(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// The attribute as the shader must see it, in the bits of uint4 / int4 / float4, missing components from (0,
// 0, 0, 1).
std::array<uint32_t, 4> decoded(const Format& format, const uint8_t* at) {
  std::array<float, 4> f{0, 0, 0, 1};
  std::array<uint32_t, 4> u{0, 0, 0, 1};
  const auto f0 = static_cast<NS::UInteger>(format.format);
  const auto each = [&](auto sample, int count, float scale) {
    using T = decltype(sample);
    for (int i = 0; i < count; ++i) {
      const T value = read<T>(at + i * sizeof(T));
      u[i] = static_cast<uint32_t>(value);
      f[i] = std::max(float(value) / scale, -1.0f);
    }
  };
  const auto inGroup = [&](NS::UInteger first) { return f0 >= first && f0 < first + 3; };
  if (inGroup(MTL::VertexFormatUChar2))
    each(uint8_t{}, int(f0) - 1 + 2, 1);
  else if (inGroup(MTL::VertexFormatChar2))
    each(int8_t{}, int(f0) - 4 + 2, 1);
  else if (inGroup(MTL::VertexFormatUChar2Normalized))
    each(uint8_t{}, int(f0) - 7 + 2, 255);
  else if (inGroup(MTL::VertexFormatChar2Normalized))
    each(int8_t{}, int(f0) - 10 + 2, 127);
  else if (inGroup(MTL::VertexFormatUShort2))
    each(uint16_t{}, int(f0) - 13 + 2, 1);
  else if (inGroup(MTL::VertexFormatShort2))
    each(int16_t{}, int(f0) - 16 + 2, 1);
  else if (inGroup(MTL::VertexFormatUShort2Normalized))
    each(uint16_t{}, int(f0) - 19 + 2, 65535);
  else if (inGroup(MTL::VertexFormatShort2Normalized))
    each(int16_t{}, int(f0) - 22 + 2, 32767);
  else if (f0 >= MTL::VertexFormatInt && f0 <= MTL::VertexFormatInt4)
    each(int32_t{}, int(f0) - 32 + 1, 1);
  else if (f0 >= MTL::VertexFormatUInt && f0 <= MTL::VertexFormatUInt4)
    each(uint32_t{}, int(f0) - 36 + 1, 1);
  else if (f0 >= MTL::VertexFormatFloat && f0 <= MTL::VertexFormatFloat4)
    for (int i = 0; i < int(f0) - 28 + 1; ++i) f[i] = read<float>(at + i * 4);
  else if (inGroup(MTL::VertexFormatHalf2) || f0 == MTL::VertexFormatHalf)
    for (int i = 0; i < (f0 == MTL::VertexFormatHalf ? 1 : int(f0) - 25 + 2); ++i)
      f[i] = halfToFloat(read<uint16_t>(at + i * 2));
  else
    switch (format.format) {
    case MTL::VertexFormatUChar:
      each(uint8_t{}, 1, 1);
      break;
    case MTL::VertexFormatChar:
      each(int8_t{}, 1, 1);
      break;
    case MTL::VertexFormatUCharNormalized:
      each(uint8_t{}, 1, 255);
      break;
    case MTL::VertexFormatCharNormalized:
      each(int8_t{}, 1, 127);
      break;
    case MTL::VertexFormatUShort:
      each(uint16_t{}, 1, 1);
      break;
    case MTL::VertexFormatShort:
      each(int16_t{}, 1, 1);
      break;
    case MTL::VertexFormatUShortNormalized:
      each(uint16_t{}, 1, 65535);
      break;
    case MTL::VertexFormatShortNormalized:
      each(int16_t{}, 1, 32767);
      break;
    case MTL::VertexFormatUChar4Normalized_BGRA:
      each(uint8_t{}, 4, 255);
      std::swap(f[0], f[2]);
      break;
    case MTL::VertexFormatUInt1010102Normalized:
    case MTL::VertexFormatInt1010102Normalized: {
      const uint32_t word = read<uint32_t>(at);
      for (int i = 0; i < 4; ++i) {
        const int bits = i < 3 ? 10 : 2;
        const uint32_t field = (word >> (10 * i)) & ((1u << bits) - 1);
        if (format.format == MTL::VertexFormatUInt1010102Normalized) {
          f[i] = float(field) / float((1 << bits) - 1);
        } else {
          const int value = int(field << (32 - bits)) >> (32 - bits);
          f[i] = std::max(float(value) / float((1 << (bits - 1)) - 1), -1.0f);
        }
      }
      break;
    }
    default:
      ADD_FAILURE() << format.name << " is not decoded";
      break;
    }
  if (format.kind == Kind::floating)
    for (int i = 0; i < 4; ++i) u[i] = std::bit_cast<uint32_t>(f[i]);
  return u;
}

#define BASANITE_FORMAT(name, kind, bytes)                                                                   \
  Format { #name, MTL::VertexFormat##name, Kind::kind, bytes }
const std::vector<Format> kFormats{BASANITE_FORMAT(UChar2, unsignedInt, 2),
                                   BASANITE_FORMAT(UChar3, unsignedInt, 3),
                                   BASANITE_FORMAT(UChar4, unsignedInt, 4),
                                   BASANITE_FORMAT(Char2, signedInt, 2),
                                   BASANITE_FORMAT(Char3, signedInt, 3),
                                   BASANITE_FORMAT(Char4, signedInt, 4),
                                   BASANITE_FORMAT(UChar2Normalized, floating, 2),
                                   BASANITE_FORMAT(UChar3Normalized, floating, 3),
                                   BASANITE_FORMAT(UChar4Normalized, floating, 4),
                                   BASANITE_FORMAT(Char2Normalized, floating, 2),
                                   BASANITE_FORMAT(Char3Normalized, floating, 3),
                                   BASANITE_FORMAT(Char4Normalized, floating, 4),
                                   BASANITE_FORMAT(UShort2, unsignedInt, 4),
                                   BASANITE_FORMAT(UShort3, unsignedInt, 6),
                                   BASANITE_FORMAT(UShort4, unsignedInt, 8),
                                   BASANITE_FORMAT(Short2, signedInt, 4),
                                   BASANITE_FORMAT(Short3, signedInt, 6),
                                   BASANITE_FORMAT(Short4, signedInt, 8),
                                   BASANITE_FORMAT(UShort2Normalized, floating, 4),
                                   BASANITE_FORMAT(UShort3Normalized, floating, 6),
                                   BASANITE_FORMAT(UShort4Normalized, floating, 8),
                                   BASANITE_FORMAT(Short2Normalized, floating, 4),
                                   BASANITE_FORMAT(Short3Normalized, floating, 6),
                                   BASANITE_FORMAT(Short4Normalized, floating, 8),
                                   BASANITE_FORMAT(Half2, floating, 4),
                                   BASANITE_FORMAT(Half3, floating, 6),
                                   BASANITE_FORMAT(Half4, floating, 8),
                                   BASANITE_FORMAT(Float, floating, 4),
                                   BASANITE_FORMAT(Float2, floating, 8),
                                   BASANITE_FORMAT(Float3, floating, 12),
                                   BASANITE_FORMAT(Float4, floating, 16),
                                   BASANITE_FORMAT(Int, signedInt, 4),
                                   BASANITE_FORMAT(Int2, signedInt, 8),
                                   BASANITE_FORMAT(Int3, signedInt, 12),
                                   BASANITE_FORMAT(Int4, signedInt, 16),
                                   BASANITE_FORMAT(UInt, unsignedInt, 4),
                                   BASANITE_FORMAT(UInt2, unsignedInt, 8),
                                   BASANITE_FORMAT(UInt3, unsignedInt, 12),
                                   BASANITE_FORMAT(UInt4, unsignedInt, 16),
                                   BASANITE_FORMAT(Int1010102Normalized, floating, 4),
                                   BASANITE_FORMAT(UInt1010102Normalized, floating, 4),
                                   BASANITE_FORMAT(UChar4Normalized_BGRA, floating, 4),
                                   BASANITE_FORMAT(UChar, unsignedInt, 1),
                                   BASANITE_FORMAT(Char, signedInt, 1),
                                   BASANITE_FORMAT(UCharNormalized, floating, 1),
                                   BASANITE_FORMAT(CharNormalized, floating, 1),
                                   BASANITE_FORMAT(UShort, unsignedInt, 2),
                                   BASANITE_FORMAT(Short, signedInt, 2),
                                   BASANITE_FORMAT(UShortNormalized, floating, 2),
                                   BASANITE_FORMAT(ShortNormalized, floating, 2),
                                   BASANITE_FORMAT(Half, floating, 2)};

class VertexDescriptors : public MetalFixture {};

// A program with one attribute per format of the slice; vertex v shows all of them in row v.
std::string attributeSource(const std::vector<Format>& formats) {
  std::string fields, cases;
  for (size_t i = 0; i < formats.size(); ++i) {
    const std::string n = std::to_string(i);
    const char* type = formats[i].kind == Kind::floating    ? "float4"
                       : formats[i].kind == Kind::signedInt ? "int4"
                                                            : "uint4";
    fields += std::string("  ") + type + " a" + n + " [[attribute(" + n + ")]];\n";
    cases += "  case " + n + ": out.bits = as_type<uint4>(in.a" + n + "); break;\n";
  }
  return "#include <metal_stdlib>\nusing namespace metal;\nstruct In {\n" + fields + R"(};
struct Varyings {
  float4 position [[position]];
  float size [[point_size]];
  uint4 bits [[flat]];
};
// Instance i shows attribute i.
vertex Varyings show(In in [[stage_in]], uint id [[vertex_id]], uint instance [[instance_id]]) {
  Varyings out;
  out.position = float4((float(instance) + 0.5f) / 8.0f - 1.0f, 1.0f - (float(id) + 0.5f) / 4.0f, 0, 1);
  out.size = 1;
  out.bits = uint4(0);
  switch (instance) {
)" + cases +
         R"(  }
  return out;
}
fragment uint4 bits(Varyings in [[stage_in]]) { return in.bits; }
)";
}

TEST_F(VertexDescriptors, EveryFormatConvertsAsNamed) {
  constexpr size_t kPerPipeline = 16;
  constexpr NS::UInteger kVertices = 8, kStride = kPerPipeline * 16 + 20, kFirst = 12;
  std::mt19937 random(7);
  auto target = colorTarget(kPerPipeline, kVertices, MTL::PixelFormatRGBA32Uint);
  for (size_t begin = 0; begin < kFormats.size(); begin += kPerPipeline) {
    const std::vector<Format> formats(kFormats.begin() + begin,
                                      kFormats.begin() + std::min(kFormats.size(), begin + kPerPipeline));
    auto descriptor = NS::TransferPtr(MTL::VertexDescriptor::alloc()->init());
    std::vector<uint8_t> bytes(kFirst + kStride * kVertices);
    for (auto& byte : bytes) byte = uint8_t(random());
    for (size_t i = 0; i < formats.size(); ++i) {
      auto* attribute = descriptor->attributes()->object(i);
      attribute->setFormat(formats[i].format);
      attribute->setBufferIndex(3);
      attribute->setOffset(8 + i * 16);
      // Finite floating-point numbers of ordinary size, whose bits survive any path.
      const std::string_view name = formats[i].name;
      for (NS::UInteger v = 0; v < kVertices; ++v) {
        uint8_t* at = &bytes[kFirst + v * kStride + 8 + i * 16];
        if (name.starts_with("Float"))
          for (int c = 0; c < 4; ++c) {
            const float value = (float(random() % 20001) - 10000) / 64;
            std::memcpy(at + c * 4, &value, 4);
          }
        if (name.starts_with("Half"))
          for (int c = 0; c < 4; ++c) {
            const uint16_t value = uint16_t((random() & 0x83ff) | ((random() % 20 + 5) << 10));
            std::memcpy(at + c * 2, &value, 2);
          }
      }
    }
    descriptor->layouts()->object(3)->setStride(kStride);
    auto pipeline = renderPipeline(attributeSource(formats), "show", "bits", MTL::PixelFormatRGBA32Uint,
                                   descriptor.get());
    ASSERT_TRUE(pipeline);
    auto buffer = sharedBuffer(bytes);
    auto table = argumentTable(4);
    table->setAddress(buffer->gpuAddress() + kFirst, 3);
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(target.get()));
                encoder->setRenderPipelineState(pipeline.get());
                encoder->setArgumentTable(table.get(), MTL::RenderStageVertex);
                encoder->drawPrimitives(MTL::PrimitiveTypePoint, 0, kVertices, formats.size());
                encoder->endEncoding();
              }),
              "");
    auto got = texels<std::array<uint32_t, 4>>(target.get());
    for (size_t i = 0; i < formats.size(); ++i)
      for (NS::UInteger v = 0; v < kVertices; ++v) {
        const auto wanted = decoded(formats[i], &bytes[kFirst + v * kStride + 8 + i * 16]);
        const auto value = got[v * kPerPipeline + i];
        for (int c = 0; c < 4; ++c)
          if (formats[i].kind == Kind::floating)
            EXPECT_NEAR(std::bit_cast<float>(value[c]), std::bit_cast<float>(wanted[c]),
                        1e-6 * std::max(1.0f, std::fabs(std::bit_cast<float>(wanted[c]))))
                << formats[i].name << ", component " << c << " of vertex " << v;
          else
            EXPECT_EQ(value[c], wanted[c]) << formats[i].name << ", component " << c << " of vertex " << v;
      }
  }
}

TEST_F(VertexDescriptors, InterleavedAndPerInstanceBuffersDrawAMesh) {
  constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;
struct In {
  float3 position [[attribute(0)]];
  float4 color [[attribute(1)]];
  half2 uv [[attribute(2)]];
  float2 shift [[attribute(5)]];
  float4 everywhere [[attribute(6)]];
};
struct Varyings {
  float4 position [[position]];
  float4 color;
};
vertex Varyings place(In in [[stage_in]]) {
  Varyings out;
  out.position = float4(in.position.xy + in.shift, in.position.z, 1);
  out.color = float4(in.color.rgb * float(in.uv.x + in.uv.y), 1) * in.everywhere;
  return out;
}
fragment float4 color(Varyings in [[stage_in]]) { return in.color; }
)";
  struct Vertex {
    uint8_t padding[4];
    uint16_t color[4];
    float position[3];
    uint16_t uv[2]; // 0.25 and 0.75: together 1
  };
  static_assert(sizeof(Vertex) == 28);
  const auto corner = [](float x, float y) {
    return Vertex{{}, {65535, 13107, 0, 65535}, {x, y, 0.5f}, {0x3400, 0x3a00}};
  };
  auto vertices =
      sharedBuffer(std::vector<Vertex>{corner(0, 0), corner(0.5f, 0), corner(0, -0.5f), corner(0.5f, -0.5f)});
  auto shifts =
      sharedBuffer(std::vector<float>{-1, 1, 9, 0, 1, 9, 0.5f, -0.5f, 9}); // float2 in a stride of 12
  auto tint = sharedBuffer(std::vector<float>{1, 1, 0.5f, 1});
  auto indices = sharedBuffer(std::vector<uint16_t>{0, 1, 2, 2, 1, 3});
  auto descriptor = NS::TransferPtr(MTL::VertexDescriptor::alloc()->init());
  const auto attribute = [&](NS::UInteger index, MTL::VertexFormat format, NS::UInteger offset,
                             NS::UInteger buffer) {
    auto* a = descriptor->attributes()->object(index);
    a->setFormat(format);
    a->setOffset(offset);
    a->setBufferIndex(buffer);
  };
  attribute(0, MTL::VertexFormatFloat3, offsetof(Vertex, position), 0);
  attribute(1, MTL::VertexFormatUShort4Normalized, offsetof(Vertex, color), 0);
  attribute(2, MTL::VertexFormatHalf2, offsetof(Vertex, uv), 0);
  attribute(5, MTL::VertexFormatFloat2, 0, 4);
  attribute(6, MTL::VertexFormatFloat4, 0, 7);
  descriptor->layouts()->object(0)->setStride(sizeof(Vertex));
  descriptor->layouts()->object(4)->setStride(12);
  descriptor->layouts()->object(4)->setStepFunction(MTL::VertexStepFunctionPerInstance);
  descriptor->layouts()->object(7)->setStride(16);
  descriptor->layouts()->object(7)->setStepFunction(MTL::VertexStepFunctionConstant);
  descriptor->layouts()->object(7)->setStepRate(0);
  auto pipeline = renderPipeline(source, "place", "color", MTL::PixelFormatRGBA8Unorm, descriptor.get());
  ASSERT_TRUE(pipeline);
  auto table = argumentTable(8);
  table->setAddress(vertices->gpuAddress(), 0);
  table->setAddress(shifts->gpuAddress(), 4);
  table->setAddress(tint->gpuAddress(), 7);
  auto target = colorTarget(32, 32);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(target.get()));
              encoder->setRenderPipelineState(pipeline.get());
              encoder->setArgumentTable(table.get(), MTL::RenderStageVertex);
              encoder->drawIndexedPrimitives(MTL::PrimitiveTypeTriangle, 6, MTL::IndexTypeUInt16,
                                             indices->gpuAddress(), 12, 3);
              encoder->endEncoding();
            }),
            "");
  auto got = pixels(target.get());
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x) {
      // 8 x 8 squares at the clip-space shifts (-1, 1), (0, 1) and (0.5, -0.5).
      const bool isInside = (y < 8 && (x < 8 || (x >= 16 && x < 24))) || (y >= 24 && x >= 24);
      ASSERT_EQ(got[y * 32 + x], isInside ? (Pixel{255, 51, 0, 255}) : (Pixel{0, 0, 0, 255}))
          << x << ", " << y;
    }
}

TEST_F(VertexDescriptors, StepRatesHoldAnElementForSeveralInstances) {
  constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;
struct In {
  uint value [[attribute(0)]];
};
struct Varyings {
  float4 position [[position]];
  float size [[point_size]];
  uint value [[flat]];
};
vertex Varyings place(In in [[stage_in]], uint instance [[instance_id]]) {
  Varyings out;
  out.position = float4((float(instance) + 0.5f) / 8.0f - 1.0f, 0, 0, 1);
  out.size = 1;
  out.value = in.value;
  return out;
}
fragment uint value(Varyings in [[stage_in]]) { return in.value; }
)";
  auto descriptor = NS::TransferPtr(MTL::VertexDescriptor::alloc()->init());
  descriptor->attributes()->object(0)->setFormat(MTL::VertexFormatUInt);
  descriptor->layouts()->object(0)->setStride(4);
  descriptor->layouts()->object(0)->setStepFunction(MTL::VertexStepFunctionPerInstance);
  descriptor->layouts()->object(0)->setStepRate(3);
  auto pipeline = renderPipeline(source, "place", "value", MTL::PixelFormatR32Uint, descriptor.get());
  ASSERT_TRUE(pipeline);
  std::vector<uint32_t> values(16);
  for (uint32_t i = 0; i < 16; ++i) values[i] = 100 + i;
  auto buffer = sharedBuffer(values);
  auto table = argumentTable(1);
  table->setAddress(buffer->gpuAddress(), 0);
  auto target = colorTarget(16, 1, MTL::PixelFormatR32Uint);
  const auto row = [&](NS::UInteger baseInstance) {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(
                    clearPass(target.get(), MTL::ClearColor::Make(0, 0, 0, 0)));
                encoder->setRenderPipelineState(pipeline.get());
                encoder->setArgumentTable(table.get(), MTL::RenderStageVertex);
                encoder->drawPrimitives(MTL::PrimitiveTypePoint, 0, 1, 8, baseInstance);
                encoder->endEncoding();
              }),
              "");
    return texels<uint32_t>(target.get());
  };
  EXPECT_EQ(row(0), (std::vector<uint32_t>{100, 100, 100, 101, 101, 101, 102, 102, 0, 0, 0, 0, 0, 0, 0, 0}));
  // The base instance is the first element; the rate counts from there.
  EXPECT_EQ(row(4), (std::vector<uint32_t>{0, 0, 0, 0, 104, 104, 104, 105, 105, 105, 106, 106, 0, 0, 0, 0}));
}

} // namespace
} // namespace basanite::tests
