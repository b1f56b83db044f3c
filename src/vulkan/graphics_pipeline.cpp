// SPDX-License-Identifier: Apache-2.0
// Compiles and keeps the variants of a render pipeline.
#include "src/vulkan/graphics_pipeline.hpp"

#include "src/vulkan/descriptor_heap.hpp"
#include "src/vulkan/format_table.hpp"
#include "src/vulkan/pipeline_cache.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <fmt/format.h>
#include <mutex>

namespace basanite::vulkan {
namespace {

constexpr VkDynamicState kDynamicStates[] = {
    VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
    VK_DYNAMIC_STATE_CULL_MODE,           VK_DYNAMIC_STATE_FRONT_FACE,
    VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,  VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,   VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,    VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_BIAS,          VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_BOUNDS,        VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
    VK_DYNAMIC_STATE_STENCIL_OP,          VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
    VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,  VK_DYNAMIC_STATE_STENCIL_REFERENCE,
    VK_DYNAMIC_STATE_BLEND_CONSTANTS,
};

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
  if (info.alphaToOne && !device->features().alphaToOne)
    return base::Error{fmt::format("The pipeline \"{}\" asks for alpha-to-one, which \"{}\" lacks.",
                                   info.label, device->physical().name())};
  BASANITE_TRY(pipeline->m_vkVertexModule, createShaderModule(*device, info.vertexSpirv, info.label));
  if (!info.fragmentSpirv.empty())
    BASANITE_TRY_VOID([&]() -> base::Result<void> {
      BASANITE_TRY(pipeline->m_vkFragmentModule, createShaderModule(*device, info.fragmentSpirv, info.label));
      return {};
    }());
  if (expected) {
    auto variant = pipeline->variant(*expected, expectedState);
    if (!variant.ok()) return std::move(variant).error();
  }
  return pipeline;
}

GraphicsPipeline::~GraphicsPipeline() {
  m_device->retire([device = m_device.get(), vertex = m_vkVertexModule, fragment = m_vkFragmentModule,
                    variants = std::move(m_variants)] {
    for (const auto& [key, vkPipeline] : variants)
      device->fn().vkDestroyPipeline(device->vkDevice(), vkPipeline, nullptr);
    device->fn().vkDestroyShaderModule(device->vkDevice(), vertex, nullptr);
    device->fn().vkDestroyShaderModule(device->vkDevice(), fragment, nullptr);
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
  const uint32_t colorCount = formats.colorCount();
  for (uint32_t i = 0; i < colorCount; ++i)
    if (m_blend[i].blendEnable && formats.color[i] != VK_FORMAT_UNDEFINED &&
        !m_device->formats().blendable(formats.color[i]))
      return base::Error{
          fmt::format("The pipeline \"{}\" blends into color attachment {}, whose VkFormat {} cannot blend.",
                      m_label, i, static_cast<int>(formats.color[i]))};

  VkPipelineShaderStageCreateInfo stages[2] = {{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO},
                                               {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO}};
  stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
  stages[0].module = m_vkVertexModule;
  stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
  stages[1].module = m_vkFragmentModule;
  stages[0].pName = stages[1].pName = "main";

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
  multisample.alphaToCoverageEnable = m_alphaToCoverage;
  multisample.alphaToOneEnable = m_alphaToOne;

  VkPipelineDepthStencilStateCreateInfo depthStencil{
      VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = colorCount;
  blend.pAttachments = m_blend.data();

  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = std::size(kDynamicStates);
  dynamic.pDynamicStates = kDynamicStates;

  VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  rendering.viewMask = formats.viewMask;
  rendering.colorAttachmentCount = colorCount;
  rendering.pColorAttachmentFormats = formats.color.data();
  rendering.depthAttachmentFormat = formats.depth;
  rendering.stencilAttachmentFormat = formats.stencil;

  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering};
  info.stageCount = m_vkFragmentModule && m_rasterizationEnabled ? 2 : 1;
  info.pStages = stages;
  info.pVertexInputState = &vertexInput;
  info.pInputAssemblyState = &inputAssembly;
  info.pViewportState = &viewport;
  info.pRasterizationState = &rasterization;
  info.pMultisampleState = &multisample;
  info.pDepthStencilState = &depthStencil;
  info.pColorBlendState = &blend;
  info.pDynamicState = &dynamic;
  info.layout = m_device->descriptorHeap().vkPipelineLayout();
  VkPipeline vkPipeline = VK_NULL_HANDLE;
  VkResult result = m_device->fn().vkCreateGraphicsPipelines(
      m_device->vkDevice(), m_device->pipelineCache().vkPipelineCache(), 1, &info, nullptr, &vkPipeline);
  if (result != VK_SUCCESS) return vulkanError(fmt::format("Compiling the pipeline \"{}\"", m_label), result);
  m_device->setName(VK_OBJECT_TYPE_PIPELINE, vkPipeline, m_label);
  return vkPipeline;
}

} // namespace basanite::vulkan
