// SPDX-License-Identifier: Apache-2.0
// Makes and runs what our side of a benchmark needs; see the header.
#define NS_PRIVATE_IMPLEMENTATION
#define MTL_PRIVATE_IMPLEMENTATION
#include "benchmarks/api/metal.hpp"

#include "benchmarks/harness/options.hpp"

#include <cstring>

namespace basanite::benchmarks {

namespace {

constexpr uint64_t kTimeoutMs = 120'000;

} // namespace

NS::String* string(const std::string& text) {
  return NS::String::string(text.c_str(), NS::UTF8StringEncoding);
}

template <class T> NS::SharedPtr<T> Metal::own(T* object, const std::string& what, NS::Error* const& error) {
  if (!object)
    fail("cannot make " + what +
         (error ? ": " + std::string(error->localizedDescription()->utf8String()) : "."));
  return NS::TransferPtr(object);
}

template <class T> NS::SharedPtr<T> Metal::own(T* object, const std::string& what) {
  NS::Error* const none = nullptr;
  return own(object, what, none);
}

template <class T> NS::SharedPtr<T> Metal::resident(NS::SharedPtr<T> allocation) {
  m_residency->addAllocation(allocation.get());
  m_residency->commit();
  return allocation;
}

Metal::Metal() {
  m_pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  NS::Error* error = nullptr;
  m_device = own(MTL::CreateSystemDefaultDevice(), "a Metal device (is there a Vulkan driver?)");
  m_queue = own(m_device->newMTL4CommandQueue(), "the queue");
  auto compiler = NS::TransferPtr(MTL4::CompilerDescriptor::alloc()->init());
  m_compiler = own(m_device->newCompiler(compiler.get(), &error), "the compiler", error);
  m_allocator = own(m_device->newCommandAllocator(), "the command allocator");
  m_commands = own(m_device->newCommandBuffer(), "the command buffer");
  auto residency = NS::TransferPtr(MTL::ResidencySetDescriptor::alloc()->init());
  m_residency = own(m_device->newResidencySet(residency.get(), &error), "the residency set", error);
  m_queue->addResidencySet(m_residency.get());
  m_event = own(m_device->newSharedEvent(), "the event");
}

bool Metal::isCpu() const { return name().find("llvmpipe") != std::string::npos; }

NS::SharedPtr<MTL::Library> Metal::library(const std::string& source) {
  NS::Error* error = nullptr;
  return own(m_device->newLibrary(string(source), nullptr, &error), "the shader library", error);
}

NS::SharedPtr<MTL4::LibraryFunctionDescriptor> Metal::function(const MTL::Library* library,
                                                               const std::string& name) {
  auto descriptor = NS::TransferPtr(MTL4::LibraryFunctionDescriptor::alloc()->init());
  descriptor->setLibrary(library);
  descriptor->setName(string(name));
  return descriptor;
}

NS::SharedPtr<MTL::RenderPipelineState>
Metal::renderPipeline(const MTL::Library* library, const std::string& vertex, const std::string& fragment,
                      MTL::PixelFormat color, const MTL::VertexDescriptor* vertices) {
  auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
  descriptor->setVertexFunctionDescriptor(function(library, vertex).get());
  if (!fragment.empty()) descriptor->setFragmentFunctionDescriptor(function(library, fragment).get());
  if (color != MTL::PixelFormatInvalid) descriptor->colorAttachments()->object(0)->setPixelFormat(color);
  if (vertices) descriptor->setVertexDescriptor(vertices);
  NS::Error* error = nullptr;
  return own(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error),
             "the pipeline of " + vertex, error);
}

NS::SharedPtr<MTL::ComputePipelineState> Metal::computePipeline(const MTL::Library* library,
                                                                const std::string& kernel) {
  auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
  descriptor->setComputeFunctionDescriptor(function(library, kernel).get());
  NS::Error* error = nullptr;
  return own(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &error),
             "the pipeline of " + kernel, error);
}

NS::SharedPtr<MTL::Buffer> Metal::sharedBuffer(NS::UInteger lengthBytes) {
  return resident(own(m_device->newBuffer(lengthBytes, MTL::ResourceStorageModeShared), "a shared buffer"));
}

NS::SharedPtr<MTL::Buffer> Metal::privateBuffer(const void* bytes, NS::UInteger lengthBytes) {
  auto staging = sharedBuffer(lengthBytes);
  std::memcpy(staging->contents(), bytes, lengthBytes);
  auto buffer =
      resident(own(m_device->newBuffer(lengthBytes, MTL::ResourceStorageModePrivate), "a private buffer"));
  MTL4::ComputeCommandEncoder* encoder = begin()->computeCommandEncoder();
  encoder->copyFromBuffer(staging.get(), 0, buffer.get(), 0, lengthBytes);
  encoder->endEncoding();
  run();
  return buffer;
}

NS::SharedPtr<MTL::Texture> Metal::texture(NS::UInteger width, NS::UInteger height, MTL::PixelFormat format,
                                           MTL::TextureUsage usage) {
  MTL::TextureDescriptor* descriptor =
      MTL::TextureDescriptor::texture2DDescriptor(format, width, height, false);
  descriptor->setUsage(usage);
  descriptor->setStorageMode(MTL::StorageModePrivate);
  return resident(own(m_device->newTexture(descriptor), "a texture"));
}

NS::SharedPtr<MTL4::ArgumentTable> Metal::argumentTable(NS::UInteger buffers, NS::UInteger textures) {
  auto descriptor = NS::TransferPtr(MTL4::ArgumentTableDescriptor::alloc()->init());
  descriptor->setMaxBufferBindCount(buffers);
  descriptor->setMaxTextureBindCount(textures);
  NS::Error* error = nullptr;
  return own(m_device->newArgumentTable(descriptor.get(), &error), "an argument table", error);
}

NS::SharedPtr<MTL4::CounterHeap> Metal::counterHeap(NS::UInteger count) {
  auto descriptor = NS::TransferPtr(MTL4::CounterHeapDescriptor::alloc()->init());
  descriptor->setType(MTL4::CounterHeapTypeTimestamp);
  descriptor->setCount(count);
  NS::Error* error = nullptr;
  return own(m_device->newCounterHeap(descriptor.get(), &error), "a counter heap", error);
}

NS::SharedPtr<MTL4::RenderPassDescriptor> Metal::clearPass(const MTL::Texture* color,
                                                           const MTL::Texture* depth) {
  auto pass = NS::TransferPtr(MTL4::RenderPassDescriptor::alloc()->init());
  if (color) {
    auto* attachment = pass->colorAttachments()->object(0);
    attachment->setTexture(color);
    attachment->setLoadAction(MTL::LoadActionClear);
    attachment->setStoreAction(MTL::StoreActionStore);
    attachment->setClearColor(MTL::ClearColor::Make(0, 0, 0, 0));
  }
  if (depth) {
    auto* attachment = pass->depthAttachment();
    attachment->setTexture(depth);
    attachment->setLoadAction(MTL::LoadActionClear);
    attachment->setStoreAction(MTL::StoreActionStore);
    attachment->setClearDepth(1);
  }
  return pass;
}

MTL4::CommandBuffer* Metal::prepare() {
  m_allocator->reset();
  return m_commands.get();
}

MTL4::CommandBuffer* Metal::begin() {
  prepare();
  beginPrepared();
  return m_commands.get();
}

void Metal::run() {
  m_commands->endCommandBuffer();
  commitAndWait();
}

void Metal::commitAndWait() {
  std::string error;
  auto options = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
  options->addFeedbackHandler([this, &error](MTL4::CommitFeedback* feedback) {
    if (feedback->error()) error = feedback->error()->localizedDescription()->utf8String();
    m_event->setSignaledValue(m_eventValue);
  });
  const MTL4::CommandBuffer* list[] = {m_commands.get()};
  ++m_eventValue;
  m_queue->commit(list, 1, options.get());
  if (!m_event->waitUntilSignaledValue(m_eventValue, kTimeoutMs)) fail("a commit never finished.");
  if (!error.empty()) fail("our commit failed: " + error);
}

std::vector<double> Metal::stamps(MTL4::CounterHeap* heap, NS::UInteger count) {
  NS::Data* data = heap->resolveCounterRange(NS::Range::Make(0, count));
  if (!data || data->length() != count * sizeof(uint64_t)) fail("resolveCounterRange gave no data.");
  std::vector<uint64_t> entries(count);
  std::memcpy(entries.data(), data->bytes(), count * sizeof(uint64_t));
  std::vector<double> ns;
  for (uint64_t entry : entries) {
    if (!entry) fail("a timestamp was not written.");
    ns.push_back(double(int64_t(entry - entries[0])));
  }
  return ns;
}

std::vector<uint8_t> Metal::readBack(const MTL::Texture* texture, uint32_t bytesPerTexel) {
  const NS::UInteger bytesPerRow = texture->width() * bytesPerTexel;
  const NS::UInteger lengthBytes = bytesPerRow * texture->height();
  auto buffer = sharedBuffer(lengthBytes);
  MTL4::ComputeCommandEncoder* encoder = begin()->computeCommandEncoder();
  encoder->copyFromTexture(texture, 0, 0, MTL::Origin::Make(0, 0, 0),
                           MTL::Size::Make(texture->width(), texture->height(), 1), buffer.get(), 0,
                           bytesPerRow, lengthBytes);
  encoder->endEncoding();
  run();
  const auto* bytes = static_cast<const uint8_t*>(buffer->contents());
  return {bytes, bytes + lengthBytes};
}

} // namespace basanite::benchmarks
