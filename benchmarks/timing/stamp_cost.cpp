// SPDX-License-Identifier: Apache-2.0
// What a timestamp between two draws costs: GPU time of a pass of 1,000 small draws with a stamp behind each,
// less that of the pass without stamps. Ours: relaxed and precise; the twin: every form of
// docs/timestamps.md.
#include "benchmarks/harness/report.hpp"
#include "benchmarks/timing/stamped_pass.hpp"

namespace basanite::benchmarks {
namespace {

constexpr uint32_t kDraws = 1'000;
constexpr uint32_t kSide = 512;

// The cost of one stamp: what the pass with stamps takes longer than the one without.
Summary perStamp(const Summary& with, const Summary& without) {
  auto cost = [&](double value) { return (value - without.median) / kDraws / 1e3; };
  return {cost(with.median), cost(with.low), cost(with.high)};
}

Summary inUs(const Summary& ns) { return {ns.median / 1e3, ns.low / 1e3, ns.high / 1e3}; }

void run(const Options& options) {
  Metal metal;
  twin::Device device(metal.name());
  OurStampedPass ours(metal, kDraws, kSide);
  TwinStampedPass twin(device, kDraws, kSide);

  const auto our = [&](std::optional<MTL4::TimestampGranularity> granularity) {
    return [&, granularity] { return std::vector{ours.measure(kDraws, granularity).gpuNs}; };
  };
  const auto other = [&](std::optional<twin::Stamp> form) {
    return [&, form] { return std::vector{twin.measure(kDraws, form).gpuNs}; };
  };
  enum { kOurNone, kRelaxed, kPrecise, kTwinNone, kPlain, kDoubled, kSplit, kBarriers };
  std::vector<Contender> contenders = {our({}),
                                       our(MTL4::TimestampGranularityRelaxed),
                                       our(MTL4::TimestampGranularityPrecise),
                                       other({}),
                                       other(twin::Stamp::plain),
                                       other(twin::Stamp::doubled),
                                       other(twin::Stamp::split)};
  if (device.hasLocalRead()) contenders.push_back(other(twin::Stamp::localReadBarriers));
  const auto result = interleave(options.repeats, contenders);

  struct RowPlan {
    const char* name;
    size_t ours, twin;
  };
  std::vector<RowPlan> plans = {{"relaxed, twin plain", kRelaxed, kPlain},
                                {"relaxed, twin doubled", kRelaxed, kDoubled},
                                {"precise, twin splits the pass", kPrecise, kSplit}};
  if (device.hasLocalRead()) plans.push_back({"precise, twin barriers in the pass", kPrecise, kBarriers});

  Report report("stamp_cost", metal.name(), options.repeats);
  report.table("GPU time per stamp", "us", {"ours", "twin", "ours/twin"}, 2);
  for (const RowPlan& plan : plans) {
    if (!options.wants(plan.name)) continue;
    const Summary our = perStamp(result[plan.ours][0], result[kOurNone][0]);
    const Summary other = perStamp(result[plan.twin][0], result[kTwinNone][0]);
    report.row(plan.name, {our, other, ratio(our, other)});
  }
  report.table("the pass without stamps", "us", {"ours", "twin", "ours/twin"});
  report.row("GPU span", {inUs(result[kOurNone][0]), inUs(result[kTwinNone][0]),
                          ratio(result[kOurNone][0], result[kTwinNone][0])});
  report.finish(options);
}

} // namespace
} // namespace basanite::benchmarks

int main(int argc, char** argv) {
  using namespace basanite::benchmarks;
  run(parseOptions(
      argc, argv, "stamp_cost",
      "GPU time of a timestamp between two draws of a pass: Basanite beside hand-written Vulkan.", 15));
}
