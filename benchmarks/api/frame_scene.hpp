// SPDX-License-Identifier: Apache-2.0
// The scene of the frame benchmark: spheres on a ground under one light, as plain data for both sides, and
// its MSL.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace basanite::benchmarks {

struct FrameVertex {
  float position[3];
  float normal[3];
};
static_assert(sizeof(FrameVertex) == 24);

// Column-major matrices; the layout of the structure in both shading languages.
struct FrameConstants {
  float shadowFromWorld[16];
  float clipFromWorld[16];
  float eye[4];
  float sun[4]; // towards the light
};

// One draw: `count` 32-bit indices from `first` on.
struct FrameDraw {
  uint32_t first = 0;
  uint32_t count = 0;
};

struct FrameScene {
  std::vector<FrameVertex> vertices;
  std::vector<uint32_t> indices;
  std::vector<FrameDraw> draws;
  FrameConstants constants;
};

constexpr uint32_t kFrameWidth = 640;
constexpr uint32_t kFrameHeight = 360;
constexpr uint32_t kShadowSide = 512;

FrameScene frameScene();

// MSL: shadowVertex, litVertex, litFragment, toneMap. The twin's GLSL of the same names says the same.
extern const std::string kFrameSource;

} // namespace basanite::benchmarks
