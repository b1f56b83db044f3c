// SPDX-License-Identifier: Apache-2.0
// Reading 4,096 timestamps: resolveCounterRange beside vkGetQueryPoolResults, resolveCounterHeap beside
// vkCmdCopyQueryPoolResults.
#include "benchmarks/api/metal.hpp"
#include "benchmarks/harness/report.hpp"
#include "benchmarks/raw_vulkan/commands.hpp"

#include <fmt/format.h>

namespace basanite::benchmarks {
namespace {

constexpr uint32_t kEntries = 4'096;
constexpr uint32_t kResolves = 16; // in a row, for one is near the clock's resolution

class Ours {
 public:
  explicit Ours(Metal& metal)
      : m_metal(metal), m_heap(metal.counterHeap(kEntries)), m_ends(metal.counterHeap(2)),
        m_destination(metal.sharedBuffer(NS::UInteger(kEntries) * 8)) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    MTL4::ComputeCommandEncoder* encoder = m_metal.begin()->computeCommandEncoder();
    for (uint32_t i = 0; i < kEntries; ++i)
      encoder->writeTimestamp(MTL4::TimestampGranularityRelaxed, m_heap.get(), i);
    encoder->endEncoding();
    m_metal.run();
    m_metal.stamps(m_heap.get(), kEntries); // ends the process when one is missing
  }

  // ns of a call.
  std::vector<double> byCpu() {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    const Stopwatch watch;
    for (uint32_t i = 0; i < kResolves; ++i)
      m_sum += static_cast<const uint64_t*>(m_heap->resolveCounterRange({0, kEntries})->bytes())[i];
    return {watch.ns() / kResolves};
  }
  // ns of encoding and of executing one.
  std::vector<double> byGpu() {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    MTL4::CommandBuffer* commands = m_metal.begin();
    commands->writeTimestampIntoHeap(m_ends.get(), 0);
    const MTL4::BufferRange range(m_destination->gpuAddress(), NS::UInteger(kEntries) * 8);
    const Stopwatch watch;
    for (uint32_t i = 0; i < kResolves; ++i)
      commands->resolveCounterHeap(m_heap.get(), {0, kEntries}, range, nullptr, nullptr);
    const double encodeNs = watch.ns();
    commands->writeTimestampIntoHeap(m_ends.get(), 1);
    m_metal.run();
    return {encodeNs / kResolves, m_metal.stamps(m_ends.get(), 2)[1] / kResolves};
  }

 private:
  Metal& m_metal;
  NS::SharedPtr<MTL4::CounterHeap> m_heap, m_ends;
  NS::SharedPtr<MTL::Buffer> m_destination;
  uint64_t m_sum = 0; // keeps the reads
};

class Twin {
 public:
  explicit Twin(twin::Device& device)
      : m_device(device), m_queries(device, kEntries), m_commands(device, 2),
        m_destination(device.makeBuffer(kEntries * 8)) {
    m_queries.prepare();
    m_queries.begin();
    for (uint32_t i = 0; i < kEntries; ++i) m_queries.stampInside(twin::Stamp::plain, {});
    m_queries.end();
    m_device.run(m_queries.vk);
  }

  std::vector<double> byCpu() {
    const Stopwatch watch;
    for (uint32_t i = 0; i < kResolves; ++i) m_sum += m_queries.ticks()[i];
    return {watch.ns() / kResolves};
  }
  std::vector<double> byGpu() {
    m_commands.prepare();
    m_commands.begin();
    m_commands.stampOutside();
    const Stopwatch watch;
    for (uint32_t i = 0; i < kResolves; ++i) {
      m_commands.barrier(VK_PIPELINE_STAGE_2_TRANSFER_BIT, VK_PIPELINE_STAGE_2_TRANSFER_BIT);
      m_queries.copyStampsIn(m_commands.vk, m_destination);
    }
    const double encodeNs = watch.ns();
    m_commands.stampOutside();
    m_commands.end();
    m_device.run(m_commands.vk);
    return {encodeNs / kResolves, m_commands.stamps()[1] / kResolves};
  }

 private:
  twin::Device& m_device;
  twin::Commands m_queries, m_commands; // the stamps that are read; the copies of them
  twin::Buffer m_destination;
  uint64_t m_sum = 0;
};

Summary inUs(const Summary& ns) { return {ns.median / 1e3, ns.low / 1e3, ns.high / 1e3}; }

void run(const Options& options) {
  Metal metal;
  twin::Device device(metal.name());
  Ours ours(metal);
  Twin twin(device);
  const auto cpu = interleave(options.repeats, {[&] { return ours.byCpu(); }, [&] { return twin.byCpu(); }});
  const auto gpu = interleave(options.repeats, {[&] { return ours.byGpu(); }, [&] { return twin.byGpu(); }});

  Report report("resolve", metal.name(), options.repeats);
  report.table(fmt::format("{} timestamps read", kEntries), "us", {"ours", "twin", "ours/twin"}, 2);
  const auto row = [&](const char* name, const Summary& our, const Summary& other) {
    if (options.wants(name)) report.row(name, {inUs(our), inUs(other), ratio(our, other)});
  };
  row("by the CPU", cpu[0][0], cpu[1][0]);
  row("by the GPU, encode", gpu[0][0], gpu[1][0]);
  row("by the GPU, execute", gpu[0][1], gpu[1][1]);
  report.note("by the CPU: resolveCounterRange, and vkGetQueryPoolResults into new memory.");
  report.note("by the GPU: resolveCounterHeap, and a barrier and vkCmdCopyQueryPoolResults.");
  report.finish(options);
}

} // namespace
} // namespace basanite::benchmarks

int main(int argc, char** argv) {
  using namespace basanite::benchmarks;
  run(parseOptions(argc, argv, "resolve",
                   "Reading 4,096 timestamps by CPU and by GPU: Basanite beside hand-written Vulkan.", 31));
}
