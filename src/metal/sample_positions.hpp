// SPDX-License-Identifier: Apache-2.0
// Where the samples of a pixel lie: the positions that every device has, and those that an app asks for.
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/device.hpp"

#include <Metal/MTLTypes.hpp>
#include <span>

namespace basanite::metal {

// The positions of 1, 2, 4 or 8 samples unless a pass sets its own; empty for other counts. Vulkan's standard
// locations, which are Metal's defaults as well.
std::span<const MTL::SamplePosition> defaultSamplePositions(size_t count);

// Whether `positions` differ from the defaults, so that the device has to be told. Error: not one position a
// sample, a value outside 0 to 15/16, a device that cannot move its samples.
base::Result<bool> movesSamples(std::span<const MTL::SamplePosition> positions, size_t sampleCount,
                                const vulkan::Device& device);

} // namespace basanite::metal
