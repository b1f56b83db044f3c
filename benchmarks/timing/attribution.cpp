// SPDX-License-Identifier: Apache-2.0
// Are stamps true? Draws of known cost in one pass, or dispatches in one compute encoder, with a stamp before
// the first and after each; every interval should be the time of what it encloses, known from that alone.
// F1/F10/F100: full-screen draws of fragment cost 1x, 10x, 100x; V: 300,000 vertices with a heavy vertex
// function and no fragments; C1/C10/C100: dispatches of 262,144 threads of cost 1x, 10x, 100x.
#include "benchmarks/api/metal.hpp"
#include "benchmarks/harness/report.hpp"
#include "benchmarks/raw_vulkan/commands.hpp"
#include "benchmarks/raw_vulkan/shaders/spirv.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace basanite::benchmarks {
namespace {

constexpr uint32_t kSide = 512;
constexpr uint32_t kHeavyVertices = 300'000;
constexpr uint32_t kThreads = 512 * 512;
constexpr uint32_t kThreadsPerGroup = 256; // as in cost.comp
constexpr uint32_t kMostWorks = 8;
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

kernel void costlyThreads(uint id [[thread_position_in_grid]], constant Cost& cost [[buffer(0)]],
                          device float* results [[buffer(1)]]) {
  float value = float(id) * 0.001;
  for (uint i = 0; i < cost.iterations; ++i)
    value = fma(value, 0.999f, cost.scale) - value * value * 0.001f;
  results[id] = value;
}
)";

struct Cost {
  uint32_t iterations;
  float scale;
};

// What is timed: draws by the pass scenes, dispatches by the compute scenes.
enum Work : uint32_t { F1, F10, F100, V, C1, C10, C100, kWorks };
constexpr const char* kNames[kWorks] = {"F1", "F10", "F100", "V", "C1", "C10", "C100"};
using Mix = std::vector<Work>;

bool isCompute(Work work) { return work >= C1; }

// Some tens of milliseconds for the dearest work on a CPU device, about one on a large GPU.
std::vector<Cost> costs(bool cpu) {
  const uint32_t base = cpu ? 8 : 1024;
  return {{base, 0.25f}, {10 * base, 0.25f}, {100 * base, 0.25f}, {cpu ? 64u : 4096u, 0.25f},
          {base, 0.25f}, {10 * base, 0.25f}, {100 * base, 0.25f}};
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
    m_threads = metal.computePipeline(library.get(), "costlyThreads");
    m_target = metal.texture(kSide, kSide, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageRenderTarget);
    m_pass = metal.clearPass(m_target.get());
    m_costs = metal.sharedBuffer(kCostStrideBytes * kWorks);
    const std::vector<Cost> values = costs(metal.isCpu());
    for (uint32_t i = 0; i < kWorks; ++i)
      std::memcpy(static_cast<char*>(m_costs->contents()) + kCostStrideBytes * i, &values[i], sizeof(Cost));
    m_arguments = metal.argumentTable(2);
    m_results = metal.sharedBuffer(NS::UInteger(kThreads) * sizeof(float));
    m_arguments->setAddress(m_results->gpuAddress(), 1);
    m_heap = metal.counterHeap(kMostWorks + 1);
  }

  // The time of a pass or a compute encoder with nothing but this work, or without any, in ns: the stamps are
  // the command buffer's own.
  double alone(std::optional<Work> work, bool compute) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    MTL4::CommandBuffer* commands = m_metal.begin();
    commands->writeTimestampIntoHeap(m_heap.get(), 0);
    encode(commands, compute, [&](auto* encoder) {
      if (work) this->work(encoder, *work);
    });
    commands->writeTimestampIntoHeap(m_heap.get(), 1);
    m_metal.run();
    return m_metal.stamps(m_heap.get(), 2)[1];
  }

  Intervals measure(const Mix& mix, MTL4::TimestampGranularity granularity) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    encode(m_metal.begin(), isCompute(mix[0]), [&](auto* encoder) {
      stamp(encoder, granularity, 0);
      for (size_t i = 0; i < mix.size(); ++i) {
        work(encoder, mix[i]);
        stamp(encoder, granularity, i + 1);
      }
    });
    m_metal.run();
    return differences(m_metal.stamps(m_heap.get(), mix.size() + 1));
  }

 private:
  template <class Record> void encode(MTL4::CommandBuffer* commands, bool compute, const Record& record) {
    if (compute) {
      MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
      encoder->setComputePipelineState(m_threads.get());
      encoder->setArgumentTable(m_arguments.get());
      record(encoder);
      encoder->endEncoding();
    } else {
      MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(m_pass.get());
      encoder->setArgumentTable(m_arguments.get(), MTL::RenderStageVertex | MTL::RenderStageFragment);
      record(encoder);
      encoder->endEncoding();
    }
  }
  void stamp(MTL4::RenderCommandEncoder* encoder, MTL4::TimestampGranularity granularity,
             NS::UInteger index) {
    encoder->writeTimestamp(granularity, MTL::RenderStageFragment, m_heap.get(), index);
  }
  void stamp(MTL4::ComputeCommandEncoder* encoder, MTL4::TimestampGranularity granularity,
             NS::UInteger index) {
    encoder->writeTimestamp(granularity, m_heap.get(), index);
  }
  void work(MTL4::RenderCommandEncoder* encoder, Work work) {
    encoder->setRenderPipelineState(work == V ? m_heavy.get() : m_fullScreen.get());
    m_arguments->setAddress(m_costs->gpuAddress() + kCostStrideBytes * work, 0);
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0),
                            NS::UInteger(work == V ? kHeavyVertices : 3));
  }
  void work(MTL4::ComputeCommandEncoder* encoder, Work work) {
    m_arguments->setAddress(m_costs->gpuAddress() + kCostStrideBytes * work, 0);
    encoder->dispatchThreads(MTL::Size::Make(kThreads, 1, 1), MTL::Size::Make(kThreadsPerGroup, 1, 1));
  }

  Metal& m_metal;
  NS::SharedPtr<MTL::RenderPipelineState> m_fullScreen, m_heavy;
  NS::SharedPtr<MTL::ComputePipelineState> m_threads;
  NS::SharedPtr<MTL::Texture> m_target;
  NS::SharedPtr<MTL4::RenderPassDescriptor> m_pass;
  NS::SharedPtr<MTL::Buffer> m_costs, m_results;
  NS::SharedPtr<MTL4::ArgumentTable> m_arguments;
  NS::SharedPtr<MTL4::CounterHeap> m_heap;
};

class Twin {
 public:
  explicit Twin(twin::Device& device)
      : m_device(device), m_commands(device, 2 * kMostWorks + 2), m_costs(costs(device.isLavapipe())),
        m_results(device.makeBuffer(VkDeviceSize(kThreads) * sizeof(float))) {
    twin::GraphicsRecipe recipe;
    recipe.vertex = twin::spirv::fullScreenVert;
    recipe.fragment = twin::spirv::costFrag;
    recipe.color = VK_FORMAT_R8G8B8A8_UNORM;
    m_fullScreen = device.makeGraphics(recipe);
    recipe.vertex = twin::spirv::heavyVert;
    m_heavy = device.makeGraphics(recipe);
    m_threads = device.makeCompute(twin::spirv::costComp);
    m_target = device.makeImage({kSide, kSide}, recipe.color, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
  }

  // As Ours::alone(): the stamps are outside, behind barriers.
  double alone(std::optional<Work> one, bool compute) {
    m_commands.prepare();
    m_commands.begin();
    m_commands.stampOutside();
    if (!compute) m_commands.beginRendering({&m_target, nullptr});
    if (one) work(*one);
    if (!compute) m_commands.endRendering();
    m_commands.stampOutside();
    m_commands.end();
    m_device.run(m_commands.vk);
    return m_commands.stamps()[1];
  }

  // No form: with barriers that are right on this device.
  Intervals measure(const Mix& mix, std::optional<twin::Stamp> form) {
    const bool compute = isCompute(mix[0]);
    const twin::Target target{&m_target, nullptr};
    const twin::Stamp barriers =
        m_device.hasLocalRead() ? twin::Stamp::localReadBarriers : twin::Stamp::split;
    const auto stamp = [&] {
      return compute && !form ? m_commands.stampOutside()
                              : m_commands.stampInside(form.value_or(barriers), target);
    };
    m_commands.prepare();
    m_commands.begin();
    if (!compute) m_commands.beginRendering(target);
    std::vector<uint32_t> indices{stamp()};
    for (Work one : mix) {
      work(one);
      indices.push_back(stamp());
    }
    if (!compute) m_commands.endRendering();
    m_commands.end();
    m_device.run(m_commands.vk);
    const std::vector<double> all = m_commands.stamps();
    std::vector<double> wanted;
    for (uint32_t index : indices) wanted.push_back(all[index]);
    return differences(wanted);
  }

 private:
  void work(Work work) {
    if (isCompute(work)) {
      const struct {
        Cost cost;
        VkDeviceAddress results;
      } push{m_costs[work], m_results.address};
      vkCmdBindPipeline(m_commands.vk, VK_PIPELINE_BIND_POINT_COMPUTE, m_threads);
      m_commands.push(&push, sizeof push);
      vkCmdDispatch(m_commands.vk, kThreads / kThreadsPerGroup, 1, 1);
    } else {
      m_commands.bind(work == V ? m_heavy : m_fullScreen);
      m_commands.push(&m_costs[work], sizeof(Cost));
      vkCmdDraw(m_commands.vk, work == V ? kHeavyVertices : 3, 1, 0, 0);
    }
  }

  twin::Device& m_device;
  twin::Commands m_commands;
  std::vector<Cost> m_costs;
  twin::Buffer m_results;
  VkPipeline m_fullScreen = VK_NULL_HANDLE, m_heavy = VK_NULL_HANDLE, m_threads = VK_NULL_HANDLE;
  twin::Image m_target;
};

Summary inUs(const Summary& ns) { return {ns.median / 1e3, ns.low / 1e3, ns.high / 1e3}; }

// Nothing first, then each work of the mix alone: what an interval around it can have taken.
template <class Side> std::vector<double> allAlone(Side& side, const Mix& mix) {
  const bool compute = isCompute(mix[0]);
  std::vector<double> result{side.alone({}, compute)};
  for (Work work : mix) result.push_back(side.alone(work, compute));
  return result;
}

// How far the intervals lie outside what the works can have taken, as a share of all their time. `alone`: of
// allAlone().
double errorPercent(const std::vector<Summary>& intervals, const std::vector<Summary>& alone) {
  double outside = 0, total = 0;
  for (size_t i = 0; i < intervals.size(); ++i) {
    const double most = alone[1 + i].median, least = std::max(0.0, most - alone[0].median);
    outside += std::max({0.0, least - intervals[i].median, intervals[i].median - most});
    total += most;
  }
  return 100 * outside / total;
}

struct Errors {
  std::string mix;
  double twinPlain, twinBarriers, ourRelaxed, ourPrecise; // percent
};

Errors measureMix(Report& report, const Options& options, Ours& ours, Twin& twin, const std::string& title,
                  const Mix& mix) {
  enum { kTwinAlone, kTwinPlain, kTwinBarriers, kOursAlone, kOursRelaxed, kOursPrecise };
  const auto result =
      interleave(options.repeats,
                 {[&] { return allAlone(twin, mix); }, [&] { return twin.measure(mix, twin::Stamp::plain); },
                  [&] { return twin.measure(mix, {}); }, [&] { return allAlone(ours, mix); },
                  [&] { return ours.measure(mix, MTL4::TimestampGranularityRelaxed); },
                  [&] { return ours.measure(mix, MTL4::TimestampGranularityPrecise); }});
  report.table(title, "us",
               {"twin alone", "twin plain", "twin barriers", "our alone", "our relaxed", "our precise"});
  for (size_t i = 0; i < mix.size(); ++i)
    report.row(kNames[mix[i]], {inUs(result[kTwinAlone][1 + i]), inUs(result[kTwinPlain][i]),
                                inUs(result[kTwinBarriers][i]), inUs(result[kOursAlone][1 + i]),
                                inUs(result[kOursRelaxed][i]), inUs(result[kOursPrecise][i])});
  report.note(
      fmt::format("alone: only that, of which nothing at all is {:.1f} us (twin) and {:.1f} us (ours).",
                  result[kTwinAlone][0].median / 1e3, result[kOursAlone][0].median / 1e3));
  const auto error = [&](size_t contender, size_t alone) {
    return errorPercent(result[contender], result[alone]);
  };
  return {title, error(kTwinPlain, kTwinAlone), error(kTwinBarriers, kTwinAlone),
          error(kOursRelaxed, kOursAlone), error(kOursPrecise, kOursAlone)};
}

void run(const Options& options) {
  Metal metal;
  twin::Device device(metal.name());
  Ours ours(metal);
  Twin twin(device);
  Report report("attribution", metal.name(), options.repeats);
  std::vector<Errors> errors;
  for (const Mix& mix :
       {Mix{F1, F10, F100, F10, F1}, Mix{F1, V, F10, V, F1}, Mix{F100, V, F1}, Mix{C1, C10, C100, C10, C1}}) {
    std::string title;
    for (Work work : mix) title += fmt::format("{}{}", title.empty() ? "" : " ", kNames[work]);
    if (options.wants(title)) errors.push_back(measureMix(report, options, ours, twin, title, mix));
  }
  report.table("error", "%", {"twin plain", "twin barriers", "our relaxed", "our precise"});
  for (const Errors& one : errors)
    report.row(one.mix, {one.twinPlain, one.twinBarriers, one.ourRelaxed, one.ourPrecise});
  report.note("how far intervals lie outside (alone - nothing, alone), as a share of the sum of alone.");
  report.finish(options);
}

} // namespace
} // namespace basanite::benchmarks

int main(int argc, char** argv) {
  using namespace basanite::benchmarks;
  run(parseOptions(argc, argv, "attribution",
                   "Are stamps between draws and dispatches true? The interval around each of known cost, "
                   "beside it alone.",
                   9));
}
