// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLIndirectCommandBuffer.hpp: a list of commands that encoders execute.
#pragma once

#include "src/metal/MTLIndirectCommandEncoder.hpp"
#include "src/metal/MTLResource.hpp"

#include <Foundation/NSRange.hpp>
#include <Metal/MTLGPUAddress.hpp>
#include <Metal/MTLIndirectCommandBuffer.hpp>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::metal {

constexpr MTL::IndirectCommandType kIndirectDraws =
    MTL::IndirectCommandTypeDraw | MTL::IndirectCommandTypeDrawIndexed |
    MTL::IndirectCommandTypeDrawMeshThreadgroups | MTL::IndirectCommandTypeDrawMeshThreads;
constexpr MTL::IndirectCommandType kIndirectDispatches =
    MTL::IndirectCommandTypeConcurrentDispatch | MTL::IndirectCommandTypeConcurrentDispatchThreads;

struct IndirectCommandBufferDescriptorFields {
  MTL::IndirectCommandType commandTypes = 0;
  bool inheritPipelineState = false;
  bool inheritBuffers = false;
  bool inheritCullMode = true;
  bool inheritDepthBias = true;
  bool inheritDepthClipMode = true;
  bool inheritDepthStencilState = true;
  bool inheritFrontFacingWinding = true;
  bool inheritTriangleFillMode = true;
  NS::UInteger maxVertexBufferBindCount = kMaxBufferBindings;
  NS::UInteger maxFragmentBufferBindCount = kMaxBufferBindings;
  NS::UInteger maxObjectBufferBindCount = kMaxBufferBindings;
  NS::UInteger maxMeshBufferBindCount = kMaxBufferBindings;
  NS::UInteger maxKernelBufferBindCount = kMaxBufferBindings;
  NS::UInteger maxKernelThreadgroupMemoryBindCount = kMaxBufferBindings;
  NS::UInteger maxObjectThreadgroupMemoryBindCount = kMaxBufferBindings;
  bool supportColorAttachmentMapping = false;
  bool supportDynamicAttributeStride = false;
  bool supportRayTracing = false;
};
class IndirectCommandBufferDescriptor final
    : public PropertyBag<IndirectCommandBufferDescriptor, IndirectCommandBufferDescriptorFields> {
 public:
  const char* className() const override { return "MTLIndirectCommandBufferDescriptor"; }
};

// Its commands lie in host memory: an execution is recorded from what they hold when it is encoded, command
// by command, as if the app had called the encoder. Different commands may be encoded by different threads.
//
// Once the app has asked for the gpuResourceID, kernels may encode too: from then on the records in GPU memory
// (src/base/indirect_abi.hpp) are what is executed.
class IndirectCommandBuffer final : public Resource {
 public:
  static constexpr NS::UInteger kMaxCommands = 1 << 20;

  // Error: what the descriptor, the count or the options have that is not possible.
  static base::Result<foundation::Retained<IndirectCommandBuffer>>
  create(Device* device, const IndirectCommandBufferDescriptor* descriptor, NS::UInteger maxCount,
         MTL::ResourceOptions options);
  ~IndirectCommandBuffer() override;
  const char* className() const override { return "MTLIndirectCommandBuffer"; }
  uint64_t allocatedSize() const override { return m_memory ? m_memory->allocatedSize() : 0; }
  void labelChanged(std::string_view text) override {
    if (m_memory) m_memory->setLabel(text);
  }

  // ---- in indirect_memory.cpp
  // Null until it is asked for by makeMemory().
  vulkan::Buffer* memory() const { return m_memory.get(); }
  // Error: commands of this kind, or state that is not inherited, that the GPU cannot encode; no memory.
  base::Result<void> makeMemory();
  uint32_t recordBytes() const;
  uint32_t firstBuffers() const;  // places for buffers of the vertex stage or the kernel in a record
  uint32_t secondBuffers() const; // of the fragment stage
  uint64_t recordOffset(NS::UInteger index) const;
  // Writes the records of commands that the CPU has changed. Error: it cannot, with the command.
  base::Result<void> flush(const NS::Range& range);


  const IndirectCommandBufferDescriptorFields& settings() const { return m_settings; }
  bool isCompute() const { return m_settings.commandTypes & kIndirectDispatches; }
  NS::UInteger size() const { return m_size; }
  std::string_view name() const { return foundation::textOf(label.get()); }
  bool contains(const NS::Range& range) const {
    const NS::UInteger first = range.location, length = range.length;
    return first <= m_size && length <= m_size - first;
  }

  // The command for the CPU to encode; null, with a report, past the end or of the other kind.
  IndirectRenderCommand* renderCommand(NS::UInteger index);
  IndirectComputeCommand* computeCommand(NS::UInteger index);
  // Null where nothing has been encoded. The index is below the size.
  const IndirectRenderCommand* encodedRender(NS::UInteger index) const { return m_render[index].get(); }
  const IndirectComputeCommand* encodedCompute(NS::UInteger index) const { return m_compute[index].get(); }

  // Of commands within the size. The CPU's own reset counts as a change, one that an encoder records does
  // not.
  void reset(const NS::Range& range, bool byCpu);
  // The commands within `source`'s size go to `index` and on, which lie within this one's.
  void copyFrom(const IndirectCommandBuffer& source, const NS::Range& range, NS::UInteger index);
  // Why commands of `source` cannot be commands of this buffer; empty when they can.
  std::string whyNoCopyFrom(const IndirectCommandBuffer& source) const;

  // A number for every change by the CPU, growing.
  uint64_t nextChange() { return m_changes.fetch_add(1, std::memory_order_acq_rel) + 1; }
  uint64_t changes() const { return m_changes.load(std::memory_order_acquire); }
  // The first command of the range that the CPU has changed after change number `since`.
  std::optional<NS::UInteger> changedSince(uint64_t since, const NS::Range& range) const;

 private:
  IndirectCommandBuffer(Device* device, const IndirectCommandBufferDescriptor& descriptor,
                        NS::UInteger maxCount, MTL::ResourceOptions options);
  bool checkIndex(const char* method, NS::UInteger index, bool compute) const;

  IndirectCommandBufferDescriptorFields m_settings;
  NS::UInteger m_size;
  // One of them has the size of the buffer, the other is empty; elements are made on first use.
  std::vector<foundation::Retained<IndirectRenderCommand>> m_render;
  std::vector<foundation::Retained<IndirectComputeCommand>> m_compute;
  std::atomic<uint64_t> m_changes{0};
  base::Ref<vulkan::Buffer> m_memory;
};

// Which commands run: those of a range, or those of a range that the GPU reads from memory.
struct IndirectRange {
  NS::Range commands;
  std::optional<MTL::GPUAddress> inMemory; // of an MTL::IndirectCommandBufferExecutionRange
};

// An execution of which only the GPU knows the commands.
struct IndirectExpansion {
  base::Ref<vulkan::Buffer> status; // vulkan::ExpandStatus, valid once the recording has run
  std::string label;
};
// What an execution that has run has to complain of; empty when all is well.
std::string faultOf(const IndirectExpansion& expansion);

// A range of commands as a recording has taken it.
struct IndirectExecution {
  foundation::Retained<IndirectCommandBuffer> buffer;
  NS::Range range;
  uint64_t changes; // of the buffer, at that time
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::IndirectCommandBufferDescriptor, basanite::metal::IndirectCommandBufferDescriptor)
BASANITE_BRIDGE(MTL::IndirectCommandBuffer, basanite::metal::IndirectCommandBuffer)
