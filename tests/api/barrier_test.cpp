// SPDX-License-Identifier: Apache-2.0
// Ordering on the GPU: barriers inside encoders and between them, fences, and chains of fills, copies and dispatches.
#include "tests/support/metal_fixture.hpp"

#include <array>

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
// Each thread mixes in what a far-away thread of the step before wrote.
kernel void step(const device uint* in [[buffer(0)]], device uint* out [[buffer(1)]], constant uint& salt [[buffer(2)]],
                 uint id [[thread_position_in_grid]], uint size [[threads_per_grid]]) {
  out[id] = in[(id + size / 2 + salt) % size] * 3u + in[size - 1 - id] + salt;
}
struct Varyings { float4 position [[position]]; };
vertex Varyings cover(uint id [[vertex_id]]) { return {float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0, 1)}; }
fragment float4 fromBuffer(Varyings in [[stage_in]], const device uint* values [[buffer(0)]]) {
  uint2 pixel = uint2(in.position.xy);
  uint value = values[pixel.y * 64 + pixel.x];
  return float4(float(value & 255) / 255.0f, float((value >> 8) & 255) / 255.0f, float((value >> 16) & 255) / 255.0f, 1);
}
vertex Varyings placed(uint id [[vertex_id]], const device uint* values [[buffer(0)]]) {
  // The values decide whether the triangle covers the screen or nothing.
  float scale = values[0] == 77u ? 1 : 0;
  return {float4((id == 1 ? 3 : -1) * scale, (id == 2 ? -3 : 1) * scale, 0, 1)};
}
fragment float4 green(Varyings in [[stage_in]]) { return float4(0, 1, 0, 1); }
kernel void pack(texture2d<float, access::read> in [[texture(0)]], device uint* out [[buffer(0)]],
                 uint2 at [[thread_position_in_grid]]) {
  uint4 c = uint4(in.read(at) * 255.0f + 0.5f);
  out[at.y * 64 + at.x] = c.r | (c.g << 8) | (c.b << 16) | (c.a << 24);
}
kernel void setTo77(device uint* out [[buffer(0)]], uint id [[thread_position_in_grid]]) { out[id] = 77; }
)";

class Barriers : public MetalFixture {
 protected:
  static constexpr uint32_t kCount = 4096;
  static constexpr uint32_t kSteps = 64;

  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    m_step = computePipeline(m_library.get(), "step");
    ASSERT_TRUE(m_step);
    std::vector<uint32_t> start(kCount);
    for (uint32_t i = 0; i < kCount; ++i) start[i] = i * 2654435761u;
    m_start = start;
    m_ping = sharedBuffer(start);
    m_pong = sharedBuffer(kCount * 4);
    std::vector<uint32_t> salts(kSteps);
    for (uint32_t i = 0; i < kSteps; ++i) salts[i] = i * 7 + 1;
    m_salts = sharedBuffer(salts);
    m_table = argumentTable(3);
  }
  void encodeStep(MTL4::ComputeCommandEncoder* encoder, uint32_t index) {
    encoder->setComputePipelineState(m_step.get());
    encoder->setArgumentTable(m_table.get());
    m_table->setAddress((index % 2 ? m_pong : m_ping)->gpuAddress(), 0);
    m_table->setAddress((index % 2 ? m_ping : m_pong)->gpuAddress(), 1);
    m_table->setAddress(m_salts->gpuAddress() + index * 4, 2);
    encoder->dispatchThreads(MTL::Size::Make(kCount, 1, 1), MTL::Size::Make(64, 1, 1));
  }
  std::vector<uint32_t> expectedAfter(uint32_t steps) {
    std::vector<uint32_t> now = m_start, next(kCount);
    for (uint32_t s = 0; s < steps; ++s) {
      const uint32_t salt = s * 7 + 1;
      for (uint32_t i = 0; i < kCount; ++i) next[i] = now[(i + kCount / 2 + salt) % kCount] * 3 + now[kCount - 1 - i] + salt;
      now.swap(next);
    }
    return now;
  }
  void restart() { std::memcpy(m_ping->contents(), m_start.data(), kCount * 4); }
  void expectSteps(uint32_t steps, const char* how) {
    auto got = contents<uint32_t>((steps % 2 ? m_pong : m_ping).get());
    const auto wanted = expectedAfter(steps);
    size_t wrong = 0;
    for (uint32_t i = 0; i < kCount; ++i) wrong += got[i] != wanted[i];
    EXPECT_EQ(wrong, 0u) << how;
  }

  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL::ComputePipelineState> m_step;
  NS::SharedPtr<MTL::Buffer> m_ping, m_pong, m_salts;
  NS::SharedPtr<MTL4::ArgumentTable> m_table;
  std::vector<uint32_t> m_start;
};

constexpr auto kDevice = MTL4::VisibilityOptionDevice;

TEST_F(Barriers, B89InsideOneEncoderEveryRoundSeesTheLast) {
  for (int round = 0; round < 8; ++round) {
    restart();
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
                for (uint32_t i = 0; i < kSteps; ++i) {
                  if (i) encoder->barrierAfterEncoderStages(MTL::StageDispatch, MTL::StageDispatch, kDevice);
                  encodeStep(encoder, i);
                }
                encoder->endEncoding();
              }),
              "");
    expectSteps(kSteps, "barrierAfterEncoderStages");
  }
}

TEST_F(Barriers, ConsumersAndProducersOrderEncoders) {
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              for (uint32_t i = 0; i < kSteps; ++i) {
                MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
                encoder->barrierAfterQueueStages(MTL::StageDispatch, MTL::StageDispatch, kDevice);
                encodeStep(encoder, i);
                encoder->endEncoding();
              }
            }),
            "");
  expectSteps(kSteps, "barrierAfterQueueStages");
  restart();
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              for (uint32_t i = 0; i < kSteps; ++i) {
                MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
                encodeStep(encoder, i);
                encoder->barrierAfterStages(MTL::StageDispatch, MTL::StageDispatch, kDevice);
                encoder->endEncoding();
              }
            }),
            "");
  expectSteps(kSteps, "barrierAfterStages");
}

TEST_F(Barriers, FencesOrderEncodersAndMayBeReused) {
  auto first = NS::TransferPtr(m_device->newFence()), second = NS::TransferPtr(m_device->newFence());
  ASSERT_TRUE(first && second);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              for (uint32_t i = 0; i < kSteps; ++i) {
                MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
                if (i) encoder->waitForFence((i % 2 ? first : second).get(), MTL::StageDispatch);
                encodeStep(encoder, i);
                encoder->updateFence((i % 2 ? second : first).get(), MTL::StageDispatch);
                encoder->endEncoding();
              }
            }),
            "");
  expectSteps(kSteps, "two fences in turn");
  restart();
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              for (uint32_t i = 0; i < kSteps; ++i) {
                MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
                if (i) encoder->waitForFence(first.get(), MTL::StageDispatch); // one fence: wait first, then update
                encodeStep(encoder, i);
                encoder->updateFence(first.get(), MTL::StageDispatch);
                encoder->endEncoding();
              }
            }),
            "");
  expectSteps(kSteps, "one fence");
}

TEST_F(Barriers, AcrossCommandBuffersOfOneCommitAndOfSeveral) {
  // The queue barrier reaches back over command buffers, in one commit and over commits without a CPU wait.
  std::vector<NS::SharedPtr<MTL4::CommandAllocator>> allocators;
  std::vector<NS::SharedPtr<MTL4::CommandBuffer>> buffers;
  std::vector<const MTL4::CommandBuffer*> list;
  for (uint32_t i = 0; i < 8; ++i) {
    allocators.push_back(NS::TransferPtr(m_device->newCommandAllocator()));
    buffers.push_back(NS::TransferPtr(m_device->newCommandBuffer()));
    buffers[i]->beginCommandBuffer(allocators[i].get());
    MTL4::ComputeCommandEncoder* encoder = buffers[i]->computeCommandEncoder();
    encoder->barrierAfterQueueStages(MTL::StageDispatch, MTL::StageDispatch, kDevice);
    encodeStep(encoder, i);
    encoder->endEncoding();
    buffers[i]->endCommandBuffer();
    list.push_back(buffers[i].get());
  }
  m_queue->commit(list.data(), 4);
  for (int i = 4; i < 7; ++i) m_queue->commit(&list[i], 1);
  commitAndWait(buffers[7].get());
  expectSteps(8, "eight command buffers in five commits");
}

TEST_F(Barriers, FillCopyDispatchChains) {
  auto a = sharedBuffer(1024 * 4), b = sharedBuffer(1024 * 4), c = sharedBuffer(1024 * 4);
  auto salt = sharedBuffer(std::vector<uint32_t>{5});
  std::memset(c->contents(), 0, 4096);
  m_table->setAddress(b->gpuAddress(), 0);
  m_table->setAddress(c->gpuAddress(), 1);
  m_table->setAddress(salt->gpuAddress(), 2);
  for (uint8_t round = 1; round < 6; ++round) {
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
                encoder->fillBuffer(a.get(), NS::Range::Make(0, 4096), round);
                encoder->barrierAfterEncoderStages(MTL::StageBlit, MTL::StageBlit, kDevice);
                encoder->fillBuffer(a.get(), NS::Range::Make(13, 3), 0xee); // any offset and length
                encoder->barrierAfterEncoderStages(MTL::StageBlit, MTL::StageBlit, kDevice);
                encoder->copyFromBuffer(a.get(), 0, b.get(), 0, 4096);
                encoder->barrierAfterEncoderStages(MTL::StageBlit, MTL::StageDispatch, kDevice);
                encoder->setComputePipelineState(m_step.get());
                encoder->setArgumentTable(m_table.get());
                encoder->dispatchThreads(MTL::Size::Make(1024, 1, 1), MTL::Size::Make(64, 1, 1));
                encoder->barrierAfterEncoderStages(MTL::StageDispatch, MTL::StageBlit, kDevice);
                encoder->copyFromBuffer(c.get(), 4, a.get(), 2048, 1020);
                EXPECT_EQ(encoder->stages(), MTL::StageBlit | MTL::StageDispatch);
                encoder->endEncoding();
              }),
              "");
    std::vector<uint32_t> source(1024, round * 0x01010101u);
    source[3] = (source[3] & 0xff) | 0xeeeeee00u; // bytes 13 to 15
    auto copied = contents<uint32_t>(b.get());
    EXPECT_EQ(copied, source);
    std::vector<uint32_t> wanted(1024);
    for (uint32_t i = 0; i < 1024; ++i) wanted[i] = source[(i + 512 + 5) % 1024] * 3 + source[1023 - i] + 5;
    EXPECT_EQ(contents<uint32_t>(c.get()), wanted);
    auto back = contents<uint32_t>(a.get());
    for (uint32_t i = 0; i < 255; ++i) ASSERT_EQ(back[512 + i], wanted[1 + i]) << i;
    EXPECT_EQ(back[511], source[511]);
    EXPECT_EQ(back[512 + 255], source[0]);
  }
}

TEST_F(Barriers, RenderThenComputeThenRender) {
  auto fromBuffer = renderPipeline(m_library.get(), "cover", "fromBuffer", [](auto* descriptor) {
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  });
  auto placed = renderPipeline(m_library.get(), "placed", "green", [](auto* descriptor) {
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  });
  auto pack = computePipeline(m_library.get(), "pack");
  auto setTo77 = computePipeline(m_library.get(), "setTo77");
  ASSERT_TRUE(fromBuffer && placed && pack && setTo77);
  std::vector<uint32_t> values(4096);
  for (uint32_t i = 0; i < 4096; ++i) values[i] = i * 4099u & 0xffffff;
  auto in = sharedBuffer(values), out = sharedBuffer(4096 * 4), flag = sharedBuffer(std::vector<uint32_t>(64, 0));
  auto target = colorTarget(64, 64), last = colorTarget(8, 8);
  auto renderTable = argumentTable(1), packTable = argumentTable(1, 1), flagTable = argumentTable(1);
  renderTable->setAddress(in->gpuAddress(), 0);
  packTable->setAddress(out->gpuAddress(), 0);
  packTable->setTexture(target->gpuResourceID(), 0);
  flagTable->setAddress(flag->gpuAddress(), 0);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* render = commands->renderCommandEncoder(clearPass(target.get()));
              render->setRenderPipelineState(fromBuffer.get());
              render->setArgumentTable(renderTable.get(), MTL::RenderStageFragment);
              render->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
              render->endEncoding();
              MTL4::ComputeCommandEncoder* compute = commands->computeCommandEncoder();
              compute->barrierAfterQueueStages(MTL::StageFragment, MTL::StageDispatch, kDevice);
              compute->setComputePipelineState(pack.get());
              compute->setArgumentTable(packTable.get());
              compute->dispatchThreads(MTL::Size::Make(64, 64, 1), MTL::Size::Make(8, 8, 1));
              compute->setComputePipelineState(setTo77.get());
              compute->setArgumentTable(flagTable.get());
              compute->dispatchThreads(MTL::Size::Make(64, 1, 1), MTL::Size::Make(64, 1, 1));
              compute->barrierAfterStages(MTL::StageDispatch, MTL::StageVertex, kDevice);
              compute->endEncoding();
              render = commands->renderCommandEncoder(clearPass(last.get()));
              render->setRenderPipelineState(placed.get());
              render->setArgumentTable(flagTable.get(), MTL::RenderStageVertex);
              render->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
              render->endEncoding();
            }),
            "");
  auto got = contents<uint32_t>(out.get());
  for (uint32_t i = 0; i < 4096; ++i) ASSERT_EQ(got[i], values[i] | 0xff000000u) << i;
  EXPECT_EQ(pixels(last.get()), std::vector<Pixel>(64, Pixel{0, 255, 0, 255}));
}

TEST_F(Barriers, StagesThatAnEncoderHasNotAreNamed) {
  auto target = colorTarget(8, 8);
  const std::string compute = runCommands([&](MTL4::CommandBuffer* commands) {
    MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
    encoder->barrierAfterEncoderStages(MTL::StageFragment, MTL::StageDispatch, kDevice);
    encoder->endEncoding();
  });
  EXPECT_NE(compute.find("dispatch"), std::string::npos) << "the legal stages are named: " << compute;
  const std::string render = runCommands([&](MTL4::CommandBuffer* commands) {
    MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(target.get()));
    encoder->barrierAfterEncoderStages(MTL::StageFragment, MTL::StageFragment, kDevice);
    encoder->endEncoding();
  });
  EXPECT_NE(render.find("vertex"), std::string::npos) << "the legal stages are named: " << render;
}

} // namespace
} // namespace basanite::tests
