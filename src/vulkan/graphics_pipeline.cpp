// SPDX-License-Identifier: Apache-2.0
// Compiles and keeps the variants of a render pipeline.
#include "src/vulkan/graphics_pipeline.hpp"

#include "src/base/log.hpp"
#include "src/base/shader_abi.hpp"
#include "src/base/stopwatch.hpp"

#include "src/vulkan/descriptor_heap.hpp"
#include "src/vulkan/format_table.hpp"
#include "src/vulkan/pipeline_cache.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <fmt/format.h>
#include <mutex>

namespace basanite::vulkan {
namespace {

constexpr VkDynamicState kDynamicStates[] = {
    VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
    VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
    VK_DYNAMIC_STATE_CULL_MODE,
    VK_DYNAMIC_STATE_FRONT_FACE,
    VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
    VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_BIAS,
    VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_BOUNDS,
    VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
    VK_DYNAMIC_STATE_STENCIL_OP,
    VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
    VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
    VK_DYNAMIC_STATE_STENCIL_REFERENCE,
    VK_DYNAMIC_STATE_BLEND_CONSTANTS,
    // Last, since mesh pipelines may not have them (VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07065).
    VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
    VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
};
constexpr uint32_t kVertexOnlyDynamicStates = 2;

VkPrimitiveTopology listOf(TopologyClass topologyClass) {
  switch (topologyClass) {
  case TopologyClass::point:
    return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  case TopologyClass::line:
    return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  default:
    return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  }
}

} // namespace

std::array<uint32_t, kMaxColorAttachments> vkLocations(const ColorLocations& locations) {
  std::array<uint32_t, kMaxColorAttachments> result;
  for (uint32_t i = 0; i < kMaxColorAttachments; ++i)
    result[i] = locations[i] == kNoColorLocation ? VK_ATTACHMENT_UNUSED : locations[i];
  return result;
}

TopologyClass topologyClassOf(VkPrimitiveTopology topology) {
  switch (topology) {
  case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
    return TopologyClass::point;
  case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
  case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    return TopologyClass::line;
  default:
    return TopologyClass::triangle;
  }
}

base::Result<base::Ref<GraphicsPipeline>> GraphicsPipeline::create(const base::Ref<Device>& device,
                                                                   const GraphicsPipelineInfo& info,
                                                                   const PassFormats* expected,
                                                                   VariantState expectedState) {
  auto pipeline = base::Ref<GraphicsPipeline>::adopt(new GraphicsPipeline(device));
  pipeline->m_label = info.label;
  pipeline->m_blend = info.blend;
  pipeline->m_rasterizationEnabled = info.rasterizationEnabled;
  pipeline->m_alphaToCoverage = info.alphaToCoverage;
  pipeline->m_alphaToOne = info.alphaToOne;
  pipeline->m_readsColors = info.readsColors;
  if (info.alphaToOne && !device->features().alphaToOne)
    return base::Error{fmt::format("The pipeline \"{}\" asks for alpha-to-one, which \"{}\" lacks.",
                                   info.label, device->physical().name())};
  auto makeModule = [&](std::span<const uint32_t> spirv, VkShaderModule& vkModule) -> base::Result<void> {
    if (spirv.empty()) return {};
    BASANITE_TRY(vkModule, createShaderModule(*device, spirv, info.label));
    return {};
  };
  BASANITE_TRY_VOID(makeModule(info.vertexSpirv, pipeline->m_vkVertexModule));
  BASANITE_TRY_VOID(makeModule(info.objectSpirv, pipeline->m_vkObjectModule));
  BASANITE_TRY_VOID(makeModule(info.meshSpirv, pipeline->m_vkMeshModule));
  BASANITE_TRY_VOID(makeModule(info.fragmentSpirv, pipeline->m_vkFragmentModule));
  if (expected) {
    auto variant = pipeline->variant(*expected, expectedState);
    if (!variant.ok()) return std::move(variant).error();
  }
  return pipeline;
}

base::Ref<GraphicsPipeline> GraphicsPipeline::withBlend(
    const base::Ref<GraphicsPipeline>& base,
    const std::array<VkPipelineColorBlendAttachmentState, kMaxColorAttachments>& blend,
    std::string_view label) {
  auto pipeline = base::Ref<GraphicsPipeline>::adopt(new GraphicsPipeline(base->m_device));
  pipeline->m_base = base;
  pipeline->m_vkVertexModule = base->m_vkVertexModule;
  pipeline->m_vkObjectModule = base->m_vkObjectModule;
  pipeline->m_vkMeshModule = base->m_vkMeshModule;
  pipeline->m_vkFragmentModule = base->m_vkFragmentModule;
  pipeline->m_label = label;
  pipeline->m_blend = blend;
  pipeline->m_rasterizationEnabled = base->m_rasterizationEnabled;
  pipeline->m_alphaToCoverage = base->m_alphaToCoverage;
  pipeline->m_alphaToOne = base->m_alphaToOne;
  pipeline->m_readsColors = base->m_readsColors;
  return pipeline;
}

GraphicsPipeline::~GraphicsPipeline() {
  std::vector<VkShaderModule> own;
  if (!m_base) own = {m_vkVertexModule, m_vkObjectModule, m_vkMeshModule, m_vkFragmentModule};
  m_device->retire([device = m_device.get(), modules = std::move(own), variants = std::move(m_variants)] {
    for (const auto& [key, vkPipeline] : variants)
      device->fn().vkDestroyPipeline(device->vkDevice(), vkPipeline, nullptr);
    for (VkShaderModule vkModule : modules)
      device->fn().vkDestroyShaderModule(device->vkDevice(), vkModule, nullptr);
  });
}

size_t GraphicsPipeline::variantCount() const {
  std::shared_lock lock(m_mutex);
  return m_variants.size();
}

base::Result<VkPipeline> GraphicsPipeline::variant(const PassFormats& formats, VariantState state) {
  Key key{formats, state};
  {
    std::shared_lock lock(m_mutex);
    auto found = m_variants.find(key);
    if (found != m_variants.end()) return found->second;
  }
  // Held while compiling: a second thread that wants the same variant waits for it instead of compiling it
  // again.
  std::unique_lock lock(m_mutex);
  auto found = m_variants.find(key);
  if (found != m_variants.end()) return found->second;
  BASANITE_TRY(VkPipeline vkPipeline, compile(key));
  m_variants.emplace(key, vkPipeline);
  return vkPipeline;
}

base::Result<VkPipeline> GraphicsPipeline::compile(const Key& key) {
  const DeviceFeatures& features = m_device->features();
  const PassFormats& formats = key.formats;
  auto lacks = [&](const char* what) {
    return base::Error{fmt::format("The pipeline \"{}\" needs {}, which \"{}\" lacks.", m_label, what,
                                   m_device->physical().name())};
  };
  if (key.state.polygonMode != VK_POLYGON_MODE_FILL && !features.fillModeNonSolid)
    return lacks("fill mode lines");
  if (key.state.depthClamp && !features.depthClamp) return lacks("depth clamping");
  if (formats.viewMask && !features.multiview) return lacks("multiview");
  if (formats.viewMask && isMesh()) return lacks("mesh shaders with multiview");
  const uint32_t colorCount = formats.colorCount();
  const ColorLocations& places = key.state.colorLocations;
  const bool moved = places != kOwnColorLocations;
  if (moved && !features.dynamicRenderingLocalRead) return lacks("mapped color attachments");
  std::array<VkPipelineColorBlendAttachmentState, kMaxColorAttachments> blends{};
  for (uint32_t i = 0; i < colorCount; ++i)
    if (places[i] != kNoColorLocation) blends[i] = m_blend[places[i]];
  for (uint32_t i = 0; i < colorCount; ++i)
    if (blends[i].blendEnable && formats.color[i] != VK_FORMAT_UNDEFINED &&
        !m_device->formats().blendable(formats.color[i]))
      return base::Error{
          fmt::format("The pipeline \"{}\" blends into color attachment {}, whose VkFormat {} cannot blend.",
                      m_label, i, static_cast<int>(formats.color[i]))};

  const MeshShape& shape = key.state.threadgroups;
  const ShapeConstants objectConstants(shape.object, shape.objectLengths), meshConstants(shape.mesh, {});
  const uint32_t sampleCount = static_cast<uint32_t>(formats.samples);
  const VkSpecializationMapEntry sampleCountEntry{base::abi::kSampleCountConstant, 0, sizeof(sampleCount)};
  const VkSpecializationInfo fragmentConstants{1, &sampleCountEntry, sizeof(sampleCount), &sampleCount};
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  auto addStage = [&](VkShaderStageFlagBits stage, VkShaderModule vkModule,
                      const VkSpecializationInfo* constants) {
    if (!vkModule) return;
    VkPipelineShaderStageCreateInfo stageInfo{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    stageInfo.stage = stage;
    stageInfo.module = vkModule;
    stageInfo.pName = "main";
    stageInfo.pSpecializationInfo = constants;
    stages.push_back(stageInfo);
  };
  addStage(VK_SHADER_STAGE_VERTEX_BIT, m_vkVertexModule, nullptr);
  addStage(VK_SHADER_STAGE_TASK_BIT_EXT, m_vkObjectModule, objectConstants.info());
  addStage(VK_SHADER_STAGE_MESH_BIT_EXT, m_vkMeshModule, meshConstants.info());
  if (m_rasterizationEnabled) addStage(VK_SHADER_STAGE_FRAGMENT_BIT, m_vkFragmentModule, &fragmentConstants);

  VkPipelineVertexInputStateCreateInfo vertexInput{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo inputAssembly{
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  inputAssembly.topology = listOf(key.state.topologyClass);
  VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};

  VkPipelineRasterizationStateCreateInfo rasterization{
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  rasterization.depthClampEnable = key.state.depthClamp;
  rasterization.rasterizerDiscardEnable = !m_rasterizationEnabled;
  rasterization.polygonMode = key.state.polygonMode;
  rasterization.lineWidth = 1.0f;

  VkPipelineMultisampleStateCreateInfo multisample{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  multisample.rasterizationSamples = formats.samples;
  VkPipelineSampleLocationsStateCreateInfoEXT locations{
      VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT};
  locations.sampleLocationsInfo.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT;
  locations.sampleLocationsEnable = VK_TRUE;
  if (formats.sampleLocations) multisample.pNext = &locations;
  multisample.alphaToCoverageEnable = m_alphaToCoverage;
  multisample.alphaToOneEnable = m_alphaToOne;

  VkPipelineDepthStencilStateCreateInfo depthStencil{
      VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = colorCount;
  blend.pAttachments = blends.data();
  if (m_readsColors && features.rasterizationOrderColorAccess)
    blend.flags = VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT;

  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  std::vector<VkDynamicState> dynamicStates(
      std::begin(kDynamicStates), std::end(kDynamicStates) - (isMesh() ? kVertexOnlyDynamicStates : 0));
  if (formats.sampleLocations) dynamicStates.push_back(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT);
  dynamic.dynamicStateCount = static_cast<uint32_t>(dynamicStates.size());
  dynamic.pDynamicStates = dynamicStates.data();

  VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  rendering.viewMask = formats.viewMask;
  rendering.colorAttachmentCount = colorCount;
  rendering.pColorAttachmentFormats = formats.color.data();
  rendering.depthAttachmentFormat = formats.depth;
  rendering.stencilAttachmentFormat = formats.stencil;

  const auto vkPlaces = vkLocations(places);
  VkRenderingInputAttachmentIndexInfoKHR inputInfo{
      VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR};
  inputInfo.colorAttachmentCount = colorCount;
  inputInfo.pColorAttachmentInputIndices = vkPlaces.data();
  VkRenderingAttachmentLocationInfoKHR locationInfo{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR,
                                                    &inputInfo};
  locationInfo.colorAttachmentCount = colorCount;
  locationInfo.pColorAttachmentLocations = vkPlaces.data();
  if (moved) rendering.pNext = &locationInfo;

  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering};
  info.stageCount = static_cast<uint32_t>(stages.size());
  info.pStages = stages.data();
  if (!isMesh()) {
    info.pVertexInputState = &vertexInput;
    info.pInputAssemblyState = &inputAssembly;
  }
  info.pViewportState = &viewport;
  info.pRasterizationState = &rasterization;
  info.pMultisampleState = &multisample;
  info.pDepthStencilState = &depthStencil;
  info.pColorBlendState = &blend;
  info.pDynamicState = &dynamic;
  info.layout = m_device->descriptorHeap().vkPipelineLayout();
  VkPipeline vkPipeline = VK_NULL_HANDLE;
  const base::Stopwatch watch;
  VkResult result = m_device->fn().vkCreateGraphicsPipelines(
      m_device->vkDevice(), m_device->pipelineCache().vkPipelineCache(), 1, &info, nullptr, &vkPipeline);
  if (result != VK_SUCCESS) return vulkanError(fmt::format("Compiling the pipeline \"{}\"", m_label), result);
  base::logInfo("The driver compiled the pipeline \"{}\" in {:.1f} ms.", m_label, watch.elapsedMs());
  m_device->setName(VK_OBJECT_TYPE_PIPELINE, vkPipeline, m_label);
  return vkPipeline;
}

} // namespace basanite::vulkan
