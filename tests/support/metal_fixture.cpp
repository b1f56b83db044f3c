// SPDX-License-Identifier: Apache-2.0
// The fixture's short ways; see the header.
#include "tests/support/metal_fixture.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <ostream>

extern "C" uint64_t basanite_validation_message_count();

namespace basanite::tests {

namespace {

NS::String* string(std::string_view text) {
  return NS::String::string(std::string(text).c_str(), NS::UTF8StringEncoding);
}

// One device for the whole program: making one per test would be most of the test's time.
MTL::Device* processDevice() {
  static MTL::Device* device = [] {
    setenv("BASANITE_VALIDATION", "1", 0);
    return MTL::CreateSystemDefaultDevice();
  }();
  return device;
}

} // namespace

std::string text(const NS::Error* error) {
  return error ? error->localizedDescription()->utf8String() : "no error";
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

std::ostream& operator<<(std::ostream& stream, const Pixel& pixel) {
  return stream << "rgba(" << int(pixel.r) << ", " << int(pixel.g) << ", " << int(pixel.b) << ", " << int(pixel.a) << ")";
}

void MetalFixture::SetUp() {
  m_messagesBefore = basanite_validation_message_count();
  m_pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  m_device = NS::RetainPtr(processDevice());
  ASSERT_TRUE(m_device) << "there is no Vulkan device; scripts/setup installs lavapipe";
  NS::Error* error = nullptr;
  m_queue = NS::TransferPtr(m_device->newMTL4CommandQueue());
  m_compiler = NS::TransferPtr(
      m_device->newCompiler(NS::TransferPtr(MTL4::CompilerDescriptor::alloc()->init()).get(), &error));
  ASSERT_TRUE(m_compiler) << text(error);
  m_allocator = NS::TransferPtr(m_device->newCommandAllocator());
  m_commands = NS::TransferPtr(m_device->newCommandBuffer());
  m_residency = NS::TransferPtr(
      m_device->newResidencySet(NS::TransferPtr(MTL::ResidencySetDescriptor::alloc()->init()).get(), &error));
  ASSERT_TRUE(m_residency) << text(error);
  m_queue->addResidencySet(m_residency.get());
  m_event = NS::TransferPtr(m_device->newSharedEvent());
  ASSERT_TRUE(m_queue && m_allocator && m_commands && m_event);
}

void MetalFixture::TearDown() {
  m_commands.reset();
  m_allocator.reset();
  m_queue.reset();
  m_pool.reset();
  EXPECT_EQ(basanite_validation_message_count(), m_messagesBefore) << "the validation layer spoke; its messages are above";
}

bool MetalFixture::isCpuDevice() const {
  return std::string_view(m_device->name()->utf8String()).find("llvmpipe") != std::string_view::npos;
}

NS::SharedPtr<MTL::Library> MetalFixture::library(std::string_view source) {
  NS::Error* error = nullptr;
  auto library = NS::TransferPtr(m_device->newLibrary(string(source), nullptr, &error));
  EXPECT_TRUE(library) << text(error);
  return library;
}

NS::SharedPtr<MTL4::LibraryFunctionDescriptor> MetalFixture::function(MTL::Library* library, std::string_view name) {
  auto descriptor = NS::TransferPtr(MTL4::LibraryFunctionDescriptor::alloc()->init());
  descriptor->setLibrary(library);
  descriptor->setName(string(name));
  return descriptor;
}

NS::SharedPtr<MTL::RenderPipelineState>
MetalFixture::renderPipeline(MTL::Library* library, std::string_view vertex, std::string_view fragment,
                             const std::function<void(MTL4::RenderPipelineDescriptor*)>& setUp) {
  if (!library) return {};
  auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
  auto vertexFunction = function(library, vertex);
  descriptor->setVertexFunctionDescriptor(vertexFunction.get());
  NS::SharedPtr<MTL4::LibraryFunctionDescriptor> fragmentFunction;
  if (!fragment.empty()) {
    fragmentFunction = function(library, fragment);
    descriptor->setFragmentFunctionDescriptor(fragmentFunction.get());
  }
  setUp(descriptor.get());
  NS::Error* error = nullptr;
  auto pipeline = NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error));
  EXPECT_TRUE(pipeline) << vertex << ", " << fragment << ": " << text(error);
  return pipeline;
}

NS::SharedPtr<MTL::RenderPipelineState> MetalFixture::renderPipeline(std::string_view source, std::string_view vertex,
                                                                     std::string_view fragment, MTL::PixelFormat color,
                                                                     MTL::VertexDescriptor* vertexDescriptor) {
  auto lib = library(source);
  return renderPipeline(lib.get(), vertex, fragment, [&](MTL4::RenderPipelineDescriptor* descriptor) {
    if (color != MTL::PixelFormatInvalid) descriptor->colorAttachments()->object(0)->setPixelFormat(color);
    if (vertexDescriptor) descriptor->setVertexDescriptor(vertexDescriptor);
  });
}

NS::SharedPtr<MTL::ComputePipelineState> MetalFixture::computePipeline(MTL::Library* library, std::string_view kernel) {
  if (!library) return {};
  auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
  auto kernelFunction = function(library, kernel);
  descriptor->setComputeFunctionDescriptor(kernelFunction.get());
  NS::Error* error = nullptr;
  auto pipeline = NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &error));
  EXPECT_TRUE(pipeline) << kernel << ": " << text(error);
  return pipeline;
}

NS::SharedPtr<MTL::ComputePipelineState> MetalFixture::computePipeline(std::string_view source, std::string_view kernel) {
  auto lib = library(source);
  return computePipeline(lib.get(), kernel);
}

NS::SharedPtr<MTL::DepthStencilState> MetalFixture::depthState(MTL::CompareFunction compare, bool write) {
  auto descriptor = NS::TransferPtr(MTL::DepthStencilDescriptor::alloc()->init());
  descriptor->setDepthCompareFunction(compare);
  descriptor->setDepthWriteEnabled(write);
  auto state = NS::TransferPtr(m_device->newDepthStencilState(descriptor.get()));
  EXPECT_TRUE(state);
  return state;
}

NS::SharedPtr<MTL::SamplerState> MetalFixture::sampler(const std::function<void(MTL::SamplerDescriptor*)>& setUp) {
  auto descriptor = NS::TransferPtr(MTL::SamplerDescriptor::alloc()->init());
  descriptor->setSupportArgumentBuffers(true); // what gpuResourceID asks for
  setUp(descriptor.get());
  auto state = NS::TransferPtr(m_device->newSamplerState(descriptor.get()));
  EXPECT_TRUE(state);
  return state;
}

NS::SharedPtr<MTL::Buffer> MetalFixture::sharedBuffer(NS::UInteger bytes) {
  auto buffer = NS::TransferPtr(m_device->newBuffer(bytes, MTL::ResourceStorageModeShared));
  EXPECT_TRUE(buffer);
  m_residency->addAllocation(buffer.get());
  m_residency->commit();
  return buffer;
}

NS::SharedPtr<MTL::Texture> MetalFixture::texture(NS::UInteger width, NS::UInteger height, MTL::PixelFormat format,
                                                  MTL::TextureUsage usage, MTL::StorageMode storage) {
  auto* descriptor = MTL::TextureDescriptor::texture2DDescriptor(format, width, height, false);
  descriptor->setUsage(usage);
  descriptor->setStorageMode(storage);
  auto texture = NS::TransferPtr(m_device->newTexture(descriptor));
  EXPECT_TRUE(texture);
  m_residency->addAllocation(texture.get());
  m_residency->commit();
  return texture;
}

NS::SharedPtr<MTL::Texture> MetalFixture::colorTarget(NS::UInteger width, NS::UInteger height, MTL::PixelFormat format) {
  return texture(width, height, format, MTL::TextureUsageRenderTarget | MTL::TextureUsageShaderRead);
}

NS::SharedPtr<MTL4::ArgumentTable> MetalFixture::argumentTable(NS::UInteger buffers, NS::UInteger textures,
                                                               NS::UInteger samplers) {
  auto descriptor = NS::TransferPtr(MTL4::ArgumentTableDescriptor::alloc()->init());
  descriptor->setMaxBufferBindCount(buffers);
  descriptor->setMaxTextureBindCount(textures);
  descriptor->setMaxSamplerStateBindCount(samplers);
  NS::Error* error = nullptr;
  auto table = NS::TransferPtr(m_device->newArgumentTable(descriptor.get(), &error));
  EXPECT_TRUE(table) << text(error);
  return table;
}

NS::SharedPtr<MTL4::CounterHeap> MetalFixture::counterHeap(NS::UInteger count) {
  auto descriptor = NS::TransferPtr(MTL4::CounterHeapDescriptor::alloc()->init());
  descriptor->setType(MTL4::CounterHeapTypeTimestamp);
  descriptor->setCount(count);
  NS::Error* error = nullptr;
  auto heap = NS::TransferPtr(m_device->newCounterHeap(descriptor.get(), &error));
  EXPECT_TRUE(heap) << text(error);
  return heap;
}

MTL4::RenderPassDescriptor* MetalFixture::clearPass(MTL::Texture* target, MTL::ClearColor clear) {
  auto* pass = MTL4::RenderPassDescriptor::alloc()->init()->autorelease();
  auto* attachment = pass->colorAttachments()->object(0);
  attachment->setTexture(target);
  attachment->setLoadAction(MTL::LoadActionClear);
  attachment->setStoreAction(MTL::StoreActionStore);
  attachment->setClearColor(clear);
  return pass;
}

std::string MetalFixture::runCommands(const std::function<void(MTL4::CommandBuffer*)>& record) {
  m_allocator->reset();
  m_commands->beginCommandBuffer(m_allocator.get());
  record(m_commands.get());
  m_commands->endCommandBuffer();
  auto options = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
  // The feedback comes after the event may have been signalled, so the handler signals one of its own. The handler owns
  // what it writes: it may run after a wait that gave up.
  struct Delivery {
    std::string error;
    NS::SharedPtr<MTL::SharedEvent> event;
  };
  auto delivery = std::make_shared<Delivery>();
  delivery->event = NS::TransferPtr(m_device->newSharedEvent());
  options->addFeedbackHandler([delivery](MTL4::CommitFeedback* feedback) {
    if (feedback->error()) delivery->error = text(feedback->error());
    delivery->event->setSignaledValue(1);
  });
  const MTL4::CommandBuffer* list[] = {m_commands.get()};
  m_queue->commit(list, 1, options.get());
  const bool isDelivered = delivery->event->waitUntilSignaledValue(1, 60'000);
  EXPECT_TRUE(isDelivered) << "the commit's feedback never came";
  return isDelivered ? delivery->error : "the commit's feedback never came";
}

void MetalFixture::commitAndWait(MTL4::CommandBuffer* commands) {
  const MTL4::CommandBuffer* list[] = {commands};
  m_queue->commit(list, 1);
  m_queue->signalEvent(m_event.get(), ++m_eventValue);
  EXPECT_TRUE(m_event->waitUntilSignaledValue(m_eventValue, 60'000)) << "the commit never finished";
}

void MetalFixture::dispatch(MTL::ComputePipelineState* pipeline, MTL4::ArgumentTable* arguments, MTL::Size threads,
                            MTL::Size group) {
  ASSERT_NE(pipeline, nullptr);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
              encoder->setComputePipelineState(pipeline);
              encoder->setArgumentTable(arguments);
              encoder->dispatchThreads(threads, group);
              encoder->endEncoding();
            }),
            "");
}

void MetalFixture::copyTexels(MTL::Texture* texture, NS::UInteger level, NS::UInteger slice, NS::UInteger width,
                              NS::UInteger height, NS::UInteger texelBytes, void* destination) {
  auto buffer = sharedBuffer(width * height * texelBytes);
  std::string error = runCommands([&](MTL4::CommandBuffer* commands) {
    MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
    encoder->barrierAfterQueueStages(MTL::StageAll, MTL::StageBlit, MTL4::VisibilityOptionDevice);
    encoder->copyFromTexture(texture, slice, level, MTL::Origin::Make(0, 0, 0), MTL::Size::Make(width, height, 1),
                             buffer.get(), 0, width * texelBytes, width * height * texelBytes);
    encoder->endEncoding();
  });
  EXPECT_EQ(error, "");
  std::memcpy(destination, buffer->contents(), width * height * texelBytes);
}

std::vector<Pixel> MetalFixture::pixels(MTL::Texture* texture) { return texels<Pixel>(texture); }

} // namespace basanite::tests
