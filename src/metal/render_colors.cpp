// SPDX-License-Identifier: Apache-2.0
// What a render encoder knows of colour attachments beside their formats: which is which for a pipeline, and
// fragment functions that read them.
#include "src/metal/MTL4RenderCommandEncoder.hpp"

namespace basanite::metal {

void RenderCommandEncoder4::setColorMap(const ColorAttachmentMap* map) {
  constexpr const char* kMethod = "RenderCommandEncoder::setColorAttachmentMap";
  if (!m_pass.mapsColors)
    return commandBuffer->errors.report("{}: the render pass was made without supportColorAttachmentMapping.",
                                        kMethod);
  const vulkan::Device& device = *commandBuffer->device->backend;
  if (map && map->physical != ColorAttachmentMap::kIdentity && !device.features().dynamicRenderingLocalRead)
    return commandBuffer->errors.report("{}: \"{}\" lacks VK_KHR_dynamic_rendering_local_read.", kMethod,
                                        device.physical().name());
  m_colorMap = map ? map->physical : ColorAttachmentMap::kIdentity;
  forgetPipeline();
}

bool RenderCommandEncoder4::placeColors(const char* method, const RenderPipelineState& pipeline) {
  vulkan::ColorLocations& places = m_variant.colorLocations;
  places = vulkan::kOwnColorLocations;
  if (!pipeline.inheritsColorMap || m_colorMap == ColorAttachmentMap::kIdentity) return true;
  places.fill(vulkan::kNoColorLocation);
  for (uint8_t logical = 0; logical < kMaxColorAttachments; ++logical) {
    if (pipeline.colorFormats[logical] == MTL::PixelFormatInvalid) continue;
    uint8_t& place = places[m_colorMap[logical]];
    if (place != vulkan::kNoColorLocation) {
      commandBuffer->errors.report(
          "{}: the color attachments {} and {} of the pipeline \"{}\" are both mapped to {}.", method, place,
          logical, pipeline.name(), m_colorMap[logical]);
      return false;
    }
    place = logical;
  }
  return true;
}

bool RenderCommandEncoder4::bindColorInputs(const char* method) {
  const vulkan::ColorLocations& places = m_variant.colorLocations;
  if (!m_vkColorInputs || m_colorInputPlaces != places) {
    std::array<VkImageView, kMaxColorAttachments> views{};
    for (size_t i = 0; i < views.size(); ++i)
      if (places[i] != vulkan::kNoColorLocation) views[places[i]] = m_pass.targets.colors[i].vkView;
    auto set = commandBuffer->backend->pool().colorInputs().take(views);
    if (!set) {
      commandBuffer->errors.report("{}: {}", method, set.error().message);
      return false;
    }
    m_vkColorInputs = *set;
    m_colorInputPlaces = places;
  }
  commandBuffer->backend->bindColorInputs(m_vkColorInputs);
  return true;
}

} // namespace basanite::metal
