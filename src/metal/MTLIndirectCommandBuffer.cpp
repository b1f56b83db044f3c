// SPDX-License-Identifier: Apache-2.0
// MTL::IndirectCommandBufferDescriptor and MTL::IndirectCommandBuffer.
#include "src/metal/MTLIndirectCommandBuffer.hpp"

#include "src/metal/enum_check.hpp"
#include "src/metal/validation.hpp"

#include <algorithm>
#include <cstring>

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

namespace {

base::Result<void> checkCount(const char* property, NS::UInteger count) {
  if (count <= kMaxBufferBindings) return {};
  return base::Error{fmt::format("{} is {}; {} is the most.", property, count, kMaxBufferBindings)};
}

base::Result<void> check(const IndirectCommandBufferDescriptorFields& d) {
  constexpr MTL::IndirectCommandType kPatches =
      MTL::IndirectCommandTypeDrawPatches | MTL::IndirectCommandTypeDrawIndexedPatches;
  if (d.commandTypes & kPatches)
    return base::Error{"commandTypes has patches (4, 8), which Metal 4's encoders do not draw."};
  if (d.commandTypes == 0 || d.commandTypes & ~(kIndirectDraws | kIndirectDispatches))
    return base::Error{
        fmt::format("commandTypes is {:#x}; it must name kinds of commands ({:#x}) and nothing else.",
                    d.commandTypes, kIndirectDraws | kIndirectDispatches)};
  if ((d.commandTypes & kIndirectDraws) && (d.commandTypes & kIndirectDispatches))
    return base::Error{
        fmt::format("commandTypes is {:#x}; draws ({:#x}) and dispatches ({:#x}) cannot be mixed.",
                    d.commandTypes, kIndirectDraws, kIndirectDispatches)};
  if (d.supportRayTracing) return base::Error{"supportRayTracing is on; ray tracing is not supported."};
  BASANITE_TRY_VOID(checkCount("maxVertexBufferBindCount", d.maxVertexBufferBindCount));
  BASANITE_TRY_VOID(checkCount("maxFragmentBufferBindCount", d.maxFragmentBufferBindCount));
  BASANITE_TRY_VOID(checkCount("maxObjectBufferBindCount", d.maxObjectBufferBindCount));
  BASANITE_TRY_VOID(checkCount("maxMeshBufferBindCount", d.maxMeshBufferBindCount));
  BASANITE_TRY_VOID(checkCount("maxKernelBufferBindCount", d.maxKernelBufferBindCount));
  BASANITE_TRY_VOID(checkCount("maxKernelThreadgroupMemoryBindCount", d.maxKernelThreadgroupMemoryBindCount));
  return checkCount("maxObjectThreadgroupMemoryBindCount", d.maxObjectThreadgroupMemoryBindCount);
}

} // namespace

base::Result<foundation::Retained<IndirectCommandBuffer>>
IndirectCommandBuffer::create(Device* device, const IndirectCommandBufferDescriptor* descriptor,
                              NS::UInteger maxCount, MTL::ResourceOptions options) {
  if (!descriptor) return base::Error{"The indirect command buffer descriptor is null."};
  BASANITE_TRY_VOID(check(*descriptor));
  if (maxCount == 0 || maxCount > kMaxCommands)
    return base::Error{
        fmt::format("An indirect command buffer has 1 to {} commands, not {}.", kMaxCommands, maxCount)};
  const MTL::StorageMode storage = storageModeOf(options);
  BASANITE_TRY_VOID(checkEnum("The storage mode of the resource options", storage));
  BASANITE_TRY_VOID(checkEnum("The CPU cache mode of the resource options", cpuCacheModeOf(options)));
  BASANITE_TRY_VOID(
      checkEnum("The hazard tracking mode of the resource options", hazardTrackingModeOf(options)));
  if (storage == MTL::StorageModeMemoryless)
    return base::Error{"An indirect command buffer cannot be memoryless."};
  return foundation::Retained<IndirectCommandBuffer>::adopt(
      new IndirectCommandBuffer(device, *descriptor, maxCount, options));
}

IndirectCommandBuffer::IndirectCommandBuffer(Device* owner, const IndirectCommandBufferDescriptor& descriptor,
                                             NS::UInteger maxCount, MTL::ResourceOptions resourceOptions)
    : Resource(owner, resourceOptions), m_settings(descriptor), m_size(maxCount) {
  if (isCompute())
    m_compute.resize(maxCount);
  else
    m_render.resize(maxCount);
}

IndirectCommandBuffer::~IndirectCommandBuffer() {
  for (const auto& command : m_render)
    if (command) command->detach();
  for (const auto& command : m_compute)
    if (command) command->detach();
}

bool IndirectCommandBuffer::checkIndex(const char* method, NS::UInteger index, bool compute) const {
  if (compute != isCompute()) {
    reportMisuse("{}: the indirect command buffer \"{}\" holds {} commands.", method, name(),
                 isCompute() ? "compute" : "render");
    return false;
  }
  if (index < m_size) return true;
  reportMisuse("{}: index {} is past the {} commands of the indirect command buffer \"{}\".", method, index,
               m_size, name());
  return false;
}

IndirectRenderCommand* IndirectCommandBuffer::renderCommand(NS::UInteger index) {
  if (!checkIndex("IndirectCommandBuffer::indirectRenderCommand", index, false)) return nullptr;
  if (!m_render[index])
    m_render[index] =
        foundation::Retained<IndirectRenderCommand>::adopt(new IndirectRenderCommand(this, index));
  return m_render[index].get();
}

IndirectComputeCommand* IndirectCommandBuffer::computeCommand(NS::UInteger index) {
  if (!checkIndex("IndirectCommandBuffer::indirectComputeCommand", index, true)) return nullptr;
  if (!m_compute[index])
    m_compute[index] =
        foundation::Retained<IndirectComputeCommand>::adopt(new IndirectComputeCommand(this, index));
  return m_compute[index].get();
}

void IndirectCommandBuffer::reset(const NS::Range& range, bool byCpu) {
  const NS::UInteger first = range.location, length = range.length;
  const auto resetIn = [&](auto& commands) {
    for (NS::UInteger i = first; i < first + length; ++i) {
      if (!commands[i]) continue;
      commands[i]->state = {};
      if (byCpu)
        commands[i]->noteChange();
      else
        commands[i]->setClean();
    }
  };
  if (isCompute())
    resetIn(m_compute);
  else
    resetIn(m_render);
  // What kernels have encoded goes as well.
  if (byCpu && m_memory && m_memory->contents())
    std::memset(static_cast<std::byte*>(m_memory->contents()) + recordOffset(first), 0,
                length * recordBytes());
}

std::string IndirectCommandBuffer::whyNoCopyFrom(const IndirectCommandBuffer& source) const {
  const auto& to = m_settings;
  const auto& from = source.m_settings;
  if (source.device.get() != device.get()) return "they belong to different devices";
  if (from.commandTypes & ~to.commandTypes)
    return fmt::format("the source's commandTypes are {:#x}, the destination's {:#x}", from.commandTypes,
                       to.commandTypes);
  const std::tuple<const char*, bool, bool> inherited[] = {
      {"inheritPipelineState", from.inheritPipelineState, to.inheritPipelineState},
      {"inheritBuffers", from.inheritBuffers, to.inheritBuffers},
      {"inheritCullMode", from.inheritCullMode, to.inheritCullMode},
      {"inheritDepthBias", from.inheritDepthBias, to.inheritDepthBias},
      {"inheritDepthClipMode", from.inheritDepthClipMode, to.inheritDepthClipMode},
      {"inheritDepthStencilState", from.inheritDepthStencilState, to.inheritDepthStencilState},
      {"inheritFrontFacingWinding", from.inheritFrontFacingWinding, to.inheritFrontFacingWinding},
      {"inheritTriangleFillMode", from.inheritTriangleFillMode, to.inheritTriangleFillMode}};
  for (const auto& [property, has, wanted] : inherited)
    if (has != wanted)
      return fmt::format("{} is {} in the source and {} in the destination", property, has, wanted);
  const std::tuple<const char*, NS::UInteger, NS::UInteger> counts[] = {
      {"maxVertexBufferBindCount", from.maxVertexBufferBindCount, to.maxVertexBufferBindCount},
      {"maxFragmentBufferBindCount", from.maxFragmentBufferBindCount, to.maxFragmentBufferBindCount},
      {"maxObjectBufferBindCount", from.maxObjectBufferBindCount, to.maxObjectBufferBindCount},
      {"maxMeshBufferBindCount", from.maxMeshBufferBindCount, to.maxMeshBufferBindCount},
      {"maxKernelBufferBindCount", from.maxKernelBufferBindCount, to.maxKernelBufferBindCount}};
  for (const auto& [property, has, most] : counts)
    if (has > most)
      return fmt::format("{} is {} in the source and {} in the destination", property, has, most);
  return {};
}

void IndirectCommandBuffer::copyFrom(const IndirectCommandBuffer& source, const NS::Range& range,
                                     NS::UInteger index) {
  const NS::UInteger first = range.location, length = range.length;
  const auto copyTo = [&](const auto& from, auto& to, auto make) {
    // Source and destination may be one buffer and overlap.
    using State = std::decay_t<decltype(from[0]->state)>;
    std::vector<State> states;
    states.reserve(length);
    for (NS::UInteger i = first; i < first + length; ++i)
      states.push_back(from[i] ? from[i]->state : State{});
    for (NS::UInteger i = 0; i < length; ++i) {
      if (!to[index + i]) to[index + i] = make(index + i);
      to[index + i]->state = std::move(states[i]);
      to[index + i]->setClean();
    }
  };
  if (isCompute())
    copyTo(source.m_compute, m_compute, [this](NS::UInteger at) {
      return foundation::Retained<IndirectComputeCommand>::adopt(new IndirectComputeCommand(this, at));
    });
  else
    copyTo(source.m_render, m_render, [this](NS::UInteger at) {
      return foundation::Retained<IndirectRenderCommand>::adopt(new IndirectRenderCommand(this, at));
    });
}

std::optional<NS::UInteger> IndirectCommandBuffer::changedSince(uint64_t since,
                                                                const NS::Range& range) const {
  if (changes() == since) return std::nullopt;
  const NS::UInteger first = range.location, end = first + range.length;
  for (NS::UInteger i = first; i < end; ++i) {
    const IndirectCommand* command = isCompute() ? static_cast<const IndirectCommand*>(m_compute[i].get())
                                                 : static_cast<const IndirectCommand*>(m_render[i].get());
    if (command && command->lastChange() > since) return i;
  }
  return std::nullopt;
}

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL::IndirectCommandBufferDescriptor)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, MTL::IndirectCommandType, commandTypes, setCommandTypes)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, bool, inheritBuffers, setInheritBuffers)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, bool, inheritCullMode, setInheritCullMode)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, bool, inheritDepthBias, setInheritDepthBias)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, bool, inheritDepthClipMode, setInheritDepthClipMode)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, bool, inheritDepthStencilState,
               setInheritDepthStencilState)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, bool, inheritFrontFacingWinding,
               setInheritFrontFacingWinding)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, bool, inheritPipelineState, setInheritPipelineState)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, bool, inheritTriangleFillMode,
               setInheritTriangleFillMode)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, NS::UInteger, maxFragmentBufferBindCount,
               setMaxFragmentBufferBindCount)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, NS::UInteger, maxKernelBufferBindCount,
               setMaxKernelBufferBindCount)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, NS::UInteger, maxKernelThreadgroupMemoryBindCount,
               setMaxKernelThreadgroupMemoryBindCount)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, NS::UInteger, maxMeshBufferBindCount,
               setMaxMeshBufferBindCount)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, NS::UInteger, maxObjectBufferBindCount,
               setMaxObjectBufferBindCount)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, NS::UInteger, maxObjectThreadgroupMemoryBindCount,
               setMaxObjectThreadgroupMemoryBindCount)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, NS::UInteger, maxVertexBufferBindCount,
               setMaxVertexBufferBindCount)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, bool, supportColorAttachmentMapping,
               setSupportColorAttachmentMapping)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, bool, supportDynamicAttributeStride,
               setSupportDynamicAttributeStride)
BASANITE_VALUE(MTL::IndirectCommandBufferDescriptor, bool, supportRayTracing, setSupportRayTracing)

MTL::IndirectComputeCommand* MTL::IndirectCommandBuffer::indirectComputeCommand(NS::UInteger commandIndex) {
  if (!this) return {};
  auto* command = toImpl(this)->computeCommand(commandIndex);
  return command ? toPublic(command) : nullptr;
}
MTL::IndirectRenderCommand* MTL::IndirectCommandBuffer::indirectRenderCommand(NS::UInteger commandIndex) {
  if (!this) return {};
  auto* command = toImpl(this)->renderCommand(commandIndex);
  return command ? toPublic(command) : nullptr;
}
void MTL::IndirectCommandBuffer::reset(NS::Range range) {
  if (!this) return;
  auto* self = toImpl(this);
  if (self->memory() && !self->memory()->contents())
    return basanite::metal::reportMisuse(
        "IndirectCommandBuffer::reset: the indirect command buffer \"{}\" is "
        "private; an encoder's resetCommandsInBuffer resets its commands.",
        self->name());
  if (self->contains(range)) return self->reset(range, true);
  basanite::metal::reportMisuse("IndirectCommandBuffer::reset: the {} commands from index {} on are not "
                                "inside the {} of the indirect command "
                                "buffer \"{}\".",
                                NS::UInteger(range.length), NS::UInteger(range.location), self->size(),
                                self->name());
}
NS::UInteger MTL::IndirectCommandBuffer::size() const { return this ? toImpl(this)->size() : 0; }
