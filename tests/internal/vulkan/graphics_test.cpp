// SPDX-License-Identifier: Apache-2.0
// Render pipelines: variants, dynamic state, pixels.
#include "src/vulkan/host_transfer.hpp"
#include "src/vulkan/image.hpp"
#include "tests/internal/vulkan/shaders.hpp"
#include "tests/internal/vulkan/vulkan_fixture.hpp"

#include <cstring>

namespace basanite::vulkan::test {
namespace {

constexpr uint32_t kSize = 16;

class GraphicsTest : public VulkanTest {
 protected:
  void SetUp() override {
    VulkanTest::SetUp();
    ImageInfo info;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.width = info.height = kSize;
    info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    m_color = must(Image::create(m_device, info, "color"));
    info.format = VK_FORMAT_D32_SFLOAT;
    info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    m_depth = must(Image::create(m_device, info, "depth"));
  }
  void TearDown() override {
    m_color = m_depth = nullptr;
    VulkanTest::TearDown();
  }

  base::Ref<GraphicsPipeline> pipeline() {
    auto vertex = assemble(kFullScreenVertex), fragment = assemble(kSolidFragment);
    GraphicsPipelineInfo info;
    info.vertexSpirv = vertex;
    info.fragmentSpirv = fragment;
    info.label = "solid";
    info.blend[0].colorWriteMask = 0xf;
    return must(GraphicsPipeline::create(m_device, info));
  }

  // Clears color to 0 and depth to `clearDepth`, and runs `draw` inside.
  template <class Draw> void pass(CommandBuffer& commands, float clearDepth, Draw&& draw) {
    VkRenderingAttachmentInfo color{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO}, depth = color;
    color.imageView = must(m_color->attachmentView(VK_FORMAT_UNDEFINED, 0, 0, 1));
    depth.imageView = must(m_depth->attachmentView(VK_FORMAT_UNDEFINED, 0, 0, 1));
    color.imageLayout = depth.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    color.loadOp = depth.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    color.storeOp = depth.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    depth.clearValue.depthStencil = {clearDepth, 0};
    VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.renderArea.extent = {kSize, kSize};
    info.layerCount = 1;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &color;
    info.pDepthAttachment = &depth;
    m_device->fn().vkCmdBeginRendering(commands.vkMain(), &info);
    VkViewport viewport{0, kSize, kSize, -float(kSize), 0, 1};
    VkRect2D scissor{{0, 0}, {kSize, kSize}};
    commands.setDefaultRenderState();
    commands.setViewports({&viewport, 1});
    commands.setScissors({&scissor, 1});
    commands.pushConstants({});
    draw();
    m_device->fn().vkCmdEndRendering(commands.vkMain());
  }

  PassFormats formats() const {
    PassFormats formats;
    formats.color[0] = VK_FORMAT_R8G8B8A8_UNORM;
    formats.depth = VK_FORMAT_D32_SFLOAT;
    return formats;
  }

  std::vector<uint32_t> pixels() {
    std::vector<uint32_t> texels(kSize * kSize);
    ImageTransfer transfer;
    transfer.extent = {kSize, kSize, 1};
    transfer.bytesPerRow = kSize * 4;
    must(m_device->hostTransfer().readImage(*m_color, transfer, texels.data()));
    return texels;
  }

  static constexpr uint32_t kSolid = 0xff3366ff; // 1, 0.4, 0.2, 1 in bytes from the lowest

  base::Ref<Image> m_color, m_depth;
};

TEST_F(GraphicsTest, DrawsEveryPixel) {
  auto solid = pipeline();
  run([&](CommandBuffer& commands) {
    pass(commands, 1, [&] {
      commands.bindGraphics(*solid, must(solid->variant(formats(), {})));
      commands.draw(3, 1, 0, 0);
    });
  });
  for (uint32_t pixel : pixels()) ASSERT_EQ(pixel, kSolid);
}

TEST_F(GraphicsTest, ScissorAndDepthTestHold) {
  auto solid = pipeline();
  for (float clearDepth : {1.0f, 0.25f}) {
    run([&](CommandBuffer& commands) {
      pass(commands, clearDepth, [&] {
        commands.bindGraphics(*solid, must(solid->variant(formats(), {})));
        commands.setDepthState(true, true, VK_COMPARE_OP_LESS); // the triangle is at 0.5
        VkRect2D scissor{{2, 3}, {4, 5}};
        commands.setScissors({&scissor, 1});
        commands.draw(3, 1, 0, 0);
      });
    });
    auto texels = pixels();
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x) {
        bool inside = x >= 2 && x < 6 && y >= 3 && y < 8 && clearDepth == 1.0f;
        ASSERT_EQ(texels[y * kSize + x], inside ? kSolid : 0u) << x << ", " << y;
      }
  }
}

TEST_F(GraphicsTest, CullingFollowsTheFrontFace) {
  auto solid = pipeline();
  uint32_t drawn[2];
  for (int i = 0; i < 2; ++i) {
    run([&](CommandBuffer& commands) {
      pass(commands, 1, [&] {
        commands.bindGraphics(*solid, must(solid->variant(formats(), {})));
        commands.setCullMode(VK_CULL_MODE_BACK_BIT);
        commands.setFrontFace(i == 0 ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE);
        commands.draw(3, 1, 0, 0);
      });
    });
    drawn[i] = pixels()[0];
  }
  // (-1,-1), (3,-1), (-1,3) with y up, as the negative viewport height makes it, turns counter-clockwise.
  EXPECT_EQ(drawn[0], 0u);
  EXPECT_EQ(drawn[1], kSolid);
}

TEST_F(GraphicsTest, StencilMasksDraws) {
  auto solid = pipeline();
  ImageInfo info;
  info.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
  info.width = info.height = kSize;
  info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  m_depth = must(Image::create(m_device, info, "depth and stencil"));
  PassFormats withStencil = formats();
  withStencil.depth = withStencil.stencil = info.format;
  run([&](CommandBuffer& commands) {
    VkRenderingAttachmentInfo color{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO}, depth = color;
    color.imageView = must(m_color->attachmentView(VK_FORMAT_UNDEFINED, 0, 0, 1));
    depth.imageView = must(m_depth->attachmentView(VK_FORMAT_UNDEFINED, 0, 0, 1));
    color.imageLayout = depth.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    color.loadOp = depth.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    color.storeOp = depth.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
    rendering.renderArea.extent = {kSize, kSize};
    rendering.layerCount = 1;
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachments = &color;
    rendering.pDepthAttachment = &depth;
    rendering.pStencilAttachment = &depth;
    m_device->fn().vkCmdBeginRendering(commands.vkMain(), &rendering);
    VkViewport viewport{0, 0, kSize, kSize, 0, 1};
    VkRect2D left{{0, 0}, {kSize / 2, kSize}}, all{{0, 0}, {kSize, kSize}};
    commands.setDefaultRenderState();
    commands.setViewports({&viewport, 1});
    commands.pushConstants({});
    commands.bindGraphics(*solid, must(solid->variant(withStencil, {})));
    // The left half sets stencil to 5 and fails the depth-independent test there; then only stencil 5 is
    // drawn over.
    StencilFace mark;
    mark.compareOp = VK_COMPARE_OP_NEVER;
    mark.failOp = VK_STENCIL_OP_REPLACE;
    commands.setStencilState(mark, mark);
    commands.setStencilReference(5, 5);
    commands.setScissors({&left, 1});
    commands.draw(3, 1, 0, 0);
    StencilFace equal;
    equal.compareOp = VK_COMPARE_OP_EQUAL;
    commands.setStencilState(equal, equal);
    commands.setScissors({&all, 1});
    commands.draw(3, 1, 0, 0);
    m_device->fn().vkCmdEndRendering(commands.vkMain());
  });
  auto texels = pixels();
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) ASSERT_EQ(texels[y * kSize + x], x < kSize / 2 ? kSolid : 0u) << x;
}

TEST_F(GraphicsTest, IndexedDrawsUseBaseVertexAndOffset) {
  auto solid = pipeline();
  auto indices = sharedBuffer(64);
  const uint16_t values[] = {9, 9, 9, 9, 10, 11, 12}; // the draw reads from index 4 on, with base vertex -10
  std::memcpy(indices->contents(), values, sizeof(values));
  run([&](CommandBuffer& commands) {
    pass(commands, 1, [&] {
      commands.bindGraphics(*solid, must(solid->variant(formats(), {})));
      commands.bindIndexBuffer(indices->vkBuffer(), 4, VK_INDEX_TYPE_UINT16);
      commands.drawIndexed(3, 1, 2, -10, 0);
    });
  });
  EXPECT_EQ(pixels()[kSize * kSize - 1], kSolid);
}

TEST_F(GraphicsTest, VariantsAreCompiledOnceAPassKind) {
  auto solid = pipeline();
  EXPECT_EQ(solid->variantCount(), 0u);
  VkPipeline first = must(solid->variant(formats(), {}));
  EXPECT_EQ(must(solid->variant(formats(), {})), first);
  PassFormats noDepth = formats();
  noDepth.depth = VK_FORMAT_UNDEFINED;
  EXPECT_NE(must(solid->variant(noDepth, {})), first);
  VariantState lines;
  lines.topologyClass = TopologyClass::line;
  EXPECT_NE(must(solid->variant(formats(), lines)), first);
  EXPECT_EQ(solid->variantCount(), 3u);
}

TEST(PassFormatsTest, CountsUpToTheLastColor) {
  PassFormats formats;
  EXPECT_EQ(formats.colorCount(), 0u);
  formats.color[3] = VK_FORMAT_R8_UNORM;
  EXPECT_EQ(formats.colorCount(), 4u);
  formats.color[7] = VK_FORMAT_R8_UNORM;
  EXPECT_EQ(formats.colorCount(), 8u);
}

TEST_F(GraphicsTest, AFormatThatCannotBlendIsNamed) {
  auto vertex = assemble(kFullScreenVertex);
  GraphicsPipelineInfo info;
  info.vertexSpirv = vertex;
  info.label = "blender";
  info.blend[0].blendEnable = VK_TRUE;
  auto blender = must(GraphicsPipeline::create(m_device, info));
  PassFormats integers;
  integers.color[0] = VK_FORMAT_R32G32B32A32_UINT;
  auto variant = blender->variant(integers, {});
  ASSERT_FALSE(variant.ok());
  EXPECT_NE(variant.error().message.find("blender"), std::string::npos) << variant.error().message;
}

} // namespace
} // namespace basanite::vulkan::test
