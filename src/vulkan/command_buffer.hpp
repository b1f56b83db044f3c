// SPDX-License-Identifier: Apache-2.0
// What stands behind one MTL4::CommandBuffer: records straight into a VkCommandBuffer, with a prologue beside
// it.
//
// Two hops from the API: a public method calls one method here, which calls vkCmd. Everything here is thin;
// state that Metal keeps per encoder (which argument table, what is dirty) is the front's.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/base/shader_abi.hpp"
#include "src/vulkan/barrier.hpp"
#include "src/vulkan/command_pool.hpp"
#include "src/vulkan/compute_pipeline.hpp"
#include "src/vulkan/device.hpp"
#include "src/vulkan/graphics_pipeline.hpp"
#include "src/vulkan/image.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace basanite::vulkan {

class RangeMask;

// A 3D count of threads or threadgroups.
struct Extent {
  uint32_t x = 1, y = 1, z = 1;
};

// Stencil state of one face.
struct StencilFace {
  VkStencilOp failOp = VK_STENCIL_OP_KEEP;
  VkStencilOp passOp = VK_STENCIL_OP_KEEP;
  VkStencilOp depthFailOp = VK_STENCIL_OP_KEEP;
  VkCompareOp compareOp = VK_COMPARE_OP_ALWAYS;
  uint32_t readMask = 0xffffffff;
  uint32_t writeMask = 0xffffffff;
};

// One thread at a time. Long-lived: begin() with any pool, end(), submit, begin() again.
class CommandBuffer final : public base::RefCounted {
 public:
  static base::Ref<CommandBuffer> create(const base::Ref<Device>& device);

  // Starts a recording in `pool`, which must live until the recording has run. Not while recording.
  base::Result<void> begin(const base::Ref<CommandPool>& pool);
  // Ends it. Not inside rendering. Error: what Vulkan says, or the first error kept by fail().
  base::Result<void> end();
  bool recording() const { return m_recording; }

  // What to submit, in order: the prologue when it was used, then the main buffer. After end(), until the
  // next begin().
  void appendTo(std::vector<VkCommandBuffer>& vkCommandBuffers) const;

  // The main buffer. Valid while recording.
  VkCommandBuffer vkMain() const { return m_vkMain; }
  // Runs before the main buffer and never inside rendering (query resets, scratch fills). Begun on first use;
  // a barrier to the main buffer's commands is recorded at end(). Null, with the error kept, when it cannot
  // be begun.
  VkCommandBuffer vkPrologue();
  CommandPool& pool() const { return *m_pool; }
  Device& device() const { return *m_device; }
  const base::Ref<Device>& deviceRef() const { return m_device; }
  void setLabel(std::string_view label);

  // The first error of the recording is kept; it comes out of end() and in commit feedback.
  void fail(base::Error error);
  const std::optional<base::Error>& error() const { return m_error; }

  // ---- debug labels (nothing without VK_EXT_debug_utils)
  void pushDebugGroup(std::string_view label);
  void popDebugGroup();
  void insertDebugLabel(std::string_view label);

  // ---- synchronization
  // One global memory barrier. Not inside rendering.
  void barrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before, bool memory = true);

  // ---- binding
  // Both bind the bindless set on first use in a recording and skip a pipeline that is bound already. After
  // bindGraphics constants are to be pushed again: a fragment or mesh stage that comes back may have lost
  // them (docs/workarounds.md).
  void bindGraphics(const GraphicsPipeline& pipeline, VkPipeline vkVariant);
  void bindCompute(VkPipeline vkPipeline);
  // A set of the pool's ColorInputSets, for pipelines that read colours.
  void bindColorInputs(VkDescriptorSet vkSet);
  // Writes what differs from the last push of this recording.
  void pushConstants(const base::abi::PushConstants& constants);
  // Writes `count` 64-bit words from `first` on, where no others have changed since the last push of this
  // recording.
  void pushWords(const base::abi::PushConstants& constants, uint32_t first, uint32_t count);

  // ---- compute
  // All of `threadgroups`, from threadgroup `base` on, with `constants` pushed; the pipeline is bound. Above
  // the device's limit it takes several dispatches, each with its threadgroupOrigin; that is 0 again
  // afterwards.
  void dispatch(base::abi::PushConstants& constants, Extent threadgroups, Extent base = {0, 0, 0});
  // Metal's dispatchThreadgroups: binds the variant, fills the constants' grid fields, dispatches.
  void dispatchThreadgroups(ComputePipeline& pipeline, base::abi::PushConstants constants,
                            Extent threadgroups, Extent threadsPerThreadgroup,
                            std::span<const ThreadgroupLength> lengths = {});
  // Metal's dispatchThreads: partial threadgroups at the grid's far edges run as up to seven more dispatches.
  void dispatchThreads(ComputePipeline& pipeline, base::abi::PushConstants constants, Extent threads,
                       Extent threadsPerThreadgroup, std::span<const ThreadgroupLength> lengths = {});
  // Threadgroup counts from a buffer (MTL::DispatchThreadgroupsIndirectArguments). The constants' grid counts
  // are 0.
  void dispatchIndirect(ComputePipeline& pipeline, base::abi::PushConstants constants, VkBuffer vkBuffer,
                        uint64_t offset, Extent threadsPerThreadgroup,
                        std::span<const ThreadgroupLength> lengths = {});

  // ---- render state; all persists over rendering instances of one recording
  // Metal's defaults for every dynamic state but viewports and scissors. Once per render encoder.
  void setDefaultRenderState();
  void
  setViewports(std::span<const VkViewport> viewports); // Vulkan's: y down; Metal's y-up is a negative height
  void setScissors(std::span<const VkRect2D> scissors);
  void setCullMode(VkCullModeFlags mode);
  void setFrontFace(VkFrontFace face);
  void setTopology(VkPrimitiveTopology topology); // strips also switch primitive restart on
  void setDepthBias(float constant, float slope, float clamp);
  void setDepthBounds(float low, float high); // 0, 1: off
  void setDepthState(bool test, bool write, VkCompareOp compare);
  // Nothing for a face: that face's stencil test passes and writes nothing; nothing for both: stencil test
  // off.
  void setStencilState(const std::optional<StencilFace>& front, const std::optional<StencilFace>& back);
  void setStencilReference(uint32_t front, uint32_t back);
  void setBlendConstants(const float rgba[4]);
  // Positions in the pixel of the samples, one each; for pipelines with PassFormats::sampleLocations.
  void setSampleLocations(std::span<const VkSampleLocationEXT> locations);

  // While it is set, draws and dispatches take their arguments from its entries, so that the GPU may leave
  // them out; not those whose arguments are in memory anyway.
  void setMask(RangeMask* mask) { m_mask = mask; }

  // ---- draws; inside rendering, everything bound
  void draw(uint32_t vertexCount, uint32_t instanceCount, uint32_t firstVertex, uint32_t firstInstance) {
    if (m_mask) [[unlikely]]
      return drawMasked(vertexCount, instanceCount, firstVertex, firstInstance);
    m_device->fn().vkCmdDraw(m_vkMain, vertexCount, instanceCount, firstVertex, firstInstance);
  }
  void bindIndexBuffer(VkBuffer vkBuffer, uint64_t offset, VkIndexType type);
  void drawIndexed(uint32_t indexCount, uint32_t instanceCount, uint32_t firstIndex, int32_t baseVertex,
                   uint32_t firstInstance) {
    if (m_mask) [[unlikely]]
      return drawIndexedMasked(indexCount, instanceCount, firstIndex, baseVertex, firstInstance);
    m_device->fn().vkCmdDrawIndexed(m_vkMain, indexCount, instanceCount, firstIndex, baseVertex,
                                    firstInstance);
  }
  void drawIndirect(VkBuffer vkBuffer, uint64_t offset, uint32_t count = 1, uint32_t strideBytes = 0);
  void drawIndexedIndirect(VkBuffer vkBuffer, uint64_t offset, uint32_t count = 1, uint32_t strideBytes = 0);

  // Object threadgroups where the pipeline has an object stage, else mesh threadgroups. Counts within the
  // device's limits (PhysicalDevice::meshLimits).
  void drawMesh(Extent threadgroups);
  void drawMeshIndirect(VkBuffer vkBuffer, uint64_t offset);

  // ---- transfers; not inside rendering. Sizes and offsets in bytes; lengths of 0 record nothing.
  void copyBuffer(VkBuffer vkSource, uint64_t sourceOffset, VkBuffer vkDestination,
                  uint64_t destinationOffset, uint64_t lengthBytes);
  // Any offset and length.
  void fillBuffer(VkBuffer vkBuffer, uint64_t offset, uint64_t lengthBytes, uint8_t value);
  void copyBufferToImage(VkBuffer vkSource, Image& destination, std::span<const VkBufferImageCopy2> regions);
  void copyImageToBuffer(Image& source, VkBuffer vkDestination, std::span<const VkBufferImageCopy2> regions);
  void copyImage(Image& source, Image& destination, std::span<const VkImageCopy2> regions);
  void blitImage(Image& source, Image& destination, std::span<const VkImageBlit2> regions, VkFilter filter);
  // Of `layerCount` layers from `baseLayer` on, the `levelCount` levels from `baseLevel` on, each but the
  // first from the one before it, with the barriers between them. Linear where the format filters. The ranges
  // lie in the image.
  void generateMipmaps(Image& image, uint32_t baseLevel, uint32_t levelCount, uint32_t baseLayer,
                       uint32_t layerCount);

 private:
  explicit CommandBuffer(base::Ref<Device> device) : m_device(std::move(device)) {}
  ~CommandBuffer() override = default;
  void bindSet(VkPipelineBindPoint bindPoint);
  void drawMasked(uint32_t vertexCount, uint32_t instanceCount, uint32_t firstVertex, uint32_t firstInstance);
  void drawIndexedMasked(uint32_t indexCount, uint32_t instanceCount, uint32_t firstIndex, int32_t baseVertex,
                         uint32_t firstInstance);
  bool bindVariant(ComputePipeline& pipeline, LocalSize size, std::span<const ThreadgroupLength> lengths);

  base::Ref<Device> m_device;
  base::Ref<CommandPool> m_pool;
  VkCommandBuffer m_vkMain = VK_NULL_HANDLE;
  VkCommandBuffer m_vkPrologue = VK_NULL_HANDLE; // null until used in this recording
  std::string m_label;
  bool m_recording = false;
  std::optional<base::Error> m_error;
  VkPipeline m_vkGraphicsPipeline = VK_NULL_HANDLE;
  VkPipeline m_vkComputePipeline = VK_NULL_HANDLE;
  RangeMask* m_mask = nullptr;
  VkDescriptorSet m_vkColorInputs = VK_NULL_HANDLE;
  bool m_graphicsSetBound = false;
  bool m_computeSetBound = false;
  bool m_constantsPushed = false;
  bool m_hasFragmentStage = true; // of the bound graphics pipeline
  bool m_hasMeshStages = false;
  base::abi::PushConstants m_constants;
};

} // namespace basanite::vulkan
