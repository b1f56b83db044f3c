// SPDX-License-Identifier: Apache-2.0
// What a timestamp between two draws costs: GPU time and encode time of a pass of 1,000 small draws with a
// stamp behind each, less those of the pass without stamps. Ours: relaxed and precise; the twin: every form
// of docs/timestamps.md.
#include "benchmarks/api/metal.hpp"
#include "benchmarks/api/small_draws.hpp"
#include "benchmarks/harness/report.hpp"
#include "benchmarks/raw_vulkan/commands.hpp"
#include "benchmarks/raw_vulkan/shaders/spirv.hpp"

#include <cstring>
#include <optional>

namespace basanite::benchmarks {
namespace {

constexpr uint32_t kDraws = 1'000;
constexpr uint32_t kSide = 512;

// GPU span of the pass and encode time, both in ns.
enum Value { kGpu, kEncode };

class Ours {
 public:
  explicit Ours(Metal& metal) : m_metal(metal) {
    auto library = metal.library(kSmallDrawsSource);
    m_pipeline =
        metal.renderPipeline(library.get(), "smallVertex", "smallFragment", MTL::PixelFormatRGBA8Unorm);
    m_target = metal.texture(kSide, kSide, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageRenderTarget);
    m_pass = metal.clearPass(m_target.get());
    m_constants = metal.sharedBuffer(sizeof(SmallConstants));
    const SmallConstants constants = smallConstants(kDraws)[0];
    std::memcpy(m_constants->contents(), &constants, sizeof constants);
    m_arguments = metal.argumentTable(1);
    m_arguments->setAddress(m_constants->gpuAddress(), 0);
    m_heap = metal.counterHeap(kDraws + 2);
  }

  // No granularity: no stamps between the draws.
  std::vector<double> measure(std::optional<MTL4::TimestampGranularity> granularity) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    MTL4::CommandBuffer* commands = m_metal.prepare();
    const Stopwatch watch;
    m_metal.beginPrepared();
    commands->writeTimestampIntoHeap(m_heap.get(), 0);
    MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(m_pass.get());
    encoder->setRenderPipelineState(m_pipeline.get());
    encoder->setArgumentTable(m_arguments.get(), MTL::RenderStageVertex);
    for (uint32_t i = 0; i < kDraws; ++i) {
      encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
      if (granularity) encoder->writeTimestamp(*granularity, MTL::RenderStageFragment, m_heap.get(), i + 2);
    }
    encoder->endEncoding();
    commands->writeTimestampIntoHeap(m_heap.get(), 1);
    commands->endCommandBuffer();
    const double encodeNs = watch.ns();
    m_metal.commitAndWait();
    return {m_metal.stamps(m_heap.get(), 2)[1], encodeNs};
  }

 private:
  Metal& m_metal;
  NS::SharedPtr<MTL::RenderPipelineState> m_pipeline;
  NS::SharedPtr<MTL::Texture> m_target;
  NS::SharedPtr<MTL4::RenderPassDescriptor> m_pass;
  NS::SharedPtr<MTL::Buffer> m_constants;
  NS::SharedPtr<MTL4::ArgumentTable> m_arguments;
  NS::SharedPtr<MTL4::CounterHeap> m_heap;
};

class Twin {
 public:
  explicit Twin(twin::Device& device)
      : m_device(device), m_commands(device, 2 * kDraws + 2),
        m_results(device.makeBuffer((2 * kDraws + 2) * 8)), m_constants(smallConstants(kDraws)[0]) {
    twin::GraphicsRecipe recipe;
    recipe.vertex = twin::spirv::smallPushVert;
    recipe.fragment = twin::spirv::smallFrag;
    recipe.color = VK_FORMAT_R8G8B8A8_UNORM;
    m_pipeline = device.makeGraphics(recipe);
    m_target = device.makeImage({kSide, kSide}, recipe.color, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
  }

  std::vector<double> measure(std::optional<twin::Stamp> form) {
    const twin::Target target{&m_target, nullptr};
    m_commands.prepare();
    const Stopwatch watch;
    m_commands.begin();
    m_commands.stampOutside();
    m_commands.beginRendering(target);
    m_commands.bind(m_pipeline);
    m_commands.push(&m_constants, sizeof m_constants);
    for (uint32_t i = 0; i < kDraws; ++i) {
      vkCmdDraw(m_commands.vk, 3, 1, 0, 0);
      if (form) m_commands.stampInside(*form, target);
    }
    m_commands.endRendering();
    const uint32_t last = m_commands.stampOutside();
    m_commands.copyStamps(m_results);
    m_commands.end();
    const double encodeNs = watch.ns();
    m_device.run(m_commands.vk);
    return {m_commands.stamps()[last], encodeNs};
  }

 private:
  twin::Device& m_device;
  twin::Commands m_commands;
  twin::Buffer m_results;
  SmallConstants m_constants;
  VkPipeline m_pipeline = VK_NULL_HANDLE;
  twin::Image m_target;
};

// The cost of one stamp: what the pass with stamps takes longer than the one without.
Summary perStamp(const Summary& with, const Summary& without, double unitNs) {
  auto cost = [&](double value) { return (value - without.median) / kDraws / unitNs; };
  return {cost(with.median), cost(with.low), cost(with.high)};
}

void run(const Options& options) {
  Metal metal;
  twin::Device device(metal.name());
  Ours ours(metal);
  Twin twin(device);

  std::vector<Contender> contenders = {
      [&] { return ours.measure({}); },
      [&] { return ours.measure(MTL4::TimestampGranularityRelaxed); },
      [&] { return ours.measure(MTL4::TimestampGranularityPrecise); },
      [&] { return twin.measure({}); },
      [&] { return twin.measure(twin::Stamp::plain); },
      [&] { return twin.measure(twin::Stamp::doubled); },
      [&] { return twin.measure(twin::Stamp::split); },
  };
  if (device.hasLocalRead())
    contenders.push_back([&] { return twin.measure(twin::Stamp::localReadBarriers); });
  const auto result = interleave(options.repeats, contenders);

  struct RowPlan {
    const char* name;
    size_t ours, twin;
  };
  std::vector<RowPlan> plans = {{"relaxed, twin plain", 1, 4},
                                {"relaxed, twin doubled", 1, 5},
                                {"precise, twin splits the pass", 2, 6}};
  if (device.hasLocalRead()) plans.push_back({"precise, twin barriers in the pass", 2, 7});

  Report report("stamp_cost", metal.name(), options.repeats);
  auto table = [&](const char* title, const char* unit, Value value, double unitNs, int digits) {
    report.table(title, unit, {"ours", "twin", "ours/twin"}, digits);
    for (const RowPlan& plan : plans) {
      if (!options.wants(plan.name)) continue;
      const Summary our = perStamp(result[plan.ours][value], result[0][value], unitNs);
      const Summary other = perStamp(result[plan.twin][value], result[3][value], unitNs);
      report.row(plan.name, {our, other, ratio(our, other)});
    }
  };
  table("GPU time per stamp", "us", kGpu, 1e3, 2);
  table("encode time per stamp", "ns of CPU time", kEncode, 1, 1);
  report.note("Encode times include what brings the stamps into memory at the end of the command buffer.");
  report.table("the pass without stamps", "us", {"ours", "twin", "ours/twin"});
  report.row("GPU span",
             {perStamp(result[0][kGpu], {}, 1e3 / kDraws), perStamp(result[3][kGpu], {}, 1e3 / kDraws),
              ratio(result[0][kGpu], result[3][kGpu])});
  report.row("encode",
             {perStamp(result[0][kEncode], {}, 1e3 / kDraws), perStamp(result[3][kEncode], {}, 1e3 / kDraws),
              ratio(result[0][kEncode], result[3][kEncode])});
  report.finish(options);
}

} // namespace
} // namespace basanite::benchmarks

int main(int argc, char** argv) {
  using namespace basanite::benchmarks;
  run(parseOptions(argc, argv, "stamp_cost",
                   "Cost of a timestamp between two draws of a pass: Basanite beside hand-written Vulkan.",
                   15));
}
