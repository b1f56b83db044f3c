// SPDX-License-Identifier: Apache-2.0
// Are stamps true? Draws of known cost in one pass with a stamp before the first and after each; every
// interval should be the time of the draw that it encloses, known from that draw alone in a pass.
// F1/F10/F100: full-screen draws of fragment cost 1x, 10x, 100x; V: 300,000 vertices with a heavy vertex
// function and no fragments.
#include "benchmarks/api/metal.hpp"
#include "benchmarks/harness/report.hpp"
#include "benchmarks/raw_vulkan/commands.hpp"
#include "benchmarks/raw_vulkan/shaders/spirv.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace basanite::benchmarks {
namespace {

constexpr uint32_t kSide = 512;
constexpr uint32_t kHeavyVertices = 300'000;
constexpr uint32_t kMostDraws = 8;
constexpr NS::UInteger kCostStrideBytes = 256;

const std::string kSource = R"(
#include <metal_stdlib>
using namespace metal;

struct Varyings { float4 position [[position]]; };
struct Cost { uint iterations; float scale; };

vertex Varyings fullScreen(uint id [[vertex_id]]) {
  Varyings out;
  out.position = float4(id == 1 ? 3.0 : -1.0, id == 2 ? 3.0 : -1.0, 0.5, 1.0);
  return out;
}

fragment float4 costly(Varyings in [[stage_in]], constant Cost& cost [[buffer(0)]]) {
  float value = in.position.x * 0.001;
  for (uint i = 0; i < cost.iterations; ++i)
    value = fma(value, 0.999f, cost.scale) - value * value * 0.001f;
  return float4(value, value * 0.5, 1.0, 1.0);
}

vertex Varyings heavy(uint id [[vertex_id]], constant Cost& cost [[buffer(0)]]) {
  float value = float(id) * 1e-6;
  for (uint i = 0; i < cost.iterations; ++i)
    value = fma(value, 0.999f, cost.scale) - value * value * 0.001f;
  Varyings out;
  out.position = float4(3.0 + clamp(value, 0.0f, 1.0f), 3.0, 0.5, 1.0);
  return out;
}
)";

struct Cost {
  uint32_t iterations;
  float scale;
};

enum Draw : uint32_t { F1, F10, F100, V, kDrawKinds };
constexpr const char* kDrawNames[kDrawKinds] = {"F1", "F10", "F100", "V"};

// Some tens of milliseconds for the dearest draw on a CPU device, about one on a large GPU.
std::vector<Cost> costs(bool cpu) {
  const uint32_t base = cpu ? 8 : 1024;
  return {{base, 0.25f}, {10 * base, 0.25f}, {100 * base, 0.25f}, {cpu ? 64u : 4096u, 0.25f}};
}

using Intervals = std::vector<double>;

Intervals differences(const std::vector<double>& stamps) {
  Intervals result;
  for (size_t i = 0; i + 1 < stamps.size(); ++i) result.push_back(stamps[i + 1] - stamps[i]);
  return result;
}

class Ours {
 public:
  explicit Ours(Metal& metal) : m_metal(metal) {
    auto library = metal.library(kSource);
    m_fullScreen = metal.renderPipeline(library.get(), "fullScreen", "costly", MTL::PixelFormatRGBA8Unorm);
    m_heavy = metal.renderPipeline(library.get(), "heavy", "costly", MTL::PixelFormatRGBA8Unorm);
    m_target = metal.texture(kSide, kSide, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageRenderTarget);
    m_pass = metal.clearPass(m_target.get());
    m_costs = metal.sharedBuffer(kCostStrideBytes * kDrawKinds);
    const std::vector<Cost> values = costs(metal.isCpu());
    for (uint32_t i = 0; i < kDrawKinds; ++i)
      std::memcpy(static_cast<char*>(m_costs->contents()) + kCostStrideBytes * i, &values[i], sizeof(Cost));
    m_arguments = metal.argumentTable(1);
    m_heap = metal.counterHeap(kMostDraws + 1);
  }

  // The time of a pass with nothing but these draws, in ns: the stamps are the command buffer's own.
  double alone(const std::vector<Draw>& draws) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    MTL4::CommandBuffer* commands = m_metal.begin();
    commands->writeTimestampIntoHeap(m_heap.get(), 0);
    MTL4::RenderCommandEncoder* encoder = beginPass(commands);
    for (Draw kind : draws) draw(encoder, kind);
    encoder->endEncoding();
    commands->writeTimestampIntoHeap(m_heap.get(), 1);
    m_metal.run();
    return m_metal.stamps(m_heap.get(), 2)[1];
  }

  Intervals measure(const std::vector<Draw>& draws, MTL4::TimestampGranularity granularity) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    MTL4::RenderCommandEncoder* encoder = beginPass(m_metal.begin());
    encoder->writeTimestamp(granularity, MTL::RenderStageFragment, m_heap.get(), 0);
    for (size_t i = 0; i < draws.size(); ++i) {
      draw(encoder, draws[i]);
      encoder->writeTimestamp(granularity, MTL::RenderStageFragment, m_heap.get(), i + 1);
    }
    encoder->endEncoding();
    m_metal.run();
    return differences(m_metal.stamps(m_heap.get(), draws.size() + 1));
  }

 private:
  MTL4::RenderCommandEncoder* beginPass(MTL4::CommandBuffer* commands) {
    MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(m_pass.get());
    encoder->setArgumentTable(m_arguments.get(), MTL::RenderStageVertex | MTL::RenderStageFragment);
    return encoder;
  }
  void draw(MTL4::RenderCommandEncoder* encoder, Draw kind) {
    encoder->setRenderPipelineState(kind == V ? m_heavy.get() : m_fullScreen.get());
    m_arguments->setAddress(m_costs->gpuAddress() + kCostStrideBytes * kind, 0);
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0),
                            NS::UInteger(kind == V ? kHeavyVertices : 3));
  }

  Metal& m_metal;
  NS::SharedPtr<MTL::RenderPipelineState> m_fullScreen, m_heavy;
  NS::SharedPtr<MTL::Texture> m_target;
  NS::SharedPtr<MTL4::RenderPassDescriptor> m_pass;
  NS::SharedPtr<MTL::Buffer> m_costs;
  NS::SharedPtr<MTL4::ArgumentTable> m_arguments;
  NS::SharedPtr<MTL4::CounterHeap> m_heap;
};

class Twin {
 public:
  explicit Twin(twin::Device& device)
      : m_device(device), m_commands(device, 2 * kMostDraws + 2), m_costs(costs(device.isLavapipe())) {
    twin::GraphicsRecipe recipe;
    recipe.vertex = twin::spirv::fullScreenVert;
    recipe.fragment = twin::spirv::costFrag;
    recipe.color = VK_FORMAT_R8G8B8A8_UNORM;
    m_fullScreen = device.makeGraphics(recipe);
    recipe.vertex = twin::spirv::heavyVert;
    m_heavy = device.makeGraphics(recipe);
    m_target = device.makeImage({kSide, kSide}, recipe.color, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
  }

  // The time of a pass with nothing but these draws, in ns: the stamps are outside, behind barriers.
  double alone(const std::vector<Draw>& draws) {
    m_commands.prepare();
    m_commands.begin();
    m_commands.stampOutside();
    m_commands.beginRendering({&m_target, nullptr});
    for (Draw kind : draws) draw(kind);
    m_commands.endRendering();
    m_commands.stampOutside();
    m_commands.end();
    m_device.run(m_commands.vk);
    return m_commands.stamps()[1];
  }

  Intervals measure(const std::vector<Draw>& draws, twin::Stamp form) {
    const twin::Target target{&m_target, nullptr};
    m_commands.prepare();
    m_commands.begin();
    m_commands.beginRendering(target);
    std::vector<uint32_t> indices{m_commands.stampInside(form, target)};
    for (Draw kind : draws) {
      draw(kind);
      indices.push_back(m_commands.stampInside(form, target));
    }
    m_commands.endRendering();
    m_commands.end();
    m_device.run(m_commands.vk);
    const std::vector<double> all = m_commands.stamps();
    std::vector<double> wanted;
    for (uint32_t index : indices) wanted.push_back(all[index]);
    return differences(wanted);
  }

 private:
  void draw(Draw kind) {
    m_commands.bind(kind == V ? m_heavy : m_fullScreen);
    m_commands.push(&m_costs[kind], sizeof(Cost));
    vkCmdDraw(m_commands.vk, kind == V ? kHeavyVertices : 3, 1, 0, 0);
  }

  twin::Device& m_device;
  twin::Commands m_commands;
  std::vector<Cost> m_costs;
  VkPipeline m_fullScreen = VK_NULL_HANDLE, m_heavy = VK_NULL_HANDLE;
  twin::Image m_target;
};

Summary inUs(const Summary& ns) { return {ns.median / 1e3, ns.low / 1e3, ns.high / 1e3}; }

// Each draw alone, the empty pass first: what an interval around a draw can have taken.
template <class Side> std::vector<double> allAlone(Side& side) {
  std::vector<double> result{side.alone({})};
  for (uint32_t kind = 0; kind < kDrawKinds; ++kind) result.push_back(side.alone({Draw(kind)}));
  return result;
}

// How far the intervals lie outside what the draws can have taken, as a share of all their time. `alone`: of
// allAlone().
double errorPercent(const std::vector<Draw>& draws, const std::vector<Summary>& intervals,
                    const std::vector<Summary>& alone) {
  double outside = 0, total = 0;
  for (size_t i = 0; i < draws.size(); ++i) {
    const double most = alone[1 + draws[i]].median, least = std::max(0.0, most - alone[0].median);
    outside += std::max({0.0, least - intervals[i].median, intervals[i].median - most});
    total += most;
  }
  return 100 * outside / total;
}

void measureMix(Report& report, const Options& options, Ours& ours, Twin& twin, bool localRead,
                const std::vector<Draw>& draws) {
  std::string title;
  for (Draw draw : draws) title += fmt::format("{}{}", title.empty() ? "" : " ", kDrawNames[draw]);
  if (!options.wants(title)) return;
  const twin::Stamp barriers = localRead ? twin::Stamp::localReadBarriers : twin::Stamp::split;
  enum { kTwinAlone, kTwinPlain, kTwinBarriers, kOursAlone, kOursRelaxed, kOursPrecise };
  const auto result =
      interleave(options.repeats,
                 {[&] { return allAlone(twin); }, [&] { return twin.measure(draws, twin::Stamp::plain); },
                  [&] { return twin.measure(draws, barriers); }, [&] { return allAlone(ours); },
                  [&] { return ours.measure(draws, MTL4::TimestampGranularityRelaxed); },
                  [&] { return ours.measure(draws, MTL4::TimestampGranularityPrecise); }});
  report.table(title, "us",
               {"twin alone", "twin plain", "twin barriers", "our alone", "our relaxed", "our precise"});
  for (size_t i = 0; i < draws.size(); ++i) {
    const size_t kind = 1 + draws[i];
    report.row(kDrawNames[draws[i]], {inUs(result[kTwinAlone][kind]), inUs(result[kTwinPlain][i]),
                                      inUs(result[kTwinBarriers][i]), inUs(result[kOursAlone][kind]),
                                      inUs(result[kOursRelaxed][i]), inUs(result[kOursPrecise][i])});
  }
  auto error = [&](size_t contender, size_t alone) {
    return errorPercent(draws, result[contender], result[alone]);
  };
  report.row("error, %", {Cell(), error(kTwinPlain, kTwinAlone), error(kTwinBarriers, kTwinAlone), Cell(),
                          error(kOursRelaxed, kOursAlone), error(kOursPrecise, kOursAlone)});
  report.note(fmt::format(
      "alone: a pass with only that draw, of which the empty pass is {:.1f} us (twin) and {:.1f} us "
      "(ours).",
      result[kTwinAlone][0].median / 1e3, result[kOursAlone][0].median / 1e3));
  report.note(
      "error: how far intervals lie outside (alone - empty pass, alone), as a share of the sum of alone.");
}

void run(const Options& options) {
  Metal metal;
  twin::Device device(metal.name());
  Ours ours(metal);
  Twin twin(device);
  Report report("attribution", metal.name(), options.repeats);
  measureMix(report, options, ours, twin, device.hasLocalRead(), {F1, F10, F100, F10, F1});
  measureMix(report, options, ours, twin, device.hasLocalRead(), {F100, V, F1});
  report.finish(options);
}

} // namespace
} // namespace basanite::benchmarks

int main(int argc, char** argv) {
  using namespace basanite::benchmarks;
  run(parseOptions(
      argc, argv, "attribution",
      "Are stamps between draws true? Draws of known cost in one pass, the interval around each, beside that "
      "draw alone.",
      9));
}
