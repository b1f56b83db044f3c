// SPDX-License-Identifier: Apache-2.0
// What each Vulkan driver gets wrong about timestamps, as one table; docs/workarounds.md has the measurements.
#pragma once

#include <cstdint>
#include <volk.h>

namespace basanite::vulkan {

// How a relaxed stamp (one that may neither split a pass nor drain the GPU) is written.
enum class RelaxedStamp : uint8_t {
  plain,   // one vkCmdWriteTimestamp2
  doubled, // a second, throw-away stamp behind it: lavapipe bins a stamp ahead of the draws that follow it
};

struct Workarounds {
  const char* driver = "";
  RelaxedStamp relaxedStamp = RelaxedStamp::plain;
  // True where a barrier inside a pass (dynamic rendering local read) was measured to isolate a precise stamp.
  // False: precise stamps split the pass even where the extension is there.
  bool localReadBarrierIsolates = false;
};

// The row of a driver; an unknown driver gets the row that believes it least while keeping Metal's promises.
const Workarounds& workaroundsFor(VkDriverId driver);

} // namespace basanite::vulkan
