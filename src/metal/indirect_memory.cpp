// SPDX-License-Identifier: Apache-2.0
// Indirect command buffers in GPU memory: the header, the records that the CPU encodes, what executions complain of.
#include "src/base/indirect_abi.hpp"
#include "src/metal/MTLIndirectCommandBuffer.hpp"
#include "src/metal/validation.hpp"
#include "src/vulkan/host_transfer.hpp"

#include <algorithm>
#include <cstring>

using basanite::foundation::toImpl;

namespace basanite::metal {

namespace {

using base::abi::IndirectHeader;
using base::abi::IndirectRecord;

void setThree(uint32_t* words, MTL::Size size) {
  const auto narrow = Counts(size).narrow();
  std::copy(narrow.begin(), narrow.end(), words);
}

// Error: why the pipeline has no layout.
template <class State>
base::Result<void> setPipeline(IndirectRecord& record, const foundation::Retained<State>& pipeline) {
  if (!pipeline) return {};
  BASANITE_TRY(auto known, pipeline->indirectPipeline());
  record.pipeline = known->layout->gpuAddress();
  return {};
}

base::Result<IndirectRecord> recordOf(const IndirectRenderState& state) {
  IndirectRecord record;
  BASANITE_TRY_VOID(setPipeline(record, state.pipeline));
  record.type = static_cast<uint32_t>(state.type);
  record.primitiveType = static_cast<uint32_t>(state.primitiveType);
  const auto narrow = [](auto value) { return static_cast<uint32_t>(value); };
  uint32_t* arguments = record.arguments;
  arguments[0] = narrow(state.count);
  arguments[1] = narrow(state.instances);
  if (state.type == MTL::IndirectCommandTypeDrawIndexed) {
    arguments[3] = narrow(state.baseVertex);
    arguments[4] = narrow(state.baseInstance);
    record.indexType = static_cast<uint32_t>(state.indexType);
    record.indices = state.indices;
  } else {
    arguments[2] = narrow(state.start);
    arguments[3] = narrow(state.baseInstance);
  }
  return record;
}

base::Result<IndirectRecord> recordOf(const IndirectComputeState& state) {
  IndirectRecord record;
  BASANITE_TRY_VOID(setPipeline(record, state.pipeline));
  record.type = static_cast<uint32_t>(state.type);
  setThree(record.arguments, state.grid);
  setThree(record.threadsPerThreadgroup, state.threadsPerThreadgroup);
  return record;
}

void writeBuffers(uint64_t* places, const IndirectBindings& bindings) {
  if (!bindings.table()) return;
  for (const ArgumentTable::Slot& slot : bindings.table()->buffers) *places++ = slot.value;
}

} // namespace

uint32_t IndirectCommandBuffer::firstBuffers() const {
  if (m_settings.inheritBuffers) return 0;
  return static_cast<uint32_t>(isCompute() ? m_settings.maxKernelBufferBindCount : m_settings.maxVertexBufferBindCount);
}

uint32_t IndirectCommandBuffer::secondBuffers() const {
  if (m_settings.inheritBuffers || isCompute()) return 0;
  return static_cast<uint32_t>(m_settings.maxFragmentBufferBindCount);
}

uint32_t IndirectCommandBuffer::recordBytes() const {
  return static_cast<uint32_t>(sizeof(IndirectRecord) + (firstBuffers() + secondBuffers()) * sizeof(uint64_t));
}

uint64_t IndirectCommandBuffer::recordOffset(NS::UInteger index) const {
  return sizeof(IndirectHeader) + index * recordBytes();
}

base::Result<void> IndirectCommandBuffer::makeMemory() {
  if (m_memory) return {};
  constexpr MTL::IndirectCommandType kMesh =
      MTL::IndirectCommandTypeDrawMeshThreadgroups | MTL::IndirectCommandTypeDrawMeshThreads;
  if (m_settings.commandTypes & kMesh)
    return base::Error{fmt::format("the indirect command buffer \"{}\" has commands that draw meshes, which are encoded by "
                                   "the CPU only.",
                                   name())};
  if (!isCompute() &&
      !(m_settings.inheritCullMode && m_settings.inheritDepthBias && m_settings.inheritDepthClipMode &&
        m_settings.inheritDepthStencilState && m_settings.inheritFrontFacingWinding && m_settings.inheritTriangleFillMode))
    return base::Error{fmt::format("the commands of the indirect command buffer \"{}\" have raster state of their own, "
                                   "which only the CPU encodes: cull mode, depth bias, depth clip mode, depth stencil "
                                   "state, winding and fill mode must be inherited.",
                                   name())};
  const bool isPrivate = storageModeOf(options) == MTL::StorageModePrivate;
  BASANITE_TRY(m_memory, vulkan::Buffer::create(device->backend, recordOffset(m_size),
                                                isPrivate ? vulkan::MemoryKind::deviceLocal : vulkan::MemoryKind::shared,
                                                name()));
  IndirectHeader header;
  header.records = m_memory->gpuAddress() + recordOffset(0);
  header.recordBytes = recordBytes();
  header.count = static_cast<uint32_t>(m_size);
  header.firstBuffers = firstBuffers();
  header.secondBuffers = secondBuffers();
  if (void* contents = m_memory->contents()) {
    std::memcpy(contents, &header, sizeof header);
    return {};
  }
  return device->backend->hostTransfer().uploadBuffer(*m_memory, 0, &header, sizeof header);
}

base::Result<void> IndirectCommandBuffer::flush(const NS::Range& range) {
  const NS::UInteger first = range.location, end = first + range.length;
  const auto flushFrom = [&](const auto& commands, auto writeTables) -> base::Result<void> {
    for (NS::UInteger i = first; i < end; ++i) {
      if (!commands[i] || !commands[i]->isDirty()) continue;
      auto* contents = static_cast<std::byte*>(m_memory->contents());
      if (!contents)
        return base::Error{fmt::format("the CPU encoded command {} of the indirect command buffer \"{}\", whose storage is "
                                       "private.",
                                       i, name())};
      BASANITE_TRY(const IndirectRecord record, recordOf(commands[i]->state));
      std::memset(contents + recordOffset(i), 0, recordBytes());
      std::memcpy(contents + recordOffset(i), &record, sizeof record);
      writeTables(reinterpret_cast<uint64_t*>(contents + recordOffset(i) + sizeof record), commands[i]->state);
      commands[i]->setClean();
    }
    return {};
  };
  if (isCompute())
    return flushFrom(m_compute, [](uint64_t* places, const IndirectComputeState& state) {
      writeBuffers(places, state.kernel);
    });
  return flushFrom(m_render, [this](uint64_t* places, const IndirectRenderState& state) {
    writeBuffers(places, state.vertex);
    writeBuffers(places + firstBuffers(), state.fragment);
  });
}

std::string faultOf(const IndirectExpansion& expansion) {
  vulkan::ExpandStatus status;
  std::memcpy(&status, expansion.status->contents(), sizeof status);
  const auto at = [&](const std::string& what) {
    return fmt::format("Command {} of the indirect command buffer \"{}\" {}", status.command, expansion.label, what);
  };
  switch (status.fault) {
  case vulkan::ExpandFault::none:
    return {};
  case vulkan::ExpandFault::noPipeline:
    return at("names no pipeline that it can use: one whose gpuResourceID was asked for, that fits the pass, that takes "
              "buffers only or inherits them, and, for a dispatch, that requires the threadgroup size of the command.");
  case vulkan::ExpandFault::noBuffer:
    return at(fmt::format("sets no buffer at index {} of its {}, which reads it.", status.a,
                          status.b == 0 ? "vertex function or kernel" : "fragment function"));
  case vulkan::ExpandFault::unevenGrid:
    return at(fmt::format("has {} threads along an axis, no multiple of the {} of a threadgroup; only the CPU encodes such "
                          "grids.",
                          status.a, status.b));
  case vulkan::ExpandFault::tooManyIndices:
    return at(fmt::format("has {} indices, which with those before it are more than the {} of an execution.", status.a,
                          status.b));
  }
  return at("has a fault that is not known.");
}

} // namespace basanite::metal

MTL::ResourceID MTL::IndirectCommandBuffer::gpuResourceID() const {
  if (!this) return MTL::ResourceID{0};
  auto made = toImpl(this)->makeMemory();
  if (made) made = toImpl(this)->flush(NS::Range::Make(0, toImpl(this)->size()));
  if (made) return MTL::ResourceID{toImpl(this)->memory()->gpuAddress()};
  basanite::metal::reportMisuse("IndirectCommandBuffer::gpuResourceID: {}", made.error().message);
  return MTL::ResourceID{0};
}
