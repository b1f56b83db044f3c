// SPDX-License-Identifier: Apache-2.0
// Our side of a benchmark: a Metal 4 program's device, queue and short ways to what it needs. Public headers
// only.
//
// One thread. Failures end the process with a sentence.
#pragma once

#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace basanite::benchmarks {

NS::String* string(const std::string& text);

class Metal {
 public:
  Metal();

  MTL::Device* device() const { return m_device.get(); }
  std::string name() const { return m_device->name()->utf8String(); }
  // On a CPU device work is made smaller, or a run would take minutes.
  bool isCpu() const;

  NS::SharedPtr<MTL::Library> library(const std::string& source);
  // `fragment` may be empty.
  NS::SharedPtr<MTL::RenderPipelineState> renderPipeline(const MTL::Library* library,
                                                         const std::string& vertex,
                                                         const std::string& fragment, MTL::PixelFormat color,
                                                         const MTL::VertexDescriptor* vertices = nullptr);
  NS::SharedPtr<MTL::ComputePipelineState> computePipeline(const MTL::Library* library,
                                                           const std::string& kernel);
  NS::SharedPtr<MTL::Buffer> sharedBuffer(NS::UInteger lengthBytes);
  // Private storage, filled once.
  NS::SharedPtr<MTL::Buffer> privateBuffer(const void* bytes, NS::UInteger lengthBytes);
  NS::SharedPtr<MTL::Texture> texture(NS::UInteger width, NS::UInteger height, MTL::PixelFormat format,
                                      MTL::TextureUsage usage);
  NS::SharedPtr<MTL4::ArgumentTable> argumentTable(NS::UInteger buffers, NS::UInteger textures = 0);
  NS::SharedPtr<MTL4::CounterHeap> counterHeap(NS::UInteger count);
  NS::SharedPtr<MTL4::RenderPassDescriptor> clearPass(const MTL::Texture* color,
                                                      const MTL::Texture* depth = nullptr);

  // The command buffer, its allocator reset, not begun: for those who time the recording from its begin.
  MTL4::CommandBuffer* prepare();
  void beginPrepared() { m_commands->beginCommandBuffer(m_allocator.get()); }
  // The command buffer, begun anew. The last recording has run.
  MTL4::CommandBuffer* begin();
  // Commits the ended command buffer and waits until its feedback came; an error in it ends the process.
  void commitAndWait();
  // Ends the command buffer first.
  void run();
  // Entries 0 to count - 1, in ns since the first.
  std::vector<double> stamps(MTL4::CounterHeap* heap, NS::UInteger count);
  // The texels of a color texture, tightly packed.
  std::vector<uint8_t> readBack(const MTL::Texture* texture, uint32_t bytesPerTexel);

 private:
  // The error is a reference because the method that sets it may be called in the same expression.
  template <class T> NS::SharedPtr<T> own(T* object, const std::string& what, NS::Error* const& error);
  template <class T> NS::SharedPtr<T> own(T* object, const std::string& what);
  template <class T> NS::SharedPtr<T> resident(NS::SharedPtr<T> allocation);
  NS::SharedPtr<MTL4::LibraryFunctionDescriptor> function(const MTL::Library* library,
                                                          const std::string& name);

  NS::SharedPtr<NS::AutoreleasePool> m_pool;
  NS::SharedPtr<MTL::Device> m_device;
  NS::SharedPtr<MTL4::CommandQueue> m_queue;
  NS::SharedPtr<MTL4::Compiler> m_compiler;
  NS::SharedPtr<MTL4::CommandAllocator> m_allocator;
  NS::SharedPtr<MTL4::CommandBuffer> m_commands;
  NS::SharedPtr<MTL::ResidencySet> m_residency;
  NS::SharedPtr<MTL::SharedEvent> m_event;
  uint64_t m_eventValue = 0;
};

} // namespace basanite::benchmarks
