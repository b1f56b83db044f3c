// SPDX-License-Identifier: Apache-2.0
// MTL4::CompilerDescriptor and MTL4::Compiler: the blocking methods, and the same in the background.
#include "src/metal/MTL4Compiler.hpp"

#include "src/metal/MTL4CompilerTask.hpp"
#include "src/metal/MTL4ComputePipeline.hpp"
#include "src/metal/MTL4LibraryDescriptor.hpp"
#include "src/metal/MTL4MeshRenderPipeline.hpp"
#include "src/metal/MTL4RenderPipeline.hpp"
#include "src/metal/MTLComputePipeline.hpp"
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
using RenderResult = base::Result<foundation::Retained<RenderPipelineState>>;
using ComputeResult = base::Result<foundation::Retained<ComputePipelineState>>;

LibraryResult makeLibrary(Device* device, const LibraryDescriptor4* descriptor) {
  if (!descriptor) return base::Error{"The library descriptor is null."};
  if (!descriptor->source.get()) return base::Error{"The library descriptor has no source."};
  const auto* options = descriptor->options.get() ? toImpl(descriptor->options.get()) : nullptr;
  auto library =
      Library::compile(device, textOf(descriptor->source.get()), options, textOf(descriptor->name.get()));
  if (library) (*library)->label = descriptor->name;
  return library;
}

RenderResult makeRender(Device* device, const PipelineDescriptor4* descriptor) {
  if (!descriptor) return base::Error{"The pipeline descriptor is null."};
  if (const auto* mesh = dynamic_cast<const MeshRenderPipelineDescriptor4*>(descriptor))
    return RenderPipelineState::create(device, *mesh);
  const auto* render = dynamic_cast<const RenderPipelineDescriptor4*>(descriptor);
  if (!render)
    return base::Error{fmt::format("A render pipeline is made from an MTL4RenderPipelineDescriptor or an "
                                   "MTL4MeshRenderPipelineDescriptor, not from an {}.",
                                   descriptor->className())};
  return RenderPipelineState::create(device, *render);
}

ComputeResult makeCompute(Device* device, const ComputePipelineDescriptor4* descriptor) {
  if (!descriptor) return base::Error{"The pipeline descriptor is null."};
  return ComputePipelineState::create(device, *descriptor);
}

// The +1 object, or null and the error.
template <class Impl>
auto* unwrap(base::Result<foundation::Retained<Impl>> result, MTL::LibraryError code, NS::Error** error) {
  using Public = typename foundation::PublicOf<Impl>::Type;
  if (error) *error = nullptr;
  if (result) return toPublic((*result).detach());
  setError(error, kLibraryErrorDomain, static_cast<NS::Integer>(code), result.error());
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

MTL::Device* MTL4::Compiler::device() const { return this ? toPublic(toImpl(this)->device.get()) : nullptr; }
BASANITE_OBJECT_GETTER(MTL4::Compiler, NS::String, label)

MTL::ComputePipelineState*
MTL4::Compiler::newComputePipelineState(const MTL4::ComputePipelineDescriptor* descriptor,
                                        const MTL4::CompilerTaskOptions*, NS::Error** error) {
  if (!this) return nullptr;
  return unwrap(makeCompute(toImpl(this)->device.get(), descriptor ? toImpl(descriptor) : nullptr),
                MTL::LibraryErrorInternal, error);
}

MTL4::CompilerTask* MTL4::Compiler::newComputePipelineState(
    const MTL4::ComputePipelineDescriptor* pDescriptor, const MTL4::CompilerTaskOptions*,
    const MTL4::NewComputePipelineStateCompletionHandlerFunction& function) {
  if (!this) return nullptr;
  auto device = toImpl(this)->device;
  auto descriptor = snapshot(pDescriptor ? toImpl(pDescriptor) : nullptr);
  return start(
      toImpl(this), MTL::LibraryErrorInternal,
      [device, descriptor] { return makeCompute(device.get(), descriptor.get()); }, function);
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

MTL::RenderPipelineState* MTL4::Compiler::newRenderPipelineState(const MTL4::PipelineDescriptor* descriptor,
                                                                 const MTL4::CompilerTaskOptions*,
                                                                 NS::Error** error) {
  if (!this) return nullptr;
  return unwrap(makeRender(toImpl(this)->device.get(), descriptor ? toImpl(descriptor) : nullptr),
                MTL::LibraryErrorInternal, error);
}

MTL4::CompilerTask* MTL4::Compiler::newRenderPipelineState(
    const MTL4::PipelineDescriptor* pDescriptor, const MTL4::CompilerTaskOptions*,
    const MTL4::NewRenderPipelineStateCompletionHandlerFunction& function) {
  if (!this) return nullptr;
  auto device = toImpl(this)->device;
  auto descriptor = snapshot(pDescriptor ? toImpl(pDescriptor) : nullptr);
  return start(
      toImpl(this), MTL::LibraryErrorInternal,
      [device, descriptor] { return makeRender(device.get(), descriptor.get()); }, function);
}
