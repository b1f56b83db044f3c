// SPDX-License-Identifier: Apache-2.0
// What encoders do with indirect command buffers: execute, reset, copy, optimise.
#include "src/metal/MTL4ComputeCommandEncoder.hpp"
#include "src/metal/MTL4RenderCommandEncoder.hpp"
#include "src/metal/MTLIndirectCommandBuffer.hpp"
#include "src/metal/enum_map.hpp"
#include "src/vulkan/range_mask.hpp"

using basanite::foundation::toImpl;

namespace basanite::metal {

IndirectCommandBuffer* CommandEncoder4::openIndirect(const char* method,
                                                     const MTL::IndirectCommandBuffer* buffer) {
  if (!canEncode(method)) return nullptr;
  ErrorKeeper& errors = commandBuffer->errors;
  if (!buffer) {
    errors.report("{}: the indirect command buffer is null.", method);
    return nullptr;
  }
  IndirectCommandBuffer* impl = toImpl(buffer);
  if (impl->device.get() == commandBuffer->device.get()) return impl;
  errors.report("{}: the indirect command buffer \"{}\" belongs to another device.", method, impl->name());
  return nullptr;
}

bool CommandEncoder4::checkCommands(const char* method, const IndirectCommandBuffer& buffer,
                                    const NS::Range& range) {
  if (buffer.contains(range)) return true;
  commandBuffer->errors.report(
      "{}: the {} commands from index {} on are not inside the {} of the indirect command buffer \"{}\".",
      method, NS::UInteger(range.length), NS::UInteger(range.location), buffer.size(), buffer.name());
  return false;
}

std::optional<IndirectRange> CommandEncoder4::executionRange(const char* method,
                                                             const IndirectCommandBuffer& buffer,
                                                             const IndirectRange& range) {
  if (range.inMemory) {
    if (!commandBuffer->findArguments(method, *range.inMemory,
                                      sizeof(MTL::IndirectCommandBufferExecutionRange)))
      return std::nullopt;
    return IndirectRange{NS::Range::Make(0, buffer.size()), range.inMemory};
  }
  if (!checkCommands(method, buffer, range.commands)) return std::nullopt;
  return range;
}

namespace {

// The draws or dispatches that commands of a range in memory may take together: a grid of threads has up to
// eight parts.
template <class Command> uint64_t mostParts(NS::UInteger count, Command command) {
  constexpr MTL::IndirectCommandType kThreads =
      MTL::IndirectCommandTypeDrawMeshThreads | MTL::IndirectCommandTypeConcurrentDispatchThreads;
  constexpr uint64_t kParts = 8;
  uint64_t most = 1;
  for (NS::UInteger i = 0; i < count; ++i)
    if (const auto* encoded = command(i)) most += encoded->state.type & kThreads ? kParts : 1;
  return most;
}

} // namespace

// ---- render

RenderCommandEncoder4::CommandState RenderCommandEncoder4::commandState() const {
  return {m_pipeline,
          m_vertexArguments.table,
          m_fragmentArguments.table,
          m_objectArguments.table,
          m_meshArguments.table,
          m_objectThreadgroupArguments,
          m_variant.polygonMode,
          m_variant.depthClamp,
          m_raster};
}

void RenderCommandEncoder4::restore(CommandState&& state,
                                    const IndirectCommandBufferDescriptorFields& settings) {
  m_pipeline = std::move(state.pipeline);
  m_vertexArguments.table = std::move(state.vertex);
  m_fragmentArguments.table = std::move(state.fragment);
  m_objectArguments.table = std::move(state.object);
  m_meshArguments.table = std::move(state.mesh);
  m_objectThreadgroupArguments = std::move(state.objectThreadgroupArguments);
  m_variant.polygonMode = state.polygonMode;
  m_variant.depthClamp = state.depthClamp;
  forgetPipeline();
  const Raster& raster = state.raster;
  if (!settings.inheritCullMode) setCullMode(raster.cullMode);
  if (!settings.inheritFrontFacingWinding) setWinding(raster.winding);
  if (!settings.inheritDepthBias) setDepthBias(raster.depthBias, raster.slopeScale, raster.biasClamp);
  if (!settings.inheritDepthStencilState) setDepthStencil(raster.depthStencil.get());
}

void RenderCommandEncoder4::apply(const IndirectRenderState& command,
                                  const IndirectCommandBufferDescriptorFields& settings,
                                  const CommandState& own) {
  if (!settings.inheritPipelineState) setPipeline(command.pipeline.get());
  if (!settings.inheritBuffers) {
    m_vertexArguments.table = foundation::Retained<ArgumentTable>(command.vertex.table());
    m_fragmentArguments.table = foundation::Retained<ArgumentTable>(command.fragment.table());
    m_objectArguments.table = foundation::Retained<ArgumentTable>(command.object.table());
    m_meshArguments.table = foundation::Retained<ArgumentTable>(command.mesh.table());
  }
  m_objectThreadgroupArguments = command.objectThreadgroupArguments.empty()
                                     ? own.objectThreadgroupArguments
                                     : command.objectThreadgroupArguments;
  if (!settings.inheritTriangleFillMode) {
    const VkPolygonMode mode = toVkPolygonMode(command.fillMode);
    if (m_variant.polygonMode != mode) setFillMode(mode);
  }
  if (!settings.inheritDepthClipMode) {
    const bool clamp = command.depthClipMode == MTL::DepthClipModeClamp;
    if (m_variant.depthClamp != clamp) setDepthClamp(clamp);
  }
  if (!settings.inheritCullMode) setCullMode(command.cullMode);
  if (!settings.inheritFrontFacingWinding) setWinding(command.winding);
  if (!settings.inheritDepthBias) setDepthBias(command.depthBias, command.slopeScale, command.biasClamp);
  if (!settings.inheritDepthStencilState) setDepthStencil(command.depthStencil.get());
}

void RenderCommandEncoder4::drawCommand(const IndirectRenderState& command) {
  switch (command.type) {
  case MTL::IndirectCommandTypeDraw:
    return draw(command.primitiveType, command.start, command.count, command.instances, command.baseInstance);
  case MTL::IndirectCommandTypeDrawIndexed:
    return drawIndexed(command.primitiveType, command.count, command.indexType, command.indices,
                       command.indexBufferBytes, command.instances, command.baseVertex, command.baseInstance);
  case MTL::IndirectCommandTypeDrawMeshThreads:
    return drawMesh("RenderCommandEncoder::drawMeshThreads", command.grid, true, command.objectThreads,
                    command.meshThreads);
  default:
    return drawMesh("RenderCommandEncoder::drawMeshThreadgroups", command.grid, false, command.objectThreads,
                    command.meshThreads);
  }
}

void RenderCommandEncoder4::executeCommands(const MTL::IndirectCommandBuffer* buffer,
                                            const IndirectRange& range) {
  constexpr const char* kMethod = "RenderCommandEncoder::executeCommandsInBuffer";
  IndirectCommandBuffer* indirect = openIndirect(kMethod, buffer);
  auto execution = indirect ? executionRange(kMethod, *indirect, range) : std::nullopt;
  if (!execution) return;
  ErrorKeeper& errors = commandBuffer->errors;
  const IndirectCommandBufferDescriptorFields& settings = indirect->settings();
  if (indirect->isCompute())
    return errors.report(
        "{}: the indirect command buffer \"{}\" holds compute commands; a compute encoder executes "
        "them.",
        kMethod, indirect->name());
  if (settings.inheritPipelineState) {
    if (!m_pipeline) return errors.report("{}: no render pipeline state has been set.", kMethod);
    if (!m_pipeline->supportsIndirect)
      return errors.report("{}: the pipeline \"{}\" was made without supportIndirectCommandBuffers.", kMethod,
                           m_pipeline->name());
  }
  commandBuffer->noteExecution(indirect, execution->commands);
  if (indirect->memory()) return executeExpanded(kMethod, *indirect, *execution);
  const NS::UInteger first = execution->commands.location, end = first + execution->commands.length;
  vulkan::CommandBuffer& commands = *commandBuffer->backend;
  std::optional<vulkan::RangeMask> mask;
  if (execution->inMemory) {
    auto kernel = commandBuffer->device->rangeMaskKernel();
    if (!kernel) return errors.report("{}: {}", kMethod, kernel.error().message);
    m_scope.barrier(VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
    mask.emplace(commands, *kernel, *execution->inMemory,
                 mostParts(end, [&](NS::UInteger i) { return indirect->encodedRender(i); }));
    mask->record();
    m_constantsStale = true; // the kernel has its own
    commands.setMask(&*mask);
  }
  CommandState own = commandState();
  for (NS::UInteger i = first; i < end; ++i) {
    const IndirectRenderCommand* command = indirect->encodedRender(i);
    if (!command || command->state.type == 0) continue;
    errors.beginCommand(indirect->name(), i);
    if (!settings.inheritPipelineState && !command->state.pipeline) {
      errors.report("{}: no render pipeline state has been set.", kMethod);
      continue;
    }
    if (mask) mask->setCommand(static_cast<uint32_t>(i));
    if (command->state.barrier && i > first)
      m_scope.barrier(VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT);
    apply(command->state, settings, own);
    drawCommand(command->state);
  }
  errors.endCommand();
  commands.setMask(nullptr);
  restore(std::move(own), settings);
}

// ---- compute

void ComputeCommandEncoder4::executeCommands(const MTL::IndirectCommandBuffer* buffer,
                                             const IndirectRange& range) {
  constexpr const char* kMethod = "ComputeCommandEncoder::executeCommandsInBuffer";
  IndirectCommandBuffer* indirect = openIndirect(kMethod, buffer);
  auto execution = indirect ? executionRange(kMethod, *indirect, range) : std::nullopt;
  if (!execution) return;
  ErrorKeeper& errors = commandBuffer->errors;
  const IndirectCommandBufferDescriptorFields& settings = indirect->settings();
  if (!indirect->isCompute())
    return errors.report(
        "{}: the indirect command buffer \"{}\" holds render commands; a render encoder executes "
        "them.",
        kMethod, indirect->name());
  if (settings.inheritPipelineState) {
    if (!m_pipeline) return errors.report("{}: no compute pipeline state has been set.", kMethod);
    if (!m_pipeline->supportsIndirect)
      return errors.report("{}: the pipeline \"{}\" was made without supportIndirectCommandBuffers.", kMethod,
                           m_pipeline->name());
  }
  commandBuffer->noteExecution(indirect, execution->commands);
  if (indirect->memory()) return executeExpanded(kMethod, *indirect, *execution);
  const NS::UInteger first = execution->commands.location, end = first + execution->commands.length;
  vulkan::CommandBuffer& commands = *commandBuffer->backend;
  std::optional<vulkan::RangeMask> mask;
  if (execution->inMemory) {
    auto kernel = commandBuffer->device->rangeMaskKernel();
    if (!kernel) return errors.report("{}: {}", kMethod, kernel.error().message);
    awaitOpeningStamp();
    mask.emplace(commands, *kernel, *execution->inMemory,
                 mostParts(end, [&](NS::UInteger i) { return indirect->encodedCompute(i); }));
    mask->record();
    commands.setMask(&*mask);
  }
  const auto ownPipeline = m_pipeline;
  const auto ownTable = m_arguments.table;
  const ThreadgroupArguments ownThreadgroupArguments = m_threadgroupArguments;
  for (NS::UInteger i = first; i < end; ++i) {
    const IndirectComputeCommand* command = indirect->encodedCompute(i);
    if (!command || command->state.type == 0) continue;
    const IndirectComputeState& state = command->state;
    errors.beginCommand(indirect->name(), i);
    if (mask) mask->setCommand(static_cast<uint32_t>(i));
    if (!settings.inheritPipelineState) m_pipeline = state.pipeline;
    if (!settings.inheritBuffers)
      m_arguments.table = foundation::Retained<ArgumentTable>(state.kernel.table());
    m_threadgroupArguments =
        state.threadgroupArguments.empty() ? ownThreadgroupArguments : state.threadgroupArguments;
    if (state.barrier && i > first)
      commands.barrier(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
    dispatch(kMethod, state.grid, state.threadsPerThreadgroup,
             state.type == MTL::IndirectCommandTypeConcurrentDispatchThreads);
  }
  errors.endCommand();
  commands.setMask(nullptr);
  m_pipeline = ownPipeline;
  m_arguments.table = ownTable;
  m_threadgroupArguments = ownThreadgroupArguments;
}

void ComputeCommandEncoder4::resetCommands(const MTL::IndirectCommandBuffer* buffer, const NS::Range& range) {
  constexpr const char* kMethod = "ComputeCommandEncoder::resetCommandsInBuffer";
  IndirectCommandBuffer* indirect = openIndirect(kMethod, buffer);
  if (!indirect || !checkCommands(kMethod, *indirect, range) || !beginBlit(kMethod)) return;
  indirect->reset(range, false);
  vulkan::Buffer* memory = indirect->memory();
  if (!memory) return;
  commandBuffer->held.add(memory);
  commandBuffer->backend->fillBuffer(memory->vkBuffer(), indirect->recordOffset(range.location),
                                     range.length * indirect->recordBytes(), 0);
}

void ComputeCommandEncoder4::copyCommands(const MTL::IndirectCommandBuffer* source, const NS::Range& range,
                                          const MTL::IndirectCommandBuffer* destination, NS::UInteger index) {
  constexpr const char* kMethod = "ComputeCommandEncoder::copyIndirectCommandBuffer";
  IndirectCommandBuffer* from = openIndirect(kMethod, source);
  IndirectCommandBuffer* to = from ? openIndirect(kMethod, destination) : nullptr;
  if (!to || !checkCommands(kMethod, *from, range) ||
      !checkCommands(kMethod, *to, NS::Range::Make(index, range.length)))
    return;
  if (std::string reason = to->whyNoCopyFrom(*from); !reason.empty())
    return commandBuffer->errors.report("{}: commands of \"{}\" cannot be copied to \"{}\": {}.", kMethod,
                                        from->name(), to->name(), reason);
  if (!beginBlit(kMethod)) return;
  if (from->memory() || to->memory())
    if (auto copied = copyRecords(*from, range, *to, index); !copied)
      return commandBuffer->errors.report("{}: {}", kMethod, copied.error().message);
  to->copyFrom(*from, range, index);
}

base::Result<void> ComputeCommandEncoder4::copyRecords(IndirectCommandBuffer& from, const NS::Range& range,
                                                       IndirectCommandBuffer& to, NS::UInteger index) {
  BASANITE_TRY_VOID(from.makeMemory());
  BASANITE_TRY_VOID(to.makeMemory());
  BASANITE_TRY_VOID(from.flush(range));
  if (from.firstBuffers() != to.firstBuffers() || from.secondBuffers() != to.secondBuffers())
    return base::Error{
        fmt::format("commands that the GPU may have encoded have places for {} and {} buffers in \"{}\", "
                    "for {} and {} in \"{}\".",
                    from.firstBuffers(), from.secondBuffers(), from.name(), to.firstBuffers(),
                    to.secondBuffers(), to.name())};
  if (range.length == 0) return {};
  vulkan::CommandBuffer& commands = *commandBuffer->backend;
  const uint64_t bytes = range.length * from.recordBytes();
  VkBuffer vkSource = from.memory()->vkBuffer();
  uint64_t offset = from.recordOffset(range.location);
  if (&from == &to) {
    // The regions of a copy must not overlap.
    BASANITE_TRY(auto between, vulkan::Buffer::create(commandBuffer->device->backend, bytes,
                                                      vulkan::MemoryKind::deviceLocal, "copied commands"));
    commandBuffer->held.add(between.get());
    commands.copyBuffer(vkSource, offset, between->vkBuffer(), 0, bytes);
    commands.barrier(VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT);
    vkSource = between->vkBuffer();
    offset = 0;
  }
  commands.copyBuffer(vkSource, offset, to.memory()->vkBuffer(), to.recordOffset(index), bytes);
  commandBuffer->held.add(from.memory());
  commandBuffer->held.add(to.memory());
  return {};
}

void ComputeCommandEncoder4::optimizeCommands(const MTL::IndirectCommandBuffer* buffer,
                                              const NS::Range& range) {
  constexpr const char* kMethod = "ComputeCommandEncoder::optimizeIndirectCommandBuffer";
  IndirectCommandBuffer* indirect = openIndirect(kMethod, buffer);
  // Executions leave out redundant state anyhow.
  if (indirect && checkCommands(kMethod, *indirect, range)) beginBlit(kMethod);
}

} // namespace basanite::metal

void MTL4::RenderCommandEncoder::executeCommandsInBuffer(
    const MTL::IndirectCommandBuffer* indirectCommandBuffer, NS::Range executionRange) {
  if (this) toImpl(this)->executeCommands(indirectCommandBuffer, {executionRange, {}});
}

void MTL4::ComputeCommandEncoder::copyIndirectCommandBuffer(const MTL::IndirectCommandBuffer* source,
                                                            NS::Range sourceRange,
                                                            const MTL::IndirectCommandBuffer* destination,
                                                            NS::UInteger destinationIndex) {
  if (this) toImpl(this)->copyCommands(source, sourceRange, destination, destinationIndex);
}
void MTL4::ComputeCommandEncoder::executeCommandsInBuffer(
    const MTL::IndirectCommandBuffer* indirectCommandBuffer, NS::Range executionRange) {
  if (this) toImpl(this)->executeCommands(indirectCommandBuffer, {executionRange, {}});
}
void MTL4::ComputeCommandEncoder::optimizeIndirectCommandBuffer(
    const MTL::IndirectCommandBuffer* indirectCommandBuffer, NS::Range range) {
  if (this) toImpl(this)->optimizeCommands(indirectCommandBuffer, range);
}
void MTL4::ComputeCommandEncoder::resetCommandsInBuffer(const MTL::IndirectCommandBuffer* buffer,
                                                        NS::Range range) {
  if (this) toImpl(this)->resetCommands(buffer, range);
}

void MTL4::RenderCommandEncoder::executeCommandsInBuffer(
    const MTL::IndirectCommandBuffer* indirectCommandBuffer, MTL::GPUAddress indirectRangeBuffer) {
  if (this)
    toImpl(this)->executeCommands(indirectCommandBuffer, {NS::Range::Make(0, 0), indirectRangeBuffer});
}
void MTL4::ComputeCommandEncoder::executeCommandsInBuffer(
    const MTL::IndirectCommandBuffer* indirectCommandbuffer, MTL::GPUAddress indirectRangeBuffer) {
  if (this)
    toImpl(this)->executeCommands(indirectCommandbuffer, {NS::Range::Make(0, 0), indirectRangeBuffer});
}
