// SPDX-License-Identifier: Apache-2.0
// Part of entry_describer.hpp: the built-in inputs of each stage.
#include "src/shader/frontend/entry_describer.hpp"

#include <fmt/format.h>

namespace basanite::shader::frontend {

namespace {

constexpr BuiltinInput kBuiltinInputs[] = {
    {"vertex_id", kVertex, 1},
    {"instance_id", kVertex, 1},
    {"base_vertex", kVertex, 1},
    {"base_instance", kVertex, 1},
    {"amplification_id", kVertex | kFragment | kObject | kMesh, 1},
    {"amplification_count", kVertex | kFragment | kObject | kMesh, 1},
    {"position", kFragment, 4, true},
    {"front_facing", kFragment, 1, false, true},
    {"point_coord", kFragment, 2, true},
    {"primitive_id", kFragment, 1},
    {"barycentric_coord", kFragment, 3, true},
    {"sample_id", kFragment, 1},
    {"sample_mask", kFragment, 1},
    {"render_target_array_index", kFragment, 1},
    {"viewport_array_index", kFragment, 1},
    {"thread_position_in_grid", kGroups, 3},
    {"thread_position_in_threadgroup", kGroups, 3},
    {"thread_index_in_threadgroup", kGroups, 1},
    {"threadgroup_position_in_grid", kGroups, 3},
    {"threads_per_grid", kGroups, 3},
    {"threads_per_threadgroup", kGroups, 3},
    {"threadgroups_per_grid", kGroups, 3},
    {"grid_origin", kKernel, 3},
    {"grid_size", kKernel, 3},
    {"thread_index_in_simdgroup", kGroups | kFragment, 1},
    {"simdgroup_index_in_threadgroup", kGroups, 1},
    {"simdgroups_per_threadgroup", kGroups, 1},
    {"threads_per_simdgroup", kGroups | kFragment, 1},
    {"thread_execution_width", kGroups, 1},
    {"dispatch_threads_per_threadgroup", kGroups, 3},
    {"dispatch_simdgroups_per_threadgroup", kGroups, 1},
    {"dispatch_quadgroups_per_threadgroup", kGroups, 1},
    {"quadgroup_index_in_threadgroup", kGroups, 1},
    {"quadgroups_per_threadgroup", kGroups, 1},
    {"thread_index_in_quadgroup", kGroups | kFragment, 1},
    {"threads_per_quadgroup", kGroups, 1},
};

} // namespace

std::span<const BuiltinInput> builtinInputs() { return kBuiltinInputs; }

bool fits(const BuiltinInput& builtin, const ValueType& type) {
  if (builtin.floating) return type.kind == ScalarKind::floating && type.lanes == builtin.maxLanes;
  if (builtin.boolean) return type.kind == ScalarKind::boolean && type.lanes == 1;
  if (type.kind != ScalarKind::unsignedInt && type.kind != ScalarKind::signedInt) return false;
  return type.bits >= 16 && type.bits <= 32 && type.lanes <= builtin.maxLanes;
}

std::string expectedType(const BuiltinInput& builtin) {
  if (builtin.floating) return fmt::format("float{}", builtin.maxLanes);
  if (builtin.boolean) return "bool";
  return builtin.maxLanes == 1 ? "uint or ushort" : "uint or ushort, or a vector of 2 or 3 of them";
}

std::vector<std::string> builtinKeys(const std::string& attribute) {
  if (attribute == "position") return {"air.position", "air.center", "air.no_perspective"};
  if (attribute == "sample_mask") return {"air.sample_mask_in"};
  return {"air." + attribute};
}

} // namespace basanite::shader::frontend
