// SPDX-License-Identifier: Apache-2.0
// What a render encoder does before and at a draw: checks, the pipeline variant, the argument records, the
// call.
#include "src/metal/MTL4RenderCommandEncoder.hpp"

#include "src/metal/MTL4Counters.hpp"
#include "src/metal/enum_map.hpp"
#include "src/trace/zone.hpp"

namespace basanite::metal {

namespace {

// Vulkan's draws count in 32 bits.
template <class... Counts> constexpr bool fit32Bits(Counts... counts) { return ((counts | ...) >> 32) == 0; }

// The latest of the named stages, as one Vulkan bit: waiting for it waits for the earlier ones too. Vertex
// stages are not earlier than mesh stages, so for both together only a stage behind both will do.
VkPipelineStageFlagBits2 stampStage(MTL::RenderStages stages, bool depthOnly, bool meshDevice) {
  if (stages & (MTL::RenderStageFragment | MTL::RenderStageTile))
    return depthOnly ? VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT
                     : VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
  const bool mesh = stages & MTL::RenderStageMesh, object = stages & MTL::RenderStageObject;
  if (!meshDevice || !(mesh || object)) return VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
  if (stages & MTL::RenderStageVertex)
    return depthOnly ? VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT
                     : VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
  return mesh ? VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT : VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT;
}

} // namespace

RenderCommandEncoder4::RenderCommandEncoder4(CommandBuffer4* owner, RenderPass renderPass)
    : CommandEncoder4(owner), m_pass(std::move(renderPass)),
      m_hasTaskShader(owner->device->backend->features().taskShader),
      m_scope(*owner->backend, owner->timestamps, m_pass.targets) {
  vulkan::CommandBuffer& commands = *owner->backend;
  for (const auto& image : m_pass.images) owner->held.add(image.get());
  commands.setDefaultRenderState();
  // Metal's y axis points up in clip space: a viewport of negative height turns Vulkan's around.
  VkViewport viewport{0,
                      static_cast<float>(m_pass.height),
                      static_cast<float>(m_pass.width),
                      -static_cast<float>(m_pass.height),
                      0,
                      1};
  m_viewports = {viewport};
  m_scissors = {m_pass.targets.area};
  applyViewports();
  if (!m_pass.sampleLocations.empty()) commands.setSampleLocations(m_pass.sampleLocations);
}

void RenderCommandEncoder4::setPipeline(RenderPipelineState* pipeline) {
  if (!pipeline)
    return commandBuffer->errors.report("RenderCommandEncoder::setRenderPipelineState: the state is null.");
  if (m_pipeline.get() == pipeline) return;
  m_pipeline = foundation::Retained<RenderPipelineState>(pipeline);
  forgetPipeline();
}

void RenderCommandEncoder4::setArgumentTable(ArgumentTable* table, MTL::RenderStages stages) {
  if (stages & MTL::RenderStageVertex) m_vertexArguments.table = foundation::Retained<ArgumentTable>(table);
  if (stages & MTL::RenderStageFragment)
    m_fragmentArguments.table = foundation::Retained<ArgumentTable>(table);
  if (stages & MTL::RenderStageObject) m_objectArguments.table = foundation::Retained<ArgumentTable>(table);
  if (stages & MTL::RenderStageMesh) m_meshArguments.table = foundation::Retained<ArgumentTable>(table);
}

bool RenderCommandEncoder4::fitsPass(const char* method, const RenderPipelineState& pipeline,
                                     const vulkan::ColorLocations& places) {
  ErrorKeeper& errors = commandBuffer->errors;
  if (pipeline.sampleCount != m_pass.sampleCount) {
    errors.report("{}: the pipeline \"{}\" is for {} samples a pixel, but the pass has {}.", method,
                  pipeline.name(), pipeline.sampleCount, m_pass.sampleCount);
    return false;
  }
  for (size_t place = 0; place < kMaxColorAttachments; ++place) {
    const size_t i = places[place];
    if (i == vulkan::kNoColorLocation) continue; // left alone by a pipeline whose colours are mapped
    const MTL::PixelFormat held = m_pass.colorFormats[place];
    if (pipeline.colorFormats[i] == held) continue;
    if (pipeline.colorFormats[i] == MTL::PixelFormatUnspecialized) {
      errors.report("{}: the pipeline \"{}\" leaves the format of color attachment {} unspecialized, so it "
                    "must be specialized before it draws.",
                    method, pipeline.name(), i);
      return false;
    }
    errors.report("{}: the pipeline \"{}\" has format {} at color attachment {}, but the pass has {}.",
                  method, pipeline.name(), pixelFormatName(pipeline.colorFormats[i]), i,
                  pixelFormatName(held));
    return false;
  }
  return true;
}

VkPipeline RenderCommandEncoder4::findVariant(const char* method, const RenderPipelineState& pipeline,
                                              const vulkan::VariantState& state) {
  vulkan::GraphicsPipeline* backend = pipeline.backend.get();
  // Pipelines that take turns are looked up by their address; two that share a place only cost time.
  constexpr int kObjectAlignmentBits = 4;
  KnownPipeline& known =
      m_known[(reinterpret_cast<uintptr_t>(backend) >> kObjectAlignmentBits) % m_known.size()];
  if (known.backend != backend || known.state != state) {
    if (!fitsPass(method, pipeline, state.colorLocations)) return VK_NULL_HANDLE;
    trace::Zone zone(trace::ZoneKind::compilePipeline);
    auto variant = backend->variant(m_pass.formats, state);
    zone.describe(pipeline.name());
    zone.failed(!variant);
    // Most are only looked up.
    constexpr uint64_t kCompileNs = 50'000;
    zone.dropBelow(kCompileNs);
    if (!variant) {
      commandBuffer->errors.report("{}: {}", method, variant.error().message);
      return VK_NULL_HANDLE;
    }
    commandBuffer->held.add(backend);
    known = {backend, state, *variant};
  }
  return known.vkPipeline;
}

bool RenderCommandEncoder4::bindPipeline(const char* method, MTL::PrimitiveType type) {
  RenderPipelineState& pipeline = *m_pipeline;
  if (pipeline.mesh) {
    commandBuffer->errors.report(
        "{}: the pipeline \"{}\" has a mesh function; it draws with drawMeshThreadgroups or "
        "drawMeshThreads.",
        method, pipeline.name());
    return false;
  }
  VkPrimitiveTopology topology = toVkTopology(type);
  m_variant.topologyClass = vulkan::topologyClassOf(topology);
  if (!placeColors(method, pipeline)) return false;
  VkPipeline vkPipeline = findVariant(method, pipeline, m_variant);
  if (!vkPipeline) return false;
  commandBuffer->backend->bindGraphics(*pipeline.backend, vkPipeline);
  m_scope.setColorLocations(m_variant.colorLocations);
  if (pipeline.readsColors && !bindColorInputs(method)) return false;
  if (m_topology != topology) {
    commandBuffer->backend->setTopology(topology);
    m_topology = topology;
  }
  m_boundType = type;
  m_boundMesh.reset();
  m_pipelineStale = false;
  m_objectArguments.recordedLayout = 0; // object and vertex stages share a word of the constants
  // A pipeline may need constants again that another one had pushed: see CommandBuffer::bindGraphics.
  m_constantsStale = true;
  return true;
}

bool RenderCommandEncoder4::renewRecords(MTL::PrimitiveType type) {
  if (m_preparedType != type || m_constantsStale || !m_scope.isReady() || !commandBuffer) return false;
  const RenderPipelineState& pipeline = *m_pipeline;
  uint32_t first = 2, end = 0; // words to push
  if (!m_vertexArguments.isCurrent()) {
    if (!updateUsualRecord(pipeline.vertex, m_vertexArguments, m_constants.vertexRecord)) return false;
    first = 0;
    end = 1;
  }
  if (!m_fragmentArguments.isCurrent()) {
    if (!pipeline.fragment) {
      m_fragmentArguments.recordedVersion = m_fragmentArguments.version(); // nobody reads it
    } else {
      m_constantsStale = true; // should only one of two be written
      if (!updateUsualRecord(*pipeline.fragment, m_fragmentArguments, m_constants.fragmentRecord))
        return false;
      m_constantsStale = false;
      first = std::min(first, 1u);
      end = 2;
    }
  }
  static_assert(offsetof(base::abi::PushConstants, vertexRecord) == 0 &&
                offsetof(base::abi::PushConstants, fragmentRecord) == sizeof(uint64_t));
  if (first < end) commandBuffer->backend->pushWords(m_constants, first, end - first);
  return true;
}

bool RenderCommandEncoder4::prepareChangedDraw(const char* method, MTL::PrimitiveType type) {
  m_preparedType.reset();
  if (m_pipelineStale || m_boundType != type) {
    if (!knows(method, type)) return false;
    if (!m_pipeline) {
      commandBuffer->errors.report("{}: no render pipeline state has been set.", method);
      return false;
    }
    if (!bindPipeline(method, type)) return false;
  }
  const RenderPipelineState& pipeline = *m_pipeline;
  if (!keepRecord(pipeline.vertex, "vertex", m_vertexArguments, m_constants.vertexRecord)) return false;
  if (pipeline.fragment &&
      !keepRecord(*pipeline.fragment, "fragment", m_fragmentArguments, m_constants.fragmentRecord))
    return false;
  if (!pipeline.fragment) {
    // Nobody reads the fragment stage's table: what is in it may change.
    m_fragmentArguments.recordedLayout = 0;
    m_fragmentArguments.recordedVersion = m_fragmentArguments.version();
  }
  m_scope.beforeDraw(pipeline.readsColors);
  if (m_constantsStale) {
    commandBuffer->backend->pushConstants(m_constants);
    m_constantsStale = false;
  }
  if (!pipeline.readsColors) m_preparedType = type; // reads are ordered draw by draw
  return true;
}

void RenderCommandEncoder4::draw(MTL::PrimitiveType type, NS::UInteger start, NS::UInteger count,
                                 NS::UInteger instances, NS::UInteger baseInstance) {
  // Apart, so that the way of most draws has no stack frame.
  if (trace || !fit32Bits(start, count, instances, baseInstance) || !(isPrepared(type) || renewRecords(type)))
    return drawChanged(type, start, count, instances, baseInstance);
  commandBuffer->backend->draw(static_cast<uint32_t>(count), static_cast<uint32_t>(instances),
                               static_cast<uint32_t>(start), static_cast<uint32_t>(baseInstance));
}

void RenderCommandEncoder4::drawChanged(MTL::PrimitiveType type, NS::UInteger start, NS::UInteger count,
                                        NS::UInteger instances, NS::UInteger baseInstance) {
  constexpr const char* kMethod = "RenderCommandEncoder::drawPrimitives";
  if (!canEncode(kMethod)) return;
  if (!fit32Bits(start, count, instances, baseInstance))
    return commandBuffer->errors.report(
        "{}: {} vertices from {} on, {} instances from {} on: 32 bits are the most.", kMethod, count, start,
        instances, baseInstance);
  if (!prepareDraw(kMethod, type)) return;
  commandBuffer->backend->draw(static_cast<uint32_t>(count), static_cast<uint32_t>(instances),
                               static_cast<uint32_t>(start), static_cast<uint32_t>(baseInstance));
  noteDraw(trace::CommandKind::draw, count * instances);
}

void RenderCommandEncoder4::bindIndices(VkBuffer vkBuffer, uint64_t offset, VkIndexType type) {
  const IndexBinding binding{vkBuffer, offset, type, commandBuffer->addresses.eraseCount()};
  if (m_boundIndices == binding) return;
  m_boundIndices = binding;
  commandBuffer->backend->bindIndexBuffer(vkBuffer, offset, type);
}

std::optional<vulkan::BufferLocation>
RenderCommandEncoder4::findIndices(const char* method, MTL::GPUAddress indices, NS::UInteger bytes,
                                   NS::UInteger lengthBytes, MTL::IndexType type) {
  ErrorKeeper& errors = commandBuffer->errors;
  if (!knows(method, type)) return std::nullopt;
  if (indices % indexBytes(type) != 0) {
    errors.report("{}: the index buffer's address {:#x} is not a multiple of the index size {}.", method,
                  indices, indexBytes(type));
    return std::nullopt;
  }
  if (bytes > lengthBytes) {
    errors.report("{}: the indices take {} bytes, but indexBufferLength is {}.", method, bytes, lengthBytes);
    return std::nullopt;
  }
  auto location = commandBuffer->addresses.find(indices);
  if (!location) {
    errors.report("{}: no buffer contains the index address {:#x}.", method, indices);
    return std::nullopt;
  }
  if (bytes > location->remaining) {
    errors.report("{}: the indices take {} bytes, but the buffer has {} from their address on.", method,
                  bytes, location->remaining);
    return std::nullopt;
  }
  return location;
}

void RenderCommandEncoder4::drawIndexed(MTL::PrimitiveType type, NS::UInteger indexCount,
                                        MTL::IndexType indexType, MTL::GPUAddress indices,
                                        NS::UInteger lengthBytes, NS::UInteger instances,
                                        NS::Integer baseVertex, NS::UInteger baseInstance) {
  constexpr const char* kMethod = "RenderCommandEncoder::drawIndexedPrimitives";
  if (!canEncode(kMethod)) return;
  if (!fit32Bits(indexCount, instances, baseInstance) || baseVertex != static_cast<int32_t>(baseVertex))
    return commandBuffer->errors.report(
        "{}: {} indices, {} instances from {} on, base vertex {}: 32 bits are the most.", kMethod, indexCount,
        instances, baseInstance, static_cast<int64_t>(baseVertex));
  auto location = findIndices(kMethod, indices, indexCount * indexBytes(indexType), lengthBytes, indexType);
  if (!location || !prepareDraw(kMethod, type)) return;
  // Bound from the buffer's start where the offset can be the draw's: meshes that share a buffer share the
  // binding.
  uint64_t firstIndex = location->offset / indexBytes(indexType);
  if (firstIndex > UINT32_MAX) firstIndex = 0;
  bindIndices(location->vkBuffer, location->offset - firstIndex * indexBytes(indexType),
              toVkIndexType(indexType));
  commandBuffer->backend->drawIndexed(static_cast<uint32_t>(indexCount), static_cast<uint32_t>(instances),
                                      static_cast<uint32_t>(firstIndex), static_cast<int32_t>(baseVertex),
                                      static_cast<uint32_t>(baseInstance));
  noteDraw(trace::CommandKind::draw, indexCount * instances);
}

// The argument structures of both APIs have the same fields in the same order.
static_assert(sizeof(MTL::DrawPrimitivesIndirectArguments) == sizeof(VkDrawIndirectCommand));
static_assert(sizeof(MTL::DrawIndexedPrimitivesIndirectArguments) == sizeof(VkDrawIndexedIndirectCommand));

void RenderCommandEncoder4::drawIndirect(MTL::PrimitiveType type, MTL::GPUAddress arguments) {
  constexpr const char* kMethod = "RenderCommandEncoder::drawPrimitives";
  if (!canEncode(kMethod)) return;
  auto location = commandBuffer->findArguments(kMethod, arguments, sizeof(VkDrawIndirectCommand));
  if (!location || !prepareDraw(kMethod, type)) return;
  commandBuffer->backend->drawIndirect(location->vkBuffer, location->offset);
  noteDraw(trace::CommandKind::draw);
}

void RenderCommandEncoder4::drawIndexedIndirect(MTL::PrimitiveType type, MTL::IndexType indexType,
                                                MTL::GPUAddress indices, NS::UInteger lengthBytes,
                                                MTL::GPUAddress arguments) {
  constexpr const char* kMethod = "RenderCommandEncoder::drawIndexedPrimitives";
  if (!canEncode(kMethod)) return;
  auto location = commandBuffer->findArguments(kMethod, arguments, sizeof(VkDrawIndexedIndirectCommand));
  if (!location) return;
  auto indexLocation = findIndices(kMethod, indices, lengthBytes, lengthBytes, indexType);
  if (!indexLocation || !prepareDraw(kMethod, type)) return;
  bindIndices(indexLocation->vkBuffer, indexLocation->offset, toVkIndexType(indexType));
  commandBuffer->backend->drawIndexedIndirect(location->vkBuffer, location->offset);
  noteDraw(trace::CommandKind::draw);
}

void RenderCommandEncoder4::setVisibility(MTL::VisibilityResultMode mode, NS::UInteger offset) {
  constexpr const char* kMethod = "RenderCommandEncoder::setVisibilityResultMode";
  constexpr NS::UInteger kResultBytes = 8;
  ErrorKeeper& errors = commandBuffer->errors;
  if (!knows(kMethod, mode)) return;
  if (mode == MTL::VisibilityResultModeDisabled) {
    if (m_visibility) m_visibility->setMode(vulkan::VisibilityMode::disabled, 0);
    return;
  }
  const auto counted = mode == MTL::VisibilityResultModeCounting ? vulkan::VisibilityMode::counting
                                                                 : vulkan::VisibilityMode::boolean;
  const vulkan::Device& device = *commandBuffer->device->backend;
  if (counted == vulkan::VisibilityMode::counting && !device.features().occlusionQueryPrecise)
    return errors.report("{}: \"{}\" cannot count samples; the mode Boolean works.", kMethod,
                         device.physical().name());
  if (!m_pass.visibilityBuffer)
    return errors.report("{}: the render pass has no visibilityResultBuffer.", kMethod);
  if (offset % kResultBytes != 0)
    return errors.report("{}: the offset {} is not a multiple of {}.", kMethod, offset, kResultBytes);
  const uint64_t length = m_pass.visibilityBuffer->length();
  if (length < kResultBytes || offset > length - kResultBytes)
    return errors.report("{}: the {} bytes at offset {} are not inside the visibility result buffer of {}.",
                         kMethod, kResultBytes, offset, length);
  if (!m_visibility) {
    auto kernel = commandBuffer->device->visibilityKernel();
    if (!kernel) return errors.report("{}: {}", kMethod, kernel.error().message);
    commandBuffer->held.add(m_pass.visibilityBuffer.get());
    m_visibility.emplace(*commandBuffer->backend, *kernel, m_pass.visibilityBuffer->gpuAddress(),
                         m_pass.visibilityAccumulates);
    m_scope.setVisibility(*m_visibility);
  }
  m_visibility->setMode(counted, offset);
}

void RenderCommandEncoder4::writeTimestamp(MTL4::TimestampGranularity granularity, MTL::RenderStages stages,
                                           const MTL4::CounterHeap* heap, NS::UInteger index) {
  constexpr const char* kMethod = "RenderCommandEncoder::writeTimestamp";
  constexpr MTL::RenderStages kKnown = MTL::RenderStageVertex | MTL::RenderStageFragment |
                                       MTL::RenderStageTile | MTL::RenderStageObject | MTL::RenderStageMesh;
  if (!canEncode(kMethod)) return;
  if (stages == 0 || (stages & ~kKnown) != 0)
    return commandBuffer->errors.report(
        "{}: the stage mask {:#x} must name render stages ({:#x}) and nothing else.", kMethod,
        static_cast<uint64_t>(stages), static_cast<uint64_t>(kKnown));
  if (!knows(kMethod, granularity)) return;
  auto target = commandBuffer->stampTarget(kMethod, heap, index);
  if (!target) return;
  m_scope.writeTimestamp(toGranularity(granularity), stampStage(stages, m_pass.depthOnly(), m_hasTaskShader),
                         *target);
}

void RenderCommandEncoder4::stampSoFar(vulkan::StampTarget target) {
  m_scope.writeTimestamp(vulkan::Granularity::relaxed, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, target);
}

void RenderCommandEncoder4::consumerBarrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before,
                                            bool memory) {
  m_scope.barrier(after, before, memory);
}

void RenderCommandEncoder4::producerBarrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before,
                                            bool memory) {
  m_afterPass.push_back({after, before, memory});
}

void RenderCommandEncoder4::encoderBarrier(MTL::Stages after, MTL::Stages before, bool memory) {
  constexpr MTL::Stages kLegalAfter = MTL::StageVertex | MTL::StageObject | MTL::StageMesh;
  constexpr MTL::Stages kLegalBefore = kLegalAfter | MTL::StageFragment | MTL::StageTile;
  if (after == 0 || (after & ~kLegalAfter) != 0)
    return commandBuffer->errors.report(
        "CommandEncoder::barrierAfterEncoderStages: a render encoder can wait after the "
        "stages vertex, object and mesh ({:#x}), not after {:#x}.",
        static_cast<uint64_t>(kLegalAfter), static_cast<uint64_t>(after));
  if (before == 0 || (before & ~kLegalBefore) != 0)
    return commandBuffer->errors.report(
        "CommandEncoder::barrierAfterEncoderStages: a render encoder can hold back its "
        "own stages ({:#x}), not {:#x}.",
        static_cast<uint64_t>(kLegalBefore), static_cast<uint64_t>(before));
  m_scope.barrier(toVkStages(after), toVkStages(before), memory);
}

void RenderCommandEncoder4::describePass(EncoderTrace& pass) const {
  pass.record.width = static_cast<uint32_t>(m_pass.width);
  pass.record.height = static_cast<uint32_t>(m_pass.height);
  pass.record.samples = static_cast<uint32_t>(m_pass.sampleCount);
}

void RenderCommandEncoder4::placeStamp(vulkan::Granularity granularity, vulkan::StampTarget target) {
  m_scope.writeTimestamp(granularity,
                         stampStage(MTL::RenderStageFragment, m_pass.depthOnly(), m_hasTaskShader), target);
}

void RenderCommandEncoder4::traceDraw(trace::CommandKind kind, uint64_t vertices) {
  const bool mesh = kind == trace::CommandKind::meshDraw;
  trace->addStage(mesh ? trace::Stage::mesh : trace::Stage::vertex);
  if (mesh && m_pipeline->mesh->object) trace->addStage(trace::Stage::object);
  if (StampSlot* slot = trace->addCommand(kind, vertices, m_pipeline->name())) stampTrace(*slot);
}

void RenderCommandEncoder4::finish() {
  auto requireStore = [&](const StoreState& state) {
    if (state.unknown && !m_pass.suspended)
      commandBuffer->errors.report(
          "RenderCommandEncoder::endEncoding: the {}'s store action is still Unknown.", state.name);
  };
  for (const StoreState& state : m_pass.colorStores) requireStore(state);
  requireStore(m_pass.depthStore);
  requireStore(m_pass.stencilStore);
  m_preparedType.reset();
  m_scope.end();
  commandBuffer->visibility.clear();
  if (m_visibility) commandBuffer->visibility = m_visibility->finish();
  for (const Barrier& barrier : m_afterPass)
    commandBuffer->backend->barrier(barrier.after, barrier.before, barrier.memory);
}

} // namespace basanite::metal
