// SPDX-License-Identifier: Apache-2.0
// Executions of commands that the GPU may have encoded: each command for each candidate, with arguments from
// memory.
#include "src/metal/MTL4ComputeCommandEncoder.hpp"
#include "src/metal/MTL4RenderCommandEncoder.hpp"
#include "src/metal/enum_map.hpp"
#include "src/metal/trace_recording.hpp"

#include <algorithm>

namespace basanite::metal {

namespace {

uint32_t wordsOf(const PipelineStage& stage) { return static_cast<uint32_t>(stage.bindings.size()); }

bool mayDraw(MTL::PrimitiveTopologyClass promised, MTL::PrimitiveType type) {
  switch (promised) {
  case MTL::PrimitiveTopologyClassPoint:
    return type == MTL::PrimitiveTypePoint;
  case MTL::PrimitiveTopologyClassLine:
    return type == MTL::PrimitiveTypeLine || type == MTL::PrimitiveTypeLineStrip;
  case MTL::PrimitiveTopologyClassTriangle:
    return type == MTL::PrimitiveTypeTriangle || type == MTL::PrimitiveTypeTriangleStrip;
  default:
    return true;
  }
}

} // namespace

std::optional<vulkan::CommandExpander>
CommandEncoder4::makeExpander(const char* method, IndirectCommandBuffer& buffer, const IndirectRange& range,
                              vulkan::ExpandInfo info, vulkan::ExpandKernels& kernels) {
  ErrorKeeper& errors = commandBuffer->errors;
  const IndirectCommandBufferDescriptorFields& settings = buffer.settings();
  info.records = buffer.memory()->gpuAddress() + buffer.recordOffset(0);
  info.range = range.inMemory.value_or(0);
  info.first = static_cast<uint32_t>(range.commands.location);
  info.count = static_cast<uint32_t>(range.commands.length);
  info.recordBytes = buffer.recordBytes();
  info.firstBuffers = buffer.firstBuffers();
  info.secondBuffers = buffer.secondBuffers();
  info.inheritsBuffers = settings.inheritBuffers;
  info.inheritsPipeline = settings.inheritPipelineState;
  info.indexed = settings.commandTypes & MTL::IndirectCommandTypeDrawIndexed;
  vulkan::CommandBuffer& commands = *commandBuffer->backend;
  auto known = commandBuffer->device->expandKernels();
  if (!known) {
    errors.report("{}: {}", method, known.error().message);
    return std::nullopt;
  }
  kernels = *known;
  auto made = vulkan::CommandExpander::create(commandBuffer->device->backend, commands.pool(), info);
  if (!made) {
    errors.report("{}: the indirect command buffer \"{}\": {}.", method, buffer.name(), made.error().message);
    return std::nullopt;
  }
  HeldObjects& held = commandBuffer->held;
  held.add(buffer.memory());
  made->forEachObject([&](base::RefCounted* object) { held.add(object); });
  commandBuffer->expansions.push_back({made->status(), std::string(buffer.name())});
  return std::move(*made);
}

// ---- render

// A pipeline, a kind of command and a primitive type, with what is bound for them.
struct RenderCommandEncoder4::ExpandedDraw {
  std::shared_ptr<const IndirectPipeline> pipeline;
  VkPipeline vkPipeline;
  VkPrimitiveTopology topology;
  uint64_t vertexRecord, fragmentRecord; // of inherited buffers
  vulkan::ExpandCandidate candidate;
};

std::vector<RenderCommandEncoder4::ExpandedDraw>
RenderCommandEncoder4::expandedDraws(const char* method, const IndirectCommandBuffer& buffer) {
  const IndirectCommandBufferDescriptorFields& settings = buffer.settings();
  m_variant.colorLocations = vulkan::kOwnColorLocations; // indirectPipeline() gives no others
  std::vector<std::shared_ptr<const IndirectPipeline>> pipelines;
  if (settings.inheritPipelineState) {
    auto own = m_pipeline->indirectPipeline();
    if (!own) {
      commandBuffer->errors.report("{}: {}", method, own.error().message);
      return {};
    }
    if (!fitsPass(method, *m_pipeline, m_variant.colorLocations)) return {};
    pipelines.push_back(*own);
  } else {
    pipelines = indirectPipelines(*commandBuffer->device->backend);
  }
  std::vector<ExpandedDraw> draws;
  for (const auto& pipeline : pipelines) {
    const bool fits =
        pipeline->graphics && pipeline->sampleCount == m_pass.sampleCount &&
        std::equal(pipeline->colorFormats.begin(), pipeline->colorFormats.end(), m_pass.colorFormats.begin());
    if (!fits || (!settings.inheritBuffers && !pipeline->takesBuffersOnly())) continue;
    uint64_t vertexRecord = 0, fragmentRecord = 0;
    if (settings.inheritBuffers) {
      // Where commands choose, a pipeline that does not go with the encoder's tables is none that they could
      // mean.
      ErrorKeeper probe(ErrorKeeper::Mode::probes);
      ErrorKeeper& errors = settings.inheritPipelineState ? commandBuffer->errors : probe;
      vulkan::CommandPool& pool = commandBuffer->backend->pool();
      LogRecording* log = commandBuffer->log.get();
      if (!writeArgumentRecord(pipeline->first, "vertex", m_vertexArguments.table.get(),
                               commandBuffer->addresses, pool, log, errors, vertexRecord))
        continue;
      if (pipeline->second &&
          !writeArgumentRecord(*pipeline->second, "fragment", m_fragmentArguments.table.get(),
                               commandBuffer->addresses, pool, log, errors, fragmentRecord))
        continue;
    }
    for (auto type : {MTL::PrimitiveTypePoint, MTL::PrimitiveTypeLine, MTL::PrimitiveTypeLineStrip,
                      MTL::PrimitiveTypeTriangle, MTL::PrimitiveTypeTriangleStrip}) {
      if (!mayDraw(pipeline->topology, type)) continue;
      const VkPrimitiveTopology topology = toVkTopology(type);
      vulkan::VariantState state = m_variant;
      state.topologyClass = vulkan::topologyClassOf(topology);
      auto variant = pipeline->graphics->variant(m_pass.formats, state);
      if (!variant) {
        commandBuffer->errors.report("{}: {}", method, variant.error().message);
        return {};
      }
      for (MTL::IndirectCommandType kind :
           {MTL::IndirectCommandTypeDraw, MTL::IndirectCommandTypeDrawIndexed}) {
        if (!(settings.commandTypes & kind)) continue;
        vulkan::ExpandCandidate candidate;
        candidate.pipeline = pipeline->layout->gpuAddress();
        candidate.type = static_cast<uint32_t>(kind);
        candidate.primitiveType = static_cast<uint32_t>(type);
        draws.push_back({pipeline, *variant, topology, vertexRecord, fragmentRecord, candidate});
      }
    }
    pipeline->forEachObject([&](base::RefCounted* object) { commandBuffer->held.add(object); });
  }
  return draws;
}

void RenderCommandEncoder4::executeExpanded(const char* method, IndirectCommandBuffer& buffer,
                                            const IndirectRange& range) {
  ErrorKeeper& errors = commandBuffer->errors;
  if (auto flushed = buffer.flush(range.commands); !flushed)
    return errors.report("{}: {}", method, flushed.error().message);
  if (range.commands.length == 0) return;
  const std::vector<ExpandedDraw> draws = expandedDraws(method, buffer);
  if (errors.failed() && draws.empty()) return;
  vulkan::ExpandInfo info;
  std::vector<vulkan::ExpandCandidate> candidates;
  for (const ExpandedDraw& draw : draws) {
    candidates.push_back(draw.candidate);
    if (buffer.settings().inheritBuffers) continue;
    info.firstWords = std::max(info.firstWords, wordsOf(draw.pipeline->first));
    if (draw.pipeline->second) info.secondWords = std::max(info.secondWords, wordsOf(*draw.pipeline->second));
  }
  info.candidates = candidates;
  vulkan::ExpandKernels kernels;
  auto expander = makeExpander(method, buffer, range, info, kernels);
  if (!expander) return;

  vulkan::CommandBuffer& commands = *commandBuffer->backend;
  m_scope.barrier(VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
  expander->record(commands, kernels);
  const bool ownRecords = !buffer.settings().inheritBuffers;
  if (expander->indices()) bindIndices(expander->indices()->vkBuffer(), 0, VK_INDEX_TYPE_UINT32);
  m_scope.setColorLocations(vulkan::kOwnColorLocations);
  const auto count = static_cast<uint32_t>(range.commands.length);
  for (uint32_t id = 0; id < count; ++id)
    for (uint32_t i = 0; i < draws.size(); ++i) {
      const ExpandedDraw& draw = draws[i];
      commands.bindGraphics(*draw.pipeline->graphics, draw.vkPipeline);
      if (m_topology != draw.topology) {
        commands.setTopology(draw.topology);
        m_topology = draw.topology;
      }
      m_constants.vertexRecord = ownRecords ? expander->firstRecord(id) : draw.vertexRecord;
      m_constants.fragmentRecord = ownRecords ? expander->secondRecord(id) : draw.fragmentRecord;
      m_scope.beforeDraw();
      commands.pushConstants(m_constants);
      const uint64_t offset = expander->argumentsOffset(id, i);
      if (draw.candidate.type == MTL::IndirectCommandTypeDraw)
        commands.drawIndirect(expander->vkArguments(), offset);
      else
        commands.drawIndexedIndirect(expander->vkArguments(), offset);
    }
  if (trace) {
    trace->addStage(trace::Stage::vertex);
    const std::string_view pipeline = m_pipeline ? m_pipeline->name() : std::string_view();
    if (StampSlot* slot = trace->addCommand(trace::CommandKind::draw, 0, pipeline)) stampTrace(*slot);
  }
  // What is bound and pushed is not the encoder's.
  forgetPipeline();
  m_constantsStale = true;
  m_vertexArguments.recordedLayout = m_fragmentArguments.recordedLayout = m_objectArguments.recordedLayout =
      0;
}

// ---- compute

void ComputeCommandEncoder4::executeExpanded(const char* method, IndirectCommandBuffer& buffer,
                                             const IndirectRange& range) {
  ErrorKeeper& errors = commandBuffer->errors;
  if (auto flushed = buffer.flush(range.commands); !flushed)
    return errors.report("{}: {}", method, flushed.error().message);
  stages |= MTL::StageDispatch;
  if (range.commands.length == 0) return;
  const IndirectCommandBufferDescriptorFields& settings = buffer.settings();
  std::vector<std::shared_ptr<const IndirectPipeline>> pipelines;
  if (settings.inheritPipelineState) {
    auto own = m_pipeline->indirectPipeline();
    if (!own) return errors.report("{}: {}", method, own.error().message);
    pipelines.push_back(*own);
  } else {
    pipelines = indirectPipelines(*commandBuffer->device->backend);
  }

  struct Dispatch {
    std::shared_ptr<const IndirectPipeline> pipeline;
    uint64_t record; // of inherited buffers
    std::vector<vulkan::ThreadgroupLength> lengths;
  };
  std::vector<Dispatch> dispatches;
  std::vector<vulkan::ExpandCandidate> candidates;
  vulkan::ExpandInfo info;
  // Where commands choose, a pipeline that does not go with the encoder's state is none that they could mean.
  ErrorKeeper probe(ErrorKeeper::Mode::probes);
  ErrorKeeper& reasons = settings.inheritPipelineState ? errors : probe;
  for (const auto& pipeline : pipelines) {
    const Counts threads(pipeline->requiredThreads);
    if (!pipeline->compute || threads.empty()) continue;
    if (!settings.inheritBuffers && !pipeline->takesBuffersOnly()) continue;
    auto lengths = m_threadgroupArguments.lengthsOf(method, "kernel", pipeline->name,
                                                    pipeline->threadgroupArguments, reasons);
    if (!lengths) continue;
    Dispatch dispatch{pipeline, 0, std::move(*lengths)};
    if (settings.inheritBuffers) {
      if (!writeArgumentRecord(pipeline->first, "kernel", m_arguments.table.get(), commandBuffer->addresses,
                               commandBuffer->backend->pool(), commandBuffer->log.get(), reasons,
                               dispatch.record))
        continue;
    } else {
      info.firstWords = std::max(info.firstWords, wordsOf(pipeline->first));
    }
    vulkan::ExpandCandidate candidate;
    candidate.pipeline = pipeline->layout->gpuAddress();
    candidate.type = MTL::IndirectCommandTypeConcurrentDispatch;
    const auto narrow = threads.narrow();
    std::copy(narrow.begin(), narrow.end(), candidate.threads);
    candidates.push_back(candidate);
    dispatches.push_back(std::move(dispatch));
    pipeline->forEachObject([&](base::RefCounted* object) { commandBuffer->held.add(object); });
  }
  info.candidates = candidates;
  vulkan::ExpandKernels kernels;
  auto expander = makeExpander(method, buffer, range, info, kernels);
  if (!expander) return;

  beforeCommand(trace::CommandKind::dispatch);
  vulkan::CommandBuffer& commands = *commandBuffer->backend;
  expander->record(commands, kernels);
  const auto count = static_cast<uint32_t>(range.commands.length);
  for (uint32_t id = 0; id < count; ++id) {
    // Whether a command waits for those before it only the GPU knows.
    if (id > 0)
      commands.barrier(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
    for (uint32_t i = 0; i < dispatches.size(); ++i) {
      const Dispatch& dispatch = dispatches[i];
      const auto threads = Counts(dispatch.pipeline->requiredThreads).narrow();
      base::abi::PushConstants constants;
      constants.vertexRecord = settings.inheritBuffers ? dispatch.record : expander->firstRecord(id);
      commands.dispatchIndirect(*dispatch.pipeline->compute, constants, expander->vkArguments(),
                                expander->argumentsOffset(id, i), {threads[0], threads[1], threads[2]},
                                dispatch.lengths);
    }
  }
}

} // namespace basanite::metal
