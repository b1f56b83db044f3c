// SPDX-License-Identifier: Apache-2.0
// What the shader compiler's code costs on the GPU: matrix multiply, reduction, blur and an n-body step
// beside the same kernels in GLSL through glslang and spirv-opt -O, in one process run. Both must compute the
// same.
#include "benchmarks/api/metal.hpp"
#include "benchmarks/harness/report.hpp"
#include "benchmarks/raw_vulkan/commands.hpp"
#include "benchmarks/shader/glsl.hpp"
#include "benchmarks/shader/texts.hpp"

#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace basanite::benchmarks {
namespace {

constexpr unsigned kDispatches = 8; // between two stamps, one after the other

struct Work {
  const char* kernel;
  const char* name;
  uint32_t count;         // as the kernels take it
  uint32_t groups[2];     // threadgroups
  uint32_t group[2];      // threads of one
  size_t floats, results; // values in buffers 0 and 2
};

std::vector<Work> worksFor(bool cpu) {
  const uint32_t side = cpu ? 128 : 2048, values = cpu ? 1u << 18 : 1u << 26, picture = cpu ? 128 : 2048,
                 bodies = cpu ? 1024 : 32768;
  const uint32_t reducers = cpu ? 16 : 1024;
  return {
      {"matrix_multiply",
       "matrix multiply",
       side,
       {side / 16, side / 16},
       {16, 16},
       size_t(side) * side,
       size_t(side) * side},
      {"reduction", "reduction", values, {reducers, 1}, {256, 1}, values, reducers},
      {"blur",
       "blur of 9 by 9",
       picture,
       {picture / 16, picture / 16},
       {16, 16},
       size_t(picture) * picture * 4,
       size_t(picture) * picture * 4},
      {"bodies", "n-body step", bodies, {bodies / 256, 1}, {256, 1}, size_t(bodies) * 4, size_t(bodies) * 4}};
}

// Between 0 and 1, the same on both sides.
void fillWithNumbers(void* memory, size_t floats) {
  auto* values = static_cast<float*>(memory);
  uint32_t state = 1;
  for (size_t i = 0; i < floats; ++i) {
    state = state * 1664525u + 1013904223u;
    values[i] = float(state >> 8) / float(1u << 24);
  }
}

class Ours {
 public:
  Ours(Metal& metal, MTL::Library* library, const Work& work)
      : m_metal(metal), m_work(work), m_pipeline(metal.computePipeline(library, work.kernel)),
        m_c(privateNumbers(work.results)), m_a(privateNumbers(work.floats)), m_b(privateNumbers(work.floats)),
        m_sizes(metal.privateBuffer(&work.count, 4)), m_copied(metal.sharedBuffer(work.results * 4)),
        m_arguments(metal.argumentTable(4)), m_heap(metal.counterHeap(2)) {
    const MTL::Buffer* buffers[] = {m_a.get(), m_b.get(), m_c.get(), m_sizes.get()};
    for (NS::UInteger i = 0; i < 4; ++i) m_arguments->setAddress(buffers[i]->gpuAddress(), i);
  }
  // ns of one dispatch.
  std::vector<double> run() {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    MTL4::ComputeCommandEncoder* encoder = m_metal.begin()->computeCommandEncoder();
    encoder->setComputePipelineState(m_pipeline.get());
    encoder->setArgumentTable(m_arguments.get());
    encoder->writeTimestamp(MTL4::TimestampGranularityPrecise, m_heap.get(), 0);
    for (unsigned i = 0; i < kDispatches; ++i) {
      encoder->dispatchThreadgroups(MTL::Size::Make(m_work.groups[0], m_work.groups[1], 1),
                                    MTL::Size::Make(m_work.group[0], m_work.group[1], 1));
      encoder->barrierAfterEncoderStages(MTL::StageDispatch, MTL::StageDispatch,
                                         MTL4::VisibilityOptionDevice);
    }
    encoder->writeTimestamp(MTL4::TimestampGranularityPrecise, m_heap.get(), 1);
    encoder->endEncoding();
    m_metal.run();
    return {m_metal.stamps(m_heap.get(), 2)[1] / kDispatches};
  }
  const float* results() {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    MTL4::ComputeCommandEncoder* encoder = m_metal.begin()->computeCommandEncoder();
    encoder->copyFromBuffer(m_c.get(), 0, m_copied.get(), 0, m_work.results * 4);
    encoder->endEncoding();
    m_metal.run();
    return static_cast<const float*>(m_copied->contents());
  }

 private:
  NS::SharedPtr<MTL::Buffer> privateNumbers(size_t floats) {
    std::vector<float> values(floats);
    fillWithNumbers(values.data(), floats);
    return m_metal.privateBuffer(values.data(), floats * 4);
  }

  Metal& m_metal;
  const Work m_work;
  NS::SharedPtr<MTL::ComputePipelineState> m_pipeline;
  NS::SharedPtr<MTL::Buffer> m_c, m_a, m_b, m_sizes, m_copied;
  NS::SharedPtr<MTL4::ArgumentTable> m_arguments;
  NS::SharedPtr<MTL4::CounterHeap> m_heap;
};

class Twin {
 public:
  Twin(twin::Device& device, const Work& work)
      : m_device(device), m_commands(device, 4),
        m_vkPipeline(device.makeCompute(
            optimised(compileGlsl(shaderText(std::string(work.kernel) + ".comp"), GlslStage::compute)))),
        m_a(device.makeBuffer(work.floats * 4)), m_b(device.makeBuffer(work.floats * 4)),
        m_c(device.makeBuffer(work.results * 4)) {
    fillWithNumbers(m_a.contents, work.floats);
    fillWithNumbers(m_b.contents, work.floats);
    const struct {
      VkDeviceAddress a, b, c;
      uint32_t count, pad;
    } push{m_a.address, m_b.address, m_c.address, work.count, 0};
    m_commands.prepare();
    m_commands.begin();
    vkCmdBindPipeline(m_commands.vk, VK_PIPELINE_BIND_POINT_COMPUTE, m_vkPipeline);
    m_commands.push(&push, sizeof push);
    m_first = m_commands.stampOutside();
    for (unsigned i = 0; i < kDispatches; ++i) {
      vkCmdDispatch(m_commands.vk, work.groups[0], work.groups[1], 1);
      m_commands.barrier(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
    }
    m_last = m_commands.stampOutside();
    m_commands.end();
  }
  std::vector<double> run() {
    m_device.run(m_commands.vk);
    const std::vector<double> stamps = m_commands.stamps();
    return {(stamps[m_last] - stamps[m_first]) / kDispatches};
  }
  const float* results() const { return static_cast<const float*>(m_c.contents); }

 private:
  twin::Device& m_device;
  twin::Commands m_commands;
  VkPipeline m_vkPipeline;
  twin::Buffer m_a, m_b, m_c;
  uint32_t m_first = 0, m_last = 0;
};

// Sums in another order, and fast math on one side, differ in the last digits.
void compareResults(const Work& work, const float* ours, const float* twin) {
  double sum = 0, difference = 0;
  for (size_t i = 0; i < work.results; ++i) {
    sum += std::abs(double(twin[i]));
    difference += std::abs(double(ours[i]) - double(twin[i]));
  }
  if (!(sum > 0) || !(difference <= 1e-5 * sum))
    fail(fmt::format("{}: the two sides computed different values (by {:.2g} of their size).", work.name,
                     difference / sum));
}

Summary inUs(const Summary& ns) { return {ns.median / 1e3, ns.low / 1e3, ns.high / 1e3}; }

void run(const Options& options) {
  openGlsl();
  Metal metal;
  twin::Device device(metal.name());
  auto library = metal.library(shaderText("kernels.metal"));
  Report report("generated_code", metal.name(), options.repeats);
  report.table("a dispatch", "us", {"ours", "GLSL", "ours/GLSL"}, 2);
  for (const Work& work : worksFor(metal.isCpu())) {
    if (!options.wants(work.name)) continue;
    Ours ours(metal, library.get(), work);
    Twin twin(device, work);
    const auto result = interleave(options.repeats, {[&] { return ours.run(); }, [&] { return twin.run(); }});
    compareResults(work, ours.results(), twin.results());
    report.row(work.name, {inUs(result[0][0]), inUs(result[1][0]), ratio(result[0][0], result[1][0])});
  }
  report.note(
      "GLSL: glslang and spirv-opt -O. Both sides read buffers by address and computed the same values.");
  report.finish(options);
  closeGlsl();
}

} // namespace
} // namespace basanite::benchmarks

int main(int argc, char** argv) {
  using namespace basanite::benchmarks;
  run(parseOptions(argc, argv, "generated_code",
                   "How fast compiled kernels run beside the same ones in GLSL.", 15));
}
