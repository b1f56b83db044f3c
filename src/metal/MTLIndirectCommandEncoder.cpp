// SPDX-License-Identifier: Apache-2.0
// MTL::IndirectRenderCommand and MTL::IndirectComputeCommand.
#include "src/metal/MTLIndirectCommandEncoder.hpp"

#include "src/metal/MTLIndirectCommandBuffer.hpp"
#include "src/metal/enum_check.hpp"

#include <Metal/MTLBuffer.hpp>
#include <Metal/MTLDepthStencil.hpp>

using basanite::foundation::toImpl;

namespace basanite::metal {

void IndirectBindings::set(Device* device, NS::UInteger count, NS::UInteger index, MTL::GPUAddress address) {
  if (!m_table || m_table->retainCount() > 1) {
    auto descriptor = foundation::Retained<ArgumentTableDescriptor>::adopt(new ArgumentTableDescriptor);
    descriptor->maxBufferBindCount = count;
    auto table = foundation::Retained<ArgumentTable>::adopt(new ArgumentTable(device, *descriptor));
    if (m_table) {
      table->buffers = m_table->buffers;
      table->buffers.resize(count);
    }
    m_table = std::move(table);
  }
  m_table->set(m_table->buffers, "buffer", index, address);
}

void IndirectCommand::noteChange() {
  if (!owner) return;
  m_isDirty = true;
  m_lastChange.store(owner->nextChange(), std::memory_order_release);
}

void IndirectCommand::report(const char* method, std::string_view sentence) const {
  reportMisuse("{}: command {} of the indirect command buffer \"{}\": {}", method, index,
               owner ? owner->name() : std::string_view(), sentence);
}

bool IndirectCommand::beginChange(const char* method) {
  if (owner) {
    noteChange();
    return true;
  }
  reportMisuse("{}: the indirect command buffer of command {} is gone.", method, index);
  return false;
}

bool IndirectCommand::allows(const char* method, MTL::IndirectCommandType type, const char* typeName) const {
  if (owner->settings().commandTypes & type) return true;
  report(method, fmt::format("its descriptor's commandTypes ({:#x}) do not have {} ({:#x}).",
                             owner->settings().commandTypes, typeName, type));
  return false;
}

void IndirectCommand::setBuffer(const char* method, IndirectBindings& bindings, const MTL::Buffer* buffer,
                                NS::UInteger offset, NS::UInteger bufferIndex, NS::UInteger count,
                                const char* property) {
  if (!beginChange(method)) return;
  if (owner->settings().inheritBuffers)
    return report(method, "it inherits its buffers (inheritBuffers), so it cannot have its own.");
  if (bufferIndex >= count)
    return report(method,
                  fmt::format("index {} is past the {} buffers of {}.", bufferIndex, count, property));
  if (!buffer) return report(method, "the buffer is null.");
  if (offset >= buffer->length())
    return report(method, fmt::format("offset {} is past the buffer of {} bytes.", offset, buffer->length()));
  bindings.set(owner->device.get(), count, bufferIndex, buffer->gpuAddress() + offset);
}

void IndirectCommand::setLength(const char* method, ThreadgroupArguments& arguments, NS::UInteger lengthBytes,
                                NS::UInteger argumentIndex, NS::UInteger count, const char* property,
                                NS::UInteger mostBytes) {
  if (!beginChange(method)) return;
  if (argumentIndex >= count)
    return report(method,
                  fmt::format("index {} is past the {} arguments of {}.", argumentIndex, count, property));
  ErrorKeeper errors;
  arguments.set(method, lengthBytes, argumentIndex, mostBytes, errors);
  if (errors.failed()) report(method, errors.message());
}

// ---- render commands

void IndirectRenderCommand::clear() {
  if (beginChange("IndirectRenderCommand::reset")) state = {};
}

void IndirectRenderCommand::setBarrier(const char* method, bool barrier) {
  if (beginChange(method)) state.barrier = barrier;
}

void IndirectRenderCommand::setPipeline(const RenderPipelineState* pipeline) {
  constexpr const char* kMethod = "IndirectRenderCommand::setRenderPipelineState";
  if (!beginChange(kMethod)) return;
  if (owner->settings().inheritPipelineState)
    return report(kMethod, "it inherits its pipeline (inheritPipelineState), so it cannot have its own.");
  if (!pipeline) return report(kMethod, "the state is null.");
  if (!pipeline->supportsIndirect)
    return report(kMethod, fmt::format("the pipeline \"{}\" was made without supportIndirectCommandBuffers.",
                                       pipeline->name()));
  state.pipeline = foundation::Retained<RenderPipelineState>(const_cast<RenderPipelineState*>(pipeline));
}

void IndirectRenderCommand::setStageBuffer(const char* method, MTL::RenderStages stage,
                                           const MTL::Buffer* buffer, NS::UInteger offset,
                                           NS::UInteger bufferIndex) {
  if (!owner) return void(beginChange(method));
  const auto& settings = owner->settings();
  switch (stage) {
  case MTL::RenderStageVertex:
    return setBuffer(method, state.vertex, buffer, offset, bufferIndex, settings.maxVertexBufferBindCount,
                     "maxVertexBufferBindCount");
  case MTL::RenderStageFragment:
    return setBuffer(method, state.fragment, buffer, offset, bufferIndex, settings.maxFragmentBufferBindCount,
                     "maxFragmentBufferBindCount");
  case MTL::RenderStageObject:
    return setBuffer(method, state.object, buffer, offset, bufferIndex, settings.maxObjectBufferBindCount,
                     "maxObjectBufferBindCount");
  default:
    return setBuffer(method, state.mesh, buffer, offset, bufferIndex, settings.maxMeshBufferBindCount,
                     "maxMeshBufferBindCount");
  }
}

void IndirectRenderCommand::setObjectThreadgroupLength(NS::UInteger lengthBytes, NS::UInteger argumentIndex) {
  constexpr const char* kMethod = "IndirectRenderCommand::setObjectThreadgroupMemoryLength";
  if (!owner) return void(beginChange(kMethod));
  setLength(kMethod, state.objectThreadgroupArguments, lengthBytes, argumentIndex,
            owner->settings().maxObjectThreadgroupMemoryBindCount, "maxObjectThreadgroupMemoryBindCount",
            owner->device->backend->physical().meshLimits().maxTaskSharedMemorySize);
}

bool IndirectRenderCommand::mayRaster(const char* method, bool inherited, const char* property) {
  if (!beginChange(method)) return false;
  if (!inherited) return true;
  report(method, fmt::format("it inherits this state; {} must be off for it to have its own.", property));
  return false;
}

template <class E>
void IndirectRenderCommand::setRaster(const char* method, E IndirectRenderState::* member, E value,
                                      bool inherited, const char* property) {
  if (!mayRaster(method, inherited, property)) return;
  if (!isKnown(value)) return report(method, unknownEnumerator("the argument", value) + ".");
  state.*member = value;
}

void IndirectRenderCommand::setDepthStencil(const DepthStencilState* depthStencil) {
  if (owner && !mayRaster("IndirectRenderCommand::setDepthStencilState",
                          owner->settings().inheritDepthStencilState, "inheritDepthStencilState"))
    return;
  state.depthStencil = foundation::Retained<DepthStencilState>(const_cast<DepthStencilState*>(depthStencil));
}

void IndirectRenderCommand::setDepthBias(float bias, float slope, float clamp) {
  if (owner && !mayRaster("IndirectRenderCommand::setDepthBias", owner->settings().inheritDepthBias,
                          "inheritDepthBias"))
    return;
  state.depthBias = bias;
  state.slopeScale = slope;
  state.biasClamp = clamp;
}

void IndirectRenderCommand::draw(MTL::PrimitiveType type, NS::UInteger start, NS::UInteger count,
                                 NS::UInteger instances, NS::UInteger baseInstance) {
  constexpr const char* kMethod = "IndirectRenderCommand::drawPrimitives";
  if (!beginChange(kMethod) || !allows(kMethod, MTL::IndirectCommandTypeDraw, "IndirectCommandTypeDraw"))
    return;
  state.type = MTL::IndirectCommandTypeDraw;
  state.primitiveType = type;
  state.start = start;
  state.count = count;
  state.instances = instances;
  state.baseInstance = baseInstance;
}

void IndirectRenderCommand::drawIndexed(MTL::PrimitiveType type, NS::UInteger count, MTL::IndexType indexType,
                                        const MTL::Buffer* indexBuffer, NS::UInteger indexBufferOffset,
                                        NS::UInteger instances, NS::Integer baseVertex,
                                        NS::UInteger baseInstance) {
  constexpr const char* kMethod = "IndirectRenderCommand::drawIndexedPrimitives";
  if (!beginChange(kMethod) ||
      !allows(kMethod, MTL::IndirectCommandTypeDrawIndexed, "IndirectCommandTypeDrawIndexed"))
    return;
  if (!indexBuffer) return report(kMethod, "the index buffer is null.");
  if (indexBufferOffset >= indexBuffer->length())
    return report(kMethod, fmt::format("offset {} is past the index buffer of {} bytes.", indexBufferOffset,
                                       indexBuffer->length()));
  state.type = MTL::IndirectCommandTypeDrawIndexed;
  state.primitiveType = type;
  state.count = count;
  state.indexType = indexType;
  state.indices = indexBuffer->gpuAddress() + indexBufferOffset;
  state.indexBufferBytes = indexBuffer->length() - indexBufferOffset;
  state.instances = instances;
  state.baseVertex = baseVertex;
  state.baseInstance = baseInstance;
}

void IndirectRenderCommand::drawMesh(const char* method, MTL::IndirectCommandType type, MTL::Size grid,
                                     MTL::Size objectThreads, MTL::Size meshThreads) {
  const bool threads = type == MTL::IndirectCommandTypeDrawMeshThreads;
  if (!beginChange(method) ||
      !allows(method, type,
              threads ? "IndirectCommandTypeDrawMeshThreads" : "IndirectCommandTypeDrawMeshThreadgroups"))
    return;
  state.type = type;
  state.grid = grid;
  state.objectThreads = objectThreads;
  state.meshThreads = meshThreads;
}

// ---- compute commands

void IndirectComputeCommand::clear() {
  if (beginChange("IndirectComputeCommand::reset")) state = {};
}

void IndirectComputeCommand::setBarrier(const char* method, bool barrier) {
  if (beginChange(method)) state.barrier = barrier;
}

void IndirectComputeCommand::setPipeline(const ComputePipelineState* pipeline) {
  constexpr const char* kMethod = "IndirectComputeCommand::setComputePipelineState";
  if (!beginChange(kMethod)) return;
  if (owner->settings().inheritPipelineState)
    return report(kMethod, "it inherits its pipeline (inheritPipelineState), so it cannot have its own.");
  if (!pipeline) return report(kMethod, "the state is null.");
  if (!pipeline->supportsIndirect)
    return report(kMethod, fmt::format("the pipeline \"{}\" was made without supportIndirectCommandBuffers.",
                                       pipeline->name()));
  state.pipeline = foundation::Retained<ComputePipelineState>(const_cast<ComputePipelineState*>(pipeline));
}

void IndirectComputeCommand::setKernelBuffer(const MTL::Buffer* buffer, NS::UInteger offset,
                                             NS::UInteger bufferIndex) {
  constexpr const char* kMethod = "IndirectComputeCommand::setKernelBuffer";
  if (!owner) return void(beginChange(kMethod));
  setBuffer(kMethod, state.kernel, buffer, offset, bufferIndex, owner->settings().maxKernelBufferBindCount,
            "maxKernelBufferBindCount");
}

void IndirectComputeCommand::setThreadgroupLength(NS::UInteger lengthBytes, NS::UInteger argumentIndex) {
  constexpr const char* kMethod = "IndirectComputeCommand::setThreadgroupMemoryLength";
  if (!owner) return void(beginChange(kMethod));
  setLength(kMethod, state.threadgroupArguments, lengthBytes, argumentIndex,
            owner->settings().maxKernelThreadgroupMemoryBindCount, "maxKernelThreadgroupMemoryBindCount",
            owner->device->backend->limits().maxThreadgroupMemoryBytes);
}

void IndirectComputeCommand::dispatch(const char* method, MTL::IndirectCommandType type, MTL::Size grid,
                                      MTL::Size threadsPerThreadgroup) {
  const bool threads = type == MTL::IndirectCommandTypeConcurrentDispatchThreads;
  if (!beginChange(method) || !allows(method, type,
                                      threads ? "IndirectCommandTypeConcurrentDispatchThreads"
                                              : "IndirectCommandTypeConcurrentDispatch"))
    return;
  state.type = type;
  state.grid = grid;
  state.threadsPerThreadgroup = threadsPerThreadgroup;
}

namespace {

// A property of the descriptor; true without a buffer, so that setRaster() gets to report it.
bool inherits(const IndirectRenderCommand& command, bool IndirectCommandBufferDescriptorFields::* property) {
  return !command.owner || command.owner->settings().*property;
}

} // namespace

} // namespace basanite::metal

using namespace basanite::metal;
using RenderState = basanite::metal::IndirectRenderState;
using Settings = basanite::metal::IndirectCommandBufferDescriptorFields;

void MTL::IndirectRenderCommand::clearBarrier() {
  if (this) toImpl(this)->setBarrier("IndirectRenderCommand::clearBarrier", false);
}
void MTL::IndirectRenderCommand::drawIndexedPrimitives(MTL::PrimitiveType primitiveType,
                                                       NS::UInteger indexCount, MTL::IndexType indexType,
                                                       const MTL::Buffer* indexBuffer,
                                                       NS::UInteger indexBufferOffset,
                                                       NS::UInteger instanceCount, NS::Integer baseVertex,
                                                       NS::UInteger baseInstance) {
  if (this)
    toImpl(this)->drawIndexed(primitiveType, indexCount, indexType, indexBuffer, indexBufferOffset,
                              instanceCount, baseVertex, baseInstance);
}
void MTL::IndirectRenderCommand::drawMeshThreadgroups(MTL::Size threadgroupsPerGrid,
                                                      MTL::Size threadsPerObjectThreadgroup,
                                                      MTL::Size threadsPerMeshThreadgroup) {
  if (this)
    toImpl(this)->drawMesh("IndirectRenderCommand::drawMeshThreadgroups",
                           MTL::IndirectCommandTypeDrawMeshThreadgroups, threadgroupsPerGrid,
                           threadsPerObjectThreadgroup, threadsPerMeshThreadgroup);
}
void MTL::IndirectRenderCommand::drawMeshThreads(MTL::Size threadsPerGrid,
                                                 MTL::Size threadsPerObjectThreadgroup,
                                                 MTL::Size threadsPerMeshThreadgroup) {
  if (this)
    toImpl(this)->drawMesh("IndirectRenderCommand::drawMeshThreads", MTL::IndirectCommandTypeDrawMeshThreads,
                           threadsPerGrid, threadsPerObjectThreadgroup, threadsPerMeshThreadgroup);
}
void MTL::IndirectRenderCommand::drawPrimitives(MTL::PrimitiveType primitiveType, NS::UInteger vertexStart,
                                                NS::UInteger vertexCount, NS::UInteger instanceCount,
                                                NS::UInteger baseInstance) {
  if (this) toImpl(this)->draw(primitiveType, vertexStart, vertexCount, instanceCount, baseInstance);
}
void MTL::IndirectRenderCommand::reset() {
  if (this) toImpl(this)->clear();
}
void MTL::IndirectRenderCommand::setBarrier() {
  if (this) toImpl(this)->setBarrier("IndirectRenderCommand::setBarrier", true);
}
void MTL::IndirectRenderCommand::setCullMode(MTL::CullMode cullMode) {
  if (this)
    toImpl(this)->setRaster("IndirectRenderCommand::setCullMode", &RenderState::cullMode, cullMode,
                            inherits(*toImpl(this), &Settings::inheritCullMode), "inheritCullMode");
}
void MTL::IndirectRenderCommand::setDepthBias(float depthBias, float slopeScale, float clamp) {
  if (this) toImpl(this)->setDepthBias(depthBias, slopeScale, clamp);
}
void MTL::IndirectRenderCommand::setDepthClipMode(MTL::DepthClipMode depthClipMode) {
  if (this)
    toImpl(this)->setRaster("IndirectRenderCommand::setDepthClipMode", &RenderState::depthClipMode,
                            depthClipMode, inherits(*toImpl(this), &Settings::inheritDepthClipMode),
                            "inheritDepthClipMode");
}
void MTL::IndirectRenderCommand::setDepthStencilState(const MTL::DepthStencilState* depthStencilState) {
  if (this) toImpl(this)->setDepthStencil(depthStencilState ? toImpl(depthStencilState) : nullptr);
}
void MTL::IndirectRenderCommand::setFragmentBuffer(const MTL::Buffer* buffer, NS::UInteger offset,
                                                   NS::UInteger index) {
  if (this)
    toImpl(this)->setStageBuffer("IndirectRenderCommand::setFragmentBuffer", MTL::RenderStageFragment, buffer,
                                 offset, index);
}
void MTL::IndirectRenderCommand::setFrontFacingWinding(MTL::Winding frontFacingWinding) {
  if (this)
    toImpl(this)->setRaster("IndirectRenderCommand::setFrontFacingWinding", &RenderState::winding,
                            frontFacingWinding, inherits(*toImpl(this), &Settings::inheritFrontFacingWinding),
                            "inheritFrontFacingWinding");
}
void MTL::IndirectRenderCommand::setMeshBuffer(const MTL::Buffer* buffer, NS::UInteger offset,
                                               NS::UInteger index) {
  if (this)
    toImpl(this)->setStageBuffer("IndirectRenderCommand::setMeshBuffer", MTL::RenderStageMesh, buffer, offset,
                                 index);
}
void MTL::IndirectRenderCommand::setObjectBuffer(const MTL::Buffer* buffer, NS::UInteger offset,
                                                 NS::UInteger index) {
  if (this)
    toImpl(this)->setStageBuffer("IndirectRenderCommand::setObjectBuffer", MTL::RenderStageObject, buffer,
                                 offset, index);
}
void MTL::IndirectRenderCommand::setObjectThreadgroupMemoryLength(NS::UInteger length, NS::UInteger index) {
  if (this) toImpl(this)->setObjectThreadgroupLength(length, index);
}
void MTL::IndirectRenderCommand::setRenderPipelineState(const MTL::RenderPipelineState* pipelineState) {
  if (this) toImpl(this)->setPipeline(pipelineState ? toImpl(pipelineState) : nullptr);
}
void MTL::IndirectRenderCommand::setTriangleFillMode(MTL::TriangleFillMode fillMode) {
  if (this)
    toImpl(this)->setRaster("IndirectRenderCommand::setTriangleFillMode", &RenderState::fillMode, fillMode,
                            inherits(*toImpl(this), &Settings::inheritTriangleFillMode),
                            "inheritTriangleFillMode");
}
void MTL::IndirectRenderCommand::setVertexBuffer(const MTL::Buffer* buffer, NS::UInteger offset,
                                                 NS::UInteger index) {
  if (this)
    toImpl(this)->setStageBuffer("IndirectRenderCommand::setVertexBuffer", MTL::RenderStageVertex, buffer,
                                 offset, index);
}

void MTL::IndirectComputeCommand::clearBarrier() {
  if (this) toImpl(this)->setBarrier("IndirectComputeCommand::clearBarrier", false);
}
void MTL::IndirectComputeCommand::concurrentDispatchThreadgroups(MTL::Size threadgroupsPerGrid,
                                                                 MTL::Size threadsPerThreadgroup) {
  if (this)
    toImpl(this)->dispatch("IndirectComputeCommand::concurrentDispatchThreadgroups",
                           MTL::IndirectCommandTypeConcurrentDispatch, threadgroupsPerGrid,
                           threadsPerThreadgroup);
}
void MTL::IndirectComputeCommand::concurrentDispatchThreads(MTL::Size threadsPerGrid,
                                                            MTL::Size threadsPerThreadgroup) {
  if (this)
    toImpl(this)->dispatch("IndirectComputeCommand::concurrentDispatchThreads",
                           MTL::IndirectCommandTypeConcurrentDispatchThreads, threadsPerGrid,
                           threadsPerThreadgroup);
}
void MTL::IndirectComputeCommand::reset() {
  if (this) toImpl(this)->clear();
}
void MTL::IndirectComputeCommand::setBarrier() {
  if (this) toImpl(this)->setBarrier("IndirectComputeCommand::setBarrier", true);
}
void MTL::IndirectComputeCommand::setComputePipelineState(const MTL::ComputePipelineState* pipelineState) {
  if (this) toImpl(this)->setPipeline(pipelineState ? toImpl(pipelineState) : nullptr);
}
void MTL::IndirectComputeCommand::setKernelBuffer(const MTL::Buffer* buffer, NS::UInteger offset,
                                                  NS::UInteger index) {
  if (this) toImpl(this)->setKernelBuffer(buffer, offset, index);
}
void MTL::IndirectComputeCommand::setThreadgroupMemoryLength(NS::UInteger length, NS::UInteger index) {
  if (this) toImpl(this)->setThreadgroupLength(length, index);
}
