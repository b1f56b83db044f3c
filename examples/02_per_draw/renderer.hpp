// SPDX-License-Identifier: Apache-2.0
// Encodes the draws of the picture, all in one pass or each in a pass of its own.
#pragma once

#include "examples/02_per_draw/landscape.hpp"
#include "examples/support/gpu.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace examples::per_draw {

// Used by one thread.
class Renderer {
 public:
  // What it allocates is to be made resident before its commands run.
  Renderer(Gpu& gpu, const std::filesystem::path& shaderFolder, std::vector<Draw> draws, uint32_t width,
           uint32_t height);

  const std::vector<Draw>& draws() const { return m_draws; }

  // The whole picture in one pass. `between` is called before the first draw with 0, and after each with the
  // number of draws so far.
  using Between = std::function<void(MTL4::RenderCommandEncoder*, size_t)>;
  void encodePicture(MTL4::CommandBuffer* commandBuffer, const Between& between);
  // The same pass with one draw only, or with none.
  void encodeAlone(MTL4::CommandBuffer* commandBuffer, const Draw* draw);

  // Lets the GPU copy the picture into a shared buffer: RGBA bytes, rows without gaps.
  void encodeReadBack(MTL4::CommandBuffer* commandBuffer);
  const void* pixels() const { return m_readBack->contents(); }

 private:
  MTL4::RenderCommandEncoder* beginPass(MTL4::CommandBuffer* commandBuffer);
  void encode(MTL4::RenderCommandEncoder* encoder, const Draw& draw);

  std::vector<Draw> m_draws;
  uint32_t m_width, m_height;
  NS::SharedPtr<MTL::Texture> m_picture;
  NS::SharedPtr<MTL::Buffer> m_layers, m_readBack;
  NS::SharedPtr<MTL4::RenderPassDescriptor> m_pass;
  NS::SharedPtr<MTL4::ArgumentTable> m_arguments;
  std::map<std::string, NS::SharedPtr<MTL::RenderPipelineState>> m_pipelines; // by their functions
};

} // namespace examples::per_draw
