// SPDX-License-Identifier: Apache-2.0
// Specialization of render pipelines: what a descriptor left unspecialized is filled in later, and the code
// is shared (Metal 4 facts, 2.9).
#include "src/metal/MTL4MeshRenderPipeline.hpp"
#include "src/metal/MTLRenderPipeline.hpp"

namespace basanite::metal {

namespace {

using Attachment = RenderPipelineColorAttachment4Fields;

// Calls visit(member, its unspecialized value) for every field that may be left open.
template <class Visit> void visitOpenFields(Visit visit) {
  visit(&Attachment::pixelFormat, MTL::PixelFormatUnspecialized);
  visit(&Attachment::blendingState, MTL4::BlendStateUnspecialized);
  visit(&Attachment::sourceRGBBlendFactor, MTL::BlendFactorUnspecialized);
  visit(&Attachment::destinationRGBBlendFactor, MTL::BlendFactorUnspecialized);
  visit(&Attachment::rgbBlendOperation, MTL::BlendOperationUnspecialized);
  visit(&Attachment::sourceAlphaBlendFactor, MTL::BlendFactorUnspecialized);
  visit(&Attachment::destinationAlphaBlendFactor, MTL::BlendFactorUnspecialized);
  visit(&Attachment::alphaBlendOperation, MTL::BlendOperationUnspecialized);
  visit(&Attachment::writeMask, MTL::ColorWriteMask(MTL::ColorWriteMaskUnspecialized));
}

// Write masks are bits, and this one may stand beside others.
bool isOpen(MTL::ColorWriteMask value, MTL::ColorWriteMask open) { return (value & open) != 0; }
template <class E> bool isOpen(E value, E open) { return value == open; }

// The descriptor's colour attachments; null when it is of neither kind or has none.
const RenderPipelineColorAttachmentArray4* colorsOf(const PipelineDescriptor4& descriptor) {
  if (const auto* render = dynamic_cast<const RenderPipelineDescriptor4*>(&descriptor))
    return render->colorAttachments.ifMade();
  if (const auto* mesh = dynamic_cast<const MeshRenderPipelineDescriptor4*>(&descriptor))
    return mesh->colorAttachments.ifMade();
  return nullptr;
}

} // namespace

bool hasOpenState(const RenderPipelineColorAttachmentArray4* colors) {
  bool open = false;
  for (size_t i = 0; colors && i < kMaxColorAttachments; ++i) {
    const RenderPipelineColorAttachment4* attachment = colors->ifMade(i);
    if (!attachment) continue;
    visitOpenFields([&](auto member, auto value) { open |= isOpen((*attachment).*member, value); });
  }
  return open;
}

base::Result<foundation::Retained<RenderPipelineState>>
RenderPipelineState::specialize(Device* device, const RenderPipelineState* base,
                                const PipelineDescriptor4* descriptor) {
  if (!base) return base::Error{"The pipeline to specialize is null."};
  if (!descriptor) return base::Error{"The pipeline descriptor is null."};
  if (base->device.get() != device)
    return base::Error{fmt::format("The pipeline \"{}\" belongs to another device.", base->name())};
  if (base->specialized)
    return base::Error{
        fmt::format("The pipeline \"{}\" was made by specialization, which works once.", base->name())};
  if (!base->openDescriptor)
    return base::Error{fmt::format("The pipeline \"{}\" leaves nothing unspecialized.", base->name())};
  const bool mesh = base->mesh.has_value();
  if (mesh ? !dynamic_cast<const MeshRenderPipelineDescriptor4*>(descriptor)
           : !dynamic_cast<const RenderPipelineDescriptor4*>(descriptor))
    return base::Error{fmt::format(
        "The pipeline \"{}\" is specialized with an {}, not with an {}.", base->name(),
        mesh ? "MTL4MeshRenderPipelineDescriptor" : "MTL4RenderPipelineDescriptor", descriptor->className())};

  const RenderPipelineColorAttachmentArray4* given = colorsOf(*descriptor);
  auto merged = foundation::Retained<RenderPipelineColorAttachmentArray4>::adopt(
      static_cast<RenderPipelineColorAttachmentArray4*>(colorsOf(*base->openDescriptor)->copy()));
  const Attachment defaults;
  for (size_t i = 0; i < kMaxColorAttachments; ++i) {
    if (!merged->ifMade(i)) continue;
    Attachment& attachment = *foundation::toImpl(merged->object(i));
    const Attachment* source = given ? given->ifMade(i) : nullptr;
    if (!source) source = &defaults;
    visitOpenFields([&](auto member, auto value) {
      if (isOpen(attachment.*member, value))
        attachment.*member = isOpen(source->*member, value) ? defaults.*member : source->*member;
    });
  }

  auto state = foundation::Retained<RenderPipelineState>::adopt(new RenderPipelineState);
  state->device = base->device;
  state->label = descriptor->label.get() ? descriptor->label : base->label;
  state->vertex = base->vertex;
  state->mesh = base->mesh;
  state->fragment = base->fragment;
  state->fragmentColors = base->fragmentColors;
  state->fragmentInputs = base->fragmentInputs;
  state->readsColors = base->readsColors;
  state->inheritsColorMap = base->inheritsColorMap;
  state->sampleCount = base->sampleCount;
  state->supportsIndirect = base->supportsIndirect;
  state->reflection = base->reflection;
  state->specialized = true;
  state->links = base->links;
  state->made = foundation::Retained<foundation::Object>::adopt(base->made->copy());
  if (auto* own = dynamic_cast<MeshRenderPipelineDescriptor4*>(state->made.get()))
    own->colorAttachments.set(foundation::toPublic(merged.get()));
  if (auto* own = dynamic_cast<RenderPipelineDescriptor4*>(state->made.get()))
    own->colorAttachments.set(foundation::toPublic(merged.get()));
  vulkan::GraphicsPipelineInfo info;
  BASANITE_TRY_VOID(state->takeColors(merged.get(), info));
  const std::string_view label = foundation::textOf(state->label.get());
  state->backend = vulkan::GraphicsPipeline::withBlend(base->backend, info.blend,
                                                       label.empty() ? base->backend->label() : label);
  return state;
}

} // namespace basanite::metal
