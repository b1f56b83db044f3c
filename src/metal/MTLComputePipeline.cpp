// SPDX-License-Identifier: Apache-2.0
// MTL::ComputePipelineState, and how it is made.
#include "src/metal/MTLComputePipeline.hpp"

#include "src/base/log.hpp"
#include "src/metal/MTL4PipelineDataSetSerializer.hpp"
#include "src/metal/MTLVisibleFunctionTable.hpp"
#include "src/metal/enum_check.hpp"
#include "src/metal/error.hpp"
#include "src/metal/pipeline_script.hpp"
#include "src/trace/zone.hpp"

#include <algorithm>

using basanite::foundation::textOf;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;
using basanite::metal::handleOf;

namespace basanite::metal {

base::Result<foundation::Retained<ComputePipelineState>>
ComputePipelineState::create(Device* device, const FoundFunction& kernel, const ComputePipelineDescriptor4& d,
                             const CodeOrigin& origin) {
  trace::Zone zone(trace::ZoneKind::compilePipeline);
  zone.failed(true); // until it is known better
  BASANITE_TRY(const MTL4::ShaderReflection reflected, d.reflection());
  shader::KernelRequest request{kernel.ref(), device->traits()};
  std::string_view name = textOf(d.label.get());
  if (name.empty()) name = kernel.name;
  zone.describe(name);
  BASANITE_TRY(shader::StageBinary binary, kernelCode(origin, name, request, kernel));

  auto state = foundation::Retained<ComputePipelineState>::adopt(new ComputePipelineState);
  state->device = foundation::Retained<Device>(device);
  state->label = d.label;
  NS::UInteger limit = device->backend->limits().maxThreadsPerThreadgroup;
  NS::UInteger wanted = d.maxTotalThreadsPerThreadgroup ? d.maxTotalThreadsPerThreadgroup
                                                        : NS::UInteger(binary.maxTotalThreadsPerThreadgroup);
  if (wanted > limit)
    return base::Error{
        fmt::format("The kernel \"{}\" asks for {} threads in a threadgroup; the device has {}.", kernel.name,
                    wanted, limit)};
  NS::UInteger mostBytes = device->backend->limits().maxThreadgroupMemoryBytes;
  if (binary.staticThreadgroupBytes > mostBytes)
    return base::Error{
        fmt::format("The kernel \"{}\" declares {} bytes of threadgroup memory; the device has {}.",
                    kernel.name, binary.staticThreadgroupBytes, mostBytes)};
  state->maxTotalThreadsPerThreadgroup = wanted ? wanted : limit;
  state->requiredThreadsPerThreadgroup = d.requiredThreadsPerThreadgroup;
  state->staticThreadgroupBytes = binary.staticThreadgroupBytes;
  BASANITE_TRY_VOID(checkEnum("supportIndirectCommandBuffers", d.supportIndirectCommandBuffers));
  state->supportsIndirect = d.supportIndirectCommandBuffers == MTL4::IndirectCommandBufferSupportStateEnabled;
  state->threadgroupArguments = binary.threadgroupArguments;

  vulkan::ComputePipelineInfo info;
  info.spirv = binary.spirv;
  info.label = name;
  info.requiredSubgroupSize = device->requiredSubgroupSize();
  vulkan::LocalSize expected{32, 1, 1};
  MTL::Size required = d.requiredThreadsPerThreadgroup;
  if (required.width * required.height * required.depth != 0) {
    expected = {static_cast<uint32_t>(required.width), static_cast<uint32_t>(required.height),
                static_cast<uint32_t>(required.depth)};
  }
  expected.x = std::min<uint32_t>(expected.x, static_cast<uint32_t>(limit));
  BASANITE_TRY(state->backend, vulkan::ComputePipeline::create(device->backend, info, expected));
  state->links = kernel.links;
  BASANITE_TRY(state->stage,
               PipelineStage::create(device->backend, kernel.name, binary, kernel.links->family));
  if (wantsBindings(reflected)) {
    state->reflection = foundation::Retained<ComputePipelineReflection>::adopt(new ComputePipelineReflection);
    state->reflection->kernel = StageReflection(&binary, wantsTypes(reflected));
  }
  if (origin.serializer && origin.serializer->capturesDescriptors())
    origin.serializer->captureDescription(describePipeline(d, kernel));
  zone.failed(false);
  return state;
}

base::Result<foundation::Retained<ComputePipelineState>>
ComputePipelineState::create(Device* device, const ComputePipelineDescriptor4& descriptor,
                             const CodeOrigin& origin, std::shared_ptr<const StageLinks> links) {
  if (!descriptor.computeFunctionDescriptor.get())
    return base::Error{"A compute pipeline needs a kernel; computeFunctionDescriptor is null."};
  BASANITE_TRY(FoundFunction kernel,
               findFunction(descriptor.computeFunctionDescriptor.get(), shader::Stage::kernel));
  kernel.links = withLibrariesOf(kernel, std::move(links));
  BASANITE_TRY(auto state, create(device, kernel, descriptor, origin));
  state->made = foundation::Retained<ComputePipelineDescriptor4>::adopt(
      static_cast<ComputePipelineDescriptor4*>(descriptor.copy()));
  return state;
}

base::Result<foundation::Retained<ComputePipelineState>>
ComputePipelineState::create(Device* device, const Function& function) {
  BASANITE_TRY(FoundFunction kernel,
               findFunction(*function.library, function.info.name, shader::Stage::kernel));
  kernel.constants = function.constants;
  BASANITE_TRY(auto links, findLinks(nullptr, nullptr, "kernel"));
  kernel.links = withLibrariesOf(kernel, std::move(links));
  auto defaults = foundation::Retained<ComputePipelineDescriptor4>::adopt(new ComputePipelineDescriptor4);
  return create(device, kernel, *defaults, {});
}

base::Result<foundation::Retained<ComputePipelineState>>
ComputePipelineState::withFunctions(const NS::Array* functions) const {
  if (!made || !made->supportBinaryLinking)
    return base::Error{fmt::format(
        "The pipeline \"{}\" takes no more functions: its descriptor's supportBinaryLinking is false.",
        name())};
  BASANITE_TRY(auto more, addLinks(links, functions, "kernel"));
  return create(device.get(), *made, {}, std::move(more));
}

base::Result<foundation::Retained<ComputePipelineState>>
makeComputePipeline(Device* device, const ComputePipelineDescriptor4* descriptor, const CodeOrigin& origin,
                    const StageDynamicLinkingDescriptor* dynamic) {
  if (!descriptor) return base::Error{"The pipeline descriptor is null."};
  const auto* linked = descriptor->staticLinkingDescriptor.ifMade();
  BASANITE_TRY(auto links, findLinks(linked ? toPublic(linked) : nullptr, dynamic, "kernel"));
  return ComputePipelineState::create(device, *descriptor, origin, std::move(links));
}

} // namespace basanite::metal

MTL::Device* MTL::ComputePipelineState::device() const {
  if (!this) return {};
  return toPublic(toImpl(this)->device.get());
}
BASANITE_OBJECT_GETTER(MTL::ComputePipelineState, NS::String, label)
MTL::FunctionHandle* MTL::ComputePipelineState::functionHandle(const MTL4::BinaryFunction* function) {
  if (!this) return {};
  return handleOf(toImpl(this)->device.get(), toImpl(this)->links, function, toImpl(this)->name());
}
MTL::FunctionHandle* MTL::ComputePipelineState::functionHandle(const MTL::Function* function) {
  if (!this) return {};
  return handleOf(toImpl(this)->device.get(), toImpl(this)->links, function, toImpl(this)->name());
}
MTL::FunctionHandle* MTL::ComputePipelineState::functionHandle(const NS::String* name) {
  if (!this) return {};
  return handleOf(toImpl(this)->device.get(), toImpl(this)->links, name, toImpl(this)->name());
}
MTL::ComputePipelineState* MTL::ComputePipelineState::newComputePipelineState(const NS::Array* functions,
                                                                              NS::Error** error) {
  return newComputePipelineStateWithBinaryFunctions(functions, error);
}
MTL::ComputePipelineState* MTL::ComputePipelineState::newComputePipelineStateWithBinaryFunctions(
    const NS::Array* additionalBinaryFunctions, NS::Error** error) {
  if (!this) return {};
  if (error) *error = nullptr;
  auto more = toImpl(this)->withFunctions(additionalBinaryFunctions);
  if (more) return toPublic((*more).detach());
  basanite::metal::setError(error, basanite::metal::kLibraryErrorDomain,
                            static_cast<NS::Integer>(MTL::LibraryErrorInternal), more.error());
  return nullptr;
}
MTL::VisibleFunctionTable*
MTL::ComputePipelineState::newVisibleFunctionTable(const MTL::VisibleFunctionTableDescriptor* descriptor) {
  if (!this) return {};
  auto* self = toImpl(this);
  auto table = basanite::metal::VisibleFunctionTable::create(self->device.get(), self->links, self->name(),
                                                             descriptor ? toImpl(descriptor) : nullptr);
  if (table) return toPublic((*table).detach());
  basanite::base::logError("ComputePipelineState::newVisibleFunctionTable: {}", table.error().message);
  return nullptr;
}
MTL::ComputePipelineReflection* MTL::ComputePipelineState::reflection() const {
  return this && toImpl(this)->reflection ? toPublic(toImpl(this)->reflection.get()) : nullptr;
}
BASANITE_VALUE_GETTER(MTL::ComputePipelineState, NS::UInteger, maxTotalThreadsPerThreadgroup,
                      maxTotalThreadsPerThreadgroup)
BASANITE_VALUE_GETTER(MTL::ComputePipelineState, MTL::Size, requiredThreadsPerThreadgroup,
                      requiredThreadsPerThreadgroup)
MTL::ShaderValidation MTL::ComputePipelineState::shaderValidation() const {
  return MTL::ShaderValidationDisabled;
}
BASANITE_VALUE_GETTER(MTL::ComputePipelineState, NS::UInteger, staticThreadgroupMemoryLength,
                      staticThreadgroupBytes)
BASANITE_VALUE_GETTER(MTL::ComputePipelineState, bool, supportIndirectCommandBuffers, supportsIndirect)
NS::UInteger MTL::ComputePipelineState::threadExecutionWidth() const {
  if (!this) return {};
  return toImpl(this)->device->kernelSimdgroupThreads();
}
