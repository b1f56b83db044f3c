// SPDX-License-Identifier: Apache-2.0
// How a mesh pipeline is made: what the device must have, the stages, and the limits that draws are checked
// against.
#include "src/metal/MTL4MeshRenderPipeline.hpp"
#include "src/metal/MTL4PipelineDataSetSerializer.hpp"
#include "src/metal/MTLRenderPipeline.hpp"
#include "src/metal/enum_check.hpp"
#include "src/metal/function_lookup.hpp"
#include "src/metal/pipeline_script.hpp"

#include <algorithm>

using basanite::foundation::textOf;

namespace basanite::metal {

namespace {

base::Error lacks(const Device& device, std::string_view name, const char* feature) {
  return base::Error{fmt::format("The mesh pipeline \"{}\" needs {}, which \"{}\" lacks.", name, feature,
                                 device.backend->physical().name())};
}

// The first limit that is stated, checked against the device's.
base::Result<NS::UInteger> limitOf(const char* what, std::string_view function, NS::UInteger descriptor,
                                   NS::UInteger attribute, NS::UInteger device) {
  NS::UInteger wanted = descriptor ? descriptor : attribute;
  if (wanted > device)
    return base::Error{fmt::format("The function \"{}\" asks for {} {}; the device has {}.", function, wanted,
                                   what, device)};
  return wanted ? wanted : device;
}

base::Result<void> checkBytes(const char* what, std::string_view function, NS::UInteger bytes,
                              NS::UInteger limit) {
  if (bytes <= limit) return {};
  return base::Error{fmt::format("The function \"{}\" has {} bytes of {}; the device has {}.", function,
                                 bytes, what, limit)};
}

base::Result<void> checkOutputs(std::string_view function, const shader::StageBinary& mesh,
                                const VkPhysicalDeviceMeshShaderPropertiesEXT& limits) {
  if (mesh.maxVertices > limits.maxMeshOutputVertices || mesh.maxPrimitives > limits.maxMeshOutputPrimitives)
    return base::Error{
        fmt::format("The function \"{}\" has a mesh of {} vertices and {} primitives; the device takes {} "
                    "and {}.",
                    function, mesh.maxVertices, mesh.maxPrimitives, limits.maxMeshOutputVertices,
                    limits.maxMeshOutputPrimitives)};
  const uint32_t components = mesh.vertexComponents + mesh.primitiveComponents;
  if (components > limits.maxMeshOutputComponents)
    return base::Error{
        fmt::format("The function \"{}\" has a mesh of {} components to a vertex and primitive; the device "
                    "takes {}.",
                    function, components, limits.maxMeshOutputComponents)};
  constexpr NS::UInteger kComponentBytes = 4;
  return checkBytes("mesh output", function,
                    kComponentBytes * (NS::UInteger(mesh.maxVertices) * mesh.vertexComponents +
                                       NS::UInteger(mesh.maxPrimitives) * mesh.primitiveComponents),
                    limits.maxMeshOutputMemorySize);
}

} // namespace

base::Result<foundation::Retained<RenderPipelineState>>
RenderPipelineState::create(Device* device, const MeshRenderPipelineDescriptor4& d, const CodeOrigin& origin,
                            RenderLinks links) {
  if (!d.meshFunctionDescriptor.get())
    return base::Error{"A mesh pipeline needs a mesh function; meshFunctionDescriptor is null."};
  BASANITE_TRY(FoundFunction mesh, findFunction(d.meshFunctionDescriptor.get(), shader::Stage::mesh));
  shader::MeshRequest request;
  request.mesh = mesh.ref();
  std::optional<FoundFunction> object, fragment;
  if (d.objectFunctionDescriptor.get()) {
    BASANITE_TRY(object, findFunction(d.objectFunctionDescriptor.get(), shader::Stage::object));
    request.object = object->ref();
  }
  if (d.fragmentFunctionDescriptor.get()) {
    BASANITE_TRY(fragment, findFunction(d.fragmentFunctionDescriptor.get(), shader::Stage::fragment));
    request.fragment = fragment->ref();
  }
  links.mesh = mesh.links = withLibrariesOf(mesh, links.mesh);
  if (object) object->links = withLibrariesOf(*object, links.object);
  links.object = object ? object->links : nullptr;
  if (fragment) fragment->links = withLibrariesOf(*fragment, links.fragment);
  links.fragment = fragment ? fragment->links : nullptr;
  std::string name(textOf(d.label.get()));
  if (name.empty()) name = fragment ? mesh.name + "+" + fragment->name : mesh.name;
  const vulkan::DeviceFeatures& features = device->backend->features();
  if (!features.meshShader) return lacks(*device, name, "the feature meshShader (VK_EXT_mesh_shader)");
  if (object && !features.taskShader)
    return lacks(*device, name, "the feature taskShader (VK_EXT_mesh_shader)");
  const VkPhysicalDeviceMeshShaderPropertiesEXT& limits = device->backend->physical().meshLimits();
  BASANITE_TRY_VOID(checkBytes("payload", object ? object->name : mesh.name, d.payloadMemoryLength,
                               limits.maxTaskPayloadSize));
  request.payloadBytes = static_cast<uint32_t>(d.payloadMemoryLength);
  request.traits = device->traits();
  BASANITE_TRY_VOID(checkEnum("colorAttachmentMappingState", d.colorAttachmentMappingState));

  BASANITE_TRY(const MTL4::ShaderReflection reflected, d.reflection());
  BASANITE_TRY(shader::MeshBinaries binaries, meshCode(origin, name, request, object ? &*object : nullptr,
                                                       mesh, fragment ? &*fragment : nullptr));
  BASANITE_TRY_VOID(checkOutputs(mesh.name, binaries.mesh, limits));

  auto state = foundation::Retained<RenderPipelineState>::adopt(new RenderPipelineState);
  state->device = foundation::Retained<Device>(device);
  state->label = d.label;
  state->sampleCount = d.rasterSampleCount ? d.rasterSampleCount : 1;
  state->inheritsColorMap =
      d.colorAttachmentMappingState == MTL4::LogicalToPhysicalColorAttachmentMappingStateInherited;
  BASANITE_TRY_VOID(checkEnum("supportIndirectCommandBuffers", d.supportIndirectCommandBuffers));
  state->supportsIndirect = d.supportIndirectCommandBuffers == MTL4::IndirectCommandBufferSupportStateEnabled;
  vulkan::GraphicsPipelineInfo info;
  info.meshSpirv = binaries.mesh.spirv;
  if (binaries.object) info.objectSpirv = binaries.object->spirv;
  if (binaries.fragment) info.fragmentSpirv = binaries.fragment->spirv;
  info.label = name;
  BASANITE_TRY_VOID(checkEnum("alphaToCoverageState", d.alphaToCoverageState));
  BASANITE_TRY_VOID(checkEnum("alphaToOneState", d.alphaToOneState));
  info.rasterizationEnabled = d.rasterizationEnabled;
  info.alphaToCoverage = d.alphaToCoverageState == MTL4::AlphaToCoverageStateEnabled;
  info.alphaToOne = d.alphaToOneState == MTL4::AlphaToOneStateEnabled;
  BASANITE_TRY_VOID(state->takeFragment(binaries.fragment, fragment));
  BASANITE_TRY_VOID(state->takeColors(d.colorAttachments.ifMade(), info));
  if (hasOpenState(d.colorAttachments.ifMade()))
    state->openDescriptor = foundation::Retained<PipelineDescriptor4>::adopt(
        static_cast<MeshRenderPipelineDescriptor4*>(d.copy()));

  MeshStages stages;
  BASANITE_TRY(stages.maxThreadsPerMeshThreadgroup,
               limitOf("threads in a mesh threadgroup", mesh.name, d.maxTotalThreadsPerMeshThreadgroup,
                       binaries.mesh.maxTotalThreadsPerThreadgroup, limits.maxMeshWorkGroupInvocations));
  NS::UInteger gridAttribute = binaries.object ? binaries.object->maxTotalThreadgroupsPerMeshGrid : 0;
  BASANITE_TRY(stages.maxThreadgroupsPerMeshGrid,
               limitOf("threadgroups in a mesh grid", object ? object->name : mesh.name,
                       d.maxTotalThreadgroupsPerMeshGrid, gridAttribute, limits.maxMeshWorkGroupTotalCount));
  BASANITE_TRY_VOID(checkBytes("threadgroup memory", mesh.name, binaries.mesh.staticThreadgroupBytes,
                               limits.maxMeshSharedMemorySize));
  BASANITE_TRY_VOID(checkBytes("threadgroup memory and payload", mesh.name,
                               binaries.mesh.staticThreadgroupBytes + binaries.mesh.payloadBytes,
                               limits.maxMeshPayloadAndSharedMemorySize));
  stages.requiredMeshThreads = d.requiredThreadsPerMeshThreadgroup;
  stages.requiredObjectThreads = d.requiredThreadsPerObjectThreadgroup;
  BASANITE_TRY(stages.mesh,
               PipelineStage::create(device->backend, mesh.name, binaries.mesh, mesh.links->family));
  if (object) {
    BASANITE_TRY(stages.maxThreadsPerObjectThreadgroup,
                 limitOf("threads in an object threadgroup", object->name,
                         d.maxTotalThreadsPerObjectThreadgroup,
                         binaries.object->maxTotalThreadsPerThreadgroup, limits.maxTaskWorkGroupInvocations));
    BASANITE_TRY_VOID(
        checkBytes("payload", object->name, binaries.object->payloadBytes, limits.maxTaskPayloadSize));
    BASANITE_TRY_VOID(checkBytes("threadgroup memory", object->name, binaries.object->staticThreadgroupBytes,
                                 limits.maxTaskSharedMemorySize));
    stages.objectThreadgroupArguments = binaries.object->threadgroupArguments;
    stages.objectStaticBytes = binaries.object->staticThreadgroupBytes + binaries.object->payloadBytes;
    BASANITE_TRY(stages.object, PipelineStage::create(device->backend, object->name, *binaries.object,
                                                      object->links->family));
  }
  BASANITE_TRY(state->backend, vulkan::GraphicsPipeline::create(device->backend, info));
  state->mesh = std::move(stages);
  state->links = std::move(links);
  state->made = foundation::Retained<foundation::Object>::adopt(d.copy());
  if (wantsBindings(reflected)) {
    state->reflection = foundation::Retained<RenderPipelineReflection>::adopt(new RenderPipelineReflection);
    const bool types = wantsTypes(reflected);
    state->reflection->object = StageReflection(binaries.object ? &*binaries.object : nullptr, types);
    state->reflection->mesh = StageReflection(&binaries.mesh, types);
    state->reflection->fragment = StageReflection(binaries.fragment ? &*binaries.fragment : nullptr, types);
  }
  if (origin.serializer && origin.serializer->capturesDescriptors())
    origin.serializer->captureDescription(
        describePipeline(d, object ? &*object : nullptr, mesh, fragment ? &*fragment : nullptr));
  return state;
}

} // namespace basanite::metal
