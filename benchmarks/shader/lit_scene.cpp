// SPDX-License-Identifier: Apache-2.0
// Implementation of lit_scene.hpp.
#include "benchmarks/shader/lit_scene.hpp"

#include "benchmarks/harness/samples.hpp"
#include "benchmarks/raw_vulkan/shaders/spirv.hpp"

#include <cstddef>
#include <fmt/format.h>
#include <string_view>

namespace basanite::benchmarks {

std::string litSource(unsigned number) {
  std::string source = kFrameSource;
  const std::string_view constant = "60.0f";
  return source.replace(source.find(constant), constant.size(), fmt::format("60.{}f", number));
}

NS::SharedPtr<MTL::VertexDescriptor> litVertices() {
  auto vertices = NS::TransferPtr(MTL::VertexDescriptor::alloc()->init());
  for (NS::UInteger i = 0; i < 2; ++i) {
    MTL::VertexAttributeDescriptor* attribute = vertices->attributes()->object(i);
    attribute->setFormat(MTL::VertexFormatFloat3);
    attribute->setOffset(i * offsetof(FrameVertex, normal));
    attribute->setBufferIndex(0);
  }
  vertices->layouts()->object(0)->setStride(sizeof(FrameVertex));
  return vertices;
}

std::vector<double> makeLitTwin(twin::Device& device) {
  twin::GraphicsRecipe recipe;
  recipe.vertex = twin::spirv::litVert;
  recipe.fragment = twin::spirv::litFrag;
  recipe.color = VK_FORMAT_R16G16B16A16_SFLOAT;
  recipe.depth = VK_FORMAT_D32_SFLOAT;
  recipe.vertexStrideBytes = sizeof(FrameVertex);
  recipe.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0},
                       {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(FrameVertex, normal)}};
  const Stopwatch watch;
  device.makeGraphics(recipe);
  return {watch.ns()};
}

} // namespace basanite::benchmarks
