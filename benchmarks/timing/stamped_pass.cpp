// SPDX-License-Identifier: Apache-2.0
// Encodes and runs the passes; see the header.
#include "benchmarks/timing/stamped_pass.hpp"

#include "benchmarks/harness/samples.hpp"
#include "benchmarks/raw_vulkan/shaders/spirv.hpp"

#include <cstring>

namespace basanite::benchmarks {

OurStampedPass::OurStampedPass(Metal& metal, uint32_t mostStamps, uint32_t side) : m_metal(metal) {
  auto library = metal.library(kSmallDrawsSource);
  m_pipeline =
      metal.renderPipeline(library.get(), "smallVertex", "smallFragment", MTL::PixelFormatRGBA8Unorm);
  m_target = metal.texture(side, side, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageRenderTarget);
  m_pass = metal.clearPass(m_target.get());
  m_constants = metal.sharedBuffer(sizeof(SmallConstants));
  const SmallConstants constants = smallConstants(1'000)[0];
  std::memcpy(m_constants->contents(), &constants, sizeof constants);
  m_arguments = metal.argumentTable(1);
  m_arguments->setAddress(m_constants->gpuAddress(), 0);
  m_heap = metal.counterHeap(mostStamps + 2);
}

double OurStampedPass::encode(uint32_t draws, std::optional<MTL4::TimestampGranularity> granularity) {
  MTL4::CommandBuffer* commands = m_metal.prepare();
  const Stopwatch watch;
  m_metal.beginPrepared();
  commands->writeTimestampIntoHeap(m_heap.get(), 0);
  MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(m_pass.get());
  encoder->setRenderPipelineState(m_pipeline.get());
  encoder->setArgumentTable(m_arguments.get(), MTL::RenderStageVertex);
  for (uint32_t i = 0; i < draws; ++i) {
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
    if (granularity) encoder->writeTimestamp(*granularity, MTL::RenderStageFragment, m_heap.get(), i + 2);
  }
  encoder->endEncoding();
  commands->writeTimestampIntoHeap(m_heap.get(), 1);
  commands->endCommandBuffer();
  return watch.ns();
}

StampedPassTimes OurStampedPass::measure(uint32_t draws,
                                         std::optional<MTL4::TimestampGranularity> granularity) {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  const double encodeNs = encode(draws, granularity);
  m_metal.commitAndWait();
  return {m_metal.stamps(m_heap.get(), 2)[1], encodeNs};
}

double OurStampedPass::encodeOutsideNs(uint32_t stamps,
                                       std::optional<MTL4::TimestampGranularity> granularity) {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  MTL4::CommandBuffer* commands = m_metal.prepare();
  const Stopwatch watch;
  m_metal.beginPrepared();
  if (granularity) {
    MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
    for (uint32_t i = 0; i < stamps; ++i) encoder->writeTimestamp(*granularity, m_heap.get(), i);
    encoder->endEncoding();
  } else {
    for (uint32_t i = 0; i < stamps; ++i) commands->writeTimestampIntoHeap(m_heap.get(), i);
  }
  commands->endCommandBuffer();
  const double encodeNs = watch.ns();
  m_metal.commitAndWait(); // an allocator is reset only when what it holds has run
  return encodeNs;
}

TwinStampedPass::TwinStampedPass(twin::Device& device, uint32_t mostStamps, uint32_t side)
    : m_device(device), m_commands(device, 2 * mostStamps + 4),
      m_results(device.makeBuffer((2 * mostStamps + 4) * 8)), m_constants(smallConstants(1'000)[0]) {
  twin::GraphicsRecipe recipe;
  recipe.vertex = twin::spirv::smallPushVert;
  recipe.fragment = twin::spirv::smallFrag;
  recipe.color = VK_FORMAT_R8G8B8A8_UNORM;
  m_pipeline = device.makeGraphics(recipe);
  m_target = device.makeImage({side, side}, recipe.color, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
}

double TwinStampedPass::encode(uint32_t draws, std::optional<twin::Stamp> form, bool copied) {
  const twin::Target target{&m_target, nullptr};
  m_commands.prepare();
  const Stopwatch watch;
  m_commands.begin();
  m_commands.stampOutside();
  m_commands.beginRendering(target);
  m_commands.bind(m_pipeline);
  m_commands.push(&m_constants, sizeof m_constants);
  for (uint32_t i = 0; i < draws; ++i) {
    vkCmdDraw(m_commands.vk, 3, 1, 0, 0);
    if (form) m_commands.stampInside(*form, target);
  }
  m_commands.endRendering();
  m_last = m_commands.stampOutside();
  if (copied) m_commands.copyStamps(m_results);
  m_commands.end();
  return watch.ns();
}

StampedPassTimes TwinStampedPass::measure(uint32_t draws, std::optional<twin::Stamp> form, bool copied) {
  const double encodeNs = encode(draws, form, copied);
  m_device.run(m_commands.vk);
  return {m_commands.stamps()[m_last], encodeNs};
}

double TwinStampedPass::encodeOutsideNs(uint32_t stamps, bool barriers, bool copied) {
  m_commands.prepare();
  const twin::Stamp form = copied ? relaxedForm() : twin::Stamp::plain;
  const Stopwatch watch;
  m_commands.begin();
  for (uint32_t i = 0; i < stamps; ++i) {
    if (barriers)
      m_commands.stampOutside();
    else
      m_commands.stampInside(form, {});
  }
  if (copied) m_commands.copyStamps(m_results);
  m_commands.end();
  const double encodeNs = watch.ns();
  m_device.run(m_commands.vk);
  return encodeNs;
}

} // namespace basanite::benchmarks
