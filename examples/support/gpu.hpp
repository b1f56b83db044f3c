// SPDX-License-Identifier: Apache-2.0
// The device and what every part of an example needs of it: residency, buffers, textures, libraries,
// pipelines.
#pragma once

#include <filesystem>
#include <string>

#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>

namespace examples {

// The formats and functions of a render pipeline. Nil or Invalid where the pipeline has none.
struct RenderPipelineRecipe {
  std::string label;
  std::string vertexFunction;
  std::string fragmentFunction;
  const MTL::VertexDescriptor* vertexDescriptor = nullptr;
  MTL::PixelFormat colorFormat = MTL::PixelFormatInvalid;
  bool blended = false; // by the source's alpha
};

// Used by one thread. Each maker fails with a sentence when the device refuses.
class Gpu {
 public:
  Gpu();

  MTL::Device* device() const { return m_device.get(); }
  std::string name() const { return m_device->name()->utf8String(); }
  // Whether the device is Mesa's software renderer.
  bool isCpu() const;

  // Shared memory, resident. Filled from `bytes` unless that is null.
  NS::SharedPtr<MTL::Buffer> newBuffer(NS::UInteger length, const std::string& label,
                                       const void* bytes = nullptr);
  NS::SharedPtr<MTL::Texture> newTexture(const MTL::TextureDescriptor* descriptor, const std::string& label);
  // Makes the allocations so far resident for all work of a queue.
  void makeResident(MTL4::CommandQueue* queue);

  NS::SharedPtr<MTL::Library> newLibrary(const std::filesystem::path& sourceFile);
  NS::SharedPtr<MTL::RenderPipelineState> newRenderPipeline(const MTL::Library* library,
                                                            const RenderPipelineRecipe& recipe);
  NS::SharedPtr<MTL::ComputePipelineState> newComputePipeline(const MTL::Library* library,
                                                              const std::string& function);
  NS::SharedPtr<MTL4::ArgumentTable> newArgumentTable(const std::string& label, NS::UInteger buffers,
                                                      NS::UInteger textures, NS::UInteger samplers);

 private:
  NS::SharedPtr<MTL::Device> m_device;
  NS::SharedPtr<MTL4::Compiler> m_compiler;
  NS::SharedPtr<MTL::ResidencySet> m_residencySet;
};

// An autoreleased string.
NS::String* string(const std::string& text);

} // namespace examples
