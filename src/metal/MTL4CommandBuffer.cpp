// SPDX-License-Identifier: Apache-2.0
// MTL4::CommandBuffer: begin, encoders, timestamps, end.
#include "src/metal/MTL4CommandBuffer.hpp"

#include "src/metal/MTL4CommandEncoder.hpp"
#include "src/metal/MTL4ComputeCommandEncoder.hpp"
#include "src/metal/MTL4Counters.hpp"
#include "src/metal/MTL4RenderCommandEncoder.hpp"
#include "src/metal/MTL4RenderPass.hpp"
#include "src/metal/MTLFence.hpp"
#include "src/metal/trace_device.hpp"

using basanite::foundation::textOf;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

CommandBuffer4::CommandBuffer4(Device* owner)
    : device(owner), backend(vulkan::CommandBuffer::create(owner->backend)),
      addresses(owner->backend->addressMap()) {}

CommandBuffer4::~CommandBuffer4() {
  if (state == State::recording) end();
  forgetRecording();
}

void CommandBuffer4::forgetRecording() {
  for (const auto& encoder : m_encoders) encoder->detach();
  m_encoders.clear();
  m_openEncoder = nullptr;
  m_executions.clear();
  if (allocator && (state == State::recording || state == State::ended)) --allocator->uncommittedCount;
  allocator = nullptr;
  residencySets.clear();
  expansions.clear();
  held.objects.clear();
  log.reset();
  trace = nullptr;
  state = State::fresh;
}

void CommandBuffer4::begin(CommandAllocator* newAllocator, LogState* logState) {
  if (!newAllocator) return report("CommandBuffer::beginCommandBuffer: the allocator is null.");
  if (state == State::recording)
    return report("CommandBuffer::beginCommandBuffer: the command buffer \"{}\" is recording already.",
                  textOf(label.get()));
  if (newAllocator->serving)
    return report(
        "CommandBuffer::beginCommandBuffer: the allocator \"{}\" serves another open command buffer.",
        textOf(newAllocator->label.get()));
  forgetRecording();
  errors.clear();
  auto result = backend->begin(newAllocator->pool);
  if (!result) return report("CommandBuffer::beginCommandBuffer: {}", result.error().message);
  allocator = foundation::Retained<CommandAllocator>(newAllocator);
  allocator->serving = true;
  ++allocator->uncommittedCount;
  state = State::recording;
  submittable = false;
  resumedPass.reset();
  suspendedPass.reset();
  visibility.clear();
  m_debugGroupDepth = 0;
  backend->setLabel(textOf(label.get()));
  timestamps.begin(*backend, *device->clock);
  if (device->trace) trace = device->trace->beginRecording();
  if (!logState) return;
  auto recording = logState->record();
  if (!recording) return report("CommandBuffer::beginCommandBuffer: {}", recording.error().message);
  log = std::move(*recording);
}

void CommandBuffer4::end() {
  if (state != State::recording)
    return report("CommandBuffer::endCommandBuffer: the command buffer \"{}\" is not recording.",
                  textOf(label.get()));
  if (m_openEncoder) {
    report("CommandBuffer::endCommandBuffer: the encoder \"{}\" is still open.",
           textOf(m_openEncoder->label.get()));
    m_openEncoder->endEncoding();
  }
  for (; m_debugGroupDepth > 0; --m_debugGroupDepth) {
    backend->popDebugGroup();
    if (trace) trace->popGroup();
  }
  timestamps.finish();
  auto result = backend->end();
  submittable = result.ok();
  if (!result) errors.report(result.error().message);
  state = State::ended;
  allocator->serving = false;
}

bool CommandBuffer4::isRecording(const char* method) {
  if (state == State::recording) return true;
  report("{}: the command buffer \"{}\" is not recording.", method, textOf(label.get()));
  return false;
}

bool CommandBuffer4::canEncode(const char* method) {
  if (!isRecording(method)) return false;
  if (m_openEncoder) {
    report("{}: the encoder \"{}\" is still open on the command buffer \"{}\".", method,
           textOf(m_openEncoder->label.get()), textOf(label.get()));
    return false;
  }
  return true;
}

bool CommandBuffer4::canOpenEncoder(const char* method) {
  if (!canEncode(method)) return false;
  // A resumed pass is the first of its buffer, so every encoder that follows it comes after.
  if (!suspendedPass && !resumedPass) return true;
  errors.report(
      "{}: the last encoder of the command buffer \"{}\" {} its pass; no other may follow it there.", method,
      textOf(label.get()), suspendedPass ? "suspended" : "resumed");
  return false;
}

void CommandBuffer4::encoderEnded(CommandEncoder4* encoder) {
  if (m_openEncoder == encoder) m_openEncoder = nullptr;
}

void CommandBuffer4::adoptEncoder(foundation::Retained<CommandEncoder4> encoder) {
  m_openEncoder = encoder.get();
  m_encoders.push_back(std::move(encoder));
}

void CommandBuffer4::stamp(const char* method, const MTL4::CounterHeap* heap, NS::UInteger index) {
  if (!isRecording(method)) return;
  auto target = stampTarget(method, heap, index);
  if (!target) return;
  if (m_openEncoder)
    m_openEncoder->stampSoFar(*target);
  else
    timestamps.stamp(vulkan::Granularity::relaxed, *target);
}

void CommandBuffer4::refuseStamp(const char* method, const MTL4::CounterHeap* heap, NS::UInteger index) {
  if (!heap) return errors.report("{}: the counter heap is null.", method);
  const CounterHeap& impl = *toImpl(heap);
  if (&impl.backend->device() != device->backend.get())
    return errors.report("{}: the counter heap \"{}\" belongs to another device.", method,
                         textOf(impl.label.get()));
  errors.report("{}: index {} is past the counter heap \"{}\" of {} entries.", method, index,
                textOf(impl.label.get()), impl.backend->count());
}

std::optional<vulkan::BufferLocation>
CommandBuffer4::findArguments(const char* method, MTL::GPUAddress address, NS::UInteger lengthBytes) {
  constexpr NS::UInteger kAlignment = 4;
  if (address % kAlignment != 0) {
    errors.report("{}: the address {:#x} of the indirect arguments is not a multiple of {}.", method, address,
                  kAlignment);
    return std::nullopt;
  }
  auto location = addresses.find(address);
  if (!location) {
    errors.report("{}: no buffer contains the address {:#x} of the indirect arguments.", method, address);
    return std::nullopt;
  }
  if (location->remaining < lengthBytes) {
    errors.report("{}: the indirect arguments take {} bytes, but the buffer has {} from their address on.",
                  method, lengthBytes, location->remaining);
    return std::nullopt;
  }
  return location;
}

void CommandBuffer4::noteExecution(IndirectCommandBuffer* buffer, const NS::Range& range) {
  m_executions.push_back({foundation::Retained<IndirectCommandBuffer>(buffer), range, buffer->changes()});
}

void CommandBuffer4::checkExecutions() {
  for (const IndirectExecution& execution : m_executions) {
    auto changed = execution.buffer->changedSince(execution.changes, execution.range);
    if (!changed) continue;
    errors.report(
        "CommandQueue::commit: the CPU changed command {} of the indirect command buffer \"{}\" after "
        "executeCommandsInBuffer had been encoded; what the command held then runs.",
        *changed, execution.buffer->name());
  }
}

void CommandBuffer4::markCommitted() {
  m_executions.clear();
  state = State::committed;
  --allocator->uncommittedCount;
}

namespace {

// Checks a resolve; false when it was reported.
bool checkResolve(CommandBuffer4& self, const CounterHeap& heap, const NS::Range& range,
                  const MTL4::BufferRange& destination, std::optional<vulkan::BufferLocation>& location) {
  constexpr const char* kMethod = "CommandBuffer::resolveCounterHeap";
  const auto label = textOf(heap.label.get());
  if (&heap.backend->device() != self.device->backend.get()) {
    self.errors.report("{}: the counter heap \"{}\" belongs to another device.", kMethod, label);
    return false;
  }
  if (!heap.contains(range)) {
    self.errors.report(
        "{}: the range of {} entries from index {} is not inside the heap \"{}\" of {} entries.", kMethod,
        NS::UInteger(range.length), NS::UInteger(range.location), label, heap.backend->count());
    return false;
  }
  uint64_t address = destination.bufferAddress;
  uint64_t bytes = range.length * vulkan::CounterHeap::kEntryBytes;
  if (address % vulkan::CounterHeap::kEntryBytes != 0) {
    self.errors.report("{}: the destination address {:#x} for the heap \"{}\" is not a multiple of {}.",
                       kMethod, address, label, vulkan::CounterHeap::kEntryBytes);
    return false;
  }
  location = self.addresses.find(address);
  if (!location) {
    self.errors.report("{}: no buffer contains the destination address {:#x} for the heap \"{}\".", kMethod,
                       address, label);
    return false;
  }
  uint64_t room =
      destination.length < location->remaining ? uint64_t(destination.length) : location->remaining;
  if (room < bytes) {
    self.errors.report(
        "{}: {} entries take {} bytes, but the destination at {:#x} for the heap \"{}\" has {}.", kMethod,
        NS::UInteger(range.length), bytes, address, label, room);
    return false;
  }
  return true;
}

} // namespace

} // namespace basanite::metal

using namespace basanite::metal;

void MTL4::CommandBuffer::beginCommandBuffer(const MTL4::CommandAllocator* allocator) {
  if (this) toImpl(this)->begin(allocator ? toImpl(allocator) : nullptr, nullptr);
}
void MTL4::CommandBuffer::beginCommandBuffer(const MTL4::CommandAllocator* allocator,
                                             const MTL4::CommandBufferOptions* options) {
  if (!this) return;
  MTL::LogState* logState = options ? options->logState() : nullptr;
  toImpl(this)->begin(allocator ? toImpl(allocator) : nullptr, logState ? toImpl(logState) : nullptr);
}

BASANITE_ALLOC_INIT(MTL4::CommandBufferOptions)
BASANITE_OBJECT(MTL4::CommandBufferOptions, MTL::LogState, logState, setLogState)

MTL4::ComputeCommandEncoder* MTL4::CommandBuffer::computeCommandEncoder() {
  if (!this || !toImpl(this)->canOpenEncoder("CommandBuffer::computeCommandEncoder")) return nullptr;
  auto encoder =
      basanite::foundation::Retained<ComputeCommandEncoder4>::adopt(new ComputeCommandEncoder4(toImpl(this)));
  toImpl(this)->adoptEncoder(basanite::foundation::Retained<CommandEncoder4>(encoder.get()));
  encoder->openTrace(basanite::trace::EncoderKind::compute);
  return basanite::foundation::toPublicAutoreleased(encoder.detach());
}

MTL::Device* MTL4::CommandBuffer::device() const {
  if (!this) return {};
  return toPublic(toImpl(this)->device.get());
}

void MTL4::CommandBuffer::endCommandBuffer() {
  if (this) toImpl(this)->end();
}

BASANITE_OBJECT_GETTER(MTL4::CommandBuffer, NS::String, label)
void MTL4::CommandBuffer::setLabel(const NS::String* label) {
  if (!this) return;
  toImpl(this)->label.set(label);
  if (toImpl(this)->state == CommandBuffer4::State::recording) toImpl(this)->backend->setLabel(textOf(label));
}

void MTL4::CommandBuffer::popDebugGroup() {
  if (!this || !toImpl(this)->canEncode("CommandBuffer::popDebugGroup")) return;
  auto* self = toImpl(this);
  if (self->m_debugGroupDepth == 0)
    return self->errors.report("CommandBuffer::popDebugGroup: no debug group is open.");
  --self->m_debugGroupDepth;
  self->backend->popDebugGroup();
  if (self->trace) self->trace->popGroup();
}
void MTL4::CommandBuffer::pushDebugGroup(const NS::String* string) {
  if (!this || !toImpl(this)->canEncode("CommandBuffer::pushDebugGroup")) return;
  ++toImpl(this)->m_debugGroupDepth;
  toImpl(this)->backend->pushDebugGroup(textOf(string));
  if (toImpl(this)->trace) toImpl(this)->trace->pushGroup(textOf(string));
}

MTL4::RenderCommandEncoder*
MTL4::CommandBuffer::renderCommandEncoder(const MTL4::RenderPassDescriptor* descriptor) {
  return renderCommandEncoder(descriptor, MTL4::RenderEncoderOptionNone);
}
MTL4::RenderCommandEncoder*
MTL4::CommandBuffer::renderCommandEncoder(const MTL4::RenderPassDescriptor* descriptor,
                                          MTL4::RenderEncoderOptions options) {
  constexpr const char* kMethod = "CommandBuffer::renderCommandEncoder";
  if (!this || !toImpl(this)->canOpenEncoder(kMethod)) return nullptr;
  auto* self = toImpl(this);
  if (!descriptor) {
    self->errors.report("{}: the render pass descriptor is null.", kMethod);
    return nullptr;
  }
  bool resumes = options & MTL4::RenderEncoderOptionResuming;
  if (resumes && self->hasEncoders()) {
    self->errors.report("{}: a resuming encoder must be the first of its command buffer.", kMethod);
    return nullptr;
  }
  auto pass = RenderPass::create(*self->device, *toImpl(descriptor));
  if (!pass) {
    self->errors.report("{}: {}", kMethod, pass.error().message);
    return nullptr;
  }
  if (resumes) {
    self->resumedPass = pass->shape();
    pass->resume(*self->backend);
  }
  if (options & MTL4::RenderEncoderOptionSuspending) {
    self->suspendedPass = pass->shape();
    pass->suspend();
  }
  auto encoder = basanite::foundation::Retained<RenderCommandEncoder4>::adopt(
      new RenderCommandEncoder4(self, std::move(*pass)));
  self->adoptEncoder(basanite::foundation::Retained<CommandEncoder4>(encoder.get()));
  encoder->openTrace(basanite::trace::EncoderKind::render);
  if (encoder->trace) {
    encoder->describePass(*encoder->trace);
    encoder->trace->addAttachments(*toImpl(descriptor));
    encoder->trace->record.resumes = resumes;
    encoder->trace->record.suspends = self->suspendedPass.has_value();
  }
  return basanite::foundation::toPublicAutoreleased(encoder.detach());
}

void MTL4::CommandBuffer::resolveCounterHeap(const MTL4::CounterHeap* counterHeap, NS::Range range,
                                             const MTL4::BufferRange bufferRange,
                                             const MTL::Fence* fenceToWait, const MTL::Fence* fenceToUpdate) {
  if (!this || !toImpl(this)->canEncode("CommandBuffer::resolveCounterHeap")) return;
  auto* self = toImpl(this);
  if (!counterHeap)
    return self->errors.report("CommandBuffer::resolveCounterHeap: the counter heap is null.");
  std::optional<basanite::vulkan::BufferLocation> location;
  if (!checkResolve(*self, *toImpl(counterHeap), range, bufferRange, location)) return;
  constexpr VkPipelineStageFlags2 kBlit = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
  if (fenceToWait) self->backend->barrier(toImpl(fenceToWait)->waitStages(), kBlit);
  self->held.add(toImpl(counterHeap)->backend.get());
  if (range.length != 0) {
    self->timestamps.resolve(*toImpl(counterHeap)->backend, static_cast<uint32_t>(range.location),
                             static_cast<uint32_t>(range.length), location->vkBuffer, location->offset);
  }
  if (fenceToUpdate) toImpl(fenceToUpdate)->noteUpdate(kBlit);
}

void MTL4::CommandBuffer::useResidencySet(const MTL::ResidencySet* residencySet) {
  useResidencySets(&residencySet, 1);
}
void MTL4::CommandBuffer::useResidencySets(const MTL::ResidencySet* const residencySets[],
                                           NS::UInteger count) {
  if (!this || !toImpl(this)->canEncode("CommandBuffer::useResidencySets")) return;
  for (NS::UInteger i = 0; i < count; ++i) {
    if (residencySets[i]) toImpl(this)->residencySets.emplace_back(toImpl(residencySets[i]));
  }
}

void MTL4::CommandBuffer::writeTimestampIntoHeap(const MTL4::CounterHeap* counterHeap, NS::UInteger index) {
  if (this) toImpl(this)->stamp("CommandBuffer::writeTimestampIntoHeap", counterHeap, index);
}
