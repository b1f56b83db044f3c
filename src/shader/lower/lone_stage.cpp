// SPDX-License-Identifier: Apache-2.0
// Implementation of lone_stage.hpp.
#include "src/shader/lower/lone_stage.hpp"

#include "src/shader/air/type_name.hpp"

#include <fmt/format.h>
#include <set>

namespace basanite::shader::lower {

namespace {

// MTL::VertexFormat of one component and of two; three and four follow the latter.
struct FormatRow {
  const char* type;
  uint32_t one, two, bytes;
};
constexpr FormatRow kFormats[] = {
    {"float", 28, 29, 4}, {"half", 53, 25, 2},  {"int", 32, 33, 4},
    {"uint", 36, 37, 4},  {"short", 50, 16, 2}, {"ushort", 49, 13, 2},
    {"char", 46, 4, 1},   {"uchar", 45, 1, 1},  {"bool", 45, 1, 1},
};

} // namespace

VaryingLocations loneVaryings(const air::EntryPoint& entry) {
  VaryingLocations locations;
  auto add = [&](const std::string& varying, bool perPrimitive = false) {
    VaryingPlace place{static_cast<uint32_t>(locations.size()), perPrimitive};
    if (!varying.empty()) locations.try_emplace(varying, place);
  };
  for (const air::Input& input : entry.inputs) add(input.varying);
  for (const air::Output& output : entry.outputs) add(output.varying);
  if (!entry.mesh) return locations;
  for (const air::Output& output : entry.mesh->vertexOutputs) add(output.varying);
  for (const air::Output& output : entry.mesh->primitiveOutputs) add(output.varying, true);
  return locations;
}

base::Result<RenderRequest> loneRequest(const air::EntryPoint& entry) {
  RenderRequest request;
  std::set<uint32_t> taken;
  for (const air::Input& input : entry.inputs)
    if (input.kind == "air.buffer" || input.kind == "air.indirect_buffer") taken.insert(input.location);
  uint32_t buffer = 30;
  while (buffer > 0 && taken.contains(buffer)) --buffer;
  uint32_t offset = 0;
  for (const air::Input& input : entry.inputs) {
    if (input.kind != "air.vertex_input" && input.kind != "air.stage_in") continue;
    const auto [name, lanes] = air::parseTypeName(input.typeName);
    const FormatRow* format = nullptr;
    for (const FormatRow& row : kFormats)
      if (name == row.type) format = &row;
    if (!format) {
      return base::Error{
          fmt::format("Vertex function \"{}\": attribute {} has type {}, which no vertex format holds.",
                      entry.name, input.location, input.typeName)};
    }
    request.attributes.push_back(
        {input.location, lanes == 1 ? format->one : format->two + lanes - 2, buffer, offset});
    offset += (format->bytes * lanes + 3) & ~3u;
  }
  // A step each vertex, or each thread along x.
  if (!request.attributes.empty()) request.layouts.push_back({buffer, offset, entry.stage == Stage::kernel ? 5u : 1u, 1});
  return request;
}

} // namespace basanite::shader::lower
