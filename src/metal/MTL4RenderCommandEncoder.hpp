// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4RenderCommandEncoder.hpp: the state of a render encoder, flushed once before each
// draw.
#pragma once

#include "src/metal/MTL4ArgumentTable.hpp"
#include "src/metal/MTL4CommandEncoder.hpp"
#include "src/metal/MTLDepthStencil.hpp"
#include "src/metal/MTLRenderPipeline.hpp"
#include "src/metal/color_attachment_map.hpp"
#include "src/metal/render_pass.hpp"
#include "src/metal/threadgroup_arguments.hpp"
#include "src/vulkan/address_map.hpp"

#include <Metal/MTL4RenderCommandEncoder.hpp>
#include <array>
#include <optional>
#include <vector>

namespace basanite::metal {

class RenderCommandEncoder4 final : public CommandEncoder4 {
 public:
  RenderCommandEncoder4(CommandBuffer4* owner, RenderPass renderPass);
  const char* className() const override { return "MTL4RenderCommandEncoder"; }
  void describePass(EncoderTrace& pass) const;

  void setPipeline(RenderPipelineState* pipeline);
  void setArgumentTable(ArgumentTable* table, MTL::RenderStages stages);
  void setDepthStencil(DepthStencilState* state);
  void setCullMode(MTL::CullMode mode);
  void setWinding(MTL::Winding winding);
  void setDepthBias(float bias, float slopeScale, float clamp);
  void setFillMode(VkPolygonMode mode) {
    m_variant.polygonMode = mode;
    forgetPipeline();
  }
  void setDepthClamp(bool clamp) {
    m_variant.depthClamp = clamp;
    forgetPipeline();
  }
  void setViewports(const MTL::Viewport* viewports, NS::UInteger count);
  void setScissors(const MTL::ScissorRect* rects, NS::UInteger count);
  void setDepthBounds(float low, float high);
  void setColorStore(MTL::StoreAction action, NS::UInteger index);
  void setDepthStore(MTL::StoreAction action);
  void setStencilStore(MTL::StoreAction action);
  void setColorMap(const ColorAttachmentMap* map);
  void setVisibility(MTL::VisibilityResultMode mode, NS::UInteger offset);
  void writeTimestamp(MTL4::TimestampGranularity granularity, MTL::RenderStages stages,
                      const MTL4::CounterHeap* heap, NS::UInteger index);

  void draw(MTL::PrimitiveType type, NS::UInteger start, NS::UInteger count, NS::UInteger instances,
            NS::UInteger baseInstance);
  void drawIndexed(MTL::PrimitiveType type, NS::UInteger indexCount, MTL::IndexType indexType,
                   MTL::GPUAddress indices, NS::UInteger lengthBytes, NS::UInteger instances,
                   NS::Integer baseVertex, NS::UInteger baseInstance);

  void drawIndirect(MTL::PrimitiveType type, MTL::GPUAddress arguments);
  void drawIndexedIndirect(MTL::PrimitiveType type, MTL::IndexType indexType, MTL::GPUAddress indices,
                           NS::UInteger lengthBytes, MTL::GPUAddress arguments);

  // `countsThreads`: `grid` is in threads, else in threadgroups; of the object stage where there is one.
  void drawMesh(const char* method, MTL::Size grid, bool countsThreads, MTL::Size objectThreads,
                MTL::Size meshThreads);
  void drawMeshIndirect(MTL::GPUAddress arguments, MTL::Size objectThreads, MTL::Size meshThreads);
  void setObjectThreadgroupLength(NS::UInteger lengthBytes, NS::UInteger index);

  // In indirect_execute.cpp: each command as if it had been encoded here. Afterwards the encoder's own state
  // is what it was.
  void executeCommands(const MTL::IndirectCommandBuffer* buffer, const IndirectRange& range);

  void stampSoFar(vulkan::StampTarget target) override;
  void consumerBarrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before, bool memory) override;
  void producerBarrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before, bool memory) override;
  void encoderBarrier(MTL::Stages after, MTL::Stages before, bool memory) override;

 private:
  // Dynamic state that commands of an indirect command buffer may change.
  struct Raster {
    MTL::CullMode cullMode = MTL::CullModeNone;
    MTL::Winding winding = MTL::WindingClockwise;
    float depthBias = 0, slopeScale = 0, biasClamp = 0;
    foundation::Retained<DepthStencilState> depthStencil;
  };
  // What a command sets; the encoder's own comes back behind the commands.
  struct CommandState {
    foundation::Retained<RenderPipelineState> pipeline;
    foundation::Retained<ArgumentTable> vertex, fragment, object, mesh;
    ThreadgroupArguments objectThreadgroupArguments;
    VkPolygonMode polygonMode;
    bool depthClamp;
    Raster raster;
  };
  CommandState commandState() const;
  void restore(CommandState&& state, const IndirectCommandBufferDescriptorFields& settings);
  // The state of one command, which replaces `own` where the buffer does not inherit it.
  void apply(const IndirectRenderState& command, const IndirectCommandBufferDescriptorFields& settings,
             const CommandState& own);
  void drawCommand(const IndirectRenderState& command);
  struct ExpandedDraw;
  // The candidates for commands of the buffer.
  std::vector<ExpandedDraw> expandedDraws(const char* method, const IndirectCommandBuffer& buffer);

  struct Barrier {
    VkPipelineStageFlags2 after, before;
    bool memory;
  };
  // A pipeline that agrees with the pass, and its variant. The recording holds `backend`, so no other
  // pipeline can come to its address.
  struct KnownPipeline {
    const vulkan::GraphicsPipeline* backend = nullptr;
    vulkan::VariantState state;
    VkPipeline vkPipeline = VK_NULL_HANDLE;
  };

  // Everything a draw needs, after canEncode(); false when it must not run, which has then been reported.
  // Costs a few compares while neither the encoder's state nor the argument tables change.
  bool prepareDraw(const char* method, MTL::PrimitiveType type) {
    return isPrepared(type) || renewRecords(type) || prepareChangedDraw(method, type);
  }
  // A draw would find everything as the last one left it.
  bool isPrepared(MTL::PrimitiveType type) const {
    return m_preparedType == type && m_vertexArguments.isCurrent() && m_fragmentArguments.isCurrent() &&
           m_scope.isReady() && commandBuffer;
  }
  [[gnu::noinline]] void drawChanged(MTL::PrimitiveType type, NS::UInteger start, NS::UInteger count,
                                     NS::UInteger instances, NS::UInteger baseInstance);
  // The same after a look at the tables, where only they have changed; false leaves it to
  // prepareChangedDraw().
  bool renewRecords(MTL::PrimitiveType type);
  bool prepareChangedDraw(const char* method, MTL::PrimitiveType type);
  // The next draw has to look at the pipeline again.
  void forgetPipeline() {
    m_pipelineStale = true;
    m_preparedType.reset();
  }
  bool bindPipeline(const char* method, MTL::PrimitiveType type);
  // The same for a mesh draw, in mesh_draw.cpp; `shape` is what the pipeline is specialised to.
  bool prepareMeshDraw(const char* method, const vulkan::MeshShape& shape);
  // Checks the threadgroup sizes against the pipeline; nothing when it was reported.
  std::optional<vulkan::MeshShape> meshShape(const char* method, MTL::Size objectThreads,
                                             MTL::Size meshThreads);
  bool bindMeshPipeline(const char* method, const vulkan::MeshShape& shape);
  void drawMeshParts(const char* method, MTL::Size grid, bool countsThreads, const vulkan::MeshShape& shape);
  // False, with the report, when the counts are above the device's.
  bool fitsDevice(const char* method, const std::array<uint64_t, 3>& counts);
  // The VkPipeline of `pipeline` for this pass and state; null when it was reported.
  VkPipeline findVariant(const char* method, const RenderPipelineState& pipeline,
                         const vulkan::VariantState& state);
  // False, with the report, when the pipeline is not for such a pass.
  bool fitsPass(const char* method, const RenderPipelineState& pipeline,
                const vulkan::ColorLocations& places);
  // The next two are in render_colors.cpp; false when it was reported. Which attachment is which of the
  // pipeline's, into m_variant.
  bool placeColors(const char* method, const RenderPipelineState& pipeline);
  // Lets a pipeline that reads colours see the attachments, placed as m_variant says.
  bool bindColorInputs(const char* method);
  // Sees to it that `address`, a word of m_constants, is the stage's record; false when it was reported.
  bool keepRecord(const PipelineStage& stage, const char* stageName, StageArguments& arguments,
                  uint64_t& address) {
    if (arguments.recorded(stage)) return true;
    m_constantsStale = true;
    return updateRecord(stage, stageName, arguments, address);
  }
  struct IndexBinding {
    VkBuffer vkBuffer = VK_NULL_HANDLE;
    uint64_t offset = 0;
    VkIndexType type = VK_INDEX_TYPE_UINT16;
    uint64_t eraseCount = 0; // of the addresses: a new buffer may have the handle of one that has gone
    bool operator==(const IndexBinding&) const = default;
  };

  // Nothing happens when it is bound already.
  void bindIndices(VkBuffer vkBuffer, uint64_t offset, VkIndexType type);
  // Checks an index buffer; nothing when it was reported.
  std::optional<vulkan::BufferLocation> findIndices(const char* method, MTL::GPUAddress indices,
                                                    NS::UInteger bytes, NS::UInteger lengthBytes,
                                                    MTL::IndexType type);
  // Fixes a store action that was left unknown; what keeps it from being so is reported.
  void store(const char* method, StoreState& state, vulkan::RenderTarget& target, MTL::StoreAction action);
  // Behind each draw that was recorded. Vertices of all instances; 0 where only the GPU knows.
  void noteDraw(trace::CommandKind kind, uint64_t vertices = 0) {
    if (trace) traceDraw(kind, vertices);
  }
  void traceDraw(trace::CommandKind kind, uint64_t vertices);
  uint32_t maxViewports() const;
  // Hands both lists to Vulkan, the shorter one filled up.
  void applyViewports();
  // In indirect_expand.cpp: commands that the GPU may have encoded.
  void executeExpanded(const char* method, IndirectCommandBuffer& buffer, const IndirectRange& range);
  void finish() override;
  void placeStamp(vulkan::Granularity granularity, vulkan::StampTarget target) override;

  RenderPass m_pass;
  const bool m_hasTaskShader; // of the device
  vulkan::RenderScope m_scope;
  std::optional<vulkan::VisibilityResults> m_visibility; // from the first mode on
  foundation::Retained<RenderPipelineState> m_pipeline;
  std::vector<VkViewport> m_viewports; // never empty; Vulkan's, with negative height
  std::vector<VkRect2D> m_scissors;    // never empty
  vulkan::VariantState m_variant;
  std::array<uint8_t, kMaxColorAttachments> m_colorMap = ColorAttachmentMap::kIdentity;
  VkDescriptorSet m_vkColorInputs = VK_NULL_HANDLE; // made for m_colorInputPlaces; null: not yet
  vulkan::ColorLocations m_colorInputPlaces{};
  std::array<KnownPipeline, 16> m_known{};
  // The bound VkPipeline may not be the one for m_pipeline, m_variant and what follows.
  bool m_pipelineStale = true;
  // Set while a draw of this type needs nothing but equal argument tables and an open scope.
  std::optional<MTL::PrimitiveType> m_preparedType;
  std::optional<MTL::PrimitiveType> m_boundType; // of a pipeline for vertex draws
  std::optional<vulkan::MeshShape> m_boundMesh;  // of one for mesh draws
  std::optional<VkPrimitiveTopology> m_topology;
  StageArguments m_vertexArguments, m_fragmentArguments, m_objectArguments, m_meshArguments;
  ThreadgroupArguments m_objectThreadgroupArguments;
  base::abi::PushConstants m_constants;
  bool m_constantsStale = true; // m_constants may differ from what was pushed
  IndexBinding m_boundIndices;
  std::vector<Barrier> m_afterPass; // producer barriers
  Raster m_raster;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::RenderCommandEncoder, basanite::metal::RenderCommandEncoder4)
