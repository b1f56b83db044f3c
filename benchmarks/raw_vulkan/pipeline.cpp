// SPDX-License-Identifier: Apache-2.0
// The twins' pipelines: viewport and scissor are dynamic, all else is baked in.
#include "benchmarks/raw_vulkan/device.hpp"

namespace basanite::benchmarks::twin {

namespace {

VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits bit, VkShaderModule vkModule) {
  VkPipelineShaderStageCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage = bit;
  info.module = vkModule;
  info.pName = "main";
  return info;
}

} // namespace

VkShaderModule Device::makeModule(std::span<const uint32_t> spirv) {
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = spirv.size_bytes();
  info.pCode = spirv.data();
  VkShaderModule vkModule = VK_NULL_HANDLE;
  check(vkCreateShaderModule(m_vkDevice, &info, nullptr, &vkModule), "vkCreateShaderModule");
  return vkModule;
}

VkPipeline Device::makeGraphics(const GraphicsRecipe& recipe) {
  VkShaderModule vkVertex = makeModule(recipe.vertex);
  VkShaderModule vkFragment = recipe.fragment.empty() ? VK_NULL_HANDLE : makeModule(recipe.fragment);
  const VkPipelineShaderStageCreateInfo stages[] = {stage(VK_SHADER_STAGE_VERTEX_BIT, vkVertex),
                                                    stage(VK_SHADER_STAGE_FRAGMENT_BIT, vkFragment)};
  const VkVertexInputBindingDescription binding{0, recipe.vertexStrideBytes, VK_VERTEX_INPUT_RATE_VERTEX};
  VkPipelineVertexInputStateCreateInfo vertexInput{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  if (recipe.vertexStrideBytes) {
    vertexInput.vertexBindingDescriptionCount = 1;
    vertexInput.pVertexBindingDescriptions = &binding;
    vertexInput.vertexAttributeDescriptionCount = static_cast<uint32_t>(recipe.attributes.size());
    vertexInput.pVertexAttributeDescriptions = recipe.attributes.data();
  }
  VkPipelineInputAssemblyStateCreateInfo assembly{
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  viewport.viewportCount = 1;
  viewport.scissorCount = 1;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.cullMode = VK_CULL_MODE_NONE;
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo multisample{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  multisample.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = recipe.depth != VK_FORMAT_UNDEFINED;
  depth.depthWriteEnable = depth.depthTestEnable;
  depth.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  VkPipelineColorBlendAttachmentState attachment{};
  attachment.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT |
                              VK_COLOR_COMPONENT_A_BIT;
  const uint32_t colorCount = recipe.color == VK_FORMAT_UNDEFINED ? 0 : 1;
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = colorCount;
  blend.pAttachments = &attachment;
  const VkDynamicState dynamicStates[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = 2;
  dynamic.pDynamicStates = dynamicStates;
  VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  rendering.colorAttachmentCount = colorCount;
  rendering.pColorAttachmentFormats = &recipe.color;
  rendering.depthAttachmentFormat = recipe.depth;

  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering};
  info.stageCount = vkFragment ? 2 : 1;
  info.pStages = stages;
  info.pVertexInputState = &vertexInput;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &multisample;
  info.pDepthStencilState = &depth;
  info.pColorBlendState = &blend;
  info.pDynamicState = &dynamic;
  info.layout = m_vkLayout;
  VkPipeline vkPipeline = VK_NULL_HANDLE;
  check(vkCreateGraphicsPipelines(m_vkDevice, VK_NULL_HANDLE, 1, &info, nullptr, &vkPipeline),
        "vkCreateGraphicsPipelines");
  vkDestroyShaderModule(m_vkDevice, vkVertex, nullptr);
  vkDestroyShaderModule(m_vkDevice, vkFragment, nullptr);
  m_destroy.push_back([this, vkPipeline] { vkDestroyPipeline(m_vkDevice, vkPipeline, nullptr); });
  return vkPipeline;
}

VkPipeline Device::makeCompute(std::span<const uint32_t> spirv) {
  VkShaderModule vkModule = makeModule(spirv);
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = stage(VK_SHADER_STAGE_COMPUTE_BIT, vkModule);
  info.layout = m_vkLayout;
  VkPipeline vkPipeline = VK_NULL_HANDLE;
  check(vkCreateComputePipelines(m_vkDevice, VK_NULL_HANDLE, 1, &info, nullptr, &vkPipeline),
        "vkCreateComputePipelines");
  vkDestroyShaderModule(m_vkDevice, vkModule, nullptr);
  m_destroy.push_back([this, vkPipeline] { vkDestroyPipeline(m_vkDevice, vkPipeline, nullptr); });
  return vkPipeline;
}

} // namespace basanite::benchmarks::twin
