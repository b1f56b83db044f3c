// SPDX-License-Identifier: Apache-2.0
// The attachment descriptors of a render pass.
#include "src/metal/MTLRenderPass.hpp"

using basanite::foundation::toImpl;

BASANITE_ALLOC_INIT(MTL::RenderPassAttachmentDescriptor)
BASANITE_VALUE(MTL::RenderPassAttachmentDescriptor, NS::UInteger, depthPlane, setDepthPlane)
BASANITE_VALUE(MTL::RenderPassAttachmentDescriptor, NS::UInteger, level, setLevel)
BASANITE_VALUE(MTL::RenderPassAttachmentDescriptor, MTL::LoadAction, loadAction, setLoadAction)
BASANITE_VALUE(MTL::RenderPassAttachmentDescriptor, NS::UInteger, resolveDepthPlane, setResolveDepthPlane)
BASANITE_VALUE(MTL::RenderPassAttachmentDescriptor, NS::UInteger, resolveLevel, setResolveLevel)
BASANITE_VALUE(MTL::RenderPassAttachmentDescriptor, NS::UInteger, resolveSlice, setResolveSlice)
BASANITE_OBJECT(MTL::RenderPassAttachmentDescriptor, MTL::Texture, resolveTexture, setResolveTexture)
BASANITE_VALUE(MTL::RenderPassAttachmentDescriptor, NS::UInteger, slice, setSlice)
BASANITE_VALUE(MTL::RenderPassAttachmentDescriptor, MTL::StoreAction, storeAction, setStoreAction)
BASANITE_VALUE(MTL::RenderPassAttachmentDescriptor, MTL::StoreActionOptions, storeActionOptions,
               setStoreActionOptions)
BASANITE_OBJECT(MTL::RenderPassAttachmentDescriptor, MTL::Texture, texture, setTexture)

BASANITE_ALLOC_INIT(MTL::RenderPassColorAttachmentDescriptor)
BASANITE_VALUE(MTL::RenderPassColorAttachmentDescriptor, MTL::ClearColor, clearColor, setClearColor)

BASANITE_ALLOC_INIT(MTL::RenderPassDepthAttachmentDescriptor)
BASANITE_VALUE(MTL::RenderPassDepthAttachmentDescriptor, double, clearDepth, setClearDepth)
BASANITE_VALUE(MTL::RenderPassDepthAttachmentDescriptor, MTL::MultisampleDepthResolveFilter,
               depthResolveFilter, setDepthResolveFilter)

BASANITE_ALLOC_INIT(MTL::RenderPassStencilAttachmentDescriptor)
BASANITE_VALUE(MTL::RenderPassStencilAttachmentDescriptor, uint32_t, clearStencil, setClearStencil)
BASANITE_VALUE(MTL::RenderPassStencilAttachmentDescriptor, MTL::MultisampleStencilResolveFilter,
               stencilResolveFilter, setStencilResolveFilter)

BASANITE_ALLOC_INIT(MTL::RenderPassColorAttachmentDescriptorArray)
MTL::RenderPassColorAttachmentDescriptor*
MTL::RenderPassColorAttachmentDescriptorArray::object(NS::UInteger attachmentIndex) {
  if (!this) return {};
  return toImpl(this)->object(attachmentIndex);
}
void MTL::RenderPassColorAttachmentDescriptorArray::setObject(
    const MTL::RenderPassColorAttachmentDescriptor* attachment, NS::UInteger attachmentIndex) {
  if (!this) return;
  toImpl(this)->setObject(attachment, attachmentIndex);
}
