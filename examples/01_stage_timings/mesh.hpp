// SPDX-License-Identifier: Apache-2.0
// Triangle meshes: the bunny from its JavaScript file, and the ground.
#pragma once

#include "examples/01_stage_timings/vector_math.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace examples::stage_timings {

// What the vertex descriptor of the pipelines describes.
struct Vertex {
  Float3 position;
  Float3 normal;
};
static_assert(sizeof(Vertex) == 24);

// Triangles are counterclockwise seen from outside.
struct Mesh {
  std::vector<Vertex> vertices;
  std::vector<uint32_t> indices;
};

// Reads the index.js of the npm package `bunny`: the numbers of its `positions` and `cells` arrays, whatever
// stands between them. The result has smooth normals, stands on y = 0 over the origin and is one unit high.
// Fails with a sentence when the file cannot be read or makes no mesh.
Mesh loadBunny(const std::filesystem::path& file);

// A square in the plane y = 0 around the origin.
Mesh makeGround(float halfSize);

} // namespace examples::stage_timings
