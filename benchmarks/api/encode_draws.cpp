// SPDX-License-Identifier: Apache-2.0
// CPU cost of encoding one draw, begin to end of a command buffer of 10,000: nothing changes, 64 bytes of
// constants change, or the pipeline changes every 8 draws. Ours sets addresses in an argument table; the twin
// pushes constants.
#include "benchmarks/api/metal.hpp"
#include "benchmarks/api/small_draws.hpp"
#include "benchmarks/harness/pictures.hpp"
#include "benchmarks/harness/report.hpp"
#include "benchmarks/raw_vulkan/commands.hpp"
#include "benchmarks/raw_vulkan/shaders/spirv.hpp"

#include <cstring>

namespace basanite::benchmarks {
namespace {

constexpr uint32_t kDraws = 10'000;
constexpr uint32_t kDrawsPerPipeline = 8;
constexpr uint32_t kSide = 512;

enum class Change { nothing, constants, pipeline };

class Ours {
 public:
  Ours(Metal& metal, const std::vector<SmallConstants>& constants) : m_metal(metal), m_constants(constants) {
    auto library = metal.library(kSmallDrawsSource);
    m_pipelines[0] =
        metal.renderPipeline(library.get(), "smallVertex", "smallFragment", MTL::PixelFormatRGBA8Unorm);
    m_pipelines[1] = metal.renderPipeline(library.get(), "smallVertex", "smallSwappedFragment",
                                          MTL::PixelFormatRGBA8Unorm);
    m_target = metal.texture(kSide, kSide, MTL::PixelFormatRGBA8Unorm,
                             MTL::TextureUsageRenderTarget | MTL::TextureUsageShaderRead);
    m_pass = metal.clearPass(m_target.get());
    m_ring = metal.sharedBuffer(constants.size() * sizeof(SmallConstants));
    m_arguments = metal.argumentTable(1);
  }

  // Encode time in ns per draw.
  double encode(Change change) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    MTL4::CommandBuffer* commands = m_metal.prepare();
    const Stopwatch watch;
    m_metal.beginPrepared();
    MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(m_pass.get());
    encoder->setRenderPipelineState(m_pipelines[0].get());
    encoder->setArgumentTable(m_arguments.get(), MTL::RenderStageVertex);
    auto* ring = static_cast<SmallConstants*>(m_ring->contents());
    const MTL::GPUAddress address = m_ring->gpuAddress();
    ring[0] = m_constants[0];
    m_arguments->setAddress(address, 0);
    for (uint32_t i = 0; i < kDraws; ++i) {
      if (change == Change::constants) {
        ring[i] = m_constants[i];
        m_arguments->setAddress(address + i * sizeof(SmallConstants), 0);
      } else if (change == Change::pipeline && i % kDrawsPerPipeline == 0) {
        encoder->setRenderPipelineState(m_pipelines[i / kDrawsPerPipeline % 2].get());
      }
      encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
    }
    encoder->endEncoding();
    commands->endCommandBuffer();
    const double encodeNs = watch.ns();
    m_metal.commitAndWait(); // an allocator is reset only when what it holds has run
    return encodeNs / kDraws;
  }

  std::vector<uint8_t> picture(Change change) {
    encode(change);
    return m_metal.readBack(m_target.get(), 4);
  }

 private:
  Metal& m_metal;
  const std::vector<SmallConstants>& m_constants;
  NS::SharedPtr<MTL::RenderPipelineState> m_pipelines[2];
  NS::SharedPtr<MTL::Texture> m_target;
  NS::SharedPtr<MTL4::RenderPassDescriptor> m_pass;
  NS::SharedPtr<MTL::Buffer> m_ring;
  NS::SharedPtr<MTL4::ArgumentTable> m_arguments;
};

class Twin {
 public:
  // byAddress: constants lie in memory and their address is pushed, instead of the constants themselves.
  Twin(twin::Device& device, const std::vector<SmallConstants>& constants, bool byAddress)
      : m_device(device), m_constants(constants), m_byAddress(byAddress), m_commands(device, 0) {
    twin::GraphicsRecipe recipe;
    if (byAddress)
      recipe.vertex = twin::spirv::smallAddressVert;
    else
      recipe.vertex = twin::spirv::smallPushVert;
    recipe.color = VK_FORMAT_R8G8B8A8_UNORM;
    recipe.fragment = twin::spirv::smallFrag;
    m_pipelines[0] = device.makeGraphics(recipe);
    recipe.fragment = twin::spirv::smallSwappedFrag;
    m_pipelines[1] = device.makeGraphics(recipe);
    m_target = device.makeImage({kSide, kSide}, recipe.color, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    m_ring = device.makeBuffer(constants.size() * sizeof(SmallConstants));
  }

  double encode(Change change) {
    m_commands.prepare();
    const Stopwatch watch;
    m_commands.begin();
    m_commands.beginRendering({&m_target, nullptr});
    m_commands.bind(m_pipelines[0]);
    pushConstants(0);
    for (uint32_t i = 0; i < kDraws; ++i) {
      if (change == Change::constants)
        pushConstants(i);
      else if (change == Change::pipeline && i % kDrawsPerPipeline == 0)
        m_commands.bind(m_pipelines[i / kDrawsPerPipeline % 2]);
      vkCmdDraw(m_commands.vk, 3, 1, 0, 0);
    }
    m_commands.endRendering();
    m_commands.end();
    const double encodeNs = watch.ns();
    m_device.run(m_commands.vk);
    return encodeNs / kDraws;
  }

  std::vector<uint8_t> picture(Change change) {
    encode(change);
    return m_device.readBack(m_target, 4);
  }

 private:
  void pushConstants(uint32_t i) {
    if (!m_byAddress) return m_commands.push(&m_constants[i], sizeof(SmallConstants));
    static_cast<SmallConstants*>(m_ring.contents)[i] = m_constants[i];
    const VkDeviceAddress address = m_ring.address + i * sizeof(SmallConstants);
    m_commands.push(&address, sizeof address);
  }

  twin::Device& m_device;
  const std::vector<SmallConstants>& m_constants;
  bool m_byAddress;
  twin::Commands m_commands;
  VkPipeline m_pipelines[2] = {};
  twin::Image m_target;
  twin::Buffer m_ring;
};

void run(const Options& options) {
  Metal metal;
  twin::Device device(metal.name());
  const std::vector<SmallConstants> constants = smallConstants(kDraws);
  Ours ours(metal, constants);
  Twin pushing(device, constants, false);
  Twin addressing(device, constants, true);

  Report report("encode_draws", metal.name(), options.repeats);
  report.table("per draw", "ns of CPU time",
               {"ours", "twin", "ours/twin", "twin by address", "ours/by address"});
  const std::pair<const char*, Change> cases[] = {{"nothing changes", Change::nothing},
                                                  {"64 bytes of constants change", Change::constants},
                                                  {"pipeline changes every 8 draws", Change::pipeline}};
  for (const auto& [name, change] : cases) {
    if (!options.wants(name)) continue;
    const std::vector<uint8_t> picture = ours.picture(change);
    comparePictures(name, picture, pushing.picture(change), 0.5);
    comparePictures(name, picture, addressing.picture(change), 0.5);
    auto result = interleave(options.repeats, {[&] { return std::vector{ours.encode(change)}; },
                                               [&] { return std::vector{pushing.encode(change)}; },
                                               [&] { return std::vector{addressing.encode(change)}; }});
    const Summary our = result[0][0], push = result[1][0], address = result[2][0];
    report.row(name, {our, push, ratio(our, push), address, ratio(our, address)});
  }
  report.note(
      "twin: push constants of 64 bytes. By address: 64 bytes written to memory, 8 bytes of address pushed.");
  report.note("Both sides drew the same pictures.");
  report.finish(options);
}

} // namespace
} // namespace basanite::benchmarks

int main(int argc, char** argv) {
  using namespace basanite::benchmarks;
  run(parseOptions(
      argc, argv, "encode_draws",
      "CPU time of encoding a draw: Basanite beside hand-written Vulkan, begin to end of a command buffer "
      "of 10,000 draws.",
      31));
}
