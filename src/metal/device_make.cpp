// SPDX-License-Identifier: Apache-2.0
// What MTL::Device makes, but for resources and events (device_resources.cpp).
#include "src/base/log.hpp"
#include "src/foundation/object.hpp"
#include "src/metal/MTL4Archive.hpp"
#include "src/metal/MTL4ArgumentTable.hpp"
#include "src/metal/MTL4CommandAllocator.hpp"
#include "src/metal/MTL4CommandBuffer.hpp"
#include "src/metal/MTL4CommandQueue.hpp"
#include "src/metal/MTL4Compiler.hpp"
#include "src/metal/MTL4Counters.hpp"
#include "src/metal/MTL4PipelineDataSetSerializer.hpp"
#include "src/metal/MTLComputePipeline.hpp"
#include "src/metal/MTLDepthStencil.hpp"
#include "src/metal/MTLDevice.hpp"
#include "src/metal/MTLDynamicLibrary.hpp"
#include "src/metal/MTLFence.hpp"
#include "src/metal/MTLIndirectCommandBuffer.hpp"
#include "src/metal/MTLLibrary.hpp"
#include "src/metal/MTLRasterizationRate.hpp"
#include "src/metal/MTLSampler.hpp"
#include "src/metal/background.hpp"
#include "src/metal/library_file.hpp"
#include "src/metal/make_result.hpp"
#include "src/metal/sampler_create.hpp"
#include "src/metal/validation.hpp"

using basanite::foundation::textOf;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

namespace {

constexpr auto kLibraryInternal = static_cast<NS::Integer>(MTL::LibraryErrorInternal);
constexpr auto kNotSupported = static_cast<NS::Integer>(MTL::DeviceErrorNotSupported);

base::Result<foundation::Retained<ArgumentTable>>
makeArgumentTable(Device* device, const ArgumentTableDescriptor* descriptor) {
  if (!descriptor) return base::Error{"The argument table descriptor is null."};
  if (descriptor->maxBufferBindCount > kMaxBufferBindings)
    return base::Error{fmt::format("An argument table has at most {} buffer bindings, not {}.",
                                   kMaxBufferBindings, NS::UInteger(descriptor->maxBufferBindCount))};
  if (descriptor->maxTextureBindCount > kMaxTextureBindings)
    return base::Error{fmt::format("An argument table has at most {} texture bindings, not {}.",
                                   kMaxTextureBindings, NS::UInteger(descriptor->maxTextureBindCount))};
  if (descriptor->maxSamplerStateBindCount > kMaxSamplerBindings)
    return base::Error{fmt::format("An argument table has at most {} sampler bindings, not {}.",
                                   kMaxSamplerBindings, NS::UInteger(descriptor->maxSamplerStateBindCount))};
  return foundation::Retained<ArgumentTable>::adopt(new ArgumentTable(device, *descriptor));
}

base::Result<foundation::Retained<CounterHeap>> makeCounterHeap(Device* device,
                                                                const CounterHeapDescriptor* descriptor) {
  if (!descriptor) return base::Error{"The counter heap descriptor is null."};
  if (descriptor->type != MTL4::CounterHeapTypeTimestamp)
    return base::Error{fmt::format("A counter heap has the type CounterHeapTypeTimestamp ({}), not {}.",
                                   static_cast<int64_t>(MTL4::CounterHeapTypeTimestamp),
                                   static_cast<int64_t>(descriptor->type))};
  BASANITE_TRY(auto backend, vulkan::CounterHeap::create(device->backend, descriptor->count));
  return foundation::Retained<CounterHeap>::adopt(new CounterHeap(std::move(backend)));
}

base::Result<foundation::Retained<Library>> makeLibrary(Device* device, const NS::String* source,
                                                        const CompileOptions* options) {
  if (!source) return base::Error{"The source of the library is null."};
  return Library::compile(device, textOf(source), options, {});
}

base::Result<foundation::Retained<PipelineDataSetSerializer>>
makeSerializer(Device* device, const PipelineDataSetSerializerDescriptor* descriptor) {
  if (!descriptor) return base::Error{"The descriptor is null."};
  constexpr auto kAll = MTL4::PipelineDataSetSerializerConfigurationCaptureDescriptors |
                        MTL4::PipelineDataSetSerializerConfigurationCaptureBinaries;
  MTL4::PipelineDataSetSerializerConfiguration configuration = descriptor->configuration;
  if (configuration == 0 || configuration & ~NS::UInteger(kAll))
    return base::Error{
        fmt::format("The configuration is {:#x}, which is no combination of CaptureDescriptors (1) and "
                    "CaptureBinaries (2).",
                    configuration)};
  return foundation::Retained<PipelineDataSetSerializer>::adopt(
      new PipelineDataSetSerializer(device, configuration));
}

base::Result<foundation::Retained<ComputePipelineState>> makeKernelPipeline(Device* device,
                                                                            const Function* function) {
  if (!function) return base::Error{"The kernel function is null."};
  return ComputePipelineState::create(device, *function);
}

base::Result<foundation::Retained<SamplerState>> makeSampler(Device* device,
                                                             const SamplerDescriptor* descriptor) {
  if (!descriptor) return base::Error{"The descriptor is null."};
  BASANITE_TRY(auto sampler, createSampler(device->backend, *descriptor, textOf(descriptor->label.get())));
  return foundation::Retained<SamplerState>::adopt(
      new SamplerState(device, std::move(sampler), descriptor->label.get()));
}

base::Result<foundation::Retained<DepthStencilState>>
makeDepthStencilState(Device* device, const DepthStencilDescriptor* descriptor) {
  if (!descriptor) return base::Error{"The descriptor is null."};
  return DepthStencilState::create(device, *descriptor);
}

} // namespace

} // namespace basanite::metal

using namespace basanite::metal;

MTL4::Archive* MTL::Device::newArchive(const NS::URL* url, NS::Error** error) {
  if (!this) return {};
  return orError(Archive::open(toImpl(this), url), kLibraryErrorDomain, kLibraryInternal, error);
}

MTL4::ArgumentTable* MTL::Device::newArgumentTable(const MTL4::ArgumentTableDescriptor* descriptor,
                                                   NS::Error** error) {
  if (!this) return {};
  return orError(makeArgumentTable(toImpl(this), descriptor ? toImpl(descriptor) : nullptr),
                 kDeviceErrorDomain, kNotSupported, error);
}

MTL4::CommandAllocator* MTL::Device::newCommandAllocator() {
  if (!this) return {};
  return orReport("Device::newCommandAllocator", CommandAllocator::create(toImpl(this), nullptr));
}
MTL4::CommandAllocator* MTL::Device::newCommandAllocator(const MTL4::CommandAllocatorDescriptor* descriptor,
                                                         NS::Error** error) {
  if (!this) return {};
  return orError(CommandAllocator::create(toImpl(this), descriptor ? toImpl(descriptor) : nullptr),
                 kDeviceErrorDomain, kNotSupported, error);
}

MTL4::CommandBuffer* MTL::Device::newCommandBuffer() {
  if (!this) return {};
  return toPublic(new CommandBuffer4(toImpl(this)));
}

MTL4::Compiler* MTL::Device::newCompiler(const MTL4::CompilerDescriptor* descriptor, NS::Error** error) {
  if (!this) return {};
  if (error) *error = nullptr;
  return toPublic(new Compiler4(toImpl(this), descriptor ? toImpl(descriptor) : nullptr));
}

MTL::ComputePipelineState* MTL::Device::newComputePipelineState(const MTL::Function* computeFunction,
                                                                NS::Error** error) {
  if (!this) return {};
  return orError(makeKernelPipeline(toImpl(this), computeFunction ? toImpl(computeFunction) : nullptr),
                 kLibraryErrorDomain, static_cast<NS::Integer>(MTL::LibraryErrorInternal), error);
}
void MTL::Device::newComputePipelineState(
    const MTL::Function* pFunction,
    const MTL::NewComputePipelineStateCompletionHandlerFunction& completionHandler) {
  if (!this) return;
  basanite::foundation::Retained<basanite::metal::Device> device(toImpl(this));
  basanite::foundation::Retained<basanite::metal::Function> function(pFunction ? toImpl(pFunction) : nullptr);
  runInBackground([device, function, completionHandler] {
    NS::Error* error = nullptr;
    auto* pipeline = orError(makeKernelPipeline(device.get(), function.get()), kLibraryErrorDomain,
                             static_cast<NS::Integer>(MTL::LibraryErrorInternal), &error);
    if (completionHandler) completionHandler(pipeline, error);
    if (pipeline) objectOf(pipeline)->release();
  });
}

MTL4::CounterHeap* MTL::Device::newCounterHeap(const MTL4::CounterHeapDescriptor* descriptor,
                                               NS::Error** error) {
  if (!this) return {};
  return orError(makeCounterHeap(toImpl(this), descriptor ? toImpl(descriptor) : nullptr),
                 kCounterErrorDomain, kNotSupported, error);
}

MTL::DepthStencilState* MTL::Device::newDepthStencilState(const MTL::DepthStencilDescriptor* descriptor) {
  if (!this) return {};
  return orReport("Device::newDepthStencilState",
                  makeDepthStencilState(toImpl(this), descriptor ? toImpl(descriptor) : nullptr));
}

MTL::Fence* MTL::Device::newFence() {
  if (!this) return {};
  return toPublic(new basanite::metal::Fence(toImpl(this)));
}

// No error parameter: why there is none is a message.
MTL::Library* MTL::Device::newDefaultLibrary() {
  if (!this) return {};
  auto library = openDefaultLibrary(toImpl(this), nullptr);
  if (library) return toPublic((*library).detach());
  basanite::base::logError("Device::newDefaultLibrary: {}", library.error().message);
  return nullptr;
}
MTL::Library* MTL::Device::newDefaultLibrary(const NS::Bundle* bundle, NS::Error** error) {
  if (!this) return {};
  return orError(openDefaultLibrary(toImpl(this), bundle), kLibraryErrorDomain, kLibraryInternal, error);
}
MTL::IndirectCommandBuffer*
MTL::Device::newIndirectCommandBuffer(const MTL::IndirectCommandBufferDescriptor* descriptor,
                                      NS::UInteger maxCount, MTL::ResourceOptions options) {
  if (!this) return {};
  return orReport("Device::newIndirectCommandBuffer",
                  basanite::metal::IndirectCommandBuffer::create(
                      toImpl(this), descriptor ? toImpl(descriptor) : nullptr, maxCount, options));
}

MTL::Library* MTL::Device::newLibrary(const NS::String* filepath, NS::Error** error) {
  if (!this) return {};
  return orError(openLibraryFile(toImpl(this), textOf(filepath)), kLibraryErrorDomain, kLibraryInternal,
                 error);
}
MTL::Library* MTL::Device::newLibrary(const NS::URL* url, NS::Error** error) {
  if (!this) return {};
  return orError(openLibraryUrl(toImpl(this), url), kLibraryErrorDomain, kLibraryInternal, error);
}
MTL::Library* MTL::Device::newLibrary(const dispatch_data_t data, NS::Error** error) {
  if (!this) return {};
  return orError(openLibraryData(toImpl(this), data), kLibraryErrorDomain, kLibraryInternal, error);
}
MTL::Library* MTL::Device::newLibrary(const NS::String* source, const MTL::CompileOptions* options,
                                      NS::Error** error) {
  if (!this) return {};
  return orError(makeLibrary(toImpl(this), source, options ? toImpl(options) : nullptr), kLibraryErrorDomain,
                 static_cast<NS::Integer>(MTL::LibraryErrorCompileFailure), error);
}
void MTL::Device::newLibrary(const NS::String* pSource, const MTL::CompileOptions* pOptions,
                             const MTL::NewLibraryCompletionHandlerFunction& completionHandler) {
  if (!this) return;
  basanite::foundation::Retained<basanite::metal::Device> device(toImpl(this));
  Copied<NS::String> source;
  source.set(pSource);
  Copied<MTL::CompileOptions> options;
  options.set(pOptions);
  runInBackground([device, source, options, completionHandler] {
    NS::Error* error = nullptr;
    auto* library =
        orError(makeLibrary(device.get(), source.get(), options.get() ? toImpl(options.get()) : nullptr),
                kLibraryErrorDomain, static_cast<NS::Integer>(MTL::LibraryErrorCompileFailure), &error);
    if (completionHandler) completionHandler(library, error);
    if (library) objectOf(library)->release();
  });
}

MTL4::CommandQueue* MTL::Device::newMTL4CommandQueue() {
  if (!this) return {};
  return orReport("Device::newMTL4CommandQueue", CommandQueue4::create(toImpl(this), nullptr));
}
MTL4::CommandQueue* MTL::Device::newMTL4CommandQueue(const MTL4::CommandQueueDescriptor* descriptor,
                                                     NS::Error** error) {
  if (!this) return {};
  return orError(CommandQueue4::create(toImpl(this), descriptor ? toImpl(descriptor) : nullptr),
                 kCommandQueueErrorDomain, static_cast<NS::Integer>(MTL4::CommandQueueErrorInternal), error);
}

MTL4::PipelineDataSetSerializer*
MTL::Device::newPipelineDataSetSerializer(const MTL4::PipelineDataSetSerializerDescriptor* descriptor) {
  if (!this) return {};
  return orReport("Device::newPipelineDataSetSerializer",
                  makeSerializer(toImpl(this), descriptor ? toImpl(descriptor) : nullptr));
}

MTL::RasterizationRateMap*
MTL::Device::newRasterizationRateMap(const MTL::RasterizationRateMapDescriptor* descriptor) {
  if (!this) return {};
  return orReport(
      "Device::newRasterizationRateMap",
      basanite::metal::RasterizationRateMap::create(toImpl(this), descriptor ? toImpl(descriptor) : nullptr));
}

MTL::SamplerState* MTL::Device::newSamplerState(const MTL::SamplerDescriptor* descriptor) {
  if (!this) return {};
  return orReport("Device::newSamplerState",
                  makeSampler(toImpl(this), descriptor ? toImpl(descriptor) : nullptr));
}

MTL::DynamicLibrary* MTL::Device::newDynamicLibrary(const MTL::Library* library, NS::Error** error) {
  if (!this) return {};
  return orError(makeDynamicLibrary(toImpl(this), library ? toImpl(library) : nullptr),
                 kDynamicLibraryErrorDomain,
                 static_cast<NS::Integer>(MTL::DynamicLibraryErrorCompilationFailure), error);
}
MTL::DynamicLibrary* MTL::Device::newDynamicLibrary(const NS::URL* url, NS::Error** error) {
  if (!this) return {};
  return orError(openDynamicLibrary(toImpl(this), url), kDynamicLibraryErrorDomain,
                 static_cast<NS::Integer>(MTL::DynamicLibraryErrorInvalidFile), error);
}
