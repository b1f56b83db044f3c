// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLIndirectCommandEncoder.hpp: one command of an indirect command buffer.
#pragma once

#include "src/metal/MTL4ArgumentTable.hpp"
#include "src/metal/MTLComputePipeline.hpp"
#include "src/metal/MTLDepthStencil.hpp"
#include "src/metal/MTLRenderPipeline.hpp"
#include "src/metal/threadgroup_arguments.hpp"

#include <Metal/MTLIndirectCommandBuffer.hpp>
#include <Metal/MTLIndirectCommandEncoder.hpp>
#include <Metal/MTLRenderCommandEncoder.hpp>
#include <atomic>

namespace basanite::metal {

class IndirectCommandBuffer;

// The buffers of one stage. Copies share a table until one of them is set.
class IndirectBindings {
 public:
  // `index` below `count`.
  void set(Device* device, NS::UInteger count, NS::UInteger index, MTL::GPUAddress address);
  // Null as long as nothing has been set.
  ArgumentTable* table() const { return m_table.get(); }

 private:
  foundation::Retained<ArgumentTable> m_table;
};

// What one render command holds; a new one and a reset one draw nothing.
struct IndirectRenderState {
  MTL::IndirectCommandType type = 0; // 0: nothing to draw
  MTL::PrimitiveType primitiveType = MTL::PrimitiveTypePoint;
  NS::UInteger start = 0, count = 0, instances = 0,
               baseInstance = 0; // vertices, or indices from `indices` on
  NS::Integer baseVertex = 0;
  MTL::IndexType indexType = MTL::IndexTypeUInt16;
  MTL::GPUAddress indices = 0;
  NS::UInteger indexBufferBytes = 0; // from `indices` to the end of the buffer
  MTL::Size grid = MTL::Size::Make(0, 0, 0);
  MTL::Size objectThreads = MTL::Size::Make(0, 0, 0), meshThreads = MTL::Size::Make(0, 0, 0);
  bool barrier = false; // waits for the commands before it

  foundation::Retained<RenderPipelineState> pipeline;
  IndirectBindings vertex, fragment, object, mesh;
  ThreadgroupArguments objectThreadgroupArguments;
  // Of use where the buffer does not inherit them.
  MTL::CullMode cullMode = MTL::CullModeNone;
  MTL::Winding winding = MTL::WindingClockwise;
  MTL::TriangleFillMode fillMode = MTL::TriangleFillModeFill;
  MTL::DepthClipMode depthClipMode = MTL::DepthClipModeClip;
  float depthBias = 0, slopeScale = 0, biasClamp = 0;
  foundation::Retained<DepthStencilState> depthStencil;
};

struct IndirectComputeState {
  MTL::IndirectCommandType type = 0; // 0: nothing to dispatch
  MTL::Size grid = MTL::Size::Make(0, 0, 0), threadsPerThreadgroup = MTL::Size::Make(0, 0, 0);
  bool barrier = false; // waits for the commands before it

  foundation::Retained<ComputePipelineState> pipeline;
  IndirectBindings kernel;
  ThreadgroupArguments threadgroupArguments;
};

// Lives as long as the app holds it; without its buffer it takes no more commands. One thread at a time.
class IndirectCommand : public foundation::Object {
 public:
  IndirectCommand(IndirectCommandBuffer* buffer, NS::UInteger commandIndex)
      : owner(buffer), index(commandIndex) {}

  // The buffer is gone.
  void detach() { owner = nullptr; }
  // The number of the last change by the CPU, of the buffer's counting; 0: none.
  uint64_t lastChange() const { return m_lastChange.load(std::memory_order_acquire); }
  void noteChange();
  // The record in GPU memory is not what the CPU has encoded.
  bool isDirty() const { return m_isDirty; }
  void setClean() { m_isDirty = false; }

  IndirectCommandBuffer* owner;
  const NS::UInteger index;

 protected:
  // One sentence about this command, with its index and the buffer's label ahead.
  void report(const char* method, std::string_view sentence) const;
  // True, and the change is noted, while the buffer lives; else reported.
  bool beginChange(const char* method);
  // False, with a report, when the descriptor does not allow such commands.
  bool allows(const char* method, MTL::IndirectCommandType type, const char* typeName) const;
  void setBuffer(const char* method, IndirectBindings& bindings, const MTL::Buffer* buffer,
                 NS::UInteger offset, NS::UInteger bufferIndex, NS::UInteger count, const char* property);
  void setLength(const char* method, ThreadgroupArguments& arguments, NS::UInteger lengthBytes,
                 NS::UInteger argumentIndex, NS::UInteger count, const char* property,
                 NS::UInteger mostBytes);

 private:
  std::atomic<uint64_t> m_lastChange{0};
  bool m_isDirty = false;
};

class IndirectRenderCommand final : public IndirectCommand {
 public:
  using IndirectCommand::IndirectCommand;
  const char* className() const override { return "MTLIndirectRenderCommand"; }

  void clear();
  void setBarrier(const char* method, bool barrier);
  void setPipeline(const RenderPipelineState* pipeline);
  void setStageBuffer(const char* method, MTL::RenderStages stage, const MTL::Buffer* buffer,
                      NS::UInteger offset, NS::UInteger bufferIndex);
  void setObjectThreadgroupLength(NS::UInteger lengthBytes, NS::UInteger argumentIndex);
  void setDepthStencil(const DepthStencilState* depthStencil);
  void setDepthBias(float bias, float slope, float clamp);
  // A member of the state that is an enumeration. `inherited`: the property that must be off for it.
  template <class E>
  void setRaster(const char* method, E IndirectRenderState::* member, E value, bool inherited,
                 const char* property);
  bool mayRaster(const char* method, bool inherited, const char* property);
  void draw(MTL::PrimitiveType type, NS::UInteger start, NS::UInteger count, NS::UInteger instances,
            NS::UInteger baseInstance);
  void drawIndexed(MTL::PrimitiveType type, NS::UInteger count, MTL::IndexType indexType,
                   const MTL::Buffer* indexBuffer, NS::UInteger indexBufferOffset, NS::UInteger instances,
                   NS::Integer baseVertex, NS::UInteger baseInstance);
  void drawMesh(const char* method, MTL::IndirectCommandType type, MTL::Size grid, MTL::Size objectThreads,
                MTL::Size meshThreads);

  IndirectRenderState state;
};

class IndirectComputeCommand final : public IndirectCommand {
 public:
  using IndirectCommand::IndirectCommand;
  const char* className() const override { return "MTLIndirectComputeCommand"; }

  void clear();
  void setBarrier(const char* method, bool barrier);
  void setPipeline(const ComputePipelineState* pipeline);
  void setKernelBuffer(const MTL::Buffer* buffer, NS::UInteger offset, NS::UInteger bufferIndex);
  void setThreadgroupLength(NS::UInteger lengthBytes, NS::UInteger argumentIndex);
  void dispatch(const char* method, MTL::IndirectCommandType type, MTL::Size grid,
                MTL::Size threadsPerThreadgroup);

  IndirectComputeState state;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::IndirectRenderCommand, basanite::metal::IndirectRenderCommand)
BASANITE_BRIDGE(MTL::IndirectComputeCommand, basanite::metal::IndirectComputeCommand)
