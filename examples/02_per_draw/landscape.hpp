// SPDX-License-Identifier: Apache-2.0
// The picture as data: twenty draws, painted one over the other.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <Metal/Metal.hpp>

namespace examples::per_draw {

// Mirrors the structure of the same name in landscape.metal, which says what each member means to each
// function.
struct Layer {
  std::array<float, 4> area = {-1, -1, 1, 1};
  std::array<float, 4> low = {};
  std::array<float, 4> high = {};
  float scale = 1;
  float aspect = 1;
  float pixel = 0;
  uint32_t things = 0;
  uint32_t samples = 1;
  uint32_t octaves = 1;
  uint32_t range = 0;
  uint32_t seed = 0;
};
static_assert(sizeof(Layer) == 80);

struct Draw {
  std::string name;
  std::string kind; // the stage that most of its time is meant to go to
  std::string vertexFunction, fragmentFunction;
  MTL::PrimitiveType primitive = MTL::PrimitiveTypeTriangle;
  uint32_t vertices = 3; // an instance
  uint32_t instances = 1;
  Layer layer;
};

// In the order of painting. `work`: samples of the noise for each pixel and thing, and by how much the ranges
// have more columns; the picture stays the same but for its smoothness.
std::vector<Draw> landscape(uint32_t width, uint32_t height, uint32_t work);

} // namespace examples::per_draw
