// SPDX-License-Identifier: Apache-2.0
// Makes the resources and encodes the passes.
#include "examples/01_stage_timings/renderer.hpp"

#include "examples/01_stage_timings/checker_texture.hpp"
#include "examples/support/failure.hpp"

#include <cstring>

namespace examples::stage_timings {
namespace {

constexpr NS::UInteger kShadowMapSide = 1024;
constexpr float kGroundHalfSize = 40;
constexpr NS::UInteger kUniformStride = 256; // keeps each block aligned for constant address space

// Binding indices, as in the .metal files.
constexpr NS::UInteger kVertexBuffer = 0;
constexpr NS::UInteger kUniformBuffer = 1;
constexpr NS::UInteger kCheckerTexture = 0;
constexpr NS::UInteger kShadowMapTexture = 1;
constexpr NS::UInteger kCheckerSampler = 0;
constexpr NS::UInteger kRadianceTexture = 0;
constexpr NS::UInteger kPictureTexture = 1;

static_assert(sizeof(FrameUniforms) <= kUniformStride);

NS::SharedPtr<MTL::VertexDescriptor> vertexDescriptor() {
  auto descriptor = NS::TransferPtr(MTL::VertexDescriptor::alloc()->init());
  const auto setAttribute = [&](NS::UInteger index, NS::UInteger offset) {
    MTL::VertexAttributeDescriptor* attribute = descriptor->attributes()->object(index);
    attribute->setFormat(MTL::VertexFormatFloat3);
    attribute->setOffset(offset);
    attribute->setBufferIndex(kVertexBuffer);
  };
  setAttribute(0, offsetof(Vertex, position));
  setAttribute(1, offsetof(Vertex, normal));
  descriptor->layouts()->object(kVertexBuffer)->setStride(sizeof(Vertex));
  return descriptor;
}

NS::SharedPtr<MTL::Texture> newTarget(Gpu& gpu, MTL::PixelFormat format, NS::UInteger width,
                                      NS::UInteger height, MTL::TextureUsage usage,
                                      const std::string& label) {
  MTL::TextureDescriptor* descriptor =
      MTL::TextureDescriptor::texture2DDescriptor(format, width, height, false);
  descriptor->setStorageMode(MTL::StorageModePrivate);
  descriptor->setUsage(usage);
  return gpu.newTexture(descriptor, label);
}

} // namespace

Renderer::Renderer(Gpu& gpu, const std::filesystem::path& shaderFolder, const Mesh& bunny, uint32_t width,
                   uint32_t height, uint32_t slots)
    : m_gpu(gpu), m_width(width), m_height(height) {
  m_bunny = upload(bunny, "bunny");
  m_ground = upload(makeGround(kGroundHalfSize), "ground");
  m_uniforms = gpu.newBuffer(slots * kUniformStride, "frame uniforms");
  m_readBack = gpu.newBuffer(NS::UInteger{4} * width * height, "picture, read back");
  makeTextures();
  makeRenderPasses();
  makePipelines(shaderFolder);
  makeStates();
  makeArgumentTables();
}

Renderer::GpuMesh Renderer::upload(const Mesh& mesh, const std::string& label) {
  GpuMesh result;
  result.vertices =
      m_gpu.newBuffer(mesh.vertices.size() * sizeof(Vertex), label + " vertices", mesh.vertices.data());
  result.indices =
      m_gpu.newBuffer(mesh.indices.size() * sizeof(uint32_t), label + " indices", mesh.indices.data());
  result.indexCount = mesh.indices.size();
  return result;
}

void Renderer::makeTextures() {
  constexpr MTL::TextureUsage kDrawnThenRead = MTL::TextureUsageRenderTarget | MTL::TextureUsageShaderRead;
  m_checker = newCheckerTexture(m_gpu);
  m_shadowMap = newTarget(m_gpu, MTL::PixelFormatDepth32Float, kShadowMapSide, kShadowMapSide, kDrawnThenRead,
                          "shadow map");
  m_depth = newTarget(m_gpu, MTL::PixelFormatDepth32Float, m_width, m_height, MTL::TextureUsageRenderTarget,
                      "depth");
  m_radiance = newTarget(m_gpu, MTL::PixelFormatRGBA16Float, m_width, m_height, kDrawnThenRead, "radiance");
  m_picture = newTarget(m_gpu, MTL::PixelFormatRGBA8Unorm, m_width, m_height, MTL::TextureUsageShaderWrite,
                        "picture");
}

void Renderer::makeRenderPasses() {
  m_shadowMapPass = NS::TransferPtr(MTL4::RenderPassDescriptor::alloc()->init());
  MTL::RenderPassDepthAttachmentDescriptor* shadowMap = m_shadowMapPass->depthAttachment();
  shadowMap->setTexture(m_shadowMap.get());
  shadowMap->setLoadAction(MTL::LoadActionClear);
  shadowMap->setClearDepth(1);
  shadowMap->setStoreAction(MTL::StoreActionStore);

  m_scenePass = NS::TransferPtr(MTL4::RenderPassDescriptor::alloc()->init());
  MTL::RenderPassColorAttachmentDescriptor* radiance = m_scenePass->colorAttachments()->object(0);
  radiance->setTexture(m_radiance.get());
  radiance->setLoadAction(MTL::LoadActionDontCare); // ground and sky cover every pixel
  radiance->setStoreAction(MTL::StoreActionStore);
  MTL::RenderPassDepthAttachmentDescriptor* depth = m_scenePass->depthAttachment();
  depth->setTexture(m_depth.get());
  depth->setLoadAction(MTL::LoadActionClear);
  depth->setClearDepth(1);
  depth->setStoreAction(MTL::StoreActionDontCare);
}

void Renderer::makePipelines(const std::filesystem::path& shaderFolder) {
  const NS::SharedPtr<MTL::VertexDescriptor> vertices = vertexDescriptor();
  const NS::SharedPtr<MTL::Library> shadowMap = m_gpu.newLibrary(shaderFolder / "shadow_map.metal");
  m_shadowMapPipeline = m_gpu.newRenderPipeline(
      shadowMap.get(), {"shadow map", "shadowMapVertex", "", vertices.get(), MTL::PixelFormatInvalid});

  const NS::SharedPtr<MTL::Library> scene = m_gpu.newLibrary(shaderFolder / "scene.metal");
  const MTL::PixelFormat format = m_radiance->pixelFormat();
  m_bunnyPipeline = m_gpu.newRenderPipeline(
      scene.get(), {"bunny", "surfaceVertex", "bunnyFragment", vertices.get(), format});
  m_groundPipeline = m_gpu.newRenderPipeline(
      scene.get(), {"ground", "surfaceVertex", "groundFragment", vertices.get(), format});
  m_skyPipeline = m_gpu.newRenderPipeline(scene.get(), {"sky", "skyVertex", "skyFragment", nullptr, format});

  const NS::SharedPtr<MTL::Library> toneMap = m_gpu.newLibrary(shaderFolder / "tone_map.metal");
  m_toneMapPipeline = m_gpu.newComputePipeline(toneMap.get(), "toneMap");
}

void Renderer::makeStates() {
  auto depth = NS::TransferPtr(MTL::DepthStencilDescriptor::alloc()->init());
  depth->setDepthCompareFunction(MTL::CompareFunctionLessEqual);
  m_depthTestOnly = own(m_gpu.device()->newDepthStencilState(depth.get()), "the depth state of the sky");
  depth->setDepthWriteEnabled(true);
  m_depthWrite = own(m_gpu.device()->newDepthStencilState(depth.get()), "the depth state of surfaces");

  auto sampler = NS::TransferPtr(MTL::SamplerDescriptor::alloc()->init());
  sampler->setMinFilter(MTL::SamplerMinMagFilterLinear);
  sampler->setMagFilter(MTL::SamplerMinMagFilterLinear);
  sampler->setMipFilter(MTL::SamplerMipFilterLinear);
  sampler->setSAddressMode(MTL::SamplerAddressModeRepeat);
  sampler->setTAddressMode(MTL::SamplerAddressModeRepeat);
  sampler->setMaxAnisotropy(8);
  sampler->setSupportArgumentBuffers(true); // argument tables take samplers by their resource ID
  m_checkerSampler = own(m_gpu.device()->newSamplerState(sampler.get()), "the ground's sampler");
}

void Renderer::makeArgumentTables() {
  m_shadowMapArguments = m_gpu.newArgumentTable("shadow map", 2, 0, 0);

  m_sceneArguments = m_gpu.newArgumentTable("scene", 2, 2, 1);
  m_sceneArguments->setTexture(m_checker->gpuResourceID(), kCheckerTexture);
  m_sceneArguments->setTexture(m_shadowMap->gpuResourceID(), kShadowMapTexture);
  m_sceneArguments->setSamplerState(m_checkerSampler->gpuResourceID(), kCheckerSampler);

  m_toneMapArguments = m_gpu.newArgumentTable("tone map", 0, 2, 0);
  m_toneMapArguments->setTexture(m_radiance->gpuResourceID(), kRadianceTexture);
  m_toneMapArguments->setTexture(m_picture->gpuResourceID(), kPictureTexture);
}

void Renderer::encodeFrame(MTL4::CommandBuffer* commandBuffer, const FrameUniforms& uniforms, uint32_t slot,
                           StageClock& clock) {
  const NS::UInteger offset = slot * kUniformStride;
  std::memcpy(static_cast<std::byte*>(m_uniforms->contents()) + offset, &uniforms, sizeof(uniforms));
  const MTL::GPUAddress address = m_uniforms->gpuAddress() + offset;

  encodeShadowMap(commandBuffer, address, clock);
  encodeScene(commandBuffer, address, clock);
  encodeToneMap(commandBuffer, clock);
}

void Renderer::encodeShadowMap(MTL4::CommandBuffer* commandBuffer, MTL::GPUAddress uniforms,
                               StageClock& clock) {
  MTL4::RenderCommandEncoder* encoder = commandBuffer->renderCommandEncoder(m_shadowMapPass.get());
  encoder->setLabel(MTLSTR("shadow map"));
  // The previous frame's scene may still be reading the map.
  encoder->barrierAfterQueueStages(MTL::StageFragment, MTL::StageFragment, MTL4::VisibilityOptionDevice);

  clock.beginPass(encoder, Pass::shadowMap);
  encoder->setRenderPipelineState(m_shadowMapPipeline.get());
  encoder->setDepthStencilState(m_depthWrite.get());
  encoder->setDepthBias(1, 2, 0); // away from the sun, so that surfaces do not shade themselves
  m_shadowMapArguments->setAddress(uniforms, kUniformBuffer);
  encoder->setArgumentTable(m_shadowMapArguments.get(), MTL::RenderStageVertex);
  draw(encoder, m_bunny, m_shadowMapArguments.get());
  clock.endPass(encoder, Pass::shadowMap);
  encoder->endEncoding();
}

void Renderer::encodeScene(MTL4::CommandBuffer* commandBuffer, MTL::GPUAddress uniforms, StageClock& clock) {
  MTL4::RenderCommandEncoder* encoder = commandBuffer->renderCommandEncoder(m_scenePass.get());
  encoder->setLabel(MTLSTR("scene"));
  // The shadow map must be complete, and the previous frame's tone mapping done with the radiance.
  encoder->barrierAfterQueueStages(MTL::StageFragment | MTL::StageDispatch, MTL::StageFragment,
                                   MTL4::VisibilityOptionDevice);

  clock.beginPass(encoder, Pass::scene);
  m_sceneArguments->setAddress(uniforms, kUniformBuffer);
  encoder->setArgumentTable(m_sceneArguments.get(), MTL::RenderStageVertex | MTL::RenderStageFragment);
  encoder->setFrontFacingWinding(MTL::WindingCounterClockwise);
  encoder->setCullMode(MTL::CullModeBack);
  encoder->setDepthStencilState(m_depthWrite.get());

  encoder->setRenderPipelineState(m_bunnyPipeline.get());
  draw(encoder, m_bunny, m_sceneArguments.get());
  encoder->setRenderPipelineState(m_groundPipeline.get());
  draw(encoder, m_ground, m_sceneArguments.get());

  // The sky comes last and fills what is left, at the far end of the depth range.
  encoder->setRenderPipelineState(m_skyPipeline.get());
  encoder->setDepthStencilState(m_depthTestOnly.get());
  encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger{0}, NS::UInteger{3});
  clock.endPass(encoder, Pass::scene);
  encoder->endEncoding();
}

void Renderer::encodeToneMap(MTL4::CommandBuffer* commandBuffer, StageClock& clock) {
  MTL4::ComputeCommandEncoder* encoder = commandBuffer->computeCommandEncoder();
  encoder->setLabel(MTLSTR("tone map"));
  // The scene must be complete; the previous frame's tone mapping writes the same picture.
  encoder->barrierAfterQueueStages(MTL::StageFragment | MTL::StageDispatch, MTL::StageDispatch,
                                   MTL4::VisibilityOptionDevice);

  clock.beginPass(encoder, Pass::toneMap);
  encoder->setComputePipelineState(m_toneMapPipeline.get());
  encoder->setArgumentTable(m_toneMapArguments.get());
  encoder->dispatchThreads(MTL::Size::Make(m_width, m_height, 1), MTL::Size::Make(16, 16, 1));
  clock.endPass(encoder, Pass::toneMap);
  encoder->endEncoding();
}

void Renderer::draw(MTL4::RenderCommandEncoder* encoder, const GpuMesh& mesh,
                    MTL4::ArgumentTable* arguments) {
  arguments->setAddress(mesh.vertices->gpuAddress(), kVertexBuffer);
  encoder->drawIndexedPrimitives(MTL::PrimitiveTypeTriangle, mesh.indexCount, MTL::IndexTypeUInt32,
                                 mesh.indices->gpuAddress(), mesh.indices->length());
}

void Renderer::encodeReadBack(MTL4::CommandBuffer* commandBuffer) {
  MTL4::ComputeCommandEncoder* encoder = commandBuffer->computeCommandEncoder();
  encoder->setLabel(MTLSTR("read back"));
  encoder->barrierAfterQueueStages(MTL::StageDispatch, MTL::StageBlit, MTL4::VisibilityOptionDevice);
  const NS::UInteger bytesPerRow = NS::UInteger{4} * m_width;
  encoder->copyFromTexture(m_picture.get(), 0, 0, MTL::Origin::Make(0, 0, 0),
                           MTL::Size::Make(m_width, m_height, 1), m_readBack.get(), 0, bytesPerRow,
                           bytesPerRow * m_height);
  encoder->endEncoding();
}

} // namespace examples::stage_timings
