// SPDX-License-Identifier: Apache-2.0
// Whether the cost of stamps grows in line with their number: frames of one pass with 1 to 65,536 small draws
// and a stamp behind each; encode time, GPU time and reading them back.
#include "benchmarks/harness/report.hpp"
#include "benchmarks/timing/stamped_pass.hpp"

#include <fmt/format.h>

namespace basanite::benchmarks {
namespace {

constexpr uint32_t kCounts[] = {1, 16, 256, 4'096, 65'536};
constexpr uint32_t kMost = 65'536;
constexpr uint32_t kSide = 64; // one tile of lavapipe's, so that the draws themselves cost little

void run(const Options& options) {
  Metal metal;
  twin::Device device(metal.name());
  OurStampedPass ours(metal, kMost, kSide);
  TwinStampedPass twin(device, kMost, kSide);

  struct Plan {
    const char* name;
    MTL4::TimestampGranularity granularity;
    twin::Stamp form;
  };
  const Plan plans[] = {{"relaxed", MTL4::TimestampGranularityRelaxed, twin.relaxedForm()},
                        {"precise", MTL4::TimestampGranularityPrecise, twin.preciseForm()}};
  Report report("stamp_count", metal.name(), options.repeats);
  for (const Plan& plan : plans) {
    if (!options.wants(plan.name)) continue;
    report.table(fmt::format("{}, a frame", plan.name), "us",
                 {"our encode", "twin encode", "our/twin", "our GPU", "twin GPU", "our/twin GPU"});
    std::vector<double> counts, encodeUs, gpuUs;
    for (uint32_t count : kCounts) {
      // On a CPU device the largest frame takes seconds.
      const unsigned repeats = count == kMost && metal.isCpu() ? (options.quick ? 1 : 3) : options.repeats;
      const auto result = interleave(repeats, {[&] {
                                                 const auto times = ours.measure(count, plan.granularity);
                                                 return std::vector{times.encodeNs / 1e3, times.gpuNs / 1e3};
                                               },
                                               [&] {
                                                 const auto times = twin.measure(count, plan.form);
                                                 return std::vector{times.encodeNs / 1e3, times.gpuNs / 1e3};
                                               }});
      report.row(fmt::format("{} stamps", count),
                 {result[0][0], result[1][0], ratio(result[0][0], result[1][0]), result[0][1], result[1][1],
                  ratio(result[0][1], result[1][1])});
      counts.push_back(count);
      encodeUs.push_back(result[0][0].median);
      gpuUs.push_back(result[0][1].median);
    }
    const Line encode = fitLine(counts, encodeUs), gpu = fitLine(counts, gpuUs);
    report.note(fmt::format(
        "our encode: {:.1f} us + {:.1f} ns a draw and stamp, no count further than {:.0f} % from that line.",
        encode.base, encode.slope * 1e3, encode.worstPercent));
    report.note(fmt::format(
        "our GPU: {:.1f} us + {:.0f} ns a draw and stamp, no count further than {:.0f} % from that line.",
        gpu.base, gpu.slope * 1e3, gpu.worstPercent));
  }
  report.finish(options);
}

} // namespace
} // namespace basanite::benchmarks

int main(int argc, char** argv) {
  using namespace basanite::benchmarks;
  run(parseOptions(
      argc, argv, "stamp_count",
      "1 to 65,536 timestamps a frame: does the cost grow in line? Basanite beside hand-written Vulkan.", 9));
}
