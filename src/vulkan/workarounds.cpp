// SPDX-License-Identifier: Apache-2.0
// The table of drivers. A row is added with a measurement (the F1/F10/F100 draws of docs/workarounds.md), never by guess.
#include "src/vulkan/workarounds.hpp"

namespace basanite::vulkan {

namespace {

struct Row {
  VkDriverId driver;
  Workarounds workarounds;
};

constexpr Row kRows[] = {
    {VK_DRIVER_ID_MESA_LLVMPIPE, {"lavapipe", RelaxedStamp::doubled, true}},
    {VK_DRIVER_ID_NVIDIA_PROPRIETARY, {"NVIDIA", RelaxedStamp::plain, true}},
};

// Not measured: precise splits the pass, which is right on any driver that honours barriers between passes.
constexpr Workarounds kUnknown = {"unmeasured", RelaxedStamp::plain, false};

} // namespace

const Workarounds& workaroundsFor(VkDriverId driver) {
  for (const Row& row : kRows)
    if (row.driver == driver) return row.workarounds;
  return kUnknown;
}

} // namespace basanite::vulkan
