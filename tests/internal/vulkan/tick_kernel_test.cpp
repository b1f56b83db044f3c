// SPDX-License-Identifier: Apache-2.0
// The kernel that extends and scales ticks says on the GPU what tick_scale.hpp says on the host.
#include "src/vulkan/tick_kernel.hpp"
#include "tests/internal/vulkan/vulkan_fixture.hpp"

#include <algorithm>
#include <random>

namespace basanite::vulkan::test {
namespace {

class TickKernelTest : public VulkanTest {
 protected:
  // Converts ticks whose 64-bit counts are `counts`, with that count for the reference; what the destinations
  // hold.
  std::vector<uint64_t> converted(const TickFormat& format, const std::vector<uint64_t>& counts,
                                  uint64_t reference, const std::vector<bool>& wanted = {}) {
    auto kernel = must(TickKernel::create(m_device));
    const uint64_t bytes = counts.size() * sizeof(uint64_t);
    auto ticks = sharedBuffer(bytes), entries = sharedBuffer(bytes),
         referenceBuffer = sharedBuffer(sizeof(uint64_t));
    *static_cast<uint64_t*>(referenceBuffer->contents()) = reference;
    std::vector<uint64_t> destinations;
    for (size_t i = 0; i < counts.size(); ++i) {
      static_cast<uint64_t*>(ticks->contents())[i] = counts[i] & tickMask(format.bits);
      const bool isWanted = wanted.empty() || wanted[i];
      destinations.push_back(isWanted ? entries->gpuAddress() + i * sizeof(uint64_t) : 0);
    }
    run([&](CommandBuffer& commands) {
      kernel->convert(commands, format, ticks->gpuAddress(), destinations,
                      format.bits < 64 ? referenceBuffer->gpuAddress() : 0);
    });
    const auto* words = static_cast<const uint64_t*>(entries->contents());
    return {words, words + counts.size()};
  }
};

TEST_F(TickKernelTest, SaysWhatTheHostsArithmeticSays) {
  std::mt19937_64 random(7);
  const struct {
    uint32_t bits;
    float periodNs;
  } formats[] = {{27, 1.0f},        {32, 10.0f}, {36, 52.0833333f}, {36, 41.667f},
                 {48, 83.3333333f}, {64, 10.0f}, {63, 1.0f}};
  for (const auto& [bits, periodNs] : formats)
    for (size_t count : {1, 2, 127, 128, 129, 1000, 20'000}) {
      const TickFormat format{bits, TickScale::nsPerTick(periodNs), std::nullopt};
      // Steps of all sizes: back by up to an eighth of a turn, on by up to seven eighths. The counts stay
      // below 2^56.
      const uint64_t turn = bits < 50 ? uint64_t(1) << bits : uint64_t(1) << 40;
      std::vector<uint64_t> counts = {turn * 3};
      while (counts.size() < count) {
        const uint64_t size = random() >> (random() % 40 + 8);
        const uint64_t forward = counts.back() + size % (turn / 8 * 7),
                       back = counts.back() - size % (turn / 8);
        counts.push_back(random() % 4 || back < turn * 2 ? forward : back);
      }
      for (int64_t off : {int64_t(0), int64_t(turn / 2 - 1), -int64_t(turn / 2 - 1)}) {
        const auto entries = converted(format, counts, counts.back() + uint64_t(off));
        for (size_t i = 0; i < count; ++i)
          ASSERT_EQ(entries[i], format.nsPerTick.apply(counts[i]))
              << bits << " bits of " << periodNs << " ns, stamp " << i << " of " << count
              << ", reference off by " << off;
      }
    }
}

TEST_F(TickKernelTest, WritesOnlyWhereItIsToldAndNeverZero) {
  const TickFormat format{64, TickScale::nsPerTick(10), std::nullopt};
  EXPECT_EQ(converted(format, {0, 7, 8}, 0, {true, false, true}), (std::vector<uint64_t>{1, 0, 80}));
}

TEST_F(TickKernelTest, ActsLikeASimulatedDevice) {
  SimulatedClock simulated;
  simulated.periodNs = 41.667f;
  simulated.validBits = 27;
  simulated.ticksPerNs = TickScale::ticksPerNs(simulated.periodNs);
  simulated.firstTick = 123'456'789;
  const TickFormat format{27, TickScale::nsPerTick(simulated.periodNs), simulated};
  // The ticks hold nanoseconds; the count goes on from the reference's.
  const uint64_t ns = 987'654'321'012'345;
  auto kernel = must(TickKernel::create(m_device));
  auto ticks = sharedBuffer(16), entries = sharedBuffer(16), reference = sharedBuffer(8);
  static_cast<uint64_t*>(ticks->contents())[0] = ns;
  static_cast<uint64_t*>(ticks->contents())[1] = ns + 3'000'000'000;
  const uint64_t count = simulated.ticksPerNs.apply(ns + 3'000'000'000) + simulated.firstTick;
  *static_cast<uint64_t*>(reference->contents()) = count - 1000;
  const std::vector<uint64_t> destinations = {entries->gpuAddress(), entries->gpuAddress() + 8};
  run([&](CommandBuffer& commands) {
    kernel->convert(commands, format, ticks->gpuAddress(), destinations, reference->gpuAddress());
  });
  const auto* words = static_cast<const uint64_t*>(entries->contents());
  EXPECT_EQ(words[1], format.nsPerTick.apply(count));
  EXPECT_NEAR(double(words[1] - words[0]), 3e9, 84) << "2 ticks";
}

} // namespace
} // namespace basanite::vulkan::test
