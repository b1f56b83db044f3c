// SPDX-License-Identifier: Apache-2.0
// Reads the bunny and computes its normals.
#include "examples/01_stage_timings/mesh.hpp"

#include "examples/support/failure.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace examples::stage_timings {
namespace {

// The array behind the first `name` in the text, up to its closing "]]" or the end of the text.
std::string_view arrayNamed(std::string_view text, std::string_view name) {
  const size_t first = text.find(name);
  if (first == text.npos) return {};
  text.remove_prefix(first + name.size());
  size_t end = 0;
  for (int depth = 0; end < text.size(); ++end) {
    if (text[end] == '[') ++depth;
    if (text[end] == ']' && --depth == 0) break;
  }
  return text.substr(0, end);
}

// Every number of the text, in order, skipping all else. The text is part of a string that ends with a zero
// byte.
std::vector<double> numbersIn(std::string_view text) {
  std::vector<double> numbers;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    char* next = nullptr;
    const bool mayBegin = (*at >= '0' && *at <= '9') || *at == '-' || *at == '.';
    const double number = mayBegin ? std::strtod(at, &next) : 0;
    if (mayBegin && next != at) numbers.push_back(number);
    at = mayBegin && next != at ? next : at + 1;
  }
  return numbers;
}

std::string readMeshFile(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    fail(fmt::format(
        "cannot read the mesh '{}': run scripts/setup, which fetches it, or name the file with --mesh.",
        file.string()));
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// The sum of the neighbouring faces' normals, weighted by area, which the cross product does by itself.
void computeNormals(Mesh& mesh) {
  for (size_t i = 0; i < mesh.indices.size(); i += 3) {
    Vertex& a = mesh.vertices[mesh.indices[i]];
    Vertex& b = mesh.vertices[mesh.indices[i + 1]];
    Vertex& c = mesh.vertices[mesh.indices[i + 2]];
    const Float3 normal = cross(b.position - a.position, c.position - a.position);
    for (Vertex* vertex : {&a, &b, &c}) vertex->normal = vertex->normal + normal;
  }
  for (Vertex& vertex : mesh.vertices) vertex.normal = normalized(vertex.normal);
}

// Onto the ground, over the origin, one unit high.
void standUpright(Mesh& mesh) {
  Float3 low = mesh.vertices.front().position;
  Float3 high = low;
  for (const Vertex& vertex : mesh.vertices) {
    const Float3 p = vertex.position;
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const Float3 foot = {(low.x + high.x) / 2, low.y, (low.z + high.z) / 2};
  const float scale = 1 / std::max(high.y - low.y, 1e-6f);
  for (Vertex& vertex : mesh.vertices) vertex.position = (vertex.position - foot) * scale;
}

} // namespace

Mesh loadBunny(const std::filesystem::path& file) {
  const std::string text = readMeshFile(file);
  const std::vector<double> coordinates = numbersIn(arrayNamed(text, "positions"));
  const std::vector<double> cells = numbersIn(arrayNamed(text, "cells"));
  if (coordinates.empty() || coordinates.size() % 3 != 0 || cells.empty() || cells.size() % 3 != 0)
    fail(fmt::format(
        "'{}' is not the bunny's index.js: it has {} coordinates under 'positions' and {} indices under "
        "'cells', and both must be a multiple of three.",
        file.string(), coordinates.size(), cells.size()));

  Mesh mesh;
  mesh.vertices.resize(coordinates.size() / 3);
  for (size_t i = 0; i < coordinates.size(); i += 3)
    mesh.vertices[i / 3].position = {static_cast<float>(coordinates[i]),
                                     static_cast<float>(coordinates[i + 1]),
                                     static_cast<float>(coordinates[i + 2])};
  mesh.indices.reserve(cells.size());
  for (const double cell : cells) {
    if (!(cell >= 0 && cell < static_cast<double>(mesh.vertices.size())))
      fail(fmt::format("'{}' has a triangle with vertex {}, but only {} vertices.", file.string(), cell,
                       mesh.vertices.size()));
    mesh.indices.push_back(static_cast<uint32_t>(cell));
  }

  standUpright(mesh);
  computeNormals(mesh);
  return mesh;
}

Mesh makeGround(float halfSize) {
  const Float3 up = {0, 1, 0};
  return {{{{-halfSize, 0, halfSize}, up},
           {{halfSize, 0, halfSize}, up},
           {{halfSize, 0, -halfSize}, up},
           {{-halfSize, 0, -halfSize}, up}},
          {0, 1, 2, 0, 2, 3}};
}

} // namespace examples::stage_timings
