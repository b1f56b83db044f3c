// SPDX-License-Identifier: Apache-2.0
// Mesh draws of the render encoder: checks, the variant for the threadgroup sizes, the grid's parts, the
// call.
#include "src/metal/MTL4RenderCommandEncoder.hpp"

#include "src/vulkan/grid_parts.hpp"

#include <Metal/MTLComputeCommandEncoder.hpp>
#include <algorithm>

using basanite::foundation::toImpl;

namespace basanite::metal {

namespace {

vulkan::LocalSize localSize(const Counts& counts) {
  const auto n = counts.narrow();
  return {n[0], n[1], n[2]};
}

} // namespace

void RenderCommandEncoder4::setObjectThreadgroupLength(NS::UInteger lengthBytes, NS::UInteger index) {
  m_objectThreadgroupArguments.set(
      "RenderCommandEncoder::setObjectThreadgroupMemoryLength", lengthBytes, index,
      commandBuffer->device->backend->physical().meshLimits().maxTaskSharedMemorySize, commandBuffer->errors);
}

std::optional<vulkan::MeshShape> RenderCommandEncoder4::meshShape(const char* method, MTL::Size objectThreads,
                                                                  MTL::Size meshThreads) {
  ErrorKeeper& errors = commandBuffer->errors;
  if (!m_pipeline) {
    errors.report("{}: no render pipeline state has been set.", method);
    return std::nullopt;
  }
  const RenderPipelineState& pipeline = *m_pipeline;
  if (!pipeline.mesh) {
    errors.report("{}: the pipeline \"{}\" has no mesh function; it draws with drawPrimitives or "
                  "drawIndexedPrimitives.",
                  method, pipeline.name());
    return std::nullopt;
  }
  const MeshStages& stages = *pipeline.mesh;
  const VkPhysicalDeviceMeshShaderPropertiesEXT& limits =
      commandBuffer->device->backend->physical().meshLimits();
  vulkan::MeshShape shape;
  const Counts mesh(meshThreads), object(objectThreads);
  if (!checkThreadgroup(method, pipeline.name(), mesh,
                        {"mesh", stages.maxThreadsPerMeshThreadgroup, stages.requiredMeshThreads,
                         limits.maxMeshWorkGroupSize},
                        errors))
    return std::nullopt;
  shape.mesh = localSize(mesh);
  if (!stages.object) return shape;
  if (!checkThreadgroup(method, pipeline.name(), object,
                        {"object", stages.maxThreadsPerObjectThreadgroup, stages.requiredObjectThreads,
                         limits.maxTaskWorkGroupSize},
                        errors))
    return std::nullopt;
  shape.object = localSize(object);
  auto lengths = m_objectThreadgroupArguments.lengthsOf(method, "object", pipeline.name(),
                                                        stages.objectThreadgroupArguments, errors);
  if (!lengths) return std::nullopt;
  shape.objectLengths = std::move(*lengths);
  NS::UInteger bytes = stages.objectStaticBytes;
  for (const auto& length : shape.objectLengths) bytes += length.bytes;
  if (bytes > limits.maxTaskPayloadAndSharedMemorySize) {
    errors.report("{}: the object function of \"{}\" has {} bytes of threadgroup memory and payload; the "
                  "device has {}.",
                  method, pipeline.name(), bytes, limits.maxTaskPayloadAndSharedMemorySize);
    return std::nullopt;
  }
  return shape;
}

bool RenderCommandEncoder4::bindMeshPipeline(const char* method, const vulkan::MeshShape& shape) {
  if (!m_pipelineStale && m_boundMesh == shape) return true;
  const RenderPipelineState& pipeline = *m_pipeline;
  if (!placeColors(method, pipeline)) return false;
  vulkan::VariantState state = m_variant;
  state.topologyClass = vulkan::TopologyClass::triangle; // the mesh says what it is
  state.threadgroups = shape;
  VkPipeline vkPipeline = findVariant(method, pipeline, state);
  if (!vkPipeline) return false;
  commandBuffer->backend->bindGraphics(*pipeline.backend, vkPipeline);
  m_scope.setColorLocations(m_variant.colorLocations);
  if (pipeline.readsColors && !bindColorInputs(method)) return false;
  m_topology.reset(); // a pipeline without an input assembler says nothing about it
  m_boundType.reset();
  m_boundMesh = shape;
  m_pipelineStale = false;
  m_vertexArguments.recordedLayout = 0; // object and vertex stages share a word of the constants
  m_constantsStale = true;
  return true;
}

bool RenderCommandEncoder4::prepareMeshDraw(const char* method, const vulkan::MeshShape& shape) {
  if (!bindMeshPipeline(method, shape)) return false;
  const RenderPipelineState& pipeline = *m_pipeline;
  const MeshStages& stages = *pipeline.mesh;
  if (stages.object && !keepRecord(*stages.object, "object", m_objectArguments, m_constants.vertexRecord))
    return false;
  if (!keepRecord(stages.mesh, "mesh", m_meshArguments, m_constants.meshRecord)) return false;
  if (pipeline.fragment &&
      !keepRecord(*pipeline.fragment, "fragment", m_fragmentArguments, m_constants.fragmentRecord))
    return false;
  m_scope.beforeDraw(pipeline.readsColors);
  return true;
}

bool RenderCommandEncoder4::fitsDevice(const char* method, const std::array<uint64_t, 3>& counts) {
  const VkPhysicalDeviceMeshShaderPropertiesEXT& limits =
      commandBuffer->device->backend->physical().meshLimits();
  const bool object = m_pipeline->mesh->object.has_value();
  const uint32_t* most = object ? limits.maxTaskWorkGroupCount : limits.maxMeshWorkGroupCount;
  const uint64_t total = object ? limits.maxTaskWorkGroupTotalCount : limits.maxMeshWorkGroupTotalCount;
  bool fits = true;
  for (int axis = 0; axis < 3; ++axis) fits &= counts[axis] <= most[axis];
  if (fits && counts[0] * counts[1] * counts[2] <= total) return true;
  commandBuffer->errors.report(
      "{}: {} x {} x {} threadgroups are more than the {} x {} x {} and {} in all of the device {}.", method,
      counts[0], counts[1], counts[2], most[0], most[1], most[2], total,
      commandBuffer->device->backend->physical().name());
  return false;
}

void RenderCommandEncoder4::drawMesh(const char* method, MTL::Size grid, bool countsThreads,
                                     MTL::Size objectThreads, MTL::Size meshThreads) {
  if (!canEncode(method)) return;
  auto shape = meshShape(method, objectThreads, meshThreads);
  if (!shape) return;
  drawMeshParts(method, grid, countsThreads, *shape);
}

// A grid of mesh threadgroups is cut down to whole ones (Metal 4 facts, 2.7). The far edges of a grid of
// object threads run as up to seven more draws of smaller threadgroups, as in a compute dispatch.
void RenderCommandEncoder4::drawMeshParts(const char* method, MTL::Size grid, bool countsThreads,
                                          const vulkan::MeshShape& shape) {
  const bool object = m_pipeline->mesh->object.has_value();
  const vulkan::LocalSize& local = object ? shape.object : shape.mesh;
  const std::array<uint32_t, 3> size = {local.x, local.y, local.z};
  const Counts counts(grid);
  std::array<uint64_t, 3> groups;
  std::array<uint32_t, 3> full, rest;
  for (int axis = 0; axis < 3; ++axis) {
    const uint64_t whole = countsThreads ? counts.axis[axis] / size[axis] : counts.axis[axis];
    full[axis] = static_cast<uint32_t>(whole); // fitsDevice() sees what is cut off
    rest[axis] = countsThreads && object ? static_cast<uint32_t>(counts.axis[axis] % size[axis]) : 0;
    groups[axis] = whole + (rest[axis] ? 1 : 0);
  }
  if (!fitsDevice(method, groups)) return;
  if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0) {
    // Nothing to draw, but what the draw needs is checked all the same, and the pass has begun.
    prepareMeshDraw(method, shape);
    return;
  }
  base::abi::PushConstants& constants = m_constants;
  for (int axis = 0; axis < 3; ++axis) {
    constants.threadsPerGrid[axis] =
        static_cast<uint32_t>(countsThreads ? counts.axis[axis] : counts.axis[axis] * size[axis]);
    constants.threadgroupsPerGrid[axis] = static_cast<uint32_t>(groups[axis]);
    constants.fullThreadgroupSize[axis] = size[axis];
  }
  for (const vulkan::GridPart& part : vulkan::GridParts(full, rest, size)) {
    vulkan::MeshShape partShape = shape;
    if (object) partShape.object = {part.threads[0], part.threads[1], part.threads[2]};
    if (!prepareMeshDraw(method, partShape)) return;
    std::copy(part.first.begin(), part.first.end(), constants.threadgroupOrigin);
    commandBuffer->backend->pushConstants(constants);
    commandBuffer->backend->drawMesh({part.threadgroups[0], part.threadgroups[1], part.threadgroups[2]});
  }
  noteDraw(trace::CommandKind::meshDraw);
}

void RenderCommandEncoder4::drawMeshIndirect(MTL::GPUAddress arguments, MTL::Size objectThreads,
                                             MTL::Size meshThreads) {
  constexpr const char* kMethod = "RenderCommandEncoder::drawMeshThreadgroups";
  // The argument structures of both APIs have the same fields in the same order.
  static_assert(sizeof(MTL::DispatchThreadgroupsIndirectArguments) ==
                sizeof(VkDrawMeshTasksIndirectCommandEXT));
  if (!canEncode(kMethod)) return;
  auto shape = meshShape(kMethod, objectThreads, meshThreads);
  if (!shape) return;
  auto location = commandBuffer->findArguments(kMethod, arguments, sizeof(VkDrawMeshTasksIndirectCommandEXT));
  if (!location || !prepareMeshDraw(kMethod, *shape)) return;
  base::abi::PushConstants& constants = m_constants;
  const uint32_t size[3] = {shape->object.x, shape->object.y, shape->object.z};
  for (int axis = 0; axis < 3; ++axis) {
    constants.threadsPerGrid[axis] = constants.threadgroupsPerGrid[axis] = 0;
    constants.fullThreadgroupSize[axis] = size[axis];
  }
  std::fill(constants.threadgroupOrigin, constants.threadgroupOrigin + 3, 0);
  commandBuffer->backend->pushConstants(constants);
  commandBuffer->backend->drawMeshIndirect(location->vkBuffer, location->offset);
  noteDraw(trace::CommandKind::meshDraw);
}

} // namespace basanite::metal

void MTL4::RenderCommandEncoder::drawMeshThreadgroups(MTL::GPUAddress indirectBuffer,
                                                      MTL::Size threadsPerObjectThreadgroup,
                                                      MTL::Size threadsPerMeshThreadgroup) {
  if (this)
    toImpl(this)->drawMeshIndirect(indirectBuffer, threadsPerObjectThreadgroup, threadsPerMeshThreadgroup);
}
void MTL4::RenderCommandEncoder::drawMeshThreadgroups(MTL::Size threadgroupsPerGrid,
                                                      MTL::Size threadsPerObjectThreadgroup,
                                                      MTL::Size threadsPerMeshThreadgroup) {
  if (this)
    toImpl(this)->drawMesh("RenderCommandEncoder::drawMeshThreadgroups", threadgroupsPerGrid, false,
                           threadsPerObjectThreadgroup, threadsPerMeshThreadgroup);
}
void MTL4::RenderCommandEncoder::drawMeshThreads(MTL::Size threadsPerGrid,
                                                 MTL::Size threadsPerObjectThreadgroup,
                                                 MTL::Size threadsPerMeshThreadgroup) {
  if (this)
    toImpl(this)->drawMesh("RenderCommandEncoder::drawMeshThreads", threadsPerGrid, true,
                           threadsPerObjectThreadgroup, threadsPerMeshThreadgroup);
}
void MTL4::RenderCommandEncoder::setObjectThreadgroupMemoryLength(NS::UInteger length, NS::UInteger index) {
  if (this && toImpl(this)->canEncode("RenderCommandEncoder::setObjectThreadgroupMemoryLength"))
    toImpl(this)->setObjectThreadgroupLength(length, index);
}
