// SPDX-License-Identifier: Apache-2.0
// Lists the layers, from the sky to the grain on top.
#include "examples/02_per_draw/landscape.hpp"

namespace examples::per_draw {
namespace {

// Tells the draws apart that are made alike.
struct Painter {
  float aspect, pixel;
  uint32_t work;
  std::vector<Draw> draws;

  Layer& add(const char* name, const char* kind, const char* vertex, const char* fragment,
             MTL::PrimitiveType primitive, uint32_t vertices, uint32_t instances) {
    Draw draw{name, kind, vertex, fragment, primitive, vertices, instances, {}};
    draw.layer.aspect = aspect;
    draw.layer.pixel = pixel;
    draw.layer.samples = work;
    draw.layer.seed = 101 * static_cast<uint32_t>(draws.size() + 1);
    draws.push_back(std::move(draw));
    return draws.back().layer;
  }

  Layer& cover(const char* name, const char* fragment, uint32_t octaves) {
    Layer& layer = add(name, "fragment", "coverVertex", fragment, MTL::PrimitiveTypeTriangleStrip, 4, 1);
    layer.octaves = octaves;
    return layer;
  }
  Layer& strip(const char* name, const char* vertex, const char* fragment, uint32_t columns,
               uint32_t octaves) {
    Layer& layer =
        add(name, "both", vertex, fragment, MTL::PrimitiveTypeTriangleStrip, 2 * (columns * work + 1), 1);
    layer.things = columns * work;
    layer.octaves = octaves;
    return layer;
  }
  Layer& crowd(const char* name, const char* vertex, const char* fragment, uint32_t vertices, uint32_t things,
               uint32_t octaves) {
    Layer& layer = add(name, "vertex", vertex, fragment, MTL::PrimitiveTypeTriangle, vertices, things);
    layer.things = things;
    layer.octaves = octaves;
    return layer;
  }

  void clouds(const char* name, float bottom, float top, float scale, uint32_t octaves,
              std::array<float, 4> low, std::array<float, 4> high) {
    Layer& layer = cover(name, "cloudFragment", octaves);
    layer.area = {-1, bottom, 1, top};
    layer.scale = scale;
    layer.low = low;
    layer.high = high;
  }
  void range(const char* name, uint32_t index, uint32_t columns) {
    Layer& layer = strip(name, "rangeVertex", "rangeFragment", columns, 7);
    layer.area = {-1, -0.36f, 1, 1};
    layer.range = index;
  }
  void mist(const char* name, float bottom, float top, float opacity, uint32_t octaves) {
    Layer& layer = cover(name, "mistFragment", octaves);
    layer.area = {-1, bottom, 1, top};
    layer.low = {0.96f, 0.76f, 0.66f, opacity};
    layer.high = {0.86f, 0.70f, 0.70f, opacity};
    layer.scale = 1.6f;
  }
  void forest(const char* name, uint32_t range, uint32_t trees, float size, std::array<float, 4> color) {
    Layer& layer = crowd(name, "treeVertex", "plainFragment", 9, trees, 7);
    layer.range = range;
    layer.scale = size;
    layer.low = layer.high = color;
  }
};

} // namespace

std::vector<Draw> landscape(uint32_t width, uint32_t height, uint32_t work) {
  Painter paint{
      static_cast<float>(width) / static_cast<float>(height), 2.0f / static_cast<float>(height), work, {}};

  paint.cover("sky", "skyFragment", 1);
  Layer& stars = paint.crowd("stars", "starVertex", "sparkFragment", 3, 8'000, 6);
  stars.area = {-1, 0.05f, 1, 1};
  stars.scale = 0.0035f;
  paint.clouds("high clouds", 0.10f, 1.0f, 1.5f, 5, {0.98f, 0.72f, 0.60f, 0.55f},
               {0.55f, 0.55f, 0.70f, 0.35f});
  Layer& moon = paint.cover("moon", "moonFragment", 5);
  moon.scale = 0.085f;
  moon.area = {(0.78f - 0.34f) / paint.aspect, 0.16f, (0.78f + 0.34f) / paint.aspect, 0.84f};
  paint.clouds("low clouds", -0.05f, 0.62f, 2.4f, 4, {1.0f, 0.66f, 0.48f, 0.75f},
               {0.62f, 0.42f, 0.52f, 0.55f});

  paint.range("far range", 0, 480);
  paint.mist("far mist", -0.34f, 0.12f, 0.55f, 4);
  paint.range("middle range", 1, 960);
  paint.mist("middle mist", -0.36f, 0.02f, 0.50f, 6);
  paint.range("near range", 2, 480);
  paint.forest("far forest", 2, 3'000, 0.055f, {0.13f, 0.17f, 0.24f, 1});
  paint.mist("near mist", -0.37f, -0.12f, 0.40f, 5);
  paint.range("foothills", 3, 480);
  paint.forest("near forest", 3, 2'500, 0.115f, {0.045f, 0.07f, 0.10f, 1});

  Layer& lake = paint.cover("lake", "lakeFragment", 3);
  lake.area = {-1, -1, 1, -0.34f};
  lake.scale = 1.3f;
  Layer& glitter = paint.crowd("glitter", "glitterVertex", "sparkFragment", 3, 6'000, 5);
  glitter.area = {-1, -0.98f, 1, -0.35f};
  glitter.scale = 0.006f;
  glitter.high = {1.0f, 0.90f, 0.70f, 0.75f};
  Layer& shore = paint.strip("shore", "shoreVertex", "plainFragment", 500, 5);
  shore.area = {-1, -1.02f, 0.25f, -0.66f};
  shore.low = shore.high = {0.02f, 0.03f, 0.045f, 1};
  Layer& reeds = paint.crowd("reeds", "reedVertex", "plainFragment", 24, 1'800, 4);
  reeds.area = {-1.02f, -1.0f, 0.15f, -0.3f};
  reeds.scale = 0.62f;
  reeds.low = {0.02f, 0.03f, 0.045f, 1};
  reeds.high = {0.07f, 0.085f, 0.10f, 1};
  Layer& fireflies = paint.crowd("fireflies", "fireflyVertex", "sparkFragment", 3, 60, 1);
  fireflies.area = {-0.98f, -0.85f, 0.2f, -0.25f};
  fireflies.scale = 0.011f;
  fireflies.high = {1.0f, 0.92f, 0.45f, 0.9f};
  paint.cover("grain", "grainFragment", 1);
  return std::move(paint.draws);
}

} // namespace examples::per_draw
