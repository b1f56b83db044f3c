// SPDX-License-Identifier: Apache-2.0
// Fixture of the API tests: a device, a queue, short ways to pipelines, targets and finished command buffers. Uses public
// headers only. Each test fails when the validation layer said anything while it ran.
#pragma once

#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::tests {

// An error's text; "no error" for null.
std::string text(const NS::Error* error);
double median(std::vector<double> values);

struct Pixel {
  uint8_t r = 0, g = 0, b = 0, a = 0;
  bool operator==(const Pixel&) const = default;
};
std::ostream& operator<<(std::ostream& stream, const Pixel& pixel);

class MetalFixture : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // True on lavapipe and other CPU devices: costs do not scale as on a GPU there.
  bool isCpuDevice() const;

  // ---- shaders; a failure is a test failure with the compiler's text, and null
  NS::SharedPtr<MTL::Library> library(std::string_view source);
  NS::SharedPtr<MTL4::LibraryFunctionDescriptor> function(MTL::Library* library, std::string_view name);
  // fragment "" : none. depth formats are no part of Metal 4's pipelines.
  NS::SharedPtr<MTL::RenderPipelineState> renderPipeline(std::string_view source, std::string_view vertex,
                                                         std::string_view fragment, MTL::PixelFormat color,
                                                         MTL::VertexDescriptor* vertexDescriptor = nullptr);
  NS::SharedPtr<MTL::ComputePipelineState> computePipeline(std::string_view source, std::string_view kernel);
  // Several pipelines of one library; `setUp` completes the descriptor (formats, blending, vertex descriptor).
  NS::SharedPtr<MTL::RenderPipelineState>
  renderPipeline(MTL::Library* library, std::string_view vertex, std::string_view fragment,
                 const std::function<void(MTL4::RenderPipelineDescriptor*)>& setUp);
  NS::SharedPtr<MTL::ComputePipelineState> computePipeline(MTL::Library* library, std::string_view kernel);
  NS::SharedPtr<MTL::DepthStencilState> depthState(MTL::CompareFunction compare, bool write);
  NS::SharedPtr<MTL::SamplerState> sampler(const std::function<void(MTL::SamplerDescriptor*)>& setUp);

  // ---- resources, all in the fixture's residency set
  NS::SharedPtr<MTL::Buffer> sharedBuffer(NS::UInteger bytes);
  template <class T> NS::SharedPtr<MTL::Buffer> sharedBuffer(const std::vector<T>& values) {
    auto buffer = sharedBuffer(values.size() * sizeof(T));
    std::memcpy(buffer->contents(), values.data(), values.size() * sizeof(T));
    return buffer;
  }
  NS::SharedPtr<MTL::Texture> texture(NS::UInteger width, NS::UInteger height, MTL::PixelFormat format,
                                      MTL::TextureUsage usage, MTL::StorageMode storage = MTL::StorageModePrivate);
  NS::SharedPtr<MTL::Texture> colorTarget(NS::UInteger width, NS::UInteger height,
                                          MTL::PixelFormat format = MTL::PixelFormatRGBA8Unorm);
  NS::SharedPtr<MTL4::ArgumentTable> argumentTable(NS::UInteger buffers, NS::UInteger textures = 0,
                                                   NS::UInteger samplers = 0);
  NS::SharedPtr<MTL4::CounterHeap> counterHeap(NS::UInteger count);

  // A pass that clears to `clear` and stores; autoreleased.
  MTL4::RenderPassDescriptor* clearPass(MTL::Texture* target, MTL::ClearColor clear = MTL::ClearColor::Make(0, 0, 0, 1));

  // ---- running
  // Records one command buffer, commits it and waits until it is done. Returns the error of its feedback ("" = none).
  std::string runCommands(const std::function<void(MTL4::CommandBuffer*)>& record);
  // Commits and waits; for tests that record themselves.
  void commitAndWait(MTL4::CommandBuffer* commands);

  // One dispatch of `threads` threads in threadgroups of `group`; fails the test when its feedback has an error.
  void dispatch(MTL::ComputePipelineState* pipeline, MTL4::ArgumentTable* arguments, MTL::Size threads, MTL::Size group);
  void dispatch(MTL::ComputePipelineState* pipeline, MTL4::ArgumentTable* arguments, NS::UInteger threads) {
    dispatch(pipeline, arguments, MTL::Size::Make(threads, 1, 1), MTL::Size::Make(64, 1, 1));
  }

  // An RGBA8 texture's texels, copied out by the GPU; row by row from the top.
  std::vector<Pixel> pixels(MTL::Texture* texture);
  // The same for any format: T is one texel in memory.
  template <class T> std::vector<T> texels(MTL::Texture* texture, NS::UInteger level = 0, NS::UInteger slice = 0) {
    const NS::UInteger width = std::max<NS::UInteger>(1, texture->width() >> level);
    const NS::UInteger height = std::max<NS::UInteger>(1, texture->height() >> level);
    std::vector<T> result(width * height);
    copyTexels(texture, level, slice, width, height, sizeof(T), result.data());
    return result;
  }
  template <class T> static std::vector<T> contents(MTL::Buffer* buffer) {
    std::vector<T> result(buffer->length() / sizeof(T));
    std::memcpy(result.data(), buffer->contents(), result.size() * sizeof(T));
    return result;
  }

  NS::SharedPtr<NS::AutoreleasePool> m_pool;
  NS::SharedPtr<MTL::Device> m_device;
  NS::SharedPtr<MTL4::CommandQueue> m_queue;
  NS::SharedPtr<MTL4::Compiler> m_compiler;
  NS::SharedPtr<MTL4::CommandAllocator> m_allocator;
  NS::SharedPtr<MTL4::CommandBuffer> m_commands;
  NS::SharedPtr<MTL::ResidencySet> m_residency;
  NS::SharedPtr<MTL::SharedEvent> m_event;
  uint64_t m_eventValue = 0;

 private:
  void copyTexels(MTL::Texture* texture, NS::UInteger level, NS::UInteger slice, NS::UInteger width, NS::UInteger height,
                  NS::UInteger texelBytes, void* destination);

  uint64_t m_messagesBefore = 0;
};

} // namespace basanite::tests
