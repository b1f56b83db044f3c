// SPDX-License-Identifier: Apache-2.0
// What the shaders must know of a frame: the orbiting camera and the sun.
#pragma once

#include "examples/01_stage_timings/vector_math.hpp"

#include <cstddef>
#include <cstdint>

namespace examples::stage_timings {

// Mirrored by the structure of the same name in scene.metal; the shadow map reads its first member alone.
struct FrameUniforms {
  Float4x4 shadowFromWorld; // clip space of the shadow map
  Float4x4 clipFromWorld;
  Float4 cameraPosition;
  Float4 sunDirection; // towards the sun
  // The ray through a point of the screen is forward + x * right + y * up, with x and y from -1 to 1.
  Float4 cameraRight;
  Float4 cameraUp;
  Float4 cameraForward;
};
static_assert(offsetof(FrameUniforms, shadowFromWorld) == 0 && sizeof(FrameUniforms) == 208);

// The camera swings around the bunny and comes to rest in the last frame.
FrameUniforms frameUniforms(uint32_t frame, uint32_t frameCount, float aspect);

} // namespace examples::stage_timings
