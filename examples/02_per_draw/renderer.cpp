// SPDX-License-Identifier: Apache-2.0
// Makes the resources and encodes the passes.
#include "examples/02_per_draw/renderer.hpp"

#include <cstring>

namespace examples::per_draw {
namespace {

constexpr NS::UInteger kLayerStride = 256; // keeps each layer aligned for constant address space
constexpr NS::UInteger kLayerBuffer = 0;   // as in landscape.metal
constexpr MTL::PixelFormat kFormat = MTL::PixelFormatRGBA8Unorm;

static_assert(sizeof(Layer) <= kLayerStride);

std::string pipelineName(const Draw& draw) { return draw.vertexFunction + ", " + draw.fragmentFunction; }

} // namespace

Renderer::Renderer(Gpu& gpu, const std::filesystem::path& shaderFolder, std::vector<Draw> draws,
                   uint32_t width, uint32_t height)
    : m_draws(std::move(draws)), m_width(width), m_height(height) {
  MTL::TextureDescriptor* descriptor =
      MTL::TextureDescriptor::texture2DDescriptor(kFormat, width, height, false);
  descriptor->setStorageMode(MTL::StorageModePrivate);
  descriptor->setUsage(MTL::TextureUsageRenderTarget);
  m_picture = gpu.newTexture(descriptor, "picture");
  m_readBack = gpu.newBuffer(NS::UInteger{4} * width * height, "picture, read back");
  m_layers = gpu.newBuffer(m_draws.size() * kLayerStride, "layers");
  for (size_t i = 0; i < m_draws.size(); ++i)
    std::memcpy(static_cast<std::byte*>(m_layers->contents()) + i * kLayerStride, &m_draws[i].layer,
                sizeof(Layer));
  m_arguments = gpu.newArgumentTable("layer", 1, 0, 0);

  m_pass = NS::TransferPtr(MTL4::RenderPassDescriptor::alloc()->init());
  MTL::RenderPassColorAttachmentDescriptor* color = m_pass->colorAttachments()->object(0);
  color->setTexture(m_picture.get());
  color->setLoadAction(MTL::LoadActionClear);
  color->setClearColor(MTL::ClearColor::Make(0, 0, 0, 1));
  color->setStoreAction(MTL::StoreActionStore);

  const NS::SharedPtr<MTL::Library> library = gpu.newLibrary(shaderFolder / "landscape.metal");
  for (const Draw& draw : m_draws) {
    NS::SharedPtr<MTL::RenderPipelineState>& pipeline = m_pipelines[pipelineName(draw)];
    if (!pipeline)
      pipeline = gpu.newRenderPipeline(library.get(), {pipelineName(draw), draw.vertexFunction,
                                                       draw.fragmentFunction, nullptr, kFormat, true});
  }
}

MTL4::RenderCommandEncoder* Renderer::beginPass(MTL4::CommandBuffer* commandBuffer) {
  MTL4::RenderCommandEncoder* encoder = commandBuffer->renderCommandEncoder(m_pass.get());
  encoder->setLabel(MTLSTR("landscape"));
  // The previous pass painted the same picture.
  encoder->barrierAfterQueueStages(MTL::StageFragment, MTL::StageFragment, MTL4::VisibilityOptionDevice);
  encoder->setArgumentTable(m_arguments.get(), MTL::RenderStageVertex | MTL::RenderStageFragment);
  return encoder;
}

void Renderer::encode(MTL4::RenderCommandEncoder* encoder, const Draw& draw) {
  const auto index = static_cast<NS::UInteger>(&draw - m_draws.data());
  encoder->setRenderPipelineState(m_pipelines.at(pipelineName(draw)).get());
  m_arguments->setAddress(m_layers->gpuAddress() + index * kLayerStride, kLayerBuffer);
  encoder->drawPrimitives(draw.primitive, NS::UInteger{0}, NS::UInteger{draw.vertices},
                          NS::UInteger{draw.instances});
}

void Renderer::encodePicture(MTL4::CommandBuffer* commandBuffer, const Between& between) {
  MTL4::RenderCommandEncoder* encoder = beginPass(commandBuffer);
  between(encoder, 0);
  for (size_t i = 0; i < m_draws.size(); ++i) {
    encode(encoder, m_draws[i]);
    between(encoder, i + 1);
  }
  encoder->endEncoding();
}

void Renderer::encodeAlone(MTL4::CommandBuffer* commandBuffer, const Draw* draw) {
  MTL4::RenderCommandEncoder* encoder = beginPass(commandBuffer);
  if (draw) encode(encoder, *draw);
  encoder->endEncoding();
}

void Renderer::encodeReadBack(MTL4::CommandBuffer* commandBuffer) {
  MTL4::ComputeCommandEncoder* encoder = commandBuffer->computeCommandEncoder();
  encoder->setLabel(MTLSTR("read back"));
  encoder->barrierAfterQueueStages(MTL::StageFragment, MTL::StageBlit, MTL4::VisibilityOptionDevice);
  const NS::UInteger bytesPerRow = NS::UInteger{4} * m_width;
  encoder->copyFromTexture(m_picture.get(), 0, 0, MTL::Origin::Make(0, 0, 0),
                           MTL::Size::Make(m_width, m_height, 1), m_readBack.get(), 0, bytesPerRow,
                           bytesPerRow * m_height);
  encoder->endEncoding();
}

} // namespace examples::per_draw
