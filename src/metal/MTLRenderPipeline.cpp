// SPDX-License-Identifier: Apache-2.0
// MTL::RenderPipelineState, and how it is made from a Metal 4 descriptor.
#include "src/metal/MTLRenderPipeline.hpp"

#include "src/metal/MTL4LibraryFunctionDescriptor.hpp"
#include "src/metal/MTL4MeshRenderPipeline.hpp"
#include "src/metal/MTL4PipelineDataSetSerializer.hpp"
#include "src/metal/MTLLibrary.hpp"
#include "src/metal/color_inputs_of.hpp"
#include "src/metal/enum_check.hpp"
#include "src/metal/enum_map.hpp"
#include "src/metal/function_lookup.hpp"
#include "src/metal/pipeline_script.hpp"
#include "src/vulkan/format_table.hpp"

#include "src/trace/zone.hpp"

#include <algorithm>
#include <limits>

using basanite::foundation::textOf;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

namespace {

// Above every legal value, so that what does not fit 32 bits is refused instead of being cut to something
// legal.
uint32_t narrowed(NS::UInteger value) {
  return static_cast<uint32_t>(std::min<NS::UInteger>(value, std::numeric_limits<uint32_t>::max()));
}

void addVertexFetch(const VertexDescriptor& descriptor, shader::RenderRequest& request) {
  const VertexAttributeDescriptorArray* attributes = descriptor.attributes.ifMade();
  for (uint32_t i = 0; attributes && i < kMaxVertexAttributes; ++i) {
    const VertexAttributeDescriptor* attribute = attributes->ifMade(i);
    if (!attribute || attribute->format == MTL::VertexFormatInvalid) continue;
    request.attributes.push_back(
        {i, narrowed(attribute->format), narrowed(attribute->bufferIndex), narrowed(attribute->offset)});
  }
  const VertexBufferLayoutDescriptorArray* layouts = descriptor.layouts.ifMade();
  for (uint32_t i = 0; layouts && i < kMaxVertexBuffers; ++i) {
    const VertexBufferLayoutDescriptor* layout = layouts->ifMade(i);
    if (!layout) continue;
    request.layouts.push_back(
        {i, narrowed(layout->stride), narrowed(layout->stepFunction), narrowed(layout->stepRate)});
  }
}

base::Result<void> checkVertexFetch(const shader::RenderRequest& request) {
  constexpr uint32_t kTooLarge = std::numeric_limits<uint32_t>::max();
  for (const auto& attribute : request.attributes) {
    if (vertexFormatBytes(static_cast<MTL::VertexFormat>(attribute.format)) == 0)
      return base::Error{fmt::format("The format of vertex attribute {} is {}, which is no VertexFormat.",
                                     attribute.attributeIndex, attribute.format)};
    if (attribute.offset == kTooLarge)
      return base::Error{
          fmt::format("Vertex attribute {} has an offset above 32 bits.", attribute.attributeIndex)};
    if (attribute.bufferIndex >= kMaxVertexBuffers)
      return base::Error{fmt::format("Vertex attribute {} names buffer {}, but there are only {}.",
                                     attribute.attributeIndex, attribute.bufferIndex, kMaxVertexBuffers)};
    bool hasLayout = false;
    for (const auto& layout : request.layouts) hasLayout |= layout.bufferIndex == attribute.bufferIndex;
    if (!hasLayout)
      return base::Error{
          fmt::format("Vertex attribute {} reads from buffer {}, which has no layout in the vertex "
                      "descriptor.",
                      attribute.attributeIndex, attribute.bufferIndex)};
  }
  for (const auto& layout : request.layouts) {
    BASANITE_TRY_VOID(checkEnum(fmt::format("The stepFunction of vertex buffer {}", layout.bufferIndex),
                                static_cast<MTL::VertexStepFunction>(layout.stepFunction)));
    if (layout.stepFunction > static_cast<uint32_t>(MTL::VertexStepFunctionPerInstance))
      return base::Error{
          fmt::format("Vertex buffer {} has step function {}, which steps by tessellation patches; Metal 4's "
                      "encoders draw none, so it must be Constant, PerVertex or PerInstance.",
                      layout.bufferIndex,
                      layout.stepFunction == static_cast<uint32_t>(MTL::VertexStepFunctionPerPatch)
                          ? "PerPatch"
                          : "PerPatchControlPoint")};
  }
  return {};
}

// Whether each of the attachment's fields has a meaning; `index` is for the message.
base::Result<void> checkAttachment(const RenderPipelineColorAttachment4Fields& attachment, size_t index) {
  auto what = [&](const char* field) { return fmt::format("The {} of color attachment {}", field, index); };
  BASANITE_TRY_VOID(checkEnum(what("blendingState"), attachment.blendingState));
  BASANITE_TRY_VOID(checkEnum(what("sourceRGBBlendFactor"), attachment.sourceRGBBlendFactor));
  BASANITE_TRY_VOID(checkEnum(what("destinationRGBBlendFactor"), attachment.destinationRGBBlendFactor));
  BASANITE_TRY_VOID(checkEnum(what("rgbBlendOperation"), attachment.rgbBlendOperation));
  BASANITE_TRY_VOID(checkEnum(what("sourceAlphaBlendFactor"), attachment.sourceAlphaBlendFactor));
  BASANITE_TRY_VOID(checkEnum(what("destinationAlphaBlendFactor"), attachment.destinationAlphaBlendFactor));
  BASANITE_TRY_VOID(checkEnum(what("alphaBlendOperation"), attachment.alphaBlendOperation));
  constexpr uint64_t kMask = MTL::ColorWriteMaskAll | MTL::ColorWriteMaskUnspecialized;
  if (static_cast<uint64_t>(attachment.writeMask) & ~kMask)
    return base::Error{fmt::format("{} is {:#x}, which has bits that are no ColorWriteMask ({:#x}).",
                                   what("writeMask"), static_cast<uint64_t>(attachment.writeMask), kMask)};
  return {};
}

// What a fragment function writes or reads and what an attachment holds must be numbers of one class: the GPU
// converts none.
base::Result<void> checkColor(shader::ColorClass written, const char* verb, std::string_view function,
                              size_t index, MTL::PixelFormat format) {
  if (written == shader::ColorClass::none) return {};
  struct Class {
    shader::ColorClass written;
    vulkan::FormatClass held;
    const char* words;
  };
  constexpr Class kClasses[] = {
      {shader::ColorClass::floating, vulkan::FormatClass::floating, "floating-point"},
      {shader::ColorClass::signedInteger, vulkan::FormatClass::signedInteger, "signed integer"},
      {shader::ColorClass::unsignedInteger, vulkan::FormatClass::unsignedInteger, "unsigned integer"},
  };
  vulkan::FormatClass held = vulkan::formatInfo(toVkFormat(format)).formatClass;
  const char* writtenWords = "";
  const char* heldWords = "other";
  for (const Class& c : kClasses) {
    if (c.written == written) writtenWords = c.words;
    if (c.held == held) heldWords = c.words;
    if (c.written == written && c.held == held) return {};
  }
  return base::Error{
      fmt::format("The fragment function \"{}\" {} {} values {} color({}), but the format {} of color "
                  "attachment {} holds {} ones.",
                  function, verb, writtenWords, std::string_view(verb) == "reads" ? "from" : "to", index,
                  pixelFormatName(format), index, heldWords)};
}

// Unspecialized fields act as their defaults until a pipeline is specialized (pipeline_specialization.cpp).
VkPipelineColorBlendAttachmentState toVkBlend(const RenderPipelineColorAttachment4Fields& attachment) {
  VkPipelineColorBlendAttachmentState blend{};
  auto destination = [](MTL::BlendFactor factor) {
    return factor == MTL::BlendFactorUnspecialized ? VK_BLEND_FACTOR_ZERO : toVkBlendFactor(factor);
  };
  blend.blendEnable = attachment.blendingState == MTL4::BlendStateEnabled;
  blend.srcColorBlendFactor = toVkBlendFactor(attachment.sourceRGBBlendFactor);
  blend.dstColorBlendFactor = destination(attachment.destinationRGBBlendFactor);
  blend.colorBlendOp = toVkBlendOp(attachment.rgbBlendOperation);
  blend.srcAlphaBlendFactor = toVkBlendFactor(attachment.sourceAlphaBlendFactor);
  blend.dstAlphaBlendFactor = destination(attachment.destinationAlphaBlendFactor);
  blend.alphaBlendOp = toVkBlendOp(attachment.alphaBlendOperation);
  blend.colorWriteMask = toVkColorWriteMask(attachment.writeMask);
  return blend;
}

} // namespace

std::string_view RenderPipelineState::name() const {
  const std::string_view given = textOf(label.get());
  return given.empty() ? std::string_view(backend->label()) : given;
}

base::Result<void> RenderPipelineState::takeColors(const RenderPipelineColorAttachmentArray4* colors,
                                                   vulkan::GraphicsPipelineInfo& info) {
  for (size_t i = 0; colors && i < kMaxColorAttachments; ++i) {
    const RenderPipelineColorAttachment4* attachment = colors->ifMade(i);
    if (!attachment || attachment->pixelFormat == MTL::PixelFormatInvalid) continue;
    if (attachment->pixelFormat == MTL::PixelFormatUnspecialized) {
      BASANITE_TRY_VOID(checkAttachment(*attachment, i));
      colorFormats[i] = attachment->pixelFormat;
      continue;
    }
    VkFormat vkFormat = toVkFormat(attachment->pixelFormat);
    constexpr VkFormatFeatureFlags2 kColor = VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT;
    if (vkFormat == VK_FORMAT_UNDEFINED || isAlphaOnly(attachment->pixelFormat) ||
        !(device->backend->formats().features(vkFormat) & kColor))
      return base::Error{
          fmt::format("Color attachment {} has the format {}, which nothing can be drawn to on "
                      "this device.",
                      i, pixelFormatText(attachment->pixelFormat))};
    BASANITE_TRY_VOID(checkAttachment(*attachment, i));
    if (fragment) {
      const std::string& name = fragment->functionName;
      BASANITE_TRY_VOID(checkColor(fragmentColors[i], "writes", name, i, attachment->pixelFormat));
      BASANITE_TRY_VOID(checkColor(fragmentInputs[i], "reads", name, i, attachment->pixelFormat));
    }
    colorFormats[i] = attachment->pixelFormat;
    info.blend[i] = toVkBlend(*attachment);
    // Vulkan would write something undefined where the function writes nothing.
    if (fragmentColors[i] == shader::ColorClass::none) info.blend[i].colorWriteMask = 0;
  }
  info.readsColors = readsColors;
  if (readsColors && sampleCount > 1)
    return base::Error{
        fmt::format("The fragment function \"{}\" reads color attachments ([[color(n)]] inputs), which "
                    "Basanite can do with one sample a pixel, not with {}.",
                    fragment->functionName, sampleCount)};
  for (size_t i = 0; i < kMaxColorAttachments; ++i)
    if (fragmentInputs[i] != shader::ColorClass::none && colorFormats[i] == MTL::PixelFormatInvalid)
      return base::Error{
          fmt::format("The fragment function \"{}\" reads color({}), but the pipeline has no color "
                      "attachment {}.",
                      fragment->functionName, i, i)};
  return {};
}

base::Result<void> RenderPipelineState::takeFragment(const std::optional<shader::StageBinary>& binary,
                                                     const std::optional<FoundFunction>& function) {
  if (!binary) return {};
  BASANITE_TRY(fragment,
               PipelineStage::create(device->backend, function->name, *binary, function->links->family));
  fragmentColors = binary->colorClasses;
  BASANITE_TRY(fragmentInputs, colorInputsOf(*binary));
  for (shader::ColorClass input : fragmentInputs) readsColors |= input != shader::ColorClass::none;
  return {};
}

base::Result<foundation::Retained<RenderPipelineState>>
RenderPipelineState::create(Device* device, const RenderPipelineDescriptor4& d, const CodeOrigin& origin,
                            RenderLinks links) {
  if (!d.vertexFunctionDescriptor.get())
    return base::Error{"A render pipeline needs a vertex function; vertexFunctionDescriptor is null."};
  BASANITE_TRY(FoundFunction vertex, findFunction(d.vertexFunctionDescriptor.get(), shader::Stage::vertex));
  shader::RenderRequest request;
  request.vertex = vertex.ref();
  std::optional<FoundFunction> fragment;
  if (d.fragmentFunctionDescriptor.get()) {
    BASANITE_TRY(fragment, findFunction(d.fragmentFunctionDescriptor.get(), shader::Stage::fragment));
    request.fragment = fragment->ref();
  }
  links.vertex = vertex.links = withLibrariesOf(vertex, links.vertex);
  if (fragment) fragment->links = withLibrariesOf(*fragment, links.fragment);
  links.fragment = fragment ? fragment->links : nullptr;
  if (d.vertexDescriptor.get()) addVertexFetch(*toImpl(d.vertexDescriptor.get()), request);
  BASANITE_TRY_VOID(checkVertexFetch(request));
  request.traits = device->traits();
  BASANITE_TRY_VOID(checkEnum("colorAttachmentMappingState", d.colorAttachmentMappingState));

  BASANITE_TRY(const MTL4::ShaderReflection reflected, d.reflection());
  std::string name(textOf(d.label.get()));
  if (name.empty()) name = fragment ? vertex.name + "+" + fragment->name : vertex.name;
  BASANITE_TRY(shader::RenderBinaries binaries,
               renderCode(origin, name, request, vertex, fragment ? &*fragment : nullptr));

  auto state = foundation::Retained<RenderPipelineState>::adopt(new RenderPipelineState);
  state->device = foundation::Retained<Device>(device);
  state->label = d.label;
  state->sampleCount = d.rasterSampleCount ? d.rasterSampleCount : 1;
  state->topology = d.inputPrimitiveTopology;
  state->inheritsColorMap =
      d.colorAttachmentMappingState == MTL4::LogicalToPhysicalColorAttachmentMappingStateInherited;
  BASANITE_TRY_VOID(checkEnum("supportIndirectCommandBuffers", d.supportIndirectCommandBuffers));
  state->supportsIndirect = d.supportIndirectCommandBuffers == MTL4::IndirectCommandBufferSupportStateEnabled;
  vulkan::GraphicsPipelineInfo info;
  info.vertexSpirv = binaries.vertex.spirv;
  if (binaries.fragment) info.fragmentSpirv = binaries.fragment->spirv;
  info.label = name;
  BASANITE_TRY_VOID(checkEnum("alphaToCoverageState", d.alphaToCoverageState));
  BASANITE_TRY_VOID(checkEnum("alphaToOneState", d.alphaToOneState));
  info.rasterizationEnabled = d.rasterizationEnabled;
  info.alphaToCoverage = d.alphaToCoverageState == MTL4::AlphaToCoverageStateEnabled;
  info.alphaToOne = d.alphaToOneState == MTL4::AlphaToOneStateEnabled;
  BASANITE_TRY_VOID(state->takeFragment(binaries.fragment, fragment));
  BASANITE_TRY_VOID(state->takeColors(d.colorAttachments.ifMade(), info));
  if (hasOpenState(d.colorAttachments.ifMade()))
    state->openDescriptor =
        foundation::Retained<PipelineDescriptor4>::adopt(static_cast<RenderPipelineDescriptor4*>(d.copy()));
  BASANITE_TRY(state->backend, vulkan::GraphicsPipeline::create(device->backend, info));
  BASANITE_TRY(state->vertex,
               PipelineStage::create(device->backend, vertex.name, binaries.vertex, vertex.links->family));
  state->links = std::move(links);
  state->made = foundation::Retained<foundation::Object>::adopt(d.copy());
  if (wantsBindings(reflected)) {
    state->reflection = foundation::Retained<RenderPipelineReflection>::adopt(new RenderPipelineReflection);
    state->reflection->vertex = StageReflection(&binaries.vertex, wantsTypes(reflected));
    state->reflection->fragment =
        StageReflection(binaries.fragment ? &*binaries.fragment : nullptr, wantsTypes(reflected));
  }
  if (origin.serializer && origin.serializer->capturesDescriptors())
    origin.serializer->captureDescription(describePipeline(d, vertex, fragment ? &*fragment : nullptr));
  return state;
}

namespace {

base::Result<foundation::Retained<RenderPipelineState>>
makePipeline(Device* device, const PipelineDescriptor4& descriptor, const CodeOrigin& origin,
             const RenderDynamicLinkingDescriptor* dynamic) {
  if (const auto* mesh = dynamic_cast<const MeshRenderPipelineDescriptor4*>(&descriptor)) {
    BASANITE_TRY(RenderLinks links, findRenderLinks(*mesh, dynamic));
    return RenderPipelineState::create(device, *mesh, origin, std::move(links));
  }
  const auto* render = dynamic_cast<const RenderPipelineDescriptor4*>(&descriptor);
  if (!render)
    return base::Error{fmt::format("A render pipeline is made from an MTL4RenderPipelineDescriptor or an "
                                   "MTL4MeshRenderPipelineDescriptor, not from an {}.",
                                   descriptor.className())};
  BASANITE_TRY(RenderLinks links, findRenderLinks(*render, dynamic));
  return RenderPipelineState::create(device, *render, origin, std::move(links));
}

} // namespace

base::Result<foundation::Retained<RenderPipelineState>>
makeRenderPipeline(Device* device, const PipelineDescriptor4* descriptor, const CodeOrigin& origin,
                   const RenderDynamicLinkingDescriptor* dynamic) {
  if (!descriptor) return base::Error{"The pipeline descriptor is null."};
  trace::Zone zone(trace::ZoneKind::compilePipeline);
  auto pipeline = makePipeline(device, *descriptor, origin, dynamic);
  zone.describe(pipeline ? (*pipeline)->name() : textOf(descriptor->label.get()));
  zone.failed(!pipeline);
  return pipeline;
}

} // namespace basanite::metal

MTL::Device* MTL::RenderPipelineState::device() const {
  if (!this) return {};
  return toPublic(toImpl(this)->device.get());
}
BASANITE_OBJECT_GETTER(MTL::RenderPipelineState, NS::String, label)
MTL4::PipelineDescriptor* MTL::RenderPipelineState::newRenderPipelineDescriptor() {
  if (!this) return nullptr;
  const auto& open = toImpl(this)->openDescriptor;
  if (open) return toPublic(static_cast<basanite::metal::PipelineDescriptor4*>(open->copy()));
  basanite::metal::reportMisuse(
      "RenderPipelineState::newRenderPipelineDescriptor: the pipeline \"{}\" leaves nothing unspecialized.",
      toImpl(this)->name());
  return nullptr;
}
MTL::RenderPipelineReflection* MTL::RenderPipelineState::reflection() const {
  return this && toImpl(this)->reflection ? toPublic(toImpl(this)->reflection.get()) : nullptr;
}

namespace {

// A number of the mesh stages; 0 for pipelines without them.
NS::UInteger meshNumber(const MTL::RenderPipelineState* state,
                        NS::UInteger basanite::metal::MeshStages::* member) {
  return state && toImpl(state)->mesh ? (*toImpl(state)->mesh).*member : 0;
}
MTL::Size meshSize(const MTL::RenderPipelineState* state, MTL::Size basanite::metal::MeshStages::* member) {
  return state && toImpl(state)->mesh ? (*toImpl(state)->mesh).*member : MTL::Size::Make(0, 0, 0);
}

} // namespace

NS::UInteger MTL::RenderPipelineState::maxTotalThreadgroupsPerMeshGrid() const {
  return meshNumber(this, &basanite::metal::MeshStages::maxThreadgroupsPerMeshGrid);
}
NS::UInteger MTL::RenderPipelineState::maxTotalThreadsPerMeshThreadgroup() const {
  return meshNumber(this, &basanite::metal::MeshStages::maxThreadsPerMeshThreadgroup);
}
NS::UInteger MTL::RenderPipelineState::maxTotalThreadsPerObjectThreadgroup() const {
  return meshNumber(this, &basanite::metal::MeshStages::maxThreadsPerObjectThreadgroup);
}
NS::UInteger MTL::RenderPipelineState::meshThreadExecutionWidth() const {
  return this && toImpl(this)->mesh ? toImpl(this)->device->backend->limits().subgroupSize : 0;
}
NS::UInteger MTL::RenderPipelineState::objectThreadExecutionWidth() const {
  return this && toImpl(this)->mesh && toImpl(this)->mesh->object
             ? toImpl(this)->device->backend->limits().subgroupSize
             : 0;
}
MTL::Size MTL::RenderPipelineState::requiredThreadsPerMeshThreadgroup() const {
  return meshSize(this, &basanite::metal::MeshStages::requiredMeshThreads);
}
MTL::Size MTL::RenderPipelineState::requiredThreadsPerObjectThreadgroup() const {
  return meshSize(this, &basanite::metal::MeshStages::requiredObjectThreads);
}
MTL::ShaderValidation MTL::RenderPipelineState::shaderValidation() const {
  return MTL::ShaderValidationDisabled;
}
BASANITE_VALUE_GETTER(MTL::RenderPipelineState, bool, supportIndirectCommandBuffers, supportsIndirect)
