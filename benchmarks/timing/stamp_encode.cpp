// SPDX-License-Identifier: Apache-2.0
// CPU time of encoding a stamp, begin to end of a command buffer of 1,000 less one without, least of 5. Ours
// also finds the place in the pass, holds the heap, and schedules the copy into its entry; the twin writes
// the form that is right on this device and copies all stamps at the end; beside both, vkCmdWriteTimestamp2
// alone.
#include "benchmarks/harness/report.hpp"
#include "benchmarks/timing/stamped_pass.hpp"

#include <algorithm>

namespace basanite::benchmarks {
namespace {

constexpr uint32_t kStamps = 1'000;
constexpr int kAttempts = 5;
constexpr uint32_t kSide = 64; // one tile of lavapipe's, so that running it costs little
constexpr auto kRelaxed = MTL4::TimestampGranularityRelaxed, kPrecise = MTL4::TimestampGranularityPrecise;

// Encoding takes so short that whatever else the machine does hits some attempts and spares others.
template <class Measure> double leastOf(const Measure& measure) {
  double least = measure();
  for (int attempt = 1; attempt < kAttempts; ++attempt) least = std::min(least, measure());
  return least;
}

void run(const Options& options) {
  Metal metal;
  twin::Device device(metal.name());
  OurStampedPass ours(metal, kStamps, kSide);
  TwinStampedPass twin(device, kStamps, kSide);

  // Each contender encodes the same without stamps in the same turn.
  const auto perStamp = [](auto with, auto without) {
    return [=] { return std::vector{(leastOf(with) - leastOf(without)) / kStamps}; };
  };
  const auto oursInPass = [&](MTL4::TimestampGranularity granularity) {
    return perStamp([&, granularity] { return ours.measure(kStamps, granularity).encodeNs; },
                    [&] { return ours.measure(kStamps, {}).encodeNs; });
  };
  const auto twinInPass = [&](twin::Stamp form, bool copied) {
    return perStamp([&, form, copied] { return twin.measure(kStamps, form, copied).encodeNs; },
                    [&] { return twin.measure(kStamps, {}, false).encodeNs; });
  };
  const auto oursOutside = [&](std::optional<MTL4::TimestampGranularity> granularity) {
    return perStamp([&, granularity] { return ours.encodeOutsideNs(kStamps, granularity); },
                    [&, granularity] { return ours.encodeOutsideNs(0, granularity); });
  };
  const auto twinOutside = [&](bool barriers, bool copied) {
    return perStamp([&, barriers, copied] { return twin.encodeOutsideNs(kStamps, barriers, copied); },
                    [&, barriers] { return twin.encodeOutsideNs(0, barriers, false); });
  };

  struct RowPlan {
    const char* name;
    Contender ours, twin, plain;
  };
  const std::vector<RowPlan> plans = {
      {"relaxed, behind each draw", oursInPass(kRelaxed), twinInPass(twin.relaxedForm(), true),
       twinInPass(twin::Stamp::plain, false)},
      {"precise, behind each draw", oursInPass(kPrecise), twinInPass(twin.preciseForm(), true),
       twinInPass(twin::Stamp::plain, false)},
      {"relaxed, compute encoder", oursOutside(kRelaxed), twinOutside(false, true),
       twinOutside(false, false)},
      {"precise, compute encoder", oursOutside(kPrecise), twinOutside(true, true), twinOutside(false, false)},
      {"command buffer", oursOutside({}), twinOutside(false, true), twinOutside(false, false)},
  };
  Report report("stamp_encode", metal.name(), options.repeats);
  report.table("encode time of a stamp", "ns of CPU time",
               {"ours", "twin", "ours/twin", "plain", "ours/plain"});
  for (const RowPlan& plan : plans) {
    if (!options.wants(plan.name)) continue;
    const auto result = interleave(options.repeats, {plan.ours, plan.twin, plan.plain});
    const Summary &our = result[0][0], &other = result[1][0], &plain = result[2][0];
    report.row(plan.name, {our, other, ratio(our, other), plain, ratio(our, plain)});
  }
  report.note("twin: the form that is right on this device, and the copy of all stamps at the end.");
  report.note("plain: one vkCmdWriteTimestamp2, which is late by a draw on lavapipe, and no copy.");
  report.finish(options);
}

} // namespace
} // namespace basanite::benchmarks

int main(int argc, char** argv) {
  using namespace basanite::benchmarks;
  run(parseOptions(argc, argv, "stamp_encode",
                   "CPU time of encoding a timestamp: Basanite beside hand-written Vulkan.", 9));
}
