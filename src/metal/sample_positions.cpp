// SPDX-License-Identifier: Apache-2.0
// Implementation of sample_positions.hpp.
#include "src/metal/sample_positions.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace basanite::metal {

namespace {

// Sixteenths of a pixel (the Vulkan specification, "Multisampling": standard sample locations).
constexpr float at(int sixteenths) { return static_cast<float>(sixteenths) / 16; }
const MTL::SamplePosition kOne[] = {{at(8), at(8)}};
const MTL::SamplePosition kTwo[] = {{at(12), at(12)}, {at(4), at(4)}};
const MTL::SamplePosition kFour[] = {{at(6), at(2)}, {at(14), at(6)}, {at(2), at(10)}, {at(10), at(14)}};
const MTL::SamplePosition kEight[] = {{at(9), at(5)},  {at(7), at(11)}, {at(13), at(9)},  {at(5), at(3)},
                                      {at(3), at(13)}, {at(1), at(7)},  {at(11), at(15)}, {at(15), at(1)}};

} // namespace

std::span<const MTL::SamplePosition> defaultSamplePositions(size_t count) {
  switch (count) {
  case 1:
    return kOne;
  case 2:
    return kTwo;
  case 4:
    return kFour;
  case 8:
    return kEight;
  default:
    return {};
  }
}

base::Result<bool> movesSamples(std::span<const MTL::SamplePosition> positions, size_t sampleCount,
                                const vulkan::Device& device) {
  if (positions.empty()) return false;
  if (positions.size() != sampleCount)
    return base::Error{fmt::format("The pass sets {} sample positions, but has {} samples a pixel.",
                                   positions.size(), sampleCount)};
  constexpr float kMost = at(15);
  for (size_t i = 0; i < positions.size(); ++i) {
    const float x = positions[i].x, y = positions[i].y;
    if (!(x >= 0 && x <= kMost && y >= 0 && y <= kMost))
      return base::Error{
          fmt::format("Sample position {} is ({}, {}); both must be from 0 to {}.", i, x, y, kMost)};
  }
  const auto standard = defaultSamplePositions(sampleCount);
  const bool same = std::equal(
      positions.begin(), positions.end(), standard.begin(), standard.end(),
      [](const MTL::SamplePosition& a, const MTL::SamplePosition& b) { return a.x == b.x && a.y == b.y; });
  if (same) return false;
  if (!device.features().sampleLocations || !(device.limits().sampleLocationCounts & sampleCount))
    return base::Error{
        fmt::format("The pass sets sample positions of its own, and \"{}\" cannot move {} samples "
                    "a pixel (VK_EXT_sample_locations).",
                    device.physical().name(), sampleCount)};
  return true;
}

} // namespace basanite::metal
