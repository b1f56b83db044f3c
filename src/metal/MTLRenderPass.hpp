// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLRenderPass.hpp that Metal 4 passes use: the attachment descriptors.
#pragma once

#include "src/metal/property.hpp"

#include <Metal/MTLRenderPass.hpp>
#include <Metal/MTLTexture.hpp>

namespace basanite::metal {

struct RenderPassAttachmentFields {
  Strong<MTL::Texture> texture;
  NS::UInteger level = 0;
  NS::UInteger slice = 0;
  NS::UInteger depthPlane = 0;
  Strong<MTL::Texture> resolveTexture;
  NS::UInteger resolveLevel = 0;
  NS::UInteger resolveSlice = 0;
  NS::UInteger resolveDepthPlane = 0;
  MTL::LoadAction loadAction = MTL::LoadActionDontCare;
  MTL::StoreAction storeAction = MTL::StoreActionStore;
  // Accepted, no effect: where samples lay is never lost.
  MTL::StoreActionOptions storeActionOptions = MTL::StoreActionOptionNone;
};
class RenderPassAttachmentDescriptor
    : public PropertyBag<RenderPassAttachmentDescriptor, RenderPassAttachmentFields> {
 public:
  const char* className() const override { return "MTLRenderPassAttachmentDescriptor"; }
};

struct RenderPassColorAttachmentFields {
  MTL::ClearColor clearColor = MTL::ClearColor(0, 0, 0, 1);
};
class RenderPassColorAttachmentDescriptor final
    : public PropertyBag<RenderPassColorAttachmentDescriptor, RenderPassColorAttachmentFields,
                         RenderPassAttachmentDescriptor> {
 public:
  const char* className() const override { return "MTLRenderPassColorAttachmentDescriptor"; }
};

struct RenderPassDepthAttachmentFields {
  double clearDepth = 1.0;
  MTL::MultisampleDepthResolveFilter depthResolveFilter = MTL::MultisampleDepthResolveFilterSample0;
};
class RenderPassDepthAttachmentDescriptor final
    : public PropertyBag<RenderPassDepthAttachmentDescriptor, RenderPassDepthAttachmentFields,
                         RenderPassAttachmentDescriptor> {
 public:
  RenderPassDepthAttachmentDescriptor() {
    loadAction = MTL::LoadActionClear;
    storeAction = MTL::StoreActionDontCare;
  }
  const char* className() const override { return "MTLRenderPassDepthAttachmentDescriptor"; }
};

struct RenderPassStencilAttachmentFields {
  uint32_t clearStencil = 0;
  MTL::MultisampleStencilResolveFilter stencilResolveFilter = MTL::MultisampleStencilResolveFilterSample0;
};
class RenderPassStencilAttachmentDescriptor final
    : public PropertyBag<RenderPassStencilAttachmentDescriptor, RenderPassStencilAttachmentFields,
                         RenderPassAttachmentDescriptor> {
 public:
  RenderPassStencilAttachmentDescriptor() {
    loadAction = MTL::LoadActionClear;
    storeAction = MTL::StoreActionDontCare;
  }
  const char* className() const override { return "MTLRenderPassStencilAttachmentDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::RenderPassAttachmentDescriptor, basanite::metal::RenderPassAttachmentDescriptor)
BASANITE_BRIDGE(MTL::RenderPassColorAttachmentDescriptor,
                basanite::metal::RenderPassColorAttachmentDescriptor)
BASANITE_BRIDGE(MTL::RenderPassDepthAttachmentDescriptor,
                basanite::metal::RenderPassDepthAttachmentDescriptor)
BASANITE_BRIDGE(MTL::RenderPassStencilAttachmentDescriptor,
                basanite::metal::RenderPassStencilAttachmentDescriptor)

namespace basanite::metal {

constexpr size_t kMaxColorAttachments = 8;

class RenderPassColorAttachmentDescriptorArray final
    : public DescriptorArray<RenderPassColorAttachmentDescriptorArray, RenderPassColorAttachmentDescriptor,
                             kMaxColorAttachments> {
 public:
  const char* className() const override { return "MTLRenderPassColorAttachmentDescriptorArray"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::RenderPassColorAttachmentDescriptorArray,
                basanite::metal::RenderPassColorAttachmentDescriptorArray)
