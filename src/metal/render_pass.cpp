// SPDX-License-Identifier: Apache-2.0
// Checks a render pass descriptor and makes its attachments.
#include "src/metal/render_pass.hpp"

#include "src/metal/MTLTexture.hpp"
#include "src/metal/enum_check.hpp"
#include "src/metal/enum_map.hpp"
#include "src/metal/sample_positions.hpp"
#include "src/vulkan/format_table.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <limits>
#include <string>

namespace basanite::metal {

namespace {

using foundation::toImpl;

constexpr NS::UInteger kUnbounded = std::numeric_limits<NS::UInteger>::max();

// Memory that is only there while the pass runs can neither be loaded nor stored.
base::Result<void> checkStore(const std::string& name, bool memoryless, MTL::StoreAction action) {
  if (!memoryless || action == MTL::StoreActionDontCare || action == MTL::StoreActionMultisampleResolve ||
      action == MTL::StoreActionUnknown)
    return {};
  return base::Error{fmt::format("The {}'s texture is memoryless, so its storeAction must be DontCare or "
                                 "MultisampleResolve, not {}.",
                                 name,
                                 action == MTL::StoreActionStore ? "Store"
                                 : action == MTL::StoreActionStoreAndMultisampleResolve
                                     ? "StoreAndMultisampleResolve"
                                     : "CustomSampleDepthStore")};
}

// Collects what the attachments have in common.
class PassBuilder {
 public:
  explicit PassBuilder(NS::UInteger layerCount) : m_layerCount(layerCount) {}

  // Fills `target`; `name` is the attachment in messages.
  base::Result<void> add(vulkan::RenderTarget& target, StoreState& store,
                         const RenderPassAttachmentFields& attachment, const std::string& name) {
    const Texture& texture = *toImpl(attachment.texture.get());
    NS::UInteger level = attachment.level;
    BASANITE_TRY_VOID(checkEnum(fmt::format("The {}'s loadAction", name), attachment.loadAction));
    BASANITE_TRY_VOID(checkEnum(fmt::format("The {}'s storeAction", name), attachment.storeAction));
    if (!(texture.fields.usage & MTL::TextureUsageRenderTarget) &&
        texture.fields.usage != MTL::TextureUsageUnknown)
      return base::Error{fmt::format("The {}'s texture \"{}\" was made without TextureUsageRenderTarget.",
                                     name, foundation::textOf(texture.label.get()))};
    if (level >= texture.fields.mipmapLevelCount)
      return base::Error{fmt::format("The {} names level {} of a texture with {} levels.", name, level,
                                     NS::UInteger(texture.fields.mipmapLevelCount))};
    if (m_samples != 0 && m_samples != texture.fields.sampleCount)
      return base::Error{
          fmt::format("The {} has {} samples a pixel, but another attachment of the pass has {}.", name,
                      NS::UInteger(texture.fields.sampleCount), m_samples)};
    m_samples = texture.fields.sampleCount;
    m_width = std::min(m_width, texture.levelWidth(level));
    m_height = std::min(m_height, texture.levelHeight(level));
    BASANITE_TRY(target.vkView, view(texture, level, attachment.slice, attachment.depthPlane, name));
    target.load = toVkLoadOp(attachment.loadAction);
    store.name = name;
    store.memoryless = texture.fields.storageMode == MTL::StorageModeMemoryless;
    store.deferred = store.unknown = attachment.storeAction == MTL::StoreActionUnknown;
    BASANITE_TRY_VOID(checkStore(name, store.memoryless, attachment.storeAction));
    if (store.memoryless && attachment.loadAction == MTL::LoadActionLoad)
      return base::Error{fmt::format(
          "The {}'s texture is memoryless, so its loadAction must be Clear or DontCare, not Load.", name)};

    target.resolves = storeActionResolves(attachment.storeAction);
    // An unknown action may turn out to resolve.
    if (!target.resolves && !(store.unknown && attachment.resolveTexture.get())) return {};
    if (!attachment.resolveTexture.get())
      return base::Error{fmt::format("The {} is to be resolved, but has no resolveTexture.", name)};
    const Texture& resolve = *toImpl(attachment.resolveTexture.get());
    if (resolve.fields.sampleCount != 1 || texture.fields.sampleCount == 1)
      return base::Error{fmt::format("The {} resolves {} samples a pixel into {}; it must be several into 1.",
                                     name, NS::UInteger(texture.fields.sampleCount),
                                     NS::UInteger(resolve.fields.sampleCount))};
    if (resolve.vkFormat != texture.vkFormat)
      return base::Error{fmt::format("The {} of format {} cannot resolve into a texture of format {}.", name,
                                     texture.formatName(), resolve.formatName())};
    BASANITE_TRY(target.vkResolveView, view(resolve, attachment.resolveLevel, attachment.resolveSlice,
                                            attachment.resolveDepthPlane, name));
    vulkan::FormatClass formatClass = vulkan::formatInfo(texture.vkFormat).formatClass;
    target.resolveMode = formatClass == vulkan::FormatClass::floating ? VK_RESOLVE_MODE_AVERAGE_BIT
                                                                      : VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
    return {};
  }

  NS::UInteger width() const { return m_width; }
  NS::UInteger height() const { return m_height; }
  NS::UInteger samples() const { return m_samples; }
  std::vector<base::Ref<vulkan::Image>> takeImages() { return std::move(m_images); }

 private:
  base::Result<VkImageView> view(const Texture& texture, NS::UInteger level, NS::UInteger slice,
                                 NS::UInteger depthPlane, const std::string& name) {
    if (!texture.image)
      return base::Error{
          fmt::format("The {}'s texture \"{}\" is a texture buffer, which cannot be rendered to.", name,
                      foundation::textOf(texture.label.get()))};
    bool volume = texture.fields.textureType == MTL::TextureType3D;
    NS::UInteger first = volume ? depthPlane : slice;
    NS::UInteger available = volume ? texture.levelDepth(level) : texture.layerCount();
    if (first >= available || m_layerCount > available - first)
      return base::Error{fmt::format("The {} names {} layers from {} {} on, but its texture has {}.", name,
                                     m_layerCount, volume ? "depth plane" : "slice", first, available)};
    m_images.push_back(texture.image);
    uint32_t base = static_cast<uint32_t>(volume ? first : texture.baseSlice + first);
    return texture.image->attachmentView(texture.vkFormat, static_cast<uint32_t>(texture.baseLevel + level),
                                         base, static_cast<uint32_t>(m_layerCount));
  }

  NS::UInteger m_layerCount;
  NS::UInteger m_width = kUnbounded, m_height = kUnbounded;
  NS::UInteger m_samples = 0;
  std::vector<base::Ref<vulkan::Image>> m_images;
};

VkClearValue clearColor(const MTL::ClearColor& color, VkFormat format) {
  VkClearValue value{};
  const double channels[4] = {color.red, color.green, color.blue, color.alpha};
  vulkan::FormatClass formatClass = vulkan::formatInfo(format).formatClass;
  for (int i = 0; i < 4; ++i) {
    if (formatClass == vulkan::FormatClass::unsignedInteger)
      value.color.uint32[i] = static_cast<uint32_t>(std::clamp(channels[i], 0.0, 4294967295.0));
    else if (formatClass == vulkan::FormatClass::signedInteger)
      value.color.int32[i] = static_cast<int32_t>(std::clamp(channels[i], -2147483648.0, 2147483647.0));
    else
      value.color.float32[i] = static_cast<float>(channels[i]);
  }
  return value;
}

VkResolveModeFlagBits depthResolveMode(MTL::MultisampleDepthResolveFilter filter) {
  switch (filter) {
  case MTL::MultisampleDepthResolveFilterSample0:
    return VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
  case MTL::MultisampleDepthResolveFilterMin:
    return VK_RESOLVE_MODE_MIN_BIT;
  case MTL::MultisampleDepthResolveFilterMax:
    return VK_RESOLVE_MODE_MAX_BIT;
  }
  return VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
}

} // namespace

base::Result<RenderPass> RenderPass::create(Device& device, const RenderPassDescriptor4& d) {
  RenderPass pass;
  NS::UInteger layerCount = std::max<NS::UInteger>(1, d.renderTargetArrayLength);
  PassBuilder builder(layerCount);
  pass.targets.layerCount = static_cast<uint32_t>(layerCount);
  pass.mapsColors = d.supportColorAttachmentMapping;

  const RenderPassColorAttachmentDescriptorArray* colors = d.colorAttachments.ifMade();
  for (uint32_t i = 0; colors && i < kMaxColorAttachments; ++i) {
    const RenderPassColorAttachmentDescriptor* attachment = colors->ifMade(i);
    if (!attachment || !attachment->texture.get()) continue;
    const Texture& texture = *toImpl(attachment->texture.get());
    std::string name = fmt::format("color attachment {}", i);
    if (vulkan::formatInfo(texture.vkFormat).formatClass == vulkan::FormatClass::depthStencil)
      return base::Error{
          fmt::format("The {} has the depth or stencil format {}.", name, texture.formatName())};
    vulkan::RenderTarget& target = pass.targets.colors[i];
    BASANITE_TRY_VOID(builder.add(target, pass.colorStores[i], *attachment, name));
    target.clear = clearColor(attachment->clearColor, texture.vkFormat);
    pass.targets.colorCount = i + 1;
    pass.formats.color[i] = texture.vkFormat;
    pass.colorFormats[i] = texture.fields.pixelFormat;
  }

  const RenderPassDepthAttachmentDescriptor* depth = d.depthAttachment.ifMade();
  if (depth && depth->texture.get()) {
    const Texture& texture = *toImpl(depth->texture.get());
    if (!vulkan::formatInfo(texture.vkFormat).isDepth())
      return base::Error{
          fmt::format("The depth attachment has the format {}, which has no depth.", texture.formatName())};
    BASANITE_TRY_VOID(checkEnum("The depth attachment's depthResolveFilter", depth->depthResolveFilter));
    BASANITE_TRY_VOID(builder.add(pass.targets.depth, pass.depthStore, *depth, "depth attachment"));
    pass.targets.depth.clear.depthStencil.depth = static_cast<float>(depth->clearDepth);
    if (pass.targets.depth.vkResolveView) {
      pass.targets.depth.resolveMode = depthResolveMode(depth->depthResolveFilter);
      if (!(device.backend->limits().depthResolveModes & pass.targets.depth.resolveMode))
        return base::Error{
            fmt::format("The depth attachment's depthResolveFilter is {}, which \"{}\" lacks; "
                        "Sample0 works on every device.",
                        depth->depthResolveFilter == MTL::MultisampleDepthResolveFilterMin ? "Min" : "Max",
                        device.backend->physical().name())};
    }
    pass.formats.depth = texture.vkFormat;
  }
  const RenderPassStencilAttachmentDescriptor* stencil = d.stencilAttachment.ifMade();
  if (stencil && stencil->texture.get()) {
    const Texture& texture = *toImpl(stencil->texture.get());
    if (!vulkan::formatInfo(texture.vkFormat).isStencil())
      return base::Error{fmt::format("The stencil attachment has the format {}, which has no stencil.",
                                     texture.formatName())};
    BASANITE_TRY_VOID(
        checkEnum("The stencil attachment's stencilResolveFilter", stencil->stencilResolveFilter));
    BASANITE_TRY_VOID(builder.add(pass.targets.stencil, pass.stencilStore, *stencil, "stencil attachment"));
    pass.targets.stencil.clear.depthStencil.stencil = stencil->clearStencil;
    if (pass.targets.stencil.vkResolveView) {
      // The sample that depth takes is sample 0 unless depth is resolved by its extremes, and Vulkan resolves
      // the two aspects without regard to each other (VkResolveModeFlagBits).
      if (stencil->stencilResolveFilter == MTL::MultisampleStencilResolveFilterDepthResolvedSample &&
          pass.targets.depth.vkResolveView &&
          pass.targets.depth.resolveMode != VK_RESOLVE_MODE_SAMPLE_ZERO_BIT)
        return base::Error{
            "The stencil attachment's resolve filter DepthResolvedSample follows depth resolved by Min or "
            "Max, "
            "and Vulkan cannot resolve stencil by the sample that depth took; resolve depth by Sample0."};
      pass.targets.stencil.resolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
    }
    pass.formats.stencil = texture.vkFormat;
  }
  if (pass.targets.depth.vkView && pass.targets.stencil.vkView) {
    auto mode = [](const vulkan::RenderTarget& target) {
      return target.vkResolveView ? target.resolveMode : VK_RESOLVE_MODE_NONE;
    };
    const VkResolveModeFlagBits ofDepth = mode(pass.targets.depth), ofStencil = mode(pass.targets.stencil);
    const bool mayDiffer = pass.depthStore.deferred || pass.stencilStore.deferred || ofDepth != ofStencil;
    const vulkan::DeviceLimits& limits = device.backend->limits();
    const bool resolvesOne = ofDepth == VK_RESOLVE_MODE_NONE || ofStencil == VK_RESOLVE_MODE_NONE;
    pass.targets.resolvesAspectsApart =
        mayDiffer && !limits.independentResolve && !(resolvesOne && limits.independentResolveNone);
  }
  // Vulkan wants one view for both aspects of an image.
  if (pass.targets.depth.vkView && pass.targets.stencil.vkView &&
      pass.targets.depth.vkView != pass.targets.stencil.vkView)
    return base::Error{"Depth and stencil attachments must be the same texture when a pass has both."};

  pass.width = d.renderTargetWidth ? d.renderTargetWidth : builder.width();
  pass.height = d.renderTargetHeight ? d.renderTargetHeight : builder.height();
  if (pass.width == kUnbounded || pass.height == kUnbounded)
    return base::Error{"A render pass without attachments needs renderTargetWidth and renderTargetHeight."};
  if (pass.width > builder.width() || pass.height > builder.height())
    return base::Error{
        fmt::format("The render target size {} x {} is larger than the smallest attachment, {} x {}.",
                    pass.width, pass.height, builder.width(), builder.height())};
  pass.sampleCount =
      builder.samples() ? builder.samples() : std::max<NS::UInteger>(1, d.defaultRasterSampleCount);
  const VkPhysicalDeviceLimits& limits = device.backend->physical().properties().limits;
  if (!std::has_single_bit(static_cast<uint64_t>(pass.sampleCount)) ||
      (!builder.samples() && !(limits.framebufferNoAttachmentsSampleCounts & pass.sampleCount)))
    return base::Error{
        fmt::format("The pass has {} samples a pixel, which the device does not offer.", pass.sampleCount)};
  if (pass.width > limits.maxFramebufferWidth || pass.height > limits.maxFramebufferHeight ||
      layerCount > limits.maxFramebufferLayers)
    return base::Error{
        fmt::format("The render target of {} x {} with {} layers is above the device's limits, {} x {} "
                    "with {}.",
                    pass.width, pass.height, layerCount, limits.maxFramebufferWidth,
                    limits.maxFramebufferHeight, limits.maxFramebufferLayers)};
  pass.targets.area = {{0, 0}, {static_cast<uint32_t>(pass.width), static_cast<uint32_t>(pass.height)}};
  pass.formats.samples = static_cast<VkSampleCountFlagBits>(pass.sampleCount);
  BASANITE_TRY(pass.formats.sampleLocations,
               movesSamples(d.samplePositions, pass.sampleCount, *device.backend));
  if (pass.formats.sampleLocations)
    for (const MTL::SamplePosition& position : d.samplePositions)
      pass.sampleLocations.push_back({position.x, position.y});
  pass.images = builder.takeImages();
  if (d.visibilityResultBuffer.get()) {
    const Buffer& buffer = *toImpl(d.visibilityResultBuffer.get());
    if (buffer.device.get() != &device)
      return base::Error{fmt::format("The visibility result buffer \"{}\" belongs to another device.",
                                     foundation::textOf(buffer.label.get()))};
    pass.visibilityBuffer = buffer.backend;
  }
  BASANITE_TRY_VOID(checkEnum("visibilityResultType", d.visibilityResultType));
  pass.visibilityAccumulates = d.visibilityResultType == MTL::VisibilityResultTypeAccumulate;
  return pass;
}

void RenderPass::resume(vulkan::CommandBuffer& commands) {
  for (vulkan::RenderTarget& target : targets.colors) target.load = VK_ATTACHMENT_LOAD_OP_LOAD;
  targets.depth.load = targets.stencil.load = VK_ATTACHMENT_LOAD_OP_LOAD;
  constexpr VkPipelineStageFlags2 kAttachments = VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
                                                 VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT |
                                                 VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
  commands.barrier(kAttachments, kAttachments);
}

void RenderPass::suspend() {
  // Every part stores anyway, so that the next one finds its contents; only resolves have to wait.
  for (vulkan::RenderTarget& target : targets.colors) target.vkResolveView = VK_NULL_HANDLE;
  targets.depth.vkResolveView = targets.stencil.vkResolveView = VK_NULL_HANDLE;
  suspended = true;
}

base::Result<void> RenderPass::store(StoreState& state, vulkan::RenderTarget& target,
                                     MTL::StoreAction action) {
  if (!state.deferred)
    return base::Error{
        fmt::format("the {}'s store action was not left Unknown by the pass descriptor.", state.name)};
  if (action == MTL::StoreActionUnknown)
    return base::Error{fmt::format("the {}'s store action cannot be set to Unknown.", state.name)};
  BASANITE_TRY_VOID(checkStore(state.name, state.memoryless, action));
  if (storeActionResolves(action) && !target.vkResolveView)
    return base::Error{fmt::format("the {} is to be resolved, but has no resolveTexture.", state.name)};
  target.resolves = storeActionResolves(action);
  state.unknown = false;
  return {};
}

PassShape RenderPass::shape() const {
  PassShape shape;
  for (size_t i = 0; i < shape.colors.size(); ++i) shape.colors[i] = targets.colors[i].vkView;
  shape.depth = targets.depth.vkView;
  shape.stencil = targets.stencil.vkView;
  shape.width = width;
  shape.height = height;
  shape.layerCount = targets.layerCount;
  shape.sampleCount = sampleCount;
  return shape;
}

std::string PassShape::differenceFrom(const PassShape& other) const {
  auto compare = [](const std::string& name, VkImageView ours, VkImageView theirs) -> std::string {
    if (ours == theirs) return {};
    if (!ours) return fmt::format("it has no {}", name);
    return fmt::format("its {} is {}", name, theirs ? "another texture, level or slice" : "one more");
  };
  for (size_t i = 0; i < colors.size(); ++i) {
    std::string difference = compare(fmt::format("color attachment {}", i), colors[i], other.colors[i]);
    if (!difference.empty()) return difference;
  }
  std::string difference = compare("depth attachment", depth, other.depth);
  if (difference.empty()) difference = compare("stencil attachment", stencil, other.stencil);
  if (!difference.empty()) return difference;
  if (width != other.width || height != other.height || layerCount != other.layerCount)
    return fmt::format("its render target is {} x {} with {} layers, not {} x {} with {}", width, height,
                       layerCount, other.width, other.height, other.layerCount);
  if (sampleCount != other.sampleCount)
    return fmt::format("it has {} samples a pixel, not {}", sampleCount, other.sampleCount);
  return {};
}

} // namespace basanite::metal
