// SPDX-License-Identifier: Apache-2.0
// MTL4::CompilerDescriptor, CompilerTaskOptions and Compiler: the blocking methods, and the same in the
// background.
#include "src/metal/MTL4Compiler.hpp"

#include "src/metal/MTL4Archive.hpp"
#include "src/metal/MTL4BinaryFunction.hpp"
#include "src/metal/MTL4CompilerTask.hpp"
#include "src/metal/MTL4ComputePipeline.hpp"
#include "src/metal/MTL4LibraryDescriptor.hpp"
#include "src/metal/MTL4PipelineDataSetSerializer.hpp"
#include "src/metal/MTL4RenderPipeline.hpp"
#include "src/metal/MTLComputePipeline.hpp"
#include "src/metal/MTLDynamicLibrary.hpp"
#include "src/metal/MTLLibrary.hpp"
#include "src/metal/MTLRenderPipeline.hpp"
#include "src/metal/background.hpp"
#include "src/metal/error.hpp"

using basanite::foundation::textOf;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

namespace {

using LibraryResult = base::Result<foundation::Retained<Library>>;

LibraryResult makeLibrary(Device* device, const LibraryDescriptor4* descriptor) {
  if (!descriptor) return base::Error{"The library descriptor is null."};
  if (!descriptor->source.get()) return base::Error{"The library descriptor has no source."};
  const auto* options = descriptor->options.get() ? toImpl(descriptor->options.get()) : nullptr;
  auto library =
      Library::compile(device, textOf(descriptor->source.get()), options, textOf(descriptor->name.get()));
  if (library) (*library)->label = descriptor->name;
  return library;
}

// Where a pipeline's code comes from and goes to; what it holds lives as long as it.
struct Origin {
  Origin(Compiler4* owner, const MTL4::CompilerTaskOptions* options) : compiler(owner) {
    const NS::Array* list = options ? toImpl(options)->lookupArchives.get() : nullptr;
    if (!list) return;
    for (NS::UInteger i = 0; i < list->count(); ++i) {
      const auto* archive = dynamic_cast<const Archive*>(objectOf(list->object<NS::Object>(i)));
      if (archive) archives.push_back(archive->data);
    }
  }
  CodeOrigin code() const {
    MTL4::PipelineDataSetSerializer* serializer = compiler->pipelineDataSetSerializer.get();
    return {archives, serializer ? toImpl(serializer) : nullptr, false};
  }
  foundation::Retained<Compiler4> compiler;
  std::vector<std::shared_ptr<const ArchiveData>> archives;
};

// The +1 object, or null and the error.
template <class Impl>
auto* unwrap(base::Result<foundation::Retained<Impl>> result, MTL::LibraryError code, NS::Error** error) {
  using Public = typename foundation::PublicOf<Impl>::Type;
  if (error) *error = nullptr;
  if (result) {
    if constexpr (std::is_same_v<Impl, Library>) setWarnings(error, **result);
    return toPublic((*result).detach());
  }
  constexpr bool kDynamic = std::is_same_v<Impl, DynamicLibrary>;
  setError(error, kDynamic ? kDynamicLibraryErrorDomain : kLibraryErrorDomain,
           kDynamic ? static_cast<NS::Integer>(MTL::DynamicLibraryErrorCompilationFailure)
                    : static_cast<NS::Integer>(code),
           result.error());
  return static_cast<Public*>(nullptr);
}

// A copy that the background thread may read while the app changes the original.
template <class Impl> foundation::Retained<Impl> snapshot(const Impl* descriptor) {
  return descriptor ? foundation::Retained<Impl>::adopt(static_cast<Impl*>(descriptor->copy()))
                    : foundation::Retained<Impl>();
}

// Runs `make` in the background and hands its result to `handler`. The caller owns the task, as of any method
// whose name begins with "new".
template <class Make, class Handler>
MTL4::CompilerTask* start(Compiler4* compiler, MTL::LibraryError code, Make make, Handler handler) {
  auto task = foundation::Retained<CompilerTask>::adopt(new CompilerTask(compiler));
  runInBackground([task, code, make, handler] {
    task->setStatus(MTL4::CompilerTaskStatusCompiling);
    NS::Error* error = nullptr;
    auto* object = unwrap(make(), code, &error);
    if (handler) handler(object, error);
    if (object) objectOf(object)->release();
    task->setStatus(MTL4::CompilerTaskStatusFinished);
  });
  return foundation::toPublic(task.detach());
}

} // namespace

} // namespace basanite::metal

using namespace basanite::metal;

BASANITE_ALLOC_INIT(MTL4::CompilerDescriptor)
BASANITE_OBJECT(MTL4::CompilerDescriptor, NS::String, label, setLabel)
BASANITE_OBJECT(MTL4::CompilerDescriptor, MTL4::PipelineDataSetSerializer, pipelineDataSetSerializer,
                setPipelineDataSetSerializer)

BASANITE_ALLOC_INIT(MTL4::CompilerTaskOptions)
BASANITE_OBJECT(MTL4::CompilerTaskOptions, NS::Array, lookupArchives, setLookupArchives)

MTL::Device* MTL4::Compiler::device() const { return this ? toPublic(toImpl(this)->device.get()) : nullptr; }
BASANITE_OBJECT_GETTER(MTL4::Compiler, NS::String, label)

MTL4::PipelineDataSetSerializer* MTL4::Compiler::pipelineDataSetSerializer() const {
  return this ? toImpl(this)->pipelineDataSetSerializer.get() : nullptr;
}

MTL::ComputePipelineState*
MTL4::Compiler::newComputePipelineState(const MTL4::ComputePipelineDescriptor* descriptor,
                                        const MTL4::CompilerTaskOptions* compilerTaskOptions,
                                        NS::Error** error) {
  if (!this) return nullptr;
  const Origin origin(toImpl(this), compilerTaskOptions);
  return unwrap(makeComputePipeline(toImpl(this)->device.get(), descriptor ? toImpl(descriptor) : nullptr,
                                    origin.code()),
                MTL::LibraryErrorInternal, error);
}

MTL4::CompilerTask* MTL4::Compiler::newComputePipelineState(
    const MTL4::ComputePipelineDescriptor* pDescriptor, const MTL4::CompilerTaskOptions* options,
    const MTL4::NewComputePipelineStateCompletionHandlerFunction& function) {
  if (!this) return nullptr;
  auto descriptor = snapshot(pDescriptor ? toImpl(pDescriptor) : nullptr);
  return start(
      toImpl(this), MTL::LibraryErrorInternal,
      [origin = Origin(toImpl(this), options), descriptor] {
        return makeComputePipeline(origin.compiler->device.get(), descriptor.get(), origin.code());
      },
      function);
}

MTL::Library* MTL4::Compiler::newLibrary(const MTL4::LibraryDescriptor* descriptor, NS::Error** error) {
  if (!this) return nullptr;
  return unwrap(makeLibrary(toImpl(this)->device.get(), descriptor ? toImpl(descriptor) : nullptr),
                MTL::LibraryErrorCompileFailure, error);
}

MTL4::CompilerTask* MTL4::Compiler::newLibrary(const MTL4::LibraryDescriptor* pDescriptor,
                                               const MTL::NewLibraryCompletionHandlerFunction& function) {
  if (!this) return nullptr;
  auto device = toImpl(this)->device;
  auto descriptor = snapshot(pDescriptor ? toImpl(pDescriptor) : nullptr);
  return start(
      toImpl(this), MTL::LibraryErrorCompileFailure,
      [device, descriptor] { return makeLibrary(device.get(), descriptor.get()); }, function);
}

MTL::RenderPipelineState*
MTL4::Compiler::newRenderPipelineState(const MTL4::PipelineDescriptor* descriptor,
                                       const MTL4::CompilerTaskOptions* compilerTaskOptions,
                                       NS::Error** error) {
  if (!this) return nullptr;
  const Origin origin(toImpl(this), compilerTaskOptions);
  return unwrap(makeRenderPipeline(toImpl(this)->device.get(), descriptor ? toImpl(descriptor) : nullptr,
                                   origin.code()),
                MTL::LibraryErrorInternal, error);
}

MTL::RenderPipelineState* MTL4::Compiler::newRenderPipelineStateBySpecialization(
    const MTL4::PipelineDescriptor* descriptor, const MTL::RenderPipelineState* pipeline, NS::Error** error) {
  if (!this) return nullptr;
  return unwrap(RenderPipelineState::specialize(toImpl(this)->device.get(),
                                                pipeline ? toImpl(pipeline) : nullptr,
                                                descriptor ? toImpl(descriptor) : nullptr),
                MTL::LibraryErrorInternal, error);
}

MTL4::CompilerTask* MTL4::Compiler::newRenderPipelineStateBySpecialization(
    const MTL4::PipelineDescriptor* pDescriptor, const MTL::RenderPipelineState* pPipeline,
    const MTL4::NewRenderPipelineStateCompletionHandlerFunction& function) {
  if (!this) return nullptr;
  auto device = toImpl(this)->device;
  auto descriptor = snapshot(pDescriptor ? toImpl(pDescriptor) : nullptr);
  basanite::foundation::Retained<RenderPipelineState> base(pPipeline ? toImpl(pPipeline) : nullptr);
  return start(
      toImpl(this), MTL::LibraryErrorInternal,
      [device, base, descriptor] {
        return RenderPipelineState::specialize(device.get(), base.get(), descriptor.get());
      },
      function);
}

MTL4::CompilerTask* MTL4::Compiler::newRenderPipelineState(
    const MTL4::PipelineDescriptor* pDescriptor, const MTL4::CompilerTaskOptions* options,
    const MTL4::NewRenderPipelineStateCompletionHandlerFunction& function) {
  if (!this) return nullptr;
  auto descriptor = snapshot(pDescriptor ? toImpl(pDescriptor) : nullptr);
  return start(
      toImpl(this), MTL::LibraryErrorInternal,
      [origin = Origin(toImpl(this), options), descriptor] {
        return makeRenderPipeline(origin.compiler->device.get(), descriptor.get(), origin.code());
      },
      function);
}

// ---- linking

MTL4::BinaryFunction* MTL4::Compiler::newBinaryFunction(const MTL4::BinaryFunctionDescriptor* descriptor,
                                                        const MTL4::CompilerTaskOptions*, NS::Error** error) {
  if (!this) return nullptr;
  return unwrap(basanite::metal::BinaryFunction::create(descriptor ? toImpl(descriptor) : nullptr),
                MTL::LibraryErrorInternal, error);
}

MTL4::CompilerTask* MTL4::Compiler::newBinaryFunction(
    const MTL4::BinaryFunctionDescriptor* descriptor, const MTL4::CompilerTaskOptions*,
    const std::function<void(MTL4::BinaryFunction*, NS::Error*)>& completionHandler) {
  if (!this) return nullptr;
  return start(
      toImpl(this), MTL::LibraryErrorInternal,
      [copy = snapshot(descriptor ? toImpl(descriptor) : nullptr)] {
        return basanite::metal::BinaryFunction::create(copy.get());
      },
      completionHandler);
}

MTL::ComputePipelineState* MTL4::Compiler::newComputePipelineState(
    const MTL4::ComputePipelineDescriptor* descriptor,
    const MTL4::PipelineStageDynamicLinkingDescriptor* dynamicLinkingDescriptor,
    const MTL4::CompilerTaskOptions* compilerTaskOptions, NS::Error** error) {
  if (!this) return nullptr;
  const Origin origin(toImpl(this), compilerTaskOptions);
  return unwrap(makeComputePipeline(toImpl(this)->device.get(), descriptor ? toImpl(descriptor) : nullptr,
                                    origin.code(),
                                    dynamicLinkingDescriptor ? toImpl(dynamicLinkingDescriptor) : nullptr),
                MTL::LibraryErrorInternal, error);
}

MTL4::CompilerTask* MTL4::Compiler::newComputePipelineState(
    const MTL4::ComputePipelineDescriptor* descriptor,
    const MTL4::PipelineStageDynamicLinkingDescriptor* dynamicLinkingDescriptor,
    const MTL4::CompilerTaskOptions* compilerTaskOptions,
    const std::function<void(MTL::ComputePipelineState*, NS::Error*)>& completionHandler) {
  if (!this) return nullptr;
  auto copy = snapshot(descriptor ? toImpl(descriptor) : nullptr);
  auto dynamic = snapshot(dynamicLinkingDescriptor ? toImpl(dynamicLinkingDescriptor) : nullptr);
  return start(
      toImpl(this), MTL::LibraryErrorInternal,
      [origin = Origin(toImpl(this), compilerTaskOptions), copy, dynamic] {
        return makeComputePipeline(origin.compiler->device.get(), copy.get(), origin.code(), dynamic.get());
      },
      completionHandler);
}

MTL::RenderPipelineState* MTL4::Compiler::newRenderPipelineState(
    const MTL4::PipelineDescriptor* descriptor,
    const MTL4::RenderPipelineDynamicLinkingDescriptor* dynamicLinkingDescriptor,
    const MTL4::CompilerTaskOptions* compilerTaskOptions, NS::Error** error) {
  if (!this) return nullptr;
  const Origin origin(toImpl(this), compilerTaskOptions);
  return unwrap(makeRenderPipeline(toImpl(this)->device.get(), descriptor ? toImpl(descriptor) : nullptr,
                                   origin.code(),
                                   dynamicLinkingDescriptor ? toImpl(dynamicLinkingDescriptor) : nullptr),
                MTL::LibraryErrorInternal, error);
}

MTL4::CompilerTask* MTL4::Compiler::newRenderPipelineState(
    const MTL4::PipelineDescriptor* descriptor,
    const MTL4::RenderPipelineDynamicLinkingDescriptor* dynamicLinkingDescriptor,
    const MTL4::CompilerTaskOptions* compilerTaskOptions,
    const std::function<void(MTL::RenderPipelineState*, NS::Error*)>& completionHandler) {
  if (!this) return nullptr;
  auto copy = snapshot(descriptor ? toImpl(descriptor) : nullptr);
  auto dynamic = snapshot(dynamicLinkingDescriptor ? toImpl(dynamicLinkingDescriptor) : nullptr);
  return start(
      toImpl(this), MTL::LibraryErrorInternal,
      [origin = Origin(toImpl(this), compilerTaskOptions), copy, dynamic] {
        return makeRenderPipeline(origin.compiler->device.get(), copy.get(), origin.code(), dynamic.get());
      },
      completionHandler);
}

MTL::DynamicLibrary* MTL4::Compiler::newDynamicLibrary(const MTL::Library* library, NS::Error** error) {
  if (!this) return nullptr;
  return unwrap(makeDynamicLibrary(toImpl(this)->device.get(), library ? toImpl(library) : nullptr),
                MTL::LibraryErrorInternal, error);
}

MTL4::CompilerTask*
MTL4::Compiler::newDynamicLibrary(const MTL::Library* pLibrary,
                                  const MTL::NewDynamicLibraryCompletionHandlerFunction& function) {
  if (!this) return nullptr;
  const auto* impl = pLibrary ? toImpl(pLibrary) : nullptr;
  return start(
      toImpl(this), MTL::LibraryErrorInternal,
      [device = toImpl(this)->device, library = basanite::foundation::Retained<Library>(const_cast<Library*>(
                                          impl))] { return makeDynamicLibrary(device.get(), library.get()); },
      function);
}

MTL::DynamicLibrary* MTL4::Compiler::newDynamicLibrary(const NS::URL* url, NS::Error** error) {
  if (!this) return nullptr;
  return unwrap(openDynamicLibrary(toImpl(this)->device.get(), url), MTL::LibraryErrorInternal, error);
}

MTL4::CompilerTask*
MTL4::Compiler::newDynamicLibrary(const NS::URL* pURL,
                                  const MTL::NewDynamicLibraryCompletionHandlerFunction& function) {
  if (!this) return nullptr;
  Strong<NS::URL> url;
  url.set(pURL);
  return start(
      toImpl(this), MTL::LibraryErrorInternal,
      [device = toImpl(this)->device, url] { return openDynamicLibrary(device.get(), url.get()); }, function);
}
