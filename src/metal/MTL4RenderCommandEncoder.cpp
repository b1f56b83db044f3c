// SPDX-License-Identifier: Apache-2.0
// MTL4::RenderCommandEncoder: state setters and draws.
#include "src/metal/MTL4RenderCommandEncoder.hpp"

#include "src/metal/enum_map.hpp"

#include <algorithm>
#include <cmath>

using basanite::foundation::toImpl;

namespace basanite::metal {

namespace {

vulkan::StencilFace toFace(const StencilDescriptorFields& fields) {
  vulkan::StencilFace face;
  face.failOp = toVkStencilOp(fields.stencilFailureOperation);
  face.depthFailOp = toVkStencilOp(fields.depthFailureOperation);
  face.passOp = toVkStencilOp(fields.depthStencilPassOperation);
  face.compareOp = toVkCompareOp(fields.stencilCompareFunction);
  face.readMask = fields.readMask;
  face.writeMask = fields.writeMask;
  return face;
}

// The encoder while it takes commands, else null after the report.
RenderCommandEncoder4* openEncoder(const MTL4::RenderCommandEncoder* encoder, const char* method) {
  if (!encoder) return nullptr;
  auto* impl = toImpl(encoder);
  return impl->canEncode(method) ? impl : nullptr;
}
template <class E>
RenderCommandEncoder4* openEncoder(const MTL4::RenderCommandEncoder* encoder, const char* method,
                                   E argument) {
  auto* impl = openEncoder(encoder, method);
  return impl && impl->knows(method, argument) ? impl : nullptr;
}

} // namespace

void RenderCommandEncoder4::setDepthStencil(DepthStencilState* state) {
  vulkan::CommandBuffer& commands = *commandBuffer->backend;
  m_raster.depthStencil = foundation::Retained<DepthStencilState>(state);
  if (!state) {
    commands.setDepthState(false, false, VK_COMPARE_OP_ALWAYS);
    commands.setStencilState(std::nullopt, std::nullopt);
    return;
  }
  // A test that always passes still has to be on for depth to be written.
  bool test = state->depthCompare != MTL::CompareFunctionAlways || state->depthWrite;
  commands.setDepthState(test, state->depthWrite, toVkCompareOp(state->depthCompare));
  if (state->stencilTest)
    commands.setStencilState(toFace(state->front), toFace(state->back));
  else
    commands.setStencilState(std::nullopt, std::nullopt);
}

void RenderCommandEncoder4::setCullMode(MTL::CullMode mode) {
  m_raster.cullMode = mode;
  commandBuffer->backend->setCullMode(toVkCullMode(mode));
}

void RenderCommandEncoder4::setWinding(MTL::Winding winding) {
  m_raster.winding = winding;
  commandBuffer->backend->setFrontFace(toVkFrontFace(winding));
}

void RenderCommandEncoder4::setDepthBias(float bias, float slopeScale, float clamp) {
  m_raster.depthBias = bias;
  m_raster.slopeScale = slopeScale;
  m_raster.biasClamp = clamp;
  commandBuffer->backend->setDepthBias(bias, slopeScale, clamp);
}

void RenderCommandEncoder4::setViewports(const MTL::Viewport* viewports, NS::UInteger count) {
  const auto& limits = commandBuffer->device->backend->physical().properties().limits;
  if (!viewports)
    return commandBuffer->errors.report("RenderCommandEncoder::setViewports: the array is null.");
  if (count == 0 || count > maxViewports())
    return commandBuffer->errors.report(
        "RenderCommandEncoder::setViewports: {} viewports; the device takes 1 to {}.", count, maxViewports());
  std::vector<VkViewport> flipped;
  for (NS::UInteger i = 0; i < count; ++i) {
    MTL::Viewport viewport = viewports[i];
    if (!(viewport.width > 0) || !(viewport.height > 0) || viewport.width > limits.maxViewportDimensions[0] ||
        viewport.height > limits.maxViewportDimensions[1])
      return commandBuffer->errors.report(
          "RenderCommandEncoder::setViewports: viewport {} is {} x {}; the device takes "
          "sizes above 0 and up to {} x {}.",
          i, double(viewport.width), double(viewport.height), limits.maxViewportDimensions[0],
          limits.maxViewportDimensions[1]);
    flipped.push_back({static_cast<float>(viewport.originX),
                       static_cast<float>(viewport.originY + viewport.height),
                       static_cast<float>(viewport.width), static_cast<float>(-viewport.height),
                       static_cast<float>(viewport.znear), static_cast<float>(viewport.zfar)});
  }
  m_viewports = std::move(flipped);
  applyViewports();
}

void RenderCommandEncoder4::setScissors(const MTL::ScissorRect* rects, NS::UInteger count) {
  if (!rects)
    return commandBuffer->errors.report("RenderCommandEncoder::setScissorRects: the array is null.");
  if (count == 0 || count > maxViewports())
    return commandBuffer->errors.report(
        "RenderCommandEncoder::setScissorRects: {} rectangles; the device takes 1 to {}.", count,
        maxViewports());
  std::vector<VkRect2D> scissors;
  for (NS::UInteger i = 0; i < count; ++i) {
    MTL::ScissorRect rect = rects[i];
    if (rect.x > m_pass.width || rect.width > m_pass.width - rect.x || rect.y > m_pass.height ||
        rect.height > m_pass.height - rect.y)
      return commandBuffer->errors.report(
          "RenderCommandEncoder::setScissorRects: rectangle {} from ({}, {}) of {} x {} "
          "is not inside the render target of {} x {}.",
          i, NS::UInteger(rect.x), NS::UInteger(rect.y), NS::UInteger(rect.width), NS::UInteger(rect.height),
          m_pass.width, m_pass.height);
    scissors.push_back({{static_cast<int32_t>(rect.x), static_cast<int32_t>(rect.y)},
                        {static_cast<uint32_t>(rect.width), static_cast<uint32_t>(rect.height)}});
  }
  m_scissors = std::move(scissors);
  applyViewports();
}

void RenderCommandEncoder4::setDepthBounds(float low, float high) {
  constexpr const char* kMethod = "RenderCommandEncoder::setDepthTestBounds";
  // Written so that NaN is refused too.
  if (!(low >= 0 && low <= high && high <= 1))
    return commandBuffer->errors.report(
        "{}: the bounds are {} to {}; they must be from 0 to 1, the lower one first.", kMethod, low, high);
  const vulkan::Device& device = *commandBuffer->device->backend;
  if ((low > 0 || high < 1) && !device.features().depthBounds)
    return commandBuffer->errors.report("{}: the bounds {} to {} cannot be tested: \"{}\" lacks depthBounds.",
                                        kMethod, low, high, device.physical().name());
  commandBuffer->backend->setDepthBounds(low, high);
}

void RenderCommandEncoder4::store(const char* method, StoreState& state, vulkan::RenderTarget& target,
                                  MTL::StoreAction action) {
  if (!knows(method, action)) return;
  auto result = RenderPass::store(state, target, action);
  if (!result) commandBuffer->errors.report("{}: {}", method, result.error().message);
}

void RenderCommandEncoder4::setColorStore(MTL::StoreAction action, NS::UInteger index) {
  constexpr const char* kMethod = "RenderCommandEncoder::setColorStoreAction";
  if (index >= kMaxColorAttachments || !m_pass.colorStores[index].present())
    return commandBuffer->errors.report("{}: the pass has no color attachment {}.", kMethod, index);
  store(kMethod, m_pass.colorStores[index], m_scope.targets().colors[index], action);
}

void RenderCommandEncoder4::setDepthStore(MTL::StoreAction action) {
  constexpr const char* kMethod = "RenderCommandEncoder::setDepthStoreAction";
  if (!m_pass.depthStore.present())
    return commandBuffer->errors.report("{}: the pass has no depth attachment.", kMethod);
  store(kMethod, m_pass.depthStore, m_scope.targets().depth, action);
}

void RenderCommandEncoder4::setStencilStore(MTL::StoreAction action) {
  constexpr const char* kMethod = "RenderCommandEncoder::setStencilStoreAction";
  if (!m_pass.stencilStore.present())
    return commandBuffer->errors.report("{}: the pass has no stencil attachment.", kMethod);
  store(kMethod, m_pass.stencilStore, m_scope.targets().stencil, action);
}

uint32_t RenderCommandEncoder4::maxViewports() const {
  const vulkan::Device& device = *commandBuffer->device->backend;
  return device.features().multiViewport ? device.physical().properties().limits.maxViewports : 1;
}

void RenderCommandEncoder4::applyViewports() {
  // Vulkan wants as many scissors as viewports at a draw; Metal sets them one after the other.
  std::vector<VkViewport> viewports = m_viewports;
  std::vector<VkRect2D> scissors = m_scissors;
  const size_t count = std::max(viewports.size(), scissors.size());
  viewports.resize(count, viewports.back());
  scissors.resize(count, m_pass.targets.area);
  commandBuffer->backend->setViewports(viewports);
  commandBuffer->backend->setScissors(scissors);
}

} // namespace basanite::metal

using basanite::metal::openEncoder;

void MTL4::RenderCommandEncoder::drawIndexedPrimitives(MTL::PrimitiveType primitiveType,
                                                       MTL::IndexType indexType, MTL::GPUAddress indexBuffer,
                                                       NS::UInteger indexBufferLength,
                                                       MTL::GPUAddress indirectBuffer) {
  if (this)
    toImpl(this)->drawIndexedIndirect(primitiveType, indexType, indexBuffer, indexBufferLength,
                                      indirectBuffer);
}
void MTL4::RenderCommandEncoder::drawIndexedPrimitives(MTL::PrimitiveType primitiveType,
                                                       NS::UInteger indexCount, MTL::IndexType indexType,
                                                       MTL::GPUAddress indexBuffer,
                                                       NS::UInteger indexBufferLength) {
  drawIndexedPrimitives(primitiveType, indexCount, indexType, indexBuffer, indexBufferLength, 1, 0, 0);
}
void MTL4::RenderCommandEncoder::drawIndexedPrimitives(MTL::PrimitiveType primitiveType,
                                                       NS::UInteger indexCount, MTL::IndexType indexType,
                                                       MTL::GPUAddress indexBuffer,
                                                       NS::UInteger indexBufferLength,
                                                       NS::UInteger instanceCount) {
  drawIndexedPrimitives(primitiveType, indexCount, indexType, indexBuffer, indexBufferLength, instanceCount,
                        0, 0);
}
void MTL4::RenderCommandEncoder::drawIndexedPrimitives(MTL::PrimitiveType primitiveType,
                                                       NS::UInteger indexCount, MTL::IndexType indexType,
                                                       MTL::GPUAddress indexBuffer,
                                                       NS::UInteger indexBufferLength,
                                                       NS::UInteger instanceCount, NS::Integer baseVertex,
                                                       NS::UInteger baseInstance) {
  if (this)
    toImpl(this)->drawIndexed(primitiveType, indexCount, indexType, indexBuffer, indexBufferLength,
                              instanceCount, baseVertex, baseInstance);
}

void MTL4::RenderCommandEncoder::drawPrimitives(MTL::PrimitiveType primitiveType,
                                                MTL::GPUAddress indirectBuffer) {
  if (this) toImpl(this)->drawIndirect(primitiveType, indirectBuffer);
}
void MTL4::RenderCommandEncoder::drawPrimitives(MTL::PrimitiveType primitiveType, NS::UInteger vertexStart,
                                                NS::UInteger vertexCount) {
  if (this) toImpl(this)->draw(primitiveType, vertexStart, vertexCount, 1, 0);
}
void MTL4::RenderCommandEncoder::drawPrimitives(MTL::PrimitiveType primitiveType, NS::UInteger vertexStart,
                                                NS::UInteger vertexCount, NS::UInteger instanceCount) {
  if (this) toImpl(this)->draw(primitiveType, vertexStart, vertexCount, instanceCount, 0);
}
void MTL4::RenderCommandEncoder::drawPrimitives(MTL::PrimitiveType primitiveType, NS::UInteger vertexStart,
                                                NS::UInteger vertexCount, NS::UInteger instanceCount,
                                                NS::UInteger baseInstance) {
  if (this) toImpl(this)->draw(primitiveType, vertexStart, vertexCount, instanceCount, baseInstance);
}

void MTL4::RenderCommandEncoder::setArgumentTable(const MTL4::ArgumentTable* argumentTable,
                                                  MTL::RenderStages stages) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setArgumentTable"))
    self->setArgumentTable(argumentTable ? toImpl(argumentTable) : nullptr, stages);
}

void MTL4::RenderCommandEncoder::setBlendColor(float red, float green, float blue, float alpha) {
  const float color[4] = {red, green, blue, alpha};
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setBlendColor"))
    self->commandBuffer->backend->setBlendConstants(color);
}

void MTL4::RenderCommandEncoder::setColorAttachmentMap(
    const MTL::LogicalToPhysicalColorAttachmentMap* mapping) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setColorAttachmentMap"))
    self->setColorMap(mapping ? toImpl(mapping) : nullptr);
}

void MTL4::RenderCommandEncoder::setColorStoreAction(MTL::StoreAction storeAction,
                                                     NS::UInteger colorAttachmentIndex) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setColorStoreAction"))
    self->setColorStore(storeAction, colorAttachmentIndex);
}
void MTL4::RenderCommandEncoder::setDepthStoreAction(MTL::StoreAction storeAction) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setDepthStoreAction"))
    self->setDepthStore(storeAction);
}
void MTL4::RenderCommandEncoder::setStencilStoreAction(MTL::StoreAction storeAction) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setStencilStoreAction"))
    self->setStencilStore(storeAction);
}

void MTL4::RenderCommandEncoder::setDepthTestBounds(float minBound, float maxBound) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setDepthTestBounds"))
    self->setDepthBounds(minBound, maxBound);
}

void MTL4::RenderCommandEncoder::setCullMode(MTL::CullMode cullMode) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setCullMode", cullMode))
    self->setCullMode(cullMode);
}

void MTL4::RenderCommandEncoder::setDepthBias(float depthBias, float slopeScale, float clamp) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setDepthBias"))
    self->setDepthBias(depthBias, slopeScale, clamp);
}

void MTL4::RenderCommandEncoder::setDepthClipMode(MTL::DepthClipMode depthClipMode) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setDepthClipMode", depthClipMode))
    self->setDepthClamp(depthClipMode == MTL::DepthClipModeClamp);
}

void MTL4::RenderCommandEncoder::setDepthStencilState(const MTL::DepthStencilState* depthStencilState) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setDepthStencilState"))
    self->setDepthStencil(depthStencilState ? toImpl(depthStencilState) : nullptr);
}

void MTL4::RenderCommandEncoder::setFrontFacingWinding(MTL::Winding frontFacingWinding) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setFrontFacingWinding", frontFacingWinding))
    self->setWinding(frontFacingWinding);
}

void MTL4::RenderCommandEncoder::setRenderPipelineState(const MTL::RenderPipelineState* pipelineState) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setRenderPipelineState"))
    self->setPipeline(pipelineState ? toImpl(pipelineState) : nullptr);
}

void MTL4::RenderCommandEncoder::setScissorRect(MTL::ScissorRect rect) { setScissorRects(&rect, 1); }
void MTL4::RenderCommandEncoder::setScissorRects(const MTL::ScissorRect* scissorRects, NS::UInteger count) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setScissorRects"))
    self->setScissors(scissorRects, count);
}

void MTL4::RenderCommandEncoder::setStencilReferenceValue(uint32_t referenceValue) {
  setStencilReferenceValues(referenceValue, referenceValue);
}
void MTL4::RenderCommandEncoder::setStencilReferenceValues(uint32_t frontReferenceValue,
                                                           uint32_t backReferenceValue) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setStencilReferenceValues"))
    self->commandBuffer->backend->setStencilReference(frontReferenceValue, backReferenceValue);
}

void MTL4::RenderCommandEncoder::setTriangleFillMode(MTL::TriangleFillMode fillMode) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setTriangleFillMode", fillMode))
    self->setFillMode(basanite::metal::toVkPolygonMode(fillMode));
}

void MTL4::RenderCommandEncoder::setViewport(MTL::Viewport viewport) { setViewports(&viewport, 1); }
void MTL4::RenderCommandEncoder::setViewports(const MTL::Viewport* viewports, NS::UInteger count) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setViewports"))
    self->setViewports(viewports, count);
}

void MTL4::RenderCommandEncoder::setVisibilityResultMode(MTL::VisibilityResultMode mode,
                                                         NS::UInteger offset) {
  if (auto* self = openEncoder(this, "RenderCommandEncoder::setVisibilityResultMode"))
    self->setVisibility(mode, offset);
}

void MTL4::RenderCommandEncoder::writeTimestamp(MTL4::TimestampGranularity granularity,
                                                MTL::RenderStages stage, const MTL4::CounterHeap* counterHeap,
                                                NS::UInteger index) {
  if (this) toImpl(this)->writeTimestamp(granularity, stage, counterHeap, index);
}
