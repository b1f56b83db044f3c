// SPDX-License-Identifier: Apache-2.0
// The three passes of a frame and everything they use.
#pragma once

#include "examples/01_stage_timings/mesh.hpp"
#include "examples/01_stage_timings/scene.hpp"
#include "examples/01_stage_timings/stage_clock.hpp"
#include "examples/support/gpu.hpp"

#include <filesystem>

namespace examples::stage_timings {

// Used by one thread.
class Renderer {
 public:
  // `slots` is the number of frames in flight: each slot has uniforms of its own.
  Renderer(Gpu& gpu, const std::filesystem::path& shaderFolder, const Mesh& bunny, uint32_t width,
           uint32_t height, uint32_t slots);

  // Encodes all passes. The slot's previous frame must have finished.
  void encodeFrame(MTL4::CommandBuffer* commandBuffer, const FrameUniforms& uniforms, uint32_t slot,
                   StageClock& clock);

  // Copies the finished picture into readBack(): rows of 4 * width bytes, RGBA, sRGB encoded.
  void encodeReadBack(MTL4::CommandBuffer* commandBuffer);
  MTL::Buffer* readBack() const { return m_readBack.get(); }

 private:
  struct GpuMesh {
    NS::SharedPtr<MTL::Buffer> vertices;
    NS::SharedPtr<MTL::Buffer> indices;
    NS::UInteger indexCount = 0;
  };

  GpuMesh upload(const Mesh& mesh, const std::string& label);
  void makeTextures();
  void makeRenderPasses();
  void makePipelines(const std::filesystem::path& shaderFolder);
  void makeStates();
  void makeArgumentTables();

  void encodeShadowMap(MTL4::CommandBuffer* commandBuffer, MTL::GPUAddress uniforms, StageClock& clock);
  void encodeScene(MTL4::CommandBuffer* commandBuffer, MTL::GPUAddress uniforms, StageClock& clock);
  void encodeToneMap(MTL4::CommandBuffer* commandBuffer, StageClock& clock);
  static void draw(MTL4::RenderCommandEncoder* encoder, const GpuMesh& mesh, MTL4::ArgumentTable* arguments);

  Gpu& m_gpu;
  uint32_t m_width;
  uint32_t m_height;

  GpuMesh m_bunny;
  GpuMesh m_ground;
  NS::SharedPtr<MTL::Buffer> m_uniforms; // one block a slot
  NS::SharedPtr<MTL::Buffer> m_readBack;

  NS::SharedPtr<MTL::Texture> m_checker;
  NS::SharedPtr<MTL::Texture> m_shadowMap;
  NS::SharedPtr<MTL::Texture> m_depth;
  NS::SharedPtr<MTL::Texture> m_radiance; // the scene in linear light
  NS::SharedPtr<MTL::Texture> m_picture;  // tone-mapped

  NS::SharedPtr<MTL4::RenderPassDescriptor> m_shadowMapPass;
  NS::SharedPtr<MTL4::RenderPassDescriptor> m_scenePass;

  NS::SharedPtr<MTL::RenderPipelineState> m_shadowMapPipeline;
  NS::SharedPtr<MTL::RenderPipelineState> m_bunnyPipeline;
  NS::SharedPtr<MTL::RenderPipelineState> m_groundPipeline;
  NS::SharedPtr<MTL::RenderPipelineState> m_skyPipeline;
  NS::SharedPtr<MTL::ComputePipelineState> m_toneMapPipeline;

  NS::SharedPtr<MTL::DepthStencilState> m_depthWrite;
  NS::SharedPtr<MTL::DepthStencilState> m_depthTestOnly;
  NS::SharedPtr<MTL::SamplerState> m_checkerSampler;

  NS::SharedPtr<MTL4::ArgumentTable> m_shadowMapArguments;
  NS::SharedPtr<MTL4::ArgumentTable> m_sceneArguments; // of both stages
  NS::SharedPtr<MTL4::ArgumentTable> m_toneMapArguments;
};

} // namespace examples::stage_timings
