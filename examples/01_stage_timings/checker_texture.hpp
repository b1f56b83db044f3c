// SPDX-License-Identifier: Apache-2.0
// The picture on the ground, computed on the CPU.
#pragma once

#include "examples/support/gpu.hpp"

namespace examples::stage_timings {

// A tile of 2 x 2 squares in two pale tones with thin joints, RGBA8 sRGB, with all its mip levels.
NS::SharedPtr<MTL::Texture> newCheckerTexture(Gpu& gpu);

} // namespace examples::stage_timings
