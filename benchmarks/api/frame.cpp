// SPDX-License-Identifier: Apache-2.0
// A whole frame: depth from the light, a lit pass with filtered shadows, tone mapping in a kernel. GPU span,
// encode time and the time from commit until the program knows that the frame is done.
#include "benchmarks/api/frame_scene.hpp"
#include "benchmarks/api/metal.hpp"
#include "benchmarks/harness/pictures.hpp"
#include "benchmarks/harness/report.hpp"
#include "benchmarks/raw_vulkan/commands.hpp"
#include "benchmarks/raw_vulkan/shaders/spirv.hpp"

#include <cstddef>
#include <cstring>
#include <fmt/format.h>

namespace basanite::benchmarks {
namespace {

constexpr uint32_t kThreadgroupSide = 16;

// Values of one measurement, in ns: the whole span on the GPU, its three passes, encoding, commit to known
// completion.
enum Value { kSpan, kDepthPass, kLitPass, kComputePass, kEncode, kCommitToDone, kValues };
constexpr const char* kValueNames[kValues] = {"GPU: whole frame",  "GPU: depth pass", "GPU: lit pass",
                                              "GPU: compute pass", "CPU: encode",     "commit until done"};

std::vector<double> values(const std::vector<double>& stamps, double encodeNs, double doneNs) {
  return {stamps[3] - stamps[0],
          stamps[1] - stamps[0],
          stamps[2] - stamps[1],
          stamps[3] - stamps[2],
          encodeNs,
          doneNs};
}

class Ours {
 public:
  Ours(Metal& metal, const FrameScene& scene) : m_metal(metal), m_scene(scene) {
    m_vertices = metal.privateBuffer(scene.vertices.data(), scene.vertices.size() * sizeof(FrameVertex));
    m_indices = metal.privateBuffer(scene.indices.data(), scene.indices.size() * sizeof(uint32_t));
    m_constants = metal.sharedBuffer(sizeof(FrameConstants));
    std::memcpy(m_constants->contents(), &scene.constants, sizeof(FrameConstants));

    constexpr MTL::TextureUsage kDrawnThenRead = MTL::TextureUsageRenderTarget | MTL::TextureUsageShaderRead;
    m_shadowMap = metal.texture(kShadowSide, kShadowSide, MTL::PixelFormatDepth32Float, kDrawnThenRead);
    m_depth =
        metal.texture(kFrameWidth, kFrameHeight, MTL::PixelFormatDepth32Float, MTL::TextureUsageRenderTarget);
    m_radiance = metal.texture(kFrameWidth, kFrameHeight, MTL::PixelFormatRGBA16Float, kDrawnThenRead);
    m_picture = metal.texture(kFrameWidth, kFrameHeight, MTL::PixelFormatRGBA8Unorm,
                              MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite);
    m_shadowPass = metal.clearPass(nullptr, m_shadowMap.get());
    m_litPass = metal.clearPass(m_radiance.get(), m_depth.get());

    auto vertices = NS::TransferPtr(MTL::VertexDescriptor::alloc()->init());
    for (NS::UInteger i = 0; i < 2; ++i) {
      MTL::VertexAttributeDescriptor* attribute = vertices->attributes()->object(i);
      attribute->setFormat(MTL::VertexFormatFloat3);
      attribute->setOffset(i * offsetof(FrameVertex, normal));
      attribute->setBufferIndex(0);
    }
    vertices->layouts()->object(0)->setStride(sizeof(FrameVertex));
    auto library = metal.library(kFrameSource);
    m_shadowPipeline =
        metal.renderPipeline(library.get(), "shadowVertex", "", MTL::PixelFormatInvalid, vertices.get());
    m_litPipeline = metal.renderPipeline(library.get(), "litVertex", "litFragment",
                                         MTL::PixelFormatRGBA16Float, vertices.get());
    m_toneMapPipeline = metal.computePipeline(library.get(), "toneMap");
    auto depth = NS::TransferPtr(MTL::DepthStencilDescriptor::alloc()->init());
    depth->setDepthCompareFunction(MTL::CompareFunctionLessEqual);
    depth->setDepthWriteEnabled(true);
    m_depthState = NS::TransferPtr(metal.device()->newDepthStencilState(depth.get()));

    m_drawArguments = metal.argumentTable(2, 1);
    m_drawArguments->setAddress(m_vertices->gpuAddress(), 0);
    m_drawArguments->setAddress(m_constants->gpuAddress(), 1);
    m_drawArguments->setTexture(m_shadowMap->gpuResourceID(), 0);
    m_kernelArguments = metal.argumentTable(0, 2);
    m_kernelArguments->setTexture(m_radiance->gpuResourceID(), 0);
    m_kernelArguments->setTexture(m_picture->gpuResourceID(), 1);
    m_heap = metal.counterHeap(4);
  }

  std::vector<double> measure() {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    MTL4::CommandBuffer* commands = m_metal.prepare();
    const Stopwatch encode;
    m_metal.beginPrepared();
    commands->writeTimestampIntoHeap(m_heap.get(), 0);

    MTL4::RenderCommandEncoder* shadow = commands->renderCommandEncoder(m_shadowPass.get());
    shadow->setRenderPipelineState(m_shadowPipeline.get());
    shadow->setDepthStencilState(m_depthState.get());
    shadow->setArgumentTable(m_drawArguments.get(), MTL::RenderStageVertex);
    drawAll(shadow);
    shadow->endEncoding();
    commands->writeTimestampIntoHeap(m_heap.get(), 1);

    MTL4::RenderCommandEncoder* lit = commands->renderCommandEncoder(m_litPass.get());
    lit->barrierAfterQueueStages(MTL::StageFragment, MTL::StageFragment, MTL4::VisibilityOptionDevice);
    lit->setRenderPipelineState(m_litPipeline.get());
    lit->setDepthStencilState(m_depthState.get());
    lit->setArgumentTable(m_drawArguments.get(), MTL::RenderStageVertex | MTL::RenderStageFragment);
    drawAll(lit);
    lit->endEncoding();
    commands->writeTimestampIntoHeap(m_heap.get(), 2);

    MTL4::ComputeCommandEncoder* toneMap = commands->computeCommandEncoder();
    toneMap->barrierAfterQueueStages(MTL::StageFragment, MTL::StageDispatch, MTL4::VisibilityOptionDevice);
    toneMap->setComputePipelineState(m_toneMapPipeline.get());
    toneMap->setArgumentTable(m_kernelArguments.get());
    toneMap->dispatchThreads(MTL::Size::Make(kFrameWidth, kFrameHeight, 1),
                             MTL::Size::Make(kThreadgroupSide, kThreadgroupSide, 1));
    toneMap->endEncoding();
    commands->writeTimestampIntoHeap(m_heap.get(), 3);

    commands->endCommandBuffer();
    const double encodeNs = encode.ns();
    const Stopwatch done;
    m_metal.commitAndWait();
    const double doneNs = done.ns();
    return values(m_metal.stamps(m_heap.get(), 4), encodeNs, doneNs);
  }

  std::vector<uint8_t> picture() { return m_metal.readBack(m_picture.get(), 4); }

 private:
  void drawAll(MTL4::RenderCommandEncoder* encoder) {
    for (const FrameDraw& draw : m_scene.draws)
      encoder->drawIndexedPrimitives(MTL::PrimitiveTypeTriangle, draw.count, MTL::IndexTypeUInt32,
                                     m_indices->gpuAddress() + draw.first * sizeof(uint32_t),
                                     draw.count * sizeof(uint32_t));
  }

  Metal& m_metal;
  const FrameScene& m_scene;
  NS::SharedPtr<MTL::Buffer> m_vertices, m_indices, m_constants;
  NS::SharedPtr<MTL::Texture> m_shadowMap, m_depth, m_radiance, m_picture;
  NS::SharedPtr<MTL4::RenderPassDescriptor> m_shadowPass, m_litPass;
  NS::SharedPtr<MTL::RenderPipelineState> m_shadowPipeline, m_litPipeline;
  NS::SharedPtr<MTL::ComputePipelineState> m_toneMapPipeline;
  NS::SharedPtr<MTL::DepthStencilState> m_depthState;
  NS::SharedPtr<MTL4::ArgumentTable> m_drawArguments, m_kernelArguments;
  NS::SharedPtr<MTL4::CounterHeap> m_heap;
};

// Mirrors the push constants of the twin's GLSL.
struct Push {
  VkDeviceAddress frame;
  uint32_t shadowMap, radiance, picture;
};

class Twin {
 public:
  Twin(twin::Device& device, const FrameScene& scene)
      : m_device(device), m_scene(scene), m_commands(device, 4) {
    m_vertices = device.makeBuffer(scene.vertices.size() * sizeof(FrameVertex));
    std::memcpy(m_vertices.contents, scene.vertices.data(), m_vertices.lengthBytes);
    m_indices = device.makeBuffer(scene.indices.size() * sizeof(uint32_t));
    std::memcpy(m_indices.contents, scene.indices.data(), m_indices.lengthBytes);
    m_constants = device.makeBuffer(sizeof(FrameConstants));
    std::memcpy(m_constants.contents, &scene.constants, sizeof(FrameConstants));

    constexpr VkImageUsageFlags kDepth = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    m_shadowMap = device.makeImage({kShadowSide, kShadowSide}, VK_FORMAT_D32_SFLOAT,
                                   kDepth | VK_IMAGE_USAGE_SAMPLED_BIT);
    m_depth = device.makeImage({kFrameWidth, kFrameHeight}, VK_FORMAT_D32_SFLOAT, kDepth);
    m_radiance = device.makeImage({kFrameWidth, kFrameHeight}, VK_FORMAT_R16G16B16A16_SFLOAT,
                                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    m_picture =
        device.makeImage({kFrameWidth, kFrameHeight}, VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_STORAGE_BIT);
    device.setSampled(0, m_shadowMap);
    device.setSampled(1, m_radiance);
    device.setStorage(0, m_picture);

    twin::GraphicsRecipe recipe;
    recipe.vertexStrideBytes = sizeof(FrameVertex);
    recipe.depth = VK_FORMAT_D32_SFLOAT;
    recipe.vertex = twin::spirv::shadowVert;
    recipe.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}};
    m_shadowPipeline = device.makeGraphics(recipe);
    recipe.vertex = twin::spirv::litVert;
    recipe.fragment = twin::spirv::litFrag;
    recipe.color = VK_FORMAT_R16G16B16A16_SFLOAT;
    recipe.attributes.push_back({1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(FrameVertex, normal)});
    m_litPipeline = device.makeGraphics(recipe);
    m_toneMapPipeline = device.makeCompute(twin::spirv::toneMapComp);
  }

  std::vector<double> measure() {
    constexpr VkPipelineStageFlags2 kDepthTests =
        VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
    m_commands.prepare();
    const Stopwatch encode;
    m_commands.begin();
    VkCommandBuffer vk = m_commands.vk;
    const Push push{m_constants.address, 0, 1, 0};
    const VkDescriptorSet vkSet = m_device.vkSet();
    const VkDeviceSize offset = 0;
    vkCmdBindDescriptorSets(vk, VK_PIPELINE_BIND_POINT_GRAPHICS, m_device.vkLayout(), 0, 1, &vkSet, 0,
                            nullptr);
    vkCmdBindDescriptorSets(vk, VK_PIPELINE_BIND_POINT_COMPUTE, m_device.vkLayout(), 0, 1, &vkSet, 0,
                            nullptr);
    vkCmdBindVertexBuffers(vk, 0, 1, &m_vertices.vkBuffer, &offset);
    vkCmdBindIndexBuffer(vk, m_indices.vkBuffer, 0, VK_INDEX_TYPE_UINT32);
    m_commands.stampOutside();

    m_commands.beginRendering({nullptr, &m_shadowMap});
    m_commands.bind(m_shadowPipeline);
    m_commands.push(&push, sizeof push);
    drawAll();
    m_commands.endRendering();
    m_commands.stampOutside();

    m_commands.barrier(kDepthTests, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
    m_commands.beginRendering({&m_radiance, &m_depth});
    m_commands.bind(m_litPipeline);
    // Lavapipe (Mesa 25.0) hands the fragment stage only what is pushed while a pipeline with that stage is
    // bound.
    m_commands.push(&push, sizeof push);
    drawAll();
    m_commands.endRendering();
    m_commands.stampOutside();

    m_commands.barrier(VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                       VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
    vkCmdBindPipeline(vk, VK_PIPELINE_BIND_POINT_COMPUTE, m_toneMapPipeline);
    m_commands.push(&push, sizeof push);
    vkCmdDispatch(vk, (kFrameWidth + kThreadgroupSide - 1) / kThreadgroupSide,
                  (kFrameHeight + kThreadgroupSide - 1) / kThreadgroupSide, 1);
    m_commands.stampOutside();

    m_commands.end();
    const double encodeNs = encode.ns();
    const Stopwatch done;
    m_device.run(vk);
    const double doneNs = done.ns();
    return values(m_commands.stamps(), encodeNs, doneNs);
  }

  std::vector<uint8_t> picture() { return m_device.readBack(m_picture, 4); }

 private:
  void drawAll() {
    for (const FrameDraw& draw : m_scene.draws)
      vkCmdDrawIndexed(m_commands.vk, draw.count, 1, draw.first, 0, 0);
  }

  twin::Device& m_device;
  const FrameScene& m_scene;
  twin::Commands m_commands;
  twin::Buffer m_vertices, m_indices, m_constants;
  twin::Image m_shadowMap, m_depth, m_radiance, m_picture;
  VkPipeline m_shadowPipeline = VK_NULL_HANDLE, m_litPipeline = VK_NULL_HANDLE,
             m_toneMapPipeline = VK_NULL_HANDLE;
};

void run(const Options& options) {
  Metal metal;
  twin::Device device(metal.name());
  const FrameScene scene = frameScene();
  Ours ours(metal, scene);
  Twin twin(device, scene);

  const auto result =
      interleave(options.repeats, {[&] { return ours.measure(); }, [&] { return twin.measure(); }});
  const double difference = comparePictures("frame", ours.picture(), twin.picture(), 1.0);

  Report report("frame", metal.name(), options.repeats);
  report.table("three passes", "us", {"ours", "twin", "ours/twin"});
  auto inUs = [](const Summary& ns) { return Summary{ns.median / 1e3, ns.low / 1e3, ns.high / 1e3}; };
  for (int value = 0; value < kValues; ++value)
    if (options.wants(kValueNames[value]))
      report.row(kValueNames[value],
                 {inUs(result[0][value]), inUs(result[1][value]), ratio(result[0][value], result[1][value])});
  report.note(fmt::format(
      "{} x {}, {} triangles in {} draws a pass. The pictures differ by {:.3f} of 255 in the mean.",
      kFrameWidth, kFrameHeight, scene.indices.size() / 3, scene.draws.size(), difference));
  report.finish(options);
}

} // namespace
} // namespace basanite::benchmarks

int main(int argc, char** argv) {
  using namespace basanite::benchmarks;
  run(parseOptions(argc, argv, "frame",
                   "A frame of three passes (depth, lit, compute): Basanite beside hand-written Vulkan.",
                   15));
}
