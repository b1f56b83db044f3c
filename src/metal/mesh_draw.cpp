// SPDX-License-Identifier: Apache-2.0
// Mesh draws of the render encoder: checks, the variant for the threadgroup sizes, the grid's parts, the
// call.
#include "src/metal/MTL4RenderCommandEncoder.hpp"

#include <Metal/MTLComputeCommandEncoder.hpp>
#include <algorithm>
#include <limits>

using basanite::foundation::toImpl;

namespace basanite::metal {

namespace {

constexpr NS::UInteger kThreadgroupLengthMultiple = 16;

struct Counts {
  uint64_t axis[3];
  explicit Counts(const MTL::Size& size) : axis{size.width, size.height, size.depth} {}
  bool empty() const { return axis[0] == 0 || axis[1] == 0 || axis[2] == 0; }
  bool fits32Bits() const {
    return std::max({axis[0], axis[1], axis[2]}) <= std::numeric_limits<uint32_t>::max();
  }
  bool operator==(const Counts&) const = default;
};

vulkan::LocalSize localSize(const Counts& counts) {
  return {static_cast<uint32_t>(counts.axis[0]), static_cast<uint32_t>(counts.axis[1]),
          static_cast<uint32_t>(counts.axis[2])};
}

struct ThreadLimits {
  const char* stage;
  NS::UInteger most;
  MTL::Size required;
  const uint32_t* deviceSize;
};

bool checkThreads(const char* method, const RenderPipelineState& pipeline, const Counts& threads,
                  const ThreadLimits& limits, ErrorKeeper& errors) {
  const uint64_t* n = threads.axis;
  if (threads.empty() || !threads.fits32Bits()) {
    errors.report("{}: {} threadgroups of {} x {} x {} threads are not possible.", method, limits.stage, n[0],
                  n[1], n[2]);
    return false;
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (n[axis] <= limits.deviceSize[axis]) continue;
    errors.report(
        "{}: {} threadgroups of {} x {} x {} threads do not fit the device, which takes {} x {} x {}.",
        method, limits.stage, n[0], n[1], n[2], limits.deviceSize[0], limits.deviceSize[1],
        limits.deviceSize[2]);
    return false;
  }
  if (n[0] * n[1] * n[2] > limits.most) {
    errors.report(
        "{}: a threadgroup of the {} stage of {} x {} x {} has {} threads; the pipeline \"{}\" takes {}.",
        method, limits.stage, n[0], n[1], n[2], n[0] * n[1] * n[2], pipeline.name(), limits.most);
    return false;
  }
  const Counts required(limits.required);
  if (!required.empty() && !(required == threads)) {
    errors.report(
        "{}: the pipeline \"{}\" requires {} threadgroups of {} x {} x {} threads, not {} x {} x {}.", method,
        pipeline.name(), limits.stage, required.axis[0], required.axis[1], required.axis[2], n[0], n[1],
        n[2]);
    return false;
  }
  return true;
}

} // namespace

void RenderCommandEncoder4::setObjectThreadgroupLength(NS::UInteger lengthBytes, NS::UInteger index) {
  constexpr const char* kMethod = "RenderCommandEncoder::setObjectThreadgroupMemoryLength";
  ErrorKeeper& errors = commandBuffer->errors;
  if (index >= kMaxBufferBindings)
    return errors.report("{}: index {} is past the {} threadgroup arguments.", kMethod, index,
                         kMaxBufferBindings);
  if (lengthBytes % kThreadgroupLengthMultiple != 0)
    return errors.report("{}: {} bytes are not a multiple of {}.", kMethod, lengthBytes,
                         kThreadgroupLengthMultiple);
  NS::UInteger limit = commandBuffer->device->backend->physical().meshLimits().maxTaskSharedMemorySize;
  if (lengthBytes > limit)
    return errors.report("{}: {} bytes are more than the device's {} of threadgroup memory.", kMethod,
                         lengthBytes, limit);
  vulkan::ThreadgroupLength entry{static_cast<uint32_t>(index), static_cast<uint32_t>(lengthBytes)};
  auto place = std::lower_bound(m_objectLengths.begin(), m_objectLengths.end(), entry,
                                [](const auto& a, const auto& b) { return a.index < b.index; });
  if (place != m_objectLengths.end() && place->index == entry.index)
    *place = entry;
  else
    m_objectLengths.insert(place, entry);
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
  if (!checkThreads(method, pipeline, mesh,
                    {"mesh", stages.maxThreadsPerMeshThreadgroup, stages.requiredMeshThreads,
                     limits.maxMeshWorkGroupSize},
                    errors))
    return std::nullopt;
  shape.mesh = localSize(mesh);
  if (!stages.object) return shape;
  if (!checkThreads(method, pipeline, object,
                    {"object", stages.maxThreadsPerObjectThreadgroup, stages.requiredObjectThreads,
                     limits.maxTaskWorkGroupSize},
                    errors))
    return std::nullopt;
  shape.object = localSize(object);
  NS::UInteger bytes = stages.objectStaticBytes;
  for (uint32_t index : stages.objectThreadgroupArguments) {
    auto length = std::find_if(m_objectLengths.begin(), m_objectLengths.end(),
                               [&](const auto& l) { return l.index == index; });
    if (length == m_objectLengths.end() || length->bytes == 0) {
      errors.report("{}: the pipeline \"{}\" reads threadgroup({}) in its object function, but no length was "
                    "set for it.",
                    method, pipeline.name(), index);
      return std::nullopt;
    }
    bytes += length->bytes;
    shape.objectLengths.push_back(*length);
  }
  if (bytes > limits.maxTaskPayloadAndSharedMemorySize) {
    errors.report("{}: the object function of \"{}\" has {} bytes of threadgroup memory and payload; the "
                  "device has {}.",
                  method, pipeline.name(), bytes, limits.maxTaskPayloadAndSharedMemorySize);
    return std::nullopt;
  }
  return shape;
}

bool RenderCommandEncoder4::bindMeshPipeline(const char* method, const vulkan::MeshShape& shape) {
  const RenderPipelineState& pipeline = *m_pipeline;
  vulkan::VariantState state = m_variant;
  state.topologyClass = vulkan::TopologyClass::triangle; // the mesh says what it is
  state.threadgroups = shape;
  VkPipeline vkPipeline = findVariant(method, pipeline, state);
  if (!vkPipeline) return false;
  commandBuffer->backend->bindGraphics(vkPipeline,
                                       pipeline.fragment && pipeline.backend->rasterizationEnabled(), true);
  m_topology.reset();                   // a pipeline without an input assembler says nothing about it
  m_pipelineStale = true;               // for a vertex draw that follows
  m_vertexArguments.recordedLayout = 0; // object and vertex stages share a word of the constants
  m_constantsStale = true;
  return true;
}

bool RenderCommandEncoder4::prepareMeshDraw(const char* method, const vulkan::MeshShape& shape) {
  if (!bindMeshPipeline(method, shape)) return false;
  const RenderPipelineState& pipeline = *m_pipeline;
  const MeshStages& stages = *pipeline.mesh;
  if (stages.object && !m_objectArguments.recorded(*stages.object) &&
      !updateRecord(*stages.object, "object", m_objectArguments, m_constants.vertexRecord))
    return false;
  if (!m_meshArguments.recorded(stages.mesh) &&
      !updateRecord(stages.mesh, "mesh", m_meshArguments, m_constants.meshRecord))
    return false;
  if (pipeline.fragment && !m_fragmentArguments.recorded(*pipeline.fragment) &&
      !updateRecord(*pipeline.fragment, "fragment", m_fragmentArguments, m_constants.fragmentRecord))
    return false;
  m_scope.beforeDraw();
  return true;
}

bool RenderCommandEncoder4::fitsDevice(const char* method, const uint64_t (&counts)[3]) {
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
  const uint32_t size[3] = {local.x, local.y, local.z};
  const Counts counts(grid);
  uint64_t full[3], groups[3];
  uint32_t rest[3];
  for (int axis = 0; axis < 3; ++axis) {
    full[axis] = countsThreads ? counts.axis[axis] / size[axis] : counts.axis[axis];
    rest[axis] = countsThreads && object ? static_cast<uint32_t>(counts.axis[axis] % size[axis]) : 0;
    groups[axis] = full[axis] + (rest[axis] ? 1 : 0);
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
  for (int part = 0; part < 8; ++part) { // bit n: the left-over side of axis n
    uint32_t count[3], first[3], threads[3];
    for (int axis = 0; axis < 3; ++axis) {
      const bool edge = part >> axis & 1;
      count[axis] = edge ? (rest[axis] ? 1 : 0) : static_cast<uint32_t>(full[axis]);
      first[axis] = edge ? static_cast<uint32_t>(full[axis]) : 0;
      threads[axis] = edge ? rest[axis] : size[axis];
    }
    if (count[0] == 0 || count[1] == 0 || count[2] == 0) continue;
    vulkan::MeshShape partShape = shape;
    if (object) partShape.object = {threads[0], threads[1], threads[2]};
    if (!prepareMeshDraw(method, partShape)) return;
    std::copy(first, first + 3, constants.threadgroupOrigin);
    commandBuffer->backend->pushConstants(constants);
    commandBuffer->backend->drawMesh({count[0], count[1], count[2]});
  }
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
